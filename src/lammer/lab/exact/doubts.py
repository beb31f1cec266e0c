"""What a rulebook says that can hardly be meant: an edge no house offers, a tie that loses a hand's bet.

A bet that never wins is a defect, and `load` finds it. Nothing here is wrong by the rules, so `load` takes
it; it needs exact counts to be seen, so it stands in the lab. Whoever writes a rulebook is told, and decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from lammer.lab.exact.analysis import Analysis, percent
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase, Title

MOST: Final = Fraction(1, 2)
"""No bet that is played keeps more than half of what is staked."""


def doubts(book: Rulebook, analysis: Analysis) -> Iterator[Phrase]:
    """Each thing worth a second look, bet by bet.

    >>> from lammer import rulebook
    >>> from lammer.lab.exact.edges import edges, paying
    >>> book = paying(rulebook("tiger-buffalo-noncommission@4"), {"tie": "10:1"})
    >>> [*doubts(book, edges(book))]
    ['Tie: the player has the edge, 4.6716%.']
    """
    for each in analysis.bets:
        bet = book.bets[each.bet]
        if each.edge < 0:
            yield Phrase(
                "{bet}: the player has the edge, {edge}%.",
                bet=Title(bet.title, bet.titles),
                edge=percent(-each.edge),
            )
        elif each.edge > MOST:
            yield Phrase(
                "{bet}: the House keeps more than half of the stake, {edge}%.",
                bet=Title(bet.title, bet.titles),
                edge=percent(each.edge),
            )
        if bet.original and bet.tie_returns is None:
            yield Phrase(
                "{bet}: a tie loses it; tie_returns would give it back.", bet=Title(bet.title, bet.titles)
            )
