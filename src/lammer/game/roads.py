"""The roads: a shoe's results as players read them, from bead plate to cockroach pig.

Five boards, one truth. The bead plate holds every round. The big road holds the wins in columns, a new
column whenever the other side wins, ties marked on the win before them. The three derived roads say
whether the big road repeats itself, one, two and three columns back. They are computed on the logical
columns: how a long column bends to stay on a board of six rows is drawing, and must not change a mark.

The caller leaves out rounds that were declared void.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from lammer.game.hands import FinishedRound, Winner
from lammer.rulebook.vocabulary import Side

Colour = Literal["red", "blue"]
"""A derived mark: red where the big road repeats itself, blue where it does not."""

ROWS: Final = 6
"""Every board in a pit is six rows deep."""

_BIG_EYE_BOY, _SMALL_ROAD, _COCKROACH_PIG = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Result:
    """What a round leaves on the boards; `points` is the winning total, or the total of a tie."""

    winner: Winner
    player_pair: bool
    banker_pair: bool
    points: int

    @classmethod
    def of(cls, played: FinishedRound) -> Result:
        """The result of a finished round.

        >>> from lammer import deal, parse_cards, rulebook
        >>> Result.of(deal(rulebook("tiger-buffalo-noncommission@4"), parse_cards("4S 2D 4H 5C")))
        Result(winner='player', player_pair=True, banker_pair=False, points=8)
        """
        points = max(played.player.points, played.banker.points)
        return cls(played.winner, bool(played.player.pair), bool(played.banker.pair), points)


@dataclass(frozen=True, slots=True)
class Cell:
    """A win on the big road: the pairs of its own round, and the ties that followed it.

    A tied round's own pairs stand on the bead plate only, as on the boards of the pit.
    """

    winner: Side
    ties: int
    player_pair: bool
    banker_pair: bool


@dataclass(frozen=True, slots=True)
class DerivedRoad:
    """A derived road: its marks in order, and the same marks as columns of one colour for drawing."""

    marks: tuple[Colour, ...]
    columns: tuple[tuple[Colour, ...], ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of a shoe. A run of wins goes on through ties; a run of ties ends with any win."""

    rounds: int
    banker: int
    player: int
    tie: int
    banker_pairs: int
    player_pairs: int
    longest_banker: int
    longest_player: int
    longest_tie: int


@dataclass(frozen=True, slots=True)
class Roads:
    """All five roads of a shoe, as logical columns, left to right and top to bottom.

    `leading_ties` are the ties before the first win: the big road has no cell yet to mark them on.
    """

    bead_plate: tuple[tuple[Result, ...], ...]
    big_road: tuple[tuple[Cell, ...], ...]
    leading_ties: int
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_pig: DerivedRoad
    statistics: Statistics

    @property
    def results(self) -> tuple[Result, ...]:
        """The results the roads were made from, in order."""
        return tuple(result for column in self.bead_plate for result in column)


@dataclass(frozen=True, slots=True)
class Marks:
    """What the three derived roads would get next; None where a road has not begun by then."""

    big_eye_boy: Colour | None
    small_road: Colour | None
    cockroach_pig: Colour | None


@dataclass(frozen=True, slots=True)
class NextMarks:
    """Ask Banker, ask Player: the derived marks if that side wins the next round."""

    banker: Marks
    player: Marks


def roads(results: Sequence[Result]) -> Roads:
    """The five roads of these results.

    >>> shoe = [Result(w, False, False, 8) for w in ("tie", "banker", "banker", "player", "tie", "player")]
    >>> boards = roads(shoe)
    >>> boards.leading_ties, [[(cell.winner, cell.ties) for cell in column] for column in boards.big_road]
    (1, [[('banker', 0), ('banker', 0)], [('player', 1), ('player', 0)]])
    >>> boards.big_eye_boy.marks, boards.small_road.marks
    (('red',), ())
    """
    results = tuple(results)
    leading, columns = _big_road(results)
    depths = [len(column) for column in columns]
    return Roads(
        bead_plate=tuple(results[start : start + ROWS] for start in range(0, len(results), ROWS)),
        big_road=columns,
        leading_ties=leading,
        big_eye_boy=_derive_road(depths, _BIG_EYE_BOY),
        small_road=_derive_road(depths, _SMALL_ROAD),
        cockroach_pig=_derive_road(depths, _COCKROACH_PIG),
        statistics=_statistics(results, columns),
    )


def next_marks(results: Sequence[Result]) -> NextMarks:
    """What each derived road would say next, after a Banker win and after a Player win.

    >>> shoe = [Result(w, False, False, 8) for w in ("banker", "banker", "player")]
    >>> next_marks(shoe).player
    Marks(big_eye_boy='red', small_road=None, cockroach_pig=None)
    >>> next_marks(shoe).banker
    Marks(big_eye_boy='blue', small_road=None, cockroach_pig=None)
    """
    columns = _big_road(results)[1]
    depths = [len(column) for column in columns]

    def after(side: Side) -> Marks:
        if columns and columns[-1][0].winner == side:
            column, row = len(depths) - 1, depths[-1] + 1
        else:
            column, row = len(depths), 1
        return Marks(
            _mark(depths, column, row, _BIG_EYE_BOY),
            _mark(depths, column, row, _SMALL_ROAD),
            _mark(depths, column, row, _COCKROACH_PIG),
        )

    return NextMarks(banker=after("banker"), player=after("player"))


def grid(columns: Sequence[Sequence[object]], rows: int = ROWS) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Where each cell of these logical columns goes on a board: (column, row), counted from zero.

    A column goes down until the bottom or an occupied cell is in its way, then turns right and stays
    in that row: the dragon tail. The next column starts at the first free place of the top row.

    >>> grid([["B"] * 8, ["P"] * 6])[0]
    ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5))
    >>> grid([["B"] * 8, ["P"] * 6])[1]
    ((1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4))
    """
    taken: set[tuple[int, int]] = set()
    placed = []
    start = 0
    for logical in columns:
        while (start, 0) in taken:
            start += 1
        column, row = start, 0
        down = True
        places: list[tuple[int, int]] = []
        for _ in logical:
            if places:
                down = down and row + 1 < rows and (column, row + 1) not in taken
                column, row = (column, row + 1) if down else (column + 1, row)
            # A tail that passes this row further right began further left, so it holds this cell too.
            assert (column, row) not in taken, (column, row)
            taken.add((column, row))
            places.append((column, row))
        placed.append(tuple(places))
    return tuple(placed)


def _big_road(results: Sequence[Result]) -> tuple[int, tuple[tuple[Cell, ...], ...]]:
    """The ties before the first win, and the logical columns."""
    leading = 0
    cells: list[Cell] = []
    for result in results:
        if result.winner != "tie":
            cells.append(Cell(result.winner, 0, result.player_pair, result.banker_pair))
        elif cells:
            last = cells[-1]
            cells[-1] = Cell(last.winner, last.ties + 1, last.player_pair, last.banker_pair)
        else:
            leading += 1
    return leading, tuple(tuple(run) for _, run in groupby(cells, key=lambda cell: cell.winner))


def _mark(depths: Sequence[int], column: int, row: int, back: int) -> Colour | None:
    """The derived mark of a win in that column (from 0) and row (from 1), looking `back` columns back.

    Further down a column, the mark is blue exactly one step below the end of the column it is compared
    with. At the top of a column it is red exactly when the two columns before were equally deep.
    """
    if row == 1:
        before = column - 1
        if before - back < 0:
            return None
        return "red" if depths[before] == depths[before - back] else "blue"
    if column - back < 0:
        return None
    return "blue" if row == depths[column - back] + 1 else "red"


def _derive_road(depths: Sequence[int], back: int) -> DerivedRoad:
    marks: list[Colour] = []
    for column, depth in enumerate(depths):
        for row in range(1, depth + 1):
            mark = _mark(depths, column, row, back)
            if mark is not None:
                marks.append(mark)
    return DerivedRoad(tuple(marks), tuple(tuple(run) for _, run in groupby(marks)))


def _statistics(results: Sequence[Result], columns: Sequence[Sequence[Cell]]) -> Statistics:
    winners = [result.winner for result in results]
    ties = [len(list(run)) for winner, run in groupby(winners) if winner == "tie"]

    def longest(side: Side) -> int:
        return max((len(column) for column in columns if column[0].winner == side), default=0)

    return Statistics(
        rounds=len(winners),
        banker=winners.count("banker"),
        player=winners.count("player"),
        tie=winners.count("tie"),
        banker_pairs=sum(result.banker_pair for result in results),
        player_pairs=sum(result.player_pair for result in results),
        longest_banker=longest("banker"),
        longest_player=longest("player"),
        longest_tie=max(ties, default=0),
    )
