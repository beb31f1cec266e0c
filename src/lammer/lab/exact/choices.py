"""Where hands may draw: how a bet fares by each play, and the best and worst that choosing can make of it.

The ways a round can go are counted once, those of both choices in every open cell; a play only says which of
them are gone. Once the Player's cells are fixed the Banker's are independent of each other, so each is chosen
by itself; the Player's are few and are tried in every combination. Everything is exact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

from lammer.game.drawing import banker_draws, player_draws
from lammer.lab.exact.analysis import percent
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.lab.exact.joint import by_place, profit_on
from lammer.lab.exact.pairs import finish_with, pair_counts
from lammer.lab.exact.ways import Path, count_ways, draws
from lammer.lab.output.sheet import Sheet
from lammer.rulebook.model import Cell, Drawing, Rulebook
from lammer.rulebook.playing import drawing_in, play_named, played_by, plays_of
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, Side
from lammer.rulebook.wording import cells_words

Aim = Literal["best", "worst"]
MOST_CELLS = 10
"""On more totals than these a Player Hand's choices are not tried in every combination."""
_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class ChosenPlay:
    """A way to play the open cells, and the House's edge on the bet it was chosen for."""

    name: str
    bet: str
    draws: frozenset[Cell]
    edge: Fraction


@dataclass(frozen=True, slots=True)
class _Way:
    """A way through a round, and the open cells it goes through: which, and whether it draws there."""

    path: Path
    taken: tuple[tuple[Cell, bool], ...]

    def agrees(self, cells: Collection[Cell]) -> bool:
        """Whether it is gone by those who draw in these cells and stand in the other open ones."""
        return all((cell in cells) == drew for cell, drew in self.taken)


class Choices:
    """How a bet fares by every choice, under one rulebook and from one shoe.

    >>> from lammer import rulebook
    >>> choices = Choices(rulebook("tiger-buffalo-noncommission@4"))
    >>> choices.cells, percent(choices.named("player").edge)
    ((), '1.2351')
    """

    def __init__(self, book: Rulebook, shoe: Composition | None = None) -> None:
        self.book = book
        self.shoe = shoe or Composition.of_book(book)
        self.cells = tuple(sorted(book.table_of_play.choices, key=str))
        counts = self.shoe.by_points(book)
        self._ways = tuple(_every_way(book))
        self._counts = count_ways([way.path for way in self._ways], counts)
        self._draws = draws(counts)

    def edge(self, bet: str, cells: Collection[Cell]) -> Fraction:
        """The House's edge on a bet when the hands draw in these of the open cells and stand elsewhere."""
        if self.book.bet(bet).turns_on == "pairs":
            counts = zip(pair_counts(self.book, self.shoe), by_place(self.book, bet), strict=True)
            return -sum((count * profit for count, profit in counts), _NOTHING) / self._draws
        if self.book.bet(bet).turns_on == "both":
            return edges(drawing_in(self.book, cells), self.shoe).bet(bet).edge
        gone = (profit for way, profit in self._profits(bet) if way.agrees(cells))
        return -sum(gone, _NOTHING) / self._draws

    def named(self, bet: str, name: str = "") -> ChosenPlay:
        """A bet by a play of the rulebook, the usual one where none is named."""
        play = play_named(self.book, name)
        cells = play.draws if play else frozenset()
        return ChosenPlay(play.name if play else "", bet, cells, self.edge(bet, cells))

    def choose(self, bet: str, aim: Aim, hands: Sequence[Side] = SIDES, others: str = "") -> ChosenPlay:
        """The play that is best or worst for whoever made this bet, where these hands choose.

        A hand that is not among them keeps to the play named in `others`, or else to the usual one. Where a
        card is worth as much as none the hand stands.
        """
        kept = self.named(bet, others).draws
        free = [cell for cell in self.cells if cell[0] == "player" and "player" in hands]
        if len(free) > MOST_CELLS:
            raise Refused(
                "impossible_run",
                "The Player Hand may choose on {count} totals; that is more than can be tried out.",
                next_step="Name a play.",
                count=len(free),
            )
        sign = 1 if aim == "best" else -1
        profits = self._profits(bet)
        found: ChosenPlay | None = None
        for answers in product((False, True), repeat=len(free)):
            player = {cell for cell, yes in zip(free, answers, strict=True) if yes}
            if "player" not in hands:
                player = {cell for cell in kept if cell[0] == "player"}
            banker = {cell for cell in kept if cell[0] == "banker"}
            if "banker" in hands:
                banker = _banker_cells(profits, player, sign)
            cells = frozenset(player | banker)
            edge = self.edge(bet, cells)
            if found is None or sign * edge < sign * found.edge:
                found = ChosenPlay(aim, bet, cells, edge)
        assert found is not None, "there is one combination at least"
        return found

    def sheet(self, bet: str) -> Sheet:
        """A bet by every play of the rulebook, and by the best and the worst there are."""
        chosen = [self.named(bet, play.name) for play in plays_of(self.book)]
        chosen += [self.choose(bet, "best"), self.choose(bet, "worst")]
        rows = tuple((play.name, percent(play.edge), cells_words(play.draws)) for play in chosen)
        return Sheet(f"{bet} by how the hands choose", ("play", "edge %", "draws on"), rows)

    def _profits(self, bet: str) -> list[tuple[_Way, Fraction]]:
        """What a unit on the bet comes to on each way, times how often it is gone."""
        of = self.book.bet(bet)
        if of.turns_on == "both":
            raise Refused(
                "impossible_run",
                "{bet} turns on pairs and totals together; which play is best for it is not worked out.",
                next_step="Name a play and look at the edges.",
                bet=bet,
            )
        return [
            (way, count * profit_on(of, finish_with(self.book, 0, way.path.final)))
            for way, count in zip(self._ways, self._counts, strict=True)
        ]


def _banker_cells(profits: Sequence[tuple[_Way, Fraction]], player: set[Cell], sign: int) -> set[Cell]:
    """In which of its open cells the Banker is better off with a card, each by itself."""
    gains: dict[Cell, Fraction] = {}
    for way, profit in profits:
        banker = next(((cell, drew) for cell, drew in way.taken if cell[0] == "banker"), None)
        if banker and all((cell in player) == drew for cell, drew in way.taken if cell[0] == "player"):
            cell, drew = banker
            gains[cell] = gains.get(cell, _NOTHING) + (profit if drew else -profit)
    return {cell for cell, gain in gains.items() if sign * gain > 0}


def _every_way(book: Rulebook) -> Iterator[_Way]:
    """Every way a round can go, both ways wherever a hand may choose."""
    for p, b in product(range(10), repeat=2):
        first = player_draws(book, p, b)
        for x in _cards(first):
            then = banker_draws(book, p, b, x)
            for y in _cards(then):
                taken: list[tuple[Cell, bool]] = []
                if first.optional:
                    taken.append((("player", p, None), x is not None))
                if then.optional:
                    taken.append((("banker", b, x), y is not None))
                yield _Way(Path(p, b, x, y), tuple(taken))


def _cards(drawing: Drawing) -> tuple[int | None, ...]:
    """The points a hand may be dealt in a cell, None where it may stand."""
    if drawing.optional:
        return None, *range(10)
    return tuple(range(10)) if drawing.draws else (None,)


def played_as(book: Rulebook, play: str, shoe: Composition | None = None) -> Rulebook:
    """The rulebook by a play of its own, or by `best:BET`, `worst:BET` and `best:BET:HAND` from this shoe.

    Best and worst are for whoever made that bet; with a hand, only that hand chooses so.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> played_as(book, "best:player") is book
    True
    """
    aim, _, rest = play.partition(":")
    if aim not in ("best", "worst") or not rest:
        return played_by(book, play)
    bet, _, hand = rest.partition(":")
    if hand not in ("", *SIDES):
        raise Refused(
            "unknown_play",
            "{hand} is no hand.",
            next_step="Write {aim}:{bet}:player or {aim}:{bet}:banker.",
            hand=repr(hand[:20]),
            aim=aim,
            bet=bet[:40],
        )
    hands: tuple[Side, ...] = SIDES if not hand else ("banker",) if hand == "banker" else ("player",)
    if not book.table_of_play.choices:
        return book
    return drawing_in(
        book, Choices(book, shoe).choose(bet, "best" if aim == "best" else "worst", hands).draws
    )
