"""Rounds of a public beacon in drand's form: what a chain signs, with which key, and what its name binds.

A chain is called by a hash over its key, its start and its pace: whoever knows its name knows its key. Each
round is one BLS signature on the curve BLS12-381; nobody, not even one of those who make it together, knows
it before. A chained scheme signs the round before with it, on the curve's second group; an unchained one the
number alone, on the first group (quicknet) or the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from lammer.transparency.notes import Unreadable

CHAINED: Final = "pedersen-bls-chained"
UNCHAINED: Final = "pedersen-bls-unchained"
QUICKNET: Final = "bls-unchained-g1-rfc9380"
SCHEMES: Final = (QUICKNET, CHAINED, UNCHAINED)
DEFAULT: Final = ("", "default")
"""What a network that has but one chain calls it; then the name is no part of the hash."""
_TO_FIRST: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_TO_SECOND: Final = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"
# The generators of the two groups, as RFC 9380 and every library of the curve has them.
_FIRST: Final = bytes.fromhex(
    "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"
)
_SECOND: Final = bytes.fromhex(
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
_NOTHING: Final = 0xC0
"""How a point begins that is the group's zero, which nobody's key or signature is."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of a beacon as it tells of itself; `hash` is what it is called by, and binds the rest.

    >>> Chain("bls-unchained-g1-rfc9380", bytes(96), 1_000, 3, bytes(32), "own").round_after(1_006.5)
    4
    """

    scheme: str
    key: bytes
    genesis: int
    period: int
    group: bytes
    name: str = ""

    @property
    def hash(self) -> str:
        told = self.period.to_bytes(4, "big") + self.genesis.to_bytes(8, "big") + self.key + self.group
        return sha256(told + (b"" if self.name in DEFAULT else self.name.encode())).hexdigest()

    def round_after(self, moment: float) -> int:
        """The first round that is due after a Unix time."""
        return max(1, int((moment - self.genesis) // self.period) + 2)


def signed_message(scheme: str, number: int, previous: bytes) -> bytes:
    """What a chain signs of a round."""
    if scheme not in SCHEMES:
        raise Unreadable(f"nobody here knows how {scheme} signs")
    return sha256((previous if scheme == CHAINED else b"") + number.to_bytes(8, "big")).digest()


def signed_by_chain(scheme: str, key: bytes, number: int, signature: bytes, previous: bytes = b"") -> bool:
    """Whether this signature is that of the round of this number under the key of a chain.

    >>> signed_by_chain(QUICKNET, bytes(96), 1, bytes(48))
    False
    """
    import pyblst  # noqa: PLC0415 (only whoever has a beacon needs it)

    message = signed_message(scheme, number, previous)
    first: Any = pyblst.BlstP1Element
    second: Any = pyblst.BlstP2Element
    if not key or not signature or _NOTHING in (key[0], signature[0]):
        return False
    try:
        if scheme == QUICKNET:
            told = pyblst.miller_loop(first.uncompress(signature), second.uncompress(_SECOND))
            asked = pyblst.miller_loop(first.hash_to_group(message, _TO_FIRST), second.uncompress(key))
        else:
            told = pyblst.miller_loop(first.uncompress(_FIRST), second.uncompress(signature))
            asked = pyblst.miller_loop(first.uncompress(key), second.hash_to_group(message, _TO_SECOND))
    except ValueError:
        return False
    return bool(pyblst.final_verify(told, asked))
