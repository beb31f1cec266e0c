"""The one log of the house: its entries, the tiles of its tree, what it signed, and who cosigned."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0012"
down_revision: Final = "0011"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "log_runs",
        sa.Column("start", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("entries", sa.BigInteger, nullable=False),
        sa.Column("secret_name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("start", name="pk_log_runs"),
    )
    op.create_index("ix_log_runs_source_first", "log_runs", ["source", "first"])
    op.create_table(
        "log_entries",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("entries", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_log_entries"),
    )
    op.create_table(
        "log_tiles",
        sa.Column("level", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("hashes", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("level", "number", name="pk_log_tiles"),
    )
    op.create_table(
        "log_checkpoints",
        sa.Column("size", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("note", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("size", name="pk_log_checkpoints"),
    )
    op.create_table(
        "log_cosignatures",
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("witness", sa.Text, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("size", "witness", name="pk_log_cosignatures"),
    )
    for table in ("log_runs", "log_checkpoints"):
        if op.get_bind().dialect.name == "postgresql":
            op.execute(
                f"CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION lammer_stays()"
            )
        else:
            for verb, done in (("UPDATE", "changed"), ("DELETE", "removed")):
                op.execute(
                    f"CREATE TRIGGER {table}_stay_{done} BEFORE {verb} ON {table} BEGIN"
                    f" SELECT raise(ABORT, '{table} are never {done}'); END"
                )
