"""How long the house was open, in marks: answers are forgotten by them, and not by a calendar."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0005"
down_revision: Final = "0004"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "served",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("microseconds", sa.BigInteger, nullable=False),
        sa.Column("heads", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_served"),
    )
