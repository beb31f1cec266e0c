"""`standings` against plain enumeration: every completion the rules allow, one by one."""

from __future__ import annotations

import random
from itertools import product

import pytest

import lammer
from lammer import Card, Refused, Rulebook, deal, established, parse_cards, standings
from lammer.game.cards import DECK
from lammer.game.drawing import next_hand
from lammer.rulebook.vocabulary import RANKS
from support import brute_force

Shown = tuple[str, ...]
"""Six places, player and banker in turn as dealt, then the third cards; '' is a card nobody has seen."""


def plain_standings(book: Rulebook, shown: Shown) -> dict[str, str] | None:
    """Every completion, dealt and settled by the brute force; None when the rules allow none."""
    choices = [[f"{rank}S" for rank in RANKS] if not card else [card] for card in shown]
    finishes: dict[tuple[object, ...], list[str]] = {}
    for first in product(*choices[:4]):
        for thirds in _thirds(first, shown, choices):
            cards = [*first, *thirds]
            player, banker = brute_force.play(cards)
            pair = [hand[0][0] if hand[0][0] == hand[1][0] else "" for hand in (player, banker)]
            totals = brute_force.points(player), brute_force.points(banker)
            finishes.setdefault((*totals, len(player), len(banker), *pair), cards)
    if not finishes:
        return None
    found = {}
    for bet in book.bets:
        outcomes = {brute_force.settle_bet(book.id, bet, cards, 100)[0] for cards in finishes.values()}
        found[bet] = outcomes.pop() if len(outcomes) == 1 else "open"
    return found


def _thirds(first: tuple[str, ...], shown: Shown, choices: list[list[str]]) -> list[list[str]]:
    """The third cards, in dealing order, that finish these four cards and agree with what is shown."""
    player_third, banker_third = shown[4], shown[5]
    found: list[list[str]] = []
    for length, places in ((0, ()), (1, (4,)), (1, (5,)), (2, (4, 5))):
        if (player_third and 4 not in places) or (banker_third and 5 not in places):
            continue
        for thirds in product(*(choices[place] for place in places)):
            try:
                player, banker = brute_force.play([*first, *thirds])
            except ValueError:
                continue
            if (len(player) == 3, len(banker) == 3) == (4 in places, 5 in places):
                assert len(thirds) == length
                found.append(list(thirds))
    return found


def production(book: Rulebook, shown: Shown) -> dict[str, str]:
    cards = [Card(card) if card else None for card in shown]
    return dict(standings(book, [cards[0], cards[2], cards[4]], [cards[1], cards[3], cards[5]]))


def exposures(source: random.Random, count: int) -> list[Shown]:
    """Places shown at random, at most two of the first four hidden."""
    found: list[Shown] = []
    while len(found) < count:
        cards = source.sample(list(DECK) * 8, 6)
        hidden = source.sample(range(4), source.choice((0, 0, 1, 1, 1, 2)))
        hidden += [place for place in (4, 5) if source.random() < 0.5]
        found.append(tuple("" if place in hidden else card for place, card in enumerate(cards)))
    return found


@pytest.mark.parametrize(
    "name", ["tiger-buffalo-noncommission-insurance@3", "da-hu-ying-xiong-noncommission-insurance@2"]
)
def test_agrees_with_plain_enumeration(name: str) -> None:
    book = lammer.rulebook(name)
    impossible = 0
    for shown in exposures(random.Random(7), 60):
        expected = plain_standings(book, shown)
        if expected is None:
            impossible += 1
            with pytest.raises(Refused, match="no_completion"):
                production(book, shown)
        else:
            assert production(book, shown) == expected, shown
    assert impossible, "some exposures must break the Table of Play"


def test_a_third_card_shown_rules_out_a_pair() -> None:
    """A nine and a hidden card with a third card drawn: nine and nine would have been a natural."""
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    stands = standings(book, [Card("9S"), None, Card("2D")], [None, None])
    assert stands["player_pair"] == "lost"
    assert standings(book, [Card("9S"), None], [None, None])["player_pair"] == "open"


def test_a_finished_round_leaves_nothing_open() -> None:
    source = random.Random(3)
    for name in ("tiger-buffalo-commission-insurance@3", "da-hu-ying-xiong-noncommission-insurance@2"):
        book = lammer.rulebook(name)
        for _ in range(200):
            player: list[Card] = []
            banker: list[Card] = []
            cards: list[Card] = []
            while (side := next_hand(book, player, banker)) is not None:
                cards.append(source.choice(DECK))
                (player if side == "player" else banker).append(cards[-1])
            stands = standings(book, player, banker)
            deal(book, cards)
            assert stands == {bet: brute_force.settle_bet(name, bet, cards, 100)[0] for bet in book.bets}


def test_what_is_decided_stays_decided() -> None:
    """More cards can only close what was open."""
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    source = random.Random(5)
    for _ in range(300):
        player: list[Card] = []
        banker: list[Card] = []
        before = standings(book, player, banker)
        while (side := next_hand(book, player, banker)) is not None:
            (player if side == "player" else banker).append(source.choice(DECK))
            now = standings(book, player, banker)
            assert all(before[bet] in ("open", now[bet]) for bet in before)
            before = now


def test_the_reading_says_which_bets_count() -> None:
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    layout = book.layout("A")
    stands = standings(book, parse_cards("QS 6H"), parse_cards("3D"))
    literal = established(book, layout, stands)
    assert "player_pair" in literal
    assert "tiger_buffalo" not in literal, "layout A does not offer it"
    placed = {"outcome_established": "bets_placed"}
    assert established(book, layout, stands, ["player", "big_buffalo"], placed) == ("big_buffalo",)
    assert established(book, layout, stands, ["player"], placed) == ()
    hands = {"outcome_established": "player_and_banker_only"}
    assert established(book, layout, stands, readings=hands) == ()
    natural = standings(book, parse_cards("QS 9H"), parse_cards("3D 4C"))
    assert established(book, layout, natural, readings=hands) == ("player", "banker")
