"""What a shared shuffle is made of (the house's entropy, what players added, a beacon) and how it is mixed.

`transcript` writes all of it down, each part with its length before it, and SHAKE256 stretches that to the
bytes a shuffle reads. The same parts always give the same order, and nobody who lacks one of them can tell
anything about it. Where the parts come from, when, and who checks a beacon's signature is not known here;
docs/concepts/shuffle.md says byte by byte what is hashed, for those who check it without this code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from lammer.table.records import BeaconRound, ShufflePart

HOUSE_BYTES: Final = 64
"""The bytes the house commits itself to: as many as SHAKE256 can keep apart."""
LONGEST_PART: Final = 200
"""Characters a player may add."""
VERSION: Final = "lammer shuffle 1"


def house_commitment(entropy: str) -> str:
    """The SHA-256 that binds the house to its entropy (hexadecimal) before anybody adds to it.

    >>> house_commitment("00" * 64)[:16]
    'f5a5fd42d16a2030'
    """
    return hashlib.sha256(bytes.fromhex(entropy)).hexdigest()


def transcript(
    shoe: int, decks: int, entropy: str, parts: Iterable[ShufflePart], beacon: BeaconRound | None
) -> bytes:
    """Everything a shuffle is made of: each field behind its length, eight bytes with the highest first.

    >>> transcript(3, 8, "00ff", [ShufflePart(5, "seven")], None)[:24]
    b'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x10lammer shuffle 1'
    """
    fields = [VERSION.encode(), b"%d" % shoe, b"%d" % decks, bytes.fromhex(entropy)]
    for part in parts:
        fields += [b"part", b"%d" % part.box, part.entropy.encode()]
    if beacon is not None:
        fields += [
            b"beacon",
            bytes.fromhex(beacon.chain),
            b"%d" % beacon.round,
            bytes.fromhex(beacon.signature),
        ]
    return b"".join(len(written).to_bytes(8, "big") + written for written in fields)


def mix(
    size: int, shoe: int, decks: int, entropy: str, parts: Iterable[ShufflePart], beacon: BeaconRound | None
) -> bytes:
    """So many bytes for a shuffle, made of all its parts by SHAKE256.

    >>> alone, together = (mix(4, 1, 8, "00" * 64, parts, None) for parts in ([], [ShufflePart(1, "x")]))
    >>> alone == together
    False
    """
    return hashlib.shake_256(transcript(shoe, decks, entropy, parts, beacon)).digest(size)
