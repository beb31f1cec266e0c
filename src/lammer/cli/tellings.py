"""A script that was played, told: who did what, what followed, what was refused and why.

The events are folded once more while they are told, so that each sentence knows how the table stood: the
cards before a correction, the bets that establish an outcome, what a hand comes to. How one event is said is
in `lammer.cli.sentences`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lammer.cli.pit_words import (
    Sentence,
    bet_title,
    established,
    irregularity_title,
    outcome_now,
    points,
    words,
)
from lammer.cli.sentences import sentences
from lammer.game.drawing import FIRST_CARDS, third_card_decisions
from lammer.game.hands import total
from lammer.rulebook.model import Rulebook
from lammer.table import events as e
from lammer.table.fold import evolve
from lammer.table.script import CallOutcome, ScriptRun
from lammer.table.state import Table

REFUSED = "red"
_CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")


def heading(played: ScriptRun) -> str:
    """The rulebook and the layout a script was played under."""
    book: Rulebook | None = played.table.books.get(played.script["rulebook"])
    name = f"{book.title} v{book.version}" if book is not None else "no rulebook"
    return f"{name} · layout {played.script.get('layout', '')} · {played.script['rulebook']}"


def told(played: ScriptRun) -> Iterator[tuple[str, Sentence]]:
    """The story line by line: who, and a sentence with its paragraph."""
    story = _Story(Table(played.table.books))
    for number, taken in enumerate(played.steps, start=1):
        ends = number == len(played.steps) or played.steps[number].call.step != taken.call.step
        who = words(taken.by)
        for sentence in story.tell(taken, ends=ends):
            yield who, sentence
            who = ""


_NEW_CARDS = (
    e.BettingOpened, e.CardsReconstructed, e.CardDetermined, e.CardCorrected, e.CardsFound, e.CardsStand,
)  # fmt: skip
"""After these the drawing decisions are told again."""


@dataclass(slots=True)
class _Story:
    """The table as far as it is told, and the cards of a step that wait to be told in one line."""

    table: Table
    waiting: list[e.CardDealt] = field(default_factory=list)
    decided: int = 0

    def tell(self, taken: CallOutcome, *, ends: bool) -> Iterator[Sentence]:
        """Everything one call led to; with the last call of a step the cards that wait are told too."""
        if taken.refused is not None:
            yield from self.flush()
            yield from refusal(self.table, taken)
        for entry in taken.entries:
            yield from self.happened(entry.event)
        yield from self.without_options([entry.event for entry in taken.entries])
        yield from self.decisions()
        if ends:
            yield from self.flush()

    def happened(self, event: e.Event) -> Iterator[Sentence]:
        """One event, told and folded."""
        plain = isinstance(event, e.CardDealt) and event.proper and event.face_up and not event.carried
        if isinstance(event, e.CardDealt) and plain:
            self.waiting.append(event)
        else:
            yield from self.flush()
            yield from sentences(self.table, event)
        if isinstance(event, _NEW_CARDS):
            self.decided = 0
        evolve(self.table, event)

    def flush(self) -> Iterator[Sentence]:
        """The cards dealt since the last line, and what the hands come to."""
        here, cards = self.table.round, self.waiting
        if not cards or here is None:
            return
        shown = "  ".join(card.card for card in cards)
        held = points(self.table, here.values("player"), here.values("banker"))
        if len(here.cards) > FIRST_CARDS and len(cards) == 1:
            side = cards[0].hand
            shown = f"{shown} to {side.capitalize()}"
            held = f"{side.capitalize()} {total(self.table.book, here.values(side))}"
        cites = " ".join(dict.fromkeys(card.cite for card in cards))
        seen = all(laid.face_up for laid in here.cards)
        self.waiting = []
        yield Sentence(f"{shown.ljust(16)}  {held}" if seen else shown, cites)

    def decisions(self) -> Iterator[Sentence]:
        """Who draws and who stands, as soon as the cards tell."""
        here = self.table.round
        if here is None or here.phase != "dealing" or here.misplaced or len(here.cards) < FIRST_CARDS:
            return
        if not all(laid.face_up for laid in here.cards):
            return
        player, banker = here.values("player"), here.values("banker")
        if min(len(player), len(banker)) < 2:
            return
        known = third_card_decisions(self.table.book, player, banker)
        if known[self.decided :]:
            yield from self.flush()
        for decision in known[self.decided :]:
            does = "draws" if decision.draws else "stands"
            yield Sentence(f"{decision.hand.capitalize()} {does} {decision.because}", decision.cite.paragraph)
        self.decided = max(self.decided, len(known))

    def without_options(self, events: Sequence[e.Event]) -> Iterator[Sentence]:
        """That an irregularity gave nobody options, because an outcome stood: which bets established it."""
        here = self.table.round
        if (
            here is None
            or here.phase != "dealing"
            or any(isinstance(one, e.OptionsOffered) for one in events)
        ):
            return
        for event in events:
            name = event.name if isinstance(event, e.IrregularityNoted) else ""
            rule = self.table.book.irregularities.get(name)
            outcome = outcome_now(self.table)
            if rule is not None and rule.options is not None and outcome is not None and outcome.established:
                by = established(self.table, outcome.by, outcome)
                yield Sentence(f"An outcome is established ({by}): no options", rule.options[1].paragraph)


def refusal(table: Table, taken: CallOutcome) -> Iterator[Sentence]:
    """What was asked in which step, why not, under which paragraph, and what may be done instead."""
    refused = taken.refused
    assert refused is not None
    where = f"Step {taken.call.step}" if taken.call.step else "Set-up"
    yield Sentence(f"{where}: {asked(table, taken.do, taken.call.fields)}", style=REFUSED)
    cite = refused.citation.paragraph if refused.citation else ""
    yield Sentence(f"  Refused {refused.code}: {refused.sentence}", cite, REFUSED)
    if refused.next_step:
        yield Sentence(f"  Next: {refused.next_step}", style=REFUSED)


def asked(table: Table, do: str, fields: Mapping[str, Any]) -> str:
    """A command and its fields in words.

    >>> asked(Table({}), "place_bet", {"player": "p1", "box": 1, "stake": "50"})
    'place bet (player p1, box 1, stake 50)'
    """
    said = []
    for key, value in fields.items():
        shown = str(value) if key in ("player", "players") else _shown(value)
        if key == "bet" and table.setup is not None:
            shown = bet_title(table, str(value))
        elif key in ("irregularity", "cause") and table.setup is not None:
            shown = irregularity_title(table, str(value))
        if shown:
            said.append(f"{words(key)} {shown}")
    return f"{words(do)} ({', '.join(said)})" if said else words(do)


def _shown(value: object) -> str:
    """A value of a field: tables and lists without brackets, names of code as words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{words(name)} {_shown(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_shown, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words(str(value)) if _CODE.fullmatch(str(value)) else str(value)
