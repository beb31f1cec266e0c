"""Settling one round with ten bets, beside the same round settled by the tests' brute force.

    .venv/bin/python benchmarks/settle_round.py

One core, pure Python, processor time. Both run in turns within one process, so that a noisy machine disturbs
both; the best of several turns counts. The bar: at least 80,000 rounds a second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import lammer
from lammer import PlacedBet, PlacedInsurance

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support import brute_force

BOOK = "tiger-buffalo-noncommission-insurance@3"
LAYOUT = "A"
CARDS = lammer.parse_cards("KS KD 5H 4C 4D 6S")
BAR = 80_000
TURNS, CALLS = 9, 1_000


def rate(call: Callable[[], object]) -> float:
    """Calls a second."""
    start = process_time()
    for _ in range(CALLS):
        call()
    return CALLS / (process_time() - start)


def main() -> None:
    book = lammer.rulebook(BOOK)
    names = [bet.name for bet in book.offered(book.layout(LAYOUT))][:10]
    bets = [PlacedBet(f"p{n % 3 + 1}", n % 3 + 1, name, 10_03 + n) for n, name in enumerate(names)]
    insurance = [PlacedInsurance("p1", 1, "player", "four_cards", 5_00)]
    assert len(bets) == 10
    contenders: dict[str, Callable[[], object]] = {
        "lammer.settle, 10 bets": lambda: lammer.settle(book, LAYOUT, CARDS, bets),
        "lammer.settle, 10 bets and Insurance": lambda: lammer.settle(book, LAYOUT, CARDS, bets, insurance),
        "brute force of the tests, 10 bets": lambda: [
            brute_force.settle_bet(BOOK, bet.bet, CARDS, bet.stake) for bet in bets
        ],
    }
    best = dict.fromkeys(contenders, 0.0)
    for _ in range(TURNS):
        for name, call in contenders.items():
            best[name] = max(best[name], rate(call))
    ours, *_, theirs = best.values()
    for name, rounds in best.items():
        print(f"  {name:<40} {rounds:>10,.0f} rounds a second   {rounds / theirs:.2f} x brute force")
    print(f"  bar {BAR:,} rounds a second: {'met' if ours >= BAR else 'MISSED'}, {ours / BAR:.1f} times")


if __name__ == "__main__":
    main()
