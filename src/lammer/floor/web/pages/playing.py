"""Whoever plays: the table with its felt, and everything a player asks of it.

Every action is a plain form: posted by a browser without scripts it answers with the page again, and with the
refusal on it where there is one; posted by `table.js` it answers with the live part of the page alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from litestar import Controller, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from lammer.floor.access.sessions import Session
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import Viewer
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.pages.coming_in import Form
from lammer.floor.web.pages.felt_page import now, rack
from lammer.floor.web.pages.felt_pictures import picture, picture_html
from lammer.floor.web.pages.moments import closes, moments_of
from lammer.floor.web.pages.own_bets import Asking, clear_commands, rebet_commands, round_so_far, undo_command
from lammer.floor.web.pages.paytable import limits_on_sign
from lammer.floor.web.pages.site import Req, language_of, page, reader, to_sign_in, verified_fields
from lammer.floor.web.problems import answer, problem
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language
from lammer.wording.figures import write_count
from lammer.wording.refusals import in_language
from lammer.wording.titles import title_of

QUIET: Final = "x-lammer"
"""A request header: answer with the live part of the page, or with a problem, and no page around it."""
HINT: Final = "lammer_hint"
EVENTS: Final = (
    "TableSet SeatTaken SeatLeft WalkedAway ShoePrepared ShoeEnded BettingOpened BetPlaced BetIncreased "
    "ChipsBrought ChipsTaken "
    "BetReduced BettingClosed BetCut CardDealt CardOpened WindowOpened WindowPassed InsurancePlaced "
    "InsuranceAnnounced InsuranceDeclined CardExposed CardsFound CardCorrected "
    "SqueezeRequested SqueezeAnswered RoundSettled RoundVoided RoundConcluded RoundInterrupted "
    "InterruptionResolved CutCardShown WithdrawalClosed IrregularityNoted CardsReconstructed CardsStand "
    "ErrorReported ErrorRejected OptionsOffered OptionChosen OptionsClosed BetsReturned CardDetermined "
    "SettlementReopened RoundCorrected MissedInsuranceOffered InsuranceRepositioned"
)
ON_FELT: Final = (
    "TableSet SeatTaken SeatLeft BettingOpened BetPlaced BetIncreased BetReduced BettingClosed BetCut "
    "BetsReturned RoundVoided RoundConcluded"
)
ON_ROADS: Final = "TableSet ShoePrepared RoundSettled RoundVoided RoundCorrected SettlementReopened"

Work = Callable[[AppContext, Session, dict[str, Any]], Awaitable[None]]


class Playing(Controller):
    """The table as players and onlookers see it."""

    include_in_schema = False
    path = "/tables/{table:str}"

    @get()
    async def table(self, request: Req, table: FromPath[str]) -> Response[Any]:
        if reader(request) is None:
            return to_sign_in(request)
        return await table_page(request, table, box_in(request.query_params.get("box")))

    @get("/now")
    async def live(self, request: Req, table: FromPath[str]) -> Response[Any]:
        session = reader(request)
        if session is None:
            return to_sign_in(request)
        return await live_part(request, table, session, box_in(request.query_params.get("box")))

    @get("/felt")
    async def felt(self, request: Req, table: FromPath[str]) -> Response[Any]:
        if reader(request) is None:
            return to_sign_in(request)
        return picture(request, await context_of(request).house.tables.seen(table), "felt")

    @get("/roads")
    async def roads(self, request: Req, table: FromPath[str]) -> Response[Any]:
        if reader(request) is None:
            return to_sign_in(request)
        return picture(request, await context_of(request).house.tables.seen(table), "roads")

    @post("/seat")
    async def sit(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        return await ask_from_form(
            request, table, data, lambda form: ("take_seat", {"box": number(form, "box")})
        )

    @post("/leave")
    async def leave(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        return await ask_from_form(request, table, data, lambda form: ("leave_seat", {}))

    @post("/staff-bets")
    async def staff_bets(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Whether staff may bet for them at this table."""

        def command_of(form: dict[str, Any]) -> Asking:
            return "allow_staff_bets", {"allowed": text(form, "allowed") == "yes"}

        return await ask_from_form(request, table, data, command_of)

    @post("/bets")
    async def bet(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        def command_of(form: dict[str, Any]) -> Asking:
            fields = {"box": number(form, "box"), "bet": text(form, "bet"), "stake": stake(form)}
            return "place_bet", fields | meant_for(form)

        return await ask_from_form(request, table, data, command_of)

    @post("/bring")
    async def bring(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Chips from the purse: the amount typed, or the chip chosen."""
        return await ask_from_form(
            request, table, data, lambda form: ("bring_chips", {"amount": stake(form)})
        )

    @post("/take")
    async def take(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Chips back into the purse: the amount typed, or all that are here."""

        def command_of(form: dict[str, Any]) -> Asking:
            return "take_chips", {"amount": (text(form, "other") or text(form, "all")).replace(",", "")}

        return await ask_from_form(request, table, data, command_of)

    @post("/insurance")
    async def insure(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        def command_of(form: dict[str, Any]) -> Asking:
            box, _, rest = text(form, "insure").partition(":")
            hand, _, amount = rest.partition(":")
            fields = {"box": number({"box": box}, "box"), "hand": hand, "stake": amount or stake(form)}
            return "place_insurance", fields | meant_for(form)

        return await ask_from_form(request, table, data, command_of)

    @post("/announce")
    async def announce(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Insurance is coming: the next card waits."""
        return await ask_from_form(
            request, table, data, lambda form: ("announce_insurance", insurance_place(form))
        )

    @post("/decline")
    async def decline(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """It is not coming after all."""
        return await ask_from_form(
            request, table, data, lambda form: ("decline_insurance", insurance_place(form))
        )

    @post("/option")
    async def option(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        return await ask_from_form(
            request, table, data, lambda form: ("choose_option", {"choice": text(form, "choice")})
        )

    @post("/squeeze")
    async def squeeze(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        return await ask_from_form(
            request, table, data, lambda form: ("request_squeeze", {"what": text(form, "what") or "card"})
        )

    @post("/open")
    async def turn(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        def command_of(form: dict[str, Any]) -> Asking:
            hand, _, place = text(form, "card").partition(":")
            return "open_card", {"hand": hand, "place": number({"place": place}, "place")}

        return await ask_from_form(request, table, data, command_of)

    @post("/undo")
    async def undo(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        async def work(context: AppContext, session: Session, form: dict[str, Any]) -> None:
            view = await context.house.tables.seen(table)
            view.table.require_round()
            opened = await moments_of(context.house).of(view)
            story = await round_so_far(view, opened)
            view.table.must_mean_this_round(meant_for(form)["round"])
            do, fields = undo_command(story, session.account.name)
            await ask(context, table, session, (do, fields | meant_for(form, view)))

        return await answer_form(request, table, data, work)

    @post("/clear")
    async def clear(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        async def work(context: AppContext, session: Session, form: dict[str, Any]) -> None:
            view = await context.house.tables.seen(table)
            view.table.must_mean_this_round(meant_for(form)["round"])
            for do, fields in clear_commands(view.table, session.account.name):
                await ask(context, table, session, (do, fields | meant_for(form, view)))

        return await answer_form(request, table, data, work)

    @post("/rebet")
    async def rebet(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        async def work(context: AppContext, session: Session, form: dict[str, Any]) -> None:
            view, box = await context.house.tables.seen(table), number(form, "box")
            view.table.must_mean_this_round(meant_for(form)["round"])
            for do, fields in rebet_commands(view.table, session.account.name, box):
                await ask(context, table, session, (do, fields | meant_for(form, view)))

        return await answer_form(request, table, data, work)

    @post("/hint")
    async def hint(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Put the hints away for good; nothing else changes."""
        box = box_in(data.get("box"))
        session = reader(request)
        if session is None or QUIET not in request.headers:
            response: Response[Any] = back(table, box)
        else:
            response = await live_part(request, table, session, box, hints=False)
        response.set_cookie(HINT, "off", max_age=31_536_000, httponly=True, samesite="lax")
        return response


def text(form: dict[str, Any], name: str) -> str:
    """A field of a form, as text and of a length somebody may have typed."""
    value = form.get(name, "")
    return value.strip()[:60] if isinstance(value, str) else ""


def number(form: dict[str, Any], name: str) -> int:
    """A field of a form that is a small whole number."""
    value = text(form, name)
    if not (value.isascii() and value.isdigit() and len(value) < 4):
        raise Refused(
            "malformed_input",
            "The {name} is {given}.",
            next_step="Choose a box of this table.",
            name=name,
            given=repr(value),
        )
    return int(value)


def meant_for(form: dict[str, Any], view: DurableView | None = None) -> dict[str, int]:
    """The round a form's page was showing; where it says none, the one that was looked at, or any."""
    digits = text(form, "round")
    round_number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
    return {"round": round_number or (view.table.rounds if view is not None else 0)}


def insurance_place(form: dict[str, Any]) -> dict[str, Any]:
    """The box and the hand Insurance is meant for."""
    box, _, hand = text(form, "insure").partition(":")
    return {"box": number({"box": box}, "box"), "hand": hand}


def stake(form: dict[str, Any]) -> str:
    """The amount typed, or else the chip chosen."""
    return (text(form, "other") or text(form, "stake")).replace(",", "")


def box_in(value: object) -> int | None:
    """A box named in an address or a form, if it is a number."""
    digits = str(value or "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 else None


async def ask(context: AppContext, table: str, session: Session, asking: Asking, key: str = "") -> None:
    """Ask something of the table as this person."""
    do, fields = asking
    await context.gateway.ask(
        table, CommandRequest(session.account.name, session.account.role, do, fields, key)
    )


async def ask_from_form(
    request: Req, table: str, data: dict[str, Any], command_of: Callable[[dict[str, Any]], Asking]
) -> Response[Any]:
    """One command from a form; under the form's key, so that sent twice it counts once."""

    async def work(context: AppContext, session: Session, form: dict[str, Any]) -> None:
        do, fields = command_of(form)
        key = text(form, "key")
        # One page may bet on many things: the key is the page's, and what is asked.
        values = "-".join(str(value) for value in fields.values())
        await ask(context, table, session, (do, fields), f"{key}-{do}-{values}" if key else "")

    return await answer_form(request, table, data, work)


async def answer_form(request: Req, table: str, data: dict[str, Any], work: Work) -> Response[Any]:
    """Do what a form asks, and answer as the form was sent: with a page, or with its live part."""
    context, session = context_of(request), reader(request)
    quiet, box = QUIET in request.headers, box_in(data.get("box"))
    if session is None and not quiet:
        return Redirect(f"/sign-in?next=/tables/{quote(table)}", status_code=303)
    try:
        if session is None:
            raise Refused("not_signed_in", "This needs a person who is signed in.", next_step="Sign in.")
        context.gateway.must_be_open(table)
        await work(context, session, verified_fields(session, data))
    except Refused as refused:
        return await refuse_at_spot(request, table, box, refused, quiet)
    return await live_part(request, table, session, box) if quiet else back(table, box)


async def refuse_at_spot(
    request: Req, table: str, box: int | None, refused: Refused, quiet: bool
) -> Response[Any]:
    """A refusal, at the spot: on the page, or as a problem for the script to say there."""
    problem_details = problem(in_language(language_of(request), refused))
    context_of(request).note_refusal(request, refused)
    if quiet:
        return answer(problem_details)
    if table not in context_of(request).house.tables.live_tables:
        return page(request, "no_table.html", status=problem_details.status, problem=problem_details)
    return await table_page(request, table, box, problem=problem_details, status=problem_details.status)


def back(table: str, box: int | None) -> Redirect:
    """To the table again, at the box the form was for."""
    return Redirect(f"/tables/{quote(table)}" + (f"?box={box}" if box is not None else ""), status_code=303)


async def live_values(
    request: Req, view: DurableView, session: Session, box: int | None, hints: bool = True
) -> dict[str, Any]:
    """The live part as this person sees it, and when it closes."""
    context = context_of(request)
    viewer = Viewer(session.account.name, session.account.role)
    opened = await moments_of(context.house).of(view)
    listed = context.house.tables.listed[view.id]
    purse = await context.house.purse_of(viewer)
    values = now(view, viewer, language_of(request), box, purse, context.house.purses.counted)
    until = closes(view.table.round, opened, listed.pace)
    moment = context.house.clock.now().timestamp()
    return values | {
        "deals_itself": listed.pace is not None,
        "closes": int(until[0].timestamp() * 1000) if until else None,
        "lasts": int(until[1] * 1000) if until else None,
        "left": max(0, round(until[0].timestamp() - moment)) if until else None,
        "hint": values["hint"] if hints and request.cookies.get(HINT) != "off" else "",
    }


@dataclass(frozen=True, slots=True)
class RackChip:
    """A chip to choose: its worth, how it is read, and whether that is long for a chip."""

    worth: int
    label: str
    long: bool
    chosen: bool


def chips_in_rack(language: Language, worths: tuple[int, ...]) -> list[RackChip]:
    """The chips to choose from; at first the second is chosen, where there are more than two.

    >>> [chip.label for chip in chips_in_rack("en", (10, 500, 1000)) if chip.chosen]
    ['500']
    """
    first = 1 if len(worths) > 2 else 0
    return [
        RackChip(worth, write_count(language, worth), worth > 999, place == first)
        for place, worth in enumerate(worths)
    ]


async def live_part(
    request: Req, table: str, session: Session, box: int | None, hints: bool = True
) -> Response[Any]:
    """The live part of the page alone."""
    view = await context_of(request).house.tables.seen(table)
    version = view.number
    if view.table.setup is None:
        return page(request, "not_set_up.html")
    live = await live_values(request, view, session, box, hints)
    response = page(request, "table_now.html", now=live, whole=False)
    response.headers["X-Version"] = str(version)
    response.headers["X-Now"] = str(int(context_of(request).house.clock.now().timestamp() * 1000))
    return response


async def table_page(request: Req, table: str, box: int | None, **more_values: Any) -> Response[Any]:
    """The whole page of a table."""
    context, session = context_of(request), reader(request)
    assert session is not None
    try:
        view = await context.house.tables.seen(table)
    except Refused as refused:
        problem_details = problem(in_language(language_of(request), refused))
        return page(request, "no_table.html", status=problem_details.status, problem=problem_details)
    language = language_of(request)
    listed = context.house.tables.listed[table]
    page_values: dict[str, Any] = {
        "table": table,
        # A form answers at an address of its own; whoever changes the language there comes back to the table.
        "path": f"/tables/{quote(table)}" + (f"?box={box}" if box is not None else ""),
        "title": listed.title,
        "events": EVENTS,
        "on_felt": ON_FELT,
        "on_roads": ON_ROADS,
        "moment": int(context.house.clock.now().timestamp() * 1000),
        "set_up": view.table.setup is not None,
    }
    if view.table.setup is not None:
        at = view.table
        live = await live_values(request, view, session, box)
        page_values |= {
            "now": live,
            "whole": True,
            "query": f"?box={live['box']}" if live["box"] else "",
            "game": title_of(language, at.book),
            "layout": at.require_setup().layout,
            "limits": limits_on_sign(at, language),
            "rack": chips_in_rack(language, rack(at)),
            "key": secrets.token_hex(8),
            "felt": picture_html(context_of(request), view, "felt", language).decode(),
            "roads": picture_html(context_of(request), view, "roads", language).decode(),
        }
    return page(request, "table.html", **(page_values | more_values))
