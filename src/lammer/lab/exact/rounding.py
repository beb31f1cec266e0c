"""What rounding down to the cent does to an edge: on which stakes nothing is lost, and on which most.

Winnings that are not whole cents are rounded down, so a bet at fractional odds costs a little more on most
stakes. The cut is that of the settlement, `game.money.winnings`; how often it comes, that of the edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from lammer.game.money import winnings
from lammer.lab.exact.analysis import Analysis, BetEdge
from lammer.rulebook.odds import Odds


@dataclass(frozen=True, slots=True)
class Rounding:
    """A bet: the cents its stakes are a multiple of where nothing is cut, and the stake that is cut most.

    `worst` is among the stakes from the least one on; `more` is what rounding adds to the edge there.
    """

    bet: str
    evenly: int
    worst: int
    edge: Fraction
    more: Fraction


def effects_of_rounding(analysis: Analysis, least: int) -> list[Rounding]:
    """For every bet, on stakes of `least` cents and more.

    >>> from lammer import rulebook
    >>> from lammer.lab import edges
    >>> analysis = edges(rulebook("tiger-buffalo-commission-insurance@3"))
    >>> banker = next(each for each in effects_of_rounding(analysis, 1_00) if each.bet == "banker")
    >>> banker.evenly, banker.worst, banker.more < Fraction(1, 100) * Fraction(1, 2)
    (20, 101, True)
    """
    return [_rounding(bet, least) for bet in analysis.bets]


def pays_evenly(odds: Iterable[Odds]) -> int:
    """The cents a stake must be a multiple of for all of these odds to come out in whole cents.

    >>> pays_evenly([Odds.parse("3:2"), Odds.parse("0.95:1")])
    20
    """
    return math.lcm(*(each.profit.denominator for each in odds))


def _rounding(bet: BetEdge, least: int) -> Rounding:
    evenly = pays_evenly(outcome.pays for outcome in bet.outcomes if outcome.pays)
    # What is cut repeats with the stake, and weighs most on the smallest stake it is cut from.
    worst = max(range(least, least + evenly), key=lambda stake: (cut_off(bet, stake) / stake, -stake))
    more = cut_off(bet, worst) / worst
    return Rounding(bet.bet, evenly, worst, bet.edge + more, more)


def cut_off(bet: BetEdge, stake: int) -> Fraction:
    """What rounding down keeps of a stake in the mean, in cents."""
    cut = sum(
        (outcome.combinations * winnings(stake, outcome.pays)[1] for outcome in bet.outcomes if outcome.pays),
        Fraction(0),
    )
    return cut / bet.combinations
