"""A shared shuffle at the table: who may add what and when, and that its shoe is made of all of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import pytest
from msgspec import structs

import lammer
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.journal import Entry, decode, encode, replay, snapshot
from lammer.table.mixing import HOUSE_BYTES, house_commitment
from lammer.table.play import record
from lammer.table.records import BeaconRound
from lammer.table.script import START
from lammer.table.setup import SetUp
from lammer.table.state import Table
from lammer.table.verify import verify

BOOK = lammer.rulebook("tiger-buffalo-noncommission@4")
BOOKS = {BOOK.id: BOOK}
HOUSE = bytes(range(HOUSE_BYTES)).hex()
SECONDS = 10
AFTER = SECONDS + 1
BEACON = BeaconRound("ab" * 32, "bls-unchained-g1-rfc9380", "cd" * 96, int(START.timestamp()), 3, 9)
"""Its round comes 24 seconds after the start."""


class SharedTable:
    """A table with two players, and everything that happened at it."""

    def __init__(self) -> None:
        self.table, self.entries = Table(BOOKS), list[Entry]()
        self.ask("pm", "pit_manager", c.SetTable(SetUp(BOOK.id, "A")))
        self.ask("mei", "player", c.TakeSeat("mei", 2))
        self.ask("li", "player", c.TakeSeat("li", 1))

    def ask(self, by: str, role: str, command: c.Command, at: float = 0) -> tuple[e.Event, ...]:
        moment = START + timedelta(seconds=at)
        happened = record(self.table, c.Call(by, role, moment, command))
        for event in happened:
            self.entries.append(Entry(len(self.entries) + 1, moment, by, role, event))
        return happened

    def begin(self, beacon: BeaconRound | None = None) -> None:
        self.ask("dora", "dealer", c.BeginShuffle(HOUSE, SECONDS, beacon))

    def add(self, player: str, words: str, at: float = 1) -> None:
        self.ask(player, "player", c.AddEntropy(player, words), at)

    def shoe(self, at: float = AFTER, **beacon: str) -> e.ShoePrepared:
        (prepared,) = self.ask("dora", "dealer", c.PrepareShoe(**beacon), at)
        assert isinstance(prepared, e.ShoePrepared)
        return prepared

    def refused(self, by: str, role: str, command: c.Command, at: float = 1) -> str:
        before = snapshot(self.table)
        with pytest.raises(Refused) as caught:
            self.ask(by, role, command, at)
        assert snapshot(self.table) == before
        return caught.value.code


def test_a_shoe_is_made_of_what_everybody_added_and_reveals_it() -> None:
    at = SharedTable()
    at.begin()
    at.add("mei", "first thoughts")
    at.add("li", "cut 187")
    at.add("mei", "second thoughts", 2)
    prepared = at.shoe()
    assert prepared.house == house_commitment(HOUSE)
    assert [(part.box, part.entropy) for part in prepared.parts] == [(1, "cut 187"), (2, "second thoughts")]
    (ended,) = at.ask("dora", "dealer", c.EndShoe("a check"), AFTER)
    assert isinstance(ended, e.ShoeEnded)
    assert (ended.entropy, ended.order) == (HOUSE, prepared.order)
    assert at.table.shuffle is None


def test_every_part_changes_the_order() -> None:
    def order(
        *parts: tuple[str, str], beacon: BeaconRound | None = None, signature: str = ""
    ) -> tuple[str, ...]:
        at = SharedTable()
        at.begin(beacon)
        for player, words in parts:
            at.add(player, words)
        return at.shoe(at=60, signature=signature).order

    orders = [
        order(),
        order(("mei", "a")),
        order(("mei", "b")),
        order(("li", "a")),
        order(("li", "a"), ("mei", "a")),
        order(("mei", "a"), beacon=BEACON, signature="01"),
        order(("mei", "a"), beacon=BEACON, signature="02"),
    ]
    assert len(set(orders)) == len(orders)
    assert order(("mei", "a"), ("li", "b")) == order(("li", "b"), ("mei", "a")), (
        "by box, not by who was quicker"
    )


def test_the_time_to_add_is_kept_on_both_sides() -> None:
    at = SharedTable()
    assert at.refused("mei", "player", c.AddEntropy("mei", "early")) == "no_shuffle"
    at.begin()
    assert at.refused("dora", "dealer", c.PrepareShoe()) == "shuffle_open"
    assert at.refused("mei", "player", c.AddEntropy("mei", "late"), SECONDS) == "shuffle_closed"
    assert at.refused("ann", "player", c.AddEntropy("ann", "standing")) == "not_seated"
    assert at.refused("mei", "player", c.AddEntropy("li", "not mine")) == "not_your_bet"
    for words in ("", "  ", "x" * 201, "a\nb"):
        assert at.refused("mei", "player", c.AddEntropy("mei", words)) == "malformed_input"


def test_staff_add_for_a_player_and_never_change_what_was_added() -> None:
    at = SharedTable()
    at.begin()
    at.ask("dora", "dealer", c.AddEntropy("mei", "cut 12"), 1)
    at.add("mei", "cut 13", 2)
    assert at.refused("dora", "dealer", c.AddEntropy("mei", "cut 14")) == "not_your_role"


def test_a_shuffle_that_was_begun_makes_the_next_shoe() -> None:
    at = SharedTable()
    at.begin()
    assert at.refused("dora", "dealer", c.BeginShuffle("11" * HOUSE_BYTES, 0)) == "shuffle_under_way"
    assert at.refused("dora", "dealer", c.PrepareShoe("11" * 2000), AFTER) == "shuffle_under_way"
    setup = SetUp(BOOK.id, "A", decks=6)
    assert at.refused("pm", "pit_manager", c.SetTable(setup)) == "shuffle_under_way"
    assert at.refused("pm", "pit_manager", c.AbandonShuffle(" ")) == "reason_needed"
    (given_up,) = at.ask("pm", "pit_manager", c.AbandonShuffle("the beacon is gone"), 1)
    assert isinstance(given_up, e.ShuffleAbandoned)
    assert given_up.entropy == HOUSE
    assert at.refused("pm", "pit_manager", c.AbandonShuffle("again")) == "no_shuffle"
    assert at.refused("dora", "dealer", c.BeginShuffle("11" * 16, 0)) == "malformed_input"


def test_a_read_shoe_is_not_shuffled_here() -> None:
    at = SharedTable()
    at.ask("pm", "pit_manager", c.SetTable(SetUp(BOOK.id, "A", shoe="read")))
    assert at.refused("dora", "dealer", c.BeginShuffle(HOUSE, 0)) == "no_shuffle"


def test_a_beacon_comes_after_the_close_and_no_other_round_will_do() -> None:
    at = SharedTable()
    early = structs.replace(BEACON, round=4)  # It comes while players may still add.
    assert at.refused("dora", "dealer", c.BeginShuffle(HOUSE, SECONDS, early)) == "malformed_input"
    assert at.refused(
        "dora", "dealer", c.BeginShuffle(HOUSE, SECONDS, structs.replace(BEACON, signature="aa"))
    ) == ("malformed_input")
    at.begin(BEACON)
    assert at.refused("dora", "dealer", c.PrepareShoe(signature="ab" * 48), AFTER) == "beacon_awaited"
    assert at.refused("dora", "dealer", c.PrepareShoe(), 3_600) == "beacon_awaited"
    assert at.refused("dora", "dealer", c.PrepareShoe(signature="no hex"), 3_600) == "beacon_awaited"
    prepared = at.shoe(at=25, signature="ab" * 48)
    assert prepared.beacon == structs.replace(BEACON, signature="ab" * 48)


def played_through() -> list[Entry]:
    at = SharedTable()
    at.begin(BEACON)
    at.add("mei", "a")
    at.add("li", "b")
    at.shoe(at=25, signature="ab" * 48)
    at.ask("dora", "dealer", c.EndShoe("a check"), 30)
    assert snapshot(replay(BOOKS, [decode(encode(entry)) for entry in at.entries])) == snapshot(at.table)
    return at.entries


def test_the_record_of_a_shared_shuffle_is_verified() -> None:
    assert verify(BOOKS, played_through())[1] == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (e.ShuffleBegun, {"entropy": "22" * HOUSE_BYTES}),
        (e.ShuffleBegun, {"commitment": "22" * 32}),
        (e.ShoePrepared, {"parts": ()}),
        (e.ShoePrepared, {"house": ""}),
        (e.ShoePrepared, {"beacon": None}),
        (e.ShoePrepared, {"beacon": structs.replace(BEACON, round=10, signature="ab" * 48)}),
        (e.ShoePrepared, {"beacon": structs.replace(BEACON, signature="ac" * 48)}),
        (e.EntropyAdded, {"entropy": "z"}),
        (e.ShoeEnded, {"entropy": "22" * HOUSE_BYTES}),
    ],
)
def test_a_change_of_any_part_is_noticed(kind: type, change: dict[str, Any]) -> None:
    changed = [
        structs.replace(entry, event=structs.replace(cast(Any, entry.event), **change))
        if isinstance(entry.event, kind)
        else entry
        for entry in played_through()
    ]
    assert verify(BOOKS, changed)[1], f"{kind.__name__} {change}"
