"""The gaming day of a table: from six in the morning to six, by the clock of the document it plays under."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from lammer.floor.settings import Shift
from lammer.floor.views.durable_view import DurableView

DAY_BEGINS: Final = time(6)


def gaming_day(at: datetime, zone: ZoneInfo) -> date:
    """The gaming day of a moment: until six in the morning it is still the day before.

    >>> from datetime import UTC
    >>> gaming_day(datetime(2026, 11, 16, 20, tzinfo=UTC), ZoneInfo("Asia/Singapore"))
    datetime.date(2026, 11, 16)
    """
    local = at.astimezone(zone)
    return local.date() if local.time() >= DAY_BEGINS else local.date() - timedelta(days=1)


def day_start(day: date, zone: ZoneInfo) -> datetime:
    """When a gaming day begins."""
    return datetime.combine(day, DAY_BEGINS, zone)


def shift_at(at: datetime, zone: ZoneInfo, shifts: Sequence[Shift]) -> str:
    """The shift of a moment by its name; before the first of the day it is still the last one.

    >>> from datetime import UTC
    >>> from lammer.floor.settings import parse_shifts
    >>> shifts = parse_shifts("Day 06:00, Night 22:00")
    >>> [shift_at(datetime(2026, 11, 16, hour, tzinfo=UTC), ZoneInfo("UTC"), shifts) for hour in (5, 6, 22)]
    ['Night', 'Day', 'Night']
    """
    local = at.astimezone(zone).time()
    return next((shift.name for shift in reversed(shifts) if shift.starts <= local), shifts[-1].name)


def zone_of(view: DurableView) -> ZoneInfo:
    """The clock a table goes by: its document's."""
    return ZoneInfo(view.table.book.time_zone if view.table.setup is not None else "UTC")


def zones_of(views: Iterable[DurableView]) -> str:
    """The clocks some tables go by, by their names; of tables that are set up, where any is."""
    zones = {zone_of(view).key for view in views if view.table.setup is not None}
    return ", ".join(sorted(zones)) or "UTC"
