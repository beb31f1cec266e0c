"""A house a thousand times larger, on paper: measured here, multiplied, and its queues simulated.

    .venv/bin/python benchmarks/house_at_scale.py [TABLES] [WATCHERS]

It measures what one bet and one event told to a watcher cost in processor time, in bytes of log and of disk,
on PostgreSQL; processor time, since that is what adds up over machines and changes least when others use this
one. From these and from the assumptions named below it works out how much of everything such a house needs,
and simulates one process with live streams to find how many it serves. docs/concepts/scale.md has a plan.
"""

from __future__ import annotations

import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import psycopg
import uvloop

from bare_append import postgres
from durable_bets import betting
from live_streams import PACE, TABLES, measured as measured_streams
from served import cpu_seconds, serving

BETS_A_ROUND: Final = 25
EVENTS_A_ROUND: Final = 45
"""Bets, the opening and close, about five cards, Insurance windows, the settlement, seats taken and left."""
ROUND_SECONDS: Final = 50
BUSIEST_SHARE: Final = 0.05
"""The part of all watchers who look at the one table everybody looks at."""
MOST_OF_A_CORE: Final = 0.5
"""How much of a core is planned for: what is left takes a failing neighbour's share."""
LATE_SECONDS: Final = 0.5
STREAMS: Final = 2_000
SECONDS_A_YEAR: Final = 365 * 86_400


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured, for one bet or one event told to one watcher."""

    house_seconds: float
    database_seconds: float
    log_bytes: float
    disk_bytes: float
    stream_bytes: float
    told_seconds: float


def processor_of_family(parent: int) -> float:
    """The processor time of a process and of its children."""
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text("utf-8").split()
    return sum(cpu_seconds(pid) for pid in (parent, *map(int, listed)))


def measure_bets(seconds: float) -> tuple[float, float, float, float]:
    """Seconds in the house and in PostgreSQL, bytes of its log and of its tables, each for one bet."""
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres() as url,
        psycopg.connect(url, autocommit=True) as database,
        serving(Path(folder) / "house", "--store", url, LAMMER_CHIPS="0", LAMMER_TABLES="0") as (
            server,
            told,
        ),
    ):

        def number(query: str) -> float:
            row = database.execute(query).fetchone()
            assert row is not None
            return float(row[0])

        stat = Path(f"/proc/{int(number('SELECT pg_backend_pid()'))}/stat").read_text("utf-8")
        postmaster = int(stat.rpartition(")")[2].split()[1])

        def state() -> tuple[float, ...]:
            return (
                cpu_seconds(server.pid),
                processor_of_family(postmaster),
                number("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"),
                number("SELECT pg_database_size(current_database())"),
                number("SELECT count(*) FROM events"),
            )

        before = state()
        betting(told)(seconds)
        house, base, log, disk, bets = (late - early for late, early in zip(state(), before, strict=True))
        return house / bets, base / bets, log / bets, disk / bets


def measure(seconds: float) -> Costs:
    bets = measure_bets(seconds)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(folder, "--tables", str(TABLES), **PACE) as (server, told),
    ):
        each, told_seconds = uvloop.run(measured_streams(server.pid, told, STREAMS, seconds))
    return Costs(*bets, each, told_seconds)


def lateness(
    costs: Costs, tables: int, watchers: int, crowd: int, chance: Random, events: int = 4_000
) -> float:
    """How late all but one in a hundred hear of an event, from one process with so many watchers.

    Events of the tables come at random; each is told to one watcher after the other, and the next waits.
    The `crowd` looks at the first table, the others at the rest alike.
    """
    rate = EVENTS_A_ROUND / ROUND_SECONDS * tables
    others = (watchers - crowd) // max(tables - 1, 1)
    now = free = 0.0
    late: list[tuple[float, int]] = []
    for _ in range(events):
        now += chance.expovariate(rate)
        told = crowd if chance.randrange(tables) == 0 else others
        if told:
            begun = max(now, free)
            free = begun + told * costs.told_seconds
            # Tenths of the readers, each as late as its last.
            late += [(begun - now + told * costs.told_seconds * part / 10, told) for part in range(1, 11)]
    late.sort()
    left = sum(told for _, told in late) * 0.99
    for seconds, told in late:
        left -= told
        if left <= 0:
            return seconds
    return 0.0


def most_watchers(costs: Costs, watched_each: int, *, crowded: bool) -> int:
    """The most streams of a process that are told in time and leave it enough of its core."""
    best = 0
    for watchers in range(1_000, 200_001, 1_000):
        tables = 1 if crowded else max(watchers // watched_each, 1)
        told_a_second = EVENTS_A_ROUND / ROUND_SECONDS * watchers
        busy = told_a_second * costs.told_seconds
        if busy > MOST_OF_A_CORE:
            break
        crowd = watchers if crowded else watched_each
        if lateness(costs, tables, watchers, crowd, Random(watchers)) > LATE_SECONDS:
            break
        best = watchers
    return best


def report(costs: Costs, tables: int, watchers: int) -> None:
    print(
        f"  measured for a bet: {costs.house_seconds * 1e6:.0f} µs in the house, "
        f"{costs.database_seconds * 1e6:.0f} µs in PostgreSQL, {costs.log_bytes:,.0f} bytes of log, "
        f"{costs.disk_bytes:,.0f} of disk"
    )
    print(
        f"  measured for a watcher: {costs.told_seconds * 1e6:.1f} µs an event, "
        f"{costs.stream_bytes / 1024:.0f} KiB"
    )
    rounds = tables / ROUND_SECONDS
    events, bets = rounds * EVENTS_A_ROUND, rounds * BETS_A_ROUND
    told = events * watchers / tables
    print(
        f"  {tables:,} tables: {rounds:,.0f} rounds, {bets:,.0f} bets, {events:,.0f} events a second; "
        f"{watchers:,} watchers are told {told:,.0f}"
    )
    deciding, database = events * costs.house_seconds, events * costs.database_seconds
    deciders = math.ceil(deciding / MOST_OF_A_CORE)
    print(
        f"  deciding: {deciding:.1f} cores busy, so {deciders} processes; PostgreSQL: {database:.1f} cores "
        f"busy, {events * costs.log_bytes / 1e6:.1f} MB of log a second, "
        f"{events * costs.disk_bytes * SECONDS_A_YEAR / 1e12:.0f} TB of disk a year"
    )
    crowd = round(watchers * BUSIEST_SHARE)
    spread = most_watchers(costs, (watchers - crowd) // tables, crowded=False)
    crowded = most_watchers(costs, crowd, crowded=True)
    print(
        f"  one process tells {spread:,} watchers spread over tables, or {crowded:,} at one table, with all "
        f"but 1 in 100 under {LATE_SECONDS * 1000:.0f} ms"
    )
    for_crowd = math.ceil(crowd / max(crowded, 1))
    tellers = math.ceil((watchers - crowd) / max(spread, 1)) + for_crowd
    print(
        f"  telling: {told * costs.told_seconds:.1f} cores busy, {tellers} processes, "
        f"{watchers * costs.stream_bytes / 1e9:.0f} GB of memory; the busiest table ({crowd:,} watchers) "
        f"alone takes {for_crowd}"
    )
    processes = tellers + deciders
    print(
        f"  as it is today each of {processes} processes would hear of every event: "
        f"{events * processes:,.0f} notices a second, and as many events read from PostgreSQL"
    )


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    watchers = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    report(measure(5.0), tables, watchers)


if __name__ == "__main__":
    main()
