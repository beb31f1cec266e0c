"""Training: what each person remembers of each paragraph, and tests, of which the journal is told."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0010"
down_revision: Final = "0009"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "training_memories",
        *(sa.Column(name, sa.Text, nullable=False) for name in KEY),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("step", "due", "right_answers", "wrong_answers", "answered_at")
        ),
        sa.PrimaryKeyConstraint(*KEY, name="pk_training_memories"),
    )
    op.create_table(
        "training_tests",
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("id", "account", "rulebook", "rulebook_sha256", "items")
        ),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("minutes", "pass_mark", "seed")),
        sa.Column("set_by", sa.Text, nullable=False),
        sa.Column("set_at", sa.BigInteger, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=True),
        sa.Column("finished_at", sa.BigInteger, nullable=True),
        sa.Column("answers", sa.Text, nullable=False),
        sa.Column("correct", sa.BigInteger, nullable=True),
        sa.Column("certificate", sa.LargeBinary, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_training_tests"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER training_tests_touched AFTER INSERT OR UPDATE OR DELETE ON training_tests"
            " FOR EACH ROW EXECUTE FUNCTION lammer_touches('id')"
        )


KEY: Final = ("account", "rulebook", "kind", "paragraph")
