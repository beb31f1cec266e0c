"""How the bets of one round move together: exact edges, variances and covariances of a unit on each.

One round's bets are settled by the same cards, so what the House wins on them is not independent: Banker and
Player offset each other, Tiger and Banker win together. Every figure is a fraction over all ordered draws of
six cards. Insurance is taken when the first cards lie open; what it comes to is judged given what was seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from lammer.game.bets import judge
from lammer.game.hands import Round
from lammer.lab.exact.analysis import unit_profit
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import finals, paired_round, situations, total_round
from lammer.lab.exact.ways import Path, draws, pair_tiers, paths, ways
from lammer.rulebook.betting import Bet, Paired
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.vocabulary import RANKS, Side, Window

_NOTHING = Fraction(0)
_UNPAIRED = -1


class InsuredAt(NamedTuple):
    """Insurance of a hand in a window, by the totals that lay open, at these odds."""

    hand: Side
    window: Window
    player: int
    banker: int
    odds: str


Wager = str | InsuredAt
"""A bet by its name, or Insurance by its situation."""


@lru_cache(maxsize=2048)
def by_final(book: Rulebook, name: str) -> tuple[Fraction, ...]:
    """The profit of a unit on a bet that turns on totals, for each finish of `edges.finals`."""
    return tuple(profit_on(book, name, total_round(*final)) for final in finals(book)[0])


def profit_on(book: Rulebook, name: str, played: Round) -> Fraction:
    """The profit of a unit on a bet in a round."""
    verdict = judge(book, book.bets[name], played)
    return unit_profit(verdict.outcome, verdict.odds)


def turns_on_pairs(bet: Bet) -> bool:
    """Whether it is the first cards' ranks that decide it, not the totals."""
    return isinstance(bet.wins, Paired)


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

    def _mean_profit(self, wager: Wager) -> Fraction:
        if isinstance(wager, InsuredAt):
            return self._given(wager, self._insured(wager))
        if self._on_pairs(wager):
            profits = self._pair_profits(wager)
            counted = sum((count * profits[tier] for tier, count in self._tiers.items()), _NOTHING)
            return counted / self._draws
        return _weighed(self._finals, by_final(self.book, wager)) / self._draws

    def _covariance(self, one: Wager, other: Wager) -> Fraction:
        if isinstance(one, InsuredAt) or isinstance(other, InsuredAt):
            return self._given_situation(one, other)
        pairs = [self._on_pairs(name) for name in (one, other)]
        if all(pairs):
            first, second = self._pair_profits(one), self._pair_profits(other)
            counted = sum((n * first[tier] * second[tier] for tier, n in self._tiers.items()), _NOTHING)
        elif any(pairs):
            pair_bet, total_bet = (one, other) if pairs[0] else (other, one)
            counted = self._pair_and_total(pair_bet, by_final(self.book, total_bet))
        else:
            both = zip(by_final(self.book, one), by_final(self.book, other), strict=True)
            counted = _weighed(self._finals, [first * second for first, second in both])
        return counted / self._draws - self._mean_profit(one) * self._mean_profit(other)

    def _on_pairs(self, name: str) -> bool:
        return turns_on_pairs(self.book.bets[name])

    @cached_property
    def _paths(self) -> list[int]:
        return ways(self.book, self._counts)

    @cached_property
    def _finals(self) -> list[int]:
        """In how many draws the round ends at each finish."""
        sums = [0] * len(finals(self.book)[0])
        for place, count in zip(finals(self.book)[1], self._paths, strict=True):
            sums[place] += count
        return sums

    @cached_property
    def _tiers(self) -> dict[tuple[int, int], int]:
        return pair_tiers(self.shoe.ranks)

    def _pair_profits(self, name: str) -> dict[tuple[int, int], Fraction]:
        return {tier: profit_on(self.book, name, paired_round(*tier)) for tier in self._tiers}

    # Pairs and totals together.

    def _pair_and_total(self, pair_bet: str, total_profits: Sequence[Fraction]) -> Fraction:
        """The sum over all draws of what a unit on each comes to, multiplied."""
        profits = self._pair_profits(pair_bet)
        unpaired = profits[_UNPAIRED, _UNPAIRED]
        counted = unpaired * _weighed(self._finals, total_profits)
        for tier, ends in self._finals_by_pairs.items():
            if profits[tier] != unpaired:
                counted += (profits[tier] - unpaired) * _weighed(ends, total_profits)
        return counted

    @cached_property
    def _finals_by_pairs(self) -> dict[tuple[int, int], list[int]]:
        """For each pair of ranks the hands may be paired in, but for none at all: draws by finish."""
        points = [self.book.cards.points.get(rank, 0) % 10 for rank in RANKS]
        pair = [count * (count - 1) for count in self.shoe.ranks]
        after_pairs, after_one_pair = cache(self._after_pairs), cache(self._after_one_pair)
        by_tier: dict[tuple[int, int], list[int]] = {}
        for i, j in product(range(len(RANKS)), repeat=2):
            if (i, j) in self._tiers:
                left = self.shoe.ranks[j] - (2 if i == j else 0)
                after = after_pairs(points[i], points[j])
                by_tier[i, j] = [pair[i] * left * (left - 1) * count for count in after]
        for i in range(len(RANKS)):
            if (i, _UNPAIRED) not in self._tiers:
                continue
            for side, tier in (("player", (i, _UNPAIRED)), ("banker", (_UNPAIRED, i))):
                ends = [pair[i] * count for count in after_one_pair(side, points[i])]
                for j in range(len(RANKS)):
                    both = by_tier.get((i, j) if side == "player" else (j, i))
                    if both is not None:
                        ends = [count - paired for count, paired in zip(ends, both, strict=True)]
                by_tier[tier] = ends
        return by_tier

    def _after_pairs(self, player: int, banker: int) -> list[int]:
        """By finish, the ways to draw two more cards after pairs of these points."""
        left = list(self._counts)
        left[player] -= 2
        left[banker] -= 2
        return self._last_two(left, 2 * player % 10, 2 * banker % 10)

    def _after_one_pair(self, side: str, points: int) -> list[int]:
        """By finish, the ways to draw the other hand's cards and two more after a pair of these points."""
        left = list(self._counts)
        left[points] -= 2
        ends = [0] * len(finals(self.book)[0])
        for first in range(10):
            for second in range(first, 10):
                # Two cards of different points come in either order.
                many = left[first] * (left[second] - 1) if first == second else 2 * left[first] * left[second]
                if many <= 0:
                    continue
                rest = list(left)
                rest[first] -= 1
                rest[second] -= 1
                totals = (2 * points % 10, (first + second) % 10)
                last = self._last_two(rest, *(totals if side == "player" else totals[::-1]))
                ends = [count + many * more for count, more in zip(ends, last, strict=True)]
        return ends

    def _last_two(self, left: Sequence[int], player: int, banker: int) -> list[int]:
        """By finish, the ways to draw two more cards from these when the hands have these totals."""
        ends, size = [0] * len(finals(self.book)[0]), sum(left)
        for path, place in _paths_from(self.book)[player, banker]:
            if path.third is not None and path.fourth is not None:
                many = left[path.third] * (left[path.fourth] - (path.third == path.fourth))
            elif path.third is None and path.fourth is None:
                many = size * (size - 1)
            else:
                drawn = path.third if path.third is not None else path.fourth
                assert drawn is not None, "one of the two was drawn"
                many = left[drawn] * (size - 1)
            ends[place] += max(0, many)
        return ends

    # Insurance, given what lay open when it was taken.

    def _insured(self, wager: InsuredAt) -> dict[int, Fraction]:
        """The profit of a unit of Insurance on each path of its situation; empty where none is offered."""
        return _insurance_profits(self.book, wager)

    def _given_situation(self, one: Wager, other: Wager) -> Fraction:
        """The covariance of two wagers given what lay open when the later of them was taken."""
        insured = [wager for wager in (one, other) if isinstance(wager, InsuredAt)]
        latest = max(insured, key=lambda wager: wager.window == "third_card")
        first, second = self._profits_by_path(one), self._profits_by_path(other)
        if first is None or second is None:
            return _NOTHING
        multiplied = {place: first.get(place, _NOTHING) * value for place, value in second.items()}
        means = [self._given(latest, values) for values in (first, second)]
        return self._given(latest, multiplied) - means[0] * means[1]

    def _profits_by_path(self, wager: Wager) -> dict[int, Fraction] | None:
        if isinstance(wager, InsuredAt):
            return self._insured(wager)
        if self._on_pairs(wager):
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


@lru_cache(maxsize=32)
def _paths_from(book: Rulebook) -> dict[tuple[int, int], list[tuple[Path, int]]]:
    """The paths that begin at each two totals, each with the place of its finish."""
    by_totals: dict[tuple[int, int], list[tuple[Path, int]]] = {}
    for path, place in zip(paths(book), finals(book)[1], strict=True):
        by_totals.setdefault((path.player, path.banker), []).append((path, place))
    return by_totals


@lru_cache(maxsize=1024)
def _insurance_profits(book: Rulebook, wager: InsuredAt) -> dict[int, Fraction]:
    won_profit = Odds.parse(wager.odds).profit
    for offer, player, banker, (won, lost, back) in situations(book):
        if (offer.hand, offer.window, player, banker) == wager[:4]:
            profits = dict.fromkeys(won, won_profit)
            return profits | dict.fromkeys(lost, Fraction(-1)) | dict.fromkeys(back, _NOTHING)
    return {}
