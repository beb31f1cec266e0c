"""The clocks of a house, and what is done when they disagree.

The time of day comes from the machine, and machines are set wrong: by hand, by a battery, by the network. So
the wall clock is believed only as long as it goes with the steady one. If it leaves it, the house goes on by
the steady clock and says so until a person has looked and started it again. At a start, when there is no
steady clock to compare with, the record's latest time takes its place.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from lammer.floor.record.chain import from_line
from lammer.floor.record.contract import Record
from lammer.floor.record.monotonic_clock import Now, Ticks, moment, utc_now
from lammer.rulebook.refusal import Refused

FURTHEST_SECONDS: Final = 60.0
"""How far the wall clock may leave the steady one before it is no longer believed."""
LOOK_SECONDS: Final = 10.0
"""Seconds between two looks at the clock where nobody asks for the time."""

log = logging.getLogger("lammer.floor")


@dataclass(frozen=True, slots=True)
class Jump:
    """The wall clock said one thing when the steady one said another."""

    expected: datetime
    found: datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of day for the record, and a steady one for what lasts; tests hand in their own.

    `jumped` says whether the time of day was found to be wrong since the start; where nobody watches, never.
    """

    now: Now = utc_now
    steady: Ticks = time.monotonic
    jumped: Callable[[], Jump | None] = lambda: None


class WatchedClock:
    """A wall clock held against a steady one: once it has left it, the steady one alone tells the time.

    >>> from itertools import count
    >>> hours, seconds = iter((9, 9, 17, 9)), count()
    >>> clock = Clock(lambda: datetime(2026, 1, 1, next(hours), tzinfo=UTC), lambda: next(seconds))
    >>> watched = WatchedClock(clock)
    >>> watched.now().hour, watched.jump is None
    (9, True)
    >>> watched.now().hour, watched.jump.found.hour, watched.now().second
    (9, 17, 3)
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall, self._steady = clock.now(), clock.steady()
        self._began = self._wall.timestamp() - self._steady
        self.jump: Jump | None = None

    @property
    def clock(self) -> Clock:
        """The same, as the house uses it."""
        return Clock(self.now, self._clock.steady, lambda: self.jump)

    def now(self) -> datetime:
        """The time of day."""
        steady = self._clock.steady()
        if self.jump is not None:
            return self._expected(steady)
        wall = self._clock.now()
        if abs(wall.timestamp() - steady - self._began) <= FURTHEST_SECONDS:
            return wall
        expected = self._expected(steady)
        self.jump = Jump(expected, wall)
        log.error(
            "the clock jumped: it says %s and should say %s; the house goes on by its steady clock. Set the"
            " machine's clock right and start the house again",
            wall.isoformat(),
            expected.isoformat(),
        )
        return expected

    def _expected(self, steady: float) -> datetime:
        return self._wall + timedelta(seconds=steady - self._steady)


async def keep_watching(clock: Clock) -> None:
    """Look at the clock now and then, also where nobody asks for the time, until cancelled."""
    while True:
        clock.now()
        await asyncio.sleep(LOOK_SECONDS)


class _Dated(msgspec.Struct):
    at: datetime


def time_of(record: Record, table: str, number: int) -> datetime | None:
    """When an event happened; None if there is none or it cannot be read, which is told elsewhere."""
    for stored in record.read(table, number - 1, 1):
        try:
            at = msgspec.json.decode(stored.body, type=_Dated).at
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    return None


def times_of(record: Record, numbers: Mapping[str, int]) -> list[datetime]:
    """When one event of each of these tables happened, as far as that can be read."""
    times = (time_of(record, table, number) for table, number in numbers.items())
    return [at for at in times if at is not None]


def latest_time(record: Record) -> datetime | None:
    """The latest time the record tells of: of the last event of every table, and of the last checkpoint."""
    times = times_of(record, {table: head.number for table, head in record.heads().items()})
    line = record.latest_checkpoint()
    if line is not None:
        times.append(moment(from_line(line).checkpoint.at))
    return max(times, default=None)


def must_be_right(record: Record, now: datetime, behind: timedelta, ahead: timedelta) -> None:
    """Refuse a clock so far before or after the record's latest time; a length of 0 is not looked at."""
    latest = latest_time(record)
    if latest is None:
        return
    back, on = latest - now, now - latest
    if not ((behind and back > behind) or (ahead and on > ahead)):
        return
    way = f"{_long(back)} before" if back > on else f"{_long(on)} after"
    raise Refused(
        "clock_in_doubt",
        "The clock says {now}, {way} the latest time in the record, {latest}.",
        next_step="Set the machine's clock. If it is right, start once with --clock-is-right.",
        now=_readable_time(now),
        way=way,
        latest=_readable_time(latest),
    )


def _readable_time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(" ", "seconds").replace("+00:00", " UTC")


def _long(length: timedelta) -> str:
    """A length of time in the unit that suits it.

    >>> _long(timedelta(days=8, hours=2)), _long(timedelta(minutes=90)), _long(timedelta(seconds=30))
    ('8 days', '90 minutes', '0 minutes')
    """
    hours = length // timedelta(hours=1)
    if hours >= 48:
        return f"{hours // 24} days"
    return f"{hours} hours" if hours >= 2 else f"{length // timedelta(minutes=1)} minutes"
