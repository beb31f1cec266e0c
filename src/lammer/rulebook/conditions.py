"""What a bet may turn on: a closed list of conditions, each true or false of how a round finished.

A `Finish` is a round without its cards: totals, numbers of cards, and what kind of pair each hand began with.
Judging, checking and counting all ask the same conditions of it. This module knows nothing of dealing, of
money, or of how often anything happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from lammer.rulebook.vocabulary import PAIR_SUITS, SIDES, Side

EVERY_TOTAL: Final = frozenset(range(10))
EVERY_CARDS: Final = frozenset({2, 3})
EVERY_DEALT: Final = frozenset({4, 5, 6})
EVERY_MARGIN: Final = frozenset(range(10))
EVERY_SUM: Final = frozenset(range(19))
EVERY_SUITS: Final = frozenset(PAIR_SUITS)


class Finish(NamedTuple):
    """How a round finished, as far as a bet can speak of it.

    `player_pair` and `banker_pair` are one of `PAIR_SUITS`, or empty where a hand began with no pair; `twins`
    says that both did and are alike. `naturals` are the totals that two cards make a natural of.

    >>> Finish(8, 6, 2, 2, naturals=frozenset({8, 9})).natural("player")
    True
    """

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_pair: str = ""
    banker_pair: str = ""
    twins: bool = False
    naturals: frozenset[int] = frozenset()

    @property
    def winner(self) -> Side | None:
        """The hand that won; None on a tie."""
        return None if self.player == self.banker else "player" if self.player > self.banker else "banker"

    @property
    def total(self) -> int:
        """The total it was won or tied on."""
        return max(self.player, self.banker)

    def natural(self, side: Side) -> bool:
        """Whether that hand is a natural."""
        if side == "player":
            return self.player_cards == 2 and self.player in self.naturals
        return self.banker_cards == 2 and self.banker in self.naturals


@dataclass(frozen=True, slots=True)
class HandWins:
    """One of these hands wins, with one of these totals, numbers of cards and margins."""

    hands: tuple[Side, ...]
    totals: frozenset[int]
    cards: frozenset[int]
    by: frozenset[int]
    natural: bool | None = None

    def holds(self, finish: Finish) -> bool:
        margin = finish.player - finish.banker
        if margin > 0:
            side, total, cards = SIDES[0], finish.player, finish.player_cards
        else:
            margin = -margin
            side, total, cards = SIDES[1], finish.banker, finish.banker_cards
        return (
            margin > 0
            and side in self.hands
            and total in self.totals
            and cards in self.cards
            and margin in self.by
            and (self.natural is None or finish.natural(side) == self.natural)
        )


@dataclass(frozen=True, slots=True)
class Tied:
    """Both hands end on the same of these totals."""

    totals: frozenset[int]
    natural: bool | None = None

    def holds(self, finish: Finish) -> bool:
        return (
            finish.player == finish.banker
            and finish.player in self.totals
            and (
                self.natural is None
                or (finish.natural("player") and finish.natural("banker")) == self.natural
            )
        )


@dataclass(frozen=True, slots=True)
class HandHas:
    """One of these hands, or each of them, ends on one of these totals and so many cards, whoever wins."""

    hands: tuple[Side, ...]
    every: bool
    totals: frozenset[int]
    cards: frozenset[int]
    natural: bool | None = None

    def holds(self, finish: Finish) -> bool:
        found = [self._has(finish, side) for side in self.hands]
        return all(found) if self.every else any(found)

    def _has(self, finish: Finish, side: Side) -> bool:
        player = side == "player"
        return (
            (finish.player if player else finish.banker) in self.totals
            and (finish.player_cards if player else finish.banker_cards) in self.cards
            and (self.natural is None or finish.natural(side) == self.natural)
        )


@dataclass(frozen=True, slots=True)
class Paired:
    """The first two cards of one of these hands, or of each of them, form a pair of one of these suits."""

    hands: tuple[Side, ...]
    suits: frozenset[str] = EVERY_SUITS
    every: bool = False

    def holds(self, finish: Finish) -> bool:
        found = self.paired(finish)
        return found == len(self.hands) if self.every else found > 0

    def paired(self, finish: Finish) -> int:
        """How many of its hands began with such a pair."""
        return ("player" in self.hands and finish.player_pair in self.suits) + (
            "banker" in self.hands and finish.banker_pair in self.suits
        )

    def tier(self, finish: Finish) -> str:
        """How many hands began with such a pair, as pay tables say it: single, double or twin."""
        found = self.paired(finish)
        return "" if not found else "single" if found == 1 else "twin" if finish.twins else "double"


@dataclass(frozen=True, slots=True)
class Dealt:
    """So many cards lie on the table at the end."""

    cards: frozenset[int]

    def holds(self, finish: Finish) -> bool:
        return finish.player_cards + finish.banker_cards in self.cards


@dataclass(frozen=True, slots=True)
class Summed:
    """Both totals added together come to one of these."""

    sums: frozenset[int]

    def holds(self, finish: Finish) -> bool:
        return finish.player + finish.banker in self.sums


@dataclass(frozen=True, slots=True)
class AllOf:
    """Each of these holds."""

    parts: tuple[Condition, ...]

    def holds(self, finish: Finish) -> bool:
        return all(part.holds(finish) for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of these holds."""

    parts: tuple[Condition, ...]

    def holds(self, finish: Finish) -> bool:
        return any(part.holds(finish) for part in self.parts)


@dataclass(frozen=True, slots=True)
class NotSo:
    """This does not hold."""

    part: Condition

    def holds(self, finish: Finish) -> bool:
        return not self.part.holds(finish)


Condition = HandWins | Tied | HandHas | Paired | Dealt | Summed | AllOf | AnyOf | NotSo


def leaves(condition: Condition) -> Iterator[Condition]:
    """The conditions a condition is put together from.

    >>> [type(leaf).__name__ for leaf in leaves(AnyOf((Dealt(frozenset({6})), NotSo(Paired(("player",))))))]
    ['Dealt', 'Paired']
    """
    if isinstance(condition, AllOf | AnyOf):
        for part in condition.parts:
            yield from leaves(part)
    elif isinstance(condition, NotSo):
        yield from leaves(condition.part)
    else:
        yield condition
