"""What is true of a round: how it stands, how it stood before, and why that changed.

A list of rounds, the page of a round, a player's history, the notice on their table and the API all read a
round here, so that a correction is told in one way wherever somebody meets it. A reader gets the lines of
money they may see, and the names of whoever agreed only where they read everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal

from msgspec import structs

from lammer.floor.views.viewing import Viewer, names_open_cards
from lammer.game.money import show
from lammer.table import events as e
from lammer.table.fold import lines_after
from lammer.table.journal import Entry
from lammer.table.records import PaidLine

RoundState = Literal["under way", "interrupted", "settled", "void", "concluded", "reopened"]
NATURAL_POINTS: Final = 8
NATURAL_CARDS: Final = 4
"""A round of four cards won with eight or more ended with a natural: nobody drew."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round stands: what it came to, the cards that are open, the lines of money the reader may see."""

    state: RoundState = "under way"
    winner: str = ""
    points: int | None = None
    player: tuple[str, ...] = ()
    banker: tuple[str, ...] = ()
    lines: tuple[PaidLine, ...] = ()

    @property
    def staked(self) -> int:
        """What was played for, in cents; stakes that went back unplayed are not in it."""
        return sum(line.stake for line in self.lines if not self._went_back(line))

    @property
    def won(self) -> int:
        """What the House won of it; a loss is negative."""
        return -self.gain_of()

    def gain_of(self, player: str | None = None) -> int:
        """What a player won, or all of them together; a loss is negative."""
        return sum(line.returned - line.stake for line in self.lines if player in (None, line.player))

    @property
    def result(self) -> tuple[RoundState, str, int | None]:
        """What it came to, without the cards and the money."""
        return self.state, self.winner, self.points

    @property
    def natural(self) -> bool:
        cards = len(self.player) + len(self.banker)
        return cards == NATURAL_CARDS and self.points is not None and self.points >= NATURAL_POINTS

    def _went_back(self, line: PaidLine) -> bool:
        return line.given_back or (self.state == "void" and line.outcome == "returned")


@dataclass(frozen=True, slots=True)
class Change:
    """A round that was put right or made void: before, after, why, and under which paragraphs.

    `event` began it. `because` is an irregularity of the rulebook, `reason` what somebody wrote. `by` is who
    did it and who agreed, for readers of everything. While a settlement is reopened, `after` says so.
    """

    event: int
    at: datetime
    before: Outcome
    after: Outcome
    because: str
    reason: str
    cites: tuple[str, ...]
    rulebook: str = ""
    by: tuple[str, ...] = ()

    @property
    def corrects(self) -> bool:
        """Whether something that was settled changed; a round made void under way was never settled."""
        return self.before.state in ("settled", "void")

    @property
    def open(self) -> bool:
        """Whether the settlement is still being put right."""
        return self.after.state == "reopened"

    def has_bets_of(self, player: str) -> bool:
        """Whether a player had bets in the round that were settled, before or after."""
        return any(line.player == player for line in (*self.before.lines, *self.after.lines))

    def moved(self, player: str | None = None) -> int:
        """What it gave a player, or all of them, in cents; what it took is negative."""
        return self.after.gain_of(player) - self.before.gain_of(player)


@dataclass(slots=True)
class RoundTruth:
    """A round for one reader, read event by event; `stakes` are the bets that stood, by their keys."""

    viewer: Viewer
    number: int
    opened: int
    at: datetime
    outcome: Outcome = Outcome()
    changes: list[Change] = field(default_factory=list)
    players: set[str] = field(default_factory=set)
    stakes: dict[int, int] = field(default_factory=dict)
    irregularities: set[str] = field(default_factory=set)
    cites: set[str] = field(default_factory=set)
    largest: int = 0

    @property
    def state(self) -> RoundState:
        return self.outcome.state

    @property
    def bets(self) -> int:
        """Bets that stood; those that were withdrawn or given back are not among them."""
        return len(self.stakes)

    @property
    def staked(self) -> int:
        return self.outcome.staked

    @property
    def won(self) -> int:
        return self.outcome.won

    @property
    def corrected(self) -> bool:
        return any(change.corrects for change in self.changes)

    def take(self, entry: Entry) -> None:
        """Read one more event of the round, or of what was said of it later."""
        if isinstance(entry.event, e.RoundCorrected) and entry.event.round != self.number:
            return
        self.cites.update(_paragraphs(entry.event))
        self._take_bets(entry.event)
        self._take_end(entry)

    def _take_bets(self, event: e.Event) -> None:
        match event:
            case e.BetPlaced() | e.InsurancePlaced():
                self.players.add(event.player)
                self._stand(event.key, event.stake)
            case e.BetIncreased():
                self._stand(event.key, event.stake)
            case e.BetReduced() | e.BetCut():
                self._stand(event.key, -event.amount)
            case e.BetsReturned():
                for returned in event.returned:
                    self.stakes.pop(returned.key, None)
            case e.IrregularityNoted():
                self.irregularities.add(event.name)
            case _:
                pass

    def _stand(self, key: int, more: int) -> None:
        stake = self.stakes.pop(key, 0) + more
        if stake:
            self.stakes[key] = stake
        self.largest = max(self.largest, stake)

    def _take_end(self, entry: Entry) -> None:
        event = entry.event
        match event:
            case e.RoundSettled():
                lines = (*self.outcome.lines, *self._seen(event.lines))
                self._end(Outcome("settled", event.winner, event.points, event.player, event.banker, lines))
            case e.RoundConcluded():
                self._end(Outcome("concluded"))
            case e.RoundVoided():
                self.irregularities.add(event.cause)
                if self._is_reopened:
                    self._end(Outcome("void"), event.cause, event.cites)
                else:
                    self._change(entry, Outcome("void"), event.cause, "", event.cites)
            case e.RoundInterrupted():
                self.outcome = replace(self.outcome, state="interrupted")
            case e.InterruptionResolved():
                self.outcome = replace(self.outcome, state="under way")
            case e.SettlementReopened():
                # Bets that were given back for good keep their lines.
                kept = tuple(line for line in self.outcome.lines if line.given_back)
                cites = (event.cite,) if event.cite else ()
                self._change(entry, Outcome("reopened", lines=kept), "", event.reason, cites)
            case e.RoundCorrected():
                self.irregularities.add(event.because)
                after = self._after(event)
                self._change(entry, after, event.because, event.reason, event.cites, event.rulebook)
            case _:
                pass

    @property
    def _is_reopened(self) -> bool:
        return bool(self.changes) and self.changes[-1].open

    def _end(self, outcome: Outcome, because: str = "", cites: Iterable[str] = ()) -> None:
        """The round ends like this; where its settlement was reopened, that is how it was put right."""
        if self._is_reopened:
            change = self.changes[-1]
            all_cites = tuple(dict.fromkeys((*change.cites, *cites)))
            self.changes[-1] = replace(
                change, after=outcome, because=change.because or because, cites=all_cites
            )
        self._stand_as(outcome)

    def _stand_as(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.largest = max((self.largest, *(line.returned for line in outcome.lines)))

    def _change(
        self, entry: Entry, after: Outcome, because: str, reason: str, cites: tuple[str, ...], book: str = ""
    ) -> None:
        by = tuple(entry.by.split(" and ")) if self.viewer.reads_all else ()
        cited = tuple(cite for cite in cites if cite)
        self.changes.append(
            Change(entry.number, entry.at, self.outcome, after, because, reason, cited, book, by)
        )
        self._stand_as(after)

    def _after(self, event: e.RoundCorrected) -> Outcome:
        """How the round stands after a correction; a round that was void stays so."""
        before = self.outcome
        void = event.void or before.state == "void"
        opened = names_open_cards(event.because)
        seen = structs.replace(event, reversed=event.reversed, posted=self._seen(event.posted))
        return Outcome(
            "void" if void else "settled",
            "" if void else event.winner,
            None if void else event.points,
            event.player if opened else before.player,
            event.banker if opened else before.banker,
            lines_after(before.lines, seen),
        )

    def _seen(self, lines: Iterable[PaidLine]) -> tuple[PaidLine, ...]:
        """The lines the reader may see."""
        if self.viewer.reads_all:
            return tuple(lines)
        return tuple(line for line in lines if line.player == self.viewer.name)


def outcome_seen(outcome: Outcome) -> dict[str, Any]:
    """How a round stands, for a program; the gain is that of the bets whose lines the reader may see."""
    return {
        "state": outcome.state,
        "winner": outcome.winner,
        "points": outcome.points,
        "player": list(outcome.player),
        "banker": list(outcome.banker),
        "staked": show(outcome.staked),
        "gain": show(outcome.gain_of()),
    }


def changes_seen(truth: RoundTruth) -> list[dict[str, Any]]:
    """What was changed of a round, for a program."""
    return [
        {
            "event": change.event,
            "at": change.at.isoformat(),
            "before": outcome_seen(change.before),
            "after": outcome_seen(change.after),
            "because": change.because,
            "reason": change.reason,
            "cites": list(change.cites),
            "rulebook": change.rulebook,
            "by": list(change.by),
        }
        for change in truth.changes
    ]


def read_round(entries: Iterable[Entry], viewer: Viewer) -> RoundTruth:
    """A round from its events, the first of which opened it, and from later corrections of it."""
    all_entries = iter(entries)
    first = next(all_entries)
    assert isinstance(first.event, e.BettingOpened), "a round begins with its opening"
    truth = RoundTruth(viewer, first.event.round, first.number, first.at)
    for entry in all_entries:
        truth.take(entry)
    return truth


def _paragraphs(event: object) -> list[str]:
    """The paragraphs an event stands on, those of its offers and lines among them."""
    cited = [getattr(event, "cite", ""), *getattr(event, "cites", ())]
    for part in ("offers", "lines", "posted", "reversed"):
        for line in getattr(event, part, ()):
            cited += _paragraphs(line)
    return [paragraph for paragraph in cited if paragraph]
