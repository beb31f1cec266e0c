"""What a table has played since some moment: rounds, stakes, win, chips brought; and what it staked on what.

A projection of the journal, folded event by event and never from the beginning again. Stakes are kept by
wager, and multiplied wager by wager round by round: all that is needed to say later what the House was to
expect and how far chance may lead from it. Everything is a whole number; a correction takes out what its
round had put in. A round counts for the time at which it was opened.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from lammer.game.cards import Card
from lammer.game.hands import total
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import Side, Window
from lammer.table import events as e
from lammer.table.fold import lines_after
from lammer.table.journal import Entry
from lammer.table.records import PaidLine
from lammer.table.setup import SetUp

HOUR: Final = timedelta(hours=1)
SYSTEM: Final = "system"


class Terms(NamedTuple):
    """What a round's chances depend on: its rulebook and the decks of its shoe."""

    rulebook: str
    decks: int


class InsuredHand(NamedTuple):
    """Insurance by its situation: the hand, the window, the totals that lay open, the odds.

    A hand not shown has no total.
    """

    hand: Side
    window: Window
    player: int | None
    banker: int | None
    odds: str


Wager = str | InsuredHand
"""A bet by its name, or Insurance by its situation."""
Hands = tuple[Sequence[str], Sequence[str]]

_CARDS = (e.CardDealt, e.CardsFound, e.CardDetermined, e.CardCorrected)
_NEW_STATE = (
    e.TableSet,
    e.BettingOpened,
    e.BettingClosed,
    e.RoundSettled,
    e.RoundVoided,
    e.RoundConcluded,
    e.SettlementReopened,
    e.TableClosed,
    e.TableOpened,
)


@dataclass(slots=True)
class RoundPlay:
    """What a round has put into the figures, so that a correction can take it out again.

    `lines` are those that stand; a void round does not count as played, though a bet in it may stand.
    """

    terms: Terms
    lines: tuple[PaidLine, ...] = ()
    counts: bool = False
    settled_at: datetime | None = None
    hands: Hands = ((), ())
    stakes: Counter[Wager] = field(default_factory=Counter)
    settled: bool = False
    bets: int = 0
    win: int = 0


@dataclass(slots=True)
class PlayFigures:
    """The figures of a table since some moment; `terms` is what it plays by, None while nobody has said.

    `staked` are stakes that were settled; `changes` counts how often they changed. `state_since` is when the
    round last moved on, `alerts` when each thing that needs a person began. `exposure` is cents by wager,
    `products` the cents of two wagers of one round multiplied, summed over the rounds.
    """

    books: Mapping[str, Rulebook]
    terms: Terms | None = None
    changes: int = 0
    rounds: int = 0
    bets: int = 0
    staked: int = 0
    win: int = 0
    brought: int = 0
    dealer: str = ""
    state_since: datetime | None = None
    alerts: dict[str, datetime] = field(default_factory=dict)
    exposure: Counter[tuple[Terms, Wager]] = field(default_factory=Counter)
    products: Counter[tuple[Terms, Wager, Wager]] = field(default_factory=Counter)
    settled_at: deque[datetime] = field(default_factory=deque)
    played: dict[int, RoundPlay] = field(default_factory=dict)

    @property
    def average_bet(self) -> int | None:
        """Stakes settled by bets settled, in whole cents; None before the first."""
        return self.staked // self.bets if self.bets else None

    def as_they_stand(self) -> PlayFigures:
        """The figures of this moment; what is folded later does not change them."""
        return replace(self, alerts=dict(self.alerts), settled_at=deque(self.settled_at))

    def rounds_in_the_hour(self, until: datetime) -> int:
        """How many rounds were settled in the hour before that moment."""
        return sum(1 for at in self.settled_at if until - HOUR <= at <= until)

    def take(self, entry: Entry) -> None:
        """Fold the next event."""
        event = entry.event
        if entry.role == "dealer" and entry.by != SYSTEM:
            self.dealer = entry.by
        if isinstance(event, _NEW_STATE):
            self.state_since = entry.at
        self._take_alert(entry)
        match event:
            case e.TableSet():
                self.terms = terms_of(event.setup)
            case e.ChipsBrought():
                self.brought += event.amount
            case e.BettingOpened() if self.terms is not None:
                self.played[event.round] = RoundPlay(self.terms)
            case e.RoundSettled() if event.round in self.played:
                played = self.played[event.round]
                self._post(played, event.lines, (event.player, event.banker))
                played.settled_at = entry.at
                self.settled_at.append(entry.at)
                while self.settled_at[0] < entry.at - HOUR:
                    self.settled_at.popleft()
            case e.SettlementReopened() if event.round in self.played:
                played = self.played[event.round]
                self._take_back(played)
                played.lines = ()
                if played.settled_at is not None and played.settled_at in self.settled_at:
                    self.settled_at.remove(played.settled_at)
            case e.RoundCorrected() if event.round in self.played:
                played = self.played[event.round]
                hands = (event.player, event.banker) if event.player else played.hands
                lines = lines_after(played.lines, event)
                self._take_back(played)
                self._post(played, lines, hands, counts=not event.void)
            case _:
                pass

    def _take_alert(self, entry: Entry) -> None:
        """Note when something began that needs a person; whether it still does, the table says."""
        match entry.event:
            case e.BettingOpened():
                self.alerts.clear()
            case e.RoundInterrupted():
                self.alerts["interrupted"] = entry.at
            case e.ErrorReported():
                self.alerts["reported"] = entry.at
            case e.OptionsOffered():
                self.alerts["options"] = entry.at
            case e.CutCardShown(withdrawal=True):
                self.alerts["withdrawal"] = entry.at
            case e.SqueezeRequested():
                self.alerts["squeeze"] = entry.at
            case event if isinstance(event, _CARDS):
                if event.proper:
                    self.alerts.pop("misplaced", None)
                else:
                    self.alerts.setdefault("misplaced", entry.at)
            case _:
                pass

    def _post(
        self, played: RoundPlay, lines: tuple[PaidLine, ...], hands: Hands, *, counts: bool = True
    ) -> None:
        at_stake = [line for line in _at_stake(lines) if counts or line.outcome != "returned"]
        played.lines, played.hands, played.counts, played.settled = lines, hands, counts, True
        played.bets = len(at_stake)
        played.win = sum(line.stake - line.returned for line in at_stake)
        book = self.books[played.terms.rulebook]
        for line in at_stake:
            played.stakes[wager_of(book, line, hands)] += line.stake
        self._add(played, 1)

    def _take_back(self, played: RoundPlay) -> None:
        if played.settled:
            self._add(played, -1)
        played.settled, played.bets, played.win = False, 0, 0
        played.stakes.clear()

    def _add(self, played: RoundPlay, sign: int) -> None:
        self.changes += 1
        self.rounds += sign * played.counts
        self.bets += sign * played.bets
        self.staked += sign * played.stakes.total()
        self.win += sign * played.win
        for wager, stake in played.stakes.items():
            self.exposure[played.terms, wager] += sign * stake
        for one, other in combinations_with_replacement(sorted(played.stakes, key=repr), 2):
            # Both orders of two different wagers count.
            twice = 1 if one == other else 2
            product = twice * played.stakes[one] * played.stakes[other]
            self.products[played.terms, one, other] += sign * product


def terms_of(setup: SetUp) -> Terms:
    """What the chances at a table so set up depend on."""
    return Terms(setup.rulebook, setup.decks)


def _at_stake(lines: Iterable[PaidLine]) -> list[PaidLine]:
    """The lines that were played for: not what left the round, nor a part of Insurance that went back."""
    kept = [line for line in lines if not line.given_back]
    parts = Counter(line.key for line in kept)
    return [line for line in kept if not (line.outcome == "returned" and parts[line.key] > 1)]


def wager_of(book: Rulebook, line: PaidLine, hands: Hands) -> Wager:
    """What a line was staked on; Insurance by what lay open when it was taken.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> line = PaidLine(1, "p1", 1, "player", "third_card", 50, "lost", None, 0, 0, "0", 0, (), "8:1")
    >>> wager_of(book, line, (["2S", "3H", "4D"], ["3C", "2D", "KS"]))
    InsuredHand(hand='player', window='third_card', player=9, banker=5, odds='8:1')
    """
    if line.window is None:
        return line.bet
    player, banker = ([Card(card) for card in hand] for hand in hands)
    hand: Side = "player" if line.bet == "player" else "banker"
    shown = player if line.window == "third_card" else player[:2]
    totals: list[int | None] = [total(book, shown), total(book, banker[:2])]
    if line.window == "two_cards":
        totals[hand == "player"] = None
    return InsuredHand(hand, line.window, totals[0], totals[1], line.insured_at)
