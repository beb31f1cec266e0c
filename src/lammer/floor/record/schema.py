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

from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, Table, Text

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
)
"""Modules that define tables of their own, such as "lammer.floor.record.people"."""


def full_metadata() -> MetaData:
    """Every table there is, also those of other modules."""
    for part in PARTS:
        import_module(part)
    return metadata


def _text(name: str, *, key: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=False)


def _number(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, BigInteger, primary_key=key, nullable=False, autoincrement=False)


def _bytes(name: str) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=False)


events: Final = Table(
    "events",
    metadata,
    _text("table_id", key=True),
    _number("number", key=True),
    _bytes("body"),
    _bytes("hash"),
    _number("written_at"),
    Column("answer", LargeBinary, nullable=True),
)

replies: Final = Table(
    "replies",
    metadata,
    _text("client", key=True),
    _text("key", key=True),
    _bytes("digest"),
    _text("table_id"),
    _number("first"),
    _number("last"),
    _bytes("hash"),
    _bytes("reply"),
    _number("written_at"),
)

snapshots: Final = Table(
    "snapshots",
    metadata,
    _text("table_id", key=True),
    _number("number", key=True),
    _bytes("hash"),
    _bytes("body"),
    info={"carried": False},
)

journal: Final = Table(
    "journal", metadata, _number("number", key=True), _text("kind"), _bytes("body"), _bytes("hash")
)

checkpoints: Final = Table("checkpoints", metadata, _number("number", key=True), _bytes("line"))

tried: Final = Table("tried", metadata, _text("name", key=True), _number("times"), info={"carried": False})
"""A row to write in, to know that writing works; see `storing.try_to_write`."""

leases: Final = Table(
    "leases",
    metadata,
    _text("table_id", key=True),
    _text("owner"),
    _number("epoch"),
    _number("until"),
    info={"carried": False},
)

proposals: Final = Table(
    "proposals",
    metadata,
    Column("id", Text, primary_key=True, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("do", Text, nullable=False),
    Column("fields", Text, nullable=False),
    Column("asked_at", BigInteger, nullable=False),
    Column("stands", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("decided_at", BigInteger, nullable=False),
    Column("stood", Text, nullable=False, server_default=""),
)
"""What one person asked for and a second has to agree to."""

CLIENT_OF_TWO: Final = "two people"
"""Whose keys the requests two people made are asked under; no account can be called that."""
