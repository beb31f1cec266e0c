"""The rulebooks a house keeps; the journal is told of them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0013"
down_revision: Final = "0012"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "kept_rulebooks",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("id", "whole", "sha256")),
        sa.Column("kept_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_kept_rulebooks"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER kept_rulebooks_touched AFTER INSERT OR UPDATE OR DELETE ON kept_rulebooks"
            " FOR EACH ROW EXECUTE FUNCTION lammer_touches('id')"
        )
