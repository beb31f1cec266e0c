"""Time stamps an authority put on checkpoints of the log."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0015"
down_revision: Final = "0014"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "log_stamps",
        sa.Column("size", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("response", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("size", name="pk_log_stamps"),
    )
