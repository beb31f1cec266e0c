"""Many rounds: how what the House wins of one round spreads over a stretch of them.

Mean and deviation are exact. Percentiles come from the distribution of the sum, worked out from that of one
round by its characteristic function: no bell curve is assumed, so a bet that wins once in a thousand rounds
has the lumps it has. Rounds are taken to be independent and dealt from the full shoe; within a shoe they are
not quite, and what that moves is far below what chance does. Needs numpy, from the extra `lab`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from lammer.lab.extras import needs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POINTS = 1 << 16
"""Of the grid sums are told apart on: where they can be more, neighbours share a point."""
REACH = 14
"""Standard deviations on either side of the mean that a sum may lie; beyond is less than a float can tell."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """So many rounds of what one round comes to: values, each with its share."""

    shares: Mapping[Fraction, Fraction]
    rounds: int

    @classmethod
    def of(cls, draws: Mapping[Fraction, int], rounds: int) -> Stretch:
        """From counts of draws by what they come to."""
        every = sum(draws.values())
        return cls({value: Fraction(count, every) for value, count in draws.items() if count}, rounds)

    @property
    def mean(self) -> Fraction:
        """Of the sum.

        >>> Stretch.of({Fraction(1): 3, Fraction(-1): 1}, 10).mean
        Fraction(5, 1)
        """
        return self.rounds * sum((value * share for value, share in self.shares.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Of the sum."""
        mean = self.mean / self.rounds
        squares = sum((value**2 * share for value, share in self.shares.items()), Fraction(0))
        return self.rounds * (squares - mean**2)

    def percentiles(self, percents: Sequence[float]) -> list[Fraction]:
        """For each percent, the smallest sum with at least that share at or below it.

        >>> coin = Stretch.of({Fraction(1): 1, Fraction(-1): 1}, 4)
        >>> [int(sum_) for sum_ in coin.percentiles((5, 50, 95))]
        [-4, 0, 4]
        """
        sums, below = self._distribution()
        with needs("lab"):
            import numpy as np  # noqa: PLC0415
        places = np.searchsorted(below, [percent / 100 - 1e-9 for percent in percents])
        return [sums.at(min(int(place), len(below) - 1)) for place in places]

    def share_below(self, limit: Fraction) -> float:
        """How likely the sum is less than this.

        >>> round(Stretch.of({Fraction(1): 1, Fraction(-1): 1}, 4).share_below(Fraction(0)), 6)
        0.3125
        """
        sums, below = self._distribution()
        places = math.ceil((limit - sums.first) / sums.step)
        return 0.0 if places <= 0 else float(below[min(places, len(below)) - 1])

    def _distribution(self) -> tuple[_Sums, NDArray[np.float64]]:
        """The sums there are in rising order, and the share at or below each."""
        with needs("lab"):
            import numpy as np  # noqa: PLC0415
        lowest = min(self.shares)
        part = math.lcm(*((value - lowest).denominator for value in self.shares))
        heights = {int((value - lowest) * part): float(share) for value, share in self.shares.items()}
        step = math.gcd(*heights) or 1
        steps = np.array([height // step for height in heights], np.float64)
        weights = np.array(list(heights.values()))
        most = self.rounds * int(steps.max())
        mean = float((self.mean - self.rounds * lowest) * part / step)
        reach = REACH * math.sqrt(float(self.variance * part**2)) / step + int(steps.max())
        first, last = max(0, math.floor(mean - reach)), min(most, math.ceil(mean + reach))
        size = min(POINTS, 1 << (last - first).bit_length())
        coarse = -(-(last - first + 1) // size)
        turns = np.arange(size // 2 + 1) * (-2j * np.pi / (coarse * size))
        of_one = np.exp(np.outer(turns, steps)) @ weights
        # Turned back by `first`, so that the grid begins at it.
        of_all = of_one**self.rounds * np.exp(-turns * first)
        shares = np.fft.irfft(of_all, size)
        below = np.minimum(np.cumsum(np.maximum(shares, 0.0)), 1.0)
        scale = Fraction(step, part)
        return _Sums(self.rounds * lowest + first * scale, coarse * scale), below


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums at equal distances."""

    first: Fraction
    step: Fraction

    def at(self, place: int) -> Fraction:
        return self.first + place * self.step
