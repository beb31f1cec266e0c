"""Money: whole cents, exact fractions, one named rounding.

Amounts come in and go out as strings such as `100` or `47.50`. Inside they are integer cents. Winnings
that are not whole cents are rounded down, and what was cut off is kept beside them as a fraction.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from lammer.rulebook.odds import Odds
from lammer.rulebook.refusal import Refused

LARGEST: Final = 100_000_000_000
"""A thousand million dollars, in cents: no table takes more, so more is a slip of the keyboard."""

NOTHING: Final = Fraction(0)
_AMOUNT = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?")


class Amount(int):
    """An amount in cents as a value of a refusal: written as money, here as English does.

    >>> f"{Amount(4750)}, {Amount(10_000_00)} and {Amount(-5)}"
    '47.50, 10,000.00 and −0.05'
    """

    def __str__(self) -> str:
        return f"{'−' if self < 0 else ''}{abs(self) // 100:,}.{abs(self) % 100:02d}"


def parse_amount(text: str, what: str = "The amount") -> int:
    """Dollars and cents as whole cents; refuses anything that is not a positive amount of money.

    >>> parse_amount("47.5"), parse_amount("100")
    (4750, 10000)
    >>> parse_amount("0.005")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused not_an_amount: The amount is '0.005'. ...
    """
    match = _AMOUNT.fullmatch(text) if len(text) <= 40 else None
    cents = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")) if match else 0
    if cents <= 0:
        raise Refused(
            "not_an_amount",
            "{what} is {text}.",
            next_step="Write it like 100 or 47.50, above zero.",
            what=what,
            text=repr(text[:40]),
        )
    if cents > LARGEST:
        raise Refused(
            "amount_too_large",
            "{what} is {text}, more than {largest}.",
            what=what,
            text=text,
            largest=Amount(LARGEST),
        )
    return cents


def show(cents: int) -> str:
    """Cents as dollars with two decimals.

    >>> show(4750), show(-5)
    ('47.50', '-0.05')
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def show_fraction(cents: Fraction) -> str:
    """A part of a cent in dollars, exactly: as a decimal where it ends, else as a fraction.

    >>> show_fraction(Fraction(1, 2)), show_fraction(Fraction(0)), show_fraction(Fraction(1, 3))
    ('0.005', '0.00', '1/300')
    """
    dollars = cents / 100
    for places in range(2, 13):
        scaled = dollars * 10**places
        if scaled.denominator == 1:
            return f"{scaled.numerator // 10**places}.{scaled.numerator % 10**places:0{places}d}"
    return str(dollars)


def winnings(stake: int, odds: Odds) -> tuple[int, Fraction]:
    """What a stake wins in whole cents, rounded down, and the fraction of a cent cut off.

    >>> winnings(1001, Odds.parse("3:2"))
    (1501, Fraction(1, 2))
    """
    profit = odds.profit
    cents, over = divmod(stake * profit.numerator, profit.denominator)
    return cents, Fraction(over, profit.denominator) if over else NOTHING
