"""Tables verified by several processes say what one process says, to the letter, of good and of bad ones."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from lammer.floor.record.contract import Append
from lammer.floor.record.store.opening import open_store
from lammer.floor.record.verify.verify import verify
from lammer.floor.record.verify.verify_elsewhere import Elsewhere
from lammer.floor.record.verify.verify_table import VerifiedTable
from lammer.table import events as e
from lammer.table.journal import Entry, encode
from support.at_table import BOOKS, bets, cards, script


def journal(dealt: str) -> list[Entry]:
    return list(script(*bets(), cards(dealt), {"by": "dealer", "do": "settle"}).journal)


def underpaid(entries: list[Entry]) -> list[Entry]:
    """The same with a settlement that pays a cent less than cards and bets come to."""
    last = entries[-1]
    assert isinstance(last.event, e.RoundSettled)
    line = structs.replace(last.event.lines[0], returned=last.event.lines[0].returned + 1)
    event = structs.replace(last.event, lines=(line, *last.event.lines[1:]))
    return [*entries[:-1], Entry(last.number, last.at, last.by, last.role, event)]


def test_several_processes_find_what_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "house.sqlite"
    chips = Entry(1, journal("KS KD 9H 4C")[0].at, "p1", "player", e.ChipsBrought("p1", 5_00))
    tables = {
        "good": journal("KS KD 9H 4C"),
        "forged": underpaid(journal("KS KD 9H 4C")),
        "moved": [chips],  # No purse gave these chips: only all tables together show it.
    }
    asked: list[tuple[str, ...]] = []
    shared_out = Elsewhere.verify

    def noted(self: Elsewhere, names: Collection[str], *given: Any) -> tuple[VerifiedTable, ...]:
        asked.append(tuple(names))
        return shared_out(self, names, *given)

    monkeypatch.setattr(Elsewhere, "verify", noted)
    with closing(open_store(file)) as store:
        for name, entries in tables.items():
            store.append(Append(name, 0, [encode(entry) for entry in entries])).result()
        here = verify(store, BOOKS)
        there = verify(store, BOOKS, elsewhere=Elsewhere(str(file), processes=2, large=0))
    assert asked == [("forged", "good", "moved")]
    assert there == here
    assert [phrase.values for table in there.tables for phrase in table.wrong] == [
        phrase.values for table in here.tables for phrase in table.wrong
    ]
    by_name = {table.table: table for table in here.tables}
    assert by_name["forged"].wrong
    assert not by_name["good"].wrong
    assert any("p1" in wrong for wrong in here.wrong)


def test_a_small_record_is_verified_where_it_is_asked() -> None:
    place = Elsewhere("nowhere.sqlite", processes=2)
    assert not place.is_worth_it({"t1": 99, "t2": 99}, ["t1", "t2"])
    assert place.is_worth_it({"t1": 10**6, "t2": 99}, ["t1", "t2"])
    assert not Elsewhere("nowhere.sqlite", processes=1).is_worth_it({"t1": 10**6, "t2": 99}, ["t1", "t2"])
