"""A rulebook as arrays for the kernels: what each key of a tally means, and back again.

The kernels count keys; here a key gets its path under the rulebook's Table of Play, so that what was
counted can be judged exactly as the authority judges what it works out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lammer.game.drawing import banker_draws, player_draws
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.ways import Path, paths
from lammer.lab.simulation.kernels import KEYS, Bytes, Counts, joint
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import RANKS


@dataclass(frozen=True, slots=True)
class Lookups:
    """What the kernels need to know of a rulebook, and what their keys mean.

    `uses` holds how many cards a round takes, by the first five; `path_of_key` the place of a key's path
    among `exact.paths`; `starts`, `tables` and `places` lay out the paths for `kernels.joint`.
    """

    uses: Bytes
    path_of_key: Counts
    starts: Counts
    tables: Counts
    places: Counts
    points: Bytes


@lru_cache(maxsize=32)
def lookups(book: Rulebook) -> Lookups:
    """The arrays of a rulebook, worked out once."""
    place_of = {path: place for place, path in enumerate(paths(book))}
    path_of_key = np.zeros(KEYS, np.int64)
    uses = np.zeros(KEYS // 10, np.uint8)
    for key in range(KEYS):
        player, banker, fifth, sixth = (key // 1000, key // 100 % 10, key // 10 % 10, key % 10)
        third = fifth if player_draws(book, player, banker).draws else None
        draws = banker_draws(book, player, banker, third).draws
        fourth = None if not draws else fifth if third is None else sixth
        path_of_key[key] = place_of[Path(player, banker, third, fourth)]
        uses[key // 10] = 4 + (third is not None) + draws
    return Lookups(uses, path_of_key, *_entries(book), _points(book))


def _entries(book: Rulebook) -> tuple[Counts, Counts, Counts]:
    """The paths by their two-card totals and the further cards they take, as `kernels.joint` wants them."""
    further: list[tuple[int, ...]] = [()]
    for x in range(10):
        further.append((x,))
        further += [(x, y) for y in range(x, 10)]
    table_of = {cards: table for table, cards in enumerate(further)}
    rows: list[tuple[int, int, int]] = []
    for place, path in enumerate(paths(book)):
        cards = tuple(sorted(value for value in (path.third, path.fourth) if value is not None))
        rows.append((path.player * 10 + path.banker, table_of[cards], place))
    rows.sort()
    starts = np.searchsorted([first for first, _, _ in rows], range(101))
    return starts, np.array([table for _, table, _ in rows]), np.array([place for _, _, place in rows])


def _points(book: Rulebook) -> Bytes:
    """What each rank is worth; a rank no deck has is never dealt, whatever stands here."""
    return np.array([book.cards.points.get(rank, 0) % 10 for rank in RANKS], np.uint8)


def shoe_bytes(book: Rulebook, shoe: Composition) -> Bytes:
    """The cards of a shoe, in order of rank: points in the high half of a byte, rank in the low."""
    codes = [points * 16 + rank for rank, points in enumerate(_points(book).tolist())]
    return np.repeat(np.array(codes, np.uint8), shoe.ranks)


def ways_compiled(book: Rulebook, counts: Counts, out: Counts | None = None) -> Counts:
    """`exact.ways` by the kernel.

    >>> from lammer import rulebook
    >>> from lammer.lab.exact.ways import ways
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> shoe = [128] + [32] * 9
    >>> ways_compiled(book, np.array(shoe)).tolist() == ways(book, shoe)
    True
    """
    arrays = lookups(book)
    out = np.empty(len(paths(book)), np.int64) if out is None else out
    joint(counts, arrays.starts, arrays.tables, arrays.places, out)
    return out


def path_counts(book: Rulebook, tally: Counts) -> list[int]:
    """A tally of keys as counts by path: `exact.ways`, but of rounds that were dealt."""
    counts = np.zeros(len(paths(book)), np.int64)
    np.add.at(counts, lookups(book).path_of_key, tally)
    return [int(count) for count in counts]


def tier_counts(book: Rulebook, pairs: Counts) -> list[int]:
    """A tally of pairs as `exact.pair_counts` gives them."""
    return [int(count) for count in pairs]
