"""The gaming day of a table: from six in the morning to six, by the clock of the document it plays under."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

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


def zone_of(view: DurableView) -> ZoneInfo:
    """The clock a table goes by: its document's."""
    return ZoneInfo(view.table.book.time_zone if view.table.setup is not None else "UTC")
