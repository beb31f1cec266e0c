"""Every way a round can finish under a Table of Play, for whoever has to prove something of all of them.

Two-card totals lead to final totals by the cells of the table; which pairs can lie under a two-card total is
the card values' doing. How often anything happens is not asked.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from lammer.rulebook.conditions import Finish
from lammer.rulebook.model import Drawing, Rulebook
from lammer.rulebook.vocabulary import PAIR_SUITS

Totals = tuple[int, int, int, int]
"""Player total, Banker total, number of Player cards, number of Banker cards."""


def finishes(book: Rulebook) -> tuple[Finish, ...]:
    """Every finish a round can reach, without regard to pairs.

    >>> from lammer import rulebook
    >>> reached = finishes(rulebook("tiger-buffalo-noncommission@4"))
    >>> len(reached), any(finish.banker == 7 and finish.player == 6 for finish in reached)
    (205, True)
    """
    return endings(book).finishes()


def finishes_with_pairs(book: Rulebook, *, suits: bool) -> tuple[Finish, ...]:
    """The same with every pair either hand can have begun with, of all suits if that is asked."""
    return endings(book).finishes_with_pairs(suits=suits)


class DrawingChoices(NamedTuple):
    """A Table of Play without its citations: what may be done in each cell, by total and third card."""

    ending: frozenset[int]
    player: tuple[tuple[bool, ...], ...]
    banker: tuple[tuple[tuple[bool, ...], ...], ...]


class Endings(NamedTuple):
    """How the rounds of a rulebook can end; rulebooks that agree in it share what was worked out.

    `doubled_totals` are the totals of two like cards, each with how many ranks make it.
    """

    drawing: DrawingChoices
    naturals: frozenset[int]
    doubled_totals: frozenset[tuple[int, int]]

    def finishes(self) -> tuple[Finish, ...]:
        """Every finish, without regard to pairs."""
        return _without_pairs(self.drawing, self.naturals)

    def finishes_with_pairs(self, *, suits: bool) -> tuple[Finish, ...]:
        """The same with every pair either hand can have begun with."""
        return _with_pairs(self, PAIR_SUITS if suits else PAIR_SUITS[:1])


def endings(book: Rulebook) -> Endings:
    """How the rounds of this rulebook can end."""
    doubled = Counter(2 * points % 10 for points in book.cards.points.values())
    return Endings(_drawing(book), book.table_of_play.natural, frozenset(doubled.items()))


@lru_cache(maxsize=32)
def _without_pairs(drawing: DrawingChoices, naturals: frozenset[int]) -> tuple[Finish, ...]:
    reached = {
        totals for player in range(10) for banker in range(10) for totals in _ends(drawing, player, banker)
    }
    return tuple(Finish(*totals, naturals=naturals) for totals in sorted(reached))


@lru_cache(maxsize=32)
def _with_pairs(ended: Endings, kinds: tuple[str, ...]) -> tuple[Finish, ...]:
    drawing, naturals = ended.drawing, ended.naturals
    doubled = dict(ended.doubled_totals)
    reached: set[Finish] = set()
    for player in range(10):
        for banker in range(10):
            pairs = [("", "", False)]
            pairs += [(kind, "", False) for kind in kinds if player in doubled]
            pairs += [("", kind, False) for kind in kinds if banker in doubled]
            if player in doubled and banker in doubled:
                both = [(one, other) for one in kinds for other in kinds]
                if player != banker or doubled[player] > 1:
                    pairs += [(one, other, False) for one, other in both]
                if player == banker:
                    pairs += [(one, other, True) for one, other in both]
            for totals in _ends(drawing, player, banker):
                reached |= {Finish(*totals, *pair, naturals) for pair in pairs}
    return tuple(sorted(reached))


def _drawing(book: Rulebook) -> DrawingChoices:
    table = book.table_of_play
    return DrawingChoices(
        table.ending,
        tuple(_choices(table.player.get(total)) for total in range(10)),
        tuple(
            tuple(_choices(table.banker.get((total, third))) for third in (*range(10), None))
            for total in range(10)
        ),
    )


@lru_cache(maxsize=1024)
def _ends(drawing: DrawingChoices, player: int, banker: int) -> frozenset[Totals]:
    """Where two-card totals can end; a cell that is missing is reported elsewhere and rules nothing out."""
    if player in drawing.ending or banker in drawing.ending:
        return frozenset({(player, banker, 2, 2)})
    ends: set[Totals] = set()
    for draws in drawing.player[player]:
        for third in range(10) if draws else (None,):
            ended, cards = (player, 2) if third is None else ((player + third) % 10, 3)
            for banker_draws in drawing.banker[banker][10 if third is None else third]:
                for last in range(10) if banker_draws else (None,):
                    if last is None:
                        ends.add((ended, banker, cards, 2))
                    else:
                        ends.add((ended, (banker + last) % 10, cards, 3))
    return frozenset(ends)


def _choices(cell: Drawing | None) -> tuple[bool, ...]:
    return (True, False) if cell is None or cell.optional else (cell.draws,)
