"""Answers are forgotten after an age of serving, events never; agreements of two people stay."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from lammer.floor.main import Vouched, run_house
from lammer.floor.record import forgetting as forgetting_module
from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Store
from lammer.floor.record.forgetting import AT_ONCE, Forgetting, served
from lammer.floor.record.schema import CLIENT_OF_TWO, replies
from lammer.floor.settings import Settings
from support.awaited import GUARD, until_so
from support.houses import House, key, put, recall
from support.open_house import ask, bet, books, house_on, in_loop, put_up, staked

HOUR = 3600.0
WEEK = timedelta(days=7)


@dataclass
class SetClock:
    """A steady clock that stands until it is moved."""

    at: float = 1_000.0

    def __call__(self) -> float:
        return self.at

    def passes(self, seconds: float) -> None:
        self.at += seconds


def kept(store: Store) -> int:
    with store.reading() as connection:
        return connection.scalar(select(func.count()).select_from(replies)) or 0


def marks(store: Store) -> int:
    with store.reading() as connection:
        return connection.scalar(select(func.count()).select_from(served)) or 0


def test_what_is_old_is_forgotten_and_nothing_else(store: Store) -> None:
    steady, many = SetClock(), AT_ONCE + 5
    forgetting = Forgetting(store, WEEK, steady)
    forgetting.mark()
    waiting = [
        store.append(put(store, "t1", b"x", after=n, key=key(f"old {n}"), reply=b"r")) for n in range(many)
    ]
    for each in waiting:
        each.result(GUARD)
    store.append(put(store, "t1", b"x", key=key("two", client=CLIENT_OF_TWO), reply=b"r")).result(GUARD)
    steady.passes(HOUR)
    forgetting.mark()
    store.append(put(store, "t1", b"x", key=key("new"), reply=b"r")).result(GUARD)
    steady.passes(7 * 24 * HOUR - 1)
    forgetting.mark()
    assert forgetting.forget() == 0, "not a second before its time"
    steady.passes(1)
    forgetting.mark()
    assert forgetting.forget() == many
    assert kept(store) == 2
    assert recall(store, key("new")) is not None
    assert recall(store, key("two", client=CLIENT_OF_TWO)) is not None, "or it could be agreed to once more"
    assert recall(store, key("old 0")) is None
    assert store.head("t1").number == many + 2, "the record is as it was"
    again = store.append(put(store, "t1", b"x", key=key("old 0"), reply=b"r")).result(GUARD)
    assert not again.repeat, "so long afterwards it is another request"
    assert forgetting.forget() == 0
    assert marks(store) == 3, "marks that were used up go too"


def test_an_answer_without_events_is_old_when_its_table_has_moved_on(store: Store) -> None:
    """It was given on the last event there is; how long ago, nobody can tell from that."""
    steady = SetClock()
    forgetting = Forgetting(store, WEEK, steady)
    store.append(put(store, "t1", b"x")).result(GUARD)
    forgetting.mark()
    steady.passes(8 * 24 * HOUR)
    store.append(put(store, "t1", key=key("nothing"), reply=b"r")).result(GUARD)
    forgetting.mark()
    assert forgetting.forget() == 0, "it is a moment old"
    store.append(put(store, "t1", b"x")).result(GUARD)
    forgetting.mark()
    steady.passes(8 * 24 * HOUR)
    forgetting.mark()
    assert forgetting.forget() == 1


def test_of_several_processes_one_counts(store: Store) -> None:
    steady = SetClock()
    first, second = Forgetting(store, WEEK, steady), Forgetting(store, WEEK, steady)

    def total() -> int:
        with store.reading() as connection:
            return connection.scalar(select(func.max(served.c.microseconds))) or 0

    for _ in range(3):
        first.mark()
        steady.passes(HOUR / 2)
        second.mark()
        steady.passes(HOUR / 2)
    first.mark()
    assert total() == 3 * HOUR * 1e6, "an hour of two processes is an hour"
    for _ in range(2):
        steady.passes(HOUR)
        second.mark()
    assert 4 * HOUR * 1e6 <= total() <= 5 * HOUR * 1e6, "and when one is gone the other goes on"


def test_a_start_counts_on(house: House) -> None:
    steady = SetClock()
    store = house.open()
    forgetting = Forgetting(store, WEEK, steady)
    forgetting.mark()
    store.append(put(store, "t1", b"x", key=key("old"), reply=b"r")).result(GUARD)
    for _ in range(3):
        steady.passes(3 * 24 * HOUR)
        forgetting.mark()
        house.close()
        store, steady = house.open(), SetClock(5.0)
        forgetting = Forgetting(store, WEEK, steady)
        forgetting.mark()
        left = forgetting.forget()
    assert left == 0, "the answer was first marked three days in"
    steady.passes(24 * HOUR)
    forgetting.mark()
    assert forgetting.forget() == 1


@in_loop
async def test_a_clock_set_ahead_makes_no_bet_count_twice(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a start eight days ahead forgot every answer, and the same key bet again."""
    folder = tmp_path / "folder"
    async with house_on(house.where) as made:
        live_table = await put_up(made)
        await bet(made, key="k1")
        assert staked(live_table) == 100_00
    monkeypatch.setattr(forgetting_module, "PASS_SECONDS", 0.01)
    passes = 0
    forget = Forgetting.forget

    def counted(self: Forgetting) -> int:
        nonlocal passes
        passes += 1
        return forget(self)

    monkeypatch.setattr(Forgetting, "forget", counted)
    settings = Settings(data=str(folder), store=house.where, tables=0)
    ahead = Clock(lambda: datetime.now(UTC) + timedelta(days=8))
    async with run_house(settings, books(), Vouched(clock=True), ahead) as open_now:
        await until_so(lambda: passes > 3)
        again = await ask(
            open_now.context.house, "p1", "place_bet", key="k1", box=1, bet="banker", stake="100"
        )
        assert again["events"], "it is told what it was told"
        assert await asyncio.to_thread(kept, open_now.context.house.store) == 1
        assert staked(open_now.context.house.tables.at("t1")) == 100_00


@in_loop
async def test_a_house_forgets_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady = SetClock()
    monkeypatch.setattr(forgetting_module, "PASS_SECONDS", 0.01)
    settings = Settings(data=str(tmp_path), tables=0, reply_hours=24)
    async with run_house(settings, books(), clock=Clock(steady=steady)) as made:
        house = made.context.house
        await put_up(house)
        for number in range(3):
            await bet(house, key=f"k{number}")
        before = await asyncio.to_thread(marks, house.store)
        await until_so(lambda: marks(house.store) > before + 1)
        steady.passes(25 * HOUR)
        await until_so(lambda: kept(house.store) == 0)
