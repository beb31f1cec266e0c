"""Rounds and shoe states a second on an NVIDIA GPU, and that both are the processor's to the last digit.

    .venv/bin/python benchmarks/gpu_rounds.py [ROUNDS]

The bars on one H200: 3e10 rounds a second, and a million shoes counted through within a minute. Without a
GPU it says so in a sentence.
"""

from __future__ import annotations

import sys
from time import perf_counter

import lammer
from lammer.lab.counting import cuda_valuing
from lammer.lab.counting.count import count
from lammer.lab.counting.valuing import pays_of, worths
from lammer.lab.counting.walking import walk
from lammer.lab.exact.composition import Composition
from lammer.lab.simulation.insured import insure_arrays
from lammer.lab.simulation.lookups import lookups, shoe_bytes
from lammer.lab.simulation.simulate import simulate
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

BAR = 3e10
SHOES, SHOES_SECONDS = 1_000_000, 60
SAME = 20_050_000


def main() -> None:
    book = lammer.rulebook("tiger-buffalo-commission-insurance@3")
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else 200_000_000_000
    try:
        for mix in ("", "banker=100,tiger_pair=10"):
            here = simulate(book, SAME, seed=11, mix=mix)
            there = simulate(book, SAME, seed=11, mix=mix, device="cuda")
            same = (here.tally.keys == there.tally.keys).all() and (
                here.tally.pairs == there.tally.pairs
            ).all()
            same = same and here.sheets()[-1] == there.sheets()[-1]
            print(
                f"  {SAME:,} rounds of seed 11, {mix or 'no mix'}: counts {'identical' if same else 'DIFFER'}"
            )
    except Refused as refused:
        print(f"  {refused}")
        return
    start = perf_counter()
    run = simulate(book, rounds, seed=1, device="cuda")
    rate = rounds / (perf_counter() - start)
    worst = max(abs(float(row[-1])) for row in run.bets_sheet().texts())
    met = "met" if rate >= BAR else "MISSED"
    print(
        f"  {rounds:,} rounds: {rate:.3g} a second (bar {BAR:.0e}: {met}); largest |z| of a bet {worst:.2f}"
    )
    _value(book)


def _value(book: Rulebook) -> None:
    """A million states on the processor and on the GPU."""
    cards = shoe_bytes(book, Composition.of_decks(8))
    states = walk(1, 0, 12_300, cards, 416 - 14, lookups(book).uses, insure_arrays(book)).states
    pays = pays_of(book)
    few = states[:5_000]
    same = (cuda_valuing.worths(pays, few) == worths(pays, few)).all()
    start = perf_counter()
    cuda_valuing.worths(pays, states)
    rate = len(states) / (perf_counter() - start)
    told = "identical to the last bit" if same else "DIFFERENT"
    print(f"  {len(states):,} states, {len(pays.bets)} bets: {rate:.3g} a second; worths {told}")
    on_processor, on_gpu = count(book, shoes=300), count(book, shoes=300, device="cuda")
    print(f"  a count of 300 shoes: {'identical' if on_processor == on_gpu else 'DIFFERENT'}")
    start = perf_counter()
    count(book, shoes=SHOES, device="cuda")
    took = perf_counter() - start
    met = "met" if took <= SHOES_SECONDS else "MISSED"
    print(f"  a count of {SHOES:,} shoes: {took:.1f} s (bar {SHOES_SECONDS} s: {met})")


if __name__ == "__main__":
    main()
