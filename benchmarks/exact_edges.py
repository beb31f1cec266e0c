"""A full analysis of one shoe: every bet and every Insurance situation, in plain Python integers.

    .venv/bin/python benchmarks/exact_edges.py

The bar: at most 25 ms a composition. The first analysis of a rulebook also works out its ways through a
round; the others only count.
"""

from __future__ import annotations

import random
from time import perf_counter

import lammer
from lammer.lab import Composition, edges
from lammer.rulebook.vocabulary import RANKS

SHOES = 40


def main() -> None:
    source = random.Random(1)
    shoes = [Composition.of({rank: source.randint(8, 32) for rank in RANKS}) for _ in range(SHOES)]
    for book in lammer.shelf():
        start = perf_counter()
        edges(book)
        first = perf_counter() - start
        times = []
        for shoe in shoes:
            start = perf_counter()
            edges(book, shoe)
            times.append(perf_counter() - start)
        best, middle = min(times) * 1000, sorted(times)[SHOES // 2] * 1000
        met = "met" if middle <= 25 else "MISSED"
        figures = f"first {first * 1000:5.1f} ms, then {middle:5.1f} ms, best {best:5.1f} ms"
        print(f"  {book.id:<44} {figures} (bar 25: {met})")


main()
