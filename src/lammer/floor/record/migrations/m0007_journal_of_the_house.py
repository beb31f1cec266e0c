"""The journal of the house, and the digest of an answer beside the event it belongs to.

Whoever may do what is in tables that change; the journal says line by line what they changed to, chained as
events are. Over PostgreSQL triggers tell the writer which rows it has touched (SQLite's writer makes such
triggers for itself, see `journal`); a session that did not ask for it is told nothing.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0007"
down_revision: Final = "0006"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.add_column("events", sa.Column("answer", sa.LargeBinary, nullable=True))
    op.create_table(
        "journal",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_journal"),
    )
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


SQLITE: Final = (
    "CREATE TRIGGER journal_stay_changed BEFORE UPDATE ON journal BEGIN"
    " SELECT raise(ABORT, 'journal are never changed'); END",
    "CREATE TRIGGER journal_stay_removed BEFORE DELETE ON journal BEGIN"
    " SELECT raise(ABORT, 'journal are never removed'); END",
    "DROP TRIGGER filing_files",
    "DROP VIEW filing",
    "CREATE VIEW filing AS SELECT e.table_id, e.number, e.body, e.hash, e.written_at, 0 AS epoch,"
    " r.client, r.key, r.digest, r.first, r.reply, e.answer FROM events AS e, replies AS r WHERE 0",
    "CREATE TRIGGER filing_files INSTEAD OF INSERT ON filing BEGIN"
    " SELECT raise(ROLLBACK, 'the turn is over') WHERE new.epoch IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM leases WHERE table_id = new.table_id AND epoch = new.epoch);"
    " INSERT INTO events SELECT new.table_id, new.number, new.body, new.hash, new.written_at, new.answer"
    " WHERE new.body IS NOT NULL;"
    " INSERT INTO replies SELECT new.client, new.key, new.digest, new.table_id, new.first, new.number,"
    " new.hash, new.reply, new.written_at WHERE new.key IS NOT NULL;"
    " END",
)

KEPT: Final = (
    ("accounts", "name"),
    ("account_changes", "number"),
    ("sign_in_links", "digest"),
    ("sessions", "digest"),
    ("api_keys", "id"),
    ("denials", "number"),
    ("salts", "name"),
    ("house_tables", "table_id"),
    ("house_secrets", "name"),
    ("proposals", "id"),
    ("served", "number"),
)

OF: Final = {"sessions": " OF digest, id, account, address, started"}
"""When a session was last seen is written all the time, and decides nothing."""

POSTGRESQL: Final = (
    "CREATE TRIGGER journal_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON journal"
    " FOR EACH STATEMENT EXECUTE FUNCTION lammer_stays()",
    "CREATE FUNCTION lammer_touches() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN"
    " IF current_setting('lammer.journal', true) = 'on' THEN"
    "  IF TG_OP <> 'INSERT' THEN"
    "   INSERT INTO pg_temp.lammer_touched VALUES (TG_TABLE_NAME, to_jsonb(OLD) ->> TG_ARGV[0]); END IF;"
    "  IF TG_OP <> 'DELETE' THEN"
    "   INSERT INTO pg_temp.lammer_touched VALUES (TG_TABLE_NAME, to_jsonb(NEW) ->> TG_ARGV[0]); END IF;"
    " END IF; RETURN NULL; END$$",
    *(
        f"CREATE TRIGGER {table}_touched AFTER INSERT OR UPDATE{OF.get(table, '')} OR DELETE ON {table}"
        f" FOR EACH ROW EXECUTE FUNCTION lammer_touches('{key}')"
        for table, key in KEPT
    ),
)
