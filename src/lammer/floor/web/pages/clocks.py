"""The clock a reader wants times by: chosen once, kept in a cookie, and written beside the times.

It is UTC until somebody chooses; besides there is the house's own clock, which is that of the rulebook, and
any other by its name, which is how a browser says its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from litestar import Response

from lammer.floor.web.pages.frame import Choice
from lammer.floor.web.pages.site import Req, language_of, page
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_moment

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

    def moment(self, at: datetime) -> str:
        """A date and a time, where nothing beside it says by which clock."""
        return f"{write_moment(self.language, at, self.zone)} {self.name}"

    @property
    def choices(self) -> list[Choice]:
        """The clocks there are to choose from."""
        house = say(self.language, "the house, {zone}", zone=self.house.key)
        offered = {UTC_NAME: UTC_NAME, HOUSE: house}
        if self.chosen not in offered:
            offered[self.chosen] = self.chosen
        return [Choice(value, label, value == self.chosen) for value, label in offered.items()]


def clock_of(request: Req, house: ZoneInfo) -> Clock:
    """The clock of whoever reads: as just asked for, as kept, or UTC."""
    asked, kept = request.query_params.get("clock", ""), request.cookies.get(CLOCK, "")
    chosen = next((name for name in (asked, kept) if _is_clock(name)), UTC_NAME)
    return Clock(chosen, house if chosen == HOUSE else ZoneInfo(chosen), house, language_of(request))


def page_by_clock(request: Req, template: str, clock: Clock, **page_values: Any) -> Response[str]:
    """A page with times on it; a clock that was just asked for is kept."""
    response = page(request, template, clock=clock, **page_values)
    if request.query_params.get("clock", "") == clock.chosen:
        response.set_cookie(CLOCK, clock.chosen, max_age=A_YEAR_SECONDS, httponly=True, samesite="lax")
    return response


def _is_clock(name: str) -> bool:
    return name in (UTC_NAME, HOUSE) or name in _zones()


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
