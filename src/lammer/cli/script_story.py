"""A script that was played, told: who did what, what followed, what was refused and why.

The events are folded once more while they are told, so that each sentence knows how the table stood: the
cards before a correction, the bets that establish an outcome, what a hand comes to. How one event is said is
in `lammer.wording.events`, and its money in `lammer.wording.money_lines`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lammer.cli.pit_words import Sentence, align_rows, words
from lammer.cli.story import STYLES
from lammer.game.drawing import FIRST_CARDS, third_card_decisions
from lammer.game.hands import total
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import ROLES, Side
from lammer.table import events as e
from lammer.table.fold import evolve
from lammer.table.script import CallOutcome, ScriptRun
from lammer.table.state import Table
from lammer.wording.catalogues import ENGLISH, Language, say
from lammer.wording.events import EventWriter, bets_on, fields_of, outcome_now, paragraphs_of
from lammer.wording.money_lines import correction_lines, reversal_lines, settlement_lines
from lammer.wording.phrases import in_words
from lammer.wording.refusals import in_language
from lammer.wording.titles import title_of

REFUSED = "red"
_CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")


def heading(played: ScriptRun, language: Language = ENGLISH) -> str:
    """The rulebook and the layout a script was played under."""
    book: Rulebook | None = played.table.books.get(played.script["rulebook"])
    name = say(language, "no rulebook") if book is None else f"{title_of(language, book)} v{book.version}"
    layout = say(language, "layout {layout}", layout=played.script.get("layout", ""))
    return f"{name} · {layout} · {played.script['rulebook']}"


def story_lines(played: ScriptRun, language: Language = ENGLISH) -> Iterator[tuple[str, Sentence]]:
    """The story line by line: who, and a sentence with its paragraph."""
    story = _Story(Table(played.table.books), language)
    for number, taken in enumerate(played.steps, start=1):
        ends = number == len(played.steps) or played.steps[number].call.step != taken.call.step
        who = say(language, words(taken.call.by))
        for sentence in story.tell(taken, ends=ends):
            yield who, sentence
            who = ""


def event_sentences(table: Table, event: e.Event, language: Language = ENGLISH) -> Iterator[Sentence]:
    """What happened, and its money line by line; `table` is how it stood before.

    >>> list(event_sentences(Table({}), e.BettingOpened(12)))
    [Sentence(text='Round 12: place your bets, please.', cite='', style='')]
    """
    writer, fields = writer_for(table, language), fields_of(event, table)
    for name in ("placed_by", "recorded_by"):
        # In a script staff go by their role.
        if fields.get(name) in ROLES[1:]:
            fields[name] = say(language, words(fields[name]))
    settled = isinstance(event, e.RoundSettled)
    cites = " ".join(paragraphs_of(fields, parts=("offers",)))
    yield Sentence(writer.sentence(fields, table), cites, "bold" if settled else "")
    match event:
        case e.RoundSettled():
            lines, right = settlement_lines(writer, event.lines), [3, 5]
        case e.SettlementReopened():
            lines, right = reversal_lines(writer, event.reversed), [1]
        case e.RoundCorrected():
            lines, right = correction_lines(writer, event.reversed, event.posted), [2, 4, 6]
        case _:
            return
    if not lines and settled:
        yield Sentence(f"  {writer.say('no bets')}")
    for line, text in zip(lines, align_rows([line.cells for line in lines], right), strict=True):
        style = STYLES[line.outcome] if line.outcome else "bold" if settled else ""
        yield Sentence(text, " ".join(line.cites), style)


def writer_for(table: Table, language: Language) -> EventWriter:
    """Who writes the events of this table; cards as a script has them."""
    book, boxes = (None, ()) if table.setup is None else (table.book, table.setup.box_names)
    return EventWriter(language, book, boxes, bets_on(table), card=str)


_NEW_CARDS = (
    e.BettingOpened, e.CardsReconstructed, e.CardDetermined, e.CardCorrected, e.CardsFound, e.CardsStand,
)  # fmt: skip
"""After these the drawing decisions are told again."""


@dataclass(slots=True)
class _Story:
    """The table as far as it is told, and the cards of a step that wait to be told in one line."""

    table: Table
    language: Language
    waiting: list[e.CardDealt] = field(default_factory=list)
    decided: int = 0

    def say(self, message: str, **values: Any) -> str:
        return say(self.language, message, **values)

    @property
    def writer(self) -> EventWriter:
        return writer_for(self.table, self.language)

    def tell(self, taken: CallOutcome, *, ends: bool) -> Iterator[Sentence]:
        """Everything one call led to; with the last call of a step the cards that wait are told too."""
        if taken.refused is not None:
            yield from self.flush()
            yield from refusal_sentences(self.table, taken, self.language)
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
            yield from event_sentences(self.table, event, self.language)
        if isinstance(event, _NEW_CARDS):
            self.decided = 0
        evolve(self.table, event)

    def flush(self) -> Iterator[Sentence]:
        """The cards dealt since the last line, and what the hands come to."""
        this_round, cards = self.table.round, self.waiting
        if not cards or this_round is None:
            return
        cards_text = "  ".join(card.card for card in cards)
        sides: list[Side] = ["player", "banker"]
        if len(this_round.cards) > FIRST_CARDS and len(cards) == 1:
            sides = [cards[0].hand]
            cards_text = self.say("{card} to {hand}", card=cards_text, hand=self.writer.side(sides[0]))
        points_text = " · ".join(self._points(side) for side in sides if this_round.values(side))
        cites = " ".join(dict.fromkeys(card.cite for card in cards))
        all_face_up = all(laid.face_up for laid in this_round.cards)
        self.waiting = []
        yield Sentence(f"{cards_text.ljust(16)}  {points_text}" if all_face_up else cards_text, cites)

    def _points(self, side: Side) -> str:
        """What a hand comes to."""
        assert self.table.round is not None
        points = total(self.table.book, self.table.round.values(side))
        return f"{self.writer.side(side)} {points}"

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
        # What follows from a choice is not told before it is made.
        every = third_card_decisions(self.table.book, player, banker)
        decisions = every[: next((n for n, decision in enumerate(every, 1) if decision.open), len(every))]
        if decisions[self.decided :]:
            yield from self.flush()
        for decision in decisions[self.decided :]:
            does = "{hand} draws {because}." if decision.draws else "{hand} stands {because}."
            sentence = self.say(
                "{hand} may draw or stand {because}." if decision.open else does,
                hand=self.writer.side(decision.hand),
                because=in_words(self.language, decision.because),
            )
            yield Sentence(sentence, decision.cite.paragraph)
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
                bets = self.writer.establishing(outcome.by, outcome)
                sentence = self.say("An outcome is established ({bets}): no options.", bets=bets)
                yield Sentence(sentence, rule.options[1].paragraph)


def refusal_sentences(table: Table, taken: CallOutcome, language: Language = ENGLISH) -> Iterator[Sentence]:
    """What was asked in which step, why not, under which paragraph, and what may be done instead."""
    assert taken.refused is not None
    refused = in_language(language, taken.refused)
    number = taken.call.step
    where = say(language, "Step {number}", number=number) if number else say(language, "Set-up")
    asked = command_words(table, taken.call.do, taken.call.fields, language)
    yield Sentence(f"{where}: {asked}", style=REFUSED)
    cite = refused.citation.paragraph if refused.citation else ""
    why = say(language, "Refused {code}: {sentence}", code=refused.code, sentence=refused.sentence)
    yield Sentence(f"  {why}", cite, REFUSED)
    if refused.next_step:
        yield Sentence(f"  {say(language, 'Next: {step}', step=refused.next_step)}", style=REFUSED)


def command_words(table: Table, do: str, fields: Mapping[str, Any], language: Language = ENGLISH) -> str:
    """A command and its fields in words.

    >>> command_words(Table({}), "place_bet", {"player": "p1", "box": 1, "stake": "50"})
    'place bet (player p1, box 1, stake 50)'
    """
    writer, parts = writer_for(table, language), []
    for key, value in fields.items():
        text = str(value) if key in ("player", "players") else _value_words(value)
        if key == "bet" and table.setup is not None:
            text = writer.bet(str(value))
        elif key in ("irregularity", "cause") and table.setup is not None:
            text = writer.irregularity(str(value))
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
