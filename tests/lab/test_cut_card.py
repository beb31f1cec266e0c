"""What dealing to a cut card does to an edge: worked out, as docs/concepts/simulation.md tells it, and dealt.

With the number of rounds fixed beforehand every round has the exact edge. A cut card fixes that of the cards
instead, which moves a bettor's profit by - Cov(profit of a round, cards of another) / cards of a round.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import product

import numpy as np
import pytest

import lammer
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges, finals
from lammer.lab.exact.ways import draws, paths
from lammer.lab.simulation.lookups import ways_compiled
from lammer.lab.simulation.profits import by_final, turns_on_pairs
from lammer.lab.simulation.simulate import simulate
from lammer.rulebook.model import Rulebook

BOOK = lammer.rulebook("tiger-buffalo-commission-insurance@3")
ROUNDS = int(float(os.environ.get("LAMMER_SIM_ROUNDS", "2e6")))


def first_rounds(book: Rulebook, counts: list[int]) -> Counter[tuple[int, ...]]:
    """Every set of points a round can take from a shoe, in how many ordered ways of its own cards."""
    first_fours: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for four in product(range(10), repeat=4):
        totals = (four[0] + four[2]) % 10, (four[1] + four[3]) % 10
        first_fours.setdefault(totals, []).append(four)
    found: Counter[tuple[int, ...]] = Counter()
    for path in paths(book):
        further = tuple(value for value in (path.third, path.fourth) if value is not None)
        for four in first_fours[path.player, path.banker]:
            ways, left = 1, list(counts)
            for value in (*four, *further):
                ways *= left[value]
                left[value] -= 1
            found[tuple(sorted((*four, *further)))] += ways
    return found


def shifts(book: Rulebook, shoe: Composition) -> dict[str, float]:
    """By how much a cut card moves the edge of each bet that turns on totals."""
    counts = shoe.by_points(book)
    names = [name for name, bet in book.bets.items() if not turns_on_pairs(bet)]
    profits = np.array([[float(by_final(book, name)[at]) for at in finals(book)[1]] for name in names])
    size, chances, cards, worths = shoe.size, [], [], []
    for taken, ways in first_rounds(book, counts).items():
        left = np.array(counts)
        for value in taken:
            left[value] -= 1
        ordered = np.prod(np.arange(size, size - len(taken), -1, dtype=float))
        chances.append(ways / ordered)
        cards.append(len(taken))
        worths.append(profits @ ways_compiled(book, left) / draws(left.tolist()))
    chance, took, worth = np.array(chances), np.array(cards), np.array(worths)
    assert chance.sum() == pytest.approx(1)
    average = chance @ took
    moved = (chance * (took - average)) @ worth / average
    return dict(zip(names, moved.tolist(), strict=True))


def test_the_shift_is_the_one_the_page_gives() -> None:
    exact, moved = edges(BOOK), shifts(BOOK, Composition.of_decks(8))
    shown = {bet: f"{100 * (float(exact.bet(bet).edge) + moved[bet]):.4f}" for bet in moved}
    assert (shown["tiger_buffalo"], shown["big_buffalo"], shown["player"]) == ("18.4998", "21.2538", "1.2348")


def test_it_goes_with_one_over_the_size_of_the_shoe() -> None:
    four, eight = (shifts(BOOK, Composition.of_decks(decks))["tiger_buffalo"] for decks in (4, 8))
    assert four / eight == pytest.approx(2, rel=0.02)


def test_one_deck_is_dealt_as_worked_out() -> None:
    """At 1e9 rounds z against the one-round edge is about -10, and against this one it is chance."""
    made, moved = simulate(BOOK, ROUNDS, decks=1, seed=9), shifts(BOOK, Composition.of_decks(1))
    for bet, shift in moved.items():
        score = made.scores()[bet]
        assert abs(score.z - shift / score.error) < 4, bet
