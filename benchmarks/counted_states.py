"""Shoes counted through, every bet valued exactly in every state: at least 2,000 a second on two cores.

Processor time of all threads, divided by the cores they may use: as if those were theirs alone.

.venv/bin/python benchmarks/counted_states.py
"""

from __future__ import annotations

import random
from time import process_time

import lammer
from lammer.lab import Composition, edges
from lammer.lab.counting.count import count
from lammer.lab.simulation.work import Threads
from lammer.rulebook.vocabulary import RANKS

BOOK = "tiger-buffalo-commission-insurance@3"
SHOES = 12_300
BAR = 2_000
PLAIN = 60


def rows() -> list[tuple[str, str, str, str]]:
    """What was measured, the figure, the ratio to plain Python, and the bar."""
    book = lammer.rulebook(BOOK)
    count(book, shoes=8)
    threads = Threads().threads
    start = process_time()
    made = count(book, shoes=SHOES)
    seconds = (process_time() - start) / threads
    source = random.Random(1)
    shoes = [Composition.of({rank: source.randint(8, 32) for rank in RANKS}) for _ in range(PLAIN)]
    edges(book, shoes[0])
    start = process_time()
    for shoe in shoes:
        edges(book, shoe)
    plain = (process_time() - start) / PLAIN / threads
    rate = SHOES / seconds
    met = "met" if rate >= BAR else "MISSED"
    return [
        (
            f"counting: {len(book.bets)} bets and Insurance, {threads} threads",
            f"{rate:,.0f} shoes a second",
            f"{plain * made.states / seconds:.0f} x plain Python",
            f"bar {BAR:,}: {met}",
        )
    ]


if __name__ == "__main__":
    for row in rows():
        print("  " + " · ".join(row))
