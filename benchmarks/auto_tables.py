"""What two hundred tables that deal themselves cost a process, in processor time.

    .venv/bin/python benchmarks/auto_tables.py [TABLES] [SECONDS]

A real `lammer serve` with SQLite, in real time: one round at each table about every 20 seconds (11 s of bets,
0.8 s a card, 2 s a window, 3 s between rounds). Measured is the processor time of the server over the seconds
after its start, and how many rounds were really dealt. Bar: 200 tables with less than half a core.
"""

from __future__ import annotations

import re
import sys
import tempfile
from time import perf_counter, sleep
from typing import Any

import httpx

from served import come_in, cpu_seconds, resident, serving

BAR = 0.5
PACE = {
    "LAMMER_BETTING_SECONDS": "11",
    "LAMMER_PAUSE_SECONDS": "0.8",
    "LAMMER_WINDOW_SECONDS": "2",
    "LAMMER_BETWEEN_SECONDS": "3",
}


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 40.0
    asked = ("--tables", str(tables))
    with tempfile.TemporaryDirectory() as folder, serving(folder, *asked, **PACE) as (server, told):
        address = str(told["address"])
        before, begun = cpu_seconds(server.pid), perf_counter()
        events = _figure(address, "lammer_events_total")
        sleep(seconds)
        spent, passed = cpu_seconds(server.pid) - before, perf_counter() - begun
        dealt = _figure(address, "lammer_events_total") - events
        rounds = _rounds(told)
        share = spent / passed
        print(
            f"  {tables} tables, {passed:.0f} s in real time: {share:.3f} of a core "
            f"(bar {BAR}: {'met' if share < BAR else 'MISSED'}); {dealt:,.0f} events written, "
            f"{rounds / tables:.2f} rounds a table begun, {resident(server.pid) / 1e6:.0f} MB resident"
        )


def _figure(address: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)", httpx.get(f"{address}/metrics", trust_env=False).text, re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def _rounds(told: dict[str, Any]) -> int:
    client, _ = come_in(told, "auditor")
    return sum(int(each["round"]) for each in client.get("/api/tables").json())


if __name__ == "__main__":
    main()
