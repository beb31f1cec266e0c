"""Hands and their totals, and the finished round they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from lammer.game.cards import Card
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.vocabulary import Side

Winner = Literal["player", "banker", "tie"]


def winner_of(player: int, banker: int) -> Winner:
    """Who wins with these points.

    >>> winner_of(6, 9), winner_of(7, 7)
    ('banker', 'tie')
    """
    if player == banker:
        return "tie"
    return "player" if player > banker else "banker"


def total(book: Rulebook, cards: Sequence[Card]) -> int:
    """The Point Total: the last digit of what the cards add up to.

    >>> from lammer import rulebook
    >>> total(rulebook("tiger-buffalo-noncommission@4"), [Card("7S"), Card("8H")])
    5
    """
    points = book.cards.points
    added = 0
    for card in cards:
        added += points[card[0]]
    return added % 10


class Hand(Struct, frozen=True):
    """The cards of one side and what they come to."""

    cards: tuple[Card, ...]
    points: int

    @property
    def pair(self) -> str:
        """The rank its first two cards share, or nothing.

        >>> Hand((Card("9S"), Card("9H"), Card("KD")), 8).pair, Hand((Card("TS"), Card("KH")), 0).pair
        ('9', '')
        """
        first, second = self.cards[0][0], self.cards[1][0]
        return first if first == second else ""


class Decision(Struct, frozen=True):
    """That a hand drew or stood, why, and the paragraph that says so.

    An `open` one is the hand's own to make, and `draws` is what it does in the usual play.
    """

    hand: Side
    draws: bool
    because: Phrase
    cite: Citation
    open: bool = False


class FinishedRound(Struct, frozen=True):
    """A finished round: both hands, and the decisions that led there."""

    player: Hand
    banker: Hand
    decisions: tuple[Decision, ...]

    @property
    def winner(self) -> Winner:
        return winner_of(self.player.points, self.banker.points)

    @property
    def points(self) -> int:
        """The total it was won on, or tied on."""
        return max(self.player.points, self.banker.points)

    @property
    def cards_dealt(self) -> int:
        return len(self.player.cards) + len(self.banker.cards)


def finish_round(
    book: Rulebook, player: Sequence[Card], banker: Sequence[Card], decisions: tuple[Decision, ...] = ()
) -> FinishedRound:
    """These two hands as a round that is over.

    >>> from lammer import rulebook
    >>> cards = [Card("QS"), Card("6H")], [Card("3D"), Card("4C")]
    >>> finish_round(rulebook("tiger-buffalo-noncommission@4"), *cards).winner
    'banker'
    """
    hands = [Hand(tuple(cards), total(book, cards)) for cards in (player, banker)]
    return FinishedRound(hands[0], hands[1], decisions)
