"""What a house gains that makes many shoes and deals the one it likes; no speed, but what choosing is worth.

python benchmarks/chosen_shoes.py [SHOES] [TRIALS]

The house likes shoes in which the Banker's first two cards beat the Player's. Of so many entropies it takes
the one whose shoe is best by what it can know when it has to bind itself, and that shoe is dealt. The orders
are worked out by the script in the guides, which shares no code with the house.
"""

from __future__ import annotations

import runpy
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Final

GUIDE: Final = Path(__file__).parents[1] / "docs/guides/verify_shuffle.py"
MIXED_ORDER: Final = runpy.run_path(str(GUIDE))["mixed_order"]
RANKS: Final = "A23456789TJQK"
ROUNDS: Final = 40


@dataclass(frozen=True)
class Way:
    """Who adds to a shuffle after the house was bound. An accomplice adds what the house wants."""

    player: bool = False
    accomplice: bool = False
    beacon: bool = False


WAYS: Final = {
    "the house alone": Way(),
    "a player adds": Way(player=True),
    "an accomplice adds last": Way(player=True, accomplice=True),
    "a beacon comes last": Way(beacon=True),
    "an accomplice and a beacon": Way(player=True, accomplice=True, beacon=True),
}


@dataclass(frozen=True)
class Figures:
    """The mean score of the shoes dealt, above that of shoes nobody chose, and its standard error."""

    advantage: float
    error: float


def made(way: Way, house: bytes, chance: Random, accomplice: str = "") -> list[str]:
    """A shoe of these parts; what nobody chooses is drawn now."""
    parts = [{"box": 1, "entropy": chance.randbytes(16).hex()}] if way.player else []
    parts += [{"box": 2, "entropy": accomplice}] if way.accomplice else []
    beacon = {"chain": "ab", "round": 1, "signature": chance.randbytes(48).hex()} if way.beacon else None
    prepared = {"shoe": 1, "decks": 6, "parts": parts, "beacon": beacon}
    order: list[str] = MIXED_ORDER(prepared, house.hex(), set(RANKS))[0]
    return order


def score(order: list[str]) -> float:
    """The Banker's wins less the Player's on the first two cards each, a round."""
    value = [(RANKS.index(card[0]) + 1 if card[0] in "A23456789" else 0) for card in order]
    won = 0
    for at in range(0, 6 * ROUNDS, 6):
        player, banker = (value[at] + value[at + 2]) % 10, (value[at + 1] + value[at + 3]) % 10
        won += (banker > player) - (player > banker)
    return won / ROUNDS


def dealt_after_choice(way: Way, shoes: int, chance: Random) -> float:
    """The score of one shoe, dealt after the best of so many was chosen."""
    if way.accomplice:
        # Bound already, the house knows what the others added, and lets its accomplice try words.
        house, others = chance.randbytes(64), chance.getrandbits(64)
        words = [chance.randbytes(16).hex() for _ in range(shoes)]

        def shoe(word: str, later: Random | None = None) -> list[str]:
            known = Random(others)
            order = made(Way(way.player, True, False), house, known, word)
            return order if later is None or not way.beacon else made(way, house, later, word)

        best = max(words, key=lambda word: score(shoe(word)))
        return score(shoe(best, chance))
    entropies = [chance.randbytes(64) for _ in range(shoes)]
    chosen = max(entropies, key=lambda entropy: score(made(way, entropy, chance)))
    return score(made(way, chosen, chance))


def measure(way: str, shoes: int, trials: int, seed: int = 1) -> Figures:
    """What choosing among so many shoes is worth, from so many shoes dealt."""
    chance = Random(seed)
    chosen = [dealt_after_choice(WAYS[way], shoes, chance) for _ in range(trials)]
    free = [score(made(WAYS[way], chance.randbytes(64), chance)) for _ in range(max(trials, 200))]
    error = (stdev(chosen) ** 2 / trials + stdev(free) ** 2 / len(free)) ** 0.5
    return Figures(mean(chosen) - mean(free), error)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    shoes, trials = given[0] if given else 1_000, given[1] if len(given) > 1 else 20
    print(f"the best of {shoes:,} shoes, {trials} times; Banker's wins less Player's, a round, above chance")
    for name in WAYS:
        figures = measure(name, shoes, trials)
        print(f"  {name:28} {figures.advantage:+.3f} ± {2 * figures.error:.3f}")
