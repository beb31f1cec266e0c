"""What is done with the chips of a settled round, in the order a dealer does it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from lammer.table.state import Table


@dataclass(frozen=True, slots=True)
class PayoutStep:
    """One line of the pay-out list: what to do with the chips of a bet."""

    action: str
    rank: int
    box: int
    player: str
    bet: str
    insurance: bool
    stake: int
    amount: int
    commission: int
    pays: str
    cites: tuple[str, ...]

    @property
    def sign(self) -> str:
        """What it does to the chips of the box."""
        return {"take": "−", "give back": "=", "pay": "+"}[self.action]


@dataclass(frozen=True, slots=True)
class PayoutGroup:
    """The lines of which the same is done; `mark` is its class on the page."""

    mark: str
    lines: tuple[PayoutStep, ...]


def group_payouts(lines: Iterable[PayoutStep]) -> list[PayoutGroup]:
    """The lines in their order, those of which the same is done together."""
    return [
        PayoutGroup(action.replace(" ", "-"), tuple(group))
        for action, group in groupby(lines, key=lambda line: line.action)
    ]


def paying_order(table: Table, lines: Iterable[Mapping[str, Any]]) -> list[PayoutStep]:
    """The lines of a settlement in the order chips are handled: taken, given back, paid, box by box.

    The documents name no order. In a box the Original Bets come first, then side bets as the document lists
    them, then Insurance.
    """
    place = {name: number for number, name in enumerate(table.book.bets)}
    rank = {"lost": 0, "returned": 1, "won": 2}

    def order(line: Mapping[str, Any]) -> tuple[int, int, int, int, int]:
        insurance = line["window"] is not None
        original = table.book.bets[line["bet"]].original is not None
        kind = 2 if insurance else 0 if original else 1
        return rank[line["outcome"]], line["box"], kind, place[line["bet"]], line["key"]

    action = {"lost": "take", "returned": "give back", "won": "pay"}
    return [
        PayoutStep(
            action[line["outcome"]],
            rank[line["outcome"]],
            line["box"],
            line["player"],
            line["bet"],
            line["window"] is not None,
            line["stake"],
            {"lost": line["stake"], "returned": line["returned"], "won": line["profit"]}[line["outcome"]],
            line["commission"],
            line["pays"] or "",
            tuple(line["cites"]),
        )
        for line in sorted(lines, key=order)
    ]
