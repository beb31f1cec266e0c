"""A table's figures for the pit: charts beside their tables, and the same as CSV."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Protocol

from litestar import Response, get
from litestar.params import FromPath

from lammer.floor.record.checkpoints import walk
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.gaming_day import zone_of
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.dealer.dealer_view import titles
from lammer.floor.web.pages.pit.bars import bars
from lammer.floor.web.pages.site.clocks import Clock
from lammer.floor.web.pages.site.commanding import staff
from lammer.floor.web.pages.site.refusing import Pages
from lammer.floor.web.pages.site.site import SECURITY, Req, clock_of, page
from lammer.game.money import show
from lammer.table.journal import decode
from lammer.table.report import Report, Row, report
from lammer.wording.catalogues import say
from lammer.wording.events import EventWriter

COLUMNS: Final = ("what", "which", "bets", "turnover", "win", "commission", "hold_percent")
_HOURS, _SHOES = 24, 20
_RISKY: Final = ("=", "+", "-", "@", "\t", "\r")


class TableReport(Pages):
    """What a table took and won."""

    path = "/pit/{table:str}"

    @get("/report")
    async def figures(self, request: Req, table: FromPath[str]) -> Response[str]:
        """Turnover, win and hold by bet, by hour and by shoe, with charts; corrections."""
        staff(request)
        house = context_of(request).house
        view = await house.tables.seen(table)
        figures = await asyncio.to_thread(figures_of, view)
        clock = clock_of(request, zone_of(view))
        return page(
            request,
            "table_report.html",
            clock=clock,
            table=table,
            listed=house.tables.listed[table],
            report=figures,
            parts=_parts(view, figures, clock),
            corrections=[_correction(correction, view, clock) for correction in figures.corrections],
        )

    @get("/report.csv")
    async def download(self, request: Req, table: FromPath[str]) -> Response[bytes]:
        """The same rows, for a spreadsheet."""
        staff(request)
        view = await context_of(request).house.tables.seen(table)
        figures = await asyncio.to_thread(figures_of, view)
        headers = dict(SECURITY) | {"Content-Disposition": f'attachment; filename="{table}-report.csv"'}
        return Response(as_csv(figures), media_type="text/csv", headers=headers)


def figures_of(view: DurableView) -> Report:
    """The figures of everything that happened at a table. Blocks on the database."""
    return report(decode(stored.body) for stored in walk(view.store, view.id))


class Rows(Protocol):
    """A report that can be read row by row."""

    def rows(self) -> list[Row]: ...


def as_csv(figures: Rows) -> bytes:
    """The figures as rows; amounts in dollars, the hold in percent.

    >>> as_csv(Report()).decode().splitlines()
    ['what,which,bets,turnover,win,commission,hold_percent', 'total,,0,0.00,0.00,0.00,']
    """
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(COLUMNS)
    for what, which, bets, turnover, win, commission, hold in figures.rows():
        money = (show(turnover), show(win), show(commission))
        writer.writerow([what, _harmless(which), bets, *money, hold])
    return written.getvalue().encode()


def _harmless(text: str) -> str:
    """A text no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_RISKY) else text


def _to_minute(clock: Clock, at: str) -> str:
    return clock.moment(datetime.fromisoformat(at), seconds=False)


def _correction(correction: Mapping[str, str], view: DurableView, clock: Clock) -> dict[str, str]:
    """A correction for its row."""
    writer = EventWriter(clock.language, view.table.book)
    return {
        "round": correction["round"],
        "reason": writer.irregularity(correction["because"]),
        "by": correction["by"],
        "at": _to_minute(clock, correction["at"]),
    }


def _parts(view: DurableView, figures: Report, clock: Clock) -> list[dict[str, Any]]:
    """The figures in three parts, each a chart and its table."""
    table, language = view.table, clock.language
    called = titles(table, language) if table.setup is not None else {}
    insurance = say(language, "Insurance")

    def bet(name: str) -> str:
        plain = name.removeprefix("insurance ")
        return f"{insurance} {called.get(plain, plain)}" if plain != name else called.get(name, name)

    rows = figures.rows()
    hours = [row for row in rows if row[0] == "hour"][-_HOURS:]
    shoes = [row for row in rows if row[0] == "shoe"][-_SHOES:]
    named = (
        ("By bet", [(bet(row[1]), *row[2:]) for row in rows if row[0] == "bet"]),
        (
            "By hour",
            [(_to_minute(clock, row[1]), *row[2:]) for row in hours],
        ),
        ("By shoe", [(say(language, "Shoe {number}", number=row[1]), *row[2:]) for row in shoes]),
    )
    return [
        {
            "title": say(language, title),
            "rows": part,
            "chart": bars(language, say(language, title), [(row[0], row[3]) for row in part]),
        }
        for title, part in named
    ]
