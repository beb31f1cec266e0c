"""Rounds to ask about, dealt by dice: whole ones, and ones that stopped where a decision is due."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lammer.academy.dice import Dice
from lammer.game.cards import Card
from lammer.game.drawing import FIRST_CARDS, banker_draws, next_hand, player_draws
from lammer.game.hands import FinishedRound, finish_round, total
from lammer.game.shoe import deck_of
from lammer.rulebook.model import Rulebook

MOST_CARDS: Final = 6
MOST_IN_A_HAND: Final = 3
_TRIES: Final = 400
"""Rounds that are dealt in search of one that has what is asked for."""

Hands = tuple[tuple[Card, ...], tuple[Card, ...]]


def deal_cards(book: Rulebook, dice: Dice) -> tuple[Card, ...]:
    """As many cards as a round may need, in shoe order; no card more often than the fewest decks hold it."""
    cards: list[Card] = []
    while len(cards) < MOST_CARDS:
        card = dice.pick(deck_of(book))
        if cards.count(card) < book.cards.fewest_decks:
            cards.append(card)
    return tuple(cards)


def hands_after(book: Rulebook, cards: tuple[Card, ...], count: int) -> Hands:
    """Both hands once so many of these cards are dealt, or all that the round takes."""
    player: list[Card] = []
    banker: list[Card] = []
    for card in cards[:count]:
        hand = next_hand(book, player, banker)
        if hand is None:
            break
        (player if hand == "player" else banker).append(card)
    return tuple(player), tuple(banker)


def shoe_order(book: Rulebook, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Those of the cards that the round takes."""
    player, banker = hands_after(book, cards, MOST_CARDS)
    return cards[: len(player) + len(banker)]


def finished(book: Rulebook, dice: Dice) -> tuple[tuple[Card, ...], FinishedRound]:
    """A whole round: its cards in shoe order, and the round."""
    cards = shoe_order(book, deal_cards(book, dice))
    return cards, finish_round(book, *hands_after(book, cards, MOST_CARDS))


def finished_where(
    book: Rulebook, dice: Dice, holds: Callable[[FinishedRound], bool]
) -> tuple[tuple[Card, ...], FinishedRound]:
    """A whole round of which something holds, where dealing a while finds one; else any."""
    for _ in range(_TRIES):
        cards, played = finished(book, dice)
        if holds(played):
            break
    return cards, played


def at_a_decision(book: Rulebook, dice: Dice) -> Hands:
    """Hands after four cards, or after the Player's third card where the Player takes one."""
    cards = deal_cards(book, dice)
    player, banker = hands_after(book, cards, FIRST_CARDS)
    if next_hand(book, player, banker) == "player" and not dice.one_in(3):
        return hands_after(book, cards, FIRST_CARDS + 1)
    return player, banker


def was_chosen(book: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...]) -> bool:
    """Whether a hand drew or stood here because it chose to, which no rule could tell."""
    two_cards = total(book, player[:2]), total(book, banker[:2])
    first = player_draws(book, *two_cards)
    if first.chosen or (first.draws and len(player) < MOST_IN_A_HAND):
        return first.chosen
    third = book.cards.points[player[2][0]] % 10 if len(player) == MOST_IN_A_HAND else None
    return banker_draws(book, *two_cards, third).chosen


def hands_where(book: Rulebook, dice: Dice, holds: Callable[[Hands], bool]) -> Hands:
    """Hands at a decision of which something holds, where dealing a while finds some; else any."""
    for _ in range(_TRIES):
        hands = at_a_decision(book, dice)
        if holds(hands):
            break
    return hands
