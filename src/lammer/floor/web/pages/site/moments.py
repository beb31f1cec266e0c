"""When what is open at a table closes, so that a page can count down; and how long something has lasted.

Known for tables that deal themselves: there the pace says when the virtual dealer goes on. Where a person
deals, nobody knows, and the page says so.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from lammer.floor.record.registry import Pace
from lammer.floor.tables.house import House
from lammer.floor.views.openings import OpenedAt
from lammer.floor.web.pages.site.frame import Say
from lammer.table.insuring import is_awaited
from lammer.table.state import Table

MINUTE: Final = 60
HOUR: Final = 3600


def milliseconds(moment: datetime) -> int:
    """A moment as scripts count it.

    >>> milliseconds(datetime.fromisoformat("1970-01-01T00:01:00.5+00:00"))
    60500
    """
    return int(moment.timestamp() * 1000)


def house_moment(house: House) -> int:
    """The house's clock in milliseconds, which the pages count down by."""
    return milliseconds(house.clock.now())


def closes(table: Table, opened: OpenedAt | None, pace: Pace | None) -> tuple[datetime, float] | None:
    """When what is open now closes, and how long it is open in all, in seconds; None where nobody knows."""
    this_round = table.round
    if this_round is None or opened is None or pace is None or this_round.interrupted:
        return None
    if this_round.options is not None or this_round.reported is not None:
        return None
    if this_round.phase == "betting":
        return opened.betting + timedelta(seconds=pace.betting), pace.betting
    # Where nobody can insure, or all have answered, the virtual dealer goes on at once.
    if is_awaited(table) and opened.window is not None:
        # The virtual dealer rests after the card before it gives Insurance its time.
        whole = pace.card + pace.window
        return opened.window + timedelta(seconds=whole), whole
    return None


def age(t: Say, span: timedelta) -> str:
    """How long something has lasted, as short as it can be said.

    >>> from functools import partial
    >>> from lammer.wording.catalogues import say
    >>> t = partial(say, "en")
    >>> age(t, timedelta(seconds=42)), age(t, timedelta(seconds=200)), age(t, timedelta(hours=2, minutes=5))
    ('42 s', '3 min', '2 h 5 min')
    """
    seconds = max(0, int(span.total_seconds()))
    if seconds < MINUTE:
        return t("{seconds} s", seconds=seconds)
    if seconds < HOUR:
        return t("{minutes} min", minutes=seconds // MINUTE)
    return t("{hours} h {minutes} min", hours=seconds // HOUR, minutes=seconds % HOUR // MINUTE)
