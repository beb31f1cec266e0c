"""The house's tables, what waits for a second person, and what its processes know each other by."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0003"
down_revision: Final = "0002"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "house_tables",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("pace", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_house_tables"),
    )
    op.create_table(
        "house_secrets",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_house_secrets"),
    )
    op.create_table(
        "proposals",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("do", sa.Text, nullable=False),
        sa.Column("fields", sa.Text, nullable=False),
        sa.Column("asked_at", sa.BigInteger, nullable=False),
        sa.Column("stands", sa.Text, nullable=False),
        sa.Column("second", sa.Text, nullable=False),
        sa.Column("decided_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_proposals"),
    )
