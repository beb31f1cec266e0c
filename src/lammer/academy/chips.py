"""Chips: the pieces a pay-out is made of.

Each piece is a multiple of the next smaller one, so there is exactly one way to pay with the fewest pieces.
"""

from __future__ import annotations

import re
from typing import Final

from lammer.game.money import parse_amount, show

PIECES: Final = (5_000_00, 1_000_00, 500_00, 100_00, 25_00, 5_00, 1_00, 50)
"""What a tray holds, in cents, the largest first."""
_PILE = re.compile(r"([0-9]{1,6})\s*[x×*]\s*([0-9]+(?:\.[0-9]{1,2})?)")


def fewest(cents: int) -> dict[int, int]:
    """How many of each piece pay this amount with the fewest pieces; the amount must be one that chips pay.

    >>> fewest(1_737_50)
    {100000: 1, 50000: 1, 10000: 2, 2500: 1, 500: 2, 100: 2, 50: 1}
    """
    assert can_pay(cents), cents
    piles: dict[int, int] = {}
    for piece in PIECES:
        count, cents = divmod(cents, piece)
        if count:
            piles[piece] = count
    return piles


def can_pay(cents: int) -> bool:
    """Whether chips come to exactly this amount.

    >>> can_pay(47_50), can_pay(47_25), can_pay(0)
    (True, False, False)
    """
    return cents > 0 and cents % PIECES[-1] == 0


def write_piece(piece: int) -> str:
    """What is printed on a piece.

    >>> write_piece(1_000_00), write_piece(50)
    ('1000', '0.50')
    """
    return show(piece).removesuffix(".00")


def write_piles(piles: dict[int, int]) -> str:
    """Piles as they are written in an answer, the largest pieces first.

    >>> write_piles({50: 1, 100_00: 2})
    '2x100 1x0.50'
    """
    return " ".join(f"{piles[piece]}x{write_piece(piece)}" for piece in sorted(piles, reverse=True))


def read_piles(written: str) -> dict[int, int] | None:
    """Piles as somebody wrote them, in any order; None where that is no pile of pieces there are.

    >>> read_piles("1x0.50, 2 x 100 1x100"), read_piles("3x7"), read_piles("100")
    ({50: 1, 10000: 3}, None, None)
    """
    text = written.replace(",", " ").replace("+", " ").strip()
    rest = _PILE.sub(" ", text)
    if rest.strip() or not text:
        return None
    piles: dict[int, int] = {}
    for count, piece_text in _PILE.findall(text):
        piece = parse_amount(piece_text)
        if piece not in PIECES:
            return None
        if int(count):
            piles[piece] = piles.get(piece, 0) + int(count)
    return piles or None
