"""Answers are forgotten after an age, events never; what two people agreed on is never asked for twice."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select, update

from awaited import GUARD, until_so
from floor.houses import key, put
from floor.open_house import ask, bet, house_on, in_loop, open_house, put_up, staked
from lammer.floor import forgetting
from lammer.floor.approvals import CLIENT
from lammer.floor.forgetting import AT_ONCE, forget
from lammer.floor.store.contract import Store
from lammer.floor.store.schema import replies

NOW = datetime.now(UTC)


def _aged(days: int, connection: Connection) -> None:
    """Every answer there is was given so many days ago."""
    connection.execute(update(replies).values(written_at=replies.c.written_at - days * 86_400_000_000))


def kept(store: Store) -> int:
    with store.reading() as connection:
        return connection.scalar(select(func.count()).select_from(replies)) or 0


def test_what_is_old_is_forgotten_and_nothing_else(store: Store) -> None:
    many = AT_ONCE + 5
    waiting = [
        store.append(put(store, "t1", b"x", after=n, key=key(f"old {n}"), reply=b"r")) for n in range(many)
    ]
    for each in waiting:
        each.result(GUARD)
    store.append(put(store, "t1", b"x", key=key("two", client=CLIENT), reply=b"r")).result(GUARD)
    store.write(partial(_aged, 8)).result(GUARD)
    store.append(put(store, "t1", b"x", key=key("new"), reply=b"r")).result(GUARD)
    assert forget(store, NOW - timedelta(days=30)) == 0
    assert forget(store, NOW - timedelta(days=7)) == many
    assert kept(store) == 2
    assert store.recall(key("new")) is not None
    assert store.recall(key("two", client=CLIENT)) is not None, "or it could be agreed to once more"
    assert store.recall(key("old 0")) is None
    assert store.head("t1").number == many + 2, "the record is as it was"
    again = store.append(put(store, "t1", b"x", key=key("old 0"), reply=b"r")).result(GUARD)
    assert not again.repeat, "so long afterwards it is another request"


@in_loop
async def test_a_house_forgets_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        hosted = await put_up(house)
        for number in range(3):
            await bet(house, key=f"k{number}")
        await asyncio.wrap_future(house.store.write(partial(_aged, 8)))
        await bet(house, key="k3")
    assert staked(hosted) == 400_00
    monkeypatch.setattr(forgetting, "EVERY", 0.01)
    passes: list[datetime] = []

    def counted(store: Store, before: datetime) -> int:
        passes.append(before)
        return forget(store, before)

    monkeypatch.setattr(forgetting, "forget", counted)
    for hours, left in ((0, 4), (24 * 9, 4), (24 * 7, 1)):
        passes.clear()
        async with open_house(tmp_path, reply_hours=hours) as opened:
            if hours:
                await until_so(lambda: len(passes) > 3)
            assert await asyncio.to_thread(kept, opened.house.store) == left
            assert bool(passes) == bool(hours), "where there is no age, nothing is looked for"
            again = await ask(opened.house, "p1", "place_bet", key="k3", box=1, bet="banker", stake="100")
            assert again["events"], "what is not so old is told again"
