"""The pit's screens as values: every table at a glance, what waits for a second person, what it would change.

What somebody has to agree to is shown in money for each player, tried on a copy of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from lammer.floor.record.registry import Listed
from lammer.floor.tables.approvals import Proposal
from lammer.floor.tables.command_request import decode_command
from lammer.floor.tables.preview import Preview, house_win, preview
from lammer.floor.views.durable_view import DurableView
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.fold import past_of
from lammer.table.records import PaidLine
from lammer.table.state import OVER, Past, Table
from lammer.wording.catalogues import Language
from lammer.wording.events import preview_sentences
from lammer.wording.refusals import in_language
from lammer.wording.titles import title_of

ASKED: Final = {
    "correct_round": "Correct an earlier round",
    "correct_card": "Put a card right that was recorded wrongly",
    "offer_missed_insurance": "Give bets back for Insurance that was not offered",
    "void_round": "Void the round",
    "reposition_insurance": "Move an Insurance bet",
    "reopen_settlement": "Reopen the settlement",
    "rule_on_matter": "Rule on a matter the rules do not provide for",
}


Hands = tuple[tuple[str, ...], tuple[str, ...]]
"""The Player's cards and the Banker's."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A table in one line. `trouble` says what needs a person, the most urgent first.

    `unplayed` counts the shoes that were ended although nobody had played them.
    """

    id: str
    title: str
    game: str
    layout: str
    round: int
    phase: str
    trouble: tuple[str, ...]
    seated: int
    boxes: int
    waiting: int
    win: int
    deals_itself: bool
    unplayed: int = 0

    @property
    def urgency(self) -> int:
        if {"stopped", "interrupted"} & set(self.trouble):
            return 0
        return 1 if self.waiting else 2 if self.trouble else 3


def glances(
    tables: Iterable[tuple[Listed, DurableView]], waiting: Mapping[str, int], language: Language
) -> list[Glance]:
    """Every table, those that need a person first, otherwise in the order of the house."""
    made = [_glance(listed, view, waiting.get(listed.id, 0), language) for listed, view in tables]
    return sorted(made, key=lambda glance: glance.urgency)


def _glance(listed: Listed, view: DurableView, waiting: int, language: Language) -> Glance:
    table, here = view.table, view.table.round
    up = table.setup is not None
    return Glance(
        listed.id,
        listed.title,
        title_of(language, table.book) if up else "",
        table.require_setup().layout if up else "",
        here.number if here is not None else 0,
        here.phase if here is not None else "waiting" if up else "not_set_up",
        trouble(view),
        len(table.seats),
        table.box_count if up else 0,
        waiting,
        house_win(table),
        listed.pace is not None,
        table.unplayed,
    )


def trouble(view: DurableView) -> tuple[str, ...]:
    """What needs a person at a table."""
    here = view.table.round
    found = ["stopped"] if view.stopped else []
    if here is not None and here.phase not in OVER:
        found += ["interrupted"] if here.interrupted else []
        found += ["misplaced"] if here.misplaced else []
        found += ["reported"] if here.reported is not None else []
        found += ["options"] if here.options is not None else []
        found += ["withdrawal"] if here.withdrawal else []
        found += ["squeeze"] if here.squeeze is not None else []
    return tuple(found)


def put_right_as(table: Table) -> str:
    """The irregularity under which cards that lie wrong are put right; nothing while none does."""
    here = table.round
    if here is None or not here.misplaced:
        return ""
    _, left = table.proper_order(here.cards, here.accepted)
    return "excess_cards" if left else "swapped_hands"


@dataclass(frozen=True, slots=True)
class LineChange:
    """A bet of a corrected round: what it came to and what it comes to, in one line or in two parts."""

    player: str
    box: int
    bet: str
    insurance: bool
    stake: int
    before: tuple[PaidLine, ...]
    after: tuple[PaidLine, ...]

    @property
    def by(self) -> int:
        """What the change gives the player, in cents."""
        was, now = (sum(line.returned - line.stake for line in lines) for lines in (self.before, self.after))
        return now - was


@dataclass(frozen=True, slots=True)
class Effect:
    """What a request would do: in sentences, in cards, bet by bet, and in money for each player."""

    seen: Preview
    follows: list[tuple[str, str]]
    lines: list[LineChange]
    before: Hands | None
    after: Hands | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that waits, in words, with what it would do."""

    proposal: Proposal
    title: str
    own: bool
    effect: Effect


def waits(
    view: DurableView, found: Iterable[Proposal], me: str, at: datetime, language: Language
) -> list[Waiting]:
    """What waits at a table, each with what it would do now."""
    made = []
    for proposal in found:
        try:
            asked = decode_command(view.table, proposal.asked)
            effect = effect_of(view.table, c.Call(proposal.by, proposal.role, at, asked), language)
        except Refused as refused:
            effect = Effect(Preview(refused=in_language(language, refused)), [], [], None, None)
        made.append(Waiting(proposal, ASKED.get(proposal.do, proposal.do), proposal.by == me, effect))
    return made


def effect_of(table: Table, call: c.Call, language: Language) -> Effect:
    """What a call would do to this table."""
    seen = preview(table, call)
    if seen.refused is not None:
        seen = replace(seen, refused=in_language(language, seen.refused))
    follows = preview_sentences(language, table, seen.events)
    lines: list[LineChange] = []
    before: Hands | None = None
    after: Hands | None = None
    reversed_lines: tuple[PaidLine, ...] = ()
    here = table.round
    for event in seen.events:
        match event:
            case e.SettlementReopened():
                reversed_lines = event.reversed
            case e.RoundSettled() if reversed_lines and here is not None:
                lines += changed(reversed_lines, event.lines)
                before = tuple(here.values("player")), tuple(here.values("banker"))
                after = (event.player, event.banker)
            case e.RoundCorrected() if event.because != "damaged_cards":
                lines += changed(event.reversed, event.posted)
                on_table = here is not None and here.number == event.round
                past = past_of(here) if on_table and here is not None else table.past_round(event.round)
                before = (tuple(past.player), tuple(past.banker)) if past is not None else None
                after = (event.player, event.banker)
            case _:
                pass
    return Effect(seen, follows, lines, before, after)


def changed(was_lines: Iterable[PaidLine], now_lines: Iterable[PaidLine]) -> list[LineChange]:
    """The bets of a corrected round, each with the lines it had and those it gets: one, or two in parts."""
    found: dict[int, tuple[list[PaidLine], list[PaidLine]]] = {}
    for side, lines in enumerate((was_lines, now_lines)):
        for line in lines:
            found.setdefault(line.key, ([], []))[side].append(line)
    return [
        LineChange(
            (any_line := (now or was)[0]).player,
            any_line.box,
            any_line.bet,
            any_line.window is not None,
            sum(line.stake for line in was or now),
            tuple(was),
            tuple(now),
        )
        for was, now in found.values()
    ]


@dataclass(frozen=True, slots=True)
class Earlier:
    """A round that can still be corrected. A void one shows no cards: some may never have been open."""

    number: int
    player: tuple[str, ...]
    banker: tuple[str, ...]
    void: bool
    lines: tuple[PaidLine, ...]
    rulebook: str
    insures: bool

    @property
    def players(self) -> list[tuple[str, int]]:
        """Each player's result, in cents."""
        found: dict[str, int] = {}
        for line in self.lines:
            found[line.player] = found.get(line.player, 0) + line.returned - line.stake
        return list(found.items())


def earlier(past: Past) -> Earlier:
    """A round that is over, as staff may see it."""
    cards = ((), ()) if past.void else (tuple(past.player), tuple(past.banker))
    return Earlier(past.number, *cards, past.void, past.lines, past.setup.rulebook, past.setup.insurance)


def said_fields(proposal: Proposal) -> dict[str, Any]:
    """What was asked for, as it was written."""
    return {name: " ".join(value) if isinstance(value, list) else value
            for name, value in proposal.fields.items()}  # fmt: skip
