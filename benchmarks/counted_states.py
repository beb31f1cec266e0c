"""Shoe states valued exactly for every bet: a million in under a minute on two cores.

.venv/bin/python benchmarks/counted_states.py
"""

from __future__ import annotations

import random
from time import perf_counter

import lammer
from lammer.lab import Composition, edges
from lammer.lab.counting.count import count
from lammer.lab.simulation.work import Threads
from lammer.rulebook.vocabulary import RANKS

BOOK = "tiger-buffalo-commission-insurance@3"
STATES = 1_000_000
SHOES = 12_300
PLAIN = 60


def rows() -> list[tuple[str, str, str, str]]:
    """What was measured, the figure, the ratio to plain Python, and the bar."""
    book = lammer.rulebook(BOOK)
    count(book, shoes=8)
    start = perf_counter()
    made = count(book, shoes=SHOES)
    million = (perf_counter() - start) / made.states * STATES
    source = random.Random(1)
    shoes = [Composition.of({rank: source.randint(8, 32) for rank in RANKS}) for _ in range(PLAIN)]
    edges(book, shoes[0])
    start = perf_counter()
    for shoe in shoes:
        edges(book, shoe)
    plain = (perf_counter() - start) / PLAIN * STATES
    met = "met" if million < 60 else "MISSED"
    what = f"a million states, {len(book.bets)} bets and Insurance, {Threads().threads} threads"
    return [
        (
            f"counting: {what}",
            f"{million:.1f} s",
            f"{plain / million:.0f} x plain Python",
            f"bar 60 s: {met}",
        )
    ]


if __name__ == "__main__":
    for row in rows():
        print("  " + " · ".join(row))
