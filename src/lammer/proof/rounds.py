"""Every round a rulebook can deal, by kind: hands that no rule can tell apart stand for each other once.

Two cards are told apart by their total and by the rank they are paired in, and of which suits where a bet
asks for those; a third card by what it is worth. `kinds_of_two` finds the kinds by looking at every two cards
there are, so nothing is left out by assumption.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from lammer.game.bets import pair_suits
from lammer.game.cards import Card
from lammer.game.drawing import deal, next_hand
from lammer.game.hands import FinishedRound, Hand, total
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SUITS

Two = tuple[Card, Card]
Kind = tuple[int, str, str]
"""Two cards as far as rules can see them: their total, the rank they are paired in, and of which suits."""


@dataclass(frozen=True, slots=True)
class TwoCards:
    """Two cards of a kind: what they come to, the rank they are paired in, and two cards that are so.

    `suits` is of which suits a pair is, where a bet of the rulebook asks for them.
    """

    total: int
    pair: str
    cards: Two
    suits: str = ""

    @property
    def kind(self) -> Kind:
        return self.total, self.pair, self.suits


def asks_suits(book: Rulebook) -> bool:
    """Whether any bet asks of which suits a pair is; else suits play no part in a round."""
    return any(bet.asks_suits for bet in book.bets.values())


def kind_of(book: Rulebook, cards: Two) -> Kind:
    """What rules can see of two cards.

    >>> from lammer import rulebook
    >>> kind_of(rulebook("tiger-buffalo-noncommission@4"), (Card("9S"), Card("9H")))
    (8, '9', '')
    """
    pair = Hand(cards, 0).pair
    return total(book, cards), pair, pair_suits(cards) if pair and asks_suits(book) else ""


def cards_of_deck(book: Rulebook) -> tuple[Card, ...]:
    """One card for every rank, of each suit where any bet asks for suits."""
    return tuple(
        Card(rank + suit) for suit in (SUITS if asks_suits(book) else "S") for rank in ranks_of(book)
    )


def ranks_of(book: Rulebook) -> tuple[str, ...]:
    """The ranks a deck of this rulebook has."""
    return tuple(book.cards.points)


@lru_cache(maxsize=64)
def kinds_of_two(book: Rulebook) -> tuple[TwoCards, ...]:
    """Every kind of two cards, found among every two ranks.

    >>> from lammer import rulebook
    >>> kinds = kinds_of_two(rulebook("tiger-buffalo-noncommission@4"))
    >>> len(kinds), sum(bool(kind.pair) for kind in kinds)
    (23, 13)
    """
    found: dict[Kind, TwoCards] = {}
    for cards in every_two(book):
        of_kind, pair, suits = kind_of(book, cards)
        found.setdefault((of_kind, pair, suits), TwoCards(of_kind, pair, cards, suits))
    return tuple(found[key] for key in sorted(found))


def every_two(book: Rulebook) -> Iterator[Two]:
    """Every two cards of a deck; of two suits, where no bet asks for suits."""
    if asks_suits(book):
        yield from product(cards_of_deck(book), repeat=2)
    else:
        yield from ((Card(f"{one}S"), Card(f"{two}H")) for one, two in product(ranks_of(book), repeat=2))


@lru_cache(maxsize=64)
def kinds_of_one(book: Rulebook) -> tuple[Card, ...]:
    """One card for every worth there is, lowest first."""
    worth = {book.cards.points[rank] % 10: Card(f"{rank}D") for rank in reversed(ranks_of(book))}
    return tuple(worth[points] for points in sorted(worth))


def starts(book: Rulebook) -> Iterator[tuple[TwoCards, TwoCards]]:
    """Every kind of first four cards."""
    yield from product(kinds_of_two(book), repeat=2)


def in_dealing_order(book: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of two hands in the order they leave the shoe."""
    waiting = {"player": list(player[:2]), "banker": list(banker[:2])}
    return (*(waiting[side].pop(0) for side in book.cards.order), *player[2:], *banker[2:])


def rounds_from(book: Rulebook, player: TwoCards, banker: TwoCards) -> Iterator[FinishedRound]:
    """Every kind of round these first four cards can lead to, dealt by the game itself."""
    yield from _rounds(book, player.cards, banker.cards)


def _rounds(book: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Iterator[FinishedRound]:
    side = next_hand(book, player, banker)
    if side is None or len(player) + len(banker) >= 7:
        yield deal(book, in_dealing_order(book, player, banker))
        return
    for card in kinds_of_one(book):
        if side == "player":
            yield from _rounds(book, (*player, card), banker)
        else:
            yield from _rounds(book, player, (*banker, card))


@lru_cache(maxsize=16)
def every_round(book: Rulebook) -> tuple[FinishedRound, ...]:
    """Every kind of round, pairs told apart.

    A round the game cannot finish is left out here; that none is left out is a theorem of its own.

    >>> from lammer import rulebook
    >>> rounds = every_round(rulebook("tiger-buffalo-noncommission@4"))
    >>> {played.cards_dealt for played in rounds}
    {4, 5, 6}
    """
    found = []
    for player, banker in starts(book):
        try:
            found += list(rounds_from(book, player, banker))
        except Refused:
            continue
    return tuple(found)


@lru_cache(maxsize=16)
def every_course(book: Rulebook) -> tuple[FinishedRound, ...]:
    """One round for every two-card totals and every worth of third cards, whatever pairs it began with."""
    found: dict[tuple[int | None, ...], FinishedRound] = {}
    points = book.cards.points
    for played in every_round(book):
        hands = played.player.cards, played.banker.cards
        key = [total(book, cards[:2]) for cards in hands]
        thirds = [points[cards[2][0]] % 10 if len(cards) > 2 else None for cards in hands]
        found.setdefault((*key, *thirds), played)
    return tuple(found.values())


@lru_cache(maxsize=16)
def every_finish(book: Rulebook) -> tuple[FinishedRound, ...]:
    """One round for every way to finish by totals and numbers of cards, whatever pairs it began with."""
    found: dict[tuple[int, int, int, int], FinishedRound] = {}
    for played in every_round(book):
        hands = played.player, played.banker
        key = (hands[0].points, hands[1].points, len(hands[0].cards), len(hands[1].cards))
        found.setdefault(key, played)
    return tuple(found[key] for key in sorted(found))
