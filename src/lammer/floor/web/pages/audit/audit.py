"""Audit: find a round, read its story with the paragraph behind every cent, verify, take the events away.

For auditors and staff. Everything is read from the record; what is still secret (the order of a shoe in use,
a card that lies face down) is not shown here either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Stream

from lammer.floor.record.monotonic_clock import moment
from lammer.floor.record.past import backwards, opening_of, story
from lammer.floor.record.registry import Listed
from lammer.floor.record.round_proof import prove
from lammer.floor.record.verify.verify import Verification, trusted_keys, verify
from lammer.floor.record.verify.verify_table import VerifiedTable
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.finding import REACH, house_rounds, rounds
from lammer.floor.views.gaming_day import zone_of
from lammer.floor.views.round_truth import RoundTruth, read_round
from lammer.floor.views.shown_record import CountedRecord, ShownRecord
from lammer.floor.views.viewing import STAFF, Viewer
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.long_work import Work, WorkQueue
from lammer.floor.web.pages.audit.audit_query import (
    Search,
    TableRound,
    has_paragraph,
    irregularity_choices,
    number_in,
    read_search,
    result_choices,
)
from lammer.floor.web.pages.felt.changes import before_text, outcome_text, words_of_changes
from lammer.floor.web.pages.player.history import evidence_file
from lammer.floor.web.pages.player.stories import story_values
from lammer.floor.web.pages.site.clocks import Clock
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.downloads import (
    KINDS,
    MEDIA,
    EventSpan,
    file_headers,
    no_round,
    round_span,
    write_events,
)
from lammer.floor.web.pages.site.frame import Choice, choices
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, clock_of, language_of, page, verified_fields
from lammer.game.cards import write_card
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import decode
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_moment

READERS: Final = (*STAFF, "auditor")
EVENTS: Final = 150
"""Events of a story on one page."""
MOST_DOUBTS: Final = 200
"""Doubts listed on one page."""
EVERYWHERE: Final = "*"
"""All tables of the house: where a round is looked for, what is verified, what is taken away."""


def work_queue_of(request: Req, kind: str) -> WorkQueue:
    """Where long work of a kind is asked for in this process."""
    return context_of(request).long_work.setdefault(kind, WorkQueue())


class AuditPages(Pages):
    """Reading what happened."""

    path = "/audit"

    @get()
    async def find(self, request: Req) -> Response[Any]:
        must_read(request, *READERS)
        return await _search_page(request, request.query_params)

    @get("/{table:str}/rounds/{number:int}")
    async def round(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[Any]:
        session = must_read(request, *READERS)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        viewer = Viewer(session.account.name, session.account.role)
        after = number_in(request.query_params.get("after", "")) or 0
        corrections = view.table.corrected.get(number, 0)
        events, _ = await asyncio.to_thread(
            story, view.store, table, view.number, number, 0, REACH, corrections
        )
        page_events = [event for event in events if event.number > after][:EVENTS]
        if not events:
            # There is no such round: the form to look for another stands there again.
            return await _search_page(request, {"table": table, "number": str(number)}, status=404)
        if not page_events:
            raise no_round(table, number)
        first, last = events[0].number, events[-1].number
        book_id = await asyncio.to_thread(context.setups.rulebook, view.store, table, first)
        clock = clock_of(request, zone_of(view))
        truth = read_round((event.entry for event in events), viewer)
        page_story = await asyncio.to_thread(
            story_values, events, page_events, viewer, view, book_id, clock, truth
        )
        trusted = trusted_keys(context.settings.folder)
        proof = await asyncio.to_thread(prove, view.store, table, first, last, trusted)
        verified = _last_verified(work_queue_of(request, "verify"), table)
        return page(
            request,
            "audit_round.html",
            clock=clock,
            back=f"/audit?table={quote(table)}",
            address=address_of(table),
            title=context.house.tables.listed[table].title,
            number=number,
            round_before=number - 1 if number > 1 else None,
            round_after=number + 1 if number < view.table.rounds else None,
            line=_row(truth, clock),
            changes=words_of_changes(truth, view.table.books.get(book_id), clock),
            more=page_events[-1].number if page_events[-1].number < last else None,
            after=after,
            proof=proof,
            signed_at=clock.moment(moment(proof.sealed.checkpoint.at)) if proof.sealed else "",
            verified=verified,
            covered=verified is not None and verified.table.events >= last,
            verified_at=clock.moment(verified.work.begun) if verified else "",
            verified_address=f"{address_of(verified.work.name)}/verify" if verified else "",
            **page_story,
        )

    @get("/{table:str}/rounds/{number:int}/evidence.json")
    async def evidence(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[bytes]:
        """What shows without the house that this happened: for `docs/guides/verify_round.py`."""
        session = must_read(request, *READERS)
        context = context_of(request)
        view = await context.house.tables.seen(table)
        corrections = view.table.corrected.get(number, 0)
        events, _ = await asyncio.to_thread(
            story, view.store, table, view.number, number, 0, REACH, corrections
        )
        if not events:
            raise no_round(table, number)
        viewer = Viewer(session.account.name, session.account.role)
        return await evidence_file(context, view, events, viewer, number)

    @get("/{table:str}/event/{number:int}")
    async def event(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Redirect:
        """One event by its number, wherever on the page of its round it stands."""
        must_read(request, *READERS)
        view = await context_of(request).house.tables.seen(table)
        opening = await asyncio.to_thread(_opening_before, view, number)
        if opening is None:
            raise Refused(
                "unknown_round",
                "Event {number} of table {table} is of no round.",
                next_step="What is outside the rounds is in the file of all events.",
                number=number,
                table=table,
            )
        opened, round_number = opening
        further = f"?after={number - 1}" if number >= opened + EVENTS else ""
        path = f"{address_of(table)}/rounds/{round_number}{further}#e-{number}"
        return Redirect(path, status_code=303, headers={"Cache-Control": "no-store"})

    @get("/{table:str}/events/{kind:str}")
    async def download(self, request: Req, table: FromPath[str], kind: FromPath[str]) -> Stream:
        """The events of the house, a table or one round, as they lie in the record, less what is secret."""
        session = must_read(request, *READERS)
        context = context_of(request)
        form = KINDS.get(kind)
        if form is None:
            raise Refused("unknown_format", "Events are written as {kinds}.", kinds=", ".join(KINDS))
        viewer = Viewer(session.account.name, session.account.role)
        number = number_in(request.query_params.get("round", ""))
        if table == EVERYWHERE:
            read = await context.house.tables.seen_of(context.house.tables.listed)
            views = list(read.values())
            # A file that lacks tables says so in its name.
            without = [name for name in context.house.tables.listed if name not in read]
            where = "-without-".join(("house", *without))
        else:
            views, where = [await context.house.tables.seen(table)], table
        spans = [await asyncio.to_thread(_span, view, viewer, number) for view in views]
        what = "all-events" if number is None else f"round-{number}"
        return Stream(
            write_events(spans, form), media_type=MEDIA[form], headers=file_headers(where, what, kind=kind)
        )

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
        names = _known_tables(context, table)
        desk = work_queue_of(request, "verify")
        if "stop" in data:
            desk.stop(session.account.name)
        else:
            # Where a table cannot be read, its record can still be looked into.
            heads = await asyncio.to_thread(context.house.store.heads)
            events = sum(heads[name].number for name in names or heads if name in heads)
            work = Work({"table": table}, events, session.account.name, datetime.now(UTC), table)
            desk.begin(work, lambda work: _verify_tables(context, names, work))
        return Redirect(f"{address_of(table)}/verify", status_code=303)


async def _search_page(request: Req, asked: Mapping[str, Any], *, status: int = 200) -> Response[Any]:
    """The form, what cannot be read beside its field, and what was found."""
    context, language = context_of(request), language_of(request)
    tables = context.house.tables.listed
    if not tables:
        return page(request, "audit.html", has_tables=False)
    table = asked.get("table") or next(iter(tables))
    unread: list[str] = []
    if table == EVERYWHERE:
        views = await context.house.tables.seen_of(tables)
        unread += [name for name in tables if name not in views]
        view = next(iter(views.values())) if views else await context.house.tables.seen(unread[0])
    else:
        view = await context.house.tables.seen(table)
        views = {table: view}
    clock = clock_of(request, zone_of(view))
    search = read_search(asked, clock)
    found: list[TableRound] = []
    more: dict[str, str] = {}
    if search.problems:
        status = 400
    else:
        found, more = await asyncio.to_thread(_find, context, view, table, search, asked, unread)
    books = context.house.books.values()
    return page(
        request,
        "audit.html",
        status=status,
        path="/audit",
        clock=clock,
        has_tables=True,
        tables=[
            Choice(EVERYWHERE, say(language, "All tables"), table == EVERYWHERE),
            *choices(((listed.id, listed.title) for listed in tables.values()), table),
        ],
        results=result_choices(language, search.typed["result"]),
        irregularities=irregularity_choices(language, books, search.typed["irregularity"]),
        address=address_of(table),
        table=table,
        everywhere=table == EVERYWHERE,
        unread=[tables[name].title for name in unread],
        typed=search.typed,
        problems=search.problems,
        unknown=[] if found or more else await asyncio.to_thread(_unknown, context, views, search, language),
        looks_closer=search.looks_closer,
        # A field for a moment takes it to the second.
        since=search.typed["since"][:19],
        until=search.typed["until"][:19],
        headings=search.headings(language),
        sorted=bool(search.typed["sort"]),
        rounds=[_row(truth, clock) | _at(tables, name) for name, truth in search.in_order(found)],
        earlier=search.going_on(table=table, **more) if more else {},
    )


def _unknown(
    context: AppContext, views: Mapping[str, DurableView], search: Search, language: Language
) -> list[str]:
    """What a search names that this house does not have, where nothing was found."""
    wanted, t = search.query, partial(say, language)
    rounds_so_far = max((view.table.rounds for view in views.values()), default=0)
    unknown = []
    if wanted.number is not None and not 0 < wanted.number <= rounds_so_far:
        unknown.append(
            t(
                "There is no round {number} here: so far there were {rounds}.",
                number=wanted.number,
                rounds=rounds_so_far,
            )
        )
    if wanted.player and context.authenticator.accounts.find(wanted.player) is None:
        unknown.append(t("No account of this house is called {player}.", player=wanted.player))
    if wanted.paragraph and not has_paragraph(context.house.books.values(), wanted.paragraph):
        unknown.append(
            t("No rulebook of this house has a paragraph {paragraph}.", paragraph=wanted.paragraph)
        )
    return unknown


def address_of(table: str) -> str:
    """Where the audit of a table is, or of the whole house."""
    return f"/audit/{quote(table, safe='*')}"


def _find(
    context: AppContext,
    view: DurableView,
    table: str,
    search: Search,
    asked: Mapping[str, Any],
    unread: list[str],
) -> tuple[list[TableRound], dict[str, str]]:
    """The rounds that are looked for, the newest first, and what an address says to go on with.

    Of the whole house those of every table that can be read; the others are put to the `unread` ones.
    """
    if table == EVERYWHERE:
        tables = [name for name in context.house.tables.listed if name not in unread]
        found, earlier = house_rounds(
            view.store, tables, search.query, limit=search.limit, marks=context.marks, unread=unread
        )
        return found, {"until": earlier.astimezone(UTC).isoformat()} if earlier else {}
    below = number_in(asked.get("below", ""))
    truths, go_on = rounds(
        view.store, table, search.query, below=below, limit=search.limit, marks=context.marks
    )
    return [(table, truth) for truth in truths], {"below": str(go_on)} if go_on else {}


@dataclass(frozen=True, slots=True)
class _LastVerified:
    """The last verification that went through a table, of the table alone or of the house, and how far."""

    work: Work
    table: VerifiedTable
    holds: bool


def _last_verified(desk: WorkQueue, table: str) -> _LastVerified | None:
    """The newest one that is done; one that was stopped or is under way says nothing."""
    done = [work for name in (table, EVERYWHERE) if (work := desk.look(name)) and work.stands == "done"]
    for work in sorted(done, key=lambda work: work.begun, reverse=True):
        result: Verification = work.result
        for verified in result.tables:
            if verified.table == table:
                # What is wrong at another table says nothing of this one; what is wrong with the house does.
                return _LastVerified(work, verified, not verified.wrong and not result.wrong)
    return None


def _known_tables(context: AppContext, table: str) -> tuple[str, ...]:
    """The table that is meant, none of them for all; or `unknown_table`."""
    return () if table == EVERYWHERE else (context.house.tables.view(table).id,)


def _verify_tables(context: AppContext, tables: tuple[str, ...], work: Work) -> Verification:
    folder = context.settings.folder
    record = CountedRecord(context.house.store, work.reached)
    return verify(
        record,
        context.house.books,
        tables=tables,
        checkpoints=folder / "checkpoints.jsonl",
        trusted=trusted_keys(folder),
        every=context.settings.checkpoint_seconds,
    )


def _verification_values(request: Req, table: str) -> dict[str, Any]:
    must_read(request, *READERS)
    context = context_of(request)
    _known_tables(context, table)
    desk = work_queue_of(request, "verify")
    work = desk.look(table)
    elsewhere = desk.look(desk.last.name) if desk.busy and desk.last and desk.last.name != table else None
    result: Verification | None = work.result if work else None
    first = next(iter(context.house.tables.listed)) if table == EVERYWHERE else table
    clock = clock_of(request, zone_of(context.house.tables.view(first)))
    return {
        "table": table,
        "everywhere": table == EVERYWHERE,
        "back": f"/audit?table={quote(table)}",
        "address": f"{address_of(table)}/verify",
        "title": _title(context, table, clock.language),
        "work": work,
        "begun": clock.moment(work.begun) if work else "",
        "elsewhere": elsewhere,
        "elsewhere_title": _title(context, elsewhere.name, clock.language) if elsewhere else "",
        "refreshes": elsewhere is not None or (work is not None and work.stands == "running"),
        "verified": _counted(result) if result else None,
        "doubts": _doubts(result)[:MOST_DOUBTS] if result else [],
    }


def _title(context: AppContext, table: str, language: Language) -> str:
    listed = context.house.tables.listed.get(table)
    return say(language, "All tables") if listed is None else listed.title


def _counted(result: Verification) -> dict[str, int]:
    """How much was verified."""
    return {
        "tables": len(result.tables),
        "events": sum(table.events for table in result.tables),
        "rounds": sum(table.rounds for table in result.tables),
    }


def _doubts(result: Verification) -> list[str]:
    """Everything that does not hold, table by table and then of the house."""
    return [doubt for wrong in (*(table.wrong for table in result.tables), result.wrong) for doubt in wrong]


def _span(view: DurableView, viewer: Viewer, number: int | None) -> EventSpan:
    """The events of a table that are taken away, less what is still secret; of one round, or all."""
    record = ShownRecord(view.store, view.id, view.table, viewer)
    if number is None:
        return EventSpan(record, view.id, 0, view.number)
    return round_span(record, view.id, number, view.number, view.table.corrected.get(number, 0))


def _opening_before(view: DurableView, number: int) -> tuple[int, int] | None:
    """The event that opened the round an event is of, and that round; a correction is of what it corrects."""
    if not 0 < number <= view.number:
        return None
    asked = decode(view.store.read(view.id, number - 1, 1)[0].body).event
    if isinstance(asked, e.RoundCorrected):
        opened = opening_of(view.store, view.id, view.number, asked.round)
        return None if opened is None else (opened, asked.round)
    for stored in backwards(view.store, view.id, number):
        event = decode(stored.body).event
        if isinstance(event, e.BettingOpened):
            return stored.number, event.round
    return None


def _at(listed: Mapping[str, Listed], table: str) -> dict[str, str]:
    """Where a round was played, for its row."""
    title = listed[table].title if table in listed else table
    return {"address": address_of(table), "table": title}


def _row(truth: RoundTruth, clock: Clock) -> dict[str, Any]:
    """A round for a row: as it stands, and what it was before where that is another result."""
    language, outcome = clock.language, truth.outcome
    result, before = outcome_text(language, outcome), before_text(language, truth)
    return {
        "number": truth.number,
        "at": write_moment(language, truth.at, clock.zone),
        "settled": outcome.state == "settled",
        "over": outcome.state in ("settled", "void", "concluded"),
        "winner": outcome.winner,
        "points": outcome.points,
        "result": result,
        "corrected": truth.corrected,
        "before": before if before != result else "",
        "player": " ".join(map(write_card, outcome.player)),
        "banker": " ".join(map(write_card, outcome.banker)),
        "bets": truth.bets,
        "staked": truth.staked,
        "won": truth.won,
        "players": ", ".join(sorted(truth.players)),
    }
