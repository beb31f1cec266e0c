"""A clock that never goes back, for everything that expires.

The wall clock of a machine is set by people and by the network; it can jump. What has expired must stay
expired, so time here is the machine's running time plus the furthest the wall clock was ever seen ahead of
it. It knows nothing of other machines: what they wrote may be a little ahead, beyond `SKEW` it is not
believed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Final

Now = Callable[[], datetime]
Ticks = Callable[[], float]

SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
SKEW: Final = 5 * MINUTE
"""How far apart the clocks of the house's machines may be."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


def microseconds(moment: datetime) -> int:
    """A moment as the record keeps it.

    >>> microseconds(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    1000000
    """
    return (moment - _EPOCH) // _MICROSECOND


def moment(kept: int) -> datetime:
    """A moment of the record as a datetime.

    >>> moment(1_000_000).isoformat()
    '1970-01-01T00:00:01+00:00'
    """
    return _EPOCH + kept * _MICROSECOND


def span(length: timedelta) -> int:
    """A length of time in microseconds."""
    return length // _MICROSECOND


class MonotonicClock:
    """Microseconds since 1970 by a clock that only goes forward.

    >>> hours = iter((9, 9, 11, 10))
    >>> steady = MonotonicClock(lambda: datetime(2026, 1, 1, next(hours), tzinfo=UTC), ticks=lambda: 0.0)
    >>> [moment(steady()).hour for _ in range(3)]
    [9, 11, 11]
    """

    def __init__(self, now: Now, ticks: Ticks = monotonic) -> None:
        self._now = now
        self._ticks = ticks
        self._lock = Lock()
        wall = microseconds(now())
        self._ahead = wall - round(ticks() * SECOND)

    def __call__(self) -> int:
        # The wall clock is read first: a pause between the two readings must not push time forward.
        wall = microseconds(self._now())
        ticks = round(self._ticks() * SECOND)
        if wall - ticks > self._ahead:
            with self._lock:
                self._ahead = max(self._ahead, wall - ticks)
        return ticks + self._ahead
