"""How the bets of one round move together: exact edges, variances and covariances of a unit on each.

One round's bets are settled by the same cards, so what the House wins on them is not independent: Banker and
Player offset each other, Tiger and Banker win together. Every figure is a fraction over all ordered draws of
six cards. Insurance is taken when the first cards lie open; what it comes to is judged given what was seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from lammer.game.bets import judge_finish
from lammer.lab.exact.analysis import unit_profit
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import situations
from lammer.lab.exact.pairs import decisive, final_counts, finals, pair_and_final_counts, pair_counts
from lammer.lab.exact.ways import draws, ways
from lammer.rulebook.betting import Bet, TurnsOn
from lammer.rulebook.conditions import Finish
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.vocabulary import WINDOWS, Side, Window

_NOTHING = Fraction(0)


class InsuredAt(NamedTuple):
    """Insurance of a hand in a window, by the totals that lay open, None for a hand not shown, and odds."""

    hand: Side
    window: Window
    player: int | None
    banker: int | None
    odds: str


Wager = str | InsuredAt
"""A bet by its name, or Insurance by its situation."""


def by_final(book: Rulebook, name: str) -> tuple[Fraction, ...]:
    """The profit of a unit on a bet that turns on totals, for each finish of `pairs.finals`."""
    return by_place(book, name)


@lru_cache(maxsize=2048)
def by_place(book: Rulebook, name: str) -> tuple[Fraction, ...]:
    """The profit of a unit on a bet, for each finish it is counted by (`pairs.decisive`); 0 where none is."""
    bet = book.bets[name]
    return tuple(_NOTHING if finish is None else profit_on(bet, finish) for finish in decisive(book, bet))


def profit_on(bet: Bet, finish: Finish) -> Fraction:
    """The profit of a unit on a bet in a round that finished so."""
    verdict = judge_finish(bet, finish)
    return unit_profit(verdict.outcome, verdict.odds)


def turns_on_pairs(bet: Bet) -> bool:
    """Whether it is the first cards alone that decide it, not the totals."""
    return bet.turns_on == "pairs"


class RoundMoments:
    """The edge of every wager of a rulebook and how any two of one round move together, from a shoe.

    Insurance and a pair bet are taken to be independent given the totals that lie open: the ranks of cards
    already dealt say next to nothing of those to come.

    >>> from lammer import rulebook
    >>> moments = RoundMoments(rulebook("tiger-buffalo-noncommission@4"), Composition.of_decks(8))
    >>> round(float(moments.edge("player")), 6), round(float(moments.covariance("player", "banker")), 6)
    (0.012351, -0.878092)
    """

    def __init__(self, book: Rulebook, shoe: Composition) -> None:
        self.book, self.shoe = book, shoe
        self._counts = shoe.by_points(book)
        self._draws = draws(self._counts)
        self._edges: dict[Wager, Fraction] = {}
        self._covariances: dict[tuple[Wager, Wager], Fraction] = {}

    def edge(self, wager: Wager) -> Fraction:
        """What the House wins of a unit in the mean."""
        if wager not in self._edges:
            self._edges[wager] = -self._mean_profit(wager)
        return self._edges[wager]

    def covariance(self, one: Wager, other: Wager) -> Fraction:
        """The covariance of what units on two wagers of a round come to; the variance where they are one."""
        key = (one, other) if repr(one) <= repr(other) else (other, one)
        if key not in self._covariances:
            self._covariances[key] = self._covariance(*key)
        return self._covariances[key]

    def profits_together(self, names: Sequence[str]) -> dict[tuple[Fraction, ...], int]:
        """The profits of a unit on each of these bets that a round can give, and in how many draws."""
        columns = [self._by_both(name) for name in names]
        rows: dict[tuple[Fraction, ...], int] = {}
        for count, *row in zip(self._both, *columns, strict=True):
            if count:
                profits = tuple(row)
                rows[profits] = rows.get(profits, 0) + count
        return rows

    def _mean_profit(self, wager: Wager) -> Fraction:
        if isinstance(wager, InsuredAt):
            return self._given(wager, self._insured(wager))
        return _weighed(self._counts_for(wager), by_place(self.book, wager)) / self._draws

    def _covariance(self, one: Wager, other: Wager) -> Fraction:
        if isinstance(one, InsuredAt) or isinstance(other, InsuredAt):
            return self._given_situation(one, other)
        turns = {self._turns_on(name) for name in (one, other)}
        if len(turns) == 1:
            counts = self._counts_for(one)
            both = zip(by_place(self.book, one), by_place(self.book, other), strict=True)
        else:
            counts = self._both
            both = zip(self._by_both(one), self._by_both(other), strict=True)
        counted = _weighed(counts, [first * second for first, second in both])
        return counted / self._draws - self._mean_profit(one) * self._mean_profit(other)

    def _turns_on(self, name: str) -> TurnsOn:
        return self.book.bets[name].turns_on

    def _counts_for(self, name: str) -> Sequence[int]:
        turns_on = self._turns_on(name)
        return self._finals if turns_on == "totals" else self._pairs if turns_on == "pairs" else self._both

    def _by_both(self, name: str) -> Sequence[Fraction]:
        """The profit of a unit on a bet, for each code of the pairs and for each of those by finish."""
        profits, turns_on = by_place(self.book, name), self._turns_on(name)
        ends, codes = len(self._finals), len(self._pairs)
        if turns_on == "totals":
            return profits * codes
        return [profit for profit in profits for _ in range(ends)] if turns_on == "pairs" else profits

    @cached_property
    def _paths(self) -> list[int]:
        return ways(self.book, self._counts)

    @cached_property
    def _finals(self) -> list[int]:
        """In how many draws the round ends at each finish."""
        return final_counts(self.book, self._paths)

    @cached_property
    def _pairs(self) -> list[int]:
        """In how many draws the hands begin with the pairs of each code."""
        return pair_counts(self.book, self.shoe)

    @cached_property
    def _both(self) -> list[int]:
        """In how many draws they begin so and the round ends there: by code, and for each by finish."""
        counted = pair_and_final_counts(self.book, self.shoe, self._finals)
        return [count for by_final in counted for count in by_final]

    # Insurance, given what lay open when it was taken.

    def _insured(self, wager: InsuredAt) -> dict[int, Fraction]:
        """The profit of a unit of Insurance on each path of its situation; empty where none is offered."""
        return _insurance_profits(self.book, wager)

    def _given_situation(self, one: Wager, other: Wager) -> Fraction:
        """The covariance of two wagers given what lay open when the later of them was taken."""
        insured = [wager for wager in (one, other) if isinstance(wager, InsuredAt)]
        latest = max(insured, key=lambda wager: WINDOWS.index(wager.window))
        first, second = self._profits_by_path(one), self._profits_by_path(other)
        if first is None or second is None:
            return _NOTHING
        multiplied = {place: first.get(place, _NOTHING) * value for place, value in second.items()}
        means = [self._given(latest, values) for values in (first, second)]
        return self._given(latest, multiplied) - means[0] * means[1]

    def _profits_by_path(self, wager: Wager) -> dict[int, Fraction] | None:
        if isinstance(wager, InsuredAt):
            return self._insured(wager)
        if self._turns_on(wager) != "totals":
            return None
        profits = by_final(self.book, wager)
        return {place: profits[final] for place, final in enumerate(finals(self.book)[1])}

    def _given(self, wager: InsuredAt, values: Mapping[int, Fraction]) -> Fraction:
        """The mean of these values over the paths a situation leaves; nothing where it is not on offer."""
        places = self._insured(wager)
        total = sum(self._paths[place] for place in places)
        if not total:
            return _NOTHING
        return sum((self._paths[place] * values.get(place, _NOTHING) for place in places), _NOTHING) / total


def _weighed(counts: Sequence[int], values: Sequence[Fraction]) -> Fraction:
    return sum((count * value for count, value in zip(counts, values, strict=True) if count), _NOTHING)


@lru_cache(maxsize=1024)
def _insurance_profits(book: Rulebook, wager: InsuredAt) -> dict[int, Fraction]:
    won_profit = Odds.parse(wager.odds).profit
    for offer, player, banker, (won, lost, back) in situations(book):
        if (offer.hand, offer.window, player, banker) == wager[:4]:
            profits = dict.fromkeys(won, won_profit)
            return profits | dict.fromkeys(lost, Fraction(-1)) | dict.fromkeys(back, _NOTHING)
    return {}
