"""Rounds of public beacons: real ones of drand hold, and nothing else does.

Chains and rounds are those of drand's networks quicknet (unchained, RFC 9380) and default (chained), as they
are published at /info and /public/ROUND of each.
"""

from __future__ import annotations

import pytest

from lammer.transparency.beacons import CHAINED, QUICKNET, SCHEMES, Chain, signed_by_chain
from lammer.transparency.notes import Unreadable
from support.own_beacon import OwnBeacon

QUICK = Chain(
    QUICKNET,
    bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    1692803367,
    3,
    bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"),
    "quicknet",
)
FIRST = Chain(
    CHAINED,
    bytes.fromhex(
        "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31"
    ),
    1595431050,
    30,
    bytes.fromhex("176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a"),
    "default",
)
ROUNDS = {
    "quicknet 1000": (
        QUICK,
        1000,
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
        "",
    ),
    "default 2098475": (
        FIRST,
        2098475,
        "84bcb438f4505ef5282804c3d98a76b536970f9755004ea103fc15183c1b314a1e95582cb4dbaf3330272c72fe5675550ac6"
        "718ef53dfe18fca65c37f223a7dfbc1920a9c32dbf01a227290293a67fa4682dd266f717f5078829d83912926649",
        "b49ee4089fc510300b38d75ebba84576097bed61c171574acf2557f636c7144b471b57e18e5b0c3f8774e194344931c01187"
        "3149d0db51fc70d22448bfc264d230be7ed6fcd3eb3b61fdc877d657dfa0d8ecaea6c1fa35f90bc84e88c1af17d4",
    ),
}


def test_chains_are_called_by_what_they_are() -> None:
    assert QUICK.hash == "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    assert FIRST.hash == "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"


@pytest.mark.parametrize("name", ROUNDS)
def test_real_rounds_hold_and_no_others(name: str) -> None:
    chain, number, written, before = ROUNDS[name]
    signature, previous = bytes.fromhex(written), bytes.fromhex(before)
    assert signed_by_chain(chain.scheme, chain.key, number, signature, previous)
    assert not signed_by_chain(chain.scheme, chain.key, number + 1, signature, previous)
    for place in (0, 1, 20, len(signature) - 1):
        changed = bytearray(signature)
        changed[place] ^= 1
        assert not signed_by_chain(chain.scheme, chain.key, number, bytes(changed), previous)
    if previous:
        assert not signed_by_chain(chain.scheme, chain.key, number, signature, previous[:-1] + b"\0")
    # The zero of the group would fit a key that is zero.
    zero = b"\xc0" + bytes(len(signature) - 1)
    assert not signed_by_chain(chain.scheme, b"\xc0" + bytes(len(chain.key) - 1), number, zero, previous)
    assert not signed_by_chain(chain.scheme, chain.key, number, b"", previous)
    with pytest.raises(Unreadable):
        signed_by_chain("a scheme of their own", chain.key, number, signature, previous)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_beacon_of_our_own_signs_alike(scheme: str) -> None:
    own = OwnBeacon(genesis=1_000, scheme=scheme)
    key, signature = own.chain.key, own.signature(7)
    assert signed_by_chain(scheme, key, 7, signature, own.previous(7))
    assert not signed_by_chain(scheme, key, 8, signature, own.previous(8))
    other = OwnBeacon(genesis=1_000, scheme=scheme, secret=99)
    assert not signed_by_chain(scheme, other.chain.key, 7, signature, own.previous(7))


def test_the_round_after_a_moment_has_not_come_then() -> None:
    for moment in (0.0, 999.0, 1_000.0, 1_002.9, 1_003.0, 5_000.5):
        chain = Chain(QUICKNET, b"", 1_000, 3, b"")
        number = chain.round_after(moment)
        due = 1_000 + (number - 1) * 3
        assert due > moment
        assert number == 1 or due - 3 <= moment
