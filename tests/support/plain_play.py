"""Rounds of any rulebook played out the plainest way there is, for figures to be held against.

Written from decision 36 alone: six cards in every order, and who draws looked up in the words of the file. It
imports nothing of `lammer`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

Finish = tuple[int, int, int, int]
"""Player total, Banker total, cards of the Player, cards of the Banker."""


@dataclass(frozen=True)
class PlainRules:
    """Who draws: the totals that end everything, what each cell says, the cells `chosen` to draw in."""

    ending: frozenset[int]
    player: Mapping[int, str]
    banker: Mapping[tuple[int, int | None], str]
    chosen: frozenset[tuple[str, int, int | None]] = field(default=frozenset())

    @classmethod
    def of(cls, table: Mapping[str, Any], chosen: Iterable[tuple[str, int, int | None]] = ()) -> PlainRules:
        """The rules in the words of a file's `[table_of_play]`."""
        natural = table["natural"]
        ends = not natural.get("none") and natural.get("ends_drawing", True)
        player = {total: row["does"] for row in table["player"] for total in _list(row["total"])}
        banker = {
            (total, third): row["does"]
            for row in table["banker"]
            for total in _list(row["total"])
            for third in ([None] if row.get("player_stood") else _list(row.get("third", list(range(10)))))
        }
        ending = frozenset(_list(natural["total"])) if ends else frozenset()
        return cls(ending, player, banker, frozenset(chosen))

    def draws(self, says: str, cell: tuple[str, int, int | None]) -> bool:
        return cell in self.chosen if says == "may_draw" else says == "draws"

    def finish(self, values: tuple[int, ...]) -> Finish:
        """How a round of these six cards, dealt in turns, ends."""
        player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
        cards = list(values[4:])
        if player in self.ending or banker in self.ending:
            return player, banker, 2, 2
        third = None
        if self.draws(self.player[player], ("player", player, None)):
            third = cards.pop(0)
        if self.draws(self.banker[banker, third], ("banker", banker, third)):
            return (player + (third or 0)) % 10, (banker + cards.pop(0)) % 10, 2 + (third is not None), 3
        return (player + (third or 0)) % 10, banker, 2 + (third is not None), 2


def _list(value: Any) -> list[int]:
    return value if isinstance(value, list) else [value]


def six_cards(counts: Mapping[int, int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every order of six point values a shoe of these counts can give, and how many ways there are to it."""
    for values in product([value for value, count in counts.items() if count], repeat=6):
        left, ways = Counter(counts), 1
        for value in values:
            ways *= left[value]
            left[value] -= 1
        if ways:
            yield values, ways


def finishes(rules: PlainRules, counts: Mapping[int, int]) -> Counter[Finish]:
    """In how many ordered draws of six the round ends in each way."""
    found: Counter[Finish] = Counter()
    for values, ways in six_cards(counts):
        found[rules.finish(values)] += ways
    return found
