"""The clock a reader wants times by: chosen once, kept in a cookie, and written beside the times.

It is UTC until somebody chooses; besides there is the house's own clock, which is that of the rulebook, and
any other by its name, which is how a browser says its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from lammer.floor.web.pages.site.frame import Choice
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_moment, write_time

CLOCK: Final = "lammer_clock"
UTC_NAME: Final = "UTC"
HOUSE: Final = "house"
A_YEAR_SECONDS: Final = 31_536_000


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock: what was chosen, and the zone it comes to at this house."""

    chosen: str
    zone: ZoneInfo
    house: ZoneInfo
    language: Language

    @property
    def name(self) -> str:
        """What is written beside the times."""
        return self.zone.key

    def moment(self, at: datetime, *, seconds: bool = True) -> str:
        """A date and a time, where nothing beside it says by which clock."""
        return f"{write_moment(self.language, at, self.zone, seconds=seconds)} {self.name}"

    def time(self, at: datetime, *, seconds: bool = False) -> str:
        """The same of a time of this day."""
        return f"{write_time(self.language, at, self.zone, seconds=seconds)} {self.name}"

    @property
    def choices(self) -> list[Choice]:
        """The clocks there are to choose from."""
        house = say(self.language, "the house, {zone}", zone=self.house.key)
        offered = {UTC_NAME: UTC_NAME, HOUSE: house}
        if self.chosen not in offered:
            offered[self.chosen] = self.chosen
        return [Choice(value, label, value == self.chosen) for value, label in offered.items()]


def read_clock(asked: str, kept: str, house: ZoneInfo, language: Language) -> Clock:
    """The clock of whoever reads: as just asked for, as kept, or UTC.

    >>> house = ZoneInfo("Asia/Singapore")
    >>> [read_clock(asked, kept, house, "en").name for asked, kept in (("", "house"), ("noon", ""))]
    ['Asia/Singapore', 'UTC']
    """
    chosen = next((name for name in (asked, kept) if _is_clock(name)), UTC_NAME)
    return Clock(chosen, house if chosen == HOUSE else ZoneInfo(chosen), house, language)


def _is_clock(name: str) -> bool:
    return name in (UTC_NAME, HOUSE) or name in _zones()


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
