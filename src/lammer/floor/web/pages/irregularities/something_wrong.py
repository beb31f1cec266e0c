"""One key for "something is wrong": what happened in plain words, then the rule's own steps.

The page says what the table's document provides, who decides each step, whether an outcome stands, what would
follow now and what the players may choose. It decides nothing itself: each button is a command.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from lammer.floor.access.sessions import Session
from lammer.floor.record.revealed import HIDDEN
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import table_seen
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.dealer.dealer_view import call_by, one_card, titles
from lammer.floor.web.pages.dealer.dealing import EVERY_EVENT, pit_call_values, viewer_in
from lammer.floor.web.pages.irregularities.what_happened import (
    ASKS,
    EVERYDAY,
    GROUPS,
    PLAIN,
    RECORDED,
    Ask,
    Field,
)
from lammer.floor.web.pages.pit.pit_view import earlier_round, option_answers, outcome_named
from lammer.floor.web.pages.rules.book_names import book_name
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.commanding import answer_command, staff
from lammer.floor.web.pages.site.frame import Choice, Say
from lammer.floor.web.pages.site.refusing import Pages
from lammer.floor.web.pages.site.site import Req, language_of, page, refused_page, whole_number
from lammer.rulebook.model import Irregularity
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side
from lammer.rulebook.wording import MOMENTS
from lammer.table import commands as c
from lammer.table.decoding import command_of
from lammer.table.irregularities import consequences
from lammer.table.play import decide
from lammer.table.roles import irregularity
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
class MovedCard:
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
class OfferedForm:
    """A form of which nothing has to be filled in: what it asks, and what would come of it."""

    ask: Ask
    follows: list[tuple[str, str]]
    refused: Refused | None


class SomethingWrong(Pages):
    """From what happened to what the rules say."""

    path = "/tables/{table:str}/deal/wrong"

    @get()
    async def what(self, request: Req, table: FromPath[str]) -> Response[str]:
        """What happened, in plain words."""
        session = staff(request)
        view = await context_of(request).house.tables.seen(table)
        return page(request, "something_wrong.html", name="", **await _table_values(request, view, session))

    @get("/{name:str}")
    async def rule(self, request: Req, table: FromPath[str], name: FromPath[str]) -> Response[str]:
        """What the rule says and what can be done."""
        return await rule_page(request, table, name, staff(request))

    @get("/{name:str}/now")
    async def part(self, request: Req, table: FromPath[str], name: FromPath[str]) -> Response[str]:
        """The part of it that changes as things happen."""
        return await rule_page(request, table, name, staff(request), template="wrong_now.html")

    @post("/{name:str}")
    async def ask(self, request: Req, table: FromPath[str], name: FromPath[str], data: Form) -> Response[Any]:
        """A step of the rule."""
        session = staff(request)
        again = partial(rule_page, request, table, name, session)
        return await answer_command(request, table, data, session, again)


async def rule_page(
    request: Req,
    table: str,
    name: str,
    session: Session,
    refused: Refused | None = None,
    template: str = "something_wrong.html",
) -> Response[str]:
    """The page of one irregularity, with the refusal on it where there was one."""
    view = await context_of(request).house.tables.seen(table)
    page_values = await _table_values(request, view, session) | _rule_values(request, view, name, session)
    page_values |= await _round_meant_values(request, view)
    return refused_page(request, refused, template, name=name, **page_values)


async def _round_meant_values(request: Req, view: DurableView) -> dict[str, Any]:
    """The round a page was opened for, where it is an earlier one: its cards, and not those on the table."""
    number = whole_number(request.query_params.get("round", ""), 7)
    this_round = view.table.round
    if number is None or (this_round is not None and this_round.number == number):
        return {"round_asked": "", "earlier": None}
    await view.recall(number)
    past = view.table.past_round(number)
    return {"round_asked": number, "earlier": earlier_round(past) if past is not None else None}


async def _table_values(request: Req, view: DurableView, session: Session) -> dict[str, Any]:
    table = view.table
    _ = table.require_setup()  # a table that is not set up has no rules to look at
    known = known_rules(table)
    this_round = table.round
    house = context_of(request).house
    waiting = await asyncio.to_thread(lambda: house.approvals.of_table(view.id, waiting_only=True))
    names = sorted({*table.seats, *(this_round.players() if this_round is not None else ())})
    language, seen = language_of(request), table_seen(table, viewer_in(session))
    t = partial(say, language)
    groups = [
        (
            say(language, title),
            [
                (name, say(language, PLAIN[name]), known[name].cite.paragraph, say(language, EVERYDAY[name]))
                for name in rule_names
                if name in known
            ],
        )
        for title, rule_names in GROUPS.items()
    ]
    return {
        "table": view.id,
        "listed": house.tables.listed[view.id],
        "waiting": len(waiting),
        "events": EVERY_EVENT,
        "version": f"{view.id}.{view.number}",
        "back": f"/tables/{view.id}/deal",
        **pit_call_values(view.id, language),
        "groups": [group for group in groups if group[1]],
        "book": table.book,
        "people": names,
        "done": request.query_params.get("done") in ("yes", "asked"),
        "only_asked": request.query_params.get("done") == "asked",
        "round": seen["round"],
        "option_answers": option_answers(t, (seen["round"] or {}).get("options")),
        "outcome_bets": outcome_named(table, titles(table, language), language),
    }


def known_rules(table: Table) -> dict[str, Irregularity]:
    """What this table's document provides for, and that a card was recorded wrongly."""
    cite = table.cite(RECORDED)
    own = (
        {} if cite is None else {RECORDED: Irregularity(RECORDED, "A card recorded wrongly", cite, (), None)}
    )
    return own | dict(table.book.irregularities)


def _rule_values(request: Req, view: DurableView, name: str, session: Session) -> dict[str, Any]:
    """Everything about one irregularity as the table stands now."""
    table, language = view.table, language_of(request)
    rule = known_rules(table).get(name) or irregularity(table, name)
    call = call_by(viewer_in(session), context_of(request).house.clock.now())
    moved = moved_cards(table) if name in BOTH_READ else []
    pictures = [one_card(card.card, language) for card in moved]
    title = irregularity_title(language, table.book, rule)
    asks = [ask for ask in ASKS.get(name, ()) if table.require_setup().shoe == "read" or ask.do not in TYPED]
    asked_round = request.query_params.get("round", "")[:7]
    return {
        "heading": say(language, PLAIN[name]) if name in PLAIN else title,
        "rule_cite": rule.cite.paragraph,
        "book_label": book_name(language, table.book),
        "title": title,
        "says": rule_steps(rule, table, language),
        "options": options_rule(rule, language),
        "consequence": consequence_sentence(table, name, language),
        "forms": [(ask, field_views(table, name, ask, asked_round, language)) for ask in asks if ask.fields],
        "offered": [_offered_form(table, ask, call, language) for ask in asks if not ask.fields],
        "corrected_in_pit": name in CORRECTED,
        "acts_by_itself": not asks and name not in CORRECTED,
        "moved": list(zip(moved, pictures, strict=True)),
        "misplaced": table.round is not None and table.round.misplaced,
    }


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field of a form: `control` is how it is filled in; the rest is what that control needs."""

    control: str
    name: str
    label: str
    choices: tuple[Choice, ...] = ()
    placeholder: str = ""
    value: str = ""
    rows: int = 0
    required: bool = False


def field_views(table: Table, name: str, ask: Ask, asked_round: str, language: Language) -> list[FieldView]:
    """The fields of a form; a virtual shoe knows the card it deals."""
    known = ask.do == "deal_card" and table.require_setup().shoe != "read"
    return [
        _field_view(table, name, field, asked_round, language)
        for field in ask.fields
        if not (known and field.kind == "card")
    ]


def _field_view(table: Table, name: str, field: Field, asked_round: str, language: Language) -> FieldView:
    t = partial(say, language)
    label = t(field.label)
    plain = {
        "card": FieldView("cards", field.name, label, placeholder="9H"),
        "cards": FieldView("cards", field.name, label, placeholder="9H 3D"),
        "hands": FieldView("cards", field.name, label, placeholder="9H 3D"),
        "yes": FieldView("check", field.name, label),
        "players": FieldView("players", field.name, label),
        "player": FieldView("player", field.name, label),
        "place": FieldView("number", field.name, label),
        "why": FieldView("words", field.name, label, rows=2),
        "reason": FieldView("words", field.name, label, rows=3, required=True),
        "places": FieldView("places", field.name, label),
    }
    match field.kind:
        case "hand" | "window" | "effect":
            return FieldView("choice", field.name, label, _choices_of(t, field.kind))
        case "box":
            control = "box" if table.require_setup().box_names else "number"
            return FieldView(control, field.name, label)
        case "round":
            return FieldView("number", field.name, label, value=asked_round or _round_meant(table, name))
        case kind:
            return plain.get(kind) or FieldView("text", field.name, label)


def _choices_of(t: Say, kind: str) -> tuple[Choice, ...]:
    """What a field of that kind may be."""
    if kind == "hand":
        return Choice("player", t("Player")), Choice("banker", t("Banker"))
    if kind == "window":
        return tuple(Choice(window, t(words)) for window, words in MOMENTS.items())
    return tuple(Choice(effect, t(words)) for effect, words in EFFECTS.items())


def _round_meant(table: Table, name: str) -> str:
    """The round on the table, or the one before it where that is what is put right."""
    if table.round is None:
        return ""
    return str(table.round.number - (name == "late_noticed_error") or "")


def options_rule(rule: Irregularity, language: Language) -> dict[str, str] | None:
    """What the rule says of the players' options: when they have them, and where that stands."""
    if not rule.options:
        return None
    when, cite = rule.options
    condition = "" if when == "always" else say(language, f"if {when.replace('_', ' ')}")
    return {"condition": condition, "cite": cite.paragraph}


def consequence_sentence(table: Table, name: str, language: Language) -> str:
    """What the rule comes to as the table stands; nothing where that is open."""
    t = partial(say, language)
    return {
        "options": t("The players have their options now."),
        "no options": t("The players have no options now."),
        "conclude": t("The round would be concluded."),
        "void": t("The round would be void."),
    }.get(consequences(table).get(name, ""), "")


def rule_steps(rule: Irregularity, table: Table, language: Language) -> list[dict[str, str]]:
    """The rule's own steps: what is done, when, who decides, and the paragraph with its gist."""
    steps = []
    if rule.name == RECORDED:
        house = say(language, f"{table.require_setup().house_role.replace('_', ' ').title()} or above")
        gist = gist_of(language, table.book, rule.cite.paragraph)
        head = {"when": "", "discretion": "", "cite": rule.cite.paragraph, "gist": ""}
        slip = "A slip of the last card, before anybody insured on it"
        steps.append(
            head | {"action": say(language, slip), "by": say(language, "Dealer or above"), "gist": gist}
        )
        steps.append(head | {"action": say(language, "Any other card, with a reason"), "by": house})
    for step in rule.steps:
        by = {"rules": "", "house": table.require_setup().house_role}.get(step.by, step.by)
        steps.append(
            {
                "action": say(language, step.does.replace("_", " ").capitalize()),
                "when": "" if step.when == "always" else say(language, f"if {step.when.replace('_', ' ')}"),
                "by": say(language, f"{by.replace('_', ' ').title()} or above") if by else "",
                "discretion": {
                    "none": "",
                    "reasonable": say(language, "at reasonable discretion"),
                }.get(step.discretion, say(language, "at discretion")),
                "cite": step.cite.paragraph,
                "gist": gist_of(language, table.book, step.cite.paragraph),
            }
        )
    return steps


def moved_cards(table: Table) -> list[MovedCard]:
    """The cards one by one, as they lie and as they are meant to lie.

    Nothing while that would give away a card face down: where a third card belongs turns on the first four.
    """
    this_round = table.round
    if (
        this_round is None
        or not this_round.cards
        or (len(this_round.cards) > 4 and any(not laid_card.face_up for laid_card in this_round.cards))
    ):
        return []
    laid, _ = table.proper_order(this_round.cards, this_round.accepted)
    moved = []
    for number, lies in enumerate(this_round.cards):
        right = laid[number] if number < len(laid) else None
        card = str(lies.card) if lies.face_up else HIDDEN
        belongs, its_place = (right.hand, right.place) if right is not None else (None, 0)
        moved.append(MovedCard(number + 1, card, lies.hand, lies.place, belongs, its_place))
    return moved


def _offered_form(table: Table, ask: Ask, call: Any, language: Language) -> OfferedForm:
    """A form of which nothing has to be filled in, tried now."""
    command: c.Command = command_of(ask.do, ask.fixed)
    try:
        events = decide(table, call(command))
    except Refused as refused:
        return OfferedForm(ask, [], in_language(language, refused))
    return OfferedForm(ask, preview_sentences(language, table, events), None)
