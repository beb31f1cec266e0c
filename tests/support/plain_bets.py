"""What bets in the words of `docs/decisions/0037-what-a-bet-may-turn-on.md` come to, from the cards alone.

Written from the decision's table and nothing else: a second, deliberately plain reading of every word. The
tests hold the rulebook's conditions, the counts and the kernels against it. It never imports `lammer`. A bet
is the dictionary its TOML comes to, with `wins`, `pays` and perhaps `tie_returns`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from support import brute_force

Bet = dict[str, Any]
Settled = tuple[str, Fraction]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _natural(hand: Sequence[str]) -> bool:
    return len(hand) == 2 and brute_force.points(tuple(hand)) >= 8


def _suits(hand: Sequence[str]) -> str:
    """What kind of pair a hand began with; empty for none."""
    first, second = hand[0], hand[1]
    if first[0] != second[0]:
        return ""
    if first[1] == second[1]:
        return "same"
    red = [card[1] in ("H", "D") for card in (first, second)]
    return "one_colour" if red[0] == red[1] else "mixed"


def _hands(word: str) -> list[str]:
    return ["player", "banker"] if word in ("either", "both") else [word]


def _narrowed(row: Bet, hand: Sequence[str]) -> bool:
    """Whether a hand has the total, the number of cards and the natural a condition asks for."""
    if "total" in row and brute_force.points(tuple(hand)) not in _listed(row["total"]):
        return False
    if "cards" in row and len(hand) not in _listed(row["cards"]):
        return False
    return "natural" not in row or _natural(hand) == row["natural"]


def _wins(row: Bet, hands: dict[str, Sequence[str]]) -> bool:
    for name in _hands(row["hand"]):
        own = hands[name]
        other = hands["banker" if name == "player" else "player"]
        margin = brute_force.points(tuple(own)) - brute_force.points(tuple(other))
        if margin > 0 and _narrowed(row, own) and ("by" not in row or margin in _listed(row["by"])):
            return True
    return False


def holds(row: Bet, player: Sequence[str], banker: Sequence[str]) -> bool:
    """Whether everything a condition says is so."""
    hands = {"player": player, "banker": banker}
    p, b = brute_force.points(tuple(player)), brute_force.points(tuple(banker))
    said = []
    if "hand" in row:
        said.append(_wins(row, hands))
    if "tie" in row:
        natural = _natural(player) and _natural(banker)
        said.append(
            p == b
            and ("total" not in row or p in _listed(row["total"]))
            and ("natural" not in row or natural == row["natural"])
        )
    if "has" in row:
        found = [_narrowed(row, hands[name]) for name in _hands(row["has"])]
        said.append(all(found) if row["has"] == "both" else any(found))
    if "pair" in row:
        wanted = _listed(row.get("suits", ["same", "one_colour", "mixed"]))
        found = [_suits(hands[name]) in wanted for name in _hands(row["pair"])]
        said.append(all(found) if row["pair"] == "both" else any(found))
    if "cards_dealt" in row:
        said.append(len(player) + len(banker) in _listed(row["cards_dealt"]))
    if "sum" in row:
        said.append(p + b in _listed(row["sum"]))
    if "any" in row:
        said.append(any(holds(each, player, banker) for each in row["any"]))
    if "not" in row:
        said.append(not holds(row["not"], player, banker))
    assert said, row
    return all(said)


def _line_is_for(bet: Bet, line: Bet, player: Sequence[str], banker: Sequence[str]) -> bool:
    p, b = brute_force.points(tuple(player)), brute_force.points(tuple(banker))
    winners = [player, banker] if p == b else [player] if p > b else [banker]
    if "cards" in line and (p == b or len(winners[0]) not in _listed(line["cards"])):
        return False
    if "natural" in line and all(map(_natural, winners)) != line["natural"]:
        return False
    if "tier" in line:
        wanted = _listed(bet["wins"].get("suits", ["same", "one_colour", "mixed"]))
        paired = [hand[0][0] for hand in (player, banker) if _suits(hand) in wanted]
        tier = "single" if len(paired) == 1 else "twin" if paired[0] == paired[1] else "double"
        if tier not in _listed(line["tier"]):
            return False
    asked = {
        "total": max(p, b),
        "by": abs(p - b),
        "cards_dealt": len(player) + len(banker),
        "sum": p + b,
    }
    if any(key in line and value not in _listed(line[key]) for key, value in asked.items()):
        return False
    return "when" not in line or holds(line["when"], player, banker)


def settle(bet: Bet, player: Sequence[str], banker: Sequence[str]) -> Settled:
    """What became of a unit, and what it won."""
    p, b = brute_force.points(tuple(player)), brute_force.points(tuple(banker))
    if not holds(bet["wins"], player, banker):
        back = "tie_returns" in bet and p == b
        return ("returned", Fraction(0)) if back else ("lost", Fraction(-1))
    lines = [line for line in bet["pays"] if _line_is_for(bet, line, player, banker)]
    assert len(lines) == 1, (bet, player, banker, lines)
    (line,) = lines
    if "returns" in line:
        return "returned", Fraction(0)
    if "loses" in line:
        return "lost", Fraction(-1)
    profit, unit = line["odds"].split(":")
    return "won", Fraction(profit) / Fraction(unit)
