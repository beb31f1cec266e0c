"""`valuing` for rulebooks with a bet that asks for suits, or for pairs and totals together.

A shoe is its 52 cards here. Pairs are counted by suits, and with the finish where a bet needs it, exactly as
`exact.pairs` counts them; sums, halves and division are those of `valuing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lammer.lab.exact.pairs import asks_both, finals
from lammer.lab.exact.ways import paths
from lammer.lab.simulation.detailed import CODES, code_map
from lammer.lab.simulation.kernels import Bytes, Counts, joint
from lammer.lab.simulation.lookups import lookups
from lammer.lab.simulation.profits import by_place, common_denominator, numerators
from lammer.rulebook.model import Rulebook

SUITS = 4
KINDS = 3
Tables = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DetailedPays:
    """What each bet pays, in whole numbers: a column for each finish, each code, each code and finish.

    The last are there only if a bet needs them. `first`, `third`, `fourth` and `final` lay out the paths by
    the two-card totals they begin at.
    """

    weights: Tables
    denominators: Counts
    points: Bytes
    starts: Counts
    tables: Counts
    places: Counts
    first: Counts
    third: Counts
    fourth: Counts
    final: Counts


@lru_cache(maxsize=32)
def detailed_pays(book: Rulebook, names: tuple[str, ...]) -> DetailedPays:
    """The pays of these bets."""
    ends, of_path = finals(book)
    width = len(ends) + CODES + (CODES * len(ends) if asks_both(book) else 0)
    weights = np.zeros((len(names), width), np.int64)
    denominators = np.ones(len(names), np.int64)
    for row, name in enumerate(names):
        profits, turns_on = by_place(book, name), book.bets[name].turns_on
        denominators[row] = denominator = common_denominator(profits)
        values = numerators(profits, denominator)
        if turns_on == "totals":
            weights[row, : len(ends)] = values
        elif turns_on == "pairs":
            weights[row, len(ends) : len(ends) + CODES] = values[code_map(book)]
        else:
            weights[row, len(ends) + CODES :] = values.reshape(-1, len(ends))[code_map(book)].ravel()
    arrays = lookups(book)
    rows = sorted(
        (10 * path.player + path.banker, _digit(path.third), _digit(path.fourth), place)
        for path, place in zip(paths(book), of_path, strict=True)
    )
    begins, third, fourth, final = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    return DetailedPays(
        weights,
        denominators,
        arrays.points,
        arrays.starts,
        arrays.tables,
        np.array(of_path, np.int64)[arrays.places],
        np.searchsorted(begins, np.arange(101)),
        third,
        fourth,
        final,
    )


def _digit(drawn: int | None) -> int:
    return -1 if drawn is None else drawn


def detailed_worths(pays: DetailedPays, shoes: NDArray[np.int16]) -> NDArray[np.float64]:
    """What a unit on each bet is worth to the bettor, a row a shoe of 52 counts."""
    values = np.empty((len(shoes), len(pays.weights)), np.float64)
    ends = int(pays.final.max()) + 1
    _value_shoes(
        shoes, pays.points, pays.starts, pays.tables, pays.places, pays.weights, pays.denominators,
        pays.first, pays.third, pays.fourth, pays.final, ends, values,
    )  # fmt: skip
    return values


@njit(nogil=True, cache=True)
def _value_shoes(
    shoes: NDArray[np.int16],
    points: Bytes,
    starts: Counts,
    tables: Counts,
    places: Counts,
    weights: Tables,
    denominators: Counts,
    first: Counts,
    third: Counts,
    fourth: Counts,
    final: Counts,
    ends: int,
    values: NDArray[np.float64],
) -> None:
    ways = np.zeros(weights.shape[1], np.int64)
    counts = np.zeros(10, np.int64)
    own = np.zeros((10, KINDS), np.int64)
    squares = np.zeros((10, KINDS, KINDS), np.int64)
    four = np.zeros((10, KINDS, KINDS), np.int64)
    both = weights.shape[1] > ends + CODES
    for row in range(shoes.shape[0]):
        shoe = shoes[row]
        counts[:] = 0
        for card in range(52):
            counts[points[card >> 2]] += shoe[card]
        joint(counts, starts, tables, places, ways[:ends])
        _count_pairs(shoe, points, own, squares, four)
        n = counts.sum()
        _pair_ways(n, own, squares, four, ways[ends : ends + CODES])
        if both:
            of_finish = ways[ends + CODES :].reshape(CODES, ends)
            _pair_and_final_ways(
                counts, own, squares, four, first, third, fourth, final, ways[:ends], of_finish
            )
        draws = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5)
        for bet in range(weights.shape[0]):
            high, low = 0, 0
            for place in range(weights.shape[1]):
                weight = weights[bet, place]
                high += (ways[place] >> 32) * weight
                low += (ways[place] & 0xFFFFFFFF) * weight
            high += low >> 32
            low &= 0xFFFFFFFF
            values[row, bet] = (high * 4294967296.0 + low) / (np.float64(denominators[bet]) * draws)


@njit(nogil=True, cache=True)
def _count_pairs(shoe: NDArray[np.int16], points: Bytes, own: Tables, squares: Tables, four: Tables) -> None:
    """Ordered pairs by value and suits; of two hands paired in one rank by value, multiplied and dealt."""
    own[:] = 0
    squares[:] = 0
    four[:] = 0
    pairs = np.zeros(KINDS, np.int64)
    left = np.zeros(SUITS, np.int64)
    for rank in range(13):
        value = points[rank]
        pairs[:] = 0
        for a in range(SUITS):
            left[a] = shoe[SUITS * rank + a]
        for a in range(SUITS):
            for b in range(SUITS):
                many = left[a] * (left[b] - (a == b))
                if many <= 0:
                    continue
                one = 0 if a == b else 1 if a + b == 3 else 2
                pairs[one] += many
                left[a] -= 1
                left[b] -= 1
                for c in range(SUITS):
                    for d in range(SUITS):
                        more = left[c] * (left[d] - (c == d))
                        if more > 0:
                            other = 0 if c == d else 1 if c + d == 3 else 2
                            four[value, one, other] += many * more
                left[a] += 1
                left[b] += 1
        for one in range(KINDS):
            own[value, one] += pairs[one]
            for other in range(KINDS):
                squares[value, one, other] += pairs[one] * pairs[other]


@njit(nogil=True, cache=True)
def _pair_ways(n: int, own: Tables, squares: Tables, four: Tables, ways: Counts) -> None:
    """`exact.pairs.pair_counts`."""
    rest = (n - 4) * (n - 5)
    ways[:] = 0
    for one in range(KINDS):
        total = own[:, one].sum() * (n - 2) * (n - 3)
        ways[1 + one] += total
        ways[4 + one] += total
        for other in range(KINDS):
            alike, of_value, twins = np.int64(0), np.int64(0), np.int64(0)
            for value in range(10):
                alike += squares[value, one, other]
                of_value += own[value, one] * own[value, other]
                twins += four[value, one, other]
            code = 3 * one + other
            ways[7 + code] = own[:, one].sum() * own[:, other].sum() - of_value
            ways[16 + code] = of_value - alike
            ways[25 + code] = twins
    for code in range(27):
        ways[1 + code // 3 % 3] -= ways[7 + code]
        ways[4 + code % 3] -= ways[7 + code]
    ways[0] = n * (n - 1) * (n - 2) * (n - 3) - ways[1:].sum()
    ways *= rest


@njit(nogil=True, cache=True)
def _last_two(
    left: Counts,
    at: int,
    first: Counts,
    third: Counts,
    fourth: Counts,
    final: Counts,
    times: int,
    out: Counts,
) -> None:
    """Add the ways to draw two more cards from two-card totals, each so many times, by finish."""
    size = left.sum()
    for path in range(first[at], first[at + 1]):
        x, y = third[path], fourth[path]
        if x >= 0 and y >= 0:
            many = left[x] * (left[y] - (x == y))
        elif x < 0 and y < 0:
            many = size * (size - 1)
        else:
            many = left[max(x, y)] * (size - 1)
        if many > 0:
            out[final[path]] += times * many


@njit(nogil=True, cache=True)
def _pair_and_final_ways(
    counts: Counts,
    own: Tables,
    squares: Tables,
    four: Tables,
    first: Counts,
    third: Counts,
    fourth: Counts,
    final: Counts,
    by_final: Counts,
    out: Tables,
) -> None:
    """`exact.pairs.pair_and_final_counts`."""
    out[:] = 0
    ends = out.shape[1]
    left = counts.copy()
    last = np.zeros(ends, np.int64)
    for v in range(10):
        for w in range(10):
            left[:] = counts
            left[v] -= 2
            left[w] -= 2
            last[:] = 0
            if left.min() >= 0:
                _last_two(left, 10 * (2 * v % 10) + 2 * w % 10, first, third, fourth, final, 1, last)
            for one in range(KINDS):
                for other in range(KINDS):
                    code = 3 * one + other
                    if v != w:
                        out[7 + code] += own[v, one] * own[w, other] * last
                    else:
                        out[16 + code] += (own[v, one] * own[v, other] - squares[v, one, other]) * last
                        out[25 + code] += four[v, one, other] * last
        if counts[v] < 2:
            continue
        for side in range(2):
            last[:] = 0
            _after_one_pair(counts, v, side, first, third, fourth, final, last)
            for one in range(KINDS):
                out[1 + 3 * side + one] += own[v, one] * last
    for code in range(27):
        out[1 + code // 3 % 3] -= out[7 + code]
        out[4 + code % 3] -= out[7 + code]
    out[0] = by_final
    for code in range(1, CODES):
        out[0] -= out[code]


@njit(nogil=True, cache=True)
def _after_one_pair(
    counts: Counts,
    value: int,
    side: int,
    first: Counts,
    third: Counts,
    fourth: Counts,
    final: Counts,
    out: Counts,
) -> None:
    """By finish, the ways to draw the other hand's cards and two more after a pair of this value."""
    left = counts.copy()
    left[value] -= 2
    pair = 2 * value % 10
    for x in range(10):
        for y in range(x, 10):
            many = left[x] * (left[y] - 1) if x == y else 2 * left[x] * left[y]
            if many <= 0:
                continue
            left[x] -= 1
            left[y] -= 1
            other = (x + y) % 10
            at = 10 * pair + other if side == 0 else 10 * other + pair
            _last_two(left, at, first, third, fourth, final, many, out)
            left[x] += 1
            left[y] += 1
