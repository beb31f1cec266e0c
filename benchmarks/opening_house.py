"""How soon a house with a long record is ready, and how much of the processor that takes.

    .venv/bin/python benchmarks/opening_house.py [EVENTS]

The tables are put up over HTTP, their rounds are written into the record without a server, and the house is
opened once, so that it has snapshots and checkpoints, and then again: from the start of `lammer serve` until
it answers `/ready`. Beside it the same for an empty house, which is what Python and the application take by
themselves. Bar: 3 s of the processor, however much there is.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

import httpx

from served import come_in, cpu_seconds, resident, serving
from verify_house import TABLES, write_house

BAR_SECONDS = 3.0


def opened(folder: Path) -> tuple[float, float, int]:
    """Seconds until it is ready, seconds of processor time by then, and bytes in memory."""
    begun = perf_counter()
    with serving(folder, LAMMER_TABLES="0") as (server, told):
        httpx.get(f"{told['address']}/ready", trust_env=False).raise_for_status()
        return perf_counter() - begun, cpu_seconds(server.pid), resident(server.pid)


def put_up(folder: Path) -> None:
    """A house of tables at which nothing has happened."""
    with serving(folder, LAMMER_TABLES="0") as (_, told):
        admin, token = come_in(told, "administrator")
        for number in range(TABLES):
            named = {"table": f"t{number}", "title": f"Table {number}"}
            admin.post("/api/tables", json=named, headers=token).raise_for_status()


def main() -> None:
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        empty, full = Path(name) / "empty", Path(name) / "full"
        put_up(empty)
        put_up(full)
        events = write_house(full, asked)
        opened(full)
        for what, folder in (("an empty house", empty), (f"{events:,} events", full)):
            seconds, spent, held = opened(folder)
            met = "met" if spent <= BAR_SECONDS else "MISSED"
            print(
                f"  {what}: ready after {seconds:.1f} s as it was, {spent:.1f} s on the processor, "
                f"{held / 1e6:.0f} MB (bar {BAR_SECONDS:.0f} s: {met})"
            )


if __name__ == "__main__":
    main()
