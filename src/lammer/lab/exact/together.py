"""Which bets of one round win together: the exact joint distribution of what a unit on each comes to.

Every ordered draw of six cards is counted once, by the profits it gives all bets. From that follow the most a
House can have to pay in one round, and what it wins of a mix of bets, to the last draw. Insurance is taken
when cards lie open, so it is not part of it: what it can add at most stands on its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lammer.lab.exact.composition import Composition
from lammer.lab.exact.joint import RoundMoments
from lammer.rulebook.model import Rulebook

_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Payout:
    """A way a round can end: the bets that win, what they are paid in cents, in how many draws."""

    bets: tuple[str, ...]
    paid: Fraction
    draws: int


@dataclass(frozen=True, slots=True)
class Together:
    """The bets by name, and for each row of profits they can come to together, in how many draws they do."""

    names: tuple[str, ...]
    rows: Mapping[tuple[Fraction, ...], int]
    draws: int

    def both_win(self, one: str, other: str) -> int:
        """In how many draws two bets both win.

        >>> from lammer import rulebook
        >>> book = rulebook("tiger-buffalo-noncommission@4")
        >>> together = win_together(book, Composition.of_decks(8), ("player", "banker", "tiger"))
        >>> together.both_win("player", "tiger"), together.both_win("banker", "tiger")
        (0, 269232304455680)
        """
        first, second = self.names.index(one), self.names.index(other)
        return sum(count for row, count in self.rows.items() if row[first] > 0 and row[second] > 0)

    def payouts(self, limits: Mapping[str, int]) -> list[Payout]:
        """What a player with the limit on every bet that then wins is paid, the most first; limits in cents.

        Bets that lose or come back pay nothing: whoever means harm leaves them out.
        """
        draws_of: dict[tuple[tuple[str, ...], Fraction], int] = {}
        for row, count in self.rows.items():
            won = [(name, profit) for name, profit in zip(self.names, row, strict=True) if profit > 0]
            paid = sum((profit * limits.get(name, 0) for name, profit in won), _NOTHING)
            key = tuple(name for name, _ in won if limits.get(name)), paid
            draws_of[key] = draws_of.get(key, 0) + count
        payouts = [Payout(names, paid, count) for (names, paid), count in draws_of.items()]
        return sorted(payouts, key=lambda each: (-each.paid, -each.draws, each.bets))

    def wins_of(self, stakes: Mapping[str, int]) -> dict[Fraction, int]:
        """What the House wins of a mix in one round, in cents, and in how many draws.

        >>> from lammer import rulebook
        >>> book = rulebook("tiger-buffalo-noncommission@4")
        >>> wins = win_together(book, Composition.of_decks(8), ("player", "tie")).wins_of({"tie": 1_00})
        >>> sorted((int(win), count) for win, count in wins.items())
        [(-800, 475627426473216), (100, 4522770849030144)]
        """
        wins: dict[Fraction, int] = {}
        weights = [stakes.get(name, 0) for name in self.names]
        for row, count in self.rows.items():
            win = -sum(
                (stake * profit for stake, profit in zip(weights, row, strict=True) if stake), _NOTHING
            )
            wins[win] = wins.get(win, 0) + count
        return wins


def win_together(book: Rulebook, shoe: Composition, names: Sequence[str] = ()) -> Together:
    """How these bets of a rulebook, or all of them, win together from a shoe.

    >>> from lammer import rulebook
    >>> together = win_together(rulebook("tiger-buffalo-noncommission@4"), Composition.of_decks(8))
    >>> sum(together.rows.values()) == together.draws
    True
    """
    moments = RoundMoments(book, shoe)
    chosen = tuple(names) or tuple(book.bets)
    rows = moments.profits_together(chosen)
    return Together(chosen, rows, sum(rows.values()))
