"""Simulation against the exact values, against itself shared out otherwise, and against plain Python.

`LAMMER_SIM_ROUNDS=1e8` deals more rounds than the suite has time for.
"""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest

import lammer
from lammer import Refused, parse_cards
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.odds import mid_round_odds
from lammer.lab.simulation import simulate as room
from lammer.lab.simulation.mix import OVER, PERCENTILES, Insure
from lammer.lab.simulation.simulate import Simulation, simulate
from lammer.lab.simulation.work import Threads
from lammer.shelf import shipped_ids
from support import brute_force, plain_streams

ROUNDS = int(float(os.environ.get("LAMMER_SIM_ROUNDS", "2e6")))
BOOK = "tiger-buffalo-commission-insurance@3"
PLAIN = "tiger-buffalo-noncommission@4"


def same(one: Simulation, other: Simulation) -> bool:
    """Counts equal to the last digit, and so every sheet."""
    tallies = one.tally, other.tally
    parts = [(tally.keys, tally.pairs, tally.insured) for tally in tallies]
    wins = all(np.array_equal(row, other.tally.wins[number]) for number, row in one.tally.wins.items())
    equal = all(np.array_equal(a, b) for a, b in zip(*parts, strict=True))
    return (
        equal and wins and one.tally.wins.keys() == other.tally.wins.keys() and one.sheets() == other.sheets()
    )


@pytest.mark.parametrize("name", shipped_ids())
def test_every_bet_lies_within_four_standard_errors(name: str, record_property: Any) -> None:
    made = simulate(lammer.rulebook(name), ROUNDS, seed=2026 + shipped_ids().index(name))
    scores = {str(row[0]): float(row[-1] or 0) for row in made.bets_sheet().rows}
    worst = max(scores, key=lambda bet: abs(scores[bet]))
    record_property("largest z", f"{worst} {scores[worst]:+.2f}")
    print(f"{name}: {made.rounds:,} rounds, largest |z| {worst} {scores[worst]:+.2f}")
    assert len(scores) == len(lammer.rulebook(name).bets)
    assert max(map(abs, scores.values())) < 4, scores
    if made.exact.insurance:
        often = [row for row in made.insurance_sheet().rows if int(row[5] or 0) > 1000]
        assert len(often) > 40
        assert all(abs(float(row[-1] or 0)) < 4.5 for row in often)


def test_other_shoes_and_cuts_lie_within_four_standard_errors() -> None:
    book = lammer.rulebook(BOOK)
    odd = Composition.of_decks(8).without("9H 9D 8S")
    for shoe, cut in ((odd, 14), (Composition.of_decks(4), 60), (Composition.of_decks(10), 520)):
        made = simulate(book, 1_000_000, shoe=shoe, cut=cut, seed=5)
        assert all(abs(float(row[-1] or 0)) < 4 for row in made.bets_sheet().rows), (shoe.size, cut)


@pytest.mark.parametrize("insure", ["never", "when-positive"])
def test_the_same_seed_gives_the_same_counts_however_it_is_shared(
    insure: Insure, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, rounds, mix = lammer.rulebook(BOOK), 2_345_678, "banker=100,tiger_pair=5,tie=2.50"
    first = simulate(book, rounds, mix=mix, insure=insure, seed=9, workers=Threads(1))
    assert first.rounds == rounds == first.tally.keys.sum()
    for block, threads in ((16, 2), (1, 2), (5, 3), (100, 1)):
        monkeypatch.setattr(room, "BLOCK", block)
        again = simulate(book, rounds, mix=mix, insure=insure, seed=9, workers=Threads(threads))
        assert same(first, again), (block, threads)
    assert not same(first, simulate(book, rounds, mix=mix, insure=insure, seed=10))


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    book = lammer.rulebook(PLAIN)
    short, long = (simulate(book, rounds, mix="tie=1", seed=3) for rounds in (300_000, 500_000))
    assert all(np.array_equal(row, long.tally.wins[number]) for number, row in short.tally.wins.items())
    assert len(long.tally.wins) == 5


def test_the_last_stretch_may_be_short() -> None:
    made = simulate(lammer.rulebook(PLAIN), 102_999, mix="tie=1")
    assert {number: row.size for number, row in made.tally.wins.items()} == {0: 100, 1: 2}
    (alone,) = simulate(lammer.rulebook(PLAIN), 1).tally.keys.nonzero()
    assert alone.size == 1


STAKES = {"banker": 100_00, "player_pair": 7_50, "big_tiger": 33}


def settled(name: str, each: plain_streams.PlainlyDealt, insure: bool) -> Fraction:
    """What the house wins on the mix in one round, by the brute force."""
    won = Fraction(0)
    for bet, stake in STAKES.items():
        outcome, exact, _ = brute_force.settle_bet(name, bet, each.cards, stake)
        won -= exact if outcome == "won" else -stake if outcome == "lost" else 0
    if insure:
        for hand, window in brute_force.insurance_offers(name, each.cards):
            won -= insured_unit(name, each, hand, window) * STAKES.get(hand, 0)
    return won


def insured_unit(name: str, each: plain_streams.PlainlyDealt, hand: str, window: str) -> Fraction:
    outcome, exact, _ = brute_force.settle_insurance(name, hand, window, each.cards, 1)
    return Fraction(exact) if outcome == "won" else Fraction(-1 if outcome == "lost" else 0)


@pytest.mark.parametrize("insure", ["never", "always"])
def test_the_house_wins_what_plain_settlement_says(insure: Insure) -> None:
    """Stretch by stretch over 12,000 rounds of stream 0, and the percentiles of what that gives."""
    mix = ",".join(f"{bet}={cents / 100:.2f}" for bet, cents in STAKES.items())
    made = simulate(lammer.rulebook(BOOK), 12_000, mix=mix, insure=insure, seed=77)
    played = plain_streams.rounds(77, 0, Composition.of_decks(8).counts, 14)
    wins = [
        sum((settled(BOOK, each, insure == "always") for each in islice(played, 1_000)), Fraction(0))
        for _ in range(12)
    ]
    assert [Fraction(int(won), made.mix.part) for won in made.tally.wins[0]] == wins
    thousand, ten_thousand = made.sheets()[-1].rows
    ordered = sorted(wins)
    expected = [ordered[max(0, -(-p * 12 // 100) - 1)] for p in PERCENTILES]
    assert thousand[:2] == (1_000, 12)
    assert [Fraction(str(cell)) * 100 for cell in thousand[2:-2]] == [round(value) for value in expected]
    assert thousand[-2] == round(100 * sum(won < 0 for won in wins) / 12, 2)
    assert Fraction(str(thousand[-1])) * 100 == round(sum(wins) / 12)
    assert ten_thousand[:2] == (10_000, 1)
    assert {Fraction(str(cell)) * 100 for cell in (*ten_thousand[2:-2], ten_thousand[-1])} == {
        round(sum(wins[:10]))
    }


@pytest.mark.parametrize("insure", ["never", "always"])
def test_the_wins_of_all_stretches_add_up_to_what_was_dealt(insure: Insure) -> None:
    """Money by stretch and edges by tally are two ways to one sum; and every stretch is in one percentile."""
    made = simulate(lammer.rulebook(BOOK), 1_000_000, mix="banker=100,tiger_pair=5", insure=insure, seed=4)
    kept = Fraction(sum(int(row.sum()) for row in made.tally.wins.values()), made.mix.part)
    dealt = sum((stake * made.dealt.bet(bet).edge for bet, stake in made.mix.stakes.items()), Fraction(0))
    if insure == "always":
        dealt += made.mix.stakes["banker"] * made.dealt.always_insuring("banker")
    assert kept == dealt * made.rounds
    rows = made.sheets()[-1].rows
    assert [(row[0], row[1]) for row in rows] == [(over, 1_000_000 // over) for over in OVER]
    for row in rows:
        shown = [Fraction(str(cell)) for cell in row[2:-2]]
        assert shown == sorted(shown)


@pytest.mark.parametrize(
    ("shoe", "cut", "rounds"), [(Composition.of_decks(8), 12, 160), (Composition.of_decks(1), 12, 130)]
)
def test_insurance_is_taken_exactly_when_it_is_worth_it(shoe: Composition, cut: int, rounds: int) -> None:
    """Each offer of a short stream is valued by `mid_round_odds`, which looks at every card to come."""
    book = lammer.rulebook(BOOK)
    made = simulate(book, rounds, shoe=shoe, cut=cut, insure="when-positive", seed=31)
    taken: Counter[tuple[str, str]] = Counter()
    units: dict[tuple[str, str], Fraction] = {}
    offers = 0
    for each in islice(plain_streams.rounds(31, 0, shoe.counts, cut), rounds):
        held = Composition.of({rank: each.shoe[f"{rank}S"] for rank in shoe.counts})
        for hand, window in brute_force.insurance_offers(BOOK, each.cards):
            offers += 1
            seen = parse_cards(" ".join(each.cards[: 4 if window == "four_cards" else 5]))
            worth = next(
                offer.worth
                for offer in mid_round_odds(book, seen, held).insurance
                if offer.offer.hand == hand
            )
            if worth > 0:
                taken[hand, window] += 1
                unit = insured_unit(BOOK, each, hand, window)
                units[hand, window] = units.get((hand, window), Fraction(0)) + unit
    assert offers > 50
    for h, hand in enumerate(("player", "banker")):
        for w, window in enumerate(("four_cards", "third_card")):
            times, won = made.tally.insured[h, w].tolist()
            assert times == taken[hand, window]
            assert Fraction(won, made.denominator) == units.get((hand, window), 0)
    if shoe.size == 52:
        assert sum(taken.values()) > 3


def test_insuring_when_it_is_worth_it_wins_and_changes_no_card() -> None:
    book = lammer.rulebook(BOOK)
    never, taken = (simulate(book, 500_000, insure=insure, seed=6) for insure in ("never", "when-positive"))
    assert np.array_equal(never.tally.keys, taken.tally.keys)
    assert np.array_equal(never.tally.pairs, taken.tally.pairs)
    rows = taken.insured_sheet().rows
    assert len(rows) == 4
    assert all(int(row[2] or 0) > 0 and float(row[4] or 0) > 0 for row in rows)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"rounds": 0}, "impossible_run"),
        ({"rounds": -5}, "impossible_run"),
        ({"rounds": 10**15 + 1}, "impossible_run"),
        ({"cut": 5}, "impossible_run"),
        ({"cut": 417}, "impossible_run"),
        ({"cut": -1}, "impossible_run"),
        ({"seed": -1}, "impossible_run"),
        ({"seed": 2**64}, "impossible_run"),
        ({"mix": "dragon=5"}, "unknown_bet"),
        ({"mix": "banker"}, "impossible_run"),
        ({"mix": "banker=1,banker=2"}, "impossible_run"),
        ({"mix": "banker=-1"}, "not_an_amount"),
        ({"mix": "banker=0"}, "not_an_amount"),
        ({"mix": "banker=lots"}, "not_an_amount"),
        ({"mix": "banker=1e3"}, "not_an_amount"),
        ({"mix": "banker=1000000001"}, "amount_too_large"),
        ({"mix": "banker=1000000000,big_tiger=1000000000,tiger_pair=1000000000"}, "impossible_run"),
        ({"decks": 0}, "impossible_shoe"),
        ({"shoe": Composition.of({"K": 60_001})}, "impossible_run"),
        ({"insure": "always"}, "no_insurance_here"),
        ({"insure": "when-positive"}, "no_insurance_here"),
        ({"insure": "sometimes"}, "impossible_run"),
        ({"device": "abacus"}, "impossible_run"),
        ({"device": "cuda", "workers": Threads(1)}, "impossible_run"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(wanted: dict[str, Any], code: str) -> None:
    if wanted.get("insure") == "always":
        wanted = {**wanted, "mix": "banker=100"}
    with pytest.raises(Refused) as refused:
        simulate(lammer.rulebook(PLAIN), **{"rounds": 1_000, **wanted})
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")


def test_always_insuring_needs_a_bet_to_insure() -> None:
    with pytest.raises(Refused, match="nothing_to_insure"):
        simulate(lammer.rulebook(BOOK), 1_000, insure="always", mix="tie=5")


def test_interrupted_it_hands_over_what_it_has() -> None:
    told: list[int] = []

    def watch(rounds: int) -> None:
        told.append(rounds)
        if len(told) == 3:
            raise KeyboardInterrupt

    book = lammer.rulebook(BOOK)
    made = simulate(book, 10**9, seed=2, workers=Threads(1), watch=watch)
    assert (made.stopped, made.asked, made.rounds) == ("interrupted", 10**9, 4_800_000)
    assert told == [1_600_000, 3_200_000, 4_800_000]
    assert made.tally.keys.sum() == made.tally.pairs.sum() == made.rounds
    assert "4,800,000 rounds of 1,000,000,000 asked for (interrupted)" in made.description
    assert same(made, simulate(book, 4_800_000, seed=2))


def test_a_run_described_can_be_run_again() -> None:
    made = simulate(lammer.rulebook(BOOK), 1_000, mix="banker=100,tie=2.5", insure="always", seed=8, cut=20)
    assert made.description == (
        f"{BOOK} · 416 cards, cut card 20 from the end · 1,000 rounds · seed 8 · "
        "banker=100.00,tie=2.50 · insured always"
    )
    assert made._repr_html_().count("<table>") == 3


def test_cores_are_counted_where_the_system_does_not_say_which_are_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert Threads().threads == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert Threads().threads == 1
    assert Threads(5).threads == 5
