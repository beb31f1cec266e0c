"""What is decided whatever cards follow, for every word a bet may use: against every way to go on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from lammer import Card, PlacedBet, parse_cards, settle
from lammer.game.cards import DECK
from lammer.game.conclusive import standings
from support import brute_force, plain_bets
from support.bet_words import SUITS, TOTALS, bets_of, book_of

FILES = (TOTALS, SUITS)


def finishes(four: Sequence[Card | None]) -> Iterator[tuple[brute_force.Hand, brute_force.Hand]]:
    """Every round that begins with these four cards in shoe order, by plain dealing; None may be any card."""
    for first in product(*([card] if card else DECK for card in four)):
        for more in range(3):
            ended = False
            for last in product(DECK[:10], repeat=more):
                try:
                    yield brute_force.play((*first, *last))
                except ValueError:
                    continue
                ended = True
            if ended and not more:
                break


def _four(source: random.Random) -> Sequence[str]:
    """Four cards, often with a pair among them."""
    cards: list[str] = [source.choice(DECK) for _ in range(4)]
    for hand in (0, 1):
        if source.random() < 0.5:
            cards[hand + 2] = cards[hand] if source.random() < 0.5 else cards[hand][0] + source.choice("SHDC")
    return cards


@pytest.mark.parametrize("seed", range(12))
def test_a_bet_is_decided_exactly_when_every_way_to_go_on_says_so(seed: int) -> None:
    """Four cards with one or none of them hidden: 52 times as many ways, and every third card."""
    source = random.Random(seed)
    four: list[Card | None] = [Card(card) for card in _four(source)]
    if hidden := source.randrange(5):
        four[hidden - 1] = None
    outcomes: dict[str, set[str]] = {name: set() for name in bets_of(*FILES)}
    for hands in finishes(four):
        for name, bet in bets_of(*FILES).items():
            outcomes[name].add(plain_bets.settle(bet, *hands)[0])
    wanted = {name: found.copy().pop() if len(found) == 1 else "open" for name, found in outcomes.items()}
    assert standings(book_of(*FILES), four[::2], four[1::2]) == wanted


def test_a_suited_pair_is_decided_by_the_second_card() -> None:
    book = book_of(*FILES)
    before = standings(book, parse_cards("9H"), parse_cards("2S"))
    same = standings(book, parse_cards("9H 9H"), parse_cards("2S"))
    other = standings(book, parse_cards("9H 9S"), parse_cards("2S 2S"))
    assert (before["perfect_pair"], same["perfect_pair"]) == ("open", "won")
    assert (other["perfect_pair"], other["player_pair_by_suits"]) == ("won", "returned")
    assert standings(book, parse_cards("9H 9S"), parse_cards("2S 2D"))["perfect_pair"] == "lost"


@pytest.mark.parametrize(
    ("cards", "bet", "outcome", "returned"),
    [
        ("KS 3D 8H 4C", "banker", "lost", 0),
        ("KS 3D 5H TC 2D 4S", "banker", "returned", 100_00),  # 7 to 7 is a tie
        ("KS 3D 4H TC 2D 4S", "banker", "returned", 100_00),  # a three-card seven pushes
        ("KS 7D 6H TC", "banker", "won", 200_00),
        ("KS 8D 8H TC", "by_margin", "returned", 100_00),
        ("KS 7D 7H TC", "by_margin", "lost", 0),
        ("9S 2D TH 2C", "by_margin", "won", 200_00),
        ("9S 9D 9S KC", "player_pair_by_suits", "won", 2_600_00),
    ],
)
def test_a_round_is_settled_to_the_cent(cards: str, bet: str, outcome: str, returned: int) -> None:
    settled = settle(book_of(*FILES), "A", parse_cards(cards), [PlacedBet("p1", 1, bet, 100_00)])
    assert (settled.lines[0].outcome, settled.lines[0].returned) == (outcome, returned)
