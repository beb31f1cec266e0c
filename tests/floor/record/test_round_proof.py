"""The proof of a round: its chain up to a signed checkpoint; and finding rounds where no table is named."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import structs

from lammer.floor.record.checkpoints import Checkpoints
from lammer.floor.record.contract import Store, StoredEvent
from lammer.floor.record.round_proof import prove
from lammer.floor.views import finding
from lammer.floor.views.finding import RoundQuery, house_rounds
from lammer.floor.views.shown_record import PassedOnRecord
from lammer.table.journal import encode
from lammer.table.script import START
from support.at_table import bets, cards, script
from support.houses import House, put

MINUTE = timedelta(minutes=1)


def play(store: Store, table: str, rounds: int, *, late: timedelta = timedelta()) -> None:
    """So many rounds at a table, a minute from event to event."""
    steps: list[dict[str, Any]] = []
    for number in range(rounds):
        four = " ".join(f"{rank}{'SHDC'[number % 4]}" for rank in ("92K5", "83Q4")[number // 4 % 2])
        steps += [*bets(), cards(four), {"by": "dealer", "do": "settle"}]
    journal = [
        structs.replace(entry, at=START + late + entry.number * MINUTE) for entry in script(*steps).journal
    ]
    store.append(put(store, table, *(encode(entry) for entry in journal))).result()


class Forged(PassedOnRecord):
    """A record in which one event was changed, its hash left as it was."""

    def __init__(self, record: Store, number: int) -> None:
        super().__init__(record)
        self.number = number

    def read(self, table: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        found = self.record.read(table, after, limit)
        return [
            structs.replace(each, body=each.body + b" ") if each.number == self.number else each
            for each in found
        ]


def test_a_round_is_proven_up_to_its_checkpoint(sqlite: House, tmp_path: Path) -> None:
    store, key = sqlite.open(), Ed25519PrivateKey.generate()
    trusted = [key.public_key().public_bytes_raw()]
    play(store, "t1", 3)
    bare = prove(store, "t1", 5, 9, trusted)
    assert (bare.holds, bare.sealed, bare.joined) == (True, None, False)
    checkpoints = Checkpoints(store, key, tmp_path / "checkpoints.jsonl")
    checkpoints.make(lambda: 1)
    last = store.head("t1").number
    play(store, "t2", 1)
    checkpoints.make(lambda: 2)
    found = prove(store, "t1", 5, 9, trusted)
    assert found.holds
    assert found.sealed is not None
    assert (found.sealed.checkpoint.number, found.stated, found.joined) == (1, last, True)
    assert prove(store, "t1", 1, last, trusted).holds
    # One that is not there yet, one of a stranger's key, one changed event inside and one after the round.
    assert prove(store, "t2", 1, store.head("t2").number, trusted).sealed is not None
    assert "not trusted" in (prove(store, "t1", 5, 9, []).wrong or "")
    assert prove(Forged(store, 7), "t1", 5, 9, trusted).broken == 7
    assert prove(Forged(store, last), "t1", 5, 9, trusted).broken == last
    assert prove(Forged(store, 4), "t1", 5, 9, trusted).holds, "what came before is another round's"


def test_rounds_of_a_whole_house_come_newest_first(sqlite: House, monkeypatch: pytest.MonkeyPatch) -> None:
    store = sqlite.open()
    play(store, "t1", 6)
    play(store, "t2", 9, late=timedelta(seconds=30))
    every, more = house_rounds(store, ("t1", "t2"), RoundQuery())
    assert len(every) == 15
    assert more is None
    assert [each.at for _, each in every] == sorted((each.at for _, each in every), reverse=True)
    # A few at a time, or with little reach, the same rounds come in the same order and none twice.
    for limit, least in ((4, 2_000), (50, 12)):
        monkeypatch.setattr(finding, "LEAST", least)
        monkeypatch.setattr(finding, "REACH", least)
        seen: list[tuple[str, int]] = []
        until = None
        for _ in range(40):
            found, until = house_rounds(store, ("t1", "t2"), RoundQuery(until=until), limit=limit)
            seen += [(table, each.number) for table, each in found]
            if until is None:
                break
        assert seen == [(table, each.number) for table, each in every]
    monkeypatch.undo()
    by_number, _ = house_rounds(store, ("t1", "t2"), RoundQuery(number=7))
    assert [(table, each.number) for table, each in by_number] == [("t2", 7)]
    of_each, more = house_rounds(store, ("t1", "t2"), RoundQuery(number=3), limit=1)
    assert [(table, each.number) for table, each in of_each] == [("t2", 3), ("t1", 3)]
    assert more is None
    assert house_rounds(store, ("t1", "t2"), RoundQuery(player="nobody")) == ([], None)
    assert house_rounds(store, (), RoundQuery()) == ([], None)
