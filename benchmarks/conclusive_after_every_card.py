"""`standings` called after every card of random rounds.

    .venv/bin/python benchmarks/conclusive_after_every_card.py

The bar: well under a millisecond on average. The first calls fill the tables a rulebook's answers
are read from; they are counted too, and the worst of them is shown.
"""

from __future__ import annotations

import random
from time import perf_counter

import lammer
from lammer import Card
from lammer.game.cards import DECK
from lammer.game.drawing import next_hand

ROUNDS = 3_000


def main() -> None:
    for name in (book.id for book in lammer.shelf()):
        book = lammer.rulebook(name)
        source = random.Random(1)
        times: list[float] = []
        for _ in range(ROUNDS):
            player: list[Card] = []
            banker: list[Card] = []
            while True:
                start = perf_counter()
                lammer.standings(book, player, banker)
                times.append(perf_counter() - start)
                side = next_hand(book, player, banker)
                if side is None:
                    break
                (player if side == "player" else banker).append(source.choice(DECK))
        times.sort()
        average, worst = sum(times) / len(times), times[-1]
        print(
            f"  {name:<44} {len(times):>6,} calls   average {average * 1e6:6.1f} µs   "
            f"99% {times[int(len(times) * 0.99)] * 1e6:6.1f} µs   worst {worst * 1e3:5.2f} ms"
        )


if __name__ == "__main__":
    main()
