"""What counting comes to: the result of a count, and the sheets and the chart it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Final

from lammer.lab.exact.removal import Effects, removal_sheet
from lammer.lab.output.sheet import Cell, Sheet
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.vocabulary import RANKS
from lammer.rulebook.wording import HANDS, MOMENTS

_NO_TITLES: Final[Mapping[str, str]] = MappingProxyType({})
_MOMENTS: Final[Mapping[str, Phrase]] = MappingProxyType(
    {str(window): moment for window, moment in MOMENTS.items()}
)


@dataclass(frozen=True, slots=True)
class Line:
    """A bet, or Insurance on a hand in a window: how often it is worth betting and what that makes.

    Shares are of all rounds; profits are in units staked, a unit whenever it is worth it.
    """

    bet: str
    window: str
    worth_betting: float
    offered: float
    average_edge: float
    profit_per_100: float
    error_per_100: float
    profit_per_shoe: float
    error_per_shoe: float
    desirability: float = 0.0


@dataclass(frozen=True, slots=True)
class SystemLine:
    """A bet's best count: its tags, how closely they follow the effects of removal, how closely the true
    count follows the exact worth over the shoes, the true count to bet from, and what that makes."""

    bet: str
    tags: tuple[int, ...]
    correlation: float
    follows: float
    bet_from: int
    bets_on: float
    profit_per_100: float
    error_per_100: float
    desirability: float = 0.0
    other_from: int | None = None


@dataclass(frozen=True, slots=True)
class Exposure:
    """How exposed a rulebook's bets are. `stopped` says why it ended early, if it did.

    `habits` say how it was counted where that is not the usual way, a phrase each.
    """

    rulebook: str
    cards: int
    cut: int
    seed: int
    shoes: int
    asked: int
    states: int
    bets: tuple[Line, ...]
    insurance: tuple[Line, ...]
    systems: tuple[SystemLine, ...]
    effects: Effects
    stopped: str = ""
    habits: tuple[Phrase, ...] = ()

    @property
    def description(self) -> Series:
        """What was run, in a line that is enough to run it again."""
        walked = Phrase("{shoes} shoes", shoes=f"{self.shoes:,}")
        if self.stopped:
            walked = Phrase(
                "{rounds} of {asked} asked for ({why})",
                rounds=walked,
                asked=f"{self.asked:,}",
                why=Phrase(self.stopped),
            )
        parts: list[str] = [
            self.rulebook,
            Phrase("{cards} cards, cut card {cut} from the end", cards=self.cards, cut=self.cut),
            Phrase("{shoes}, {states} rounds valued exactly", shoes=walked, states=f"{self.states:,}"),
            Phrase("seed {seed}", seed=self.seed),
            *self.habits,
        ]
        return Series(parts, " · ")

    def sheets(self) -> tuple[Sheet, ...]:
        """Bets, Insurance, effects of removal, and count systems."""
        sheets = [self.bets_sheet()]
        if self.insurance:
            sheets.append(self.insurance_sheet())
        return (*sheets, removal_sheet(self.effects), self.systems_sheet())

    def bets_sheet(self) -> Sheet:
        """Every bet, by a player who knows every card gone."""
        columns = ("bet", "worth betting %", "average edge then %", *_PROFITS)
        rows = tuple((line.bet, *_figures(line)) for line in self.bets)
        return Sheet("Exposure of the bets", columns, rows)

    def insurance_sheet(self) -> Sheet:
        """Insurance by hand and window, by the same player."""
        columns = (
            "insurance",
            "window",
            "offered %",
            "worth taking %",
            "average edge then %",
            *_PROFITS[:-1],
        )
        rows = tuple(
            (line.bet, line.window.replace("_", " "), _percent(line.offered), *_figures(line)[:-1])
            for line in self.insurance
        )
        return Sheet("Exposure of Insurance", columns, rows)

    def systems_sheet(self) -> Sheet:
        """The best small tags for each bet, and what they make of what there is to be made."""
        perfect = {line.bet: line.profit_per_100 for line in self.bets}
        rows: list[tuple[Cell, ...]] = []
        for line in self.systems:
            tags = " ".join(f"{tag:+d}" if tag else "0" for tag in line.tags)
            share = line.profit_per_100 / perfect[line.bet] if perfect[line.bet] else 0.0
            # A gain no larger than its own error may be none: a share of it would pretend to know.
            unknown = line.error_per_100 >= abs(line.profit_per_100)
            rows.append(
                (
                    line.bet,
                    tags,
                    f"{line.correlation:.4f}",
                    f"{line.follows:.4f}",
                    _from(line),
                    _percent(line.bets_on),
                    f"{line.profit_per_100:.4f}",
                    f"{line.error_per_100:.4f}",
                    Phrase("nothing can be said") if unknown else f"{100 * share:.1f}",
                    f"{line.desirability:.4f}",
                )
            )
        columns = (
            "bet",
            Phrase("tags {first} to {last}", first=RANKS[0], last=RANKS[-1]),
            "correlation",
            "follows worth",
            "bet from",
        )
        figures = ("bets on %", "profit per 100 rounds", "standard error", "of perfect %", "desirability")
        return Sheet("Best count systems", (*columns, *figures), tuple(rows))

    @property
    def without_system(self) -> list[str]:
        """The bets no count follows: a card gone tells nothing of them, as of pairs from a full shoe."""
        return [line.bet for line in self.bets if line.bet not in {system.bet for system in self.systems}]

    def profits(self, titles: Mapping[str, str] = _NO_TITLES) -> list[tuple[str, float, float]]:
        """Bets and Insurance together: the name, the profit per 100 rounds and its error, to a millionth."""
        names = [titles.get(line.bet, line.bet.replace("_", " ")) for line in self.bets]
        names += [
            Phrase("{hand} insured, {window}", hand=HANDS[line.bet], window=_MOMENTS[line.window])
            for line in self.insurance
        ]
        return [
            (name, round(line.profit_per_100, 6), round(line.error_per_100, 6))
            for name, line in zip(names, (*self.bets, *self.insurance), strict=True)
        ]

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.description)}</p>" + "".join(sheet._repr_html_() for sheet in self.sheets())


_PROFITS = (
    "profit per 100 rounds", "standard error", "profit per shoe", "standard error per shoe", "desirability",
)  # fmt: skip


def _from(line: SystemLine) -> str:
    """The true count a bet is made from; for the other side of a pair, down to which.

    >>> _from(SystemLine("tie", (0,) * 13, 1.0, 1.0, 8, 0.1, 0.2, 0.1))
    '+8'
    """
    here = f"{line.bet_from:+d}"
    return here if line.other_from is None else f"{here}, {-line.other_from:+d}"


def _percent(share: float) -> str:
    return f"{100 * share:.4f}"


def _figures(line: Line) -> tuple[str, ...]:
    """How often it is worth betting, the edge then, and what that makes."""
    return (
        _percent(line.worth_betting),
        _percent(line.average_edge),
        f"{line.profit_per_100:.4f}",
        f"{line.error_per_100:.4f}",
        f"{line.profit_per_shoe:.4f}",
        f"{line.error_per_shoe:.4f}",
        f"{line.desirability:.4f}",
    )
