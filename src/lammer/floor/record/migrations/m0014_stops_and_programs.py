"""Stops of gaming, and the programs the house was run with; the journal is told of both."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0014"
down_revision: Final = "0013"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "stops",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("table_id", "reason", "by", "role")),
        sa.Column("at", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("cause", "ended_by", "ended_role")),
        sa.Column("ended_at", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_stops"),
    )
    op.create_table(
        "programs",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("stands", "by", "sha256", "differences")),
        sa.Column("manifest", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_programs"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table in ("stops", "programs"):
            op.execute(
                f"CREATE TRIGGER {table}_touched AFTER INSERT OR UPDATE OR DELETE ON {table}"
                " FOR EACH ROW EXECUTE FUNCTION lammer_touches('number')"
            )
