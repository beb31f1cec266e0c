"""The version of the items a test asks, and what each answer came to when it was given."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0011"
down_revision: Final = "0010"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    # Tests set before asked items of version 2, and their answers were not marked one by one.
    op.add_column(
        "training_tests", sa.Column("items_version", sa.BigInteger, nullable=False, server_default="2")
    )
    op.add_column("training_tests", sa.Column("marks", sa.Text, nullable=False, server_default="[]"))
