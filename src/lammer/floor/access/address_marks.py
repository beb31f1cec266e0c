"""Marks: what stands in the record for an address, or for a name that somebody typed.

The same thing gets the same mark, so attempts can be counted and compared, and no log, export or backup tells
what it was (a password typed where the name goes is typed somewhere else tomorrow). The salt stays in
the database and out of backups; whoever holds the database itself could try all addresses out.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from sqlalchemy import Connection, select, text

from lammer.floor.record.contract import Store
from lammer.floor.record.people import salts

SALT: Final = "marks"
SALT_SIZE: Final = 32
MARK_SIZE: Final = 8


def network(address: str) -> str:
    """Where an attempt comes from. One subscriber has a whole /64 of IPv6, so that counts as one.

    >>> network("192.0.2.7"), network("::ffff:192.0.2.7"), network("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::')
    >>> network("@socket")
    '@socket'
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:100]
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(IPv6Network((int(parsed) >> 64 << 64, 64)).network_address)
    return str(parsed)


class AddressMarks:
    """Makes marks with the house's own salt, drawn at first use and shared by all its processes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._salt: bytes | None = None

    def address(self, address: str) -> str:
        """The mark of an address; none for none."""
        return self.mark("address", network(address)) if address else ""

    def mark(self, *parts: str) -> str:
        if self._salt is None:
            self._salt = self._read_salt() or self._store.write(self._make_salt).result()
        hasher = blake2b(key=self._salt, digest_size=MARK_SIZE)
        for part in parts:
            encoded = part.encode("utf-8", "surrogatepass")
            hasher.update(len(encoded).to_bytes(4) + encoded)
        return hasher.hexdigest()

    def _read_salt(self) -> bytes | None:
        with self._store.reading() as connection:
            return connection.scalar(select(salts.c.salt).where(salts.c.name == SALT))

    def _make_salt(self, connection: Connection) -> bytes:
        statement = text("INSERT INTO salts (name, salt) VALUES (:name, :salt) ON CONFLICT DO NOTHING")
        connection.execute(statement, {"name": SALT, "salt": secrets.token_bytes(SALT_SIZE)})
        salt: bytes = connection.execute(select(salts.c.salt).where(salts.c.name == SALT)).scalar_one()
        return salt
