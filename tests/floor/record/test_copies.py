"""Backups made while the house runs, put back into either database, and exports."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import re
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lammer.floor.record.chain import first_break
from lammer.floor.record.checkpoints import Checkpoints, check_checkpoints
from lammer.floor.record.contract import Append, Store
from lammer.floor.record.copies import back_up, restore
from lammer.floor.record.exports import Selection, export
from lammer.floor.record.signing_key import house_key
from lammer.floor.tables.approvals import Approvals
from lammer.floor.tables.command_request import CommandRequest
from lammer.rulebook.refusal import Refused
from lammer.table.journal import Entry, decode, encode
from support.awaited import GUARD
from support.chains import check_chain
from support.houses import House, intact, key, recall
from support.servers import Server
from support.walk import TableWalk


def played(store: Store, table: str, seed: int, steps: int = 400) -> list[Entry]:
    """A real table's journal in the store."""
    walk = TableWalk(seed)
    for _ in range(steps):
        walk.step()
    bodies = tuple(encode(entry) for entry in walk.journal)
    store.append(Append(table, 0, bodies, key(table), b"all of it")).result(GUARD)
    return walk.journal


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request: pytest.FixtureRequest, tmp_path: Path, server: Server) -> Any:
    where = str(tmp_path / "other.sqlite") if request.param == "sqlite" else server.new_database()
    opened = House(request.param, where)
    yield opened
    opened.close()


def test_a_backup_goes_into_either_database(house: House, other: House, tmp_path: Path) -> None:
    store = house.open()
    played(store, "t1", 1)
    played(store, "老虎", 2)
    signer = house_key(tmp_path)
    Checkpoints(store, signer, tmp_path / "checkpoints.jsonl").make()
    copied = back_up(house.look(), tmp_path / "backup.gz")
    new = other.open()
    assert restore(new, tmp_path / "backup.gz") == copied
    assert copied["events"] == sum(len(bodies) for bodies in intact(store).values())
    assert intact(new) == intact(store)
    assert {t: new.read(t) for t in new.tables()} == {t: store.read(t) for t in store.tables()}
    assert new.heads() == store.heads()
    assert recall(new, key("t1")) == recall(store, key("t1"))
    assert new.checkpoints() == store.checkpoints()
    trusted = {signer.public_key().public_bytes_raw()}
    assert check_checkpoints(new, store.checkpoints(), trusted) == []
    assert [check_chain(new, table) for table in new.tables()] == [None, None]
    assert back_up(new, tmp_path / "again.gz") == copied
    assert without_head(tmp_path / "again.gz") == without_head(tmp_path / "backup.gz")
    new.append(Append("t1", new.head("t1").number, (b"{}",))).result(GUARD)


def without_head(file: Path) -> list[bytes]:
    """The rows, in one order; the first and the last line say when it was made, and a digest of that."""
    return sorted(gzip.decompress(file.read_bytes()).splitlines()[1:-1])


def test_a_backup_is_of_one_moment(house: House, tmp_path: Path) -> None:
    """Two tables are written turn by turn while copies are taken: none has the second ahead of the first."""
    store = house.open()
    over = threading.Event()
    written = 0

    def write() -> None:
        nonlocal written
        while not over.is_set():
            for table in ("first", "second"):
                store.append(Append(table, written, (b"{}",) * 1)).result(GUARD)
            written += 1

    writing = threading.Thread(target=write, daemon=True)
    writing.start()
    try:
        for _ in range(10):
            before = written
            back_up(store, tmp_path / "backup.gz")
            rows = gzip.decompress((tmp_path / "backup.gz").read_bytes()).splitlines()
            first, second = (
                sum(line.startswith(b'["%s"' % t) for line in rows) for t in (b"first", b"second")
            )
            assert before <= second <= first <= second + 1
    finally:
        over.set()
        writing.join()


def test_a_backup_that_is_not_whole_is_not_restored(house: House, sqlite: House, tmp_path: Path) -> None:
    source = House("sqlite", str(tmp_path / "source.sqlite")) if house.kind == "sqlite" else house
    played(source.open(), "t1", 3, 60)
    back_up(source.look(), tmp_path / "good.gz")
    source.close()
    lines = gzip.decompress((tmp_path / "good.gz").read_bytes()).splitlines(keepends=True)
    target = sqlite.open()
    event = next(n for n, line in enumerate(lines) if line.startswith(b'["t1"'))
    for changed in (
        lines[:-1],
        lines[:3],
        [],
        [*lines[:event], *lines[event + 1 :]],
        [*lines[: event + 1], *lines[event:]],
        [*lines[:event], lines[event].replace(b'"t1"', b'"t2"'), *lines[event + 1 :]],
        [lines[0], *lines[2:]],
        [lines[0], b'{"table":"else","columns":[]}\n', *lines[1:]],
        [*lines[:-1], lines[-1].replace(b'"replies":1', b'"replies":2')],
        [*lines[:-1], lines[-1].replace(b'"sha256":"', b'"sha256":"0')],
    ):
        assert changed != lines
        (tmp_path / "bad.gz").write_bytes(gzip.compress(b"".join(changed)))
        with pytest.raises(Refused, match="backup_damaged"):
            restore(target, tmp_path / "bad.gz")
    for raw in (b"not gzip", (tmp_path / "good.gz").read_bytes()[:-200]):
        (tmp_path / "bad.gz").write_bytes(raw)
        with pytest.raises(Refused, match="backup_damaged"):
            restore(target, tmp_path / "bad.gz")
    with pytest.raises(Refused, match="backup_damaged"):
        restore(target, tmp_path / "none.gz")
    (tmp_path / "bad.gz").write_bytes(
        gzip.compress(lines[0].replace(b'"revision":"', b'"revision":"9') + lines[-1])
    )
    with pytest.raises(Refused, match="database_too_new"):
        restore(target, tmp_path / "bad.gz")
    assert target.tables() == []
    restore(target, tmp_path / "good.gz")
    with pytest.raises(Refused, match="database_not_empty"):
        restore(target, tmp_path / "good.gz")


def test_a_backup_that_cannot_be_written_leaves_the_one_before_it(
    sqlite: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = sqlite.open()
    played(store, "t1", 4, 60)
    (tmp_path / "kept").mkdir()
    before = back_up_bytes(store, tmp_path / "kept" / "backup.gz")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as once:
        once.setattr("lammer.floor.record.copies.os.fsync", full)
        with pytest.raises(Refused, match="cannot_write"):
            back_up(store, tmp_path / "kept" / "backup.gz")
    assert [(file.name, file.read_bytes()) for file in (tmp_path / "kept").iterdir()] == [
        ("backup.gz", before)
    ]
    with pytest.raises(Refused, match="cannot_write"):
        back_up(store, tmp_path / "nowhere" / "backup.gz")


def test_a_backup_of_an_earlier_version_is_restored(house: House, sqlite: House, tmp_path: Path) -> None:
    """What it did not know of is as it would be in a database brought up to date."""
    source = House("sqlite", str(tmp_path / "source.sqlite")) if house.kind == "sqlite" else house
    store = source.open()
    asked = CommandRequest("anna", "pit_supervisor", "reopen_settlement", {"reason": "a card"})
    made = Approvals(store).propose("t1", asked, None, datetime(2026, 7, 1, tzinfo=UTC), "round 7 settled")
    lines = gzip.decompress(back_up_bytes(store, tmp_path / "now.gz")).splitlines(keepends=True)
    source.close()
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"table":"proposals"'))
    lines[at] = lines[at].replace(b',"stood"', b"")
    lines[at + 1] = lines[at + 1].replace(b',"round 7 settled"', b"")
    lines[0] = re.sub(rb'"revision":"\d+"', b'"revision":"0003"', lines[0])
    last = msgspec.json.decode(lines[-1])
    last["sha256"] = sha256(b"".join(lines[:-1])).hexdigest()
    (tmp_path / "then.gz").write_bytes(gzip.compress(b"".join((*lines[:-1], msgspec.json.encode(last)))))
    target = sqlite.open()
    restore(target, tmp_path / "then.gz")
    assert Approvals(target).find("t1", made.id) == replace(made, stood="")


def back_up_bytes(store: Store, file: Path) -> bytes:
    back_up(store, file)
    return file.read_bytes()


def exported(store: Store, form: Any, selection: Selection | None = None) -> list[Any]:
    out = io.StringIO()
    number = export(store, out, form, selection)
    out.seek(0)
    lines = list(csv.DictReader(out)) if form == "csv" else [msgspec.json.decode(line) for line in out]
    assert len(lines) == number
    return lines


def test_exports_have_every_event_and_its_round(store: Store) -> None:
    journal = played(store, "t1", 4)
    played(store, "t2", 5, 50)
    lines = [line for line in exported(store, "jsonl") if line["table"] == "t1"]
    assert [decode(msgspec.json.encode(line["entry"])) for line in lines] == journal
    chain = [
        (
            line["number"],
            msgspec.json.encode(line["entry"]),
            bytes.fromhex(line["hash"]),
            bytes.fromhex(line["answer"]) if "answer" in line else None,
        )
        for line in lines
    ]
    assert first_break("t1", chain) is None, "a chain can be recomputed from an export"
    opened = 0
    for line in lines:
        if line["entry"]["event"] == "BettingOpened":
            opened = line["entry"]["round"]
        if line["entry"]["event"] in {"BetPlaced", "CardDealt", "RoundSettled", "InsurancePlaced"}:
            assert line["round"] == opened
    sheet = exported(store, "csv", Selection(tables=("t1",)))
    assert [(int(row["number"]), row["event"], row["hash"]) for row in sheet] == [
        (line["number"], line["entry"]["event"], line["hash"]) for line in lines
    ]


def test_exports_by_number_round_and_time(store: Store) -> None:
    journal = played(store, "t1", 6)
    everything = exported(store, "jsonl")
    rounds = [line["round"] for line in everything]
    some = exported(store, "jsonl", Selection(numbers=(100, 150)))
    assert [line["number"] for line in some] == list(range(100, 151))
    assert [line["round"] for line in some] == rounds[99:150], "the round is known from what came before"
    by_round = exported(store, "jsonl", Selection(rounds=(2, 3)))
    assert [line["number"] for line in by_round] == [n for n, r in enumerate(rounds, 1) if r in (2, 3)]
    middle = journal[len(journal) // 2].at
    until = exported(store, "jsonl", Selection(times=(None, middle)))
    since = exported(store, "jsonl", Selection(times=(middle + timedelta(microseconds=1), None)))
    assert len(until) + len(since) == len(journal)


def test_a_name_is_not_a_formula(store: Store) -> None:
    body = b'{"number":1,"at":"2026-01-01T00:00:00Z","by":"=1+1","role":"player","event":"X","player":"@x"}'
    store.append(Append("-t", 0, (body,))).result(GUARD)
    row = exported(store, "csv")[0]
    assert (row["table"], row["by"]) == ("'-t", "'=1+1")
    assert row["details"] == '{"player":"@x"}'
