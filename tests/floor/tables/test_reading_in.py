"""A reader's card at a table of the house, while people do things at the same moment."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import StoreUnavailable
from lammer.floor.tables import shoe_readers as reading_in
from lammer.floor.tables.house import House
from lammer.floor.tables.live_table import PAUSE_SECONDS, LiveTable
from lammer.floor.tables.shoe_feed import CardScan
from lammer.floor.tables.shoe_readers import Readers
from support.awaited import GUARD, until_so
from support.failing_store import FAULTS, Failing
from support.open_house import as_recorded, ask, held_back, house_on, in_loop, put_up


async def dealing(house: House) -> tuple[LiveTable, Readers]:
    live_table = await put_up(house)
    await ask(house, "dealer", "close_bets")
    return live_table, Readers(house)


async def post(readers: Readers, sequence: int, card: str) -> dict[str, Any]:
    answer: dict[str, Any] = msgspec.json.decode(await readers.take("t1", "k1", CardScan(sequence, card)))
    return answer


def on_table(live_table: LiveTable) -> list[str]:
    assert live_table.view.table.round is not None
    return [str(laid.card) for laid in live_table.view.table.round.cards]


@in_loop
async def test_a_card_entered_by_hand_at_the_same_moment_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is decided while the feed is read from the record, and not on disk when that is done."""
    begun, go_on = threading.Event(), threading.Event()
    feed_back = reading_in._feed_back

    def slow(*given: Any) -> Any:
        begun.set()
        assert go_on.wait(GUARD)
        return feed_back(*given)

    monkeypatch.setattr(reading_in, "_feed_back", slow)
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table, readers = await dealing(house)
        posted = asyncio.ensure_future(post(readers, 2, "9H"))
        assert await asyncio.to_thread(begun.wait, GUARD)
        before = live_table.number
        async with held_back(house.store):
            by_hand = asyncio.ensure_future(ask(house, "dealer", "deal_card", card="KS"))
            await until_so(lambda: live_table.number > before)
            go_on.set()
            await until_so(lambda: live_table._waiting or posted.done())
            assert not posted.done(), "nobody knows yet whether it is the second"
        await by_hand
        assert (await posted)["kind"] == "card"
        assert on_table(live_table) == ["KS", "9H"]
        assert as_recorded(live_table)


@in_loop
async def test_readings_while_the_record_fails_are_dealt_once(tmp_path: Path) -> None:
    """Every card is sent until it is acknowledged; some are on disk although nobody was told."""
    steady = [0.0]
    clock = Clock(steady=lambda: steady[0])
    async with house_on(tmp_path / "house.sqlite", Failing, clock=clock) as house:
        live_table, readers = await dealing(house)
        failing: Any = house.store
        for number, card in enumerate(("2S", "KS", "3H", "2D", "QD", "4C"), 1):
            failing.faults = [FAULTS["gone"]] if number % 2 else []
            failing.silent = 0 if number % 2 else 1
            for _ in range(10):
                try:
                    answer = await post(readers, number, card)
                    break
                except StoreUnavailable:
                    steady[0] += PAUSE_SECONDS
            assert answer["kind"] in ("card", "repeat"), answer
        assert on_table(live_table) == ["2S", "KS", "3H", "2D", "QD", "4C"]
        assert as_recorded(live_table)
