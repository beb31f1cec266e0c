"""A row to write in: whoever asks whether the house is ready wants to know that a write reaches the disk."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0006"
down_revision: Final = "0005"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "tried",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("times", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_tried"),
    )
