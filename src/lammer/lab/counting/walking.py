"""Whole shoes walked through: what is left before every round, and what Insurance is worth at every offer.

The cards come from the same kind of streams as a simulation. What the shoes before each round are worth to
a bettor is `valuing`'s business; Insurance is valued on the spot, with the round's own cards known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lammer.lab.counting.valuing import Shoes
from lammer.lab.simulation.insured import IN_A_ROUND, InsureArrays, ways_in, worth_in
from lammer.lab.simulation.kernels import Bytes, Counts, seed_state, shuffle

BURN_BY_FIRST = -1
"""The first card of the shoe is shown, and as many burnt as it is worth: ten for a ten or a picture."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Shoes walked: every state before a round, where each shoe's states start, and Insurance by shoe.

    `insurance[shoe, hand, window]` holds offers seen, offers worth taking, and what those were worth.
    """

    states: Shoes
    starts: Counts
    insurance: NDArray[np.float64]


def walk(
    seed: int,
    first: int,
    shoes: int,
    cards: Bytes,
    last: int,
    uses: Bytes,
    insure: InsureArrays,
    points: Bytes | None = None,
    burn: int = 0,
    more_rounds: int = 0,
) -> Walk:
    """Shoes `first` and on, each from the stream of its number.

    So many cards are burnt unseen before the first round; by `BURN_BY_FIRST` the first card is shown and says
    how many. So many rounds are played after the one in which the cut card appears.

    With `points`, what each rank is worth, the cards are those of `detailed` and a state is all 52 of them.
    """
    most = shoes * (last // 4 + 2 + more_rounds)
    codes = np.arange(256)
    points_of, place_of = codes >> 4, codes & 15
    if points is not None:
        points_of, place_of = points[np.minimum(codes >> 2, 12)], codes
    states = np.zeros((most, 13 if points is None else 52), np.int16)
    starts = np.zeros(shoes + 1, np.int64)
    insurance = np.zeros((shoes, 2, 3, 3), np.float64)
    _walk(
        np.uint64(seed),
        first,
        shoes,
        cards,
        last,
        uses,
        points_of.astype(np.uint8),
        place_of.astype(np.uint8),
        insure.pays,
        insure.offered,
        insure.denominator,
        insure.once,
        burn,
        more_rounds,
        states,
        starts,
        insurance,
    )
    return Walk(states[: starts[-1]], starts, insurance)


@njit(nogil=True, cache=True)
def _walk(
    seed: np.uint64,
    first: int,
    shoes: int,
    cards: Bytes,
    last: int,
    uses: Bytes,
    points_of: Bytes,
    place_of: Bytes,
    pays: NDArray[np.int64],
    offered: NDArray[np.uint8],
    denominator: int,
    once: bool,
    burn: int,
    more_rounds: int,
    states: Shoes,
    starts: Counts,
    insurance: NDArray[np.float64],
) -> None:
    size = cards.size
    shoe = np.zeros(size + 8, np.uint8)
    state = np.zeros(4, np.uint32)
    ranks = np.zeros(states.shape[1], np.int16)
    left = np.zeros(10, np.int64)
    dealt = np.zeros(4, np.int64)
    filled = 0
    for index in range(shoes):
        shoe[:size] = cards
        seed_state(seed, np.uint64(first + index), state)
        shuffle(shoe, size, min(size, last + 6 + 6 * more_rounds), state)
        ranks[:] = 0
        left[:] = 0
        for card in cards:
            ranks[place_of[card]] += 1
            left[points_of[card]] += 1
        at, hidden, more = 0, burn, more_rounds
        if burn < 0:
            ranks[place_of[shoe[0]]] -= 1
            left[points_of[shoe[0]]] -= 1
            hidden = points_of[shoe[0]] if points_of[shoe[0]] > 0 else 10
            at = 1
        # What is burnt unseen is gone from the shoe and still unknown, like all that is left.
        at += hidden
        while at <= last or more > 0:
            more -= at > last
            states[filled] = ranks
            filled += 1
            player = (points_of[shoe[at]] + points_of[shoe[at + 2]]) % 10
            banker = (points_of[shoe[at + 1]] + points_of[shoe[at + 3]]) % 10
            five = (player * 10 + banker) * 10 + points_of[shoe[at + 4]]
            key = five * 10 + points_of[shoe[at + 5]]
            for place in range(4):
                dealt[place] = points_of[shoe[at + place]]
                left[dealt[place]] -= 1
            m = size - at - 4 + hidden
            for hand in range(2):
                for window in IN_A_ROUND:
                    if not offered[hand, window, key]:
                        continue
                    worth = worth_in(window, hand, key, dealt, left, pays)
                    insurance[index, hand, window, 0] += 1
                    if worth > 0:
                        insurance[index, hand, window, 1] += 1
                        ways = np.float64(denominator) * ways_in(window, m)
                        insurance[index, hand, window, 2] += worth / ways
                        if once:
                            break
            for place in range(4, uses[five]):
                left[points_of[shoe[at + place]]] -= 1
            for place in range(uses[five]):
                ranks[place_of[shoe[at + place]]] -= 1
            at += uses[five]
        starts[index + 1] = filled
