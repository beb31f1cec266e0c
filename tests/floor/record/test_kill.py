"""kill -9 under load, again and again: nothing acknowledged is lost, nothing repeated counts twice.

Some requests bring chips from a purse to a table: what left the purse is what the tables got, to the cent.

`LAMMER_KILL_CYCLES` sets how often; 20 for each database unless it says otherwise.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest
from sqlalchemy import select

from lammer.floor.record.purses import purses
from support import appender
from support.appender import IN_PURSE, brings
from support.awaited import GUARD, until
from support.houses import House, intact

CYCLES = int(os.environ.get("LAMMER_KILL_CYCLES", "20"))
APPENDER = Path(appender.__file__)


class Nursery:
    """Gives life to one writer after another."""

    def __init__(self) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self._process = subprocess.Popen([sys.executable, str(APPENDER)], text=True, **pipes)  # type: ignore[call-overload]

    def life(self, where: str, first: int, answers: int) -> Iterator[tuple[int, str, int, bool]]:
        """What a writer was told before it was killed, which is as soon as so many were heard.

        It goes on meanwhile: what it is at when it dies is anybody's guess.
        """
        self._process.stdin.write(f"{where} {first}\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline().split()[1])
        heard = 0
        for line in self._process.stdout:
            if line == "dead\n":
                break
            heard += 1
            if heard == answers:
                os.kill(pid, signal.SIGKILL)
            number, table, last, repeat = line.split()
            yield int(number), table, int(last), repeat == "1"
        assert heard >= answers, "it died by itself"

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait(GUARD)
        self._process.stdout.close()
        self._process.stderr.close()


def nobody_else_is_connected(url: str) -> bool:
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    with psycopg.connect(url) as connection:
        return connection.execute(others).fetchone() == (0,)


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


def test_killed_under_load(house: House, nursery: Nursery) -> None:
    chance = Random(5)
    told: dict[int, tuple[str, int]] = {}
    repeats = 0
    first = 0
    for _ in range(CYCLES):
        for number, table, last, repeat in nursery.life(house.where, first, chance.randint(1, 120)):
            assert told.setdefault(number, (table, last)) == (table, last), "the same answer every time"
            repeats += repeat
        while first in told:
            first += 1
        # Ask again also for some that were answered: their replies may have been lost on the way.
        first = max(0, first - 5)
    assert len(told) > CYCLES * 10
    assert repeats > 0
    if house.kind == "postgresql":
        # A transaction of the last life may still be on its way.
        until(lambda: nobody_else_is_connected(house.where))
    found = intact(house.look())
    bodies = [body for table in found.values() for body in table]
    assert len(bodies) == len(set(bodies)), "none is doubled"
    for number, (table, last) in told.items():
        assert found[table][last - 1] == b"request %d" % number
    brought = sum(brings(int(body.split()[1])) for body in bodies)
    with house.look().reading() as connection:
        (row,) = connection.execute(select(purses)).all()
    assert brought, "chips were on their way"
    assert (row.balance, row.issued) == (IN_PURSE - brought, IN_PURSE), "each moved whole, or not at all"
    print(
        f"{house.kind}: {CYCLES} lives, {len(told)} acknowledged, {len(bodies)} written, {repeats} repeated"
    )
