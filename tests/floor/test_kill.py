"""kill -9 under load, again and again: nothing acknowledged is lost, nothing repeated counts twice.

`LAMMER_KILL_CYCLES` sets how often; 20 for each database unless it says otherwise.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from floor.houses import House, intact

CYCLES = int(os.environ.get("LAMMER_KILL_CYCLES", "20"))
APPENDER = Path(__file__).with_name("appender.py")


class Nursery:
    """Gives life to one writer after another."""

    def __init__(self) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self._process = subprocess.Popen([sys.executable, str(APPENDER)], text=True, **pipes)  # type: ignore[call-overload]

    def life(self, where: str, first: int, seconds: float) -> Iterator[tuple[int, str, int, bool]]:
        """What a writer was told before it was killed; the time counts from its first acknowledgement."""
        self._process.stdin.write(f"{where} {first}\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline().split()[1])
        killer: threading.Timer | None = None
        for line in self._process.stdout:
            if line == "dead\n":
                break
            if killer is None:
                killer = threading.Timer(seconds, os.kill, (pid, signal.SIGKILL))
                killer.start()
            number, table, last, repeat = line.split()
            yield int(number), table, int(last), repeat == "1"
        assert killer is not None, self._process.stderr.read()
        killer.join()

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()
        self._process.stderr.close()


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
        for number, table, last, repeat in nursery.life(house.where, first, chance.uniform(0, 0.15)):
            assert told.setdefault(number, (table, last)) == (table, last), "the same answer every time"
            repeats += repeat
        while first in told:
            first += 1
        # Ask again also for some that were answered: their replies may have been lost on the way.
        first = max(0, first - 5)
    assert len(told) > CYCLES * 10
    assert repeats > 0
    # On PostgreSQL a transaction of the last life may still be on its way.
    time.sleep(0.2 if house.kind == "postgresql" else 0)
    found = intact(house.look())
    bodies = [body for table in found.values() for body in table]
    assert len(bodies) == len(set(bodies)), "none is doubled"
    for number, (table, last) in told.items():
        assert found[table][last - 1] == b"request %d" % number
    print(
        f"{house.kind}: {CYCLES} lives, {len(told)} acknowledged, {len(bodies)} written, {repeats} repeated"
    )
