"""The hot loop for rulebooks with a bet that asks for suits, or for pairs and totals together.

The same streams and the same shuffle as in `kernels`, so the same ranks in the same order; but a card is its
rank and suit here, and every round is counted by its key and its pairs together. That takes more memory and
more time, and is done for no other rulebook.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lammer.lab.exact.composition import Composition
from lammer.lab.exact.pairs import PLAIN, SUITED, finals, pair_kinds
from lammer.lab.simulation.insured import insure
from lammer.lab.simulation.kernels import KEYS, Bytes, Counts, seed_state, shuffle
from lammer.lab.simulation.lookups import lookups
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import PAIR_SUITS

CODES = len(SUITED)
_64 = np.uint64


def card_bytes(shoe: Composition) -> Bytes:
    """The cards of a shoe, in order of rank: four times the rank, and the suit."""
    suits = [count for of_rank in shoe.by_suits for count in of_rank]
    return np.repeat(np.arange(len(suits), dtype=np.uint8), suits)


def code_map(book: Rulebook) -> Counts:
    """For each code of `suited_code` the rulebook's own, which may not tell suits apart."""
    if pair_kinds(book) is SUITED:
        return np.arange(CODES)
    plain = {(bool(kind.player), bool(kind.banker), kind.compared): code for code, kind in enumerate(PLAIN)}
    return np.array([plain[bool(kind.player), bool(kind.banker), kind.compared] for kind in SUITED])


def final_of_key(book: Rulebook) -> Counts:
    """For each key of a tally the place of its finish."""
    return np.array(finals(book)[1], np.int64)[lookups(book).path_of_key]


def by_code(book: Rulebook, both: Counts) -> list[int]:
    """A tally of keys and codes as `exact.pair_counts` gives them."""
    counts = np.zeros(len(pair_kinds(book)), np.int64)
    np.add.at(counts, code_map(book), both.reshape(KEYS, CODES).sum(axis=0))
    return [int(count) for count in counts]


def by_code_and_final(book: Rulebook, both: Counts) -> list[list[int]]:
    """A tally of keys and codes as `exact.pair_and_final_counts` gives them."""
    of_final = np.zeros((len(finals(book)[0]), CODES), np.int64)
    np.add.at(of_final, final_of_key(book), both.reshape(KEYS, CODES))
    counts = np.zeros((len(pair_kinds(book)), len(of_final)), np.int64)
    np.add.at(counts, code_map(book), of_final.T)
    return [[int(count) for count in row] for row in counts]


def plain_codes() -> Counts:
    """For each code the one of `kernels.pair_code`, which tells no suits apart."""
    many = len(PAIR_SUITS)
    return np.repeat(np.arange(len(PLAIN)), [1, many, many, many**2, many**2, many**2])


@njit(inline="always")
def _suits_of(one: np.uint8, other: np.uint8) -> int:
    """Of two cards of one rank: 0 of one suit, 1 of one colour, 2 of two colours."""
    a, b = int(one) & 3, int(other) & 3
    return 0 if a == b else 1 if a + b == 3 else 2


@njit(inline="always")
def suited_code(p1: np.uint8, b1: np.uint8, p2: np.uint8, b2: np.uint8, points: Bytes) -> int:
    """Which hands are paired, in which suits, and how two pairs compare: a place in `exact.pairs.SUITED`."""
    player, banker = p1 >> 2 == p2 >> 2, b1 >> 2 == b2 >> 2
    if not player and not banker:
        return 0
    if not banker:
        return 1 + _suits_of(p1, p2)
    if not player:
        return 4 + _suits_of(b1, b2)
    compared = 2 if p1 >> 2 == b1 >> 2 else 1 if points[p1 >> 2] == points[b1 >> 2] else 0
    return 7 + 9 * compared + 3 * _suits_of(p1, p2) + _suits_of(b1, b2)


@njit(nogil=True, cache=True)
def play_detailed(
    seed: np.uint64,
    first: int,
    rounds: Counts,
    shoe_cards: Bytes,
    last: int,
    uses: Bytes,
    points: Bytes,
    both: Counts,
    both_wins: Counts,
    stretch: int,
    wins: NDArray[np.int64],
    insuring: bool,
    pays: NDArray[np.int64],
    offered: NDArray[np.uint8],
    stakes: Counts,
    once: bool,
    insured: NDArray[np.int64],
) -> None:
    """`kernels.play_streams` counted by key and pairs together; with `insuring`, `insured.play_insuring`."""
    size = shoe_cards.size
    shoe = np.zeros(size + 8, np.uint8)
    state = np.zeros(4, np.uint32)
    full = np.zeros(10, np.int64)
    for place in range(size):
        full[points[shoe_cards[place] >> 2]] += 1
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
                player = (int(points[p1 >> 2]) + int(points[p2 >> 2])) % 10
                banker = (int(points[b1 >> 2]) + int(points[b2 >> 2])) % 10
                five = (player * 10 + banker) * 10 + int(points[shoe[at + 4] >> 2])
                key = five * 10 + int(points[shoe[at + 5] >> 2])
                cell = key * CODES + suited_code(p1, b1, p2, b2, points)
                both[cell] += 1
                if keep:
                    won += both_wins[cell]
                if insuring:
                    for place in range(4):
                        dealt[place] = points[shoe[at + place] >> 2]
                        left[dealt[place]] -= 1
                    won -= insure(key, dealt, left, pays, offered, stakes, once, insured)
                    for place in range(4, uses[five]):
                        left[points[shoe[at + place] >> 2]] -= 1
                at += uses[five]
                remaining -= 1
                if keep:
                    until -= 1
                    if until == 0:
                        wins[i, chunk] = won
                        until, won, chunk = stretch, 0, chunk + 1
