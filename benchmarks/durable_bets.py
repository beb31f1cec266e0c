"""Durable bets a second over HTTP, and how long the slowest take, beside this machine's own limits.

    .venv/bin/python benchmarks/durable_bets.py [SECONDS]

A real `lammer serve` on loopback, and a load generator of our own with 64 connections, each of which places
a bet under a key of its own and waits for the answer before the next. Beside it, in the same run: bare
appends with group commit, and a constant reply from the same HTTP server with nothing behind it.
Processor time is printed too: where others use the machine, that is the share to look at. Bars: of the
bare-append rate 0.45 on SQLite and 0.35 on PostgreSQL; and, where nobody else uses the machine, 10,000
durable bets a second on SQLite with a p99 under 25 ms.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

import uvicorn

from bare_append import bare_append, postgres
from lammer.floor.record.store.opening import open_store
from load import Load, run_load
from served import come_in, cpu_seconds, headers_of, serving

CONNECTIONS = 64
BARS = (10_000, 0.025)
SHARES = {"SQLite": 0.45, "PostgreSQL": 0.35}
COMMANDS = "/api/tables/bench/commands"
PORT = 8599


@dataclass(frozen=True, slots=True)
class Measured:
    """What was done in a second, and the microseconds of processor time each took."""

    rate: float
    cost: float
    p50: float = 0.0
    p99: float = 0.0


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    constant = _constant(seconds)
    print(f"  constant reply: {constant.rate:,.0f} a second, p99 {constant.p99 * 1000:.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare(Path(folder) / "bare.sqlite", seconds)
        _report("SQLite", _bets(Path(folder), "", seconds), bare, constant)
    with postgres() as url:
        bare = _bare(url, seconds)
    # A database of its own: a house does not open over rows that are no events.
    with tempfile.TemporaryDirectory() as folder, postgres() as url:
        _report("PostgreSQL", _bets(Path(folder), url, seconds), bare, constant)


def _bare(where: str | Path, seconds: float) -> Measured:
    store = open_store(where)
    try:
        bare_append(store, waiting=CONNECTIONS, tables=1, seconds=0.5)
        before, appended = process_time(), store.written().appends
        rate = bare_append(store, waiting=CONNECTIONS, tables=1, seconds=min(seconds, 3))
        spent = process_time() - before
        return Measured(rate, spent / (store.written().appends - appended) * 1e6)
    finally:
        store.close()


def _report(name: str, bets: Measured, bare: Measured, constant: Load) -> None:
    met = _met(bets.rate >= BARS[0] and bets.p99 < BARS[1])
    bars = f" (bars 10,000 and 25 ms on an idle machine: {met})" if name == "SQLite" else ""
    print(
        f"  {name}: {bets.rate:,.0f} durable bets a second, p50 {bets.p50 * 1000:.1f} ms, "
        f"p99 {bets.p99 * 1000:.1f} ms{bars}"
    )
    share, bar = bets.rate / bare.rate, SHARES[name]
    print(
        f"  {name}: bare append {bare.rate:,.0f} a second; bets over HTTP are {share:.2f} of it "
        f"(bar {bar}: {_met(share >= bar)}) and {bets.rate / constant.rate:.2f} of the constant reply"
    )
    print(
        f"  {name}: on the processor {bare.cost:.0f} us an append and {bets.cost:.0f} us a bet, "
        f"{bare.cost / bets.cost:.2f} of it"
    )


def _met(good: bool) -> str:
    return "met" if good else "MISSED"


def _bets(folder: Path, url: str, seconds: float) -> Measured:
    """A house with one table open for bets, and 64 people betting."""
    options = ["--store", url] if url else []
    with serving(folder / "house", *options, LAMMER_CHIPS="0", LAMMER_TABLES="0") as (server, told):
        ask = betting(told)
        ask(1.0)
        before = cpu_seconds(server.pid)
        load = ask(seconds)
        return Measured(
            load.rate, (cpu_seconds(server.pid) - before) / load.answers * 1e6, load.p50, load.p99
        )


def betting(told: dict[str, Any]) -> Callable[[float], Load]:
    """A house that was just opened, with bets open at one table, ready to be loaded for so many seconds."""
    admin, token = come_in(told, "administrator")
    admin.post("/api/tables", json={"table": "bench", "title": "Bench"}, headers=token).raise_for_status()
    manager, token = come_in(told, "pit_manager")
    setup = {
        "rulebook": "tiger-buffalo-noncommission-insurance@3",
        "layout": "C",
        "limits": {"minimum": "1", "differential": "100000000"},
        "shoe": "virtual",
    }
    asked: dict[str, Any] = {"do": "set_table", "setup": setup}
    manager.post(COMMANDS, json=asked, headers=token).raise_for_status()
    dealer, token = come_in(told, "dealer")
    seats: list[dict[str, Any]] = [{"do": "take_seat", "player": f"p{n}", "box": n + 1} for n in range(6)]
    first = [
        {"do": "place_bet", "player": f"p{n}", "box": n + 1, "bet": "tie", "stake": "1"} for n in range(6)
    ]
    for asked in (*seats, {"do": "prepare_shoe"}, {"do": "open_bets"}, *first):
        dealer.post(COMMANDS, json=asked, headers=token).raise_for_status()
    address, headers = str(told["address"]), headers_of(dealer, token)
    bodies = [
        json.dumps({"do": "place_bet", "player": f"p{n}", "box": 1 + n % 6, "bet": "tie", "stake": "1"})
        for n in range(CONNECTIONS)
    ]

    def ask(seconds: float) -> Load:
        return run_load(address, COMMANDS, headers, bodies, connections=CONNECTIONS, seconds=seconds)

    return ask


def _constant(seconds: float) -> Load:
    """The same HTTP server, answering at once."""
    process = multiprocessing.get_context("spawn").Process(target=_serve_constant, daemon=True)
    process.start()
    address, bodies = f"http://127.0.0.1:{PORT}", ["{}"] * CONNECTIONS
    deadline = perf_counter() + 10
    try:
        while True:
            try:
                return run_load(address, "/", {}, bodies, connections=CONNECTIONS, seconds=min(seconds, 3))
            except OSError:
                if perf_counter() > deadline:
                    raise
                sleep(0.1)
    finally:
        process.terminate()
        process.join()


async def _reply(scope: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"{}"})


def _serve_constant() -> None:
    uvicorn.run(_reply, port=PORT, loop="uvloop", http="httptools", lifespan="off", log_level="error")


if __name__ == "__main__":
    main()
