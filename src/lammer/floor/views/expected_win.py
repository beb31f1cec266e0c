"""What the House was to expect from what was staked, and how unusual it is that it won something else.

The mean is the sum of stakes by their exact edges. The variance is the sum, round by round, over all wagers
of the round with how they move together. Rounds are taken to be independent. That winnings are rounded down
to the cent, and that a table may read twins by points, is left out. Nothing here reads a clock or a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Final

from lammer.lab.exact.composition import Composition
from lammer.lab.exact.joint import InsuredAt, RoundMoments, Wager as ExactWager
from lammer.rulebook.model import Rulebook
from lammer.table.play_figures import PlayFigures, Terms, Wager

UNUSUAL: Final = 2
"""Standard deviations from which chance alone is seldom enough: one day in 22."""
VERY_UNUSUAL: Final = 3
"""The same for one day in 370."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The House's win in the mean, in cents, and its variance, in cents squared."""

    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    @property
    def cents(self) -> int:
        """The mean in whole cents, rounded half to even."""
        return round(self.mean)

    def deviations(self, win: int) -> Decimal | None:
        """By how many standard deviations a win is off, to one place; None where nothing can be off.

        >>> Expectation(Fraction(100), Fraction(400)).deviations(150), Expectation().deviations(0)
        (Decimal('2.5'), None)
        """
        if self.variance <= 0:
            return None
        with localcontext() as context:
            context.prec = 40
            spread = (Decimal(self.variance.numerator) / Decimal(self.variance.denominator)).sqrt()
            off = win - Decimal(self.mean.numerator) / Decimal(self.mean.denominator)
            return (off / spread).quantize(Decimal("0.1")) + 0


class ExactChances:
    """The exact figures of each rulebook and number of decks, worked out once and kept by its hash."""

    def __init__(self, books: Mapping[str, Rulebook]) -> None:
        self._books = books
        self._known: dict[tuple[str, int], RoundMoments] = {}

    def of(self, terms: Terms) -> RoundMoments:
        """The chances a table so set up plays at."""
        book = self._books[terms.rulebook]
        key = book.sha256, terms.decks
        if key not in self._known:
            self._known[key] = RoundMoments(book, Composition.of_book(book, terms.decks))
        return self._known[key]

    def expect(self, figures: PlayFigures) -> Expectation:
        """What the House was to expect from these stakes."""
        mean = variance = Fraction(0)
        for (terms, wager), cents in figures.exposure.items():
            if cents:
                mean += cents * self.of(terms).edge(_exact(wager))
        for (terms, one, other), cents_squared in figures.products.items():
            if cents_squared:
                variance += cents_squared * self.of(terms).covariance(_exact(one), _exact(other))
        return Expectation(mean, variance)


def _exact(wager: Wager) -> ExactWager:
    return wager if isinstance(wager, str) else InsuredAt(*wager)
