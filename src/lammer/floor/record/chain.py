"""What makes a change to the past show: the chain of a table's events, and signed checkpoints over all.

Every event carries the SHA-256 of its predecessor's hash, its table, its number and its body. A
checkpoint states how far every table had come and with which hash, ties itself to the checkpoint before
it, and is signed. Whoever keeps a checkpoint elsewhere can tell later whether anything before it was
altered or left out. All of it is arithmetic on bytes: no files, no database, no clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused

SIZE: Final = 32
_GENESIS: Final = b"lammer/genesis/1\0"
_EVENT: Final = b"lammer/event/1\0"
_ANSWERED: Final = b"lammer/event/2\0"
_ANSWER: Final = b"lammer/answer/1\0"
_HEAD: Final = b"lammer/head/1\0"
_CHECKPOINT: Final = b"lammer/checkpoint/1\0"
_SIGNATURE: Final = b"lammer/signature/1\0"
_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def genesis(table: str) -> bytes:
    """The hash a table has before its first event.

    >>> genesis("t1").hex()[:16], genesis("t2").hex()[:16]
    ('5e382baf303d80af', 'd0060994cb4c51d6')
    """
    return sha256(_GENESIS + table.encode()).digest()


def answer(client: str, key: str, digest: bytes, first: int, reply: bytes) -> bytes:
    """The digest of a kept answer: who asked under which key for what, since which event, and the reply.

    >>> answer("p1", "k", bytes(32), 1, b"{}") == answer("p", "1k", bytes(32), 1, b"{}")
    False
    """
    who, named = client.encode(), key.encode()
    return sha256(
        b"".join(
            (
                _ANSWER,
                len(who).to_bytes(4, "big"),
                who,
                len(named).to_bytes(4, "big"),
                named,
                digest,
                first.to_bytes(8, "big"),
                reply,
            )
        )
    ).digest()


def link(previous: bytes, table: str, number: int, body: bytes, answered: bytes | None = None) -> bytes:
    """The hash of an event. Lengths stand before what varies, so that no two events hash the same bytes.

    With the digest of the answer that was given with it, if one was kept: an answer may be forgotten, and the
    event still says which one it was.

    >>> first = link(genesis("t1"), "t1", 1, b"{}")
    >>> first == link(genesis("t1"), "t1", 1, b"{} ")
    False
    >>> link(genesis("t"), "t", 1, b"1{}") == link(genesis("t"), "t1", 1, b"{}")
    False
    """
    name = table.encode()
    return sha256(
        b"".join(
            (
                _EVENT if answered is None else _ANSWERED,
                b"" if answered is None else answered,
                previous,
                len(name).to_bytes(4, "big"),
                name,
                number.to_bytes(8, "big"),
                len(body).to_bytes(8, "big"),
                body,
            )
        )
    ).digest()


StatedEvent = tuple[int, bytes, bytes] | tuple[int, bytes, bytes, bytes | None]
"""An event as it lies somewhere: number, body, hash, and the digest of its answer where one was kept."""


def follows(previous: bytes, table: str, number: int, stated: StatedEvent) -> bool:
    """Whether an event (number, body, hash) is the one of that number, after the one with that hash.

    >>> one = link(genesis("t1"), "t1", 1, b"a")
    >>> follows(genesis("t1"), "t1", 1, (1, b"a", one)), follows(genesis("t1"), "t1", 1, (2, b"a", one))
    (True, False)
    """
    known, body, hash_ = stated[:3]
    answered = stated[3] if len(stated) == 4 else None
    return known == number and link(previous, table, number, body, answered) == hash_


def first_break(
    table: str, events: Iterable[StatedEvent], *, after: int = 0, head: bytes | None = None
) -> int | None:
    """The number of the first event (number, body, hash) that does not follow from those before it.

    >>> one = link(genesis("t1"), "t1", 1, b"a")
    >>> two = link(one, "t1", 2, b"b")
    >>> first_break("t1", [(1, b"a", one), (2, b"b", two)])
    >>> first_break("t1", [(1, b"a", one), (2, b"B", two)])
    2
    >>> first_break("t1", [(2, b"b", two)], after=1, head=one)
    """
    previous = genesis(table) if head is None else head
    number = after
    for stated in events:
        number += 1
        if not follows(previous, table, number, stated):
            return number
        previous = stated[2]
    return None


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """The root over any number of leaves, as RFC 6962 has it.

    >>> merkle_root([]).hex()[:8], merkle_root([b""]).hex()[:8]
    ('e3b0c442', '6e340b9c')
    """
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(_LEAF + leaves[0]).digest()
    middle = _split(len(leaves))
    return sha256(_NODE + merkle_root(leaves[:middle]) + merkle_root(leaves[middle:])).digest()


def proof(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The hashes that lead from one leaf to the root, nearest first.

    >>> leaves = [b"a", b"b", b"c"]
    >>> proves(merkle_root(leaves), b"c", 2, 3, proof(leaves, 2))
    True
    """
    assert 0 <= index < len(leaves), f"no leaf {index} among {len(leaves)}"
    if len(leaves) == 1:
        return ()
    middle = _split(len(leaves))
    if index < middle:
        return (*proof(leaves[:middle], index), merkle_root(leaves[middle:]))
    return (*proof(leaves[middle:], index - middle), merkle_root(leaves[:middle]))


def proves(root: bytes, leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bool:
    """Whether the path shows that this leaf stands in this place among `size` leaves under that root.

    >>> leaves = [b"a", b"b", b"c"]
    >>> proves(merkle_root(leaves), b"a", 1, 3, proof(leaves, 1))
    False
    """
    if not 0 <= index < size:
        return False
    turns = []
    while size > 1:
        middle = _split(size)
        right = index >= middle
        turns.append(right)
        index, size = (index - middle, size - middle) if right else (index, middle)
    if len(path) != len(turns):
        return False
    node = sha256(_LEAF + leaf).digest()
    for step, right in zip(path, reversed(turns), strict=True):
        node = sha256(_NODE + (step + node if right else node + step)).digest()
    return node == root


def _split(size: int) -> int:
    """The largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


@dataclass(frozen=True, slots=True, order=True)
class TableHead:
    """How far a table had come: the number of its last event, and that event's hash."""

    table: str
    version: int
    hash: bytes

    def leaf(self) -> bytes:
        name = self.table.encode()
        return _HEAD + len(name).to_bytes(4, "big") + name + self.version.to_bytes(8, "big") + self.hash


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of all chains at one moment; `at` in microseconds since 1970, UTC."""

    number: int
    at: int
    heads: tuple[TableHead, ...]
    root: bytes
    previous: bytes

    @property
    def hash(self) -> bytes:
        return sha256(
            _CHECKPOINT
            + self.number.to_bytes(8, "big")
            + self.at.to_bytes(8, "big")
            + len(self.heads).to_bytes(8, "big")
            + self.root
            + self.previous
        ).digest()


@dataclass(frozen=True, slots=True)
class SealedCheckpoint:
    """A checkpoint with its signature and the public key that checks it (both raw bytes)."""

    checkpoint: Checkpoint
    key: bytes
    signature: bytes


BEFORE_ALL: Final = sha256(_CHECKPOINT).digest()
"""What the first checkpoint names as its predecessor."""


def checkpoint(
    number: int, at: int, heads: Mapping[str, tuple[int, bytes]], previous: Checkpoint | None
) -> Checkpoint:
    """The checkpoint over these heads (version and hash by table).

    >>> one = checkpoint(1, 0, {"t2": (0, genesis("t2")), "t1": (0, genesis("t1"))}, None)
    >>> [head.table for head in one.heads], one.previous == BEFORE_ALL
    (['t1', 't2'], True)
    """
    ordered = tuple(sorted(TableHead(table, *head) for table, head in heads.items()))
    root = merkle_root([head.leaf() for head in ordered])
    return Checkpoint(number, at, ordered, root, BEFORE_ALL if previous is None else previous.hash)


def seal(unsigned: Checkpoint, key: Ed25519PrivateKey) -> SealedCheckpoint:
    """Sign a checkpoint.

    >>> key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    >>> sealed = seal(checkpoint(1, 0, {}, None), key)
    >>> problem(sealed), problem(SealedCheckpoint(checkpoint(1, 1, {}, None), sealed.key, sealed.signature))
    (None, 'its signature is not of this key and these contents')
    """
    return SealedCheckpoint(
        unsigned, key.public_key().public_bytes_raw(), key.sign(_SIGNATURE + unsigned.hash)
    )


def problem(sealed: SealedCheckpoint) -> Phrase | None:
    """What is wrong with a checkpoint taken by itself: its heads against its root, then its signature."""
    contents = sealed.checkpoint
    heads = contents.heads
    if heads != tuple(sorted(heads)) or len({head.table for head in heads}) != len(heads):
        return Phrase("its tables are not in order")
    if merkle_root([head.leaf() for head in heads]) != contents.root:
        return Phrase("its root is not that of its tables")
    try:
        Ed25519PublicKey.from_public_bytes(sealed.key).verify(sealed.signature, _SIGNATURE + contents.hash)
    except (InvalidSignature, ValueError):
        return Phrase("its signature is not of this key and these contents")
    return None


def to_line(sealed: SealedCheckpoint) -> bytes:
    """One line of a checkpoint file, without the line's end.

    >>> sealed = seal(checkpoint(1, 0, {"t1": (0, genesis("t1"))}, None), Ed25519PrivateKey.generate())
    >>> from_line(to_line(sealed)) == sealed
    True
    """
    contents = sealed.checkpoint
    return msgspec.json.encode(
        {
            "number": contents.number,
            "at": contents.at,
            "heads": [[head.table, head.version, head.hash.hex()] for head in contents.heads],
            "root": contents.root.hex(),
            "previous": contents.previous.hex(),
            "key": sealed.key.hex(),
            "signature": sealed.signature.hex(),
        }
    )


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    number: int
    at: int
    heads: list[tuple[str, int, str]]
    root: str
    previous: str
    key: str
    signature: str


def from_line(line: bytes) -> SealedCheckpoint:
    """A line of a checkpoint file read back; anything else is `malformed_input`."""
    try:
        parsed = msgspec.json.decode(line, type=_Line)
        heads = tuple(
            TableHead(table, version, bytes.fromhex(hash_)) for table, version, hash_ in parsed.heads
        )
        root, previous, key, signature = map(
            bytes.fromhex, (parsed.root, parsed.previous, parsed.key, parsed.signature)
        )
        numbers = (parsed.number, parsed.at, *(head.version for head in heads))
        if not all(0 <= number < 1 << 63 for number in numbers):
            raise ValueError("a number is out of range")
        if any(len(value) != SIZE for value in (root, previous, *(head.hash for head in heads))):
            raise ValueError("a hash has 32 bytes")
    except (msgspec.MsgspecError, ValueError) as error:
        raise Refused("malformed_input", "This is not a checkpoint: {error}.", error=error) from None
    return SealedCheckpoint(Checkpoint(parsed.number, parsed.at, heads, root, previous), key, signature)
