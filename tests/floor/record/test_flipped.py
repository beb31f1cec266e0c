"""A byte of the database that is not what it was: found, or of no consequence.

For every place tried either somebody notices (opening, reading, `verify`), or nothing that anybody reads has
changed, but for what durability.md says nobody notices.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pysqlite3
import pytest
from sqlalchemy import Connection, select, text, update
from sqlalchemy.exc import DBAPIError

from lammer.floor.main import run_house
from lammer.floor.record.checkpoints import FILE
from lammer.floor.record.contract import Damaged, Store
from lammer.floor.record.log.log_secrets import known_secrets
from lammer.floor.record.schema import events, full_metadata, replies
from lammer.floor.record.store.opening import open_record
from lammer.floor.record.verify.verify import trusted_keys, verify
from lammer.floor.settings import Settings
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD
from support.houses import House, key, put, recall
from support.open_house import ask, bet, books, house_on, in_loop, put_up

PLACES = 96
"""How many bytes are flipped, one at a time, all over what is written in the file."""
UNNOTICED = {"attempts", "leases", "tried"}
PASSING = {"written_at", "seen"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with people and some play, closed; its file is whole and has no log beside it."""
    made = tmp_path_factory.mktemp("flipped")

    async def play() -> None:
        async with run_house(Settings(data=str(made), tables=0), books()) as house:
            await put_up(house.context.house)
            for number in range(10):
                await bet(house.context.house, key=f"k{number}")

    in_loop(play)()
    file = pysqlite3.connect(made / "house.sqlite")
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file.close()
    return made


def contents(file: Path) -> dict[str, Any]:
    """All that anybody reads, but for what is known to go unnoticed."""
    record = open_record(file)
    try:
        with record.reading() as connection:
            found: dict[str, Any] = {
                str(table.name): [
                    tuple(value for name, value in row.items() if name not in PASSING)
                    for row in connection.execute(select(table).order_by(*table.primary_key)).mappings()
                ]
                for table in full_metadata().sorted_tables
                if table.name not in UNNOTICED
            }
            found["schema"] = connection.execute(text("SELECT name, sql FROM sqlite_schema")).all()
            return found
    finally:
        record.close()


def noticed(folder: Path, file: Path) -> str:
    """Who says so, or nobody."""
    try:
        record = open_record(file)
    except (Refused, DBAPIError):
        return "opening"
    try:
        trusted = trusted_keys(folder)
        made = verify(
            record,
            books(),
            checkpoints=folder / FILE,
            trusted=trusted,
            every=5.0,
            secrets=known_secrets(folder),
        )
        return "" if made.holds else "verify"
    except (Refused, DBAPIError):
        return "reading"
    finally:
        record.close()


def test_a_flipped_byte_is_found_or_changes_nothing(folder: Path, tmp_path: Path) -> None:
    whole_file = (folder / "house.sqlite").read_bytes()
    before = contents(folder / "house.sqlite")
    assert noticed(folder, folder / "house.sqlite") == "", "as it is nobody objects"
    found: Counter[str] = Counter()
    written = [at for at, byte in enumerate(whole_file) if byte]
    for number in range(PLACES):
        at = written[len(written) * number // PLACES]
        flipped = bytearray(whole_file)
        flipped[at] ^= 1 << number % 8
        file = tmp_path / "house.sqlite"
        file.write_bytes(flipped)
        told = noticed(folder, file)
        found[told] += 1
        if not told:
            assert contents(file) == before, f"byte {at} was changed, and nobody says so"
    assert found["verify"] + found["reading"] + found["opening"] > PLACES / 4, found


@pytest.mark.parametrize(
    "wanted",
    [b'"stake":10000', b"k3", b"first start", b"administrator", b'"events":[{', b"Tiger", b'"signature"'],
    ids=repr,
)
def test_a_flipped_byte_in_what_matters_is_found_everywhere(
    folder: Path, tmp_path: Path, wanted: bytes
) -> None:
    """Every place where these bytes stand."""
    whole_file = (folder / "house.sqlite").read_bytes()
    before = contents(folder / "house.sqlite")
    at, tried = whole_file.find(wanted), 0
    while at >= 0 and tried < 8:
        flipped = bytearray(whole_file)
        flipped[at + len(wanted) // 2] ^= 1
        file = tmp_path / "house.sqlite"
        file.write_bytes(flipped)
        assert noticed(folder, file) or contents(file) == before, at
        at, tried = whole_file.find(wanted, at + len(wanted) * 40), tried + 1
    assert tried or wanted == b"Tiger"


def _flip(connection: Connection) -> None:
    for name in ("events_stay_changed", "events_stay ON events"):
        if ("ON" in name) == (connection.dialect.name == "postgresql"):
            connection.execute(text(f"DROP TRIGGER {name}"))
    body = connection.scalar(select(events.c.body).where(events.c.table_id == "t1", events.c.number == 3))
    assert body is not None
    flipped = bytes((body[0], body[1], body[2] ^ 1, *body[3:]))
    of = (events.c.table_id == "t1") & (events.c.number == 3)
    connection.execute(update(events).where(of).values(body=flipped))


def test_what_is_read_is_held_against_its_hashes(house: House) -> None:
    store = house.open()
    for table in ("t1", "t2"):
        for number in range(5):
            store.append(put(store, table, b'{"n":%d}' % number)).result(GUARD)
    store.write(_flip).result(GUARD)
    for after, limit in ((0, 1000), (2, 1), (1, 2)):
        with pytest.raises(Damaged, match="Table t1, event 3"):
            store.read("t1", after, limit)
    assert [each.number for each in store.read("t1", 3)] == [4, 5], "what stands on its hash can be read"
    assert len(store.read("t2")) == 5
    assert len(store.as_it_lies().read("t1")) == 5, "whoever looks into it can"
    house.close()


def test_an_answer_that_was_changed_is_not_given_again(store: Store) -> None:
    store.append(put(store, "t1", b"{}", key=key("k"), reply=b"100")).result(GUARD)
    assert recall(store, key("k")) is not None
    store.write(lambda c: c.execute(update(replies).values(reply=b"900")).rowcount).result(GUARD)
    with pytest.raises(Damaged, match="the answer given with event 1"):
        recall(store, key("k"))


@in_loop
async def test_a_table_with_a_flipped_event_stops_alone(house: House) -> None:
    async with house_on(house.where) as made:
        for name in ("t1", "t2"):
            await put_up(made, name)
    store = house.open()
    store.write(_flip).result(GUARD)
    house.close()
    async with house_on(house.where) as made:
        assert made.tables.at("t1").broken is not None
        assert made.tables.at("t2").broken is None
        await ask(made, "pit_supervisor", "resolve_interruption", table="t2")
        with pytest.raises(Refused):
            await bet(made, table="t1")
