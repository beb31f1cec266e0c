"""The dealer's console: one screen for a whole round, keyboard first.

The next lawful step stands out; every other step is there too and says why it may not be taken now. Bets may
be placed for players who ask, and one key leads to what to do when something is wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from lammer.floor.access.sessions import Session
from lammer.floor.views.viewing import Viewer, last_settled, table_seen
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.dealer import dealer_view
from lammer.floor.web.pages.dealer.paying import last_pay_list
from lammer.floor.web.pages.dealer.pit_calls import calls_at, reasons
from lammer.floor.web.pages.felt.notices import corrections_to_settle, notice_text
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.commanding import (
    answer_form,
    ask_by_form,
    box_named,
    command_by_form,
    end_of_path,
    split_cards,
    staff,
)
from lammer.floor.web.pages.site.frame import choices, sides
from lammer.floor.web.pages.site.moments import closes, house_moment
from lammer.floor.web.pages.site.refusing import Pages
from lammer.floor.web.pages.site.site import Req, language_of, page, refused_page, whole_number
from lammer.game.cards import parse_cards
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES
from lammer.table.journal import EVENTS
from lammer.table.ledger import player as account_of
from lammer.table.seating import must_have_box
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.titles import title_of

EVERY_EVENT: Final = " ".join(EVENTS)
"""Every event a stream may send."""


STEPS_CHANGE: Final = " ".join(
    name for name in EVENTS if name not in ("BetPlaced", "BetIncreased", "BetReduced", "InsurancePlaced")
)
"""Events after which something else may be done; chips put down change the felt and no step."""
SQUEEZES: Final = {
    "card": "to squeeze the cards to come",
    "squeeze_banker_third_first": "to squeeze the Banker’s third card first",
    "expose_banker_third_first": "to have the Banker’s third card opened first",
}
"""What a player may ask of the House."""
FILLED: Final = ("player", "box", "bet", "hand", "stake", "buy_in", "card")
"""What a link on the console, or a form that was refused, may fill into its forms."""
FOR_WHO_SITS_THERE: Final = frozenset(
    (
        "place_bet", "withdraw_bet", "leave_seat", "place_insurance", "announce_insurance",
        "decline_insurance",
    )
)  # fmt: skip
"""Commands for which a box is enough: they are for whoever sits there."""
BRINGS_SOMEBODY: Final = frozenset(("take_seat", "place_bet"))
"""Commands that would make a player of a name nobody has."""


def viewer_in(session: Session) -> Viewer:
    """Whoever is signed in, as somebody who looks at a table."""
    return Viewer(session.account.name, session.account.role)


class Dealing(Pages):
    """The dealer's pages of a table."""

    path = "/tables/{table:str}/deal"

    @get()
    async def console(self, request: Req, table: FromPath[str]) -> Response[str]:
        """The whole screen."""
        return await console(request, table, staff(request))

    @get(["/now", "/steps", "/felt"])
    async def region(self, request: Req, table: FromPath[str]) -> Response[str]:
        """What comes next; every step, and why not; cards, chips and what is paid.

        Each is swapped in whenever something happens, and says the number of the event it shows.
        """
        region = end_of_path(request)
        page_values = await console_values(
            request, table, staff(request), now=region != "felt", felt=region == "felt"
        )
        response = page(request, f"dealer_{region}.html", **page_values)
        response.headers["X-Version"] = str(page_values["number"])
        response.headers["X-Now"] = str(house_moment(context_of(request).house))
        return response

    @post()
    async def ask(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """A step, a bet for a player, cards: whatever the form says."""
        session = staff(request)
        again = partial(console, request, table, session, typed=data)
        return await answer_form(request, data, partial(ask_at_desk, request, table, data, session), again)


async def ask_at_desk(request: Req, table: str, form: dict[str, Any], session: Session) -> bytes:
    """Ask of a table what a form of the console says.

    A box stands for whoever sits there; a name nobody has, and a bet on somebody else's box, are asked about
    first; and several cards are dealt one after the other.
    """
    view = await context_of(request).house.tables.seen(table)
    fields, state = dict(form), view.table
    is_new, is_back_bet = "new_player" in fields, "back_bet" in fields
    do = str(fields.get("do", ""))
    do = fields["do"] = str(fields.pop("new_player", fields.pop("back_bet", do)))
    player, box = (str(fields.get(name, "")).strip() for name in ("player", "box"))
    if state.setup is not None and do in FOR_WHO_SITS_THERE and box and not player:
        player = fields["player"] = player_at(state, box)
    if state.setup is not None and do in BRINGS_SOMEBODY and player:
        if box:
            must_have_box(state, box_number(state, box))
        if not is_new:
            await must_be_known(request, state, session, player, box)
            if do == "place_bet" and box and not is_back_bet:
                must_be_own_box(state, player, box)
        elif do == "place_bet" and box and box_number(state, box) not in state.boxes:
            key = str(fields.get("key", ""))
            seat = {**fields, "do": "take_seat", "key": f"{key}.seat" if key else ""}
            await ask_by_form(request, table, seat, session)
        if is_new:
            await buy_in(request, table, state, fields, session)
    if do == "deal_card":
        return await deal_cards(request, table, form, session)
    try:
        return await ask_by_form(request, table, fields, session)
    except Refused as refused:
        if refused.code == "no_seated_player":
            raise Refused(
                "no_seated_player",
                "Nobody sits at box {box}.",
                refused.citation,
                next_step="Seat the player first.",
                box=box[:20],
            ) from refused
        if refused.code == "nothing_announced":
            raise Refused(
                "nothing_announced",
                "{player} has not said that they will insure there.",
                refused.citation,
                next_step="Nothing has to be recorded: the next card closes Insurance.",
                player=player[:60],
            ) from refused
        bet = str(refused.values.get("bet", ""))
        if state.setup is not None and bet in state.book.bets:
            # Read by a person: the bet by its title on the felt.
            title = title_of(language_of(request), state.book.bets[bet])
            refused.values = {**refused.values, "bet": title}
        raise


async def buy_in(request: Req, table: str, state: Table, form: dict[str, Any], session: Session) -> None:
    """Bring the chips a new player buys in for; without an amount the first bet brings them."""
    amount, player = str(form.get("buy_in", "")).strip(), str(form["player"]).strip()
    if not amount or not context_of(request).house.purses.counted or account_of(player) in state.accounts:
        return
    key = str(form.get("key", ""))
    chips = {**form, "do": "bring_chips", "amount": amount, "key": f"{key}.chips" if key else ""}
    await ask_by_form(request, table, chips, session)


def box_number(table: Table, box: str) -> int:
    """The number of a box, by what is written on it; 0 where that is no number."""
    setup = table.require_setup()
    return whole_number(box_named(setup, box) if setup.box_names else box, 9) or 0


def must_be_own_box(table: Table, player: str, box: str) -> None:
    """Ask before the first bet of a round that somebody has on a box where another sits."""
    number, this_round = box_number(table, box), table.round
    sitting = table.boxes.get(number)
    bets_there = this_round is not None and any(
        (player, number) == (better, at) for better, at, _ in this_round.by_place
    )
    if sitting in (None, player) or bets_there:
        return
    raise Refused(
        "back_bet_meant",
        "{seated} sits at box {box}: a back bet by {player} on box {box}?",
        table.cite("standing_player"),
        next_step="If it is, say so; otherwise put the name or the box right.",
        seated=sitting,
        player=player[:60],
        box=box[:20],
    )


def player_at(table: Table, box: str) -> str:
    """Who sits at a box, by what is written on it."""
    number = box_number(table, box)
    if number not in table.boxes:
        raise Refused(
            "no_seated_player",
            "Nobody sits at box {box}.",
            table.cite("seated_player"),
            next_step="Name the player, or seat them first.",
            box=box[:20],
        )
    return table.boxes[number]


async def must_be_known(request: Req, table: Table, session: Session, player: str, box: str) -> None:
    """Refuse a name that nobody at this table and no account has: a slip must not make a player of it.

    The question says what the bet would be, so that one answer does it: a back bet, or a seat and the bet.
    """
    if player in dealer_view.people_known(table_seen(table, viewer_in(session))):
        return
    accounts = context_of(request).authenticator.accounts
    account = await asyncio.to_thread(accounts.find, player)
    if account is None or (account.name, account.role) != (player, "player"):
        sitting = table.boxes.get(box_number(table, box)) if box else None
        if not box:
            raise Refused(
                "unknown_player",
                "There is nobody called {player} here.",
                next_step="Add them as a new player?",
                player=player[:60],
            )
        if sitting is None:
            raise Refused(
                "unknown_player",
                "There is nobody called {player} here.",
                next_step="Add them as a new player? They sit down at box {box}.",
                player=player[:60],
                box=box[:20],
            )
        raise Refused(
            "unknown_player",
            "There is nobody called {player} here.",
            next_step="Add them as a new player? {seated} sits at box {box}: it would be a back bet.",
            player=player[:60],
            box=box[:20],
            seated=sitting,
        )


async def deal_cards(request: Req, table: str, form: dict[str, Any], session: Session) -> bytes:
    """Deal the cards of a line, in their order, each as a request of its own; the form keeps what is left.

    A card that was typed before Insurance came on offer waits until it has been offered: `behind` says so of
    the first, and all that follow it on the line are. One that was dealt under its key already, and is sent
    again because no answer came, does not wait: it is told its answer.
    """
    cards, key = split_cards(str(form.get("card", ""))), str(form.get("key", ""))
    if len(cards) > 1:
        parse_cards(cards)
    context, reply = context_of(request), b""
    for place, card in enumerate(cards or [""]):
        form["card"] = " ".join(cards[place:])
        card_form = form | {"card": card, "key": f"{key}.{place}" if key and place else key}
        command = command_by_form(request, table, card_form, session)
        if (place or form.get("behind")) and not await context.gateway.took(table, command):
            await must_not_pass_insurance(request, table, cards[place:])
        reply = await context.gateway.ask(table, command)
    return reply


async def must_not_pass_insurance(request: Req, table: str, cards: Sequence[str]) -> None:
    """Refuse cards that would close Insurance before anybody who may take it was asked."""
    state = (await context_of(request).house.tables.seen(table)).table
    if state.round is not None and state.round.window is not None and dealer_view.insurable(state):
        raise Refused(
            "insurance_comes_first",
            "Insurance is on offer now: {cards} was not dealt.",
            state.cite("insurance_windows"),
            next_step="Offer it, then deal {cards}.",
            cards=" ".join(cards),
        )


async def console(
    request: Req,
    table: str,
    session: Session,
    refused: Refused | None = None,
    typed: Mapping[str, Any] | None = None,
) -> Response[str]:
    """The dealer's screen; where there was a refusal, that and what had been typed."""
    filled = dict(typed) if typed is not None else dict(request.query_params)
    if filled.get("do", "deal_card") != "deal_card":
        # The card of another form, which is not about to be dealt.
        filled.pop("card", None)
    page_values = await console_values(request, table, session, typed=filled)
    code = refused.code if refused is not None else ""
    page_values["new_player"] = filled["do"] if code == "unknown_player" else ""
    page_values["back_bet"] = filled["do"] if code == "back_bet_meant" else ""
    return refused_page(request, refused, "dealer.html", **page_values)


def pit_call_values(table: str, language: Language) -> dict[str, Any]:
    """What the form that calls the pit needs, on every page of whoever deals."""
    return {
        "pit_key": dealer_view.KEYS["pit"],
        "pit_reasons": reasons(language),
        "deal_address": f"/tables/{table}/deal",
    }


async def console_values(
    request: Req,
    table: str,
    session: Session,
    *,
    now: bool = True,
    felt: bool = True,
    typed: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """What the dealer's screen shows, or the part of it that is asked for."""
    house = context_of(request).house
    view = await house.tables.seen(table)
    viewer, language = viewer_in(session), language_of(request)
    state = view.table
    filled = {name: str(typed.get(name, ""))[:60] for name in FILLED}
    page_values: dict[str, Any] = {
        "table": table,
        "listed": house.tables.listed[table],
        "events": EVERY_EVENT,
        "number": view.number,
        "address": f"/tables/{table}/deal",
        "notice": notice_text(state, language),
        "counted": house.purses.counted,
        "set_up": None,
    }
    if state.setup is None:
        return page_values
    seen = table_seen(state, viewer)
    page_values |= {
        "seen": seen,
        "set_up": seen["set_up"],
        "round": seen["round"],
        "steps_change": STEPS_CHANGE,
        "keys": dealer_view.KEYS,
        "key_fields": [
            (action, say(language, dealer_view.KEY_LABELS[action]), key)
            for action, key in dealer_view.KEYS.items()
        ],
        "box_name": state.setup.box_name,
        **pit_call_values(table, language),
        "squeezes": choices((name, say(language, words)) for name, words in SQUEEZES.items()),
        "filled": filled,
        "bets": choices(
            ((bet.name, title_of(language, bet)) for bet in state.book.offered(state.layout)), filled["bet"]
        ),
        "hand_choices": choices(
            ((side, sides(language)[side].label) for side in SIDES),
            filled["hand"] or dealer_view.offered_hand(state, seen["round"] or {}),
        ),
    }
    if now:
        moment = house.clock.now()
        page_values |= dealer_view.now(view, seen, dealer_view.call_by(viewer, moment), language)
        context = context_of(request)
        opened = await context.openings.of(view)
        until = closes(state, opened, house.tables.listed[table].pace)
        page_values["timer"] = dealer_view.betting_timer(state, opened, until, moment)
        page_values["corrected"] = await corrections_to_settle(
            context.corrections, view, context.marks, language
        )
        page_values["calls"] = calls_at(state, moment, language)
    if felt:
        pay_list = last_pay_list(state, last_settled(state, viewer))
        page_values |= dealer_view.felt(state, seen, pay_list, language)
    return page_values
