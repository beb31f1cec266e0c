"""Who may come in: accounts and their changes, links, sessions, API keys, failed attempts, denials, salts.

Changes of accounts and denials are for the auditor: the database itself refuses to change or remove them.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0002"
down_revision: Final = "0001"
branch_labels: Final = None
depends_on: Final = None

BOOKS: Final = ("account_changes", "denials")


def upgrade() -> None:
    _people()
    _carried_secrets()
    _attempts_and_denials()
    for book in BOOKS:
        for statement in _stays(book):
            op.execute(statement)


def _people() -> None:
    op.create_table(
        "accounts",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password", sa.Text, nullable=True),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("disabled_at", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_accounts"),
    )
    op.create_table(
        "account_changes",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_account_changes"),
    )


def _carried_secrets() -> None:
    """What somebody carries about: kept here as a SHA-256 alone."""
    op.create_table(
        "sign_in_links",
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_sign_in_links"),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
        sa.UniqueConstraint("id", name="uq_sessions_id"),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("revoked_at", sa.BigInteger, nullable=True),
        sa.Column("revoked_by", sa.Text, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("digest", name="uq_api_keys_digest"),
    )


def _attempts_and_denials() -> None:
    op.create_table(
        "attempts",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("mark", sa.Text, nullable=False),
        sa.Column("failures", sa.BigInteger, nullable=False),
        sa.Column("last_at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "mark", name="pk_attempts"),
    )
    op.create_table(
        "denials",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("last_at", sa.BigInteger, nullable=False),
        sa.Column("times", sa.BigInteger, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_denials"),
    )
    op.create_table(
        "salts",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_salts"),
    )


def _stays(book: str) -> tuple[str, ...]:
    if op.get_bind().dialect.name == "postgresql":
        return (
            f"CREATE TRIGGER {book}_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON {book}"
            " FOR EACH STATEMENT EXECUTE FUNCTION lammer_stays()",
        )
    return tuple(
        f"CREATE TRIGGER {book}_stay_{done} BEFORE {verb} ON {book} BEGIN"
        f" SELECT raise(ABORT, '{book} are never {done}'); END"
        for verb, done in (("UPDATE", "changed"), ("DELETE", "removed"))
    )
