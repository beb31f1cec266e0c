"""The tables of who may come in: accounts, links, sessions, keys, second factors, failed attempts, denials.

Secrets are not in them, but for one: passwords are Argon2 hashes, everything a person or a machine carries
is a SHA-256, of passkeys there is the public half, addresses are marks. The secret of an authenticator app
has to be read to check a code, so it lies there as it is. What must not outlive a restore (sessions, links,
half sign-ins, attempts) is not carried in backups.
Times are microseconds since 1970, UTC.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Connection, LargeBinary, Table, Text, func, select, text

from lammer.floor.record.schema import metadata


def _text(name: str, *, key: bool = False, optional: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=optional)


def _number(name: str, *, key: bool = False, optional: bool = False) -> Column[int]:
    return Column(name, BigInteger, primary_key=key, nullable=optional, autoincrement=False)


def _digest(*, key: bool = False) -> Column[bytes]:
    return Column("digest", LargeBinary, primary_key=key, nullable=False, unique=not key)


accounts: Final = Table(
    "accounts",
    metadata,
    _text("name", key=True),
    _text("title"),
    _text("role"),
    _text("password", optional=True),
    _number("made_at"),
    _text("made_by"),
    _number("disabled_at", optional=True),
)

account_changes: Final = Table(
    "account_changes",
    metadata,
    _number("number", key=True),
    _number("at"),
    _text("made_by"),
    _text("account"),
    _text("what"),
)

sign_in_links: Final = Table(
    "sign_in_links",
    metadata,
    _digest(key=True),
    _text("account"),
    _number("made_at"),
    _number("until"),
    info={"carried": False},
)

sessions: Final = Table(
    "sessions",
    metadata,
    _digest(key=True),
    Column("id", Text, nullable=False, unique=True),
    _text("account"),
    _text("address"),
    _number("started"),
    _number("seen"),
    info={"carried": False},
)

api_keys: Final = Table(
    "api_keys",
    metadata,
    _text("id", key=True),
    _digest(),
    _text("table_id"),
    _text("purpose"),
    _number("made_at"),
    _text("made_by"),
    _number("revoked_at", optional=True),
    _text("revoked_by", optional=True),
)

authenticators: Final = Table(
    "authenticators",
    metadata,
    _text("account", key=True),
    _text("secret"),
    _number("made_at"),
    _number("confirmed_at", optional=True),
    _number("step"),
)
"""Apps that show codes, one for an account; `step` is the time step of the last code that was taken."""

passkeys: Final = Table(
    "passkeys",
    metadata,
    _text("id", key=True),
    _text("account"),
    _text("title"),
    Column("credential", LargeBinary, nullable=False, unique=True),
    Column("public_key", LargeBinary, nullable=False),
    _number("counter"),
    _number("made_at"),
    _number("used_at", optional=True),
)

recovery_codes: Final = Table(
    "recovery_codes",
    metadata,
    _digest(key=True),
    _text("account"),
    _number("made_at"),
    _number("used_at", optional=True),
)

half_sign_ins: Final = Table(
    "half_sign_ins",
    metadata,
    _digest(key=True),
    _text("account"),
    _text("password", optional=True),
    _number("started"),
    _number("tries"),
    Column("challenge", LargeBinary, nullable=False),
    info={"carried": False},
)
"""Who has shown a password or a link, and not yet the second factor; `password` is a new one that waits."""

challenges: Final = Table(
    "challenges",
    metadata,
    _text("session", key=True),
    Column("challenge", LargeBinary, nullable=False),
    _number("made_at"),
    info={"carried": False},
)
"""What a new passkey has to sign, by the session that asked for it."""

attempts: Final = Table(
    "attempts",
    metadata,
    _text("kind", key=True),
    _text("mark", key=True),
    _number("failures"),
    _number("last_at"),
    _number("until"),
    info={"carried": False},
)

denials: Final = Table(
    "denials",
    metadata,
    _number("number", key=True),
    _number("at"),
    _number("last_at"),
    _number("times"),
    _text("who"),
    _text("role"),
    _text("key_id"),
    _text("address"),
    _text("what"),
    _text("code"),
    _text("table_id"),
)

salts: Final = Table(
    "salts",
    metadata,
    _text("name", key=True),
    Column("salt", LargeBinary, nullable=False),
    info={"carried": False},
)


def next_number(connection: Connection, book: Table) -> int:
    """The number of the next row in a book that is only added to.

    Until the commit, no other process can take one. So rows become visible in the order of their numbers, and
    a reader who goes on after the last row they saw misses none.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"LOCK TABLE {book.name} IN SHARE ROW EXCLUSIVE MODE"))
    return (connection.scalar(select(func.max(book.c.number))) or 0) + 1
