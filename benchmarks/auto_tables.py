"""What two hundred tables that deal themselves cost a process, in processor time.

    .venv/bin/python benchmarks/auto_tables.py [TABLES] [SECONDS]

A real `lammer serve` with SQLite, in real time: one round at each table about every 20 seconds (11 s of bets,
0.8 s a card, 2 s a window, 3 s between rounds). Measured is the processor time of the server over the seconds
after its start, and how many rounds were really dealt. Bar: 200 tables with less than half a core.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import httpx

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
    with tempfile.TemporaryDirectory() as folder, serving(folder, tables) as (server, told):
        address = str(told["address"])
        before, begun = cpu_seconds(server.pid), perf_counter()
        events = _figure(address, "lammer_events_total")
        sleep(seconds)
        spent, passed = cpu_seconds(server.pid) - before, perf_counter() - begun
        dealt = _figure(address, "lammer_events_total") - events
        rounds = _rounds(address, told)
        share = spent / passed
        print(
            f"  {tables} tables, {passed:.0f} s in real time: {share:.3f} of a core "
            f"(bar {BAR}: {'met' if share < BAR else 'MISSED'}); {dealt:,.0f} events written, "
            f"{rounds / tables:.2f} rounds a table begun, {resident(server.pid) / 1e6:.0f} MB resident"
        )


class serving:  # noqa: N801 (it is used like a function)
    """A server with so many tables, closed in order at the end."""

    def __init__(self, folder: str, tables: int, **more: str) -> None:
        command = [str(Path(sys.executable).with_name("lammer")), "serve", "--data", folder]
        command += ["--port", "0", "--json", "--tables", str(tables)]
        self.server = subprocess.Popen(
            command, env=os.environ | PACE | more, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        assert self.server.stdout is not None
        return self.server, json.loads("".join(iter(self.server.stdout.readline, "}\n")) + "}")

    def __exit__(self, *_: object) -> None:
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(60)


def cpu_seconds(pid: int) -> float:
    """The processor time a process has used, all threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    """The memory of a process that is in memory, in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _figure(address: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)", httpx.get(f"{address}/metrics", trust_env=False).text, re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def _rounds(address: str, told: dict[str, Any]) -> int:
    links = {each["name"]: each["link"].partition("token=")[2] for each in told["links"]}
    with httpx.Client(base_url=address, trust_env=False) as client:
        client.post("/api/session/link", json={"token": links["auditor"]}).raise_for_status()
        return sum(int(each["round"]) for each in client.get("/api/tables").json())


if __name__ == "__main__":
    main()
