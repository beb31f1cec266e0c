"""A purse for each player: what is in it, and all that was ever put into it. The journal is told of each."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0008"
down_revision: Final = "0007"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "purses",
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.Column("issued", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_purses"),
        sa.CheckConstraint("balance >= 0", name="ck_purses_not_overdrawn"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER purses_touched AFTER INSERT OR UPDATE OR DELETE ON purses"
            " FOR EACH ROW EXECUTE FUNCTION lammer_touches('player')"
        )
