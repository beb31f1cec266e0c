"""Every way a round can finish under a Table of Play, for whoever has to prove something of all of them.

Two-card totals lead to final totals by the cells of the table; which pairs can lie under a two-card total is
the card values' doing. How often anything happens is not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

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
    reached = {
        totals for player in range(10) for banker in range(10) for totals in _ends(book, player, banker)
    }
    return tuple(Finish(*totals, naturals=book.table_of_play.natural) for totals in sorted(reached))


def finishes_with_pairs(book: Rulebook, *, suits: bool) -> tuple[Finish, ...]:
    """The same with every pair either hand can have begun with, of all suits if that is asked."""
    kinds = PAIR_SUITS if suits else PAIR_SUITS[:1]
    doubled = Counter(2 * points % 10 for points in book.cards.points.values())
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
            for totals in _ends(book, player, banker):
                reached |= {Finish(*totals, *pair, book.table_of_play.natural) for pair in pairs}
    return tuple(sorted(reached))


def _ends(book: Rulebook, player: int, banker: int) -> Iterator[Totals]:
    """Where two-card totals can end; a cell that is missing is reported elsewhere and rules nothing out."""
    table = book.table_of_play
    if player in table.ending or banker in table.ending:
        yield player, banker, 2, 2
        return
    for draws in _choices(table.player.get(player)):
        for third in range(10) if draws else (None,):
            ended, cards = (player, 2) if third is None else ((player + third) % 10, 3)
            for banker_draws in _choices(table.banker.get((banker, third))):
                for last in range(10) if banker_draws else (None,):
                    if last is None:
                        yield ended, banker, cards, 2
                    else:
                        yield ended, (banker + last) % 10, cards, 3


def _choices(cell: Drawing | None) -> tuple[bool, ...]:
    return (True, False) if cell is None or cell.optional else (cell.draws,)
