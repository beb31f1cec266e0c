"""What lies in the database says no card: orders, salts and entropy are sealed, and the key is elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from lammer.floor.record.contract import Record
from lammer.floor.record.sealing import (
    FILE,
    NO_SEALS,
    Seals,
    add_key,
    house_seals,
    keys_in,
    new_key,
    written_keys,
)
from lammer.floor.record.store.opening import open_record
from lammer.floor.record.verify.verify import verify
from lammer.floor.tables import live_table
from lammer.rulebook.refusal import Refused
from support.houses import House
from support.open_house import OpenHouse, books, in_loop, open_house

TABLE = "t1"


async def begin_shoe(house: OpenHouse) -> None:
    """A shared shuffle, its shoe, and a round from it with two cards on the table."""
    await house.table(TABLE, shoe="virtual")
    dealer, mei = await house.person("dealer"), await house.another("mei", "player")
    assert (await mei.ask(TABLE, "take_seat", box=1)).is_success
    assert (await dealer.ask(TABLE, "begin_shuffle")).is_success
    assert (await dealer.ask(TABLE, "prepare_shoe")).is_success
    await deal(house, "open_bets", "close_bets", "deal_card", "deal_card")


async def deal(house: OpenHouse, *steps: str) -> None:
    dealer = await house.person("dealer")
    for do in steps:
        answer = await dealer.ask(TABLE, do)
        assert answer.is_success, answer.text


def secrets_of(house: OpenHouse) -> list[bytes]:
    """What must not be found: some cards yet to come as JSON writes them, the salt, the entropy."""
    shoe = house.house.tables.view(TABLE).table.shoe
    assert shoe is not None
    assert shoe.order
    assert shoe.entropy
    cards = shoe.order[shoe.dealt : shoe.dealt + 8]
    return ['","'.join(cards).encode(), " ".join(cards).encode(), shoe.salt.encode(), shoe.entropy.encode()]


def everything_in(where: str) -> Iterator[bytes]:
    """All that somebody with the database has: the file and its log, or every row of every table."""
    if "://" not in where:
        for path in Path(where).parent.glob(Path(where).name + "*"):
            yield path.read_bytes()
        return
    record = open_record(where)
    try:
        with record.reading() as connection:
            for name in inspect(connection).get_table_names():
                for row in connection.execute(text(f'SELECT * FROM "{name}"')):
                    for value in row:
                        yield value if isinstance(value, bytes) else str(value).encode()
    finally:
        record.close()


def found(where: str, secrets: list[bytes]) -> int:
    return sum(secret in stored for stored in everything_in(where) for secret in secrets)


@pytest.mark.parametrize("sealed", [True, False])
@in_loop
async def test_a_database_read_whole_says_no_card(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, sealed: bool
) -> None:
    """Where nothing is sealed, as it was before, the same search finds them."""
    monkeypatch.setattr(live_table, "WORTH_FREEZING", 1)
    if not sealed:
        monkeypatch.setattr("lammer.floor.main.house_seals", lambda folder, sealing: NO_SEALS)
    folder = tmp_path / "folder"
    async with open_house(folder, store=house.where, shuffle_seconds=0) as open_:
        await begin_shoe(open_)
        secrets = secrets_of(open_)
    assert (await asyncio.to_thread(found, house.where, secrets) == 0) == sealed
    async with open_house(folder, store=house.where, shuffle_seconds=0) as open_:
        assert secrets_of(open_) == secrets, "with the key the shoe goes on"


@in_loop
async def test_the_record_is_verified_with_and_without_the_key(house: House, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    async with open_house(folder, store=house.where, shuffle_seconds=0) as open_:
        await begin_shoe(open_)
        await finish_round(open_)
        dealer = await open_.person("dealer")
        assert (await dealer.ask(TABLE, "end_shoe")).is_success
        assert not problems(open_.house.store)
    record = await asyncio.to_thread(open_record, house.where)
    assert record.seals is NO_SEALS
    assert not problems(record)
    record.close()


def problems(record: Record) -> list[str]:
    return [str(doubt) for table in verify(record, books()).tables for doubt in table.wrong]


async def finish_round(house: OpenHouse) -> None:
    while house.house.tables.view(TABLE).table.next_hand() is not None:
        await deal(house, "deal_card")
    await deal(house, "settle")


@in_loop
async def test_a_lost_key_costs_the_shoe_and_not_the_record(house: House, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    async with open_house(folder, store=house.where, shuffle_seconds=0) as open_:
        await begin_shoe(open_)
    (folder / FILE).unlink()
    async with open_house(folder, store=house.where, shuffle_seconds=0) as open_:
        at = open_.house.tables.at(TABLE)
        assert at.view.table.shoe is not None
        assert at.view.table.shoe.lost
        dealer, pit = await open_.person("dealer"), await open_.person("pit_manager")
        seen = (await dealer.get(f"/api/tables/{TABLE}")).json()
        assert seen["round"]["interrupted"]
        assert (await pit.ask(TABLE, "resolve_interruption")).is_success
        if open_.house.tables.view(TABLE).table.shoe is not None and not is_over(open_):
            refused = (await dealer.ask(TABLE, "deal_card")).json()
            assert (refused["code"], bool(refused["citation"])) == ("shoe_ran_dry", True)
            assert (await pit.ask(TABLE, "void_round", cause="shoe_ran_dry")).is_success
        if open_.house.tables.view(TABLE).table.shoe is not None:
            await deal(open_, "end_shoe")
        await deal(open_, "prepare_shoe", "open_bets", "close_bets", "deal_card")
        assert ["never revealed" in each for each in problems(open_.house.store)] == [True]


def is_over(house: OpenHouse) -> bool:
    this_round = house.house.tables.view(TABLE).table.round
    return this_round is not None and this_round.phase == "void"


@in_loop
async def test_a_new_key_seals_and_the_old_one_still_opens(sqlite: House, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    async with open_house(folder, store=sqlite.where, shuffle_seconds=0) as open_:
        await begin_shoe(open_)
        secrets = secrets_of(open_)
    (old, _) = keys_in(folder / FILE)[0]
    name = add_key(folder / FILE)
    assert [each for each, _ in keys_in(folder / FILE)] == [name, old]
    assert (folder / FILE).stat().st_mode & 0o777 == 0o600
    async with open_house(folder, store=sqlite.where, shuffle_seconds=0) as open_:
        assert secrets_of(open_) == secrets
        pit = await open_.person("pit_manager")
        assert (await pit.ask(TABLE, "resolve_interruption")).is_success
        if not is_over(open_):
            await finish_round(open_)
        dealer = await open_.person("dealer")
        await dealer.ask(TABLE, "end_shoe", reason="the key is new")
        await deal(open_, "prepare_shoe")
    stored = b"".join(everything_in(sqlite.where))
    assert f'"sealed":"{name}:'.encode() in stored


def test_keys_come_from_a_file_a_variable_or_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_key()
    (tmp_path / "keys").write_text(written_keys([key]))
    (tmp_path / "keys").chmod(0o644)
    with pytest.raises(Refused, match="can be read by others"):
        house_seals(tmp_path, str(tmp_path / "keys"))
    (tmp_path / "keys").chmod(0o600)
    monkeypatch.setenv("THE_KEY", written_keys([key]))
    sealed = house_seals(tmp_path, str(tmp_path / "keys")).seal_bytes(b"AS", b"t1")
    for where in ("env:THE_KEY", f"command:cat {tmp_path / 'keys'}"):
        assert house_seals(tmp_path, where).open_bytes(sealed, b"t1") == b"AS"
    assert house_seals(tmp_path / "house").open_bytes(sealed, b"t1") is None
    for where in ("env:NOTHING_THERE", "command:false", "command:", str(tmp_path / "missing")):
        with pytest.raises(Refused, match="cannot be read"):
            house_seals(tmp_path, where)


def test_a_sealed_thing_is_opened_only_where_it_was_put() -> None:
    seals = Seals([new_key()])
    sealed = seals.seal_bytes(b"AS KD", b"lammer t1 3")
    assert seals.open_bytes(sealed, b"lammer t1 4") is None
    name, _, body = sealed.partition(":")
    assert seals.open_bytes(f"{name}:{'A' if body[0] != 'A' else 'B'}{body[1:]}", b"lammer t1 3") is None
