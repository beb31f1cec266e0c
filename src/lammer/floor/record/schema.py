"""The tables of the record, as SQLAlchemy sees them. What creates and changes them are the migrations.

A module that needs tables of its own defines them on `metadata`, is named in `PARTS`,
and adds the migration that makes them: a file `migrations/m0002_….py` with `revision = "0002"` and
`down_revision = "0001"`. A test compares the two. Tables whose contents can be made again say
`info={"carried": False}` and are left out of backups. Keys are given, never counted up by the database, so
that rows can move between databases.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from sqlalchemy import BigInteger, Column, Connection, LargeBinary, MetaData, Table, Text
from sqlalchemy.dialects import postgresql, sqlite

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

VERSION_TABLE: Final = "lammer_version"

PARTS: Final[tuple[str, ...]] = (
    "lammer.floor.record.people",
    "lammer.floor.record.registry",
    "lammer.floor.record.forgetting",
    "lammer.floor.record.purses",
    "lammer.floor.record.training",
    "lammer.floor.record.rulebook_texts",
    "lammer.floor.record.log.log_tables",
    "lammer.floor.record.stops",
    "lammer.floor.record.programs",
)
"""Modules that define tables of their own, such as "lammer.floor.record.people"."""


def full_metadata() -> MetaData:
    """Every table there is, also those of other modules."""
    for part in PARTS:
        import_module(part)
    return metadata


def texts(*names: str, key: bool = False, optional: bool = False, unique: bool = False) -> list[Column[str]]:
    """Columns of text that are alike, in this order."""
    return [Column(name, Text, primary_key=key, nullable=optional, unique=unique) for name in names]


def numbers(*names: str, key: bool = False, optional: bool = False) -> list[Column[int]]:
    """The same of whole numbers; amounts are cents, times microseconds."""
    return [
        Column(name, BigInteger, primary_key=key, nullable=optional, autoincrement=False) for name in names
    ]


def binaries(
    *names: str, key: bool = False, optional: bool = False, unique: bool = False
) -> list[Column[bytes]]:
    """The same of bytes."""
    return [Column(name, LargeBinary, primary_key=key, nullable=optional, unique=unique) for name in names]


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that may say what to do where the row is there already, in the words of this database."""
    return (postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert)(table)


events: Final = Table(
    "events",
    metadata,
    *texts("table_id", key=True),
    *numbers("number", key=True),
    *binaries("body", "hash"),
    *numbers("written_at"),
    *binaries("answer", optional=True),
)

replies: Final = Table(
    "replies",
    metadata,
    *texts("client", "key", key=True),
    *binaries("digest"),
    *texts("table_id"),
    *numbers("first", "last"),
    *binaries("hash", "reply"),
    *numbers("written_at"),
)

snapshots: Final = Table(
    "snapshots",
    metadata,
    *texts("table_id", key=True),
    *numbers("number", key=True),
    *binaries("hash", "body"),
    info={"carried": False},
)

journal: Final = Table(
    "journal", metadata, *numbers("number", key=True), *texts("kind"), *binaries("body", "hash")
)

checkpoints: Final = Table("checkpoints", metadata, *numbers("number", key=True), *binaries("line"))

tried: Final = Table("tried", metadata, *texts("name", key=True), *numbers("times"), info={"carried": False})
"""A row to write in, to know that writing works; see `storing.try_to_write`."""

leases: Final = Table(
    "leases",
    metadata,
    *texts("table_id", key=True),
    *texts("owner"),
    *numbers("epoch", "until"),
    info={"carried": False},
)

proposals: Final = Table(
    "proposals",
    metadata,
    *texts("id", key=True),
    *texts("table_id", "by", "role", "do", "fields"),
    *numbers("asked_at"),
    *texts("stands", "second"),
    *numbers("decided_at"),
    Column("stood", Text, nullable=False, server_default=""),
)
"""What one person asked for and a second has to agree to."""

CLIENT_OF_TWO: Final = "two people"
"""Whose keys the requests two people made are asked under; no account can be called that."""
