"""Processor time of the house for one durable bet, everything it does meanwhile included.

    .venv/bin/python benchmarks/bet_cost.py [SECONDS]
    .venv/bin/python benchmarks/beside.py COMMIT bet_cost 5    # beside an earlier one, by turns

A real `lammer serve` on SQLite takes bets from 64 connections. Checkpoints and the log of the house are made
every half second, ten times as often as usual.
Bar, beside the commit before the log: not 5% more.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from durable_bets import betting
from served import cpu_seconds, serving


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 6.0
    with tempfile.TemporaryDirectory() as folder:
        house = serving(
            Path(folder) / "house", LAMMER_CHIPS="0", LAMMER_TABLES="0", LAMMER_CHECKPOINT_SECONDS="0.5"
        )
        with house as (server, told):
            ask = betting(told)
            ask(1.0)
            before = cpu_seconds(server.pid)
            load = ask(seconds)
            spent = cpu_seconds(server.pid) - before
    print(
        f"  {spent / load.answers * 1e6:,.1f} µs of processor time a bet (of {load.answers:,};"
        f" {load.rate:,.0f} a second)"
    )


if __name__ == "__main__":
    main()
