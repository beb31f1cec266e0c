"""The record: events, replies, snapshots, checkpoints, leases.

Events and checkpoints refuse to be changed or removed, by the database itself. SQLite also gets the view
`filing`: a row put into it becomes an event and a reply at once, unless the writer's turn is over. So a
group of appends is one statement, and the writer asks for the interpreter's lock once, not once a row.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0001"
down_revision: Final = None
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("written_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_events"),
    )
    op.create_table(
        "replies",
        sa.Column("client", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("reply", sa.LargeBinary, nullable=False),
        sa.Column("written_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("client", "key", name="pk_replies"),
    )
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_snapshots"),
    )
    op.create_table(
        "checkpoints",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_checkpoints"),
    )
    op.create_table(
        "leases",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_leases"),
    )
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


SQLITE: Final = (
    "CREATE TRIGGER events_stay_changed BEFORE UPDATE ON events BEGIN"
    " SELECT raise(ABORT, 'events are never changed'); END",
    "CREATE TRIGGER events_stay_removed BEFORE DELETE ON events BEGIN"
    " SELECT raise(ABORT, 'events are never removed'); END",
    "CREATE TRIGGER checkpoints_stay_changed BEFORE UPDATE ON checkpoints BEGIN"
    " SELECT raise(ABORT, 'checkpoints are never changed'); END",
    "CREATE TRIGGER checkpoints_stay_removed BEFORE DELETE ON checkpoints BEGIN"
    " SELECT raise(ABORT, 'checkpoints are never removed'); END",
    "CREATE VIEW filing AS SELECT e.table_id, e.number, e.body, e.hash, e.written_at, 0 AS epoch,"
    " r.client, r.key, r.digest, r.first, r.reply FROM events AS e, replies AS r WHERE 0",
    "CREATE TRIGGER filing_files INSTEAD OF INSERT ON filing BEGIN"
    " SELECT raise(ROLLBACK, 'the turn is over') WHERE new.epoch IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM leases WHERE table_id = new.table_id AND epoch = new.epoch);"
    " INSERT INTO events SELECT new.table_id, new.number, new.body, new.hash, new.written_at"
    " WHERE new.body IS NOT NULL;"
    " INSERT INTO replies SELECT new.client, new.key, new.digest, new.table_id, new.first, new.number,"
    " new.hash, new.reply, new.written_at WHERE new.key IS NOT NULL;"
    " END",
)

POSTGRESQL: Final = (
    "CREATE FUNCTION lammer_stays() RETURNS trigger LANGUAGE plpgsql AS"
    " $$BEGIN RAISE EXCEPTION '% are never changed or removed', TG_TABLE_NAME; END$$",
    "CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON events"
    " FOR EACH STATEMENT EXECUTE FUNCTION lammer_stays()",
    "CREATE TRIGGER checkpoints_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoints"
    " FOR EACH STATEMENT EXECUTE FUNCTION lammer_stays()",
)
