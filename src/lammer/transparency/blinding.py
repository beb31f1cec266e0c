"""What stands in a log for an entry that may still be secret: a commitment only its key opens.

The key of an entry is derived from a secret that is in no database, and is told when the entry may be known.
Before that nobody can try what the entry might say, however few things it could be: not with the log, nor
with what is recorded elsewhere. One key opens one entry and says nothing of any other.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

SECRET_BYTES: Final = 32
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
