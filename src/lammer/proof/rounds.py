"""Every round a rulebook can deal, by kind: hands that no rule can tell apart stand for each other once.

Two cards are told apart by their total and by the rank they are paired in; a third card by what it is worth.
`kinds_of_two` finds the kinds by looking at every two ranks there are, so nothing is left out by assumption.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from lammer.game.cards import Card
from lammer.game.drawing import deal, next_hand
from lammer.game.hands import Hand, Round, total
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

Two = tuple[Card, Card]


@dataclass(frozen=True, slots=True)
class TwoCards:
    """Two cards of a kind: what they come to, the rank they are paired in, and two cards that are so."""

    total: int
    pair: str
    cards: Two


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
    found: dict[tuple[int, str], TwoCards] = {}
    for first, second in product(ranks_of(book), repeat=2):
        cards = Card(f"{first}S"), Card(f"{second}H")
        kind = TwoCards(total(book, cards), Hand(cards, 0).pair, cards)
        found.setdefault((kind.total, kind.pair), kind)
    return tuple(found[key] for key in sorted(found))


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


def rounds_from(book: Rulebook, player: TwoCards, banker: TwoCards) -> Iterator[Round]:
    """Every kind of round these first four cards can lead to, dealt by the game itself."""
    yield from _rounds(book, player.cards, banker.cards)


def _rounds(book: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Iterator[Round]:
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
def every_round(book: Rulebook) -> tuple[Round, ...]:
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
def every_finish(book: Rulebook) -> tuple[Round, ...]:
    """One round for every way to finish by totals and numbers of cards, whatever pairs it began with."""
    found: dict[tuple[int, int, int, int], Round] = {}
    for played in every_round(book):
        hands = played.player, played.banker
        key = (hands[0].points, hands[1].points, len(hands[0].cards), len(hands[1].cards))
        found.setdefault(key, played)
    return tuple(found[key] for key in sorted(found))
