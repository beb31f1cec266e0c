"""Exact counts of pairs among the first cards, alone or together with how the round finishes.

A hand begins with a pair or not, the pair is of one suit, of one colour or of two, and two pairs are of one
rank, of one value or of neither. Each of these kinds has a code; the same codes are counted by the kernels.
Suits are told apart only for a rulebook with a bet that asks for them. Everything is an integer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from lammer.game.bets import pair_tier
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.ways import Final4, Path, paths
from lammer.rulebook.betting import Bet
from lammer.rulebook.conditions import Finish
from lammer.rulebook.finishes import finishes_with_pairs
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import PAIR_SUITS, RANKS

DIFFERENT, ONE_VALUE, ONE_RANK = 0, 1, 2
_BLACK_RED: Final = ((0, 3), (1, 2))
"""Places of the suits of a colour among `vocabulary.SUITS`."""


class PairKind(NamedTuple):
    """Which pairs the hands began with: the suits of each, empty for none, and how two of them compare."""

    player: str
    banker: str
    compared: int


def _kinds(suits: Sequence[str]) -> tuple[PairKind, ...]:
    players = [PairKind(kind, "", DIFFERENT) for kind in suits]
    bankers = [PairKind("", kind, DIFFERENT) for kind in suits]
    both = [PairKind(p, b, compared) for compared in range(3) for p, b in product(suits, repeat=2)]
    return (PairKind("", "", DIFFERENT), *players, *bankers, *both)


PLAIN: Final = _kinds(PAIR_SUITS[:1])
SUITED: Final = _kinds(PAIR_SUITS)


@lru_cache(maxsize=64)
def asks_suits(book: Rulebook) -> bool:
    """Whether some bet of a rulebook tells pairs apart by their suits."""
    return any(bet.asks_suits for bet in book.bets.values())


@lru_cache(maxsize=64)
def asks_both(book: Rulebook) -> bool:
    """Whether some bet of a rulebook turns on pairs and totals together."""
    return any(bet.turns_on == "both" for bet in book.bets.values())


def pair_kinds(book: Rulebook) -> tuple[PairKind, ...]:
    """The kinds of pairs this rulebook's bets tell apart, by code.

    >>> from lammer import rulebook
    >>> len(pair_kinds(rulebook("tiger-buffalo-noncommission@4"))), len(SUITED)
    (6, 34)
    """
    return SUITED if asks_suits(book) else PLAIN


@lru_cache(maxsize=64)
def twin_codes(book: Rulebook) -> tuple[bool, ...]:
    """For each code whether both hands are paired alike, as the rulebook reads it."""
    alike = {DIFFERENT: False, ONE_VALUE: _one_value_is_twin(book), ONE_RANK: True}
    return tuple(bool(kind.player and kind.banker) and alike[kind.compared] for kind in pair_kinds(book))


def _one_value_is_twin(book: Rulebook) -> bool:
    points = book.cards.points
    two = next(((i, j) for i in points for j in points if i != j and points[i] % 10 == points[j] % 10), None)
    return two is not None and pair_tier(book, *two) == "twin"


def finish_with(book: Rulebook, code: int, final: Final4 = (0, 0, 2, 2)) -> Finish:
    """A finish with the pairs of a code."""
    kind = pair_kinds(book)[code]
    return Finish(*final, kind.player, kind.banker, twin_codes(book)[code], book.table_of_play.natural)


@lru_cache(maxsize=64)
def reachable(book: Rulebook) -> frozenset[Finish]:
    """The finishes with pairs that a round can reach."""
    return frozenset(finishes_with_pairs(book, suits=asks_suits(book)))


class _Ranks:
    """How often two cards, and four, of one rank form pairs of each kind, in a shoe."""

    def __init__(self, book: Rulebook, shoe: Composition) -> None:
        self.size = shoe.size
        self.points = [book.cards.points.get(rank, 0) % 10 for rank in RANKS]
        self.suits = asks_suits(book)
        self.kinds = range(len(PAIR_SUITS) if self.suits else 1)
        if self.suits:
            self.own = [_pairs_by_suits(suits) for suits in shoe.by_suits]
            self.four = [_four_by_suits(suits) if sum(suits) > 3 else {} for suits in shoe.by_suits]
        else:
            self.own = [[count * (count - 1)] for count in shoe.ranks]
            self.four = [
                {(0, 0): count * (count - 1) * (count - 2) * (count - 3)} if count > 3 else {}
                for count in shoe.ranks
            ]

    def of_value(self, kind: int) -> list[int]:
        """Ordered pairs of a kind, by the value of their rank."""
        sums = [0] * 10
        for points, own in zip(self.points, self.own, strict=True):
            sums[points] += own[kind]
        return sums

    def both(self, one: int, other: int) -> tuple[list[list[int]], list[int], list[int]]:
        """Ordered four cards with the Player paired in one kind and the Banker in another.

        By both values where the values differ, by value where only the ranks do, by value where they are one.
        """
        first, second = self.of_value(one), self.of_value(other)
        squares, four = [0] * 10, [0] * 10
        for points, own, counted in zip(self.points, self.own, self.four, strict=True):
            squares[points] += own[one] * own[other]
            four[points] += counted.get((one, other), 0)
        different = [[a * b if v != w else 0 for w, b in enumerate(second)] for v, a in enumerate(first)]
        one_value = [first[value] * second[value] - squares[value] for value in range(10)]
        return different, one_value, four


def _pairs_by_suits(suits: Sequence[int]) -> list[int]:
    same = sum(count * (count - 1) for count in suits)
    colour = sum(2 * suits[a] * suits[b] for a, b in _BLACK_RED)
    black, red = (suits[a] + suits[b] for a, b in _BLACK_RED)
    return [same, colour, 2 * black * red]


def _four_by_suits(suits: Sequence[int]) -> dict[tuple[int, int], int]:
    counted: dict[tuple[int, int], int] = {}
    for four in product(range(4), repeat=4):
        many, left = 1, list(suits)
        for suit in four:
            many *= left[suit]
            left[suit] -= 1
        if many > 0:
            key = _kind_of(four[0], four[1]), _kind_of(four[2], four[3])
            counted[key] = counted.get(key, 0) + many
    return counted


def _kind_of(one: int, other: int) -> int:
    if one == other:
        return 0
    return 1 if {one, other} in ({0, 3}, {1, 2}) else 2


def pair_counts(book: Rulebook, shoe: Composition) -> list[int]:
    """Ordered six-card draws by the code of the pairs the hands begin with.

    >>> from lammer import rulebook
    >>> counts = pair_counts(rulebook("tiger-buffalo-noncommission@4"), Composition.of_decks(8))
    >>> sum(counts), counts[0] > counts[1] == counts[2] > counts[3]
    (4998398275503360, True)
    """
    ranks, n = _Ranks(book, shoe), shoe.size
    many = len(ranks.kinds)
    alone = [sum(ranks.of_value(kind)) * (n - 2) * (n - 3) for kind in ranks.kinds]
    players, bankers = list(alone), list(alone)
    both: list[list[int]] = [[], [], []]
    for one, other in product(ranks.kinds, repeat=2):
        different, one_value, four = ranks.both(one, other)
        counted = sum(map(sum, different)), sum(one_value), sum(four)
        for part, count in zip(both, counted, strict=True):
            part.append(count)
        players[one] -= sum(counted)
        bankers[other] -= sum(counted)
    some = players + bankers + both[DIFFERENT] + both[ONE_VALUE] + both[ONE_RANK]
    assert len(some) == 2 * many + 3 * many**2
    rest = (n - 4) * (n - 5)
    return [count * rest for count in (n * (n - 1) * (n - 2) * (n - 3) - sum(some), *some)]


@lru_cache(maxsize=32)
def finals(book: Rulebook) -> tuple[tuple[Final4, ...], tuple[int, ...]]:
    """The finishes a rulebook knows, and for each of its paths the place of its finish among them."""
    known = {final: place for place, final in enumerate(dict.fromkeys(path.final for path in paths(book)))}
    return tuple(known), tuple(known[path.final] for path in paths(book))


def final_counts(book: Rulebook, path_counts: Sequence[int]) -> list[int]:
    """Counts by path, added up by finish."""
    sums = [0] * len(finals(book)[0])
    for place, count in zip(finals(book)[1], path_counts, strict=True):
        sums[place] += count
    return sums


def pair_and_final_counts(book: Rulebook, shoe: Composition, by_final: Sequence[int]) -> list[list[int]]:
    """Ordered six-card draws by the code of the pairs, and for each by the place of the finish.

    `by_final` are all draws by finish. What is drawn after pairs depends on their values alone, so that suits
    only say how often each kind of pair begins a round.
    """
    ranks, counts = _Ranks(book, shoe), shoe.by_points(book)
    ends = len(by_final)

    @cache
    def after_pairs(player: int, banker: int) -> list[int]:
        left = list(counts)
        left[player] -= 2
        left[banker] -= 2
        return _last_two(book, left, 2 * player % 10, 2 * banker % 10)

    @cache
    def after_one(side: str, value: int) -> list[int]:
        return _after_one_pair(book, counts, side, value)

    def added(parts: Iterator[tuple[int, list[int]]]) -> list[int]:
        sums = [0] * ends
        for many, after in parts:
            if many:
                for place, count in enumerate(after):
                    sums[place] += many * count
        return sums

    both: list[list[list[int]]] = [[], [], []]
    for one, other in product(ranks.kinds, repeat=2):
        different, one_value, four = ranks.both(one, other)
        both[DIFFERENT].append(
            added(
                (different[v][w], after_pairs(v, w)) for v in range(10) for w in range(10) if different[v][w]
            )
        )
        for kind, values in ((ONE_VALUE, one_value), (ONE_RANK, four)):
            both[kind].append(added((values[v], after_pairs(v, v)) for v in range(10) if values[v]))
    many = len(ranks.kinds)
    players: list[list[int]] = []
    bankers: list[list[int]] = []
    for kind in ranks.kinds:
        of_value = ranks.of_value(kind)
        for side, alone in (("player", players), ("banker", bankers)):
            with_any = added((of_value[v], after_one(side, v)) for v in range(10) if of_value[v])
            at = range(kind * many, kind * many + many) if side == "player" else range(kind, many**2, many)
            paired = [part[place] for part in both for place in at]
            alone.append([count - sum(gone) for count, *gone in zip(with_any, *paired, strict=True)])
    some = [*players, *bankers, *both[DIFFERENT], *both[ONE_VALUE], *both[ONE_RANK]]
    none = [count - sum(gone) for count, *gone in zip(by_final, *some, strict=True)]
    return [none, *some]


def _after_one_pair(book: Rulebook, counts: Sequence[int], side: str, value: int) -> list[int]:
    """By finish, the ways to draw the other hand's cards and two more after a pair of this value."""
    left = list(counts)
    left[value] -= 2
    ends = [0] * len(finals(book)[0])
    for first in range(10):
        for second in range(first, 10):
            # Two cards of different values come in either order.
            many = left[first] * (left[second] - 1) if first == second else 2 * left[first] * left[second]
            if many <= 0:
                continue
            rest = list(left)
            rest[first] -= 1
            rest[second] -= 1
            totals = (2 * value % 10, (first + second) % 10)
            last = _last_two(book, rest, *(totals if side == "player" else totals[::-1]))
            ends = [count + many * more for count, more in zip(ends, last, strict=True)]
    return ends


def _last_two(book: Rulebook, left: Sequence[int], player: int, banker: int) -> list[int]:
    """By finish, the ways to draw two more cards from these when the hands have these totals."""
    ends, size = [0] * len(finals(book)[0]), sum(left)
    for path, place in _paths_from(book)[player, banker]:
        if path.third is not None and path.fourth is not None:
            many = left[path.third] * (left[path.fourth] - (path.third == path.fourth))
        elif path.third is None and path.fourth is None:
            many = size * (size - 1)
        else:
            drawn = path.third if path.third is not None else path.fourth
            assert drawn is not None, "one of the two was drawn"
            many = left[drawn] * (size - 1)
        ends[place] += max(0, many)
    return ends


@lru_cache(maxsize=32)
def _paths_from(book: Rulebook) -> dict[tuple[int, int], list[tuple[Path, int]]]:
    """The paths that begin at each two totals, each with the place of its finish."""
    by_totals: dict[tuple[int, int], list[tuple[Path, int]]] = {}
    for path, place in zip(paths(book), finals(book)[1], strict=True):
        by_totals.setdefault((path.player, path.banker), []).append((path, place))
    return by_totals


def decisive(book: Rulebook, bet: Bet) -> tuple[Finish | None, ...]:
    """The finishes a bet is counted by: by place among the finals, by code, or by code and final.

    None stands for pairs that no round with that finish begins with.
    """
    ends, codes = finals(book)[0], range(len(pair_kinds(book)))
    if bet.turns_on == "totals":
        return tuple(finish_with(book, 0, final) for final in ends)
    if bet.turns_on == "pairs":
        return tuple(finish_with(book, code) for code in codes)
    every = (finish_with(book, code, final) for code in codes for final in ends)
    return tuple(finish if finish in reachable(book) else None for finish in every)
