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
    establishing_bets,
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


def story_lines(played: ScriptRun) -> Iterator[tuple[str, Sentence]]:
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
            yield from refusal_sentences(self.table, taken)
        for entry in taken.entries:
            yield from self.tell_event(entry.event)
        yield from self.tell_no_options([entry.event for entry in taken.entries])
        yield from self.tell_decisions()
        if ends:
            yield from self.flush()

    def tell_event(self, event: e.Event) -> Iterator[Sentence]:
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
        this_round, cards = self.table.round, self.waiting
        if not cards or this_round is None:
            return
        cards_text = "  ".join(card.card for card in cards)
        points_text = points(self.table, this_round.values("player"), this_round.values("banker"))
        if len(this_round.cards) > FIRST_CARDS and len(cards) == 1:
            side = cards[0].hand
            cards_text = f"{cards_text} to {side.capitalize()}"
            points_text = f"{side.capitalize()} {total(self.table.book, this_round.values(side))}"
        cites = " ".join(dict.fromkeys(card.cite for card in cards))
        all_face_up = all(laid.face_up for laid in this_round.cards)
        self.waiting = []
        yield Sentence(f"{cards_text.ljust(16)}  {points_text}" if all_face_up else cards_text, cites)

    def tell_decisions(self) -> Iterator[Sentence]:
        """Who draws and who stands, as soon as the cards tell."""
        this_round = self.table.round
        if (
            this_round is None
            or this_round.phase != "dealing"
            or this_round.misplaced
            or len(this_round.cards) < FIRST_CARDS
        ):
            return
        if not all(laid.face_up for laid in this_round.cards):
            return
        player, banker = this_round.values("player"), this_round.values("banker")
        if min(len(player), len(banker)) < 2:
            return
        decisions = third_card_decisions(self.table.book, player, banker)
        if decisions[self.decided :]:
            yield from self.flush()
        for decision in decisions[self.decided :]:
            action = "draws" if decision.draws else "stands"
            yield Sentence(
                f"{decision.hand.capitalize()} {action} {decision.because}", decision.cite.paragraph
            )
        self.decided = max(self.decided, len(decisions))

    def tell_no_options(self, events: Sequence[e.Event]) -> Iterator[Sentence]:
        """That an irregularity gave nobody options, because an outcome stood: which bets established it."""
        this_round = self.table.round
        if (
            this_round is None
            or this_round.phase != "dealing"
            or any(isinstance(event, e.OptionsOffered) for event in events)
        ):
            return
        for event in events:
            name = event.name if isinstance(event, e.IrregularityNoted) else ""
            rule = self.table.book.irregularities.get(name)
            outcome = outcome_now(self.table)
            if rule is not None and rule.options is not None and outcome is not None and outcome.established:
                by = establishing_bets(self.table, outcome.by, outcome)
                yield Sentence(f"An outcome is established ({by}): no options", rule.options[1].paragraph)


def refusal_sentences(table: Table, taken: CallOutcome) -> Iterator[Sentence]:
    """What was asked in which step, why not, under which paragraph, and what may be done instead."""
    refused = taken.refused
    assert refused is not None
    where = f"Step {taken.call.step}" if taken.call.step else "Set-up"
    yield Sentence(f"{where}: {command_words(table, taken.do, taken.call.fields)}", style=REFUSED)
    cite = refused.citation.paragraph if refused.citation else ""
    yield Sentence(f"  Refused {refused.code}: {refused.sentence}", cite, REFUSED)
    if refused.next_step:
        yield Sentence(f"  Next: {refused.next_step}", style=REFUSED)


def command_words(table: Table, do: str, fields: Mapping[str, Any]) -> str:
    """A command and its fields in words.

    >>> command_words(Table({}), "place_bet", {"player": "p1", "box": 1, "stake": "50"})
    'place bet (player p1, box 1, stake 50)'
    """
    parts = []
    for key, value in fields.items():
        text = str(value) if key in ("player", "players") else _value_words(value)
        if key == "bet" and table.setup is not None:
            text = bet_title(table, str(value))
        elif key in ("irregularity", "cause") and table.setup is not None:
            text = irregularity_title(table, str(value))
        if text:
            parts.append(f"{words(key)} {text}")
    return f"{words(do)} ({', '.join(parts)})" if parts else words(do)


def _value_words(value: object) -> str:
    """A value of a field: tables and lists without brackets, names of code as words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{words(name)} {_value_words(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_value_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words(str(value)) if _CODE.fullmatch(str(value)) else str(value)
