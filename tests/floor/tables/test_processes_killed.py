"""kill -9 of a serving house, again and again, at random moments under load over HTTP.

No acknowledged bet is lost, none counts twice however often it is asked for again, the chain verifies and the
money is all there. `LAMMER_KILL_CYCLES` sets how often on SQLite; on PostgreSQL it is a quarter of that.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest

from support.houses import House
from support.open_house import in_loop
from support.processes import Crowd, Process, Zygote, must_be_whole

pytestmark = pytest.mark.slow

CYCLES = int(os.environ.get("LAMMER_KILL_CYCLES", "20"))
PLAYERS = 6
LEASE = 60.0
"""Seconds: nobody loses their turn because the machine is slow. When one dies the test lets it run out."""


@pytest.fixture
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


@in_loop
async def test_killed_while_serving(house: House, tmp_path: Path, zygote: Zygote) -> None:
    chance = Random(8)
    crowd = Crowd()
    store = house.where if house.kind == "postgresql" else ""
    settings = {"data": str(tmp_path / "house"), "store": store, "lease_seconds": LEASE}
    cycles = CYCLES if house.kind == "sqlite" else max(1, CYCLES // 4)
    process = await asyncio.to_thread(zygote.open, **settings)
    await crowd.gather(process, PLAYERS)
    for cycle in range(cycles):
        await one_life(crowd, process, chance.randint(1, 60))
        if cycle % 4 == 3:
            # Killed before it is open, too.
            born, _ = await asyncio.to_thread(zygote.bear, **settings)
            await asyncio.sleep(chance.uniform(0, 0.3))
            await asyncio.to_thread(born.kill)
        if house.kind == "postgresql":
            await asyncio.to_thread(turns_run_out, house.where)
        process = await asyncio.to_thread(zygote.open, **settings)
        await crowd.go_on(process)
        await crowd.again(process)
    await one_life(crowd, process, 60)
    await crowd.http.aclose()
    where = str(tmp_path / "house" / "house.sqlite") if house.kind == "sqlite" else house.where
    looked = House(house.kind, where)
    written = must_be_whole(looked.look(), crowd)
    looked.close()
    assert len(crowd.told) > cycles
    assert crowd.repeated
    assert not [line for line in zygote.errors if "Traceback" in line], "".join(zygote.errors)
    print(f"{house.kind}: {cycles} lives, {len(crowd.told)} acknowledged, {len(written)} written")


def turns_run_out(url: str) -> None:
    """The dead one's turns are over by the database's clock, as they are after a while."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE leases SET until = 1")


async def one_life(crowd: Crowd, process: Process, answers: int) -> None:
    """Everybody plays, and after so many answers the house dies under them."""
    over = asyncio.Event()
    playing = [
        asyncio.ensure_future(crowd.play(f"p{number}", [process], over)) for number in range(1, PLAYERS + 1)
    ]
    await crowd.told_more(answers)
    await asyncio.to_thread(process.kill)
    over.set()
    await asyncio.gather(*playing)
