"""A house that cheats with its shoes, and whoever wrote a line or two down and reads the record after.

The house has everything: the program, the database and every key. What it writes is judged by the script in
the guides, which shares no code with it, and by `verify`.
"""

from __future__ import annotations

import json
import os
import runpy
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import lammer
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.views.viewing import Viewer, event_seen, table_seen
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.journal import Entry, encode
from lammer.table.mixing import HOUSE_BYTES
from lammer.table.play import record
from lammer.table.records import BeaconRound
from lammer.table.script import START
from lammer.table.seating import commitment, mixed_order
from lammer.table.setup import SetUp
from lammer.table.state import Table
from lammer.table.verify import verify

BOOK = lammer.rulebook("tiger-buffalo-noncommission@4")
BOOKS = {BOOK.id: BOOK}
SECONDS, BEACON_COMES = 10, 20
BEACON = BeaconRound("ab" * 32, "bls-unchained-g1-rfc9380", "cd" * 96, int(START.timestamp()), 5, 5)
SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "docs/guides/verify_shuffle.py"))


class DishonestHouse:
    """A table whose record its owner may rewrite."""

    def __init__(self, setup: SetUp | None = None) -> None:
        self.table, self.entries = Table(BOOKS), list[Entry]()
        self.ask("pm", "pit_manager", c.SetTable(setup or SetUp(BOOK.id, "A")))
        for box, player in enumerate(("mei", "li"), 1):
            self.ask(player, "player", c.TakeSeat(player, box))

    def ask(self, by: str, role: str, command: c.Command, at: float = 0) -> tuple[e.Event, ...]:
        moment = START + timedelta(seconds=at)
        happened = record(self.table, c.Call(by, role, moment, command))
        for event in happened:
            self.entries.append(Entry(len(self.entries) + 1, moment, by, role, event))
        return happened

    def begin(self, entropy: str, beacon: BeaconRound | None = None) -> str:
        """Begin a shuffle; what the players see of it is what the house is bound to."""
        (begun,) = self.ask("dora", "dealer", c.BeginShuffle(entropy, SECONDS, beacon))
        assert isinstance(begun, e.ShuffleBegun)
        return begun.commitment

    def deal_and_end(self, signature: str = "") -> None:
        dealer = "dora", "dealer"
        self.ask(*dealer, c.PrepareShoe(signature=signature), BEACON_COMES + 1)
        for command in (c.OpenBets(), c.CloseBets()):
            self.ask(*dealer, command, 30)
        while self.table.next_hand() is not None:
            self.ask(*dealer, c.DealCard(), 30)
        self.ask(*dealer, c.Settle(), 30)
        self.ask(*dealer, c.EndShoe(), 30)

    def rewrite(self, kind: type, **change: Any) -> None:
        """Change what the record says, as whoever holds database and key can."""
        for place, entry in enumerate(self.entries):
            if isinstance(entry.event, kind):
                event: Any = entry.event
                self.entries[place] = replace(entry, event=structs.replace(event, **change))

    def told(self, *seen: str) -> tuple[bool, str]:
        """What the script says to somebody who saw these commitments to shoes before the first card."""
        verdicts = SCRIPT["verify"]([encode(entry).decode() for entry in self.entries], seen)
        return all(good for good, _ in verdicts), "; ".join(told for _, told in verdicts)


def fair(beacon: bool = False) -> tuple[DishonestHouse, str]:
    """A house that has not cheated yet, and the commitment to the shoe that everybody saw."""
    house = DishonestHouse()
    house.begin(os.urandom(HOUSE_BYTES).hex(), BEACON if beacon else None)
    house.ask("mei", "player", c.AddEntropy("mei", "out of my own head"), 1)
    house.ask("li", "player", c.AddEntropy("li", "cut 187"), 2)
    house.deal_and_end("ef" * 48 if beacon else "")
    assert house.told(_bound(house)) == (True, house.told()[1])
    assert verify(BOOKS, house.entries)[1] == []
    return house, _bound(house)


def _prepared(house: DishonestHouse) -> e.ShoePrepared:
    return next(entry.event for entry in house.entries if isinstance(entry.event, e.ShoePrepared))


def _ended(house: DishonestHouse) -> e.ShoeEnded:
    return next(entry.event for entry in house.entries if isinstance(entry.event, e.ShoeEnded))


def _bound(house: DishonestHouse) -> str:
    return _prepared(house).commitment


@pytest.mark.parametrize("beacon", [False, True])
def test_a_swapped_shoe_is_seen(beacon: bool) -> None:
    """Another order, bound and revealed as if it had always been that one."""
    house, seen = fair(beacon)
    order = _prepared(house).order
    # Of eight decks two cards side by side may be alike.
    place = next(place for place in range(20, len(order)) if order[place] != order[place + 1])
    swapped = (*order[:place], order[place + 1], order[place], *order[place + 2 :])
    for kind in (e.ShoePrepared, e.ShoeEnded):
        house.rewrite(kind, order=swapped, commitment=commitment(swapped, _ended(house).salt))
    good, told = house.told(seen)
    assert not good
    assert "THE ORDER IS NOT WHAT ITS PARTS COME TO" in told
    assert f"commitment {seen} is not in the file" in told
    assert verify(BOOKS, house.entries)[1]


def test_a_changed_contribution_is_seen_by_whoever_made_it() -> None:
    """The house writes another word for Mei's and makes the shoe anew; in itself that record holds."""
    house, seen = fair()
    house.rewrite(e.EntropyAdded, entropy="something else")
    good, told = house.told(seen)
    assert not good
    assert "NOT MADE OF WHAT WAS ADDED" in told

    parts = tuple(structs.replace(part, entropy="something else") for part in _prepared(house).parts)
    order, salt = mixed_order(house.table, 1, _ended(house).entropy, parts, None)
    house.rewrite(e.ShoePrepared, parts=parts, order=order, salt=salt, commitment=commitment(order, salt))
    house.rewrite(e.ShoeEnded, order=order, salt=salt, commitment=commitment(order, salt))
    assert not house.told(seen)[0], "the commitment to the shoe was there before the first card"


def test_an_ignored_contribution_is_seen() -> None:
    """The house leaves Li's part out of the shoe, and then out of the record too."""
    house, seen = fair()
    kept = _prepared(house).parts[:1]
    order, salt = mixed_order(house.table, 1, _ended(house).entropy, kept, None)
    house.rewrite(e.ShoePrepared, parts=kept, order=order, salt=salt, commitment=commitment(order, salt))
    house.rewrite(e.ShoeEnded, order=order, salt=salt, commitment=commitment(order, salt))
    good, told = house.told()
    assert not good
    assert "NOT MADE OF WHAT WAS ADDED" in told
    assert verify(BOOKS, house.entries)[1]

    house.entries = [entry for entry in house.entries if getattr(entry.event, "player", "") != "li"]
    assert f"commitment {seen} is not in the file" in house.told(seen)[1]


def test_an_entropy_the_house_was_not_bound_to_is_seen() -> None:
    house, seen = fair()
    other = os.urandom(HOUSE_BYTES).hex()
    order, salt = mixed_order(house.table, 1, other, _prepared(house).parts, None)
    house.rewrite(e.ShoePrepared, order=order, salt=salt, commitment=commitment(order, salt))
    house.rewrite(e.ShoeEnded, order=order, salt=salt, commitment=commitment(order, salt), entropy=other)
    assert "THE HOUSE'S ENTROPY IS NOT WHAT IT WAS BOUND TO" in house.told(seen)[1]


def test_a_shoe_beside_the_shuffle_that_was_begun_is_seen() -> None:
    """The house drops the shuffle and deals from a shoe of its own making."""
    house, _ = fair()
    house.rewrite(e.ShoePrepared, house="", parts=())
    assert "NOT MADE OF THE SHUFFLE THAT WAS BEGUN" in house.told()[1]
    assert verify(BOOKS, house.entries)[1]


def test_the_round_of_the_beacon_is_named_before_it_comes() -> None:
    """Chosen late, the house would look at several rounds and take the one it likes."""
    house = DishonestHouse()
    known_already = structs.replace(BEACON, round=1)
    with pytest.raises(Refused, match="does not come after the shuffle closes"):
        house.begin("00" * HOUSE_BYTES, known_already)
    house, _ = fair(beacon=True)
    later = structs.replace(BEACON, round=6, signature="aa" * 48)
    order, salt = mixed_order(house.table, 1, _ended(house).entropy, _prepared(house).parts, later)
    house.rewrite(e.ShoePrepared, beacon=later, order=order, salt=salt, commitment=commitment(order, salt))
    house.rewrite(e.ShoeEnded, order=order, salt=salt, commitment=commitment(order, salt))
    good, told = house.told()
    assert not good
    assert "MADE WITH ANOTHER ROUND OF THE BEACON" in told
    assert verify(BOOKS, house.entries)[1]


def test_nothing_is_revealed_early() -> None:
    """Neither what is shown of a shuffle nor its commitment says anything of the entropy before the end."""
    house = DishonestHouse()
    entropy = os.urandom(HOUSE_BYTES).hex()
    house.begin(entropy)
    house.ask("dora", "dealer", c.PrepareShoe(), SECONDS)
    secrets = entropy, json.dumps(house.table.shoe.order if house.table.shoe else ()), _prepared(house).salt
    for viewer in (Viewer("mei", "player"), Viewer("dora", "dealer"), Viewer("ann", "auditor")):
        shown = [event_seen(RevealedEvent(entry), viewer) for entry in house.entries]
        said = json.dumps([shown, table_seen(house.table, viewer)])
        assert not any(secret in said for secret in secrets), viewer


# --- choosing among shoes ---

CHOSEN = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/chosen_shoes.py"))


@pytest.mark.parametrize(
    ("way", "gains"),
    [
        ("the house alone", True),
        ("a player adds", False),
        ("an accomplice adds last", True),
        ("a beacon comes last", False),
        ("an accomplice and a beacon", False),
    ],
)
def test_choosing_among_many_shoes(way: str, gains: bool) -> None:
    """The best of sixty shoes by what the house can know of them, dealt; beside shoes nobody chose."""
    figures = CHOSEN["measure"](way, shoes=60, trials=16, seed=7)
    assert (figures.advantage > 4 * figures.error) == gains, figures
    assert gains or abs(figures.advantage) < 3 * figures.error, figures
