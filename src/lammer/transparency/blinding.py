"""What stands in a log for an entry that may still be secret: a commitment only its key opens.

The key of an entry is derived from a secret that is in no database, and is told when the entry may be known.
Before that nobody can try what the entry might say, however few things it could be: not with the log, nor
with what is recorded elsewhere. One key opens one entry and says nothing of any other.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

SECRET_BYTES: Final = 32
_BLOCK_BYTES: Final = 64
"""What SHA-256 takes at once; HMAC fills a key up to it."""
_KEY: Final = b"lammer/log/key/1\0"
_ENTRY: Final = b"lammer/log/entry/1\0"


def secret_name(secret: bytes) -> str:
    """What a secret is called where it must not be told.

    >>> secret_name(bytes(32))
    '9f2bcbbc2bad9869'
    """
    return sha256(b"lammer/log/secret/1\0" + secret).hexdigest()[:16]


def entry_key(secret: bytes, source: str, number: int) -> bytes:
    """The key of one entry.

    >>> entry_key(bytes(32), "t1", 1) == entry_key(bytes(32), "t1", 2)
    False
    """
    name = source.encode()
    return hmac.digest(
        secret, b"%b%b%b%b" % (_KEY, len(name).to_bytes(4, "big"), name, number.to_bytes(8, "big")), "sha256"
    )


def commitment(key: bytes, source: str, number: int, body: bytes) -> bytes:
    """What the log has of an entry. Lengths stand before what varies: no two entries hash the same bytes.

    >>> commitment(bytes(32), "t1", 1, b"{}") == commitment(bytes(32), "t", 1, b"{}")
    False
    """
    name = source.encode()
    return sha256(
        b"%b%b%b%b%b%b%b"
        % (
            _ENTRY,
            key,
            len(name).to_bytes(4, "big"),
            name,
            number.to_bytes(8, "big"),
            len(body).to_bytes(8, "big"),
            body,
        )
    ).digest()


class Blinder:
    """The commitments of one source under one secret, for whoever makes many of them.

    What is the same in all of them is put together once, and HMAC is taken apart: a third of the time.

    >>> blinder = Blinder(bytes(32), "t1")
    >>> blinder.commitment(7, b"{}") == commitment(entry_key(bytes(32), "t1", 7), "t1", 7, b"{}")
    True
    """

    __slots__ = ("_inner", "_name", "_outer")

    def __init__(self, secret: bytes, source: str) -> None:
        assert len(secret) <= _BLOCK_BYTES, "a longer one HMAC hashes first"
        name = source.encode()
        self._name = len(name).to_bytes(4, "big") + name
        padded = secret.ljust(_BLOCK_BYTES, b"\0")
        self._inner = bytes(byte ^ 0x36 for byte in padded) + _KEY + self._name
        self._outer = bytes(byte ^ 0x5C for byte in padded)

    def commitment(self, number: int, body: bytes) -> bytes:
        """What the log has of the entry of this number."""
        return self.commitments(number, (body,))[0]

    def commitments(self, first: int, bodies: Iterable[bytes]) -> list[bytes]:
        """The same of entries that follow each other."""
        inner, outer, name = self._inner, self._outer, self._name
        made = []
        for number, body in enumerate(bodies, first):
            written = number.to_bytes(8, "big")
            key = sha256(outer + sha256(inner + written).digest()).digest()
            parts = _ENTRY, key, name, written, len(body).to_bytes(8, "big"), body
            made.append(sha256(b"".join(parts)).digest())
        return made
