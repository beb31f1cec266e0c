"""What every bet is worth from any shoe, exactly, for very many shoes.

The counts are whole numbers to the last one. A bet's worth is a sum of counts times pays, wider than 64 bits,
so it is carried in two halves and only divided at the end: a worth is above nothing exactly when it says so.
The plain-Python `edges` is the authority; this gives the same numbers to the last bit a float has.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lammer.lab.counting.detailed_valuing import DetailedPays, detailed_pays, detailed_worths
from lammer.lab.exact.pairs import asks_both, asks_suits, finals
from lammer.lab.simulation.kernels import PAIRS, Bytes, Counts, joint
from lammer.lab.simulation.lookups import lookups
from lammer.lab.simulation.profits import by_final, by_pairs, common_denominator, numerators, turns_on_pairs
from lammer.rulebook.model import Rulebook

Shoes = NDArray[np.int16]
"""A row a shoe: how many cards of each of the 13 ranks, or of the 52 cards for `detailed_valuing`."""
Worths = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pays:
    """What each bet pays, in whole numbers: a row a bet, a column for each finish and each kind of pairs."""

    bets: tuple[str, ...]
    weights: NDArray[np.int64]
    denominators: Counts
    points: Bytes
    starts: Counts
    tables: Counts
    places: Counts
    detailed: DetailedPays | None = None


def pays_of(book: Rulebook, bets: tuple[str, ...] = ()) -> Pays:
    """The pays of these bets, or of every bet of the rulebook."""
    names = bets or tuple(book.bets)
    arrays = lookups(book)
    if asks_suits(book) or asks_both(book):
        detailed = detailed_pays(book, names)
        nothing = arrays.points, detailed.starts, detailed.tables, detailed.places
        return Pays(names, detailed.weights, detailed.denominators, *nothing, detailed)
    ends, of_path = finals(book)
    weights = np.zeros((len(names), len(ends) + PAIRS), np.int64)
    denominators = np.ones(len(names), np.int64)
    for row, name in enumerate(names):
        on_pairs = turns_on_pairs(book.bets[name])
        profits, start = (by_pairs(book, name), len(ends)) if on_pairs else (by_final(book, name), 0)
        denominator = common_denominator(profits)
        weights[row, start : start + len(profits)] = numerators(profits, denominator)
        denominators[row] = denominator
    places = np.array(of_path, np.int64)[arrays.places]
    return Pays(names, weights, denominators, arrays.points, arrays.starts, arrays.tables, places)


def worths(pays: Pays, shoes: Shoes) -> Worths:
    """What a unit on each bet is worth to the bettor, a row a shoe.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> values = worths(pays_of(book, ("small_tiger", "tiger_buffalo")), np.full((1, 13), 32, np.int16))
    >>> [f"{-100 * worth:.4f}" for worth in values[0]]
    ['14.3325', '18.5091']
    """
    if pays.detailed is not None:
        return detailed_worths(pays.detailed, shoes)
    values = np.empty((len(shoes), len(pays.bets)), np.float64)
    value_shoes(
        shoes, pays.points, pays.starts, pays.tables, pays.places, pays.weights, pays.denominators, values
    )
    return values


@njit(nogil=True, cache=True)
def value_shoes(
    shoes: Shoes,
    points: Bytes,
    starts: Counts,
    tables: Counts,
    places: Counts,
    weights: NDArray[np.int64],
    denominators: Counts,
    values: Worths,
) -> None:
    """Fill `values` with the worth of every bet from every shoe."""
    ends = weights.shape[1] - PAIRS
    ways = np.zeros(weights.shape[1], np.int64)
    counts = np.zeros(10, np.int64)
    for row in range(shoes.shape[0]):
        shoe = shoes[row]
        counts[:] = 0
        for rank in range(13):
            counts[points[rank]] += shoe[rank]
        joint(counts, starts, tables, places, ways[:ends])
        pair_ways(shoe, points, ways[ends:])
        n = counts.sum()
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


@njit(inline="always")
def pair_ways(shoe: NDArray[np.int16], points: Bytes, ways: Counts) -> None:
    """Ordered six-card draws by the code of `kernels.pair_code`."""
    n = alike = squares = twins = np.int64(0)
    of_value = np.zeros(10, np.int64)
    for rank in range(13):
        count = np.int64(shoe[rank])
        pair = count * (count - 1)
        n += count
        alike += pair
        squares += pair * pair
        twins += pair * (count - 2) * (count - 3)
        of_value[points[rank]] += pair
    one_value = -squares
    for value in range(10):
        one_value += of_value[value] * of_value[value]
    other = alike * alike - squares - one_value
    single = alike * (n - 2) * (n - 3) - twins - one_value - other
    rest = (n - 4) * (n - 5)
    ways[1] = ways[2] = single * rest
    ways[3], ways[4], ways[5] = other * rest, one_value * rest, twins * rest
    ways[0] = (n * (n - 1) * (n - 2) * (n - 3) - 2 * single - other - one_value - twins) * rest
