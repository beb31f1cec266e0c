"""The felt: every betting box with the bets its layout offers, and the chips that lie on them.

A box is a column, the dealer above it and its players below: side bets first, then the ties, Banker,
and Player nearest to the players. The picture shows where a bet lies, not the print of any appendix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lammer.draw.svg import (
    BLUE,
    DARK_FELT,
    FELT,
    GOLD,
    GREEN,
    RED,
    WHITE,
    Markup,
    Number,
    Svg,
    circle,
    document,
    fit,
    group,
    rect,
    tag,
    text,
    title_tag,
    width_of,
)
from lammer.draw.words import ENGLISH, JOINER, Words
from lammer.game.money import show
from lammer.rulebook.betting import Bet
from lammer.rulebook.conditions import Tied
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

_BOX, _GAP, _MARGIN, _HEAD, _FOOT = 184, 6, 24, 72, 40
_SIDE_HIGH, _MAIN_HIGH = 72, 92
_IN_A_ROW = 8

# The colours of a stack are ours: a disc for each of these many cents, the dearest at the bottom.
_DISCS: Final = (
    (10_000_00, "#e7b93c"),
    (5_000_00, "#8a5a2b"),
    (1_000_00, "#e57f1f"),
    (500_00, "#7b3fa0"),
    (100_00, "#2b2b2b"),
    (25_00, "#1f8a4c"),
    (5_00, "#c8323f"),
    (1_00, "#e8e8e8"),
    (1, "#a9b2ba"),
)
_MOST_DISCS = 5


@dataclass(frozen=True, slots=True)
class Chip:
    """A player's chips on a bet in a box, in cents."""

    player: str
    box: int
    bet: str
    stake: int


@dataclass(frozen=True, slots=True)
class _Area:
    """Where a bet lies in its box, how many stacks stand side by side there, and its colours."""

    bet: Bet
    x: Number
    y: Number
    wide: Number
    high: Number
    stacks: int
    fill: str


def felt(
    book: Rulebook,
    layout: str,
    chips: Sequence[Chip],
    *,
    boxes: Sequence[int] | None = None,
    names: Sequence[str] = (),
    seated: Mapping[int, str] = MappingProxyType({}),
    words: Words = ENGLISH,
) -> Svg:
    """The boxes of a layout and the chips on them.

    `boxes` are the boxes to draw, all the layout allows when not given; chips in other boxes stay out
    of the picture. `names` are what stands on the boxes, in the order of their numbers, where that is
    something else. `seated` is who sits at which box: they are named whether or not they bet. A chip on a bet
    or box the layout does not have is refused.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> picture = felt(book, "A", [Chip("p1", 2, "banker", 1500_00)], boxes=range(1, 4))
    >>> "Box 2, Banker: p1 1,500" in picture, "Small Buffalo" in picture
    (True, True)
    """
    most = book.layout(layout).most
    visible_boxes = tuple(range(1, most + 1)) if boxes is None else tuple(boxes)
    for box in (*visible_boxes, *(chip.box for chip in chips)):
        if not 1 <= box <= most:
            raise Refused(
                "no_such_box",
                "Layout {layout} has boxes 1 to {most}, not {box}.",
                book.boxes_cite,
                layout=layout,
                most=most,
                box=box,
            )
    for chip in chips:
        book.offer(book.layout(layout), chip.bet)
    areas = _areas(book.offered(book.layout(layout)))
    high = max((area.y + area.high for area in areas), default=0) + _FOOT
    rows = -(-len(visible_boxes) // _IN_A_ROW)
    # Rows are as long as each other, so that none is left with a single box.
    in_a_row = max(1, -(-len(visible_boxes) // max(1, rows)))
    width = _MARGIN + in_a_row * (_BOX + _MARGIN)
    height = _HEAD + rows * (high + _MARGIN)
    name = words.title(book)
    elements = [
        rect(0, 0, width, height, FELT, round_by=16),
        text(_MARGIN, 36, name, 22, GOLD, anchor="start", bold=True, within=width - 2 * _MARGIN),
        text(
            _MARGIN,
            56,
            words.say("Layout {letter}", letter=layout),
            15,
            GOLD,
            anchor="start",
            within=_BOX,
        ),
    ]
    stacks_by_bet = _stacks(chips)
    labels = []
    for number, box in enumerate(visible_boxes):
        row, column = divmod(number, in_a_row)
        box_elements = []
        box_name = names[box - 1] if names else str(box)
        for area in areas:
            stacks = stacks_by_bet.get((box, area.bet.name), {})
            label = _label(box_name, area.bet, stacks, words)
            box_elements.append(_draw_area(area, label, stacks, words))
            if stacks:
                labels.append(label)
        sitting = [seated[box]] if box in seated else []
        players = dict.fromkeys([*sitting, *(chip.player for chip in chips if chip.box == box)])
        box_elements.append(_foot(box_name, high, ", ".join(players)))
        elements.append(
            group(*box_elements, x=_MARGIN + column * (_BOX + _MARGIN), y=_HEAD + row * (high + _MARGIN))
        )
    bets = words.say(". ", within=JOINER).join(labels) or words.say("No bets")
    title = words.say("{game}, layout {letter}. {bets}.", game=name, letter=layout, bets=bets)
    return document(width, height, title, *elements)


def _areas(offered: Sequence[Bet]) -> list[_Area]:
    """The areas of a box from the dealer's side to the players' side."""
    ties = [bet for bet in offered if isinstance(bet.wins, Tied)]
    mains = {side: [bet for bet in offered if bet.original == side] for side in ("banker", "player")}
    rest = [bet for bet in offered if bet.original is None and bet not in ties]
    rows = [(rest[start : start + 2], _SIDE_HIGH, DARK_FELT) for start in range(0, len(rest), 2)]
    rows += [
        (ties, _SIDE_HIGH, GREEN),
        (mains["banker"], _MAIN_HIGH, RED),
        (mains["player"], _MAIN_HIGH, BLUE),
    ]
    areas = []
    y = 0
    for bets, high, fill in rows:
        if not bets:
            continue
        wide = (_BOX - _GAP * (len(bets) - 1)) / len(bets)
        stacks = 2 if len(bets) == 1 else 1
        for number, bet in enumerate(bets):
            areas.append(_Area(bet, number * (wide + _GAP), y, wide, high, stacks, fill))
        y += high + _GAP
    return areas


def _stacks(chips: Sequence[Chip]) -> dict[tuple[int, str], dict[str, int]]:
    """What each player has on each bet in each box, in the order they came."""
    stacks_by_bet: dict[tuple[int, str], dict[str, int]] = {}
    for chip in chips:
        stacks = stacks_by_bet.setdefault((chip.box, chip.bet), {})
        stacks[chip.player] = stacks.get(chip.player, 0) + chip.stake
    return stacks_by_bet


def _label(box: str, bet: Bet, stacks: Mapping[str, int], words: Words) -> str:
    label = words.say("Box {box}, {bet}", box=box, bet=words.title(bet))
    amounts = (f"{player} {_amount(stake)}".strip() for player, stake in stacks.items())
    bets = words.say(", ", within=JOINER).join(amounts)
    return words.say("{area}: {bets}", area=label, bets=bets) if bets else label


def _draw_area(area: _Area, label: str, stacks: Mapping[str, int], words: Words) -> Markup:
    middle = area.wide / 2
    large = area.high == _MAIN_HIGH
    odds = " / ".join(map(str, area.bet.odds))
    elements = [
        title_tag(label),
        rect(0, 0, area.wide, area.high, area.fill, stroke=GOLD, line=1, round_by=8),
        text(
            middle,
            20 if large else 17,
            words.title(area.bet),
            18 if large else 12,
            WHITE,
            bold=True,
            within=area.wide - 8,
        ),
        text(middle, 34 if large else 29, odds, 11 if large else 10, GOLD, within=area.wide - 8),
    ]
    # Where more players bet than stacks find room, the last stack is what the others have together.
    own_stakes = (
        list(stacks.values()) if len(stacks) <= area.stacks else list(stacks.values())[: area.stacks - 1]
    )
    piles = [(stake, 1) for stake in own_stakes]
    if len(own_stakes) < len(stacks):
        piles.append((sum(stacks.values()) - sum(own_stakes), len(stacks) - len(own_stakes)))
    for number, (stake, players) in enumerate(piles):
        share = area.wide / len(piles)
        elements.append(group(_stack(share, stake, players), x=number * share, y=area.high - 10))
    return group(*elements, x=area.x, y=area.y)


def _stack(wide: Number, stake: int, players: int) -> Markup:
    """Discs and the amount beside them in the middle of that width; `players` share the stack."""
    discs: list[str] = []
    left = stake
    for worth, colour in _DISCS:
        count, left = divmod(left, worth)
        discs += [colour] * min(count, _MOST_DISCS - len(discs))
    amount, size = fit(_amount(stake), 13, wide - 42)
    x = (wide - 34 - width_of(amount, size)) / 2
    elements = []
    for number, colour in enumerate(discs):
        elements += [
            tag("ellipse", cx=15, cy=-5 * number, rx=15, ry=6, fill=colour, stroke=WHITE, stroke_width=1),
            tag("ellipse", cx=15, cy=-5 * number, rx=9, ry=3, fill="none", stroke=WHITE, stroke_width=0.7),
        ]
    elements.append(text(34, 3, amount, size, WHITE, anchor="start", bold=True))
    if players > 1:
        elements.append(text(34, -11, f"×{players}", 11, GOLD, anchor="start", bold=True))
    return group(*elements, x=x)


def _foot(box: str, high: Number, names: str) -> Markup:
    """The box's number or name, and who bets in it."""
    y = high - 18
    return group(
        circle(16, y, 15, DARK_FELT, stroke=GOLD, line=2),
        text(16, y + 6, box, 17, WHITE, bold=True, within=26),
        text(40, y + 5, names, 14, GOLD, anchor="start", within=_BOX - 42),
    )


def _amount(stake: int) -> str:
    """Cents for a felt: commas, and no cents where there are none.

    >>> _amount(1500_00), _amount(47_50)
    ('1,500', '47.50')
    """
    dollars, cents = show(stake).split(".")
    return f"{int(dollars):,}" + (f".{cents}" if cents != "00" else "")
