"""Insurance with one hand shown and nothing of the other, and Insurance once a round: against plain play."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from lammer.game.cards import parse_cards
from lammer.lab.counting.walking import walk
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.lab.exact.odds import one_hand_shown
from lammer.lab.simulation.insured import insure_arrays, worth_of_two
from lammer.lab.simulation.lookups import lookups, shoe_bytes
from lammer.lab.simulation.simulate import simulate
from lammer.rulebook.load import build
from lammer.rulebook.model import Rulebook
from lammer.rulebook.problems import DefectiveRulebook
from lammer.rulebook.standard import STANDARD
from support.plain_play import PlainRules, six_cards

BETS: list[dict[str, Any]] = [
    {"name": "player", "wins": {"hand": "player"}, "pays": "1:1", "tie_returns": True},
    {"name": "banker", "wins": {"hand": "banker"}, "pays": "1:1", "tie_returns": True},
]
POINTS = {rank: min(place, 10) % 10 for place, rank in enumerate("A23456789TJQK", start=1)}
TABLE: dict[str, Any] = STANDARD["table_of_play"]
OFFERS: list[dict[str, Any]] = [
    {"hand": "player", "window": "two_cards", "own": [6, 7], "odds": "2:1"},
    {"hand": "banker", "window": "two_cards", "own": [5, 8], "odds": "7:2", "tie_loses": True},
    {"hand": "banker", "window": "two_cards", "own": 9, "odds": "10:1", "tie_wins": True},
    {"hand": "player", "window": "four_cards", "own": [6, 7], "other": [0, 3, 5], "odds": "3:1"},
    {"hand": "player", "window": "third_card", "own": [6, 7, 8], "other": [0, 3, 5], "odds": "4:1"},
    {"hand": "banker", "window": "third_card", "own": [3, 5], "other": [0, 1], "odds": "8:1"},
]


def book_of(*, once: bool = False, offers: list[dict[str, Any]] = OFFERS) -> Rulebook:
    insurance = {"offer": offers, **({"once": True} if once else {})}
    values = {"rulebook": {"game": "tried"}, "cards": {"decks": {"fewest": 1, "most": 20}}, "bet": BETS}
    return build(deepcopy({**values, "insurance": insurance}))


def some_shoes() -> list[Composition]:
    """Small shoes in which every order of six cards can be played out."""
    source = random.Random("one hand shown")
    return [
        Composition.of({rank: source.randint(2, 6) for rank in source.sample("A23456789TQ", 4)})
        for _ in range(4)
    ]


def plain_counts(shoe: Composition) -> Counter[int]:
    counts: Counter[int] = Counter()
    for rank, count in shoe.counts.items():
        counts[POINTS[rank]] += count
    return counts


def plain_offers(values: tuple[int, ...]) -> list[tuple[str, str, int | None, int | None, dict[str, Any]]]:
    """What these six cards put on offer, in the order of the round, either hand shown first."""
    rules = PlainRules.of(TABLE)
    two = {"player": (values[0] + values[2]) % 10, "banker": (values[1] + values[3]) % 10}
    _, _, player_cards, banker_cards = rules.finish(values)
    found = []
    for row in OFFERS:
        hand, other = row["hand"], "banker" if row["hand"] == "player" else "player"
        now = dict(two)
        if row["window"] == "four_cards" and player_cards + banker_cards == 4:
            continue
        if row["window"] == "third_card":
            if player_cards + banker_cards < 6:
                continue
            now["player"] = (two["player"] + values[4]) % 10
        own = row["own"] if isinstance(row["own"], list) else [row["own"]]
        if now[hand] not in own or (row["window"] != "two_cards" and now[other] not in row["other"]):
            continue
        shown: dict[str, int | None] = dict(now)
        if row["window"] == "two_cards":
            shown[other] = None
        found.append((hand, row["window"], shown["player"], shown["banker"], row))
    order = ("two_cards", "four_cards", "third_card")
    return sorted(found, key=lambda each: order.index(each[1]))


def plain_profit(row: dict[str, Any], player: int, banker: int) -> Fraction:
    """What a unit comes to when the hands end on these totals."""
    profit, unit = map(int, row["odds"].split(":"))
    if player == banker:
        return Fraction(profit, unit) if row.get("tie_wins") else Fraction(-1 if row.get("tie_loses") else 0)
    winner = "player" if player > banker else "banker"
    return Fraction(-1) if winner == row["hand"] else Fraction(profit, unit)


@pytest.mark.parametrize("once", [False, True], ids=["in every window", "once a round"])
@pytest.mark.parametrize("shoe", some_shoes(), ids=str)
def test_it_costs_what_playing_every_order_out_says(shoe: Composition, once: bool) -> None:
    rules = PlainRules.of(TABLE)
    times: Counter[tuple[Any, ...]] = Counter()
    lost: Counter[tuple[Any, ...]] = Counter()
    always = {"player": Fraction(0), "banker": Fraction(0)}
    every = 0
    for values, ways in six_cards(plain_counts(shoe)):
        every += ways
        player, banker, *_ = rules.finish(values)
        insured = set()
        for hand, window, *totals, row in plain_offers(values):
            loss = -ways * plain_profit(row, player, banker)
            times[hand, window, *totals] += ways
            lost[hand, window, *totals] += loss  # type: ignore[assignment]
            if not (once and hand in insured):
                always[hand] += loss
            insured.add(hand)
    made = edges(book_of(once=once), shoe)
    found = {each.key: (each.occurs, each.edge) for each in made.insurance}
    assert found == {key: (Fraction(times[key], every), Fraction(lost[key]) / times[key]) for key in times}
    for hand in ("player", "banker"):
        assert made.always_insuring(hand) == always[hand] / every  # type: ignore[arg-type]


def test_once_a_round_costs_something_else() -> None:
    """What makes the test above one that can fail."""
    costs = [edges(book_of(once=once)).always_insuring("player") for once in (False, True)]
    assert costs[0] != costs[1]


@pytest.mark.parametrize("shoe", some_shoes(), ids=str)
def test_the_kernel_counts_the_hidden_hand_as_plain_play_does(shoe: Composition) -> None:
    """From every hand that can be shown: kernel, exact odds, and every order of the four cards to come."""
    book, rules = book_of(), PlainRules.of(TABLE)
    arrays = insure_arrays(book)
    ranks = [rank for rank, count in shoe.counts.items() if count]
    tried = 0
    for first, second in permutations(ranks, 2):
        own = (POINTS[first] + POINTS[second]) % 10
        for place, hand in enumerate(("player", "banker")):
            rows = [row for row in OFFERS if row["window"] == "two_cards" and row["hand"] == hand]
            row = next((row for row in rows if own in np.ravel(row["own"])), None)
            shown = one_hand_shown(book, hand, parse_cards(f"{first}S {second}S"), shoe)  # type: ignore[arg-type]
            assert bool(row) == bool(shown)
            if row is None:
                continue
            left = plain_counts(shoe)
            left[POINTS[first]] -= 1
            left[POINTS[second]] -= 1
            worth, ways = _plain_worth(rules, hand, (POINTS[first], POINTS[second]), left, row)
            key = own * (1000 if hand == "player" else 100)
            counts = np.array([left[points] for points in range(10)], np.int64)
            assert worth_of_two(arrays.pays[place, 2], place, key, counts) == worth * arrays.denominator
            assert shown[0].worth == worth / ways
            tried += 1
    assert tried or not any((POINTS[a] + POINTS[b]) % 10 >= 6 for a, b in permutations(ranks, 2))


def _plain_worth(
    rules: PlainRules, hand: str, own: tuple[int, int], left: Counter[int], row: dict[str, Any]
) -> tuple[Fraction, int]:
    cards = [value for value, count in left.items() for _ in range(count)]
    worth, ways = Fraction(0), 0
    counted: Counter[tuple[int, ...]] = Counter()
    for four, times in _fours(left):
        counted[four] += times
    for (a, b, fifth, sixth), times in counted.items():
        values = (own[0], a, own[1], b) if hand == "player" else (a, own[0], b, own[1])
        player, banker, *_ = rules.finish((*values, fifth, sixth))
        worth += times * plain_profit(row, player, banker)
        ways += times
    n = len(cards)
    assert ways == n * (n - 1) * (n - 2) * (n - 3)
    return worth, ways


def _fours(left: Counter[int]) -> list[tuple[tuple[int, ...], int]]:
    """Every order of four point values, and how many ways there are to it."""
    found: list[tuple[tuple[int, ...], int]] = []
    values = [value for value, count in left.items() if count > 0]
    for a in values:
        for b in values:
            for c in values:
                for d in values:
                    rest, ways = Counter(left), 1
                    for value in (a, b, c, d):
                        ways *= max(rest[value], 0)
                        rest[value] -= 1
                    if ways:
                        found.append(((a, b, c, d), ways))
    return found


@pytest.mark.parametrize("once", [False, True], ids=["in every window", "once a round"])
def test_the_walked_shoe_and_the_dealt_one_insure_alike(once: bool) -> None:
    """Simulation and counting take Insurance when it is worth it, in the same rounds of one shoe."""
    book, shoe = book_of(once=once), Composition.of_decks(1)
    insure = insure_arrays(book)
    walked = walk(5, 0, 1, shoe_bytes(book, shoe), 52 - 12, lookups(book).uses, insure)
    rounds = int(walked.starts[1])
    made = simulate(book, rounds, shoe=shoe, cut=12, insure="when-positive", seed=5)
    taken = made.tally.insured[:, :, 0]
    assert taken.tolist() == walked.insurance[0, :, :, 1].astype(int).tolist()


@pytest.mark.parametrize("once", [False, True], ids=["in every window", "once a round"])
def test_always_insuring_in_the_long_run(once: bool) -> None:
    book = book_of(once=once)
    made = simulate(book, 300_000, mix="player=100,banker=100", insure="always", seed=4)
    kept = Fraction(sum(int(row.sum()) for row in made.tally.wins.values()), made.mix.part)
    dealt = sum((made.mix.stakes[bet] * made.dealt.bet(bet).edge for bet in made.mix.stakes), Fraction(0))
    dealt += sum((100_00 * made.dealt.always_insuring(hand) for hand in ("player", "banker")), Fraction(0))
    assert kept == dealt * made.rounds
    assert all(abs(score.z) < 4.5 for _, _, score in made.insurance_scores())


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"own": 9, "odds": "8:1"}, "this never pays"),
        ({"own": 7, "odds": "2:1", "other": [0]}, "not shown after two_cards"),
    ],
)
def test_what_cannot_be_meant_is_said(row: dict[str, Any], said: str) -> None:
    offers = [{"hand": "banker", "window": "two_cards", **row}]
    with pytest.raises(DefectiveRulebook) as broken:
        book_of(offers=offers)
    assert said in str(broken.value)
