"""What one card gone from the shoe does to each bet, to the last fraction.

The effects of removal are what every card count is built from: a count is good where its tags follow them.
Everything here is exact; how a counter bets, and how deep a shoe is dealt, is somebody else's question.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby

from lammer.lab.exact.analysis import percent
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.lab.output.sheet import Sheet
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import RANKS

Effects = Mapping[str, Mapping[str, Fraction]]
"""By bet and rank: the edge without one card of that rank, less the edge with it."""


def effects_of_removal(book: Rulebook, decks: int | None = None) -> dict[str, dict[str, Fraction]]:
    """How each bet's edge moves when one card of a rank is gone; more than nothing is good for the House.

    A five that is gone helps bettors on the Player, a four those on the Banker.

    >>> from lammer import rulebook
    >>> effects = effects_of_removal(rulebook("tiger-buffalo-commission-insurance@3"))
    >>> {rank: percent(effect) for rank, effect in effects["player"].items() if rank in "45"}
    {'4': '0.0120', '5': '-0.0084'}
    >>> min(effects["tie"], key=effects["tie"].get)
    '8'
    """
    full = Composition.of_book(book, decks)
    before = {bet.bet: bet.edge for bet in edges(book, full).bets}
    effects: dict[str, dict[str, Fraction]] = {bet: {} for bet in before}
    for rank in book.cards.ranks:
        left = Composition.of({other: count - (other == rank) for other, count in full.counts.items()})
        for bet in edges(book, left).bets:
            effects[bet.bet][rank] = bet.edge - before[bet.bet]
    return effects


def unbalanced(effects: Effects, shoe: Composition) -> list[str]:
    """The bets whose effects do not balance; there are none where every count is right.

    A card burnt unseen changes no edge, so the effects over all cards of the shoe add up to nothing.

    >>> from lammer import rulebook
    >>> effects = effects_of_removal(rulebook("tiger-buffalo-noncommission@4"))
    >>> unbalanced(effects, Composition.of_decks(8))
    []
    """
    return [
        bet
        for bet, by_rank in effects.items()
        if sum((shoe.counts[rank] * effect for rank, effect in by_rank.items()), Fraction(0))
    ]


def _ranks_of(effects: Effects) -> list[str]:
    """The ranks a deck has, in their usual order."""
    known = next(iter(effects.values()), {})
    return [rank for rank in RANKS if rank in known]


def removal_sheet(effects: Effects, places: int = 5) -> Sheet:
    """The effects in percentage points, a row a bet; neighbouring ranks that never differ share a column.

    >>> from lammer import rulebook
    >>> sheet = removal_sheet(effects_of_removal(rulebook("tiger-buffalo-noncommission@4")))
    >>> sheet.columns[-2:], sheet.rows[0][-2:]
    (('9', 'T J Q K'), ('-0.00249', '0.00178'))
    """
    alike = groupby(_ranks_of(effects), key=lambda rank: [effect[rank] for effect in effects.values()])
    columns = [list(group) for _, group in alike]
    rows = tuple(
        (bet, *(percent(by_rank[ranks[0]], places) for ranks in columns)) for bet, by_rank in effects.items()
    )
    name = "Effects of removal, in percentage points"
    return Sheet(name, ("bet", *(" ".join(ranks) for ranks in columns)), rows)
