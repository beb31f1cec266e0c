"""A full analysis of one shoe in plain Python integers, and its joint distribution in the kernel.

    .venv/bin/python benchmarks/exact_edges.py

Processor time, once the rulebook's ways through a round are worked out. Bars for a composition with every bet
and every Insurance situation: 25 ms in plain Python, 3 ms with the joint distribution by the kernel. For that
distribution alone 30 microseconds.
"""

from __future__ import annotations

import random
from time import process_time

import numpy as np

import lammer
from lammer.lab import Composition, edges
from lammer.lab.exact.ways import CountWays, paths, ways
from lammer.lab.simulation.lookups import ways_by_kernel, ways_compiled
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import RANKS

SHOES = 40
KERNEL_TURNS = 2_000


def rows() -> list[tuple[str, str, str, str]]:
    """What was measured, the figure, the ratio, and the bar."""
    source = random.Random(1)
    shoes = [Composition.of({rank: source.randint(8, 32) for rank in RANKS}) for _ in range(SHOES)]
    made = []
    for book in lammer.shelf():
        for how, count, bar in (("plain Python", ways, 25), ("with the kernel", ways_by_kernel, 3)):
            best, middle = _analysed(book, shoes, count)
            met = "met" if best <= bar else "MISSED"
            ratio = f"{best / bar:.2f} of the bar, median {middle:.1f} ms"
            made.append((f"exact, {how}: {book.id}", f"{best:.1f} ms", ratio, f"at most {bar} ms: {met}"))
    return [*made, _kernel()]


def _analysed(book: Rulebook, shoes: list[Composition], count: CountWays) -> tuple[float, float]:
    """Milliseconds of the quickest and of the middle analysis."""
    edges(book, count=count)
    times = []
    for shoe in shoes:
        start = process_time()
        edges(book, shoe, count=count)
        times.append((process_time() - start) * 1000)
    return min(times), sorted(times)[SHOES // 2]


def _kernel() -> tuple[str, str, str, str]:
    """The joint distribution in the kernel, beside the same in plain Python."""
    book = lammer.rulebook("tiger-buffalo-commission-insurance@3")
    counts = Composition.of_decks(8).by_points(book)
    array, found = np.array(counts), np.empty(len(paths(book)), np.int64)
    ways_compiled(book, array, found)
    kernel, plain = [], []
    for _ in range(5):
        start = process_time()
        for _ in range(KERNEL_TURNS):
            ways_compiled(book, array, found)
        kernel.append((process_time() - start) / KERNEL_TURNS)
        start = process_time()
        ways(book, counts)
        plain.append(process_time() - start)
    best, met = min(kernel) * 1e6, "met" if min(kernel) <= 30e-6 else "MISSED"
    ratio = f"{min(plain) / min(kernel):,.0f} times plain Python"
    return "exact, kernel: joint distribution", f"{best:.1f} us", ratio, f"at most 30 us: {met}"


if __name__ == "__main__":
    for row in rows():
        print("  " + " · ".join(row))
