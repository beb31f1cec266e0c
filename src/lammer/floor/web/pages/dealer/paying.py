"""What is done with the chips of a settled round, in the order a dealer does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lammer.table.state import Table

HANDLED: Final = {
    "lost": ("take", "−", "stake"),
    "returned": ("give back", "=", "returned"),
    "won": ("pay", "+", "profit"),
}
"""What is done with a bet by its outcome, in that order: the word, the sign, which amount of its line."""


@dataclass(frozen=True, slots=True)
class PayoutGroup:
    """The lines of a settlement of which the same is done; `amount` names what of each is handled."""

    action: str
    sign: str
    amount: str
    lines: Sequence[Mapping[str, Any]]

    @property
    def mark(self) -> str:
        """Its class on the page."""
        return self.action.replace(" ", "-")

    @property
    def total(self) -> int:
        """What is handled of all its lines together, in cents."""
        return sum(line[self.amount] for line in self.lines)


@dataclass(frozen=True, slots=True)
class PayList:
    """What is done with the chips of the last round that was settled.

    `on_table` is true until the next round is opened; `rules` are those the round was played by.
    """

    number: int
    groups: Sequence[PayoutGroup]
    on_table: bool
    rules: Table

    @property
    def state(self) -> str:
        """Tells the list of a round on the table from the same list looked up later."""
        return f"{self.number}.{'now' if self.on_table else 'over'}"


def last_pay_list(table: Table, settled: Mapping[str, Any] | None) -> PayList | None:
    """The pay list of the round that was settled last, as `viewing.last_settled` lets it be seen."""
    if settled is None:
        return None
    number = settled["number"]
    on_table = table.round is not None and (table.round.number, table.round.phase) == (number, "settled")
    rules = table.rules_under(settled["set_up"])
    return PayList(number, paying_order(rules, settled["lines"]), on_table, rules)


def paying_order(table: Table, lines: Sequence[Mapping[str, Any]]) -> list[PayoutGroup]:
    """The lines of a settlement in the order chips are handled: taken, given back, paid, box by box.

    The documents name no order. In a box the Original Bets come first, then side bets as the document lists
    them, then Insurance.
    """
    place = {name: number for number, name in enumerate(table.book.bets)}

    def order(line: Mapping[str, Any]) -> tuple[int, int, int, int]:
        insurance = line["window"] is not None
        original = table.book.bets[line["bet"]].original is not None
        kind = 2 if insurance else 0 if original else 1
        return line["box"], kind, place[line["bet"]], line["key"]

    groups = []
    for outcome, handled in HANDLED.items():
        alike = [line for line in lines if line["outcome"] == outcome]
        if alike:
            groups.append(PayoutGroup(*handled, sorted(alike, key=order)))
    return groups
