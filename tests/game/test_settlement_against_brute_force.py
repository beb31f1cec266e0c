"""The production settlement against one written separately, on every reachable round and at random.

`brute_force` was written from the texts alone, without sight of the rulebooks or of the game. Every bet
of every document is settled by both; stakes are odd cents, so that fractions arise.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

import lammer
from lammer import Line, PlacedBet, PlacedInsurance, Rulebook, settle
from lammer.game.cards import DECK, Card
from lammer.game.insurance import offers_of_round
from lammer.shelf import shipped_ids
from support import brute_force

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

STAKE = 10_03
ORIGINAL = 50_01
MAXIMUM = 1_000_000_00
VALUES = ("KS", "AH", "2D", "3C", "4S", "5H", "6D", "7C", "8S", "9H")
SAMPLE = 20_000
SHARES = 4
"""So that two cores share the work evenly; together the shares are every round."""


def with_every_bet_everywhere(book: Rulebook) -> Rulebook:
    """The same rules with each bet on every layout, so that a round is settled once and not once a layout."""
    bets = {name: replace(bet, layouts=frozenset(book.layouts)) for name, bet in book.bets.items()}
    return replace(book, bets=bets)


def partition(book: Rulebook) -> list[tuple[str, list[PlacedBet]]]:
    """Every bet of the document once, on the first layout that offers it."""
    left = dict(book.bets)
    parts = []
    for letter, layout in book.layouts.items():
        here = [bet for bet in book.offered(layout) if bet.name in left]
        if here:
            stakes = [ORIGINAL if bet.original else STAKE for bet in here]
            parts.append((letter, [PlacedBet("p1", 1, b.name, s) for b, s in zip(here, stakes, strict=True)]))
        for bet in here:
            del left[bet.name]
    assert not left
    return parts


def compare(book: Rulebook, parts: list[tuple[str, list[PlacedBet]]], cards: Sequence[Card]) -> None:
    """Settle one round both ways and hold every line of one against the other."""
    offers = brute_force.insurance_offers(book.id, cards)
    insured = [PlacedInsurance("p1", 1, *key, STAKE) for key in offers]  # type: ignore[arg-type]
    for letter, placed in parts:
        with_insurance = insured if placed[0].bet == "player" else []
        settled = settle(book, letter, cards, placed, with_insurance, maximum=MAXIMUM)
        for line in settled.lines:
            if line.window is None:
                expected = brute_force.settle_bet(book.id, line.bet, cards, line.stake)
            else:
                expected = brute_force.settle_insurance(book.id, line.bet, line.window, cards, line.stake)
            assert_same(line, expected)
        assert settled.net == {"p1": sum(line.returned - line.stake for line in settled.lines)}
    on_offer = offers_of_round(book, lammer.deal(book, cards))
    assert {(offer.hand, offer.window): offer.odds.profit for offer in on_offer} == {
        key: Fraction(*odds) for key, odds in offers.items()
    }


def assert_same(line: Line, expected: tuple[str, Fraction, int]) -> None:
    outcome, exact, paid = expected
    assert line.outcome == outcome, line
    assert line.profit == paid, line
    left, whole = line.remainder, paid * exact.denominator
    assert (left.numerator, left.denominator) == (exact.numerator - whole, exact.denominator), line
    assert line.returned == (0 if outcome == "lost" else line.stake + paid), line


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("name", shipped_ids())
def test_every_reachable_round_at_point_level(name: str, share: int) -> None:
    book = with_every_bet_everywhere(lammer.rulebook(name))
    parts = partition(book)
    for points in list(brute_force.point_rounds())[share::SHARES]:
        compare(book, parts, [Card(VALUES[value]) for value in points])


def test_every_reachable_round_is_among_them() -> None:
    assert sum(1 for _ in brute_force.point_rounds()) == 103_411


@pytest.mark.parametrize("name", shipped_ids())
def test_a_large_sample_at_card_level(name: str) -> None:
    book = lammer.rulebook(name)
    parts = partition(book)
    source = random.Random(20251121)
    shoe = list(DECK) * 8
    pairs = 0
    for _ in range(SAMPLE):
        cards = source.sample(shoe, 6)
        while True:
            try:
                player, banker = brute_force.play(cards)
                break
            except ValueError:
                cards.pop()
        pairs += player[0][0] == player[1][0] or banker[0][0] == banker[1][0]
        compare(book, parts, cards)
    assert pairs > SAMPLE // 10, "the sample must hold pairs"


@pytest.mark.parametrize("name", shipped_ids())
def test_layouts_offer_the_same_bets(name: str) -> None:
    book = lammer.rulebook(name)
    for letter, layout in book.layouts.items():
        assert {bet.name for bet in book.offered(layout)} == brute_force.offered(name, letter)
