"""Judges of the academy's items who share nothing with it: brute force and the second table.

Each works out, from what an item shows and never from its answer, which answers are right. Of a choice every
answer is tried by itself, so that two right ones, or none, are found. Cases are asked of the plain table,
step by step as the item says they were played.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import msgspec

from lammer.academy.items import Item
from support import brute_force, plain_cards
from support.plain_table import PlainTable

BEGIN = {"tiger-buffalo-noncommission-insurance@1": datetime(2025, 1, 1, tzinfo=UTC)}
LATER = datetime(2026, 1, 1, tzinfo=UTC)
STAFF = ("dealer", "pit_supervisor", "pit_manager", "table_game_shift_manager")
TRAY = (1_000_000, 500_000, 100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 25, 10, 5, 1)


def right_answers(item: Item) -> set[str]:
    """Every answer that is right, in its normal form."""
    return JUDGES[item.kind, item.asked](item)


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def cents(text: str) -> int:
    whole, part = text.split(".")
    return int(whole) * 100 + int(part)


def _only(*tried: tuple[str, bool]) -> set[str]:
    return {name for name, right in tried if right}


# Cards.


def _total(item: Item) -> set[str]:
    hand = item.hands[("player", "banker").index(item.facts["hand"])]
    return {str(brute_force.points(hand))}


def _winner(item: Item) -> set[str]:
    player, banker = (brute_force.points(hand) for hand in item.hands)
    return _only(("player", player > banker), ("banker", banker > player), ("tie", player == banker))


def _next_card(item: Item) -> set[str]:
    due = plain_cards.due(*item.hands)
    return _only(("player", due == "player"), ("banker", due == "banker"), ("nobody", due == ""))


# Pay-outs.


def _settled(item: Item) -> tuple[str, Fraction, int]:
    cards = plain_cards.in_shoe_order(*item.hands)
    stake = cents(item.facts.get("stake", "1.00"))
    return brute_force.settle_bet(item.rulebook, item.facts["bet"], cards, stake)


def _outcome(item: Item) -> set[str]:
    outcome = _settled(item)[0]
    return _only(*((name, outcome == name) for name in ("won", "lost", "returned")))


def _payout(item: Item) -> set[str]:
    return {money(_settled(item)[2])}


def _commission(item: Item) -> set[str]:
    assert item.rulebook == brute_force.COMMISSION
    assert item.facts["bet"] == "banker"
    return {money(cents(item.facts["stake"]) - _settled(item)[2])}


def _chips(item: Item) -> set[str]:
    """Always the largest chip that still fits."""
    left, piles = _settled(item)[2], dict.fromkeys(TRAY, 0)
    assert left % 100 == 0
    while left:
        chip = next(chip for chip in TRAY if chip * 100 <= left)
        piles[chip] += 1
        left -= chip * 100
    return {" ".join(f"{count}x{chip}" for chip, count in piles.items() if count)}


# Insurance.


def _window(item: Item) -> str:
    return plain_cards.stage(*item.hands)


def _offer(item: Item) -> set[str]:
    window = _window(item)
    hands = set(plain_cards.listed(window, *item.hands)) if window else set()
    return _only(
        ("player", hands == {"player"}),
        ("banker", hands == {"banker"}),
        ("both", hands == {"player", "banker"}),
        ("none", not hands),
    )


def _listed_odds(item: Item) -> brute_force.Odds:
    return plain_cards.listed(_window(item), *item.hands)[item.facts["hand"]]


def _odds(item: Item) -> set[str]:
    won, staked = _listed_odds(item)
    return {f"{won}:{staked}"}


def _limit(item: Item) -> set[str]:
    original, maximum = cents(item.facts["original"]), cents(item.facts["maximum"])
    return {money(min(original, maximum // 4) if _listed_odds(item) == (10, 1) else original)}


def _insurance_pays(item: Item) -> set[str]:
    cards = plain_cards.in_shoe_order(*item.hands)
    facts = item.facts
    settled = brute_force.settle_insurance(
        item.rulebook, facts["hand"], facts["window"], cards, cents(facts["stake"])
    )
    return {money(settled[2])}


# One box.


def _differential(item: Item) -> set[str]:
    player, banker = _sides(item)
    return {money(max(player, banker) - min(player, banker))}


def _sides(item: Item) -> tuple[int, int]:
    player, banker = (
        sum(stake.amount for stake in item.stakes if stake.side == side) for side in ("player", "banker")
    )
    return player, banker


def _room(item: Item) -> set[str]:
    player, banker = _sides(item)
    own, other = (player, banker) if item.facts["side"] == "player" else (banker, player)
    return {money(max(0, cents(item.facts["maximum"]) + other - own))}


def _box(item: Item) -> TableAsked:
    """The stakes of the item laid in box 1 of a plain table that only advises."""
    minimum = {"minimum": cents(item.facts["minimum"])}
    setup = {
        "rulebook": item.rulebook,
        "layout": "A",
        "shoe": "read",
        "limits": {"original": minimum, "side": minimum},
        "differential": cents(item.facts["maximum"]),
        "readings": {"limits_mode": "advisory"},
    }
    table = TableAsked(item.rulebook, setup)
    for do, fields in (("take_seat", {"player": item.stakes[0].player, "box": 1}), ("prepare_shoe", {})):
        table.must("dealer", "dealer", do, fields)
    table.must("dealer", "dealer", "open_bets", {})
    for stake in item.stakes:
        fields = {"player": stake.player, "box": 1, "bet": stake.side, "stake": stake.amount}
        table.must(stake.player, "player", "place_bet", fields)
    return table


def _plays(table: TableAsked, item: Item) -> int:
    return table.plain.bets().get((item.facts["player"], 1, item.facts["side"]), 0)


def _refused(item: Item) -> set[str]:
    table = _box(item)
    before = _plays(table, item)
    table.must("pit_supervisor", "pit_supervisor", "refuse_excess", {})
    return {money(before - _plays(table, item))}


def _pro_rata(item: Item) -> set[str]:
    table = _box(item)
    table.must("dealer", "dealer", "close_bets", {})
    return {money(_plays(table, item))}


# Cases.


class TableAsked:
    """A plain table that was set up, and what is asked of it."""

    def __init__(self, rulebook: str, setup: dict[str, Any]) -> None:
        self.plain = PlainTable()
        self.at = BEGIN.get(rulebook, LATER)
        self.must("manager", "table_game_shift_manager", "set_table", {"setup": setup})

    def ask(self, by: str, role: str, do: str, fields: dict[str, Any]) -> bool:
        self.at += timedelta(seconds=1)
        return self.plain.ask(by, role, self.at, do, dict(fields))

    def must(self, by: str, role: str, do: str, fields: dict[str, Any]) -> None:
        assert self.ask(by, role, do, fields), f"the plain table refuses {do} {fields} by {by}"


class Played:
    """A case on the plain table, with the step that decides it taken by somebody."""

    def __init__(self, item: Item, role: str = STAFF[-1]) -> None:
        facts = item.facts
        table = TableAsked(item.rulebook, msgspec.to_builtins(facts["setup"]))
        for step in item.steps:
            table.must(step.by, step.role, step.do, dict(step.fields))
        self.plain = table.plain
        self.before = self.plain.round_money(1)
        self.bets = self.plain.bets()
        by = facts["by"] or role
        role = by if by in STAFF else "player" if facts["by"] else role
        self.accepted = table.ask(by, role, facts["do"], facts["fields"])

    @property
    def last(self) -> Any:
        return self.plain._rounds[-1]

    @property
    def void(self) -> bool:
        return bool(self.last.phase == "void")

    @property
    def options(self) -> bool:
        return self.plain.options() is not None

    @property
    def withdrawal(self) -> bool:
        return bool(self.last.withdrawal)

    @property
    def late_offer(self) -> bool:
        return bool(self.last.late_offers)

    @property
    def effect(self) -> tuple[object, ...]:
        """What can be seen of the step: who may tell two steps apart by more?"""
        rounds = [(each.phase, dict(each.nets)) for each in self.plain._rounds]
        seen = (
            self.void,
            self.options,
            self.withdrawal,
            self.late_offer,
            self.plain.hands(),
            self.plain.insurance(),
        )
        return (self.accepted, rounds, *seen)


def _now(item: Item) -> set[str]:
    played = Played(item)
    holds: dict[str, Callable[[], bool]] = {
        "void": lambda: played.void,
        "options": lambda: played.options,
        "goes_on": lambda: (
            played.accepted and not played.void and not played.options and not played.withdrawal
        ),
        "concluded": lambda: played.accepted and not played.void and not played.plain.interrupted(),
        "refused": lambda: not played.accepted,
        "taken": lambda: played.accepted,
        "withdrawal": lambda: played.withdrawal,
        "late_offer": lambda: played.late_offer,
        "original_back": lambda: (
            played.accepted and not played.late_offer and played.plain.bets() != played.bets
        ),
        "nothing_back": lambda: not played.accepted,
        "stands": lambda: played.accepted and played.plain.round_money(1) == played.before,
        "earlier_void": lambda: bool(played.plain._rounds[0].phase == "void"),
        "struck": lambda: played.accepted and played.plain._rounds[0].phase != "void",
        "counts": lambda: not played.accepted,
        "moved": lambda: _insured_hands(played) == {item.facts["fields"]["hand"]},
        "left_lying": lambda: _insured_hands(played) == {plain_cards.other(item.facts["fields"]["hand"])},
        "insurance_back": lambda: not _insured_hands(played),
        "settled": lambda: bool(_won_or_lost(played, item)),
        "bet_back": lambda: not _won_or_lost(played, item),
        "as_meant": lambda: _bet_meant(item) in played.plain.round_money(1),
    }
    return {choice.name for choice in item.choices if holds[choice.name]()}


def _insured_hands(played: Played) -> set[str]:
    return {hand for _, _, hand, _, _, _ in played.plain.insurance()}


def _won_or_lost(played: Played, item: Item) -> int:
    """What the bet in question won or lost when the round was settled; nothing where it went back."""
    return played.plain.round_money(1).get(_bet_in_question(item), 0)


def _bet_in_question(item: Item) -> tuple[str, int, str]:
    return "p1", 1, "banker" if item.facts["irregularity"] == "below_minimum" else "player"


def _bet_meant(item: Item) -> tuple[str, int, str]:
    """Where the bet would lie if it counted as it was meant; a bet nobody meant otherwise is nowhere else."""
    return ("p1", 1, "banker") if item.facts["irregularity"] == "misplaced_bet" else ("", 0, "")


def _who(item: Item) -> set[str]:
    wanted = Played(item).effect
    may = [role for role in STAFF if Played(item, role).effect == wanted]
    return {role for role in may if role == may[0]}


def _players(item: Item) -> set[str]:
    played = Played(item)
    nothing = not (played.options or played.withdrawal or played.late_offer)
    return _only(
        ("play_on_or_back", played.options),
        ("withdraw", played.withdrawal),
        ("insure", played.late_offer),
        ("nothing", nothing),
    )


JUDGES: dict[tuple[str, str], Callable[[Item], set[str]]] = {
    ("totals", "total"): _total,
    ("totals", "winner"): _winner,
    ("drawing", "next_card"): _next_card,
    ("payouts", "outcome"): _outcome,
    ("payouts", "payout"): _payout,
    ("payouts", "commission"): _commission,
    ("chips", "chips"): _chips,
    ("insurance", "offer"): _offer,
    ("insurance", "odds"): _odds,
    ("insurance", "limit"): _limit,
    ("insurance", "pays"): _insurance_pays,
    ("differential", "differential"): _differential,
    ("differential", "room"): _room,
    ("differential", "refused"): _refused,
    ("differential", "pro_rata"): _pro_rata,
    ("cases", "now"): _now,
    ("cases", "who"): _who,
    ("cases", "players"): _players,
}
