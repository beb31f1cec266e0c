"""Published counts and edges come out exactly, through the production settlement.

Rounds are weighed by the number of ordered six-card draws that begin with them; each weighed round is
settled by `lammer.settle`, and the edge is what the House keeps of all stakes, as an exact fraction.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from pathlib import Path
from typing import Any

import pytest

import lammer
from lammer import PlacedBet, Rulebook, deal, settle
from lammer.game.cards import DECK, Card, parse_cards
from lammer.game.drawing import next_hand
from lammer.rulebook.vocabulary import RANKS
from support import brute_force

PUBLISHED = tomllib.loads((Path(__file__).parent / "eight_decks.toml").read_text("utf-8"))
DECKS = 8
ALL = 52 * DECKS
VALUES = ("KS", "AH", "2D", "3C", "4S", "5H", "6D", "7C", "8S", "9H")
STAKE = 20_00
"""A stake every odds of the documents pays in whole cents on."""


def ways(items: tuple[Any, ...], each: Counter[Any]) -> int:
    """Ordered draws of six cards that begin with these kinds of cards."""
    count, taken = 1, Counter[Any]()
    for item in items:
        count *= each[item] - taken[item]
        taken[item] += 1
    return count * perm(ALL - len(items), 6 - len(items))


@cache
def rounds_by_points() -> tuple[tuple[tuple[Card, ...], int], ...]:
    """Every kind of result with its weight: one round for each pair of totals and numbers of cards.

    A hand's two cards come in either order. That the bets other than pairs see no more of a round than
    this is proved round by round in `test_settlement_against_brute_force`.
    """
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    each = Counter({value: 32 * (4 if value == 0 else 1) for value in range(10)})
    kinds: dict[tuple[int, ...], tuple[Card, ...]] = {}
    weights: Counter[tuple[int, ...]] = Counter()
    for points in brute_force.point_rounds():
        cards = tuple(Card(VALUES[value]) for value in points)
        played = deal(book, cards)
        kind = (
            played.player.points,
            played.banker.points,
            len(played.player.cards),
            len(played.banker.cards),
        )
        orders = (1 + (points[0] != points[2])) * (1 + (points[1] != points[3]))
        kinds.setdefault(kind, cards)
        weights[kind] += orders * ways(points, each)
    return tuple((cards, weights[kind]) for kind, cards in kinds.items())


@cache
def rounds_by_ranks() -> tuple[tuple[tuple[Card, ...], int], ...]:
    """Every first four ranks with their weight, completed to a round with whatever the rules ask for."""
    each = Counter(dict.fromkeys(RANKS, 4 * DECKS))
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    found = []
    for ranks in product(RANKS, repeat=4):
        cards = [Card(rank + suit) for rank, suit in zip(ranks, "SHDC", strict=True)]
        player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
        while (side := next_hand(book, player, banker)) is not None:
            cards.append(Card("KD"))
            (player if side == "player" else banker).append(cards[-1])
        found.append((tuple(cards), ways(ranks, each)))
    return tuple(found)


def edge(book: Rulebook, bet: str, rounds: tuple[tuple[tuple[Card, ...], int], ...]) -> Fraction:
    """What the House keeps of a unit staked on this bet."""
    layout = min(book.bets[bet].layouts)
    placed = [PlacedBet("p1", 1, bet, STAKE)]
    lost = 0
    for cards, weight in rounds:
        line = settle(book, layout, cards, placed).lines[0]
        assert not line.remainder
        lost -= weight * line.net
    return Fraction(lost, STAKE * perm(ALL, 6))


def test_the_weights_add_up_to_every_draw() -> None:
    assert sum(weight for _, weight in rounds_by_points()) == PUBLISHED["combinations"]["total"]
    assert sum(weight for _, weight in rounds_by_ranks()) == PUBLISHED["combinations"]["total"]
    assert perm(len(DECK) * DECKS, 6) == PUBLISHED["combinations"]["total"]


def test_published_counts_of_results() -> None:
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    counts: Counter[str] = Counter()
    for cards, weight in rounds_by_points():
        counts[deal(book, cards).winner] += weight
    assert counts == {winner: PUBLISHED["combinations"][winner] for winner in ("banker", "player", "tie")}


CASES = [
    (row["rulebook"], bet, percent) for row in PUBLISHED["edge"] for bet, percent in row["percent"].items()
]


@pytest.mark.parametrize(("name", "bet", "percent"), CASES, ids=[f"{name}-{bet}" for name, bet, _ in CASES])
def test_published_edges(name: str, bet: str, percent: str) -> None:
    book = lammer.rulebook(name)
    exact = edge(book, bet, rounds_by_ranks() if bet.endswith("pair") else rounds_by_points()) * 100
    places = Decimal(percent)
    shown = (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(places, ROUND_HALF_EVEN)
    assert shown == places


def test_ranks_and_points_agree_where_both_can_be_used() -> None:
    """A round completed with kings keeps its first four cards: the pair bets see nothing else."""
    book = lammer.rulebook("da-hu-ying-xiong-noncommission-insurance@2")
    cards = parse_cards("KS 2H KD 3C KD")
    line = settle(book, "A", cards, [PlacedBet("p1", 1, "tiger_pair", STAKE)]).lines[0]
    assert (line.outcome, line.profit) == ("won", 4 * STAKE)
