"""The five roads on one board, with the counts of the shoe and what the derived roads would say next.

Red is Banker on the bead plate and the big road, blue is Player, green a tie; a dot at the top left is a
Banker pair, at the bottom right a Player pair, and gold at the top right the side bets that won. On the
derived roads red and blue say order and disorder.
A road that needs more columns than the board has makes the board wider: nothing is scrolled away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeVar

from lammer.draw.svg import (
    BLUE,
    GOLD,
    GREEN,
    INK,
    RED,
    WHITE,
    Markup,
    Number,
    Svg,
    circle,
    document,
    group,
    path,
    rect,
    text,
    title_tag,
    width_of,
)
from lammer.draw.words import ENGLISH, GLYPH, Words
from lammer.game.roads import ROWS, Cell, Colour, Marks, Result, Roads, Statistics, grid, next_marks

_T = TypeVar("_T")

_MARGIN, _GAP, _HEAD = 16, 14, 20
_BEAD, _BIG, _SMALL = 36, 24, 12
_FEWEST_BEADS, _FEWEST_COLUMNS = 14, 40
_FEWEST_BEADS_FAR = 12
_BOARD, _PAPER, _LINES, _FAINT, _QUIET = "#e9e4d6", "#fffdf8", "#d5cfc0", "#8a8577", "#5c5748"
_COLOURS: Final = {"banker": RED, "player": BLUE, "tie": GREEN, "red": RED, "blue": BLUE}
_NAMES: Final = {"banker": "Banker", "player": "Player", "tie": "Tie"}
_LETTERS: Final = {"banker": "B", "player": "P", "tie": "T"}
_PAIRS: Final = {"banker": "Banker pair", "player": "Player pair"}
_MINI, _MINI_COLUMNS = 12, 26
_MOST_MARKS: Final = 3


@dataclass(frozen=True, slots=True)
class Hit:
    """A side bet that won: the short mark it has on the roads, and its title."""

    mark: str
    title: str


Hits = Sequence[Sequence[Hit]]
"""The side bets that won, for each round of the shoe in order; empty where nobody asks for them."""


def roads(roads: Roads, *, hits: Hits = (), words: Words = ENGLISH) -> Svg:
    """All five roads on one board.

    >>> from lammer.game import roads as table
    >>> shoe = [table.Result(winner, False, False, 8) for winner in ("banker", "banker", "tie", "player")]
    >>> "Roads after 4 rounds: Banker 2, Player 1, Tie 1" in roads(table.roads(shoe))
    True
    """
    statistics = roads.statistics
    beads = max(_FEWEST_BEADS, len(roads.bead_plate))
    eye, small, pig = roads.big_eye_boy.columns, roads.small_road.columns, roads.cockroach_pig.columns
    columns = _columns(roads)
    left, right = beads * _BEAD, columns * _BIG
    width = 3 * _MARGIN + left + right
    elements = [
        group(
            _road(words.say("Bead plate"), beads, _BEAD, _beads(roads.bead_plate, words, hits)),
            group(_counts(statistics, words), y=_HEAD + ROWS * _BEAD + _GAP),
            group(_next_panel(roads, words), x=left - 210, y=_HEAD + ROWS * _BEAD + _GAP),
            x=_MARGIN,
            y=_MARGIN,
        )
    ]
    x, y = 2 * _MARGIN + left, _MARGIN
    elements.append(group(_road(words.say("Big road"), columns, _BIG, _wins(roads, hits)), x=x, y=y))
    y += _HEAD + ROWS * _BIG + _GAP
    rings = _place_cells(eye, _SMALL, _ring)
    elements.append(group(_road(words.say("Big eye boy"), 2 * columns, _SMALL, rings), x=x, y=y))
    y += _HEAD + ROWS * _SMALL + _GAP
    discs, slashes = _place_cells(small, _SMALL, _disc), _place_cells(pig, _SMALL, _slash)
    elements.append(group(_road(words.say("Small road"), columns - 1, _SMALL, discs), x=x, y=y))
    x += (columns + 1) * _SMALL
    elements.append(group(_road(words.say("Cockroach pig"), columns - 1, _SMALL, slashes), x=x, y=y))
    height = y + _HEAD + ROWS * _SMALL + _MARGIN
    title = _roads_title(statistics, words)
    return document(width, height, title, rect(0, 0, width, height, _BOARD, round_by=10), *elements)


def mini_road(roads: Roads, *, words: Words = ENGLISH) -> Svg:
    """The end of the big road, small enough for a list of tables: wins as rings, ties as strokes.

    >>> from lammer.game import roads as table
    >>> shoe = [table.Result(winner, False, False, 8) for winner in ("banker", "tie", "player")]
    >>> picture = mini_road(table.roads(shoe))
    >>> picture.count("<path"), "Roads after 3 rounds" in picture
    (4, True)
    """
    first = max(0, _width(roads.big_road) - _MINI_COLUMNS)
    rings = {"banker": "", "player": ""}
    strokes = ""
    for cells, places in zip(roads.big_road, grid(roads.big_road), strict=True):
        for cell, (column, row) in zip(cells, places, strict=True):
            x, y = (column - first) * _MINI, row * _MINI
            if x < 0:
                continue
            # One line for all rings of a colour: a list shows two dozen of these pictures.
            rings[cell.winner] += f"M{x + 2} {y + 6}a4 4 0 1 0 8 0a4 4 0 1 0-8 0"
            strokes += f"M{x + 3} {y + 9}l6-6" if cell.ties else ""
    if roads.leading_ties and not first:
        strokes += "M3 9l6-6"
    marks = [path(line, "none", stroke=_COLOURS[side], line=2) for side, line in rings.items() if line]
    marks += [path(strokes, "none", stroke=GREEN, line=2, cap="round")] if strokes else []
    title = _roads_title(roads.statistics, words)
    return document(_MINI_COLUMNS * _MINI, ROWS * _MINI, title, _board(_MINI_COLUMNS, _MINI, marks))


def display_roads(roads: Roads, *, hits: Hits = (), words: Words = ENGLISH) -> Svg:
    """The five roads as a display above a table shows them: nothing but the roads, the beads large.

    >>> from lammer.game import roads as table
    >>> picture = display_roads(table.roads([table.Result("banker", False, False, 8)]))
    >>> "Roads after 1 rounds: Banker 1" in picture, "Bead plate" in picture
    (True, False)
    """
    statistics = roads.statistics
    eye, small, pig = roads.big_eye_boy.columns, roads.small_road.columns, roads.cockroach_pig.columns
    beads = max(_FEWEST_BEADS_FAR, len(roads.bead_plate))
    columns = _columns(roads)
    gap = _GAP // 2
    high = ROWS * (_BIG + 2 * _SMALL) + 2 * gap
    scale = high / (ROWS * _BEAD)
    left = round(beads * _BEAD * scale)
    x, width = left + _GAP, left + _GAP + columns * _BIG
    second, third = ROWS * _BIG + gap, ROWS * (_BIG + _SMALL) + 2 * gap
    elements = [
        group(_board(beads, _BEAD, _beads(roads.bead_plate, words, hits)), scale=scale),
        group(_board(columns, _BIG, _wins(roads, hits)), x=x),
        group(_board(2 * columns, _SMALL, _place_cells(eye, _SMALL, _ring)), x=x, y=second),
        group(_board(columns - 1, _SMALL, _place_cells(small, _SMALL, _disc)), x=x, y=third),
        group(
            _board(columns - 1, _SMALL, _place_cells(pig, _SMALL, _slash)),
            x=x + (columns + 1) * _SMALL,
            y=third,
        ),
    ]
    title = _roads_title(statistics, words)
    return document(width, high, title, *elements)


def display_next(roads: Roads, *, words: Words = ENGLISH) -> Svg:
    """What the derived roads would get next, large enough for a display.

    >>> from lammer.game import roads as table
    >>> "If Banker wins next: –, –, –; If Player" in display_next(table.roads([]))
    True
    """
    next_wins = next_marks(roads.results)
    sides = (("banker", next_wins.banker), ("player", next_wins.player))
    elements = []
    for number, (side, marks) in enumerate(sides):
        x = 190 * number
        elements += [
            rect(x + 1, 1, 178, 44, _PAPER, stroke=_COLOURS[side], line=2, round_by=8),
            text(x + 12, 33, f"{_letter(side, words)}?", 28, _COLOURS[side], anchor="start", bold=True),
            group(*_mark_row(marks), x=x + 66, y=9, scale=1.45),
        ]
    descriptions = [
        f"{_next(side, words)}: "
        + ", ".join(
            words.say(mark) if mark else "–"
            for mark in (marks.big_eye_boy, marks.small_road, marks.cockroach_pig)
        )
        for side, marks in sides
    ]
    return document(370, 46, "; ".join(descriptions), *elements)


def _roads_title(statistics: Statistics, words: Words) -> str:
    return words.say(
        "Roads after {rounds} rounds: Banker {banker}, Player {player}, Tie {tie}",
        rounds=statistics.rounds,
        banker=statistics.banker,
        player=statistics.player,
        tie=statistics.tie,
    )


def _letter(side: str, words: Words) -> str:
    """What stands in a bead, where there is room for one letter."""
    return words.say(_LETTERS[side], within=GLYPH)


def _next(side: str, words: Words) -> str:
    return words.say("If {side} wins next", side=words.say(_NAMES[side]))


def _width(columns: Sequence[Sequence[object]]) -> int:
    """How many columns of a board the bent road reaches over."""
    return 1 + max((column for column, _ in chain.from_iterable(grid(columns))), default=-1)


def _columns(roads: Roads) -> int:
    """How wide the board's right side is, in columns of the big road.

    A derived road has two in the place of one; two of them share the last row with a column's space between.
    """
    eye, small, pig = roads.big_eye_boy.columns, roads.small_road.columns, roads.cockroach_pig.columns
    halves = max(_width(small), _width(pig))
    return max(_FEWEST_COLUMNS, _width(roads.big_road), -(-_width(eye) // 2), halves + 1)


def _wins(roads: Roads, hits: Hits) -> list[Markup]:
    """The cells of the big road, with a gold dot where a side bet won.

    As in the pit, the ties before the first win and those after it share the first place.
    """
    wins = _place_cells(roads.big_road, _BIG, _win)
    of_wins = [won for result, won in zip(roads.results, hits, strict=False) if result.winner != "tie"]
    places = chain.from_iterable(grid(roads.big_road))
    wins += [
        circle(column * _BIG + _BIG - 4.7, row * _BIG + 4.7, 3.2, GOLD, stroke=INK, line=0.8)
        for (column, row), won in zip(places, of_wins, strict=False)
        if won
    ]
    if roads.leading_ties:
        wins += _ties(roads.leading_ties + (roads.big_road[0][0].ties if roads.big_road else 0))
    return wins


def _place_cells(columns: Sequence[Sequence[_T]], size: int, draw: Callable[[_T], Markup]) -> list[Markup]:
    """Every cell of a road drawn in its place on the board."""
    return [
        group(draw(cell), x=column * size, y=row * size)
        for cells, places in zip(columns, grid(columns), strict=True)
        for cell, (column, row) in zip(cells, places, strict=True)
    ]


def _road(name: str, columns: int, size: int, cells: Sequence[Markup]) -> Markup:
    """A named board of six rows, and what lies on it."""
    return group(text(0, 14, name, 16, INK, anchor="start", bold=True), _board(columns, size, cells, y=_HEAD))


def _board(columns: int, size: int, cells: Sequence[Markup], *, y: Number = 0) -> Markup:
    """A board of six rows, and what lies on it."""
    wide, high = columns * size, ROWS * size
    lines = "".join(f"M{x} 0V{high}" for x in range(size, wide, size))
    lines += "".join(f"M0 {y}H{wide}" for y in range(size, high, size))
    return group(
        rect(0, 0, wide, high, _PAPER, stroke=_FAINT, line=1),
        path(lines, "none", stroke=_LINES, line=0.6),
        *cells,
        y=y,
    )


def _beads(plate: Sequence[Sequence[Result]], words: Words, hits: Hits) -> list[Markup]:
    elements = []
    for number, result in enumerate(chain.from_iterable(plate)):
        winner = words.say(_NAMES[result.winner])
        labels = [
            words.say(
                "Round {number}: {winner} {points}",
                number=number + 1,
                winner=winner,
                points=result.points,
            )
        ]
        labels += [words.say(_PAIRS["banker"])] if result.banker_pair else []
        labels += [words.say(_PAIRS["player"])] if result.player_pair else []
        won = hits[number] if number < len(hits) else ()
        labels += [hit.title for hit in won]
        column, row = divmod(number, ROWS)
        bead = group(
            title_tag(", ".join(labels)),
            circle(18, 18, 15, _COLOURS[result.winner]),
            # The letter makes room for the marks above it.
            text(18, 27 if won else 24, _letter(result.winner, words), 15 if won else 17, WHITE, bold=True),
            *_pairs(_BEAD, 4.5, result.banker_pair, result.player_pair),
            *_hit_marks(won),
            x=column * _BEAD,
            y=row * _BEAD,
        )
        elements.append(bead)
    return elements


def _hit_marks(won: Sequence[Hit]) -> list[Markup]:
    """The marks of the side bets that won, in gold at the top right of a bead; what is over is a plus."""
    if not won:
        return []
    marks = "·".join(hit.mark for hit in won[:_MOST_MARKS]) + ("+" if len(won) > _MOST_MARKS else "")
    wide = min(_BEAD - 1, max(13, width_of(marks, 10) + 5))
    return [
        rect(_BEAD - wide, 0.5, wide, 11.5, GOLD, stroke=INK, line=0.6, round_by=5.5),
        text(_BEAD - wide / 2, 9.8, marks, 10, INK, bold=True, within=wide - 2),
    ]


def _pairs(size: int, r: Number, banker: bool, player: bool) -> list[Markup]:
    near, far = r + 1.5, size - r - 1.5
    elements = [circle(near, near, r, RED, stroke=WHITE, line=1)] if banker else []
    return elements + ([circle(far, far, r, BLUE, stroke=WHITE, line=1)] if player else [])


def _win(cell: Cell) -> Markup:
    return group(
        circle(12, 12, 9, "none", stroke=_COLOURS[cell.winner], line=2.6),
        *_ties(cell.ties),
        *_pairs(_BIG, 3.2, cell.banker_pair, cell.player_pair),
    )


def _ties(ties: int) -> list[Markup]:
    """A stroke for a tie, with the number of them when there are more."""
    elements = [path("M5 19L19 5", "none", stroke=GREEN, line=2.4, cap="round")] if ties else []
    if ties > 1:
        elements += [circle(12, 12, 6.5, _PAPER), text(12, 16, str(ties), 11, GREEN, bold=True, within=13)]
    return elements


def _ring(colour: Colour) -> Markup:
    return circle(6, 6, 3.9, "none", stroke=_COLOURS[colour], line=1.7)


def _disc(colour: Colour) -> Markup:
    return circle(6, 6, 4.5, _COLOURS[colour])


def _slash(colour: Colour) -> Markup:
    return path("M2.5 9.5L9.5 2.5", "none", stroke=_COLOURS[colour], line=2.4, cap="round")


def _counts(statistics: Statistics, words: Words) -> Markup:
    """Wins, longest runs and pairs, in words."""
    rows = (
        ("banker", statistics.banker, statistics.longest_banker),
        ("player", statistics.player, statistics.longest_player),
        ("tie", statistics.tie, statistics.longest_tie),
    )
    elements = []
    for number, (name, count, longest) in enumerate(rows):
        y = 16 + 26 * number
        elements += [
            circle(9, y - 5, 8, _COLOURS[name]),
            text(26, y, words.say(_NAMES[name]), 17, INK, anchor="start", bold=True),
            text(122, y, str(count), 17, INK, anchor="end", bold=True),
            text(
                136,
                y,
                words.say("longest run {count}", count=longest),
                16,
                _QUIET,
                anchor="start",
                within=140,
            ),
        ]
    for x, name, count in ((0, "banker", statistics.banker_pairs), (134, "player", statistics.player_pairs)):
        elements += [
            circle(x + 9, 91, 5, _COLOURS[name]),
            text(x + 26, 96, f"{words.say(_PAIRS[name])} {count}", 16, INK, anchor="start", within=104),
        ]
    return group(*elements)


def _next_panel(roads: Roads, words: Words) -> Markup:
    """What the derived roads would get if the Banker, or the Player, wins the next round."""
    next_wins = next_marks(roads.results)
    elements = []
    for number, (side, marks) in enumerate((("banker", next_wins.banker), ("player", next_wins.player))):
        y = 38 * number
        elements += [
            rect(0, y, 210, 30, _PAPER, stroke=_COLOURS[side], line=1.5, round_by=6),
            text(8, y + 21, _next(side, words), 16, INK, anchor="start", within=126),
            group(*_mark_row(marks), x=138, y=y + 5),
        ]
    return group(*elements)


def _mark_row(marks: Marks) -> list[Markup]:
    elements = []
    shapes = ((marks.big_eye_boy, _ring), (marks.small_road, _disc), (marks.cockroach_pig, _slash))
    for number, (mark, draw) in enumerate(shapes):
        element = text(6, 10, "–", 12, _QUIET) if mark is None else draw(mark)
        elements.append(group(element, x=24 * number, scale=1.6))
    return elements
