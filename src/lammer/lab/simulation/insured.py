"""Insurance taken only when it is worth it: the hot loop of a player who knows every card gone.

At each offer the exact worth of a unit is added up over the cards still in the shoe, in whole numbers, so
that "worth it" is a matter of sign and not of rounding. Simulation pays by it; counting reads how often it
happens and how much it is worth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lammer.lab.simulation.kernels import KEYS, Bytes, Counts, pair_code, seed_state, shuffle
from lammer.lab.simulation.profits import common_denominator, insurance_by_key, numerators
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import SIDES, Window

WINDOWS: tuple[Window, ...] = ("four_cards", "third_card", "two_cards")
"""In the order of the arrays."""
IN_A_ROUND = (2, 0, 1)
"""Their places there, in the order of a round."""

_64 = np.uint64


@dataclass(frozen=True, slots=True)
class InsureArrays:
    """Insurance of a rulebook as arrays, by hand (Player, Banker), window and key.

    `pays` is what a unit comes to, over `denominator`; `offered` is 1 where it is on offer; `stakes` is
    what is insured on each hand, in the mix's smallest part for each unit of `pays`. Each hand
    is taken to be the one shown first. `once`: a bet is insured in one window of a round only.
    """

    pays: NDArray[np.int64]
    offered: NDArray[np.uint8]
    stakes: Counts
    denominator: int
    once: bool = False


NO_INSURANCE = InsureArrays(
    np.zeros((2, 3, KEYS), np.int64), np.zeros((2, 3, KEYS), np.uint8), np.zeros(2, np.int64), 1
)
"""For a loop that asks for arrays where nobody insures."""


def insure_arrays(book: Rulebook) -> InsureArrays:
    """What the loop has to know of a rulebook's Insurance; nothing is staked on it yet."""
    values = [insurance_by_key(book, hand, window) for hand in SIDES for window in WINDOWS]
    denominator = common_denominator(value for keys in values for value in keys)
    pays = np.array([numerators(keys, denominator) for keys in values]).reshape(2, 3, KEYS)
    once = book.insurance is not None and book.insurance.once is not None
    offered = np.array([[value is not None for value in keys] for keys in values], np.uint8)
    return InsureArrays(pays, offered.reshape(2, 3, KEYS), np.zeros(2, np.int64), denominator, once)


@njit(inline="always")
def worth_of_four(pays: Counts, key: int, left: Counts) -> int:
    """The worth of a unit after four cards, times m(m - 1) for the m cards left."""
    base, worth = key // 100 * 100, 0
    for fifth in range(10):
        part = 0
        for sixth in range(10):
            part += (left[sixth] - (fifth == sixth)) * pays[base + 10 * fifth + sixth]
        worth += left[fifth] * part
    return worth


@njit(inline="always")
def worth_of_third(pays: Counts, key: int, left: Counts) -> int:
    """The worth of a unit after the Player's third card, times m for the m cards left without it."""
    base, third, worth = key // 10 * 10, key // 10 % 10, 0
    for last in range(10):
        worth += (left[last] - (last == third)) * pays[base + last]
    return worth


@njit(inline="always")
def ways_of_two(counts: Counts, total: int) -> int:
    """The ordered ways to draw two cards of this total."""
    ways = 0
    for one in range(10):
        ways += counts[one] * (counts[(total - one) % 10] - (2 * one % 10 == total))
    return ways


@njit(nogil=True, cache=True)
def worth_of_two(pays: Counts, hand: int, key: int, left: Counts) -> int:
    """The worth of a unit with one hand shown, times m(m - 1)(m - 2)(m - 3) for the m cards not shown.

    The other hand is counted after the third cards: of all ways to make its total those with either third
    card are taken away, and those with both, taken away twice, are put back.
    """
    own, worth = key // 1000 if hand == 0 else key // 100 % 10, 0
    for other in range(10):
        base = 1000 * own + 100 * other if hand == 0 else 1000 * other + 100 * own
        every = ways_of_two(left, other)
        for fifth in range(10):
            with_fifth = 2 * (left[(other - fifth) % 10] - (2 * fifth % 10 == other))
            part = 0
            for sixth in range(10):
                with_sixth = 2 * (left[(other - sixth) % 10] - (2 * sixth % 10 == other))
                with_both = 2 * ((fifth + sixth) % 10 == other)
                ways = every - with_fifth - with_sixth + with_both
                part += (left[sixth] - (fifth == sixth)) * ways * pays[base + 10 * fifth + sixth]
            worth += left[fifth] * part
    return worth


@njit(inline="always")
def worth_in(window: int, hand: int, key: int, dealt: Counts, left: Counts, pays: NDArray[np.int64]) -> int:
    """The worth of a unit on a hand in a window, times the ways the cards to come can fall (`ways_in`).

    `dealt` are the points of the first four cards in the order Player, Banker, Player, Banker, and `left` is
    without them.
    """
    if window == 0:
        return worth_of_four(pays[hand, 0], key, left)
    if window == 1:
        return worth_of_third(pays[hand, 1], key, left)
    left[dealt[1 - hand]] += 1
    left[dealt[3 - hand]] += 1
    worth = worth_of_two(pays[hand, 2], hand, key, left)
    left[dealt[1 - hand]] -= 1
    left[dealt[3 - hand]] -= 1
    return worth


@njit(inline="always")
def ways_in(window: int, cards: int) -> float:
    """The ordered ways the cards not yet seen can fall in a window; so many are left after four cards."""
    if window == 0:
        return float(cards) * (cards - 1)
    if window == 1:
        return float(cards - 1)
    return float(cards + 2) * (cards + 1) * cards * (cards - 1)


@njit(inline="always")
def insure(
    key: int,
    dealt: Counts,
    left: Counts,
    pays: NDArray[np.int64],
    offered: NDArray[np.uint8],
    stakes: Counts,
    once: bool,
    insured: NDArray[np.int64],
) -> int:
    """Take every Insurance that is worth it, or the first such where a bet is insured once; what it wins."""
    won = 0
    for hand in range(2):
        for window in IN_A_ROUND:
            if offered[hand, window, key] and worth_in(window, hand, key, dealt, left, pays) > 0:
                insured[hand, window, 0] += 1
                insured[hand, window, 1] += pays[hand, window, key]
                won += stakes[hand] * pays[hand, window, key]
                if once:
                    break
    return won


@njit(nogil=True, cache=True)
def play_insuring(
    seed: np.uint64,
    first: int,
    rounds: Counts,
    shoe_cards: Bytes,
    last: int,
    uses: Bytes,
    tally: Counts,
    pairs: Counts,
    key_wins: Counts,
    pair_wins: Counts,
    stretch: int,
    wins: NDArray[np.int64],
    pays: NDArray[np.int64],
    offered: NDArray[np.uint8],
    stakes: Counts,
    once: bool,
    insured: NDArray[np.int64],
) -> None:
    """`kernels.play_streams` with Insurance taken whenever its exact worth is above nothing.

    `insured[hand, window]` is added to: how often it was taken, and what the units came to.
    """
    size = shoe_cards.size
    shoe = np.zeros(size + 8, np.uint8)
    state = np.zeros(4, np.uint32)
    full = np.zeros(10, np.int64)
    for place in range(size):
        full[shoe_cards[place] >> 4] += 1
    left = np.zeros(10, np.int64)
    dealt = np.zeros(4, np.int64)
    end = min(size, last + 6)
    for i in range(rounds.size):
        shoe[:size] = shoe_cards
        seed_state(seed, _64(first + i), state)
        remaining = rounds[i]
        keep = stretch > 0 and i < wins.shape[0]
        until, won, chunk = stretch, 0, 0
        while remaining > 0:
            shuffle(shoe, size, end, state)
            left[:] = full
            at = 0
            while at <= last and remaining > 0:
                p1, b1, p2, b2 = shoe[at], shoe[at + 1], shoe[at + 2], shoe[at + 3]
                player = ((p1 >> 4) + (p2 >> 4)) % 10
                banker = ((b1 >> 4) + (b2 >> 4)) % 10
                five = (player * 10 + banker) * 10 + (shoe[at + 4] >> 4)
                key = five * 10 + (shoe[at + 5] >> 4)
                code = pair_code(p1, b1, p2, b2)
                tally[key] += 1
                pairs[code] += 1
                for place in range(4):
                    dealt[place] = shoe[at + place] >> 4
                    left[dealt[place]] -= 1
                if keep:
                    won += key_wins[key] + pair_wins[code]
                won -= insure(key, dealt, left, pays, offered, stakes, once, insured)
                for place in range(4, uses[five]):
                    left[shoe[at + place] >> 4] -= 1
                at += uses[five]
                remaining -= 1
                if keep:
                    until -= 1
                    if until == 0:
                        wins[i, chunk] = won
                        until, won, chunk = stretch, 0, chunk + 1
