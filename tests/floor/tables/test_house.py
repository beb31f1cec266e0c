"""The house decides, writes and answers: in order, once, and only what is on disk, whatever goes wrong."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Append, KeyReused, StoreUnavailable
from lammer.floor.record.sealing import Snapshot
from lammer.floor.tables import live_table as live_table_module
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.fold import evolve
from lammer.table.journal import snapshot
from lammer.table.snapshot import freeze
from support.awaited import until_so
from support.failing_store import FAULTS, FENCED, Failing
from support.open_house import (
    as_recorded,
    ask,
    bet,
    held_back,
    house_on,
    in_loop,
    knowing_nothing,
    on_record,
    put_up,
    staked,
)
from support.recording_vfs import recording


@in_loop
async def test_each_is_decided_at_once_and_answered_when_it_is_on_disk(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        before = live_table.durable
        async with held_back(house.store):
            asked = [asyncio.ensure_future(bet(house)) for _ in range(20)]
            await until_so(lambda: live_table.number >= before + 20)
            assert staked(live_table, decided=True) == 20 * 100_00, (
                "each was decided on what was decided before it"
            )
            assert (live_table.number, live_table.durable) == (before + 20, before)
            assert not any(each.done() for each in asked), "none is answered before it is on disk"
        answers = [(await each)["version"] for each in asked]
        assert answers == list(range(before + 1, before + 21))
        assert as_recorded(live_table)


@pytest.mark.parametrize("fault", FAULTS)
@in_loop
async def test_what_the_record_does_not_take_never_was(tmp_path: Path, fault: str) -> None:
    """The failed request is refused or decided anew; those decided on it too; and then all goes on."""
    failing: list[Failing] = []

    def around(store: Any) -> Any:
        failing.append(Failing(store))
        return failing[0]

    async with house_on(tmp_path / "house.sqlite", around) as house:
        live_table = await put_up(house)
        await bet(house, stake="50")
        before = live_table.number
        failing[0].faults = [FAULTS[fault]]
        async with held_back(failing[0].store):
            asked = [asyncio.ensure_future(bet(house)) for _ in range(5)]
            await until_so(lambda: live_table.number == before + 5)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, BaseException)]
        assert all(isinstance(each, StoreUnavailable) for each in refused), refused
        assert len(refused) == (0 if fault == "conflict" else 1), "those behind it are decided anew"
        assert staked(live_table) == 50_00 + (5 - len(refused)) * 100_00
        assert (await bet(house))["events"], "later requests work again"
        assert as_recorded(live_table)


@in_loop
async def test_a_full_disk_refuses_and_a_freed_one_goes_on(tmp_path: Path) -> None:
    steady = [0.0]
    with recording(tmp_path) as recorder:
        async with house_on(tmp_path / "house.sqlite", clock=Clock(steady=lambda: steady[0])) as house:
            live_table = await put_up(house)
            await bet(house, key="k0")
            recorder.full = True
            for number in range(3):
                with pytest.raises(StoreUnavailable):
                    await bet(house, key=f"lost {number}")
                steady[0] += live_table_module.PAUSE_SECONDS
            recorder.full = False
            steady[0] += live_table_module.PAUSE_SECONDS
            assert (await bet(house, key="lost 0"))["events"], "asked again with the same key it counts"
            assert (await bet(house, key="lost 0"))["events"], "once"
            assert staked(live_table) == 200_00
            assert as_recorded(live_table)


@in_loop
async def test_written_but_not_told_counts_once_and_everyone_hears_of_it(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", Failing) as house:
        live_table = await put_up(house)
        heard: list[int] = []
        house.live.listeners.append(lambda _, made: heard.extend(each.number for each in made))
        before = live_table.durable
        house.store.silent = 1  # type: ignore[attr-defined]
        with pytest.raises(StoreUnavailable):
            await bet(house, key="k1")
        again = await bet(house, key="k1")
        assert again["events"][0]["event"] == "BetPlaced"
        assert staked(live_table) == 100_00
        await bet(house, key="k2")
        assert heard == [before + 1, before + 2]
        assert as_recorded(live_table)


@in_loop
async def test_what_was_decided_on_something_written_but_not_told_is_told_in_order(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", Failing) as house:
        live_table = await put_up(house)
        heard: list[int] = []
        house.live.listeners.append(lambda _, made: heard.extend(each.number for each in made))
        before = live_table.durable
        house.store.silent = 1  # type: ignore[attr-defined]
        async with held_back(house.store):
            asked = [asyncio.ensure_future(bet(house)) for _ in range(4)]
            await until_so(lambda: live_table.number == before + 4)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(answer, StoreUnavailable) for answer in answers] == [True, False, False, False]
        await bet(house)
        assert heard == list(range(before + 1, before + 6))
        assert staked(live_table) == 5 * 100_00
        assert as_recorded(live_table)


@in_loop
async def test_a_table_taken_by_another_process_is_let_go(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", Failing) as house:
        live_table = await put_up(house)
        lost: list[str] = []
        house.tables.on_lost.append(lost.append)
        house.store.faults = [FENCED]  # type: ignore[attr-defined]
        # Alone with its record it takes the table back at once; the round comes back interrupted.
        with pytest.raises(Refused) as refused:
            await bet(house)
        assert refused.value.code == "round_is_interrupted"
        assert lost == ["t1"]
        assert as_recorded(live_table)


@in_loop
async def test_a_key_counts_once_also_while_the_first_is_on_its_way(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        async with held_back(house.store):
            asked = [asyncio.ensure_future(bet(house, key="k1")) for _ in range(10)]
            await until_so(lambda: staked(live_table, decided=True))
            with pytest.raises(KeyReused):
                await bet(house, key="k1", stake="200")
            assert staked(live_table, decided=True) == 100_00
        answers = await asyncio.gather(*asked)
        assert all(answer == answers[0] for answer in answers)
        assert await bet(house, key="k1") == answers[0]
        with pytest.raises(KeyReused):
            await bet(house, key="k1", stake="200")
        with pytest.raises(KeyReused):
            await ask(house, "p1", "leave_seat", key="k1")
        other = await put_up(house, "t2")
        with pytest.raises(KeyReused):
            await bet(house, key="k1", table="t2")
        assert (staked(live_table), staked(other)) == (100_00, 0)
        assert (await bet(house, "p2", key="k1"))["events"], "another person's key is another key"


@in_loop
async def test_a_refusal_uses_up_no_key(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        with pytest.raises(Refused, match="below_minimum"):
            await bet(house, stake="1", key="k1")
        assert (await bet(house, stake="100", key="k1"))["events"]
        assert staked(live_table) == 100_00


@in_loop
async def test_a_key_is_known_after_a_restart_and_long_after_it_was_forgotten(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        await put_up(house)
        first = await bet(house, key="k1")
        await ask(house, "dealer", "close_bets")
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = house.tables.at("t1")
        assert await bet(house, key="k1") == first
        await ask(house, "pit_supervisor", "resolve_interruption")
        await ask(house, "dealer", "open_bets")
        # Nobody remembers the key, and nobody looks it up: the record itself refuses to count it again.
        knowing_nothing(house)
        before = live_table.number
        async with held_back(house.store):
            others = [asyncio.ensure_future(bet(house, "p2")) for _ in range(2)]
            repeated = asyncio.ensure_future(bet(house, key="k1"))
            others += [asyncio.ensure_future(bet(house, "p2")) for _ in range(3)]
            await until_so(lambda: live_table.number == before + 6)
        assert await repeated == first
        assert all(other["events"] for other in await asyncio.gather(*others)), "nobody else notices"
        assert (staked(live_table), staked(live_table, "p2")) == (0, 5 * 100_00)
        assert as_recorded(live_table)
        assert await bet(house, key="k1") == first


@in_loop
async def test_time_never_goes_back_in_the_record(tmp_path: Path) -> None:
    wall = [datetime(2026, 7, 1, 12, tzinfo=UTC)]
    clock = Clock(now=lambda: wall[0])
    async with house_on(tmp_path / "house.sqlite", clock=clock) as house:
        await put_up(house)
        wall[0] -= timedelta(days=400)
        await bet(house)
    async with house_on(tmp_path / "house.sqlite", clock=clock) as house:
        await ask(house, "pit_supervisor", "resolve_interruption")
        wall[0] = datetime(2026, 7, 1, 13, tzinfo=UTC)
        await ask(house, "dealer", "open_bets")
        found = house.store.read("t1", 0, 100)
        times = [str(each.body).partition('"at":"')[2][:19] for each in found]
        assert times == sorted(times)
        assert (times[0], times[-1]) == ("2026-07-01T12:00:00", "2026-07-01T13:00:00")


@in_loop
async def test_a_round_under_way_comes_back_interrupted_and_waits_for_a_person(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        await put_up(house)
        await bet(house)
        await put_up(house, "t2")
        await ask(house, "dealer", "close_bets", table="t2")
        for card in ("KS", "2D", "9S", "3D"):
            await ask(house, "dealer", "deal_card", table="t2", card=card)
        await ask(house, "dealer", "settle", table="t2")
    async with house_on(tmp_path / "house.sqlite") as house:
        here, settled = house.tables.view("t1").table.round, house.tables.view("t2").table.round
        assert here is not None
        assert here.interrupted
        assert settled is not None
        assert not settled.interrupted, "between rounds there is nothing to say"
        for by, do in (("p1", "place_bet"), ("dealer", "close_bets")):
            fields: dict[str, Any] = {"box": 1, "bet": "banker", "stake": "100"} if by == "p1" else {}
            with pytest.raises(Refused, match="round_is_interrupted"):
                await ask(house, by, do, **fields)
        with pytest.raises(Refused, match="not_your_role"):
            await ask(house, "dealer", "resolve_interruption")
        assert (await ask(house, "pit_supervisor", "resolve_interruption"))["events"][0][
            "event"
        ] == "RoundVoided"
        assert house.tables.view("t1").table.accounts["player:p1"] == 0, "the stake went back"
        await ask(house, "dealer", "open_bets")
        assert as_recorded(house.tables.at("t1"))


@in_loop
async def test_it_comes_back_interrupted_even_if_the_record_fails_at_first(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        await put_up(house)

    def around(store: Any) -> Any:
        failing = Failing(store)
        failing.faults = [FAULTS["gone"]]
        return failing

    steady = [0.0]
    clock = Clock(steady=lambda: steady[0])
    async with house_on(tmp_path / "house.sqlite", around, clock=clock) as house:
        steady[0] += live_table_module.PAUSE_SECONDS
        with pytest.raises(Refused, match="round_is_interrupted"):
            await bet(house)
        assert as_recorded(house.tables.at("t1"))


@in_loop
async def test_starting_reads_no_more_the_longer_a_table_has_run(tmp_path: Path) -> None:
    read: list[int] = []

    for _ in range(3):
        async with house_on(tmp_path / "house.sqlite", Failing) as house:
            if "t1" not in house.tables.live_tables:
                await put_up(house)
            else:
                read.append(house.store.read_events)  # type: ignore[attr-defined]
                await ask(house, "pit_supervisor", "resolve_interruption")
                await ask(house, "dealer", "open_bets")
            live_table = house.tables.at("t1")
            for _ in range(12):
                await asyncio.gather(*(bet(house, stake="10") for _ in range(100)))
            assert as_recorded(live_table)
            live_table._frozen = (
                live_table.number
            )  # No snapshot at closing: as if the process had been killed.
    assert max(read) <= live_table_module.SNAPSHOT_EVERY + 200, read


@in_loop
async def test_a_snapshot_of_another_record_is_not_believed(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        for _ in range(12):
            await asyncio.gather(*(bet(house, stake="10") for _ in range(100)))
        before = snapshot(live_table.view.table)
    async with house_on(tmp_path / "house.sqlite") as house:
        found = house.store.latest_snapshot("t1")
        assert found is not None
        here = house.tables.at("t1")
        assert as_recorded(here)
        for body in (b"rubbish", found.body[:-1], found.body.replace(b"tiger", b"liger")):
            head = house.store.head("t1")
            false = Snapshot("t1", head.number, head.hash, body)
            await asyncio.to_thread(house.store.save_snapshot, false)
            here.broken, here._was_read = StoreUnavailable("read it again"), False
            await house.tables.seen("t1")
            assert as_recorded(here)
        assert before != snapshot(here.view.table), "it came back interrupted"
        await put_up(house, "t2")
        other = Snapshot("t1", found.number, bytes(32), freeze(house.tables.view("t2").table))
        misled: Any = Failing(house.store)
        misled.latest_snapshot = lambda _: other
        here.store = misled
        here.broken, here._was_read = StoreUnavailable("read it again"), False
        await house.tables.seen("t1")
        assert as_recorded(here), "one of another record is as good as none"


@in_loop
async def test_a_broken_rule_of_ours_stops_that_table_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table, other = await put_up(house), await put_up(house, "t2")
        before = live_table.durable

        def breaks(table: Any, event: e.Event) -> Any:
            evolve(table, event)
            if isinstance(event, e.BetPlaced) and event.stake == 666_00:
                table.accounts["bank"] = 1
                raise AssertionError("chips from nowhere")
            return table

        monkeypatch.setattr(live_table_module, "evolve", breaks)
        with caplog.at_level(logging.ERROR), pytest.raises(Refused, match="table_stopped"):
            await bet(house, stake="666")
        assert "chips from nowhere" in caplog.text
        assert (await bet(house, table="t2"))["events"]
        assert (live_table.store.head("t1").number, staked(other)) == (before, 100_00)
        assert (await bet(house))["events"], "read back from its record, the table goes on"
        assert as_recorded(live_table)


@in_loop
async def test_money_that_does_not_balance_stops_the_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        await bet(house)
        await ask(house, "dealer", "close_bets")
        for card in ("KS", "2D", "9S", "3D"):
            await ask(house, "dealer", "deal_card", card=card)
        live_table.must_decide().accounts["bank"] = 1
        with caplog.at_level(logging.ERROR), pytest.raises(Refused, match="table_stopped"):
            await ask(house, "dealer", "settle")
        assert "do not balance" in caplog.text
        assert (await ask(house, "dealer", "settle"))["events"], "what is on record does balance"
        assert sum(live_table.view.table.accounts.values()) == 0


@in_loop
async def test_a_table_that_cannot_be_read_keeps_no_other_from_opening(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        for name in ("t1", "t2"):
            await put_up(house, name)
        head = house.store.head("t1").number
        await asyncio.wrap_future(house.store.append(Append("t1", head, (b'{"not": "an event"}',))))
    with caplog.at_level(logging.ERROR):
        async with house_on(tmp_path / "house.sqlite") as house:
            with pytest.raises(Refused, match="table_stopped"):
                await bet(house)
            await ask(house, "pit_supervisor", "resolve_interruption", table="t2")
            await ask(house, "dealer", "open_bets", table="t2")
            assert (await bet(house, table="t2"))["events"]


@in_loop
async def test_nothing_is_kept_of_requests_that_are_answered(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        for lot in range(20):
            await asyncio.gather(*(bet(house, key=f"{lot} {number}") for number in range(100)))
        assert not house.commands._requests
        assert not live_table._waiting
        assert on_record(live_table) == snapshot(live_table.view.table)


@in_loop
async def test_nobody_stakes_more_than_he_brought(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", chips=1_000) as house:
        await put_up(house)
        await bet(house, stake="900")
        with pytest.raises(Refused, match=r"not_enough_chips: p1 has 100.00 at this table and 0.00 in the"):
            await bet(house, stake="101")
        await bet(house, stake="100")
        await ask(house, "dealer", "close_bets")
        with pytest.raises(Refused, match="bets_are_closed"):
            await bet(house, stake="1000")
