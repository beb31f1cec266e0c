"""A full analysis of one shoe in plain Python integers, and its joint distribution in the kernel.

    .venv/bin/python benchmarks/exact_edges.py

Bars: 25 ms a composition with every bet and every Insurance situation, once the rulebook's ways through a
round are worked out; 30 microseconds for the joint distribution of totals and cards in the kernel.
"""

from __future__ import annotations

import random
from time import perf_counter

import numpy as np

import lammer
from lammer.lab import Composition, edges
from lammer.lab.exact.ways import paths, ways
from lammer.lab.simulation.lookups import ways_compiled
from lammer.rulebook.vocabulary import RANKS

SHOES = 40
KERNEL_TURNS = 2_000


def rows() -> list[tuple[str, str, str, str]]:
    """What was measured, the figure, the ratio, and the bar."""
    source = random.Random(1)
    shoes = [Composition.of({rank: source.randint(8, 32) for rank in RANKS}) for _ in range(SHOES)]
    made = []
    for book in lammer.shelf():
        edges(book)
        times = []
        for shoe in shoes:
            start = perf_counter()
            edges(book, shoe)
            times.append(perf_counter() - start)
        best, middle = min(times) * 1000, sorted(times)[SHOES // 2] * 1000
        met = "met" if best <= 25 else "MISSED"
        ratio = f"{best / 25:.2f} of the bar, median {middle:.1f} ms"
        made.append((f"exact, plain Python: {book.id}", f"{best:.1f} ms", ratio, f"at most 25 ms: {met}"))
    return [*made, _kernel()]


def _kernel() -> tuple[str, str, str, str]:
    """The joint distribution in the kernel, beside the same in plain Python."""
    book = lammer.rulebook("tiger-buffalo-commission-insurance@3")
    counts = Composition.of_decks(8).by_points(book)
    array, found = np.array(counts), np.empty(len(paths(book)), np.int64)
    ways_compiled(book, array, found)
    kernel, plain = [], []
    for _ in range(5):
        start = perf_counter()
        for _ in range(KERNEL_TURNS):
            ways_compiled(book, array, found)
        kernel.append((perf_counter() - start) / KERNEL_TURNS)
        start = perf_counter()
        ways(book, counts)
        plain.append(perf_counter() - start)
    best, met = min(kernel) * 1e6, "met" if min(kernel) <= 30e-6 else "MISSED"
    ratio = f"{min(plain) / min(kernel):,.0f} times plain Python"
    return "exact, kernel: joint distribution", f"{best:.1f} us", ratio, f"at most 30 us: {met}"


if __name__ == "__main__":
    for row in rows():
        print("  " + " · ".join(row))
