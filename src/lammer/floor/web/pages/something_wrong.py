"""One key for "something is wrong": what happened in plain words, then the rule's own steps.

The page says what the table's document provides, who decides each step, whether an outcome stands, what would
follow now and what the players may choose. It decides nothing itself: each button is a command.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final

from litestar import Controller, Response, get, post
from litestar.params import FromPath

from lammer.floor.access.sessions import Session
from lammer.floor.record.revealed import HIDDEN
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import table_seen
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.coming_in import Form
from lammer.floor.web.pages.commanding import answered, ask_by_form, staff
from lammer.floor.web.pages.dealer_view import calling, one_card, titles
from lammer.floor.web.pages.dealing import TOLD, viewer_in
from lammer.floor.web.pages.refusing import said
from lammer.floor.web.pages.site import Req, language_of, page
from lammer.floor.web.pages.what_happened import ASKS, GROUPS, PLAIN, RECORDED, Ask
from lammer.floor.web.problems import problem
from lammer.rulebook.model import Irregularity
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side
from lammer.table import commands as c
from lammer.table.irregularities import consequences
from lammer.table.play import decide
from lammer.table.roles import irregularity
from lammer.table.script import command_of
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.events import EFFECTS, preview_sentences
from lammer.wording.refusals import in_language
from lammer.wording.rules import gist_of, irregularity_title

BOTH_READ: Final = ("swapped_hands", "excess_cards", "wrong_number_of_cards")
"""Irregularities that are put right by putting the cards into their intended order."""

TYPED: Final = ("expose_card", "note_swapped_cards", "correct_card")
"""Commands for cards that are typed or scanned; a virtual shoe knows what it dealt."""

CORRECTED: Final = ("broke_table_of_play", "earlier_rounds", "late_noticed_error")
"""Irregularities of rounds that are over: they are put right on the pit's page of corrections."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A card as it lies and as it is meant to lie; no hand means that it goes to the next round."""

    order: int
    card: str
    lies: Side
    place: int
    belongs: Side | None
    its_place: int

    @property
    def moves(self) -> bool:
        return (self.lies, self.place) != (self.belongs, self.its_place)


@dataclass(frozen=True, slots=True)
class Offered:
    """A form of the page: what it asks, and where nothing has to be said, what would come of it."""

    ask: Ask
    follows: list[tuple[str, str]]
    refused: Refused | None


class SomethingWrong(Controller):
    """From what happened to what the rules say."""

    path = "/tables/{table:str}/deal/wrong"
    include_in_schema = False
    exception_handlers = {Refused: said}  # noqa: RUF012 (the framework reads it)

    @get()
    async def what(self, request: Req, table: FromPath[str]) -> Response[str]:
        """What happened, in plain words."""
        session = staff(request)
        view = await context_of(request).house.tables.seen(table)
        return page(request, "something_wrong.html", name="", **await _around(request, view, session))

    @get("/{name:str}")
    async def rule(self, request: Req, table: FromPath[str], name: FromPath[str]) -> Response[str]:
        """What the rule says and what can be done."""
        return await shown(request, table, name, staff(request))

    @get("/{name:str}/now")
    async def part(self, request: Req, table: FromPath[str], name: FromPath[str]) -> Response[str]:
        """The part of it that changes as things happen."""
        session = staff(request)
        view = await context_of(request).house.tables.seen(table)
        page_values = await _around(request, view, session) | _rule(request, view, name, session)
        return page(request, "wrong_now.html", name=name, **page_values)

    @post("/{name:str}")
    async def ask(self, request: Req, table: FromPath[str], name: FromPath[str], data: Form) -> Response[Any]:
        """A step of the rule."""
        session = staff(request)

        async def again(refused: Refused) -> Response[str]:
            return await shown(request, table, name, session, refused)

        return await answered(request, data, lambda: ask_by_form(request, table, data, session), again)


async def shown(
    request: Req, table: str, name: str, session: Session, refused: Refused | None = None
) -> Response[str]:
    """The page of one irregularity, with a refusal said on it where there was one."""
    view = await context_of(request).house.tables.seen(table)
    page_values = await _around(request, view, session) | _rule(request, view, name, session)
    made = problem(in_language(language_of(request), refused)) if refused is not None else None
    status = made.status if made is not None else 200
    return page(request, "something_wrong.html", status=status, problem=made, name=name, **page_values)


async def _around(request: Req, view: DurableView, session: Session) -> dict[str, Any]:
    table = view.table
    _ = table.require_setup()  # a table that is not set up has no rules to look at
    known = known_rules(table)
    here = table.round
    house = context_of(request).house
    waiting = await asyncio.to_thread(lambda: house.approvals.of_table(view.id, waiting_only=True))
    names = sorted({*table.seats, *(here.players() if here is not None else ())})
    return {
        "table": view.id,
        "listed": house.tables.listed[view.id],
        "waiting": len(waiting),
        "told": TOLD,
        "version": f"{view.id}.{view.number}",
        "back": f"/tables/{view.id}/deal",
        "groups": [(title, [name for name in names if name in known]) for title, names in GROUPS],
        "book": table.book,
        "rules": known,
        "asked_round": request.query_params.get("round", "")[:7],
        "plain": PLAIN,
        "effects": EFFECTS,
        "people": names,
        "elsewhere": CORRECTED,
        "done": request.query_params.get("done") == "yes",
        "seen": table_seen(table, viewer_in(session)),
        "titles": titles(table, language_of(request)),
        "leads": consequences(table),
        "outcome": table.outcome(),
        "reads": table.require_setup().shoe == "read",
    }


def known_rules(table: Table) -> dict[str, Irregularity]:
    """What this table's document provides for, and that a card was recorded wrongly."""
    cite = table.cite(RECORDED)
    own = (
        {} if cite is None else {RECORDED: Irregularity(RECORDED, "A card recorded wrongly", cite, (), None)}
    )
    return own | dict(table.book.irregularities)


def _rule(request: Req, view: DurableView, name: str, session: Session) -> dict[str, Any]:
    """Everything about one irregularity as the table stands now."""
    table, language = view.table, language_of(request)
    rule = known_rules(table).get(name) or irregularity(table, name)
    call = calling(viewer_in(session), context_of(request).house.clock.now())
    moved = moved_cards(table) if name in BOTH_READ else []
    pictures = [one_card(each.card, language) for each in moved]
    return {
        "rule": rule,
        "title": irregularity_title(language, table.book, rule),
        "says": says(rule, table, language),
        "offered": [
            _offered(table, ask, call, language)
            for ask in ASKS.get(name, ())
            if table.require_setup().shoe == "read" or ask.do not in TYPED
        ],
        "moved": list(zip(moved, pictures, strict=True)),
        "misplaced": table.round is not None and table.round.misplaced,
    }


def says(rule: Irregularity, table: Table, language: Language) -> list[dict[str, str]]:
    """The rule's own steps: what is done, when, who decides, and the paragraph with its gist."""
    made = []
    if rule.name == RECORDED:
        house = say(language, f"{table.require_setup().house_role.replace('_', ' ').title()} or above")
        gist = gist_of(language, table.book, rule.cite.paragraph)
        head = {"when": "", "discretion": "", "cite": rule.cite.paragraph, "gist": ""}
        does = "A slip of the last card, before anybody insured on it"
        made.append(
            head | {"does": say(language, does), "by": say(language, "Dealer or above"), "gist": gist}
        )
        made.append(head | {"does": say(language, "Any other card, with a reason"), "by": house})
    for step in rule.steps:
        by = {"rules": "", "house": table.require_setup().house_role}.get(step.by, step.by)
        made.append(
            {
                "does": say(language, step.does.replace("_", " ").capitalize()),
                "when": "" if step.when == "always" else say(language, f"if {step.when.replace('_', ' ')}"),
                "by": say(language, f"{by.replace('_', ' ').title()} or above") if by else "",
                "discretion": "" if step.discretion == "none" else step.discretion,
                "cite": step.cite.paragraph,
                "gist": gist_of(language, table.book, step.cite.paragraph),
            }
        )
    return made


def moved_cards(table: Table) -> list[Moved]:
    """The cards one by one, as they lie and as they are meant to lie.

    Nothing while that would give away a card face down: where a third card belongs turns on the first four.
    """
    here = table.round
    if (
        here is None
        or not here.cards
        or (len(here.cards) > 4 and any(not each.face_up for each in here.cards))
    ):
        return []
    laid, _ = table.proper_order(here.cards, here.accepted)
    made = []
    for number, lies in enumerate(here.cards):
        right = laid[number] if number < len(laid) else None
        card = str(lies.card) if lies.face_up else HIDDEN
        belongs, its_place = (right.hand, right.place) if right is not None else (None, 0)
        made.append(Moved(number + 1, card, lies.hand, lies.place, belongs, its_place))
    return made


def _offered(table: Table, ask: Ask, call: Any, language: Language) -> Offered:
    """A form, tried now where nothing has to be said first."""
    if ask.fields:
        return Offered(ask, [], None)
    command: c.Command = command_of(ask.do, ask.fixed)
    try:
        events = decide(table, call(command))
    except Refused as refused:
        return Offered(ask, [], in_language(language, refused))
    return Offered(ask, preview_sentences(language, table, events), None)
