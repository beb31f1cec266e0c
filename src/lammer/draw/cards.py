"""Cards and hands, laid out as they lie on the table.

The two hands lie side by side, Player left and Banker right, each third card sideways on the outside.
A hidden card is drawn by a function that is not told which card it is, so nothing of it can leak.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from lammer.draw.svg import (
    BLUE,
    DARK_FELT,
    FELT,
    GOLD,
    INK,
    RED,
    WHITE,
    Markup,
    Svg,
    circle,
    document,
    group,
    path,
    rect,
    text,
)
from lammer.draw.words import ENGLISH, JOINER, Words
from lammer.game.cards import Card, parse_cards
from lammer.game.hands import Hand
from lammer.rulebook.vocabulary import SIDES, Side

WIDE, HIGH = 100, 140
_GAP, _MARGIN, _HEAD = 12, 24, 64
_MOST = 3
_HAND = HIGH + 2 * (_GAP + WIDE)

# Suits in a square of 24 around the middle; drawn, because fonts turn the characters into emoji.
_SPADE = "M0-11C4-5 11-1 11 4C11 9 5 10 2 6C2 9 3 11 5 12H-5C-3 11-2 9-2 6C-5 10-11 9-11 4C-11-1-4-5 0-11Z"
_HEART = "M0 11C-4 5-11 1-11-5C-11-11-3-12 0-6C3-12 11-11 11-5C11 1 4 5 0 11Z"
_DIAMOND = "M0-12C2-7 6-3 9 0C6 3 2 7 0 12C-2 7-6 3-9 0C-6-3-2-7 0-12Z"
_CLUB = (
    "M-2 3C-4 8-12 7-12 1C-12-4-7-6-4-3C-8-8-5-12 0-12C5-12 8-8 4-3C7-6 12-4 12 1C12 7 4 8 2 3"
    "C2 8 3 11 5 12H-5C-3 11-2 8-2 3Z"
)
_SUITS: Final = {"S": (_SPADE, INK), "H": (_HEART, RED), "D": (_DIAMOND, RED), "C": (_CLUB, INK)}

_RANK_NAMES: Final = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}
_CARD_NAMES: Final = {
    "S": "{rank} of spades",
    "H": "{rank} of hearts",
    "D": "{rank} of diamonds",
    "C": "{rank} of clubs",
}
_FACE_DOWN: Final = "a card face down"
_SIDES: Final[dict[Side, str]] = {"player": "Player", "banker": "Banker"}
_COLOURS: Final[dict[Side, str]] = {"player": BLUE, "banker": RED}


def card(card: Card, *, face_down: bool = False, words: Words = ENGLISH) -> Svg:
    """One card; face down it is the same picture whatever the card.

    >>> "9 of spades" in card(Card("9S"))
    True
    >>> card(Card("9S"), face_down=True) == card(Card("KH"), face_down=True)
    True
    """
    if face_down:
        return document(WIDE + 4, HIGH + 4, _capital(words.say(_FACE_DOWN)), group(_back(), x=2, y=2))
    (known,) = parse_cards([card])
    return document(WIDE + 4, HIGH + 4, _capital(_name(known, words)), group(_face(known), x=2, y=2))


def hands(
    player: Hand, banker: Hand, *, words: Words = ENGLISH, hidden: Collection[tuple[Side, int]] = ()
) -> Svg:
    """Both hands as they lie on the table, with their totals.

    `hidden` names the cards that lie face down, as (side, index). A hand with one of them shows no total.

    >>> player = Hand(parse_cards("7S KH"), 7)
    >>> banker = Hand(parse_cards("2D 3C 4D"), 9)
    >>> picture = hands(player, banker, hidden={("banker", 2)})
    >>> "Player 7: 7 of spades, King of hearts." in picture
    True
    >>> "Banker: 2 of diamonds, 3 of clubs, a card face down." in picture
    True
    """
    width, height = 3 * _MARGIN + 2 * _HAND, _HEAD + HIGH + _MARGIN
    face_down = frozenset(hidden)
    for side, index in face_down:
        # A wrong side or index here would show a card that lies face down.
        if side not in SIDES or index not in range(_MOST):
            raise ValueError(f"no hand has a place {(side, index)!r}")
    sides: tuple[tuple[Side, Hand], ...] = (("player", player), ("banker", banker))
    descriptions = []
    elements = [
        rect(0, 0, width, height, FELT, round_by=16),
        path(f"M{width // 2} {_MARGIN}V{height - _MARGIN}", "none", stroke=DARK_FELT, line=2),
    ]
    for number, (side, hand) in enumerate(sides):
        if len(hand.cards) > _MOST:
            raise ValueError(f"a hand has at most three cards, not {len(hand.cards)}")
        visible = [None if (side, index) in face_down else card for index, card in enumerate(hand.cards)]
        # From here on nothing knows what is face down: only `visible` and this total are drawn and told.
        total = hand.points if visible and None not in visible else None
        descriptions.append(_describe_hand(side, visible, total, words))
        x = _MARGIN + number * (_HAND + _MARGIN)
        elements += [group(_heading(side, total, words), x=x), group(*_places(side, visible), x=x, y=_HEAD)]
    first, second = descriptions
    title = words.say("{first} {second}", first=first, second=second)
    return document(width, height, title, *elements)


def _places(side: Side, visible: list[Card | None]) -> list[Markup]:
    """The cards of a hand in their places; the two places of the first cards show even when empty."""
    left = HIGH + _GAP if side == "player" else 0
    elements = []
    for index in range(max(2, len(visible))):
        if index == 2:
            # Turned a quarter to the right around its top left corner, the card reaches left of it.
            x = HIGH if side == "player" else 2 * (WIDE + _GAP) + HIGH
            elements.append(group(_draw_card(visible[index]), x=x, y=(HIGH - WIDE) // 2, turn=90))
        elif index < len(visible):
            elements.append(group(_draw_card(visible[index]), x=left + index * (WIDE + _GAP)))
        else:
            x = left + index * (WIDE + _GAP)
            elements.append(rect(x, 0, WIDE, HIGH, "none", stroke=DARK_FELT, line=2, round_by=8))
    return elements


def _heading(side: Side, total: int | None, words: Words) -> Markup:
    """The side's name above its first two cards, and its total when that is to be seen."""
    left = HIGH + _GAP if side == "player" else 0
    middle = left + WIDE + _GAP // 2
    elements = [text(middle, 42, words.say(_SIDES[side]), 24, GOLD, bold=True)]
    if total is not None:
        x = left + 2 * WIDE + _GAP - 22 if side == "player" else 22
        elements += [
            circle(x, 34, 21, _COLOURS[side], stroke=GOLD, line=2),
            text(x, 43, str(total), 26, WHITE, bold=True),
        ]
    return group(*elements)


def _describe_hand(side: Side, visible: list[Card | None], total: int | None, words: Words) -> str:
    names = [words.say(_FACE_DOWN) if card is None else _name(card, words) for card in visible]
    hand = words.say(_SIDES[side])
    cards = words.say(", ", within=JOINER).join(names) or words.say("no cards")
    if total is None:
        return words.say("{hand}: {cards}.", hand=hand, cards=cards)
    return words.say("{hand} {points}: {cards}.", hand=hand, points=total, cards=cards)


def _name(card: Card, words: Words) -> str:
    rank = _RANK_NAMES.get(card[0])
    return words.say(_CARD_NAMES[card[1]], rank=words.say(rank) if rank else card[0])


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _draw_card(card: Card | None) -> Markup:
    return _back() if card is None else _face(card)


def _face(card: Card) -> Markup:
    shape, colour = _SUITS[card[1]]
    rank = card[0].replace("T", "10")
    corner = (
        text(19, 31, rank, 30, colour, bold=True, within=30),
        group(path(shape, colour), x=19, y=50),
    )
    return group(
        rect(0, 0, WIDE, HIGH, WHITE, stroke="#9a9a9a", line=1, round_by=8),
        group(*corner),
        group(*corner, x=WIDE, y=HIGH, turn=180),
        group(path(shape, colour), x=WIDE // 2, y=HIGH // 2, scale=2),
    )


def _back() -> Markup:
    """A lattice of diamonds, six by nine, in one path."""
    diamonds = "".join(f"M{15 + 14 * x} {8 + 14 * y}l6 7l-6 7l-6-7z" for y in range(9) for x in range(6))
    return group(
        rect(0, 0, WIDE, HIGH, WHITE, stroke="#9a9a9a", line=1, round_by=8),
        rect(6, 6, WIDE - 12, HIGH - 12, "#8c1c2b", round_by=4),
        path(diamonds, "#c9606b"),
    )
