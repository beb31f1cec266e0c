"""What was changed of a round, for a page: before, after, why, who agreed, under which paragraphs.

Made of the one truth there is of a round (`views.round_truth`); a list, the page of a round, a history and a
notice say the same with these words.
"""

from __future__ import annotations

from dataclasses import dataclass

from lammer.floor.views.round_truth import Change, Outcome, RoundTruth
from lammer.floor.web.pages.site.clocks import Clock
from lammer.game.cards import write_card
from lammer.rulebook.model import Rulebook
from lammer.wording.catalogues import Language, say
from lammer.wording.events import EventWriter
from lammer.wording.figures import write_items, write_list, write_money, write_signed
from lammer.wording.outcomes import cited_words, correction_words, gain_words, outcome_words


@dataclass(frozen=True, slots=True)
class OutcomeWords:
    """How a round stood, in words and figures; `gain` is what the reader's own bets came to."""

    result: str
    player: str
    banker: str
    staked: str
    won: str
    gain: str


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """A correction as a page tells it."""

    event: int
    at: str
    headline: str
    before: OutcomeWords
    after: OutcomeWords
    why: str
    who: str
    moved: str
    way: str
    cites: tuple[str, ...]
    book: str
    corrects: bool


def words_of_outcome(language: Language, outcome: Outcome) -> OutcomeWords:
    """How a round stood, in words and figures."""
    return OutcomeWords(
        outcome_text(language, outcome),
        " ".join(map(write_card, outcome.player)),
        " ".join(map(write_card, outcome.banker)),
        write_money(language, outcome.staked),
        write_money(language, outcome.won),
        write_signed(language, outcome.gain_of()),
    )


def outcome_text(language: Language, outcome: Outcome) -> str:
    """What a round came to, in a few words."""
    return outcome_words(language, *outcome.result)


def before_text(language: Language, truth: RoundTruth) -> str:
    """What a corrected round had come to at first; nothing where it was never corrected."""
    first = next((change for change in truth.changes if change.corrects), None)
    return "" if first is None else outcome_text(language, first.before)


def words_of_changes(truth: RoundTruth, book: Rulebook | None, clock: Clock) -> list[ChangeWords]:
    """Every change of a round, in order."""
    writer = EventWriter(clock.language, book)
    return [_words_of_change(change, truth.number, writer, clock) for change in truth.changes]


def _words_of_change(change: Change, number: int, writer: EventWriter, clock: Clock) -> ChangeWords:
    language, moves = writer.language, change.corrects and not change.open
    moved = change.moved() if moves else 0
    return ChangeWords(
        change.event,
        clock.moment(change.at),
        headline(language, change, number),
        words_of_outcome(language, change.before),
        words_of_outcome(language, change.after),
        _why(writer, change),
        _who(writer, change),
        write_signed(language, moved) if moves else "",
        "up" if moved > 0 else "down" if moved < 0 else "",
        change.cites,
        change.rulebook or (writer.book.id if writer.book else ""),
        change.corrects,
    )


def headline(language: Language, change: Change, number: int) -> str:
    """What a change was, in a sentence."""
    if change.open:
        return say(
            language, "Round {number} is being put right: its settlement was taken back.", number=number
        )
    if not change.corrects:
        return say(language, "Round {number} is void.", number=number)
    before, after = outcome_text(language, change.before), outcome_text(language, change.after)
    return correction_words(language, number, before, after)


def notice_of(language: Language, change: Change, number: int, player: str) -> str:
    """The same for a player's table: with what it gave them or took from them, and its paragraphs."""
    sentences = [headline(language, change, number)]
    if not change.open and change.has_bets_of(player):
        sentences.append(gain_words(language, change.moved(player)))
    return " ".join((*sentences, cited_words(change.cites))).strip()


def take_and_pay(language: Language, change: Change, number: int) -> str:
    """The same for whoever deals: what to take from whom, then whom to pay."""
    moved = {line.player: change.moved(line.player) for line in (*change.before.lines, *change.after.lines)}
    parts = [
        say(
            language,
            "take {amount} from {player}" if cents < 0 else "pay {player} {amount}",
            amount=write_money(language, abs(cents)),
            player=player,
        )
        for player, cents in sorted(moved.items(), key=lambda both: (both[1] > 0, both[0]))
        if cents
    ]
    what = write_items(language, parts) or say(language, "nothing is to be taken or paid")
    return say(language, "Round {number} was corrected: {what}.", number=number, what=what)


def _why(writer: EventWriter, change: Change) -> str:
    """The irregularity, and what somebody wrote about it."""
    reasons = (change.because, change.reason)
    return writer.say(": ").join(dict.fromkeys(writer.irregularity(reason) for reason in reasons if reason))


def _who(writer: EventWriter, change: Change) -> str:
    """Who did it; of two people, the second agreed."""
    if len(change.by) == 1:
        return change.by[0]
    return writer.say("{who} agreed", who=write_list(writer.language, change.by)) if change.by else ""
