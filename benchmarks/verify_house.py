"""`lammer verify` of a whole house: events a second of processor time, and in as many processes as cores.

    .venv/bin/python benchmarks/verify_house.py [EVENTS]

A record of tables with whole rounds (7 players, 25 bets, Insurance) is made first, without a server. Bars:
all cores together 150,000 events a second; memory that does not grow with the events.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter, process_time

import lammer
from lammer.floor.record.contract import Append
from lammer.floor.record.store.opening import FILE, open_record, open_store
from lammer.floor.record.verify.verify import verify
from lammer.floor.record.verify.verify_elsewhere import Elsewhere
from lammer.shelf import books_by_id
from lammer.table import commands as c
from lammer.table.journal import encode, entries
from lammer.table.setup import Limits, SetUp
from lammer.table.state import Table
from table_rounds import BOOK, call, calls

TABLES = 8
ROUNDS_OF_SHOE = 10
"""The same six cards come from ten decks ten times."""
BAR = 150_000


def steps() -> Iterator[c.Call]:
    """What is done at a table for as long as somebody asks."""
    limits = {"original": Limits(1_00), "side": Limits(1_00)}
    setup = SetUp(BOOK, "A", decks=10, limits=limits, differential=100_000_00, shoe="read")
    yield call("m", "pit_manager", c.SetTable(setup))
    for seat in range(1, 7):
        yield call(f"p{seat}", "player", c.TakeSeat(f"p{seat}", seat))
    played = calls()
    while True:
        yield call("d", "dealer", c.PrepareShoe())
        for _ in range(ROUNDS_OF_SHOE):
            yield from played
        yield call("d", "dealer", c.EndShoe())


def write_house(folder: Path, events: int) -> int:
    """A record of so many events at least, the same of each table; how many there are."""
    table = Table({BOOK: lammer.rulebook(BOOK)})
    bodies: list[bytes] = []
    for step in steps():
        bodies += [encode(entry) for entry in entries(table, step, len(bodies) + 1)]
        if len(bodies) >= events // TABLES and table.round is not None and table.round.phase == "settled":
            break
    with closing(open_store(folder / FILE)) as store:
        for name in (f"t{number}" for number in range(TABLES)):
            for first in range(0, len(bodies), 500):
                store.append(Append(name, first, bodies[first : first + 500])).result()
    return len(bodies) * TABLES


def main() -> None:
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        events = write_house(folder, asked)
        books, cores = books_by_id(), os.cpu_count() or 1
        with closing(open_record(folder / FILE)) as record:
            before, spent = resident(), process_time()
            assert verify(record, books).holds
            alone, grown = process_time() - spent, resident() - before
            begun, spent = perf_counter(), time_of_processes()
            assert verify(record, books, elsewhere=Elsewhere(str(folder / FILE), large=0)).holds
            together, spent = perf_counter() - begun, time_of_processes() - spent
    print(f"  {events:,} events, one process: {events / alone:,.0f} for each second of its processor")
    print(f"  and {grown * 1024 / events * 100_000 / 1e6:.1f} MB more for 100,000 events")
    print(f"  {cores} processes: {events / spent * cores:,.0f} a second, were the {cores} cores theirs alone")
    met = "met" if events / together >= BAR else "MISSED"
    print(f"  {cores} processes, as it was: {events / together:,.0f} a second (bar {BAR:,}: {met})")


def resident() -> int:
    """The most memory this process has held, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def time_of_processes() -> float:
    """Processor time of the processes started from here that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
