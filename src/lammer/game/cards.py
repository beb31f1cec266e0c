"""Cards as the pit writes them: a rank and a suit, `AS`, `TD`, `9H`, `KC`.

What a card is worth is the rulebook's to say; this module only knows what a card is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NewType

from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS, SUITS

Card = NewType("Card", str)

DECK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
_KNOWN: Final = frozenset(DECK)
_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def write_card(card: str) -> str:
    """A card as people write it.

    >>> write_card("9H"), write_card("TS"), write_card("")
    ('9♥', '10♠', '')
    """
    return card[:-1].replace("T", "10") + _SUITS.get(card[-1:], "")


def parse_cards(written: str | Iterable[str]) -> tuple[Card, ...]:
    """Cards from a line of text or a list.

    >>> parse_cards("QS 3D 6H")
    ('QS', '3D', '6H')
    >>> parse_cards("10H")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused not_a_card: '10H' is not a card. ...
    """
    cards = written.split() if isinstance(written, str) else tuple(written)
    for card in cards:
        if card not in _KNOWN:
            raise Refused(
                "not_a_card",
                "{card} is not a card.",
                next_step="Write rank and suit, such as AS, TD, 9H, KC.",
                card=repr(card[:20]),
            )
    return tuple(Card(card) for card in cards)
