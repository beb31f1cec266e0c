"""How often the Insurance on offer wins, comes back and loses, counted exactly, where the table shows it.

Counted from full decks less the cards that lie open in this round; cards of earlier rounds are left out. Some
laws forbid such help on a live game, so a table may be set up without it, and then nobody gets it from here:
no page, no program, no board. What is to be counted is only what the reader can see anyhow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from lammer.floor.record.revealed import HIDDEN
from lammer.game.cards import Card
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.odds import mid_round_odds, one_hand_shown
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import SIDES, Side
from lammer.table.state import Table


@dataclass(frozen=True, slots=True)
class Worth:
    """What a unit of Insurance does from here: how often it wins, comes back and loses; what it is worth."""

    won: Fraction
    returned: Fraction
    lost: Fraction
    worth: Fraction


def chances_seen(table: Table, round_seen: Mapping[str, Any] | None) -> dict[str, Worth]:
    """What Insurance is worth as the cards lie, by its hand, to readers who see the round so.

    Nothing where the table is set up without it, or the first four cards do not all lie open.
    """
    if table.setup is None or not table.setup.exact_chances:
        return {}
    if round_seen is None or round_seen["phase"] != "dealing":
        return {}
    hands = [tuple(round_seen["hands"][side]["cards"]) for side in SIDES]
    if round_seen["window"] == "two_cards":
        shown = next(side for side, cards in zip(SIDES, hands, strict=True) if cards and HIDDEN not in cards)
        return worth_of_one(table.book, shown, hands[shown == "banker"], table.setup.decks)
    if any(HIDDEN in hand or len(hand) < 2 for hand in hands):
        return {}
    return worth_of(table.book, hands[0], hands[1], table.setup.decks)


@lru_cache(maxsize=256)
def worth_of_one(book: Rulebook, hand: Side, cards: tuple[str, ...], decks: int) -> dict[str, Worth]:
    """What Insurance of a hand is worth with its two cards open and nothing of the other.

    >>> from lammer.shelf import rulebook
    >>> book = rulebook("examples/macau-style-insurance.toml")
    >>> worth = worth_of_one(book, "banker", ("9S", "KH"), 8)["banker"]
    >>> worth.returned, float(round(worth.won, 4))
    (Fraction(0, 1), 0.094)
    """
    seen = [Card(card) for card in cards]
    found = one_hand_shown(book, hand, seen, Composition.of_book(book, decks))
    worths = (Worth(worth.won, worth.returned, worth.lost, worth.worth) for worth in found)
    return dict(zip((hand,), worths, strict=False))


@lru_cache(maxsize=256)
def worth_of(
    book: Rulebook, player: tuple[str, ...], banker: tuple[str, ...], decks: int
) -> dict[str, Worth]:
    """What each offer on the table is worth with these cards open.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> worth = worth_of(book, ("QS", "6H"), ("3D", "AC"), 8)["player"]
    >>> worth.won + worth.returned + worth.lost
    Fraction(1, 1)
    """
    # In the order of the shoe: by turns, then the third cards.
    hands = {"player": list(player), "banker": list(banker)}
    order = [hands[side].pop(0) for side in book.cards.order if hands[side]]
    cards = [Card(card) for card in (*order, *hands["player"], *hands["banker"])]
    now = mid_round_odds(book, cards, Composition.of_book(book, decks))
    tie = next(chances.returned for chances in now.bets if book.bets[chances.bet].tie_returns is not None)
    worths: dict[str, Worth] = {}
    for insurance in now.insurance:
        back = tie if insurance.offer.on_tie == "returned" else Fraction(0)
        # A unit is worth what it wins when it wins, less itself when it loses; that gives the chance to win.
        won = (insurance.worth + 1 - back) / (insurance.offer.odds.profit + 1)
        worths[insurance.offer.hand] = Worth(won, back, 1 - won - back, insurance.worth)
    return worths
