"""How things stood when something was asked for that takes two people."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0004"
down_revision: Final = "0003"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    # Backups made before have no such column: it is empty then, and nothing is compared.
    op.add_column("proposals", sa.Column("stood", sa.Text, nullable=False, server_default=""))
