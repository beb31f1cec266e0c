"""The pit: every table at a glance; for each table approvals, interruptions, corrections, bank and set-up.

Two people agree here where the rules want two; each sees first what it would change, player by player.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from lammer.floor.access.grants import DECIDING
from lammer.floor.access.sessions import Session
from lammer.floor.record.registry import Listed
from lammer.floor.tables.approvals import Proposal
from lammer.floor.tables.command_request import CommandRequest, decode_command, named_round
from lammer.floor.tables.preview import house_win
from lammer.floor.tables.stop_switch import ENDS, STOPS_A_TABLE
from lammer.floor.tables.two_people import SecondPerson
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.gaming_day import zone_of, zones_of
from lammer.floor.views.play_today import DayPlay, PlayToday
from lammer.floor.views.viewing import table_seen
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.accounts.accounts_view import GrantLists, grant_lists
from lammer.floor.web.pages.dealer.dealer_view import call_by, phase_now, titles
from lammer.floor.web.pages.dealer.dealing import EVERY_EVENT, viewer_in
from lammer.floor.web.pages.dealer.pit_calls import calls_at, may_answer
from lammer.floor.web.pages.pit import pit_view, pit_wall, set_up
from lammer.floor.web.pages.pit.asked_again import bank_question, set_up_question
from lammer.floor.web.pages.pit.staff import StaffMember, last_acts, staff_members
from lammer.floor.web.pages.rules.book_names import book_choices, book_label, book_name
from lammer.floor.web.pages.site.clocks import Clock
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.commanding import (
    answer_command,
    answer_form,
    as_cards,
    command_by_form,
    staff,
)
from lammer.floor.web.pages.site.frame import choices, role_title
from lammer.floor.web.pages.site.refusing import Pages
from lammer.floor.web.pages.site.site import (
    Req,
    clock_of,
    language_of,
    page,
    refused_page,
    verified_fields,
    whole_number,
)
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c
from lammer.table.setup import HOUSE_ROLES
from lammer.wording.catalogues import say
from lammer.wording.refusals import in_language
from lammer.wording.titles import title_of


class Pit(Pages):
    """Whoever supervises."""

    path = "/pit"

    @get()
    async def glance(self, request: Req) -> Response[str]:
        """All tables; those that need a person first."""
        session = staff(request)
        grants = await _grants(request, session)
        return page(request, "pit.html", grants=grants, **await _glance_values(request, session))

    @get("/-now")
    async def glance_now(self, request: Req) -> Response[str]:
        """The same, swapped in every few seconds."""
        return page(request, "pit_now.html", **await _glance_values(request, staff(request)))

    @get("/-inbox")
    async def inbox(self, request: Req) -> Response[str]:
        """What waits for a second person, at all tables and about accounts."""
        session = staff(request)
        grants = await _grants(request, session)
        return page(request, "pit_inbox.html", grants=grants, **await _inbox_values(request, session))

    @get("/-inbox/now")
    async def inbox_now(self, request: Req) -> Response[str]:
        """The same, swapped in every few seconds."""
        return page(request, "pit_inbox_now.html", **await _inbox_values(request, staff(request)))

    @get("/-staff")
    async def people(self, request: Req) -> Response[str]:
        """Who deals and supervises, who is in, and where each last did something."""
        staff(request)
        tables, authenticator = context_of(request).house.tables, context_of(request).authenticator
        views = [tables.view(name) for name in tables.listed]

        def list_staff() -> list[StaffMember]:
            return staff_members(
                authenticator.accounts.list(), authenticator.sessions.list(), last_acts(views)
            )

        return page(request, "staff.html", people=await asyncio.to_thread(list_staff), listed=tables.listed)

    @get("/{table:str}")
    async def table(self, request: Req, table: FromPath[str]) -> Response[str]:
        """One table: what needs a person, and what a person may do."""
        return await _table(request, table, staff(request))

    @get("/{table:str}/now")
    async def table_now(self, request: Req, table: FromPath[str]) -> Response[str]:
        """The part of it that changes as things happen."""
        return page(request, "pit_table_now.html", **await _table_values(request, table, staff(request)))

    @post("/{table:str}")
    async def ask(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """A command: an interruption resolved, a fill, a correction asked for."""
        session = staff(request)
        if data.get("do") in ("fill_bank", "credit_bank") and "confirmed" not in data:
            return await _ask_of_bank(request, table, data, session)
        return await answer_command(request, table, data, session, partial(_table, request, table, session))

    @post("/{table:str}/approvals")
    async def approve(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """The second person agrees or declines."""
        session = staff(request)
        second = SecondPerson(session.account.name, session.account.role)
        gateway = context_of(request).gateway

        async def work() -> bytes:
            fields = verified_fields(session, data)
            number = str(fields.get("number", ""))[:100]
            if fields.get("answer") == "agree":
                return await gateway.agree(table, number, second)
            await gateway.decline(table, number, second)
            return b"{}"

        return await answer_form(request, data, work, partial(_table, request, table, session))

    @get("/{table:str}/corrections")
    async def corrections(self, request: Req, table: FromPath[str]) -> Response[Any]:
        """The rounds that can still be corrected."""
        page_values = await _table_values(request, table, staff(request))
        past = (await context_of(request).house.tables.seen(table)).table.past.values()
        rounds = [pit_view.earlier_round(past_round) for past_round in reversed(list(past))]
        number = whole_number(request.query_params.get("number", "").strip(), 9)
        if number is not None:
            return Redirect(f"/pit/{quote(table)}/corrections/{number}", status_code=303)
        return page(request, "corrections.html", rounds=rounds, one=None, effect=None, **page_values)

    @get("/{table:str}/corrections/{number:int}")
    async def correction(self, request: Req, table: FromPath[str], number: FromPath[int]) -> Response[str]:
        """One round: what was paid, and what would be if the cards had lain as somebody says."""
        session = staff(request)
        page_values = await _table_values(request, table, session)
        view = await context_of(request).house.tables.seen(table)
        # However long ago: one that is not at hand is read from the record.
        await view.recall(number)
        past = view.table.past_round(number)
        if past is None:
            raise Refused(
                "unknown_round",
                "Round {number} of table {table} cannot be corrected any more, or not yet.",
                next_step="The list says which rounds can.",
                number=number,
                table=table,
            )
        one = pit_view.earlier_round(past)
        asked = _as_it_lay(request, one)
        effect = None
        if asked["tried"]:
            lay = c.CorrectRound(number, asked["player"], asked["banker"], asked["rectifiable"])
            effect = _effect(request, view, session, lay)
        t = partial(say, language_of(request))
        chosen = "yes" if asked["rectifiable"] else "no"
        named = ("player", "banker", "rectifiable")
        key = ".".join(str(part) for part in (number, *(asked[name] for name in named)))
        return page(
            request,
            "corrections.html",
            rounds=[],
            one=one,
            played_by=book_name(language_of(request), view.table.books[one.rulebook]),
            asked=asked,
            rectifiable=choices((("yes", t("yes")), ("no", t("no"))), chosen),
            correction_key=f"{page_values['version']}.correct.{key}",
            correction={"round": number} | {name: asked[name] for name in named},
            effect=effect,
            **page_values,
        )

    @get("/{table:str}/set-up")
    async def setting(self, request: Req, table: FromPath[str]) -> Response[str]:
        """How the table is set up."""
        return await _set_up(request, table, staff(request))

    @post("/{table:str}/set-up")
    async def set_table(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Set it up anew, between rounds."""
        session = staff(request)
        again = partial(_set_up, request, table, session, filled=dict(data))
        if "draw" in data:
            # Nothing is asked of the table yet: the form is drawn for the chosen rulebook.
            return await again()

        async def work() -> bytes:
            context = context_of(request)
            form = verified_fields(session, data)
            view = await context.house.tables.seen(table)
            fields: dict[str, Any] = {"setup": set_up.setup_of_form(view.table, form)}
            if reason := str(form.get("reason", "")).strip():
                fields["reason"] = reason
            return await _ask_set_up(request, table, session, fields)

        if "confirmed" not in data:
            try:
                question = await _set_up_question(request, table, session, data)
            except Refused as refused:
                context_of(request).note_refusal(request, refused)
                return await again(refused)
            if question is not None:
                return question
        return await answer_form(request, data, work, again)

    @get("/{table:str}/set-up/copy")
    async def copying(self, request: Req, table: FromPath[str]) -> Response[str]:
        """The set-up of this table, and the tables it may be copied to."""
        staff(request)
        return page(request, "set_up_copy.html", **await _copy_values(request, table))

    @post("/{table:str}/set-up/copy", status_code=200)
    async def copy_set_up(self, request: Req, table: FromPath[str], data: Form) -> Response[str]:
        """Ask it of each chosen table; each takes it or says why not."""
        session, context = staff(request), context_of(request)
        form = verified_fields(session, data)
        view = await context.house.tables.seen(table)
        fields: dict[str, Any] = {
            "setup": set_up.as_asked(set_up.for_another_table(view.table.require_setup()))
        }
        if view.table.out_of_force:
            fields["reason"] = view.table.out_of_force
        chosen = form.get("to", [])
        results = []
        for name in map(str, chosen if isinstance(chosen, list) else [chosen]):
            listed, why_not = context.house.tables.listed.get(name), None
            try:
                await _ask_set_up(request, name, session, fields)
            except Refused as refused:
                context.note_refusal(request, refused)
                why_not = in_language(language_of(request), refused)
            results.append((listed.title if listed else name, why_not))
        page_values = await _copy_values(request, table) | {"results": results}
        return page(request, "set_up_copy.html", **page_values)


async def _ask_of_bank(request: Req, table: str, form: dict[str, Any], session: Session) -> Response[str]:
    """A fill or a credit once more, with the bank before and after; or why the table refuses it."""
    context = context_of(request)
    view = await context.house.tables.seen(table)
    try:
        asked = command_by_form(request, table, form, session)
        command = decode_command(view.table, asked)
        assert isinstance(command, c.FillBank | c.CreditBank)
        _must_be_taken(request, view, session, command)
    except Refused as refused:
        context.note_refusal(request, refused)
        return await _table(request, table, session, refused)
    title = context.house.tables.listed[table].title
    return page(
        request,
        "asked_again.html",
        **bank_question(view.table, command, title, language_of(request)),
        **_asked_again(request, view, f"/pit/{table}", {"do": asked.do, **asked.fields}),
    )


async def _set_up_question(
    request: Req, table: str, session: Session, form: dict[str, Any]
) -> Response[str] | None:
    """What another set-up would change, to be said once more; None at a table that has none yet."""
    context = context_of(request)
    view = await context.house.tables.seen(table)
    fields = verified_fields(session, form)
    setup = set_up.setup_of_form(view.table, fields)
    if view.table.setup is None:
        return None
    asked = CommandRequest(
        session.account.name, session.account.role, "set_table",
        {"setup": setup, "reason": str(fields.get("reason", "")).strip()},
    )  # fmt: skip
    command = decode_command(view.table, asked)
    assert isinstance(command, c.SetTable)
    _must_be_taken(request, view, session, command)
    title = context.house.tables.listed[table].title
    asked_fields = {name: value for name, value in form.items() if name not in ("csrf", "next", "key")}
    return page(
        request,
        "asked_again.html",
        **set_up_question(context.house.books, view.table.setup, command.setup, title, language_of(request)),
        **_asked_again(request, view, f"/pit/{table}/set-up", asked_fields),
    )


def _must_be_taken(request: Req, view: DurableView, session: Session, command: c.Command) -> None:
    """Refuse what the table would refuse if it were asked now."""
    refused = _effect(request, view, session, command).preview.refused
    if refused is not None:
        raise refused


def _asked_again(request: Req, view: DurableView, action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The form that says yes: everything that was asked, under a key by which it counts once."""
    return {
        "listed": context_of(request).house.tables.listed[view.id],
        "action": action,
        "address": f"/pit/{view.id}",
        "back": action,
        "fields": fields,
        "key": f"{view.id}.{view.number}.{secrets.token_hex(8)}",
    }


async def _ask_set_up(request: Req, table: str, session: Session, fields: dict[str, Any]) -> bytes:
    asked = CommandRequest(session.account.name, session.account.role, "set_table", fields)
    return await context_of(request).gateway.ask(table, asked)


async def _copy_values(request: Req, table: str) -> dict[str, Any]:
    """The set-up to be copied, in words, and the tables it may go to."""
    house, language = context_of(request).house, language_of(request)
    view = await house.tables.seen(table)
    setup = view.table.require_setup()
    others = [listed for listed in house.tables.listed.values() if listed.id != table]
    return {
        "table": table,
        "listed": house.tables.listed[table],
        "address": f"/pit/{table}",
        "book": book_label(house.books, view.table.book, language),
        "setup": setup,
        "limits": set_up.limit_lines(view.table, language),
        "others": [(listed, house.tables.view(listed.id).table.setup == setup) for listed in others],
        "results": [],
    }


def _as_it_lay(request: Req, one: pit_view.EarlierRound) -> dict[str, Any]:
    """The cards somebody says really lay there; at first those of the record."""
    query = request.query_params
    return {
        "tried": "player" in query,
        "player": as_cards(query.get("player", "") or " ".join(one.player))[:40],
        "banker": as_cards(query.get("banker", "") or " ".join(one.banker))[:40],
        "rectifiable": query.get("rectifiable", "yes") == "yes",
    }


async def _grants(request: Req, session: Session) -> GrantLists:
    """What waits for a second person about accounts, for those who decide."""
    if session.account.role not in DECIDING:
        return GrantLists()
    kept = context_of(request).authenticator.grants
    waiting, granted = await asyncio.to_thread(kept.waiting), await asyncio.to_thread(kept.notices)
    return grant_lists(clock_of(request), waiting, granted, session.account)


async def _glance_values(request: Req, session: Session) -> dict[str, Any]:
    """All tables, what waits at any of them, and what the clock did where it left the time."""
    context, language = context_of(request), language_of(request)
    house, now = context.house, context.house.clock.now()
    waiting = await asyncio.to_thread(house.approvals.waiting)
    views = [(listed, house.tables.view(listed.id)) for listed in house.tables.listed.values()]

    def look() -> list[tuple[Listed, DurableView, DayPlay | None]]:
        return [(listed, view, _day_play(context.play_today, view, now)) for listed, view in views]

    counted = house.purses.counted
    stopped = [name for name in house.tables.listed if house.switch.of(name) is not None]
    tables = pit_wall.wall(
        await asyncio.to_thread(look), waiting, now, language, chips_counted=counted, stopped=stopped
    )
    return {
        "tables": tables,
        "zones": zones_of(view for _, view in views),
        "inbox": pit_wall.waiting_lines(waiting, house.tables.listed, now, language),
        "drop_label": say(language, "Drop: chips brought" if counted else "Drop: stakes"),
        "jump": house.clock.jumped(),
        "may_answer": may_answer(session.account.role),
    }


def _day_play(play_today: PlayToday, view: DurableView, now: datetime) -> DayPlay | None:
    """A table's day so far; None where the record cannot be read, and the wall shows the rest."""
    try:
        return play_today.of(view, now)
    except Refused:
        return None


async def _inbox_values(request: Req, session: Session) -> dict[str, Any]:
    """Every request that waits, table by table, each with what it would do."""
    house, language = context_of(request).house, language_of(request)
    by_table: dict[str, list[Proposal]] = {}
    for proposal in await asyncio.to_thread(house.approvals.waiting):
        by_table.setdefault(proposal.table, []).append(proposal)
    views = await house.tables.seen_of(name for name in by_table if name in house.tables.listed)
    inbox = []
    for name, view in views.items():
        proposals = by_table[name]
        requests = await _waiting_requests(
            view, proposals, session.account.name, house.clock.now(), clock_of(request, zone_of(view))
        )
        named = titles(view.table, language)
        inbox.append({"listed": house.tables.listed[name], "requests": requests, "titles": named})
    called_at = [
        {"listed": listed, "calls": calls}
        for listed in house.tables.listed.values()
        if (calls := calls_at(house.tables.view(listed.id).table, house.clock.now(), language))
    ]
    return {"inbox": inbox, "called_at": called_at, "may_answer": may_answer(session.account.role)}


async def _table(request: Req, table: str, session: Session, refused: Refused | None = None) -> Response[str]:
    page_values = await _table_values(request, table, session)
    return refused_page(request, refused, "pit_table.html", **page_values)


async def _table_values(request: Req, table: str, session: Session) -> dict[str, Any]:
    house, language = context_of(request).house, language_of(request)
    view = await house.tables.seen(table)
    proposals = await asyncio.to_thread(house.approvals.of_table, table)
    waiting = [proposal for proposal in proposals if proposal.stands == "waiting"]
    state, t = view.table, partial(say, language)
    seen = table_seen(state, viewer_in(session))
    named = titles(state, language)
    round_seen = seen["round"] if seen["set_up"] else None
    dealing = round_seen is not None and round_seen["phase"] == "dealing"
    answered = [proposal for proposal in proposals if proposal.stands != "waiting"][:5]
    return {
        "table": table,
        "listed": house.tables.listed[table],
        "events": EVERY_EVENT,
        "version": f"{table}.{view.number}",
        "address": f"/pit/{table}",
        "set_up": seen["set_up"],
        "seen": seen,
        "round": round_seen,
        "phase_name": phase_now(t, round_seen) if round_seen is not None else "",
        "option_answers": pit_view.option_answers(
            t, round_seen["options"] if round_seen is not None else None
        ),
        "outcome_bets": pit_view.outcome_named(state, named, language) if dealing else "",
        "troubles": pit_view.troubles_in_full(language, view),
        "waiting": await _waiting_requests(
            view, waiting, session.account.name, house.clock.now(), clock_of(request, zone_of(view))
        ),
        "title": title_of(language, state.book) if state.setup is not None else "",
        "answered": pit_view.answered_before(answered, clock_of(request, zone_of(view))),
        "titles": named,
        "win": house_win(state),
        "bank": state.accounts.get("bank", 0),
        "overdrawn": state.accounts.get("bank", 0) < 0,
        "cards_left": seen["shoe"]["left"] if seen.get("shoe") else "–",
        "resolving": _resolving(request, view, session),
        "put_right_as": pit_view.put_right_as(state),
        "calls": calls_at(state, house.clock.now(), language),
        "may_answer": may_answer(session.account.role),
        "closing_reason": state.closing_reason,
        "two_to_close": house.commands.two_to_close,
        "may_stop": session.account.role in STOPS_A_TABLE,
        "may_end_stop": session.account.role in ENDS,
    }


async def _waiting_requests(
    view: DurableView, waiting: Sequence[Proposal], me: str, at: datetime, clock: Clock
) -> list[pit_view.WaitingRequest]:
    """What waits, each tried with the round it is about at hand, however long ago that was."""
    requests: list[pit_view.WaitingRequest] = []
    for proposal in waiting:
        await view.recall(named_round(proposal.asked))
        requests.append(pit_view.waiting_request(view, proposal, me, at, clock))
    return requests


def _resolving(request: Req, view: DurableView, session: Session) -> pit_view.Effect | None:
    """What resolving the interruption would do, where there is one."""
    this_round = view.table.round
    if this_round is None or not this_round.interrupted:
        return None
    return _effect(request, view, session, c.ResolveInterruption())


def _effect(request: Req, view: DurableView, session: Session, command: c.Command) -> pit_view.Effect:
    """What a command of this person would do now."""
    call = call_by(viewer_in(session), context_of(request).house.clock.now())
    return pit_view.effect_of(view.table, call(command), language_of(request))


async def _set_up(
    request: Req,
    table: str,
    session: Session,
    refused: Refused | None = None,
    filled: dict[str, Any] | None = None,
) -> Response[str]:
    house = context_of(request).house
    view = await house.tables.seen(table)
    fields = set_up.form_fields(view.table)
    why_not = None
    if refused is None and view.table.setup is not None:
        # Said before anything is typed: not during a round, and not by everybody.
        again = c.SetTable(view.table.setup, view.table.out_of_force)
        why_not = _effect(request, view, session, again).preview.refused
    if filled is not None:
        # What was typed stays typed; only the refusal is new.
        fields |= {name: filled.get(name, "") for name in fields if name not in ("readings", "seen")}
    language = language_of(request)
    book = set_up.drawn_for(view.table, fields)
    single_limits = set_up.single_limits(view.table, book, filled or {}, language)
    t = partial(say, language)
    return refused_page(
        request,
        refused,
        "set_up.html",
        table=table,
        listed=house.tables.listed[table],
        address=f"/pit/{table}",
        fields=fields,
        checked={name: fields[name] in (True, "yes") for name in set_up.CHOICES},
        book=book,
        book_label=book_label(house.books, book, language),
        books=book_choices(house.books, book.id, language),
        layouts=set_up.layout_choices(book, fields["layout"], language),
        common_bets=set_up.common_bets(book, language),
        why_not_now=why_not,
        house_roles=choices(
            ((role, role_title(language, role)) for role in HOUSE_ROLES), fields["house_role"]
        ),
        shoes=choices(
            (("virtual", t("a virtual shoe")), ("read", t("a real shoe, read card by card"))), fields["shoe"]
        ),
        may_give_reason=session.account.role == "table_game_shift_manager",
        readings=set_up.readings_of(view.table, language, book, filled),
        single_limits=single_limits,
        has_single_limits=any(least or most for _, _, least, most in single_limits),
    )
