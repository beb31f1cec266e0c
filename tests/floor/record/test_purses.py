"""A player's money is one: it moves between purse and table whole or not at all, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

import lammer.floor.tables.house
from lammer.floor.record.contract import Append, Conflict, Fenced, Record, StoreUnavailable
from lammer.floor.record.copies import back_up, restore
from lammer.floor.record.purses import Purses, Transfer, open_purse, purses
from lammer.floor.record.registry import Listed
from lammer.floor.record.row_journal import head as journal_head
from lammer.floor.record.verify.verify import verify
from lammer.floor.settings import Settings
from lammer.floor.tables.house import House
from lammer.floor.views.viewing import Viewer, on_felt
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD, until_so
from support.failing_store import FAULTS, Failing
from support.houses import House as Place, held_back as held_back_store, intact, key, put
from support.open_house import (
    SETUP,
    OpenHouse,
    Person,
    as_recorded,
    ask,
    bet,
    books,
    held_back,
    house_on,
    in_loop,
    knowing_nothing,
    open_house,
    put_up,
)
from support.servers import Server

CHIPS = 2_000
ALL = CHIPS * 100


def purse(record: Record | House, player: str = "p1") -> int | None:
    """What is in a purse by the record; None where it was never opened."""
    store = record.store if isinstance(record, House) else record
    with store.reading() as connection:
        return connection.scalar(select(purses.c.balance).where(purses.c.player == player))


def at_table(house: House, table: str = "t1", player: str = "p1") -> int:
    """A player's chips at a table, by what is on disk; those on the felt are not among them."""
    return house.tables.view(table).table.accounts.get(f"player:{player}", 0)


def holds(record: Record) -> None:
    """The whole record verifies, purses and all; checkpoints are not made here."""
    made = verify(record, books())
    wrong = [each for each in made.wrong if "public key" not in each]
    assert not wrong, wrong
    assert not any(table.wrong for table in made.tables), made.tables


# --- the store ---------------------------------------------------------------------------------------------


def out_of(player: str, cents: int) -> Callable[[Connection], None]:
    """Work that takes chips out of a purse of 10.00."""
    return Purses(None, 10_00).beside(Transfer(player, cents, cents))  # type: ignore[arg-type]


def test_rows_and_purse_are_one_transaction(house: Place) -> None:
    store = house.open()
    lines = journal_head(store).number
    done = store.append(Append("t1", 0, (b"1", b"2"), key("k"), b"moved", beside=out_of("p1", 4_00)))
    assert done.result(GUARD).last == 2
    assert purse(store) == 6_00
    assert journal_head(store).number == lines + 1, "and the journal tells of the purse"
    with pytest.raises(Refused, match=r"not_enough_chips: p1 has 6.00 in the purse, not 7.00"):
        store.append(Append("t1", 2, (b"3",), key("l"), b"", beside=out_of("p1", 7_00))).result(GUARD)
    assert (purse(store), journal_head(store).number) == (6_00, lines + 1)
    assert store.append(Append("t1", 2, (b"3",), key("l"), b"now")).result(GUARD).reply == b"now"
    assert intact(store) == {"t1": [b"1", b"2", b"3"]}


def test_under_a_known_key_the_work_is_not_done_again(house: Place) -> None:
    """Also where the purse would refuse it by now, and where another store wrote it."""
    store = house.open()
    first = store.append(Append("t1", 0, (b"1",), key("k"), b"moved", beside=out_of("p1", 10_00)))
    assert first.result(GUARD).repeat is False
    stores = [store, house.open()] if house.kind == "postgresql" else [store]
    for each in stores:
        for after in (0, 1):
            again = each.append(Append("t1", after, (b"1",), key("k"), b"x", beside=out_of("p1", 10_00)))
            assert (again.result(GUARD).repeat, again.result(GUARD).reply) == (True, b"moved")
    assert purse(store) == 0
    assert intact(store) == {"t1": [b"1"]}


def test_what_was_decided_on_another_state_moves_nothing(house: Place) -> None:
    store = house.open()
    store.append(Append("t1", 0, (b"1",))).result(GUARD)
    with pytest.raises(Conflict):
        store.append(Append("t1", 0, (b"x",), beside=out_of("p1", 1_00))).result(GUARD)
    assert purse(store) is None


def test_a_lost_turn_moves_nothing(house: Place) -> None:
    store = house.open()
    first = store.take("t1", "one", -1)
    assert store.append(Append("t1", 0, (b"1",), epoch=first, beside=out_of("p1", 1_00))).result(GUARD)
    assert store.take("t1", "two", 60) != first
    with pytest.raises(Fenced):
        store.append(Append("t1", 1, (b"x",), epoch=first, beside=out_of("p1", 1_00))).result(GUARD)
    assert purse(store) == 9_00


def test_work_that_goes_wrong_undoes_all_of_it(house: Place) -> None:
    store = house.open()

    def half(connection: Connection) -> None:
        open_purse(connection, "p1", 5_00)
        raise ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError):
        store.append(Append("t1", 0, (b"x",), beside=half)).result(GUARD)
    assert (purse(store), store.head("t1").number) == (None, 0)
    assert store.append(Append("t1", 0, (b"1",), beside=out_of("p1", 1_00))).result(GUARD).last == 1


def test_order_is_kept_among_plain_appends(house: Place) -> None:
    """A refused one takes those with it that were decided on it, and no others."""
    store = house.open()
    with held_back_store(store):
        asked = [
            store.append(Append("t1", 0, (b"1",))),
            store.append(Append("t1", 1, (b"2",), beside=out_of("p1", 1_00))),
            store.append(Append("t1", 2, (b"3",))),
            store.append(Append("t2", 0, (b"x",))),
            store.append(Append("t1", 3, (b"no",), beside=out_of("p1", 10_00))),
            store.append(Append("t1", 4, (b"never",))),
            store.append(Append("t2", 1, (b"y",))),
        ]
    told = [future.exception(GUARD) for future in asked]
    assert [None if error is None else error.code for error in told] == [  # type: ignore[attr-defined]
        None, None, None, None, "not_enough_chips", "table_moved_on", None,
    ]  # fmt: skip
    assert intact(store) == {"t1": [b"1", b"2", b"3"], "t2": [b"x", b"y"]}


def test_a_player_may_be_called_anything(house: Place) -> None:
    """Also as bytes look to one of the databases: the journal knows the row by its name."""
    store = house.open()
    for name in (r"\xdeadbeef", "陈 大文", "a'b\"c"):
        store.append(put(store, "t1", b"1", beside=out_of(name, 1_00))).result(GUARD)
        assert purse(store, name) == 9_00
    made = verify(store, books(), tables=())
    assert not [wrong for wrong in made.wrong if wrong.startswith("purses ")], made.wrong


# --- the house ---------------------------------------------------------------------------------------------


@in_loop
async def test_the_same_chips_are_not_staked_at_two_tables(house: Place) -> None:
    async with house_on(house.where, chips=CHIPS) as context:
        await put_up(context)
        await put_up(context, "t2")
        first = await bet(context, stake="1500")
        assert [each["event"] for each in first["events"]] == ["ChipsBrought", "BetPlaced"]
        assert (first["events"][0]["amount"], purse(context)) == (1500_00, 500_00)
        with pytest.raises(
            Refused, match=r"p1 has 0.00 at this table and 500.00 in the purse, and stakes 800"
        ):
            await bet(context, stake="800", table="t2")
        told = await bet(context, stake="500", table="t2")
        assert told["events"][0]["amount"] == 500_00, "less than a thousand: the whole purse"
        with pytest.raises(Refused, match="not_enough_chips"):
            await bet(context, stake="10", table="t2")
        assert (at_table(context), at_table(context, "t2")) == (0, 0)
        assert purse(context) == 0
        holds(context.store)


@in_loop
async def test_a_bet_within_the_chips_at_the_table_touches_no_purse(house: Place) -> None:
    async with house_on(house.where, chips=CHIPS) as context:
        await put_up(context)
        assert len((await bet(context, stake="100"))["events"]) == 2
        assert (purse(context), at_table(context)) == (ALL - 1000_00, 900_00)
        lines = journal_head(context.store).number
        for _ in range(9):
            assert len((await bet(context, stake="100"))["events"]) == 1
        assert journal_head(context.store).number == lines
        assert (purse(context), at_table(context)) == (ALL - 1000_00, 0)


@in_loop
async def test_chips_are_brought_and_taken_away(house: Place) -> None:
    async with house_on(house.where, chips=CHIPS) as context:
        await put_up(context)
        await ask(context, "p1", "bring_chips", amount="700")
        assert (purse(context), at_table(context)) == (ALL - 700_00, 700_00)
        await bet(context, stake="300")
        with pytest.raises(Refused, match=r"p1 has 400.00 at this table and takes 401.00 away"):
            await ask(context, "p1", "take_chips", amount="401")
        await ask(context, "p1", "take_chips", amount="400")
        assert (purse(context), at_table(context)) == (ALL - 300_00, 0), "the rest lies on the felt"
        with pytest.raises(Refused, match=r"p1 has 1,700.00 in the purse, not 1,700.01"):
            await ask(context, "p1", "bring_chips", amount="1700.01")
        await ask(context, "dealer", "bring_chips", player="p2", amount="50")
        assert (purse(context, "p2"), at_table(context, player="p2")) == (ALL - 50_00, 50_00)
        with pytest.raises(Refused, match="not_your_bet"):
            await ask(context, "p1", "take_chips", player="p2", amount="50")
        holds(context.store)


@in_loop
async def test_where_chips_are_not_counted_there_are_no_purses(house: Place) -> None:
    async with house_on(house.where) as context:
        await put_up(context)
        for do in ("bring_chips", "take_chips"):
            with pytest.raises(Refused, match="chips_not_counted"):
                await ask(context, "p1", do, amount="10")
        await bet(context, stake="100")
        assert purse(context) is None


@pytest.mark.parametrize("do", ["bring_chips", "take_chips", "place_bet"])
@pytest.mark.parametrize("fault", [*FAULTS, "silent"])
@in_loop
async def test_whole_or_not_when_the_record_fails(house: Place, do: str, fault: str) -> None:
    """Sent again under its key it moves once, whether the first try reached the disk or not."""
    async with house_on(house.where, Failing, chips=CHIPS) as context:
        live_table = await put_up(context)
        await ask(context, "p1", "bring_chips", amount="500")
        failing: Any = context.store
        failing.silent, failing.faults = (1, []) if fault == "silent" else (0, [FAULTS[fault]])
        fields: dict[str, Any] = {"amount": "200"}
        if do == "place_bet":
            fields = {"box": 1, "bet": "banker", "stake": "600"}
        try:
            await ask(context, "p1", do, key="k", **fields)
        except Refused as refused:
            assert refused.code == "store_unavailable"  # noqa: PT017 (some faults are mended unseen)
            moved = purse(context) != ALL - 500_00
            assert moved == (fault == "silent")
        knowing_nothing(context)
        for _ in range(3):
            await ask(context, "p1", do, key="k", **fields)
        expected = {
            "bring_chips": (700_00, 700_00),
            "take_chips": (300_00, 300_00),
            "place_bet": (1500_00, 900_00),
        }
        brought, here = expected[do]
        assert (purse(context), at_table(context)) == (ALL - brought, here)
        assert as_recorded(live_table)
        holds(context.store)


@in_loop
async def test_nobody_sees_chips_that_are_not_on_disk(house: Place) -> None:
    async with house_on(house.where, chips=CHIPS) as context:
        live_table = await put_up(context)
        async with held_back(context.store):
            bringing = asyncio.ensure_future(ask(context, "p1", "bring_chips", amount="700"))
            await until_so(lambda: live_table.number > live_table.durable)
            assert (purse(context), at_table(context)) == (None, 0)
        await bringing
        assert (purse(context), at_table(context)) == (ALL - 700_00, 700_00)


@pytest.mark.parametrize("do", ["bring_chips", "take_chips", "place_bet"])
@pytest.mark.parametrize("looks", ["before", "after"])
@in_loop
async def test_chips_on_their_way_are_seen_in_one_place(
    house: Place, monkeypatch: pytest.MonkeyPatch, do: str, looks: str
) -> None:
    """Whoever reads a purse while chips move sees purse and table of one moment, whichever was read first."""
    async with house_on(house.where, chips=CHIPS) as context:
        live_table = await put_up(context)
        await ask(context, "p1", "bring_chips", amount="500")
        loop, read, moved = asyncio.get_running_loop(), Purses.holds_at, list[Future[dict[str, Any]]]()
        fields = {"box": 1, "bet": "banker", "stake": "600"} if do == "place_bet" else {"amount": "200"}

        def meanwhile(of: Purses, player: str, tables: list[str]) -> tuple[int, tuple[int, ...]]:
            answer = read(of, player, tables)
            if not moved:
                moved.append(asyncio.run_coroutine_threadsafe(ask(context, "p1", do, **fields), loop))
                moved[0].result(GUARD)
                # The record knows of it by now; this reader has looked before that, or looks once more.
                answer = read(of, player, tables) if looks == "after" else answer
            return answer

        monkeypatch.setattr(Purses, "holds_at", meanwhile)
        in_purse = await context.purse_of(Viewer("p1", "player"), live_table.view)
        table = live_table.view.table
        assert moved
        assert in_purse is not None
        assert in_purse == purse(context)
        assert in_purse + at_table(context) + on_felt(table, "p1") == ALL


@in_loop
async def test_a_purse_waits_until_the_table_is_told(house: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record is ahead of what a table shows: nobody sees chips gone from the purse and nowhere else."""
    async with house_on(house.where, chips=CHIPS) as context:
        live_table = await put_up(context)
        real = Purses.holds_at

        def ahead(of: Purses, player: str, tables: list[str]) -> tuple[int, tuple[int, ...]]:
            in_purse, numbers = real(of, player, tables)
            return in_purse, tuple(number + 1 for number in numbers)

        monkeypatch.setattr(Purses, "holds_at", ahead)
        monkeypatch.setattr(lammer.floor.tables.house, "UNTIL_TOLD_SECONDS", 0)
        assert await context.purse_of(Viewer("p1", "player"), live_table.view) is None
        assert await context.purse_of(Viewer("p1", "player")) == ALL


@in_loop
async def test_what_the_purse_refuses_is_told_as_it_is_and_the_table_goes_on(
    house: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looked saw more than there is by now: the purse itself says no, and nothing was written."""
    async with house_on(house.where, chips=CHIPS) as context:
        live_table = await put_up(context)
        await put_up(context, "t2")
        await ask(context, "p1", "bring_chips", amount="1900", table="t2")
        before = live_table.number
        with monkeypatch.context() as looking:
            looking.setattr(Purses, "holds", lambda purses, player: ALL)
            with pytest.raises(Refused, match=r"not_enough_chips: p1 has 100.00 in the purse, not 101.00"):
                await bet(context, stake="101", key="k")
            with pytest.raises(Refused, match="not_enough_chips"):
                await ask(context, "p1", "bring_chips", amount="200")
        assert (purse(context), at_table(context)) == (100_00, 0)
        await bet(context, "p2")
        assert live_table.durable == before + 2
        assert as_recorded(live_table)
        await bet(context, stake="100", key="k")
        holds(context.store)


@in_loop
async def test_a_purse_that_moved_is_looked_into_again(house: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand would have come along; by now there is less, and enough."""
    async with house_on(house.where, chips=CHIPS) as context:
        await put_up(context)
        await put_up(context, "t2")
        await ask(context, "p1", "bring_chips", amount="1400", table="t2")
        looks = [ALL]
        truly = Purses.holds
        monkeypatch.setattr(
            Purses, "holds", lambda purses, player: looks.pop() if looks else truly(purses, player)
        )
        told = await bet(context, stake="150")
        assert told["events"][0]["amount"] == 600_00
        assert (purse(context), at_table(context)) == (0, 450_00)
        holds(context.store)


@in_loop
async def test_chips_on_their_way_back_are_not_missed(house: Place) -> None:
    """They are neither here nor in the purse while the disk is busy; the bet waits and finds them."""
    async with house_on(house.where, chips=100) as context:
        live_table = await put_up(context)
        await ask(context, "p1", "bring_chips", amount="100")
        async with held_back(context.store):
            taking = asyncio.ensure_future(ask(context, "p1", "take_chips", amount="100"))
            await until_so(lambda: live_table.number > live_table.durable)
            betting = asyncio.ensure_future(bet(context, stake="100"))
            await until_so(lambda: live_table._waiting)
        await taking
        assert (await betting)["events"][-1]["stake"] == 100_00
        assert (purse(context), at_table(context)) == (0, 0)


@in_loop
async def test_two_processes_race_for_the_last_chips(
    postgres: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each holds a table, and both have looked and seen the chips: exactly one gets them."""
    monkeypatch.setattr(Purses, "holds", lambda purses, player: purses.first)
    loop = asyncio.get_running_loop()
    houses: list[House] = []
    async with AsyncExitStack() as closing:
        for owner in ("one", "two"):
            store = await asyncio.to_thread(postgres.open, deliver=loop.call_soon_threadsafe)
            settings = Settings(data=postgres.where, chips=100, lease_seconds=GUARD)
            made = House(settings, store, books(), owner=owner)
            await made.tables.open()
            closing.push_async_callback(made.tables.close)
            houses.append(made)
        await put_up(houses[0], "t1")
        await asyncio.to_thread(houses[1].registry.add, Listed("t2", "t2"), 2)
        await houses[1].tables.host(Listed("t2", "t2"))
        await ask(houses[1], "pit_manager", "set_table", table="t2", setup=SETUP)
        for number in range(20):
            both = [
                ask(each, "p1", "bring_chips", table=table, amount="100", key=f"{number} {table}")
                for each, table in zip(houses, ("t1", "t2"), strict=True)
            ]
            told = await asyncio.gather(*both, return_exceptions=True)
            refused = [each for each in told if isinstance(each, Refused)]
            assert [each.code for each in refused] == ["not_enough_chips"], told
            won = next(place for place, each in enumerate(told) if not isinstance(each, Refused))
            assert purse(houses[0]) == 0
            await ask(houses[won], "p1", "take_chips", table=f"t{won + 1}", amount="100")
        holds(houses[0].store)


@in_loop
async def test_a_copy_carries_purses_onto_either_database(
    house: Place, tmp_path: Path, server: Server
) -> None:
    async with house_on(house.where, chips=CHIPS) as context:
        await put_up(context)
        await bet(context, stake="100")
        copy = tmp_path / "copy.gz"
        back_up(context.store, copy)
    for kind, where in (("sqlite", str(tmp_path / "again.sqlite")), ("postgresql", server.new_database())):
        again = Place(kind, where)
        store = again.open()
        restore(store, copy)
        assert purse(store) == ALL - 1000_00
        holds(store)
        again.close()


# --- over HTTP ---------------------------------------------------------------------------------------------


async def two_tables(house: OpenHouse) -> Person:
    player, dealer = await house.person("player"), await house.person("dealer")
    for name in ("t1", "t2"):
        await house.table(name)
        assert (await dealer.ask(name, "prepare_shoe")).is_success
        assert (await player.ask(name, "take_seat", box=1)).is_success
        assert (await dealer.ask(name, "open_bets")).is_success
    return player


async def money(player: Person, table: str) -> tuple[str, str]:
    seen = (await player.get(f"/api/tables/{table}")).json()
    return seen["balance"], seen["purse"]


@in_loop
async def test_a_day_with_one_purse_over_http(house: Place, tmp_path: Path) -> None:
    async with open_house(tmp_path / "folder", store=house.where, pages=True, chips=10_000) as context:
        player = await two_tables(context)
        assert await money(player, "t1") == ("0.00", "10000.00"), "as it will be opened"
        stake: dict[str, Any] = {"box": 1, "bet": "banker"}
        assert (await player.ask("t1", "place_bet", **stake, stake="10000")).is_success
        refused = await player.ask("t2", "place_bet", **stake, stake="8000")
        assert (refused.status_code, refused.json()["code"]) == (422, "not_enough_chips")
        assert await money(player, "t2") == ("0.00", "0.00")
        assert (await player.ask("t1", "withdraw_bet", **stake)).is_success
        answers = [await player.ask("t1", "take_chips", key="k", amount="8000") for _ in range(3)]
        assert len({answer.content for answer in answers}) == 1
        assert await money(player, "t1") == ("2000.00", "8000.00")
        assert (await player.ask("t2", "place_bet", **stake, stake="7500")).is_success
        assert await money(player, "t2") == ("0.00", "500.00")
        lobby = (await player.get("/lobby")).text
        assert '<b id="purse">500.00</b>' in lobby
        assert "Your chips at T1 <a" in lobby
        page = (await player.get("/tables/t1")).text
        assert '<b id="balance">2,000.00</b>' in page
        assert '<b id="purse">500.00</b>' in page
        watching = (await (await context.person("dealer")).get("/tables/t1")).text
        assert 'id="purse"' not in watching
        holds(context.house.store)


@in_loop
async def test_a_page_brings_and_takes_away(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True, chips=10_000) as context:
        player = await two_tables(context)
        form = {
            "csrf": player.http.headers["x-csrf-token"],
            "box": "1",
            "stake": "25",
            "other": "",
            "key": "",
        }
        for chosen in ({}, {"other": "1,000"}):
            assert (await player.http.post("/tables/t1/bring", data=form | chosen)).status_code == 303
        assert await money(player, "t1") == ("1025.00", "8975.00")
        assert (await player.http.post("/tables/t1/take", data=form | {"other": "5"})).status_code == 303
        assert (await player.http.post("/tables/t1/take", data=form | {"all": "1020.00"})).status_code == 303
        assert await money(player, "t1") == ("0.00", "10000.00")
        page = await player.http.post("/tables/t1/bring", data=form | {"other": "10000.01"})
        assert page.status_code == 422
        assert "You have 10,000 in your purse, not 10,000.01." in page.text
        player.http.headers["accept-language"] = "zh"
        page = await player.http.post("/tables/t1/bring", data=form | {"other": "10000.01"})
        assert "你的钱包只有 10,000，不足 10,000.01。" in page.text
        assert "本桌筹码" in page.text


@in_loop
async def test_a_purse_that_cannot_be_read_is_not_made_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(purses: Purses, player: str, *_: object) -> int:
        raise StoreUnavailable("it does not answer")

    async with open_house(tmp_path, pages=True, chips=10_000) as context:
        player = await two_tables(context)
        monkeypatch.setattr(Purses, "holds", gone)
        monkeypatch.setattr(Purses, "holds_at", gone)
        seen = (await player.get("/api/tables/t1")).json()
        assert (seen["balance"], "purse" in seen) == ("0.00", False)
        assert '<b id="purse">…</b>' in (await player.get("/tables/t1")).text
        assert 'id="purse"' not in (await player.get("/lobby")).text
        told = await player.ask("t1", "place_bet", box=1, bet="banker", stake="100")
        assert (told.status_code, told.json()["code"]) == (503, "store_unavailable")
