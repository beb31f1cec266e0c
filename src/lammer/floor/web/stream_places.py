"""How many live streams there may be: by session or key, by address, and in all.

A stream costs memory and an open file for as long as somebody reads. One reader with a thousand of them must
not keep the dealer out: so each session has its share and each address has, and of the whole the last tenth
is for staff and devices. Whoever gets a place hands it back; nothing here waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from lammer.rulebook.refusal import Refused

KEPT: Final = 10
"""One place in so many is kept for staff and devices."""
COME_BACK_SECONDS: Final = 5
"""Seconds after which one may ask again."""


class TooManyStreams(Refused):
    """Not one more; `seconds` is when to ask again."""

    def __init__(self, whose: str, most: int) -> None:
        super().__init__(
            "too_many_streams",
            "{whose} has {most} live streams open already.",
            next_step="Close some, or try again in a moment.",
            whose=whose,
            most=most,
        )
        self.seconds = COME_BACK_SECONDS


@dataclass(slots=True)
class Places:
    """The places there are, and who has them. An event loop's own: no lock is needed."""

    by_session: int = 20
    by_address: int = 200
    most: int = 10_000
    sessions: Counter[str] = field(default_factory=Counter)
    addresses: Counter[str] = field(default_factory=Counter)
    taken: int = 0

    def take(self, credential: str, address: str, *, staff: bool) -> Callable[[], None]:
        """A place, or why not. Staff and devices have theirs whatever others at their address do.

        What comes back gives the place back, however often it is called.

        >>> places = Places(by_session=1)
        >>> leave = places.take("s1", "192.0.2.1", staff=False)
        >>> places.take("s1", "192.0.2.1", staff=False)
        Traceback (most recent call last):
        lammer.floor.web.stream_places.TooManyStreams: Refused too_many_streams: This session ...
        >>> leave(); leave(); places.taken
        0
        """
        if self.sessions[credential] >= self.by_session:
            raise TooManyStreams("This session", self.by_session)
        if not staff and self.addresses[address] >= self.by_address:
            raise TooManyStreams("This address", self.by_address)
        if self.taken >= (self.most if staff else self.most - self.most // KEPT):
            raise TooManyStreams("The house", self.taken)
        self.taken += 1
        self.sessions[credential] += 1
        if not staff:
            self.addresses[address] += 1
        place = ExitStack()
        place.callback(self._give_back, credential, None if staff else address)
        return place.close

    def _give_back(self, credential: str, address: str | None) -> None:
        self.taken -= 1
        _decrement(self.sessions, credential)
        if address is not None:
            _decrement(self.addresses, address)


def _decrement(counts: Counter[str], name: str) -> None:
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]
