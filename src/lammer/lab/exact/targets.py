"""Which odds give a bet the edge somebody wants: the pay table turned round, exactly.

An edge is linear in the odds of each line of a pay table, so there is one answer for each line while the
others stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from lammer.lab.exact.analysis import BetEdge
from lammer.rulebook.refusal import Refused


@dataclass(frozen=True, slots=True)
class Target:
    """Odds to one that meet an edge to the last fraction, and the whole odds on both sides with theirs.

    `below` are the odds under it, which leave the House more; None where there are none above 0.
    """

    odds: Fraction
    below: tuple[int, Fraction] | None
    above: tuple[int, Fraction]


def odds_for(bet: BetEdge, line: str, edge: Fraction) -> Target:
    """What the line that pays `line` would have to pay for the bet to have this edge.

    >>> from lammer import rulebook
    >>> from lammer.lab.exact.edges import edges
    >>> tie = edges(rulebook("tiger-buffalo-noncommission@4")).bet("tie")
    >>> odds_for(tie, "8:1", tie.edge).odds
    Fraction(8, 1)
    """
    at_line = [outcome for outcome in bet.outcomes if outcome.pays is not None and str(outcome.pays) == line]
    count = sum(outcome.combinations for outcome in at_line)
    if not count:
        raise Refused(
            "not_odds",
            "No line of {bet} pays {line}, or it never does.",
            next_step="Choose a line of the pay table that can win.",
            bet=bet.bet,
            line=line,
        )
    share, now = Fraction(count, bet.combinations), Fraction(at_line[0].profit)
    odds = now + (bet.edge - edge) / share
    if odds <= 0:
        raise Refused(
            "not_odds",
            "No odds of this line leave {bet} such an edge.",
            next_step="Ask for a smaller edge.",
            bet=bet.bet,
        )

    def edge_at(whole: int) -> Fraction:
        return bet.edge + (now - whole) * share

    below = floor(odds)
    return Target(odds, (below, edge_at(below)) if below else None, (below + 1, edge_at(below + 1)))
