"""The arithmetic of chains, trees and seals: whatever is changed shows."""

from __future__ import annotations

from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, strategies as st

from lammer.floor.record.chain import (
    BEFORE_ALL,
    Checkpoint,
    SealedCheckpoint,
    TableHead,
    checkpoint,
    first_break,
    from_line,
    genesis,
    link,
    merkle_root,
    problem,
    proof,
    proves,
    seal,
    to_line,
)
from lammer.rulebook.refusal import Refused

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
LEAVES = st.lists(st.binary(max_size=8), min_size=1, max_size=20)


def test_the_encoding_is_this_one_for_ever() -> None:
    """Written out by hand: a change here would make every chain ever written look broken."""
    before = sha256(b"lammer/genesis/1\0" + "虎".encode()).digest()
    assert genesis("虎") == before
    plain = (
        b"lammer/event/1\0"
        + before
        + b"\0\0\0\3"
        + "虎".encode()
        + b"\0\0\0\0\0\0\0\1"
        + b"\0\0\0\0\0\0\0\2{}"
    )
    assert link(before, "虎", 1, b"{}") == sha256(plain).digest()


@given(
    st.lists(
        st.tuples(
            st.binary(max_size=4), st.text("ab", max_size=3), st.integers(0, 300), st.binary(max_size=4)
        )
    )
)
def test_different_events_have_different_hashes(parts: list[tuple[bytes, str, int, bytes]]) -> None:
    given_ = {(p.ljust(32, b"\0"), table, number, body) for p, table, number, body in parts}
    assert len({link(*part) for part in given_}) == len(given_)


@given(st.lists(st.binary(max_size=5), min_size=2, max_size=8), st.data())
def test_a_change_shows_at_the_event_that_was_changed(bodies: list[bytes], data: st.DataObject) -> None:
    events: list[tuple[int, bytes, bytes]] = []
    previous = genesis("t")
    for number, body in enumerate(bodies, start=1):
        previous = link(previous, "t", number, body)
        events.append((number, body, previous))
    assert first_break("t", events) is None
    place = data.draw(st.integers(0, len(events) - 1))
    number, body, hash_ = events[place]
    changed = data.draw(
        st.sampled_from([(number, body + b"x", hash_), (number, body, bytes(32)), (number + 1, body, hash_)])
    )
    assert first_break("t", [*events[:place], changed, *events[place + 1 :]]) == number
    assert first_break("other", events) == 1
    if place:
        left_out = first_break("t", [*events[: place - 1], *events[place:]])
        assert left_out == place


@given(LEAVES)
def test_every_leaf_is_proved_and_no_other(leaves: list[bytes]) -> None:
    root, size = merkle_root(leaves), len(leaves)
    for place, leaf in enumerate(leaves):
        path = proof(leaves, place)
        assert proves(root, leaf, place, size, path)
        assert not proves(root, leaf + b"x", place, size, path)
        assert not proves(root, leaf, place, size, (*path, bytes(32)))
        assert not proves(root, leaf, size, size, path)


def test_the_tree_is_that_of_rfc_6962() -> None:
    """The first values of its well-known test vector."""
    leaves = [b"", b"\x00", b"\x10", b"\x20\x21", b"\x30\x31", b"\x40\x41\x42\x43"]
    roots = {
        1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        6: "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    }
    for size, root in roots.items():
        assert merkle_root(leaves[:size]).hex() == root


def test_a_node_is_no_leaf() -> None:
    leaves = [b"a", b"b"]
    inner = sha256(b"\0a").digest() + sha256(b"\0b").digest()
    assert merkle_root([inner]) != merkle_root(leaves)


def sealed(number: int = 2) -> SealedCheckpoint:
    first = checkpoint(1, 5, {"t1": (1, bytes(32))}, None)
    heads = {"t1": (3, b"1" * 32), "t2": (9, b"2" * 32)}
    return seal(checkpoint(number, 7, heads, first), KEY)


def test_a_seal_covers_everything() -> None:
    good = sealed()
    assert problem(good) is None
    made = good.checkpoint
    other = TableHead("t1", 4, b"1" * 32)
    for changed in (
        Checkpoint(3, made.at, made.heads, made.root, made.previous),
        Checkpoint(2, 8, made.heads, made.root, made.previous),
        Checkpoint(2, made.at, (other, made.heads[1]), made.root, made.previous),
        Checkpoint(2, made.at, made.heads[:1], made.root, made.previous),
        Checkpoint(2, made.at, made.heads[::-1], made.root, made.previous),
        Checkpoint(2, made.at, made.heads, bytes(32), made.previous),
        Checkpoint(2, made.at, made.heads, made.root, BEFORE_ALL),
    ):
        assert problem(SealedCheckpoint(changed, good.key, good.signature)) is not None
    assert problem(SealedCheckpoint(made, good.key, bytes(64))) is not None
    assert problem(
        SealedCheckpoint(made, Ed25519PrivateKey.generate().public_key().public_bytes_raw(), good.signature)
    )
    assert problem(SealedCheckpoint(made, b"short", good.signature))


def test_a_line_comes_back_the_same() -> None:
    assert from_line(to_line(sealed())) == sealed()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"number":2', b'"number":-2'),
        (b'"number":2', b'"number":2.5'),
        (b'"at":7', b'"at":99999999999999999999'),
        (b'"root":"', b'"root":"zz'),
        (b'"root":"', b'"root":"00'),
        (b'"number":2', b'"more":1,"number":2'),
        (b"{", b"["),
        (b'["t1",3', b'["t1",3,4'),
    ],
)
def test_a_line_that_is_none_is_refused(old: bytes, new: bytes) -> None:
    line = to_line(sealed())
    assert old in line
    with pytest.raises(Refused, match="malformed_input"):
        from_line(line.replace(old, new, 1))
