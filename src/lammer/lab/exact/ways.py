"""Exact counts of every way a round can go, in closed form over point values.

The six cards of a round are exchangeable: fix the third cards first and count the first four from what is
left. With c the count of each point value left, u_P(i) = c(i)·(c(P-i) - [2i = P]) and A(P) = Σ u_P(i), the
ordered ways to give Player P and Banker B are

    A(P)·(A(B) + 2[P=B]) - 4·Σ u_P(i)·c(B-i) + 4·Σ_{2i = B} u_P(i),   indices mod 10.

There are at most 66 such tables, one for each choice of third cards. Everything is an integer. Which ways
there are depends on the rulebook alone and is worked out once; a shoe only says how often each is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lammer.game.drawing import banker_draws, player_draws
from lammer.rulebook.model import Rulebook

Final4 = tuple[int, int, int, int]
"""Player total, Banker total, number of Player cards, number of Banker cards."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way through a round at the level of points.

    `player` and `banker` are the two-card totals, `third` and `fourth` the points of the Player's and the
    Banker's third card, None where none is drawn.
    """

    player: int
    banker: int
    third: int | None
    fourth: int | None

    @property
    def final(self) -> Final4:
        player, banker = (self.player + (self.third or 0)) % 10, (self.banker + (self.fourth or 0)) % 10
        return player, banker, 2 + (self.third is not None), 2 + (self.fourth is not None)


@lru_cache(maxsize=32)
def paths(book: Rulebook) -> tuple[Path, ...]:
    """Every way a round can go under this rulebook's Table of Play."""
    every_path: list[Path] = []
    for p in range(10):
        for b in range(10):
            for x in range(10) if player_draws(book, p, b).draws else (None,):
                last = range(10) if banker_draws(book, p, b, x).draws else (None,)
                every_path += [Path(p, b, x, y) for y in last]
    return tuple(every_path)


def first_four(counts: Sequence[int]) -> list[list[int]]:
    """Ordered ways to give the Player P and the Banker B from these counts, as a 10 by 10 table.

    >>> table = first_four([128] + [32] * 9)
    >>> sum(map(sum, table)) == 416 * 415 * 414 * 413
    True
    """
    c = list(counts)
    doubled = c + c
    u = [[c[i] * doubled[10 + p - i] for i in range(10)] for p in range(10)]
    for i in range(10):
        u[2 * i % 10][i] -= c[i]
    a = [sum(row) for row in u]
    table = []
    for p in range(10):
        row = u[p]
        line = []
        for b in range(10):
            met = sum(row[i] * doubled[10 + b - i] for i in range(10))
            half = b // 2
            same = row[half] + row[half + 5] if b % 2 == 0 else 0
            line.append(a[p] * (a[b] + (2 if p == b else 0)) - 4 * met + 4 * same)
        table.append(line)
    return table


def ways(book: Rulebook, counts: Sequence[int]) -> list[int]:
    """In how many ordered six-card draws from this shoe each of the rulebook's paths is gone.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> sum(ways(book, [128] + [32] * 9)) == draws([128] + [32] * 9)
    True
    """
    return count_ways(paths(book), counts)


def count_ways(gone: Sequence[Path], counts: Sequence[int]) -> list[int]:
    """In how many ordered six-card draws from this shoe each of these paths is gone, if its hands draw so."""
    c = list(counts)
    n = sum(c)
    two_more, one_more = (n - 4) * (n - 5), n - 5
    tables: dict[tuple[int, ...], tuple[int, list[list[int]]]] = {(): (two_more, first_four(c))}
    for x in range(10):
        tables[x,] = (c[x] * one_more, first_four(_without(c, x)) if c[x] else _NONE)
        for y in range(x, 10):
            pairs = c[x] * (c[y] - (x == y))
            tables[x, y] = tables[y, x] = (pairs, first_four(_without(c, x, y)) if pairs else _NONE)
    path_ways = []
    for path in gone:
        key = tuple(value for value in (path.third, path.fourth) if value is not None)
        factor, table = tables[key]
        path_ways.append(factor * table[path.player][path.banker])
    return path_ways


_NONE = [[0] * 10 for _ in range(10)]


def _without(counts: Sequence[int], *gone: int) -> list[int]:
    left = list(counts)
    for value in gone:
        left[value] -= 1
    return left


def draws(counts: Sequence[int]) -> int:
    """Ordered draws of six cards.

    >>> draws([128] + [32] * 9)
    4998398275503360
    """
    n = sum(counts)
    return n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5)
