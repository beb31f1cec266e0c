"""What people and machines carry to be let in: made once, shown once, kept only as its SHA-256.

`Recent` stands before the database on the hot path: what was looked up within the last second is believed,
so a revocation in another process counts everywhere a second later.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from time import monotonic
from typing import Final, Generic, TypeVar

from lammer.floor.record.monotonic_clock import Ticks

K = TypeVar("K")
T = TypeVar("T")

LONGEST: Final = 200
FRESH_SECONDS: Final = 1.0
MOST_REMEMBERED: Final = 20_000


def new_token() -> str:
    """256 bits from the operating system, fit for a URL, a cookie or a header."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """A name for something that carries a secret, to list and to revoke it by; no secret itself."""
    return secrets.token_hex(8)


def digest(token: str) -> bytes | None:
    """What is kept of a token; None for what nobody here can have made.

    >>> digest("rubbish\\x00"), digest(""), digest("x" * 1000)
    (None, None, None)
    >>> len(digest(new_token()))
    32
    """
    if not (0 < len(token) <= LONGEST and token.isascii() and token.isprintable()):
        return None
    return sha256(token.encode()).digest()


class Recent(Generic[K, T]):
    """What was read from the database a moment ago, by digest or name; never more than `most`."""

    def __init__(self, ticks: Ticks = monotonic, most: int = MOST_REMEMBERED) -> None:
        self._ticks = ticks
        self._most = most
        self._kept: dict[K, tuple[float, T]] = {}
        self._turn = 0

    def get(self, key: K) -> T | None:
        kept = self._kept.get(key)
        if kept is None or not 0 <= self._ticks() - kept[0] < FRESH_SECONDS:
            return None
        return kept[1]

    def begin(self) -> tuple[int, float]:
        """To be called before the database is read, and handed to `put` with what was found."""
        return self._turn, self._ticks()

    def put(self, key: K, value: T, begun: tuple[int, float]) -> None:
        """Remember, unless something was dropped since: what was read may be just that."""
        turn, at = begun
        self._kept.pop(key, None)
        if turn != self._turn:
            return
        while len(self._kept) >= self._most:
            self._kept.pop(next(iter(self._kept), key), None)
        self._kept[key] = (at, value)

    def drop(self, key: K) -> None:
        self._turn += 1
        self._kept.pop(key, None)

    def drop_where(self, matches: Callable[[T], bool]) -> None:
        self._turn += 1
        for key, (_, value) in tuple(self._kept.items()):
            if matches(value):
                self._kept.pop(key, None)
