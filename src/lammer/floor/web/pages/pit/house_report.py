"""The figures of the house for some gaming days: by day, shift, table, bet, player and dealer; and as CSV."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

from litestar import Response, get

from lammer.floor.record.checkpoints import walk
from lammer.floor.settings import Shift, parse_shifts
from lammer.floor.tables.virtual_dealer import NAME as VIRTUAL_DEALER
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.finding import first_since
from lammer.floor.views.gaming_day import day_start, gaming_day, shift_at, zone_of, zones_of
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.pit.bars import bars
from lammer.floor.web.pages.pit.table_report import as_csv
from lammer.floor.web.pages.rules.rule_words import bet_titles
from lammer.floor.web.pages.site.commanding import staff
from lammer.floor.web.pages.site.refusing import Pages
from lammer.floor.web.pages.site.site import SECURITY, Req, language_of, page
from lammer.rulebook.refusal import Refused
from lammer.table.house_report import PARTS, HouseReport
from lammer.table.journal import decode
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_day, write_items

MOST_DAYS: Final = 31
CHARTED: Final = 24
"""Rows a chart has room for; the table beneath it has all of them."""
TITLES: Final = {
    "day": "By day",
    "shift": "By shift",
    "table": "By table",
    "bet": "By bet",
    "player": "By player",
    "dealer": "By dealer",
}
_MOVES_MONEY: Final = tuple(
    f'"event":"{kind}"'.encode() for kind in ("RoundSettled", "SettlementReopened", "RoundCorrected")
)


class HouseReportPages(Pages):
    """What the house took and won."""

    path = "/pit"

    @get("/-report")
    async def figures(self, request: Req) -> Response[str]:
        """Turnover, win and hold of some days, with charts."""
        since, until, report = await _report(request)
        language, house = language_of(request), context_of(request).house
        tables = {listed.id: listed.title for listed in house.tables.listed.values()}
        bets = bet_titles(language, *house.books.values())
        return page(
            request,
            "house_report.html",
            since=since.isoformat(),
            until=until.isoformat(),
            zones=zones_of(house.tables.view(name) for name in house.tables.listed),
            shifts=write_items(
                language,
                (f"{say(language, shift.name)} {shift.starts:%H:%M}" for shift in shifts_of(request)),
            ),
            report=report,
            parts=parts_of(report, tables, bets, language),
        )

    @get("/-report.csv")
    async def download(self, request: Req) -> Response[bytes]:
        """The same rows, for a spreadsheet."""
        since, until, report = await _report(request)
        name = f"house-{since}-{until}.csv"
        headers = dict(SECURITY) | {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(as_csv(report), media_type="text/csv", headers=headers)


async def _report(request: Req) -> tuple[date, date, HouseReport]:
    """The report somebody asked for; today where they named no days."""
    staff(request)
    context = context_of(request)
    house = context.house
    views = [house.tables.view(name) for name in house.tables.listed]
    now = house.clock.now()
    today = max((gaming_day(now, zone_of(view)) for view in views), default=now.date())
    since, until = days_asked(request.query_params, today)
    async with context.reporting:
        report = await asyncio.to_thread(report_of, views, since, until, shifts_of(request))
    return since, until, report


def shifts_of(request: Req) -> tuple[Shift, ...]:
    """The shifts of this house."""
    return parse_shifts(context_of(request).settings.shifts)


def days_asked(query: Mapping[str, str], today: date) -> tuple[date, date]:
    """The first and the last gaming day of a report.

    >>> days_asked({"from": "2026-11-01"}, date(2026, 11, 16))
    (datetime.date(2026, 11, 1), datetime.date(2026, 11, 16))
    """
    since, until = _day(query.get("from", ""), today), _day(query.get("to", ""), today)
    if until == date.max or not timedelta(0) <= until - since < timedelta(days=MOST_DAYS):
        raise Refused(
            "malformed_input",
            "A report covers one day to {most}, the first before the last.",
            next_step="Ask for fewer days at a time.",
            most=MOST_DAYS,
        )
    return since, until


def _day(written: str, today: date) -> date:
    try:
        return date.fromisoformat(written) if written else today
    except ValueError:
        raise Refused(
            "malformed_input", "{text} is not a day.", next_step="Write 2026-11-16.", text=repr(written[:20])
        ) from None


def report_of(views: list[DurableView], since: date, until: date, shifts: Sequence[Shift]) -> HouseReport:
    """What these tables took from one gaming day to another. Blocks on the database."""
    report = HouseReport()
    for view in views:
        zone = zone_of(view)
        for body in _money_events(view, since, until):
            entry = decode(body)
            day, shift = gaming_day(entry.at, zone).isoformat(), shift_at(entry.at, zone, shifts)
            report.take(view.id, day, shift, entry)
    return report


def _money_events(view: DurableView, since: date, until: date) -> Iterator[bytes]:
    """The events of these days that moved money; only they are read in full."""
    zone = zone_of(view)
    first = first_since(view.store, view.id, day_start(since, zone))
    last = first_since(view.store, view.id, day_start(until + timedelta(days=1), zone)) - 1
    for stored in walk(view.store, view.id, first - 1, last):
        if any(kind in stored.body for kind in _MOVES_MONEY):
            yield stored.body


def parts_of(
    report: HouseReport, tables: Mapping[str, str], bets: Mapping[str, str], language: Language
) -> list[dict[str, Any]]:
    """The figures part by part, each a chart and its table, with the names people know."""
    t = partial(say, language)

    def named(part: str, name: str) -> str:
        if part == "table":
            return tables.get(name, name)
        if part == "day":
            return write_day(language, date.fromisoformat(name))
        if part == "shift":
            return t(name)
        if part == "dealer" and name == VIRTUAL_DEALER:
            return t("virtual dealer")
        if part == "bet":
            hand = name.removeprefix("insurance ")
            return bets.get(name, name) if hand == name else f"{t('Insurance')} {bets.get(hand, hand)}"
        return name or "–"

    parts = []
    for part in PARTS:
        rows = [(named(part, row[1]), *row[2:]) for row in report.rows() if row[0] == part]
        title = t(TITLES[part])
        chart = bars(language, title, [(row[0], row[3]) for row in rows[:CHARTED]])
        parts.append({"title": title, "rows": rows, "chart": chart})
    return parts
