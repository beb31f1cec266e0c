"""Totals, winners, and who draws by the Table of Play."""

from __future__ import annotations

from typing import Final

from lammer.academy.dice import Dice
from lammer.academy.items import Choice, Item, cited
from lammer.academy.rounds import finished, hands_where, was_chosen
from lammer.game.drawing import next_hand, third_card_decisions
from lammer.game.hands import Decision, total
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.vocabulary import SIDES
from lammer.rulebook.wording import HANDS

NOBODY: Final = "nobody"
_WINNERS: Final = (
    Choice("player", Phrase("Player")),
    Choice("banker", Phrase("Banker")),
    Choice("tie", Phrase("Tie")),
)
_NEXT: Final = (
    Choice("player", Phrase("Player")),
    Choice("banker", Phrase("Banker")),
    Choice(NOBODY, Phrase("Nobody: the round is over")),
)


def total_item(book: Rulebook, dice: Dice, seed: int) -> Item:
    """What a hand comes to, or who has won."""
    _, played = finished(book, dice)
    hands = played.player.cards, played.banker.cards
    points = dict(zip(SIDES, (played.player.points, played.banker.points), strict=True))
    if dice.one_in(3):
        return Item(
            "totals",
            "winner",
            book.id,
            seed,
            Phrase("Who wins?"),
            "choice",
            played.winner,
            Phrase(
                "Player has {player}, Banker has {banker}.", player=points["player"], banker=points["banker"]
            ),
            cited(book.tie if played.winner == "tie" else book.winner, book.cards.total_cite),
            _WINNERS,
            hands,
        )
    side = dice.pick(SIDES)
    cards = hands[SIDES.index(side)]
    worth = [book.cards.points[card[0]] for card in cards]
    return Item(
        "totals",
        "total",
        book.id,
        seed,
        Phrase("What is the total of {hand}?", hand=HANDS[side]),
        "points",
        str(total(book, cards)),
        Phrase(
            "{worth} make {sum}; the last digit counts.", worth=" + ".join(map(str, worth)), sum=sum(worth)
        ),
        cited(book.cards.total_cite, *(book.cards.points_cite[card[0]] for card in cards)),
        (),
        hands,
        facts={"hand": side},
    )


def drawing_item(book: Rulebook, dice: Dice, seed: int) -> Item:
    """Who gets the next card, after four cards or after the Player's third."""
    player, banker = hands_where(book, dice, lambda hands: not was_chosen(book, *hands))
    decisions = third_card_decisions(book, player, banker)
    hand = next_hand(book, player, banker)
    drawing = [decision for decision in decisions if decision.draws and decision.hand == hand]
    deciding = drawing[0] if drawing else decisions[-1]
    return Item(
        "drawing",
        "next_card",
        book.id,
        seed,
        Phrase("Who gets the next card?"),
        "choice",
        hand or NOBODY,
        _decision_words(deciding),
        cited(deciding.cite, *(decision.cite for decision in decisions)),
        _NEXT,
        (player, banker),
    )


def _decision_words(decision: Decision) -> Phrase:
    hand = HANDS[decision.hand]
    if decision.draws:
        return Phrase("{hand} draws {because}.", hand=hand, because=decision.because)
    return Phrase("{hand} stands {because}.", hand=hand, because=decision.because)
