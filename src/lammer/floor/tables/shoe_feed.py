"""The shoe reader's feed: cards numbered as they leave a real shoe, and what the table makes of each.

A reader posts every card once, numbered from 1 in each shoe. The next number with a card that can come is
dealt; what was posted before is acknowledged; anything else is an irregularity and becomes what the table's
rules make of it. Nothing is guessed: where a person has to look, the round is interrupted and says why; where
it is merely too early the reading is refused, changes nothing, and may be sent again.

The numbers need no storage. A `Feed` follows the table's events: every card from the shoe counts one. Cards
that left the shoe and were never recorded (a gap in a round made void) are in the reason the interruption was
recorded with, and are written off when that round ends. No IO and no clock here; who may post is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal

from lammer.game.cards import DECK
from lammer.game.shoe import deck_of
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.dealing import times_seen
from lammer.table.play import decide
from lammer.table.state import OVER, Round, Shoe, Table

LARGEST: Final = 1_000_000
"""No reader counts further; a number beyond is no number of a card."""

_CARDS: Final = frozenset(DECK)
MOST_IN_A_DECK: Final = len(DECK)
"""No game is played with more; how many its own decks have is the table's to know."""
_AT: Final = re.compile(r"shoe reader at card (\d{1,4}): ")
_ANY_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The table decides by its state; what is only tried out needs no hour."""

_EARLY: Final = ("bets_are_open", "options_are_open", "withdrawal_is_open", "error_to_be_confirmed")
_EXCESS: Final = ("round_is_complete", "cards_misplaced")

_NEXT: Final = {
    "gap": "Find the cards. If the round goes on, the dealer enters them by hand, in the order drawn.",
    "doubt": "Look at the card. If the round goes on, enter it by hand or have its value determined.",
    "out_of_step": "Look at reader and cards. Cards can be entered by hand; a new shoe begins again at 1.",
    "foreign_card": "Void the round for a foreign card; one merely misread is entered if the round goes on.",
    "wrong_deck": "Count the cards, and void the round for a wrong deck.",
    "early": "Keep the card: it is the next to be dealt, in this round or the next one.",
    "excess": "The House reconstructs the cards; what is left over comes first in the next round.",
    "late": "Later rounds are untouched; see whether the document lets the earlier one be corrected.",
}


@dataclass(frozen=True, slots=True)
class CardScan:
    """A card as a reader posts it; `shoe` is the table's number of the shoe, 0 if the reader cannot say."""

    sequence: int
    card: str
    shoe: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card that left the shoe, and in which round; an empty card was never recorded."""

    card: str
    round: int


@dataclass(slots=True)
class Feed:
    """How far a table has read its shoe, from its events alone.

    `recorded` of the cards drawn are known; `reached` is the highest number an interruption told of, in this
    round.

    >>> feed = Feed()
    >>> feed.follow(e.ShoePrepared(3, "read", 8, 0, "", (), ""))
    >>> feed.follow(e.BettingOpened(1))
    >>> feed.follow(e.CardDealt("KS", "player", 1, True, True, False, "3.9"))
    >>> feed.shoe, feed.next, feed.drawn[0]
    (3, 2, Drawn(card='KS', round=1))
    """

    shoe: int = 0
    decks: int = 0
    round: int = 0
    drawn: list[Drawn] = field(default_factory=list)
    recorded: int = 0
    reached: int = 0

    @property
    def next(self) -> int:
        """The number of the card that comes next."""
        return len(self.drawn) + 1

    def follow(self, event: e.Event) -> None:
        """Fold one event of the table in."""
        match event:
            case e.ShoePrepared():
                self.shoe, self.decks, self.round = event.shoe, event.decks, 0
                self.drawn, self.recorded, self.reached = [], 0, 0
            case e.BettingOpened() | e.SettlementReopened():
                self.round = event.round
            case e.CardExposed() | e.CardDealt(carried=False):
                self.drawn.append(Drawn(event.card, self.round))
                self.recorded += 1
            case e.RoundInterrupted():
                if at := _AT.match(event.reason):
                    self.reached = max(self.reached, min(int(at[1]), MOST_IN_A_DECK * self.decks))
            case e.RoundSettled() | e.RoundVoided() | e.RoundConcluded():
                self.drawn += [Drawn("", self.round)] * (self.reached + 1 - self.next)
                self.reached = 0
            case _:
                pass


def feed_of(newest_first: Iterable[e.Event]) -> Feed:
    """The feed of a table that comes back: its events from the last one down to the start of its shoe.

    Nothing before the shoe is asked for, so the events may be read backwards from the store and no further.
    """
    since: list[e.Event] = []
    for event in newest_first:
        since.append(event)
        if isinstance(event, e.ShoePrepared):
            break
    feed = Feed()
    for event in reversed(since):
        feed.follow(event)
    return feed


@dataclass(frozen=True, slots=True)
class ScanOutcome:
    """What a reading comes to: a card to deal, a repeat to acknowledge, or an irregularity.

    `command` is what the table is asked for, by the reader's key and as a dealer; the table takes it as it
    stands now. `irregularity` is the rulebook's name for what happened, `cite` its paragraph.
    """

    kind: Literal["card", "repeat", "irregularity"]
    command: c.Command | None
    sentence: str
    irregularity: str = ""
    cite: Citation | None = None
    next_step: str = ""


def read(table: Table, feed: Feed, scan: CardScan) -> ScanOutcome:
    """What the table makes of a reading; `Refused` where it cannot be taken now, and then nothing changes."""
    shoe = _must_be_read(table, scan)
    if (feed.shoe, feed.recorded) != (shoe.number, shoe.dealt):
        # Cards were dealt that the feed has not heard of yet: taken now, one might be dealt twice.
        raise Refused(
            "table_moved_on",
            "Shoe {shoe} has given {dealt} cards, which the feed has not all heard of yet.",
            next_step="Send the reading again.",
            shoe=shoe.number,
            dealt=shoe.dealt,
        )
    outcome = _read_again(table, feed, scan) or _read_new(table, feed, shoe, scan)
    if outcome.command is not None:
        _try(table, outcome.command)
    return outcome


def _must_be_read(table: Table, scan: CardScan) -> Shoe:
    """The shoe the reading is of; refused where there is none, or the reading is none."""
    number, of = scan.sequence, scan.shoe
    whole = all(isinstance(value, int) and not isinstance(value, bool) for value in (number, of))
    if not whole or not (1 <= number <= LARGEST and 0 <= of <= LARGEST) or not isinstance(scan.card, str):
        raise Refused(
            "malformed_input",
            "A reading has a sequence number from 1 to {largest}, and a card.",
            next_step="A reader counts the cards of a shoe from 1.",
            largest=LARGEST,
        )
    virtual = table.require_setup().shoe == "virtual"
    shoe = table.shoe
    if virtual or (shoe is not None and shoe.kind == "virtual"):
        raise Refused("card_comes_from_shoe", "The virtual shoe deals its own cards; no reader is asked.")
    if shoe is None:
        raise Refused("no_shoe", "There is no shoe to read from.", next_step="Prepare one first.")
    if of not in (0, shoe.number):
        raise Refused(
            "shoe_is_over" if of < shoe.number else "no_shoe",
            "Shoe {shoe} is in use, not shoe {of}.",
            next_step="Start the reader again with the shoe that is in use.",
            shoe=shoe.number,
            of=of,
        )
    return shoe


def _read_again(table: Table, feed: Feed, scan: CardScan) -> ScanOutcome | None:
    """A number that was there before: a repeat, or another card than the one recorded."""
    number, this_round = scan.sequence, table.round
    if number >= feed.next:
        return None
    drawn = feed.drawn[number - 1]
    if drawn.card and drawn.card == scan.card:
        return ScanOutcome("repeat", None, f"C{_card_text(table, scan)[1:]} was recorded already.")
    finding = f"{_card_text(table, scan)} was recorded in round {drawn.round} as another"
    if not drawn.card:
        finding = f"{_card_text(table, scan)} went with round {drawn.round}, and is read now"
    elif not table.require_setup().face_down:
        finding += f", {drawn.card}"
    if this_round is not None and this_round.phase == "dealing":
        table.must_not_be_interrupted()
        if drawn.card and drawn.round == this_round.number:
            return _interrupt(table, "damaged_cards", finding, "doubt")
        return _interrupt(table, "technical_interruption", finding, "out_of_step")
    if drawn.round in table.past:
        note = c.NoteLateError(drawn.round, f"shoe reader: {finding}")
        return _irregularity(table, "late_noticed_error", note, finding, "late")
    raise Refused(
        "no_round",
        "C{card}; that round is over.",
        table.cite("late_noticed_error"),
        next_step="Before the next round begins a Pit Supervisor may reopen the settlement.",
        card=finding[1:],
    )


def _read_new(table: Table, feed: Feed, shoe: Shoe, scan: CardScan) -> ScanOutcome:
    """A number that was not there before: the next card, or the irregularity it shows."""
    number, card = scan.sequence, scan.card
    this_round = _must_be_under_way(table, scan)
    table.must_not_be_interrupted()
    fits = number <= shoe.size
    if number > feed.next:
        finding = f"{_missing(feed.next, number - 1)} not read, but {_card_text(table, scan)} was"
        # Cards drawn in a round go with it if it is void; cards drawn before it are still to be dealt.
        reached = number if fits and this_round.phase == "dealing" else 0
        return _interrupt(table, "technical_interruption", finding, "gap", reached)
    if not fits:
        finding = f"{_card_text(table, scan)} is one more than {shoe.decks} decks have"
        return _interrupt(table, "wrong_deck", finding, "wrong_deck")
    if card not in _CARDS:
        finding = f"{_card_text(table, scan)} could not be read"
        return _interrupt(table, "damaged_cards", finding, "doubt", number)
    came = times_seen(table, shoe, card)
    if came >= shoe.decks or card not in deck_of(table.book):
        finding = f"{_card_text(table, scan)} came {came} times from {shoe.decks} decks already"
        return _interrupt(table, "foreign_card", finding, "foreign_card", number)
    if table.carried and table.require_setup().face_down:
        raise Refused(
            "carried_card_first",
            "A card carried over from before comes before {card}.",
            table.cite("excess_cards"),
            next_step="Deal it without naming a card, then send the reading again.",
            card=_card_text(table, scan),
        )
    if table.carried:
        first = table.carried[0]
        raise Refused(
            "impossible_card",
            "{first} was carried over from the last round and comes before {card}.",
            table.cite("excess_cards"),
            next_step="Deal {first} first, then send the reading again.",
            first=first,
            card=_card_text(table, scan),
        )
    return _read_next(table, scan)


def _read_next(table: Table, scan: CardScan) -> ScanOutcome:
    """The next card of the shoe: dealt where the rules send it, or drawn when none was due."""
    card, finding = scan.card, _card_text(table, scan)
    try:
        _try(table, c.DealCard(card))
    except Refused as refused:
        if refused.code in _EARLY:
            finding = f"{finding} was drawn too early: {refused.sentence.removesuffix('.').lower()}"
            return _interrupt(table, "excess_cards", finding, "early")
        if refused.code in _EXCESS:
            finding = f"{finding} was drawn when none was due"
            return _irregularity(table, "excess_cards", c.DealCard(card, to="banker"), finding, "excess")
        raise
    return ScanOutcome("card", c.DealCard(card), f"C{finding[1:]} is dealt.")


def _must_be_under_way(table: Table, scan: CardScan) -> Round:
    this_round = table.round
    if this_round is None or this_round.phase in OVER:
        raise Refused(
            "no_round",
            "C{card} was drawn and no round is under way.",
            table.cite("excess_cards"),
            next_step="It is the next card to be dealt: send it again when bets are closed.",
            card=_card_text(table, scan)[1:],
        )
    return this_round


def _try(table: Table, command: c.Command) -> None:
    """Refused exactly where the table would refuse; nothing is folded."""
    decide(table, c.Call("shoe reader", "dealer", _ANY_TIME, command))


def _irregularity(table: Table, name: str, command: c.Command, finding: str, then: str) -> ScanOutcome:
    named = name if name in table.book.irregularities else "unprovided_matter"
    sentence = f"C{finding[1:]}."
    return ScanOutcome("irregularity", command, sentence, named, table.cite(named), _NEXT[then])


def _interrupt(table: Table, name: str, finding: str, then: str, reached: int = 0) -> ScanOutcome:
    """The round stops until a person has looked; the reason says what was read, and how far the reader is."""
    at = f" at card {reached}" if reached else ""
    return _irregularity(table, name, c.Interrupt(f"shoe reader{at}: {finding}"), finding, then)


def _card_text(table: Table, scan: CardScan) -> str:
    """The card as everyone may hear of it: at a face-down table by its number alone."""
    card = scan.card if scan.card in _CARDS else ascii(scan.card[:20])
    return f"card {scan.sequence}" if table.require_setup().face_down else f"card {scan.sequence} ({card})"


def _missing(first: int, last: int) -> str:
    return f"card {first} was" if first == last else f"cards {first} to {last} were"
