"""Audit: find a round, read its story with the paragraph behind every cent, verify, take the events away.

For auditors and staff. Everything is read from the record; what is still secret (the order of a shoe in use,
a card that lies face down) is not shown here either.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from io import StringIO
from typing import Any, Final, Literal
from urllib.parse import quote
from zoneinfo import ZoneInfo

from litestar import Controller, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Stream

from lammer.floor.record.exports import Selection, export
from lammer.floor.record.past import PAGE, story
from lammer.floor.record.round_proof import prove
from lammer.floor.record.verify import Verification, trusted_keys, verify
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.finding import REACH, RoundQuery, RoundSummary, SetUps, house_rounds, rounds, summary
from lammer.floor.views.shown_record import CountedRecord, ShownRecord
from lammer.floor.views.viewing import STAFF, Viewer
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.long_work import Work, WorkQueue
from lammer.floor.web.pages.coming_in import Form
from lammer.floor.web.pages.refusing import must_read, said
from lammer.floor.web.pages.site import Req, language_of, page, posted
from lammer.floor.web.pages.stories import story_shown
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language
from lammer.wording.events import write_card
from lammer.wording.figures import write_moment

READERS: Final = (*STAFF, "auditor")
EVENTS: Final = 150
"""Events of a story on one page."""
LONGEST_NUMBER: Final = 15
EVERYWHERE: Final = "*"
"""All tables of the house, where a round is looked for."""
Kind = Literal["csv", "jsonl", "json"]
KINDS: Final[dict[str, Kind]] = {"csv": "csv", "jsonl": "jsonl", "json": "json"}
MEDIA: Final = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "json": "application/json",
}


def work_queue_of(request: Req, kind: str) -> WorkQueue:
    """Where long work of a kind is asked for in this process."""
    return context_of(request).long_work.setdefault(kind, WorkQueue())


def zone_of(view: DurableView) -> ZoneInfo:
    """The time zone of a table: its document's."""
    return ZoneInfo(view.table.book.time_zone if view.table.setup is not None else "UTC")


class AuditPages(Controller):
    """Reading what happened."""

    include_in_schema = False
    path = "/audit"
    exception_handlers = {Refused: said}  # noqa: RUF012 (the framework reads it)

    @get()
    async def find(self, request: Req) -> Response[Any]:
        must_read(request, *READERS)
        context, asked = context_of(request), request.query_params
        listed = context.house.tables.listed
        table = asked.get("table") or next(iter(listed), "")
        around: dict[str, Any] = {
            "tables": [(each.id, each.title) for each in listed.values()],
            "table": table,
            "everywhere": table == EVERYWHERE,
            "asked": {name: asked.get(name, "") for name in ("number", "since", "until", "player")},
            "found": [],
            "go_on": None,
            "zone": "UTC",
            "verified": None,
        }
        if not listed:
            return page(request, "audit.html", **around)
        view = await context.house.tables.seen(next(iter(listed)) if table == EVERYWHERE else table)
        zone = zone_of(view)
        around["zone"] = zone.key
        wanted, below = _wanted(asked, zone), _number(asked.get("below", ""))
        if table == EVERYWHERE:
            everywhere, earlier = await asyncio.to_thread(house_rounds, view.store, list(listed), wanted)
            lines = [_line(each, language_of(request), zone) | {"table": name} for name, each in everywhere]
            more = {"until": earlier.astimezone(zone).isoformat()} if earlier else None
        else:
            found, go_on = await asyncio.to_thread(rounds, view.store, table, wanted, below=below)
            lines = [_line(each, language_of(request), zone) | {"table": table} for each in found]
            more = {"below": str(go_on), "until": asked.get("until", "")} if go_on else None
        kept = work_queue_of(request, "verify").look(table)
        around |= {"found": lines, "go_on": more, "titles": dict(around["tables"]), "verified": kept}
        return page(request, "audit.html", **around)

    @get("/{table:str}/rounds/{number:int}")
    async def round(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[Any]:
        session = must_read(request, *READERS)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        viewer = Viewer(session.account.name, session.account.role)
        after = _number(request.query_params.get("after", "")) or 0
        corrections = view.table.corrected.get(number, 0)
        told, _ = await asyncio.to_thread(
            story, view.store, table, view.number, number, 0, REACH, corrections
        )
        here = [each for each in told if each.number > after][:EVENTS]
        if not here:
            raise _no_round(table, number)
        setups: SetUps = context_of(request).setups
        first, last = told[0].number, told[-1].number
        book = await asyncio.to_thread(setups.rulebook, view.store, table, first)
        zone = zone_of(view)
        shown = await asyncio.to_thread(
            story_shown, told, here, viewer, view, book, language_of(request), zone
        )
        trusted = trusted_keys(context.settings.folder)
        proof = await asyncio.to_thread(prove, view.store, table, first, last, trusted)
        return page(
            request,
            "audit_round.html",
            table=table,
            title=context.house.tables.listed[table].title,
            number=number,
            line=_line(summary(each.entry for each in told), language_of(request), zone),
            more=here[-1].number if here[-1].number < last else None,
            after=after,
            zone=zone.key,
            proof=proof,
            signed=datetime.fromtimestamp(proof.sealed.checkpoint.at / 1e6, UTC) if proof.sealed else None,
            verified=work_queue_of(request, "verify").look(table),
            last_round=view.table.rounds,
            **shown,
        )

    @get("/{table:str}/events/{kind:str}")
    async def download(self, request: Req, table: FromPath[str], kind: FromPath[str]) -> Stream:
        """The events of a table or of one round, as they lie in the record, less what is still secret."""
        session = must_read(request, *READERS)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        form = KINDS.get(kind)
        if form is None:
            raise Refused("unknown_format", "Events are written as {kinds}.", kinds=", ".join(KINDS))
        viewer = Viewer(session.account.name, session.account.role)
        number = _number(request.query_params.get("round", ""))
        record = await asyncio.to_thread(ShownRecord, view.store, table, view.table, viewer)
        if number is not None:
            await asyncio.to_thread(_span, record, table, number, view.number)
        plain = "".join(each if each.isascii() and each.isalnum() else "-" for each in table)
        name = f"{plain}{'' if number is None else f'-round-{number}'}.{kind}"
        headers = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        }
        written = _written(record, table, form, number, view.number)
        return Stream(written, media_type=MEDIA[form], headers=headers)

    @get("/{table:str}/verify")
    async def verifying(self, request: Req, table: FromPath[str]) -> Response[Any]:
        must_read(request, *READERS)
        return page(request, "audit_verify.html", **_verification(request, table))

    @get("/{table:str}/verify/now")
    async def how_far(self, request: Req, table: FromPath[str]) -> Response[Any]:
        """The part of that page that changes."""
        must_read(request, *READERS)
        return page(request, "audit_verify_now.html", **_verification(request, table))

    @post("/{table:str}/verify")
    async def verify(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        session = must_read(request, *READERS)
        posted(session, data)
        context = context_of(request)
        context.house.tables.view(table)
        desk = work_queue_of(request, "verify")
        if "stop" in data:
            desk.stop(session.account.name)
        else:
            # Where a table cannot be read, its record can still be looked into.
            head = await asyncio.to_thread(context.house.store.head, table)
            work = Work({"table": table}, head.number, session.account.name, datetime.now(UTC), table)
            desk.begin(work, lambda work: _verified(context, table, work))
        return Redirect(f"/audit/{quote(table, safe='')}/verify", status_code=303)


def _verified(context: AppContext, table: str, work: Work) -> Verification:
    folder = context.settings.folder
    record = CountedRecord(context.house.store, work.reached)
    return verify(
        record,
        context.house.books,
        tables=(table,),
        checkpoints=folder / "checkpoints.jsonl",
        trusted=trusted_keys(folder),
        every=context.settings.checkpoint_seconds,
    )


def _verification(request: Req, table: str) -> dict[str, Any]:
    context = context_of(request)
    context.house.tables.view(table)
    desk = work_queue_of(request, "verify")
    work = desk.look(table)
    return {
        "table": table,
        "title": context.house.tables.listed[table].title,
        "work": work,
        "elsewhere": desk.last if desk.busy and desk.last and desk.last.name != table else None,
        "seen": work.result.tables[0] if work and work.result else None,
    }


async def _written(
    record: ShownRecord, table: str, form: Kind, number: int | None, last: int
) -> AsyncIterator[bytes]:
    """A page at a time, so that a long record needs no more memory than a short one."""
    start = 0
    if number is not None:
        start, last = await asyncio.to_thread(_span, record, table, number, last)
    head = True
    if form == "json":
        yield b"[\n"
    while start < last or head:
        part = Selection((table,), (start + 1, min(start + PAGE, last)), (number, number))
        out = StringIO()
        await asyncio.to_thread(export, record, out, "csv" if form == "csv" else "jsonl", part)
        text = out.getvalue()
        if form == "csv" and not head:
            text = text.partition("\n")[2]
        if form == "json":
            # A comma stands before every event but the very first.
            text = text.rstrip("\n").replace("\n", ",\n")
            text = ",\n" + text if text and not head else text
        yield text.encode()
        head, start = False, start + PAGE
    if form == "json":
        yield b"\n]\n"


def _span(record: ShownRecord, table: str, number: int, last: int) -> tuple[int, int]:
    """The event before a round, and the last one that is of it."""
    found, _ = story(record, table, last, number, 0, REACH)
    if not found:
        raise _no_round(table, number)
    return found[0].number - 1, found[-1].number


def _no_round(table: str, number: int) -> Refused:
    return Refused(
        "unknown_round",
        "Table {table} has no round {number}, or nothing more of it.",
        next_step="Look for it by its time.",
        table=table,
        number=number,
    )


def _number(text: str) -> int | None:
    """A number that was asked for, if one was."""
    given = text.strip()
    if not given:
        return None
    if not given.isascii() or not given.isdigit() or len(given) > LONGEST_NUMBER:
        raise _unreadable()
    return int(given)


def _unreadable() -> Refused:
    return Refused(
        "malformed_input",
        "What is looked for cannot be read.",
        next_step="A round is a number; a moment is a date and a time of day.",
    )


def _wanted(asked: Any, zone: ZoneInfo) -> RoundQuery:
    def moment(name: str) -> datetime | None:
        text = asked.get(name, "").strip()
        try:
            found = datetime.fromisoformat(text) if text else None
        except ValueError:
            raise _unreadable() from None
        return found.replace(tzinfo=zone) if found is not None and found.tzinfo is None else found

    return RoundQuery(
        _number(asked.get("number", "")), moment("since"), moment("until"), asked.get("player", "").strip()
    )


def _line(found: RoundSummary, language: Language, zone: ZoneInfo) -> dict[str, Any]:
    """A round for a row."""
    return {
        "number": found.number,
        "at": write_moment(language, found.at, zone),
        "state": found.state,
        "winner": found.winner,
        "points": found.points,
        "player": " ".join(map(write_card, found.player)),
        "banker": " ".join(map(write_card, found.banker)),
        "players": sorted(found.players),
        "bets": found.bets,
        "staked": found.staked,
        "won": found.won,
        "corrected": found.corrected,
    }
