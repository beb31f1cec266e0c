"""Second factors: apps that show codes, passkeys, recovery codes, and sign-ins that wait for one of them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0009"
down_revision: Final = "0008"
branch_labels: Final = None
depends_on: Final = None


def upgrade() -> None:
    op.create_table(
        "authenticators",
        _text("account"),
        _text("secret"),
        _number("made_at"),
        _number("confirmed_at", optional=True),
        _number("step"),
        sa.PrimaryKeyConstraint("account", name="pk_authenticators"),
    )
    op.create_table(
        "passkeys",
        _text("id"),
        _text("account"),
        _text("title"),
        _bytes("credential"),
        _bytes("public_key"),
        _number("counter"),
        _number("made_at"),
        _number("used_at", optional=True),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential", name="uq_passkeys_credential"),
    )
    op.create_table(
        "recovery_codes",
        _bytes("digest"),
        _text("account"),
        _number("made_at"),
        _number("used_at", optional=True),
        sa.PrimaryKeyConstraint("digest", name="pk_recovery_codes"),
    )
    op.create_table(
        "half_sign_ins",
        _bytes("digest"),
        _text("account"),
        _text("password", optional=True),
        _number("started"),
        _number("tries"),
        _bytes("challenge"),
        sa.PrimaryKeyConstraint("digest", name="pk_half_sign_ins"),
    )
    op.create_table(
        "challenges",
        _text("session"),
        _bytes("challenge"),
        _number("made_at"),
        sa.PrimaryKeyConstraint("session", name="pk_challenges"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table, key in KEPT:
            op.execute(
                f"CREATE TRIGGER {table}_touched AFTER INSERT OR UPDATE OR DELETE ON {table}"
                f" FOR EACH ROW EXECUTE FUNCTION lammer_touches('{key}')"
            )


KEPT: Final = (
    ("authenticators", "account"),
    ("passkeys", "id"),
    ("recovery_codes", "digest"),
    ("half_sign_ins", "digest"),
    ("challenges", "session"),
)
"""All of it is in the journal; SQLite's writer makes its triggers for itself."""


def _text(name: str, *, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=optional)


def _number(name: str, *, optional: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=optional, autoincrement=False)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False)
