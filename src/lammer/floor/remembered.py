"""Keys answered lately, so that a repeated request is looked up in the record and not decided again.

This is for speed alone. A key nobody here remembers is still known to the record, which then takes nothing
and gives the first answer; but the table has decided in vain and has to be read back. So whoever repeats an
old key has all his keys looked up first from then on. What is remembered never grows beyond its bounds.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from lammer.floor.store.contract import Key

MOST: Final = 200_000
MOST_CLIENTS: Final = 10_000


class Remembered:
    """The keys of one process, over all its tables.

    >>> lately = Remembered(most=4)
    >>> for name in ("k1", "k2", "k3", "k4", "k5"): lately.add(Key("anna", name, bytes(32)))
    >>> [lately.doubts(Key("anna", name, bytes(32))) for name in ("k1", "k2", "k3", "k4", "k5")]
    [False, False, True, True, True]
    >>> lately.repeats("anna"); lately.doubts(Key("anna", "k1", bytes(32)))
    True
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        # Only a hash of each: two keys with the same one cost a look into the record and nothing else.
        self._new: set[int] = set()
        self._old: set[int] = set()
        self._repeaters: OrderedDict[str, None] = OrderedDict()

    def add(self, key: Key) -> None:
        """A request under this key was decided."""
        if len(self._new) >= self.most // 2:
            self._old, self._new = self._new, set()
        self._new.add(hash((key.client, key.key)))

    def doubts(self, key: Key) -> bool:
        """Whether the record has to be asked before a request under this key is decided."""
        mark = hash((key.client, key.key))
        return mark in self._new or mark in self._old or key.client in self._repeaters

    def repeats(self, client: str) -> None:
        """This client repeated a key nobody remembered."""
        self._repeaters[client] = None
        self._repeaters.move_to_end(client)
        if len(self._repeaters) > MOST_CLIENTS:
            self._repeaters.popitem(last=False)

    def __len__(self) -> int:
        return len(self._new) + len(self._old)
