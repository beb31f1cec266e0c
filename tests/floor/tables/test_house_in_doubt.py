"""What the house does where it cannot be sure: asked twice, cut off, lost on the way, wrong in itself."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Append, StoreUnavailable
from lammer.floor.record.registry import Listed
from lammer.floor.tables import live_table as live_table_module
from lammer.floor.views.viewing import Viewer
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.commands import Call, OpenBets
from lammer.table.journal import Entry, decode, encode
from support import open_house
from support.awaited import GUARD, until_so
from support.failing_store import FAULTS, FENCED, Failing
from support.houses import House as Record
from support.open_house import (
    BOOK,
    SETUP,
    as_recorded,
    ask,
    bet,
    books,
    held_back,
    house_on,
    houses_sharing,
    in_loop,
    knowing_nothing,
    put_up,
    staked,
)  # fmt: skip


@in_loop
async def test_asked_again_too_late_it_is_told_what_was_done_in_time(tmp_path: Path) -> None:
    """The bet stands; whoever lost the answer must not hear that bets are closed."""
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        first = await bet(house, key="k1")
        await ask(house, "dealer", "close_bets")
        knowing_nothing(house)
        assert await bet(house, key="k1") == first
        with pytest.raises(Refused, match="bets_are_closed"):
            await bet(house, key="k2")
        with pytest.raises(Refused, match="key_reused"):
            await bet(house, key="k1", stake="200")
        assert staked(live_table) == 100_00


@in_loop
async def test_asked_again_while_the_first_is_on_its_way_and_nobody_waits_for_it(tmp_path: Path) -> None:
    """Their chips are on the felt already: the second request finds none left, and is the first one."""
    async with house_on(tmp_path / "house.sqlite", chips=100) as house:
        live_table = await put_up(house)
        async with held_back(house.store):
            cut_off = asyncio.ensure_future(bet(house, key="k1"))
            await until_so(lambda: staked(live_table, decided=True))
            cut_off.cancel()
            await asyncio.wait([cut_off])
            again = asyncio.ensure_future(bet(house, key="k1"))
            await until_so(lambda: live_table._waiting or again.done())
            assert not again.done(), "nobody knows yet"
        assert (await again)["events"][-1]["stake"] == 100_00
        assert staked(live_table) == 100_00
        assert as_recorded(live_table)


@in_loop
async def test_the_first_event_of_a_table_is_told_even_if_its_answer_was_lost(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", Failing) as house:
        await asyncio.to_thread(house.registry.add, Listed("t1", "One"), 1)
        await house.tables.host(Listed("t1", "One"))
        heard: list[int] = []
        house.live.listeners.append(lambda _, made: heard.extend(each.number for each in made))
        house.store.silent = 1  # type: ignore[attr-defined]
        with pytest.raises(StoreUnavailable):
            await ask(house, "pit_manager", "set_table", setup=SETUP)
        await ask(house, "dealer", "prepare_shoe")
        assert heard == [1, 2]


@in_loop
async def test_nothing_is_folded_onto_what_never_was(tmp_path: Path) -> None:
    """A bet is on its way when the table is lost; what the new holder wrote comes on top of the record."""
    async with house_on(tmp_path / "house.sqlite", Failing) as house:
        live_table = await put_up(house)
        before = live_table.durable
        seen: list[tuple[int, int]] = []
        house.live.listeners.append(lambda table, made: seen.append((made[-1].number, staked(table))))
        house.store.faults = [FENCED]  # type: ignore[attr-defined]
        entry = Entry(
            before + 1, datetime.now(UTC), "p2", "player",
            e.BetPlaced(2, "p2", 2, "banker", 50_00, True, "p2"),
        )  # fmt: skip
        async with held_back(house.store):
            written = house.store.store.append(Append("t1", before, [encode(entry)]))  # type: ignore[attr-defined]
            never = asyncio.ensure_future(bet(house, "p1"))
            await until_so(lambda: live_table.number > before)
            assert staked(live_table, "p1", decided=True) == 100_00
            house.tables.lose(live_table)
            await until_so(live_table.reading_lock.locked)
        await asyncio.wrap_future(written)
        with pytest.raises(Refused, match="round_is_interrupted"):
            await never
        assert seen[0] == (before + 1, 0), "told on the state that is recorded"
        assert (staked(live_table, "p1"), staked(live_table, "p2")) == (0, 50_00)
        assert as_recorded(live_table)


@in_loop
async def test_readers_do_not_wait_for_a_disk_that_hangs_after_something_failed(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", Failing) as house:
        live_table = await put_up(house)
        house.store.faults = [lambda _: StoreUnavailable("full")]  # type: ignore[attr-defined]
        async with held_back(house.store):
            first = asyncio.ensure_future(bet(house))
            await until_so(lambda: live_table.number > live_table.durable)
            live_table._break(StoreUnavailable("something failed"))
            assert (await house.tables.seen("t1")).number == live_table.durable, (
                "what is on disk is shown at once"
            )
        with pytest.raises(StoreUnavailable):
            await first
        assert (await bet(house))["events"]
        assert as_recorded(live_table)


@in_loop
async def test_what_cannot_be_written_down_never_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)

        def fails(*_: Any) -> bytes:
            raise ValueError("a bug")

        with monkeypatch.context() as once:
            once.setattr(type(house.store.seals), "seal", fails)
            with pytest.raises(Refused, match="table_stopped"):
                await bet(house)
        await bet(house, stake="50")
        assert staked(live_table) == 50_00
        assert as_recorded(live_table)


@in_loop
async def test_a_snapshot_that_cannot_be_made_costs_nobody_his_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)

        def fails(*_: Any) -> bytes:
            raise ValueError("a bug")

        with monkeypatch.context() as once:
            once.setattr(live_table_module, "freeze", fails)
            once.setattr(live_table_module, "SNAPSHOT_EVERY", 1)
            assert (await asyncio.wait_for(bet(house), GUARD))["events"]
        await asyncio.wait_for(live_table.drained(), GUARD)
        assert as_recorded(live_table)


@in_loop
async def test_a_clock_that_is_wrong_for_a_moment_leaves_no_mark_if_nothing_happened(tmp_path: Path) -> None:
    now = [datetime(2026, 7, 1, 12, tzinfo=UTC)]
    async with house_on(tmp_path / "house.sqlite", clock=Clock(now=lambda: now[0])) as house:
        live_table = await put_up(house)
        now[0] += timedelta(days=30_000)
        with pytest.raises(Refused):
            await bet(house, stake="1")
        now[0] -= timedelta(days=30_000)
        await bet(house)
        (last,) = live_table.store.read("t1", live_table.durable - 1)
        assert decode(last.body).at == now[0]


@in_loop
async def test_that_nothing_happens_is_answered_when_what_it_stands_on_is_on_disk(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", Failing) as house:
        live_table = await put_up(house)
        call = Call("p1", "player", datetime.now(UTC), OpenBets())
        assert await live_table.record(call, (), None, lambda _: b"at once") == b"at once"
        for fault in ([], [FAULTS["gone"]]):
            house.store.faults = list(fault)  # type: ignore[attr-defined]
            before = live_table.number
            async with held_back(house.store):
                placed = asyncio.ensure_future(bet(house))
                await until_so(lambda before=before: live_table.number > before)  # type: ignore[misc]
                nothing = live_table.record(call, (), None, lambda _: b"nothing")
                await until_so(lambda nothing=nothing: live_table._waiting or nothing.done())  # type: ignore[misc]
                assert not nothing.done()
            told = await asyncio.gather(placed, nothing, return_exceptions=True)
            assert [isinstance(each, StoreUnavailable) for each in told] == [bool(fault)] * 2
        with suppress(Refused):
            await live_table.ready(house.clock.now)


@in_loop
async def test_a_listener_that_fails_keeps_nothing_from_the_streams(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)

        def fails(*_: Any) -> None:
            raise ValueError("a bug")

        heard: list[int] = []
        house.live.listeners.append(fails)
        house.live.listeners.append(lambda _, made: heard.extend(each.number for each in made))
        stream = house.live.stream(live_table.view, Viewer("p1", "player"), live_table.durable)
        assert await anext(stream) == b"retry: 1000\n\n"
        told = asyncio.ensure_future(anext(stream))
        await bet(house)
        assert (await asyncio.wait_for(told, GUARD)).startswith(b"id: %d\n" % live_table.durable)
        assert heard == [live_table.durable]


@in_loop
async def test_a_table_goes_on_by_no_other_rules_than_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody changed their rulebook and kept its name; or took it away."""
    async with house_on(tmp_path / "house.sqlite") as house:
        await put_up(house)
    changed = books() | {BOOK: replace(books()[BOOK], sha256="0" * 64)}
    without = {name: book for name, book in books().items() if name != BOOK}
    for other in (changed, without):
        with monkeypatch.context() as once:
            once.setattr(open_house, "books", lambda other=other: other)
            async with house_on(tmp_path / "house.sqlite") as house:
                with pytest.raises(Refused, match="unknown_rulebook"):
                    await bet(house)
    async with house_on(tmp_path / "house.sqlite") as house:
        with pytest.raises(Refused, match="round_is_interrupted"):
            await bet(house)


@in_loop
async def test_a_turn_at_a_table_that_cannot_be_read_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        await put_up(house)
    async with house_on(tmp_path / "house.sqlite") as house:
        house.tables.owner = "this process"
        live_table = house.tables.at("t1")
        live_table.held = False

        async def fails() -> None:
            raise StoreUnavailable("it cannot be read")

        with monkeypatch.context() as once:
            once.setattr(live_table_module.LiveTable, "catch_up", lambda _: fails())
            with pytest.raises(StoreUnavailable):
                await house.tables.take(live_table)
        assert house.store.leases()["t1"].until == 0, "somebody else may try"
        assert await house.tables.take(live_table)


@in_loop
async def test_two_processes_that_take_each_other_for_the_holder_both_answer(postgres: Record) -> None:
    """The same request reaches both; each hands it on to the other, and neither waits for ever."""
    handed_on: list[str] = []

    async def both_have_handed_on(owner: str) -> None:
        handed_on.append(owner)
        await until_so(lambda: len(handed_on) > 1)

    async with houses_sharing(
        postgres, "one", "two", "three", before_handing_on=both_have_handed_on
    ) as houses:
        await put_up(houses["three"])
        one, two = houses["one"], houses["two"]
        for house, other in ((one, "two"), (two, "one")):
            await house.tables.host(Listed("t1", "t1"))
            house.tables._holders["t1"] = other, house.clock.steady() + 600.0
        both = [ask(house, "dealer", "close_bets", key="k1") for house in (one, two)]
        async with asyncio.timeout(GUARD):
            answers = await asyncio.gather(*both, return_exceptions=True)
        codes = [answer.code for answer in answers if isinstance(answer, Refused)]
        assert codes == ["table_held_elsewhere"] * 2
        # They have forgotten who they took for the holder, and ask the one that is.
        assert (await ask(one, "dealer", "close_bets", key="k1"))["events"]
        assert handed_on[2:] == ["three"]
