"""The shoe: decks of cards in an order that comes from outside.

Nothing here shuffles by itself. `shuffled` turns a source of numbers into an order, and whoever calls
it answers for the source. A shoe may hold any cards; what is in one is studied in the lab.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lammer.game.cards import DECK, Card, parse_cards
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards in dealing order, and how many are already out.

    >>> shoe = Shoe((Card("AS"), Card("TD")))
    >>> card, rest = shoe.draw()
    >>> card, rest.left
    ('AS', 1)
    """

    cards: tuple[Card, ...]
    dealt: int = 0

    @property
    def left(self) -> int:
        return len(self.cards) - self.dealt

    def draw(self) -> tuple[Card, Shoe]:
        """The next card and the shoe without it; an empty shoe is `too_few_cards`."""
        if not self.left:
            raise Refused("too_few_cards", "The shoe is empty.", next_step="Shuffle a new shoe.")
        return self.cards[self.dealt], Shoe(self.cards, self.dealt + 1)


def must_allow_decks(book: Rulebook, decks: int) -> None:
    """Refuse a number of decks the document does not allow."""
    rule = book.cards
    if not rule.fewest_decks <= decks <= rule.most_decks:
        raise Refused(
            "impossible_decks",
            "The game is played with {fewest_decks} to {most_decks} decks, not {decks}.",
            rule.decks_cite,
            fewest_decks=rule.fewest_decks,
            most_decks=rule.most_decks,
            decks=decks,
        )


@lru_cache(maxsize=64)
def deck_of(book: Rulebook) -> tuple[Card, ...]:
    """One deck as this rulebook's game is played with, every card once.

    >>> from lammer import rulebook
    >>> len(deck_of(rulebook("tiger-buffalo-noncommission@4")))
    52
    """
    return tuple(card for card in DECK if card[0] in book.cards.ranks)


def must_be_of_deck(book: Rulebook, cards: Sequence[Card]) -> None:
    """Refuse a card that no deck of this game has."""
    for card in cards:
        if card[0] not in book.cards.ranks:
            raise Refused(
                "impossible_card",
                "The decks of this game have no {card}.",
                book.cards.decks_cite,
                next_step="They have {ranks}.",
                card=card,
                ranks=" ".join(book.cards.ranks),
            )


def must_fit(book: Rulebook, decks: int, cards: Sequence[Card]) -> None:
    """Refuse what is no card, and cards that so many decks cannot hold: each deck has every card once."""
    must_be_of_deck(book, parse_cards(cards))
    if len(set(cards)) == len(cards):
        return
    card, times = Counter(cards).most_common(1)[0]
    if times > decks:
        raise Refused(
            "impossible_card",
            "{card} appears {times} times; {decks} decks hold it {decks} times.",
            book.cards.decks_cite,
            next_step="Check the cards, or treat the extra one as a card that is not of the set.",
            card=card,
            times=times,
            decks=decks,
        )


def shuffled(book: Rulebook, decks: int, below: Callable[[int], int]) -> Shoe:
    """A full shoe in the order drawn from `below`, which gives a whole number from 0 to n - 1 for n.

    >>> from lammer import rulebook
    >>> shoe = shuffled(rulebook("tiger-buffalo-noncommission@4"), 4, below=lambda n: 0)
    >>> shoe.left, shoe.cards[:2]
    (208, ('2S', '3S'))
    """
    must_allow_decks(book, decks)
    cards = list(deck_of(book)) * decks
    for last in range(len(cards) - 1, 0, -1):
        chosen = below(last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return Shoe(tuple(cards))
