"""Which keys the record may know, so that such a request is looked up there before anything is decided.

Where this process alone writes the record, everything in it is marked here: what is not marked is not there.
Where others write too, any key may be there and all are looked up. A mark may stand for several keys; that
costs a look into the record and nothing else.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import select

from lammer.floor.record.contract import Key, Store
from lammer.floor.record.schema import replies

FIRST: Final = 1 << 21
"""Bits of the first filter; each further one has four times as many."""
BITS_A_KEY: Final = 24
"""With two places marked and so many bits a key, fewer than one in a hundred others seems to be there."""
HALF_BITS: Final = 32
"""A mark has two places in it, each as many bits long: enough for half a gigabyte of marks."""
PAGE: Final = 5_000


class KeyMarks:
    """Marks for any number of keys in little room: one that was not put hardly ever seems to be there."""

    def __init__(self) -> None:
        self._filters = [bytearray(FIRST // 8)]
        self._room = FIRST // BITS_A_KEY

    def put(self, mark: int) -> None:
        if not self._room:
            size = 4 * len(self._filters[-1])
            self._filters.append(bytearray(size))
            self._room = 8 * size // BITS_A_KEY
        self._room -= 1
        bits = self._filters[-1]
        last = 8 * len(bits) - 1
        one, other = mark & last, mark >> HALF_BITS & last
        bits[one >> 3] |= 1 << (one & 7)
        bits[other >> 3] |= 1 << (other & 7)

    def __contains__(self, mark: int) -> bool:
        for bits in self._filters:
            last = 8 * len(bits) - 1
            one, other = mark & last, mark >> HALF_BITS & last
            if bits[one >> 3] >> (one & 7) & 1 and bits[other >> 3] >> (other & 7) & 1:
                return True
        return False


class RecentKeys:
    """The keys of the record as far as this process needs to know them.

    >>> known = RecentKeys(alone=True); known.before = KeyMarks()
    >>> known.add(Key("anna", "k1", bytes(32)))
    >>> [known.may_be_there(Key("anna", name, bytes(32))) for name in ("k1", "k2")]
    [True, False]
    >>> RecentKeys(alone=False).may_be_there(Key("anna", "k2", bytes(32)))
    True
    """

    def __init__(self, *, alone: bool) -> None:
        self.alone = alone
        self.before: KeyMarks | None = None
        """What was in the record when this process began; None until that is read."""
        self._asked = KeyMarks()

    def add(self, key: Key) -> None:
        """A request under this key is on its way to the record."""
        self._asked.put(mark_of(key.client, key.key))

    def was_asked_here(self, key: Key) -> bool:
        """Whether this process may have handed such a request in: its answer may still be on its way."""
        return mark_of(key.client, key.key) in self._asked

    def may_be_there(self, key: Key) -> bool:
        """Whether the record has to be asked before a request under this key is decided."""
        if not self.alone or self.before is None:
            return True
        mark = mark_of(key.client, key.key)
        return mark in self.before or mark in self._asked


def marks_of(store: Store) -> KeyMarks:
    """Marks for every key of the record. Blocks: for a worker thread."""
    marks = KeyMarks()
    query = select(replies.c.client, replies.c.key).execution_options(yield_per=PAGE)
    with store.reading() as connection:
        for client, key in connection.execute(query):
            marks.put(mark_of(client, key))
    return marks


def mark_of(client: str, key: str) -> int:
    """Where a key is marked. Marks live in one process alone, so Python's own hash will do; nobody outside
    can foresee it.
    """
    return hash((client, key))
