"""Audit: find a round, read its story with the paragraph behind every cent, verify, take the events away.

For auditors and staff. Everything is read from the record; what is still secret (the order of a shoe in use,
a card that lies face down) is not shown here either.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from io import StringIO
from typing import Any, Final, Literal
from urllib.parse import quote
from zoneinfo import ZoneInfo

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Stream

from lammer.floor.record.exports import Selection, export
from lammer.floor.record.monotonic_clock import moment
from lammer.floor.record.past import PAGE, story
from lammer.floor.record.registry import Listed
from lammer.floor.record.round_proof import prove
from lammer.floor.record.verify import Verification, trusted_keys, verify
from lammer.floor.views.finding import REACH, RoundQuery, RoundSummary, SetUps, house_rounds, rounds, summary
from lammer.floor.views.shown_record import CountedRecord, ShownRecord
from lammer.floor.views.viewing import STAFF, Viewer
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.long_work import Work, WorkQueue
from lammer.floor.web.pages.coming_in import Form
from lammer.floor.web.pages.frame import Choice, choices
from lammer.floor.web.pages.refusing import Pages, must_read
from lammer.floor.web.pages.site import Req, language_of, page, verified_fields, whole_number
from lammer.floor.web.pages.staff import zone_of
from lammer.floor.web.pages.stories import story_values
from lammer.game.cards import write_card
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_moment

READERS: Final = (*STAFF, "auditor")
EVENTS: Final = 150
"""Events of a story on one page."""
LONGEST_NUMBER: Final = 15
MOST_DOUBTS: Final = 200
"""Doubts listed on one page."""
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


class AuditPages(Pages):
    """Reading what happened."""

    path = "/audit"

    @get()
    async def find(self, request: Req) -> Response[Any]:
        must_read(request, *READERS)
        context, query, language = context_of(request), request.query_params, language_of(request)
        tables = context.house.tables.listed
        if not tables:
            return page(request, "audit.html", has_tables=False)
        table = query.get("table") or next(iter(tables))
        view = await context.house.tables.seen(next(iter(tables)) if table == EVERYWHERE else table)
        zone = zone_of(view)
        round_query, below = _round_query(query, zone), _number(query.get("below", ""))
        if table == EVERYWHERE:
            found, earlier = await asyncio.to_thread(house_rounds, view.store, list(tables), round_query)
            more = {"until": earlier.astimezone(zone).isoformat()} if earlier else {}
        else:
            summaries, go_on = await asyncio.to_thread(rounds, view.store, table, round_query, below=below)
            found = [(table, round_summary) for round_summary in summaries]
            more = {"below": str(go_on), "until": query.get("until", "")} if go_on else {}
        kept = {"table": table} | {name: query.get(name, "") for name in ("since", "player")}
        return page(
            request,
            "audit.html",
            has_tables=True,
            tables=[
                Choice(EVERYWHERE, say(language, "All tables"), table == EVERYWHERE),
                *choices(((listed.id, listed.title) for listed in tables.values()), table),
            ],
            address=f"/audit/{quote(table)}",
            table=table,
            everywhere=table == EVERYWHERE,
            number=query.get("number", ""),
            # A field for a moment takes it to the second.
            since=query.get("since", "")[:19],
            until=query.get("until", "")[:19],
            player=query.get("player", ""),
            rounds=[_line(summary, language, zone) | _at(tables, name) for name, summary in found],
            earlier=kept | more if more else {},
            zone=zone.key,
        )

    @get("/{table:str}/rounds/{number:int}")
    async def round(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[Any]:
        session = must_read(request, *READERS)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        viewer = Viewer(session.account.name, session.account.role)
        after = _number(request.query_params.get("after", "")) or 0
        corrections = view.table.corrected.get(number, 0)
        events, _ = await asyncio.to_thread(
            story, view.store, table, view.number, number, 0, REACH, corrections
        )
        page_events = [event for event in events if event.number > after][:EVENTS]
        if not page_events:
            raise _no_round(table, number)
        setups: SetUps = context_of(request).setups
        first, last = events[0].number, events[-1].number
        book = await asyncio.to_thread(setups.rulebook, view.store, table, first)
        zone = zone_of(view)
        page_story = await asyncio.to_thread(
            story_values, events, page_events, viewer, view, book, language_of(request), zone, number
        )
        trusted = trusted_keys(context.settings.folder)
        proof = await asyncio.to_thread(prove, view.store, table, first, last, trusted)
        return page(
            request,
            "audit_round.html",
            back=f"/audit?table={quote(table)}",
            address=f"/audit/{quote(table)}",
            title=context.house.tables.listed[table].title,
            number=number,
            round_before=number - 1 if number > 1 else None,
            round_after=number + 1 if number < view.table.rounds else None,
            line=_line(summary(event.entry for event in events), language_of(request), zone),
            more=page_events[-1].number if page_events[-1].number < last else None,
            after=after,
            zone=zone.key,
            proof=proof,
            signed_at=moment(proof.sealed.checkpoint.at) if proof.sealed else None,
            verified=work_queue_of(request, "verify").look(table),
            **page_story,
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
        plain = "".join(
            character if character.isascii() and character.isalnum() else "-" for character in table
        )
        name = f"{plain}{'' if number is None else f'-round-{number}'}.{kind}"
        headers = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        }
        chunks = _write_events(record, table, form, number, view.number)
        return Stream(chunks, media_type=MEDIA[form], headers=headers)

    @get("/{table:str}/verify")
    async def verifying(self, request: Req, table: FromPath[str]) -> Response[Any]:
        return page(request, "audit_verify.html", **_verification_values(request, table))

    @get("/{table:str}/verify/now")
    async def how_far(self, request: Req, table: FromPath[str]) -> Response[Any]:
        """The part of that page that changes."""
        return page(request, "audit_verify_now.html", **_verification_values(request, table))

    @post("/{table:str}/verify")
    async def verify(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        session = must_read(request, *READERS)
        verified_fields(session, data)
        context = context_of(request)
        context.house.tables.view(table)
        desk = work_queue_of(request, "verify")
        if "stop" in data:
            desk.stop(session.account.name)
        else:
            # Where a table cannot be read, its record can still be looked into.
            head = await asyncio.to_thread(context.house.store.head, table)
            work = Work({"table": table}, head.number, session.account.name, datetime.now(UTC), table)
            desk.begin(work, lambda work: _verify_table(context, table, work))
        return Redirect(f"/audit/{quote(table, safe='')}/verify", status_code=303)


def _verify_table(context: AppContext, table: str, work: Work) -> Verification:
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


def _verification_values(request: Req, table: str) -> dict[str, Any]:
    must_read(request, *READERS)
    context = context_of(request)
    context.house.tables.view(table)
    desk = work_queue_of(request, "verify")
    work = desk.look(table)
    elsewhere = desk.look(desk.last.name) if desk.busy and desk.last and desk.last.name != table else None
    result: Verification | None = work.result if work else None
    table_result = result.tables[0] if result else None
    return {
        "table": table,
        "back": f"/audit?table={quote(table)}",
        "address": f"/audit/{quote(table)}/verify",
        "title": context.house.tables.listed[table].title,
        "work": work,
        "elsewhere": elsewhere,
        "refreshes": elsewhere is not None or (work is not None and work.stands == "running"),
        "counted": table_result,
        "doubts": [*table_result.wrong, *result.wrong][:MOST_DOUBTS] if result and table_result else [],
    }


async def _write_events(
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
    events, _ = story(record, table, last, number, 0, REACH)
    if not events:
        raise _no_round(table, number)
    return events[0].number - 1, events[-1].number


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
    digits = text.strip()
    if not digits:
        return None
    number = whole_number(digits, LONGEST_NUMBER)
    if number is None:
        raise _unreadable()
    return number


def _unreadable() -> Refused:
    return Refused(
        "malformed_input",
        "What is looked for cannot be read.",
        next_step="A round is a number; a moment is a date and a time of day.",
    )


def _round_query(query: Any, zone: ZoneInfo) -> RoundQuery:
    def moment(name: str) -> datetime | None:
        text = query.get(name, "").strip()
        try:
            at = datetime.fromisoformat(text) if text else None
        except ValueError:
            raise _unreadable() from None
        return at.replace(tzinfo=zone) if at is not None and at.tzinfo is None else at

    return RoundQuery(
        _number(query.get("number", "")), moment("since"), moment("until"), query.get("player", "").strip()
    )


def _at(listed: Mapping[str, Listed], table: str) -> dict[str, str]:
    """Where a round was played, for its row."""
    title = listed[table].title if table in listed else table
    return {"address": f"/audit/{quote(table)}", "table": title}


def _line(round_summary: RoundSummary, language: Language, zone: ZoneInfo) -> dict[str, Any]:
    """A round for a row."""
    return asdict(round_summary) | {
        "at": write_moment(language, round_summary.at, zone),
        "settled": round_summary.state == "settled",
        "player": " ".join(map(write_card, round_summary.player)),
        "banker": " ".join(map(write_card, round_summary.banker)),
        "players": ", ".join(sorted(round_summary.players)),
    }
