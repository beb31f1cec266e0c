"""Whoever plays: the table with its felt, and everything a player asks of it.

Every action is a plain form: posted by a browser without scripts it answers with the page again, and with the
refusal on it where there is one; posted by `table.js` it answers with the live part of the page alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
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
from lammer.floor.web.pages.felt.felt_pictures import picture, picture_html
from lammer.floor.web.pages.felt.notices import closing_text, correction_notices
from lammer.floor.web.pages.felt.own_bets import (
    Asking,
    clear_commands,
    double_commands,
    must_take_all,
    rebet_commands,
    round_so_far,
    saved_commands,
    undo_command,
)
from lammer.floor.web.pages.felt.paytable import limits_on_sign
from lammer.floor.web.pages.player.felt_page import now, rack
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.commanding import end_of_path
from lammer.floor.web.pages.site.frame import Say
from lammer.floor.web.pages.site.moments import closes, house_moment, milliseconds
from lammer.floor.web.pages.site.site import (
    Req,
    language_of,
    page,
    reader,
    refused_page,
    to_sign_in,
    verified_fields,
    wants_part,
    whole_number,
)
from lammer.floor.web.problems import answer, problem
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_count
from lammer.wording.refusals import in_language, to_you
from lammer.wording.titles import title_of

HINT: Final = "lammer_hint"
EVENTS: Final = (
    "TableSet SeatTaken SeatLeft WalkedAway ShoePrepared ShoeEnded BettingOpened BetPlaced BetIncreased "
    "ChipsBrought ChipsTaken "
    "BetReduced BettingClosed BetCut CardDealt CardOpened WindowOpened WindowPassed InsurancePlaced "
    "InsuranceAnnounced InsuranceDeclined DrawingChosen CardExposed CardsFound CardCorrected "
    "SqueezeRequested SqueezeAnswered RoundSettled RoundVoided RoundConcluded RoundInterrupted "
    "InterruptionResolved CutCardShown WithdrawalClosed IrregularityNoted CardsReconstructed CardsStand "
    "ErrorReported ErrorRejected OptionsOffered OptionChosen OptionsClosed BetsReturned CardDetermined "
    "SettlementReopened RoundCorrected MissedInsuranceOffered InsuranceRepositioned "
    "ShuffleBegun EntropyAdded ShuffleAbandoned"
)
ON_FELT: Final = (
    "TableSet SeatTaken SeatLeft BettingOpened BetPlaced BetIncreased BetReduced BettingClosed BetCut "
    "BetsReturned RoundVoided RoundConcluded"
)
ON_ROADS: Final = "TableSet ShoePrepared RoundSettled RoundVoided RoundCorrected SettlementReopened"

Work = Callable[[AppContext, Session, dict[str, Any]], Awaitable[None]]
FormReader = Callable[[dict[str, Any]], Asking]


def text(form: dict[str, Any], name: str) -> str:
    """A field of a form, as text and of a length somebody may have typed."""
    value = form.get(name, "")
    return value.strip()[:60] if isinstance(value, str) else ""


def number(value: str, name: str) -> int:
    """A small whole number somebody typed or chose."""
    value = value.strip()
    found = whole_number(value, 3)
    if found is None:
        raise Refused(
            "malformed_input",
            "The {name} is {given}.",
            next_step="Choose a box of this table.",
            name=name,
            given=repr(value),
        )
    return found


def box_of(form: dict[str, Any]) -> dict[str, int]:
    """The box a form is for."""
    return {"box": number(text(form, "box"), "box")}


def meant_for(form: dict[str, Any], view: DurableView | None = None) -> dict[str, int]:
    """The round a form's page was showing; where it says none, the one that was looked at, or any."""
    round_number = whole_number(text(form, "round"), 9)
    return {"round": round_number or (view.table.rounds if view is not None else 0)}


def stake(form: dict[str, Any], otherwise: str = "stake") -> str:
    """The amount typed, or else the chip chosen."""
    return (text(form, "other") or text(form, otherwise)).replace(",", "")


def saved_bets(form: dict[str, Any]) -> str:
    """Bets somebody saved, as their page sends them: each a bet and its stake."""
    value = form.get("saved", "")
    return value[:1000] if isinstance(value, str) else ""


def insurance_place(form: dict[str, Any]) -> dict[str, Any]:
    """The box and the hand Insurance is meant for."""
    box, _, hand = text(form, "insure").partition(":")
    return {"box": number(box, "box"), "hand": hand}


def insurance_bet(form: dict[str, Any]) -> dict[str, Any]:
    """The same with the stake, which may stand behind the hand."""
    place = insurance_place(form)
    hand, _, amount = place["hand"].partition(":")
    return place | {"hand": hand, "stake": amount or stake(form)}


def card_place(form: dict[str, Any]) -> dict[str, Any]:
    """The hand and the place of a card."""
    hand, _, place = text(form, "card").partition(":")
    return {"hand": hand, "place": number(place, "place")}


def hand_choice(form: dict[str, Any]) -> dict[str, Any]:
    """Which hand draws or stands."""
    hand, _, does = text(form, "choice").partition(":")
    return {"hand": hand, "draws": does == "draws"}


FORMS: Final[Mapping[str, FormReader]] = {
    "seat": lambda form: ("take_seat", box_of(form)),
    "leave": lambda form: ("leave_seat", {}),
    # Whether staff may bet for them at this table.
    "staff-bets": lambda form: ("allow_staff_bets", {"allowed": text(form, "allowed") == "yes"}),
    "bets": lambda form: (
        "place_bet",
        box_of(form) | {"bet": text(form, "bet"), "stake": stake(form)} | meant_for(form),
    ),
    # Chips from the purse: the amount typed, or the chip chosen.
    "bring": lambda form: ("bring_chips", {"amount": stake(form)}),
    # Chips back into the purse: the amount typed, or all that are here.
    "take": lambda form: ("take_chips", {"amount": stake(form, otherwise="all")}),
    "insurance": lambda form: ("place_insurance", insurance_bet(form) | meant_for(form)),
    # Insurance is coming: the next card waits.
    "announce": lambda form: ("announce_insurance", insurance_place(form)),
    # It is not coming after all.
    "decline": lambda form: ("decline_insurance", insurance_place(form)),
    # The hand they lead draws, or stands.
    "choose": lambda form: ("choose_drawing", hand_choice(form)),
    "option": lambda form: ("choose_option", {"choice": text(form, "choice")}),
    "squeeze": lambda form: ("request_squeeze", {"what": text(form, "what") or "card"}),
    "open": lambda form: ("open_card", card_place(form)),
    # Their own part of the shuffle.
    "shuffle": lambda form: ("add_entropy", {"entropy": text(form, "entropy")}),
}
"""The command each form of the page asks for, by the end of the address it is sent to."""


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

    @get(["/felt", "/roads"])
    async def picture(self, request: Req, table: FromPath[str]) -> Response[Any]:
        if reader(request) is None:
            return to_sign_in(request)
        view = await context_of(request).house.tables.seen(table)
        return picture(request, view, "felt" if end_of_path(request) == "felt" else "roads")

    @post([f"/{name}" for name in FORMS])
    async def ask(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """One command from a form; under the form's key, so that sent twice it counts once."""
        command_of = FORMS[end_of_path(request)]

        async def work(context: AppContext, session: Session, form: dict[str, Any]) -> None:
            do, fields = command_of(form)
            key = text(form, "key")
            # One page may bet on many things: the key is the page's, and what is asked.
            values = "-".join(str(value) for value in fields.values())
            await ask(context, table, session, (do, fields), f"{key}-{do}-{values}" if key else "")

        return await answer_form(request, table, data, work)

    @post(["/undo", "/clear", "/rebet", "/double", "/saved"])
    async def change_bets(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Own bets taken back or made again, by as many commands as it takes.

        Under the form's key they count once: a press whose answer was lost changes nothing when it is sent
        again, though it would by now ask for something else.
        """
        what = end_of_path(request)

        async def work(context: AppContext, session: Session, form: dict[str, Any]) -> None:
            key = f"{sent}-{what}" if (sent := text(form, "key")) else ""
            pressed = CommandRequest(session.account.name, session.account.role, what, {}, key and f"{key}-0")
            if await context.gateway.took(table, pressed):
                return
            view, player = await context.house.tables.seen(table), session.account.name
            box = box_of(form)["box"] if what in ("rebet", "saved") else 0
            view.table.must_mean_this_round(meant_for(form)["round"])
            if what == "undo":
                opened = await context.openings.of(view)
                commands = [undo_command(await round_so_far(view, opened), player)]
            elif what == "clear":
                commands = clear_commands(view.table, player)
            elif what == "double":
                commands = double_commands(view.table, player)
            elif what == "saved":
                commands = saved_commands(saved_bets(form), box)
            else:
                commands = rebet_commands(view.table, player, box)
            if what in ("rebet", "double", "saved"):
                role, at = session.account.role, context.house.clock.now()
                purse = await context.house.purse_of(Viewer(player, role))
                must_take_all(view.table, player, role, commands, purse, at)
            for place, (do, fields) in enumerate(commands):
                asking = do, fields | meant_for(form, view)
                await ask(context, table, session, asking, key and f"{key}-{place}")

        return await answer_form(request, table, data, work)

    @post("/hint")
    async def hint(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Put the hints away for good; nothing else changes."""
        box = box_in(data.get("box"))
        session = reader(request)
        if session is None or not wants_part(request):
            response: Response[Any] = back(table, box)
        else:
            response = await live_part(request, table, session, box, hints=False)
        response.set_cookie(HINT, "off", max_age=31_536_000, httponly=True, samesite="lax")
        return response


def box_in(value: object) -> int | None:
    """A box named in an address or a form, if it is a number."""
    return whole_number(str(value or ""), 3)


async def ask(context: AppContext, table: str, session: Session, asking: Asking, key: str = "") -> None:
    """Ask something of the table as this person."""
    do, fields = asking
    await context.gateway.ask(
        table, CommandRequest(session.account.name, session.account.role, do, fields, key)
    )


async def answer_form(request: Req, table: str, data: dict[str, Any], work: Work) -> Response[Any]:
    """Do what a form asks, and answer as the form was sent: with a page, or with its live part."""
    context, session = context_of(request), reader(request)
    quiet, box = wants_part(request), box_in(data.get("box"))
    if session is None and not quiet:
        return Redirect(f"/sign-in?next=/tables/{quote(table)}", status_code=303)
    try:
        if session is None:
            raise Refused("not_signed_in", "This needs a person who is signed in.", next_step="Sign in.")
        await work(context, session, verified_fields(session, data))
    except Refused as refused:
        return await refuse_at_spot(request, table, box, refused, quiet)
    return await live_part(request, table, session, box) if quiet else back(table, box)


async def refuse_at_spot(
    request: Req, table: str, box: int | None, refused: Refused, quiet: bool
) -> Response[Any]:
    """A refusal, at the spot: on the page, or as a problem for the script to say there."""
    context_of(request).note_refusal(request, refused)
    if (session := reader(request)) is not None and session.account.role == "player":
        refused = to_you(refused, session.account.name)
    if table not in context_of(request).house.tables.live_tables:
        return (
            answer(problem(in_language(language_of(request), refused)))
            if quiet
            else refused_page(request, refused, "no_table.html")
        )
    if not quiet:
        return await table_page(request, table, box, refused)
    at = context_of(request).house.tables.view(table).table
    book = at.book if at.setup is not None else None
    return answer(problem(in_language(language_of(request), refused, book)))


def back(table: str, box: int | None) -> Redirect:
    """To the table again, at the box the form was for."""
    return Redirect(f"/tables/{quote(table)}" + (f"?box={box}" if box is not None else ""), status_code=303)


async def live_values(
    request: Req, view: DurableView, session: Session, box: int | None, hints: bool = True
) -> dict[str, Any]:
    """The live part as this person sees it, and when it closes."""
    context = context_of(request)
    viewer = Viewer(session.account.name, session.account.role)
    opened = await context.openings.of(view)
    listed = context.house.tables.listed[view.id]
    corrected = await correction_notices(
        context.corrections, view, context.marks, viewer.name, language_of(request)
    )
    purse = await context.house.purse_of(viewer, view)
    # From here on nothing is waited for: all of the page is of one moment.
    values = now(view, viewer, language_of(request), box, purse, context.house.purses.counted)
    closing = closing_text(view.table, language_of(request))
    until = closes(view.table, opened, listed.pace)
    return values | {
        "version": view.number,
        "closes": milliseconds(until[0]) if until else None,
        "lasts": int(until[1] * 1000) if until else None,
        "left": max(0, round((until[0] - context.house.clock.now()).total_seconds())) if until else None,
        "notice": " ".join(filter(None, (corrected, closing, values["notice"]))),
        "corrected": context.corrections.latest(view.id),
        # Both lie in the same place; what was corrected, or that the table closes, comes first.
        "hint": values["hint"]
        if hints and not corrected and not closing and request.cookies.get(HINT) != "off"
        else "",
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


def shortcuts(t: Say) -> list[tuple[str, str]]:
    """The keys of the page and what each does; `aria-keyshortcuts` of the buttons says the same."""
    return [
        ("B P T", t("Bet")),
        ("1–6", t("Chip")),
        ("U", t("Undo")),
        ("R", t("Same again")),
        ("D", t("Double")),
        ("I", t("Insure for the most")),
        ("N", t("No Insurance")),
    ]


async def live_part(
    request: Req, table: str, session: Session, box: int | None, hints: bool = True
) -> Response[Any]:
    """The live part of the page alone."""
    view = await context_of(request).house.tables.seen(table)
    if view.table.setup is None:
        return page(request, "not_set_up.html")
    live = await live_values(request, view, session, box, hints)
    response = page(request, "table_now.html", now=live, whole=False)
    response.headers["X-Version"] = str(live["version"])
    response.headers["X-Now"] = str(house_moment(context_of(request).house))
    return response


async def table_page(
    request: Req, table: str, box: int | None, refused: Refused | None = None
) -> Response[Any]:
    """The whole page of a table, with the refusal on it where there was one."""
    context, session = context_of(request), reader(request)
    assert session is not None
    try:
        view = await context.house.tables.seen(table)
    except Refused as no_table:
        return refused_page(request, no_table, "no_table.html")
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
        "moment": house_moment(context.house),
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
            "shortcuts": shortcuts(partial(say, language)),
            "key": secrets.token_hex(8),
            "felt": picture_html(context_of(request), view, "felt", language).decode(),
            "roads": picture_html(context_of(request), view, "roads", language).decode(),
        }
    book = view.table.book if view.table.setup is not None else None
    return refused_page(request, refused, "table.html", rulebook=book, **page_values)
