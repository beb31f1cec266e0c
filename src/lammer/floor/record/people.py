"""The tables of who may come in: accounts, links, sessions, keys, second factors, failed attempts, denials.

Secrets are not in them, but for one: passwords are Argon2 hashes, everything a person or a machine carries
is a SHA-256, of passkeys there is the public half, addresses are marks. The secret of an authenticator app
has to be read to check a code, so it lies there as it is. What must not outlive a restore (sessions, links,
half sign-ins, attempts) is not carried in backups.
Times are microseconds since 1970, UTC.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, Table, func, select, text

from lammer.floor.record.schema import binaries, metadata, numbers, texts

accounts: Final = Table(
    "accounts",
    metadata,
    *texts("name", key=True),
    *texts("title", "role"),
    *texts("password", optional=True),
    *numbers("made_at"),
    *texts("made_by"),
    *numbers("disabled_at", optional=True),
)

account_changes: Final = Table(
    "account_changes",
    metadata,
    *numbers("number", key=True),
    *numbers("at"),
    *texts("made_by", "account", "what"),
)

sign_in_links: Final = Table(
    "sign_in_links",
    metadata,
    *binaries("digest", key=True),
    *texts("account"),
    *numbers("made_at", "until"),
    info={"carried": False},
)

sessions: Final = Table(
    "sessions",
    metadata,
    *binaries("digest", key=True),
    *texts("id", unique=True),
    *texts("account", "address"),
    *numbers("started", "seen"),
    info={"carried": False},
)

api_keys: Final = Table(
    "api_keys",
    metadata,
    *texts("id", key=True),
    *binaries("digest", unique=True),
    *texts("table_id", "purpose"),
    *numbers("made_at"),
    *texts("made_by"),
    *numbers("revoked_at", optional=True),
    *texts("revoked_by", optional=True),
)

authenticators: Final = Table(
    "authenticators",
    metadata,
    *texts("account", key=True),
    *texts("secret"),
    *numbers("made_at"),
    *numbers("confirmed_at", optional=True),
    *numbers("step"),
)
"""Apps that show codes, one for an account; `step` is the time step of the last code that was taken."""

passkeys: Final = Table(
    "passkeys",
    metadata,
    *texts("id", key=True),
    *texts("account", "title"),
    *binaries("credential", unique=True),
    *binaries("public_key"),
    *numbers("counter", "made_at"),
    *numbers("used_at", optional=True),
)

recovery_codes: Final = Table(
    "recovery_codes",
    metadata,
    *binaries("digest", key=True),
    *texts("account"),
    *numbers("made_at"),
    *numbers("used_at", optional=True),
)

half_sign_ins: Final = Table(
    "half_sign_ins",
    metadata,
    *binaries("digest", key=True),
    *texts("account"),
    *texts("password", optional=True),
    *numbers("started", "tries"),
    *binaries("challenge"),
    info={"carried": False},
)
"""Who has shown a password or a link, and not yet the second factor; `password` is a new one that waits."""

challenges: Final = Table(
    "challenges",
    metadata,
    *texts("session", key=True),
    *binaries("challenge"),
    *numbers("made_at"),
    info={"carried": False},
)
"""What a new passkey has to sign, by the session that asked for it."""

attempts: Final = Table(
    "attempts",
    metadata,
    *texts("kind", "mark", key=True),
    *numbers("failures", "last_at", "until"),
    info={"carried": False},
)

denials: Final = Table(
    "denials",
    metadata,
    *numbers("number", key=True),
    *numbers("at", "last_at", "times"),
    *texts("who", "role", "key_id", "address", "what", "code", "table_id"),
)

salts: Final = Table(
    "salts",
    metadata,
    *texts("name", key=True),
    *binaries("salt"),
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
