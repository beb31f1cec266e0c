"""Durable bets a second over HTTP, and how long the slowest take, beside this machine's own limits.

    .venv/bin/python benchmarks/durable_bets.py [SECONDS]

A real `lammer serve` on loopback, and a load generator of our own with 64 connections, each of which places
a bet under a key of its own and waits for the answer before the next. Beside it, in the same run: bare
appends with group commit, and a constant reply from the same HTTP server with nothing behind it.
Bars: 4,000 durable bets a second on SQLite with a p99 under 50 ms; a third of the bare-append rate.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import tempfile
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import uvicorn

from bare_append import bare_append, postgres
from lammer.floor.record.opening import open_store
from load import Load, run_load
from served import come_in, headers_of, serving

CONNECTIONS = 64
BARS = (4_000, 0.050)
COMMANDS = "/api/tables/bench/commands"
PORT = 8599


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    constant = _constant(seconds)
    print(f"  constant reply: {constant.rate:,.0f} a second, p99 {constant.p99 * 1000:.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare_rate(Path(folder) / "bare.sqlite", seconds)
        _report("SQLite", _bets(Path(folder), "", seconds), bare, constant)
    with postgres() as url:
        bare = _bare_rate(url, seconds)
    # A database of its own: a house does not open over rows that are no events.
    with tempfile.TemporaryDirectory() as folder, postgres() as url:
        _report("PostgreSQL", _bets(Path(folder), url, seconds), bare, constant)


def _bare_rate(where: str | Path, seconds: float) -> float:
    store = open_store(where)
    try:
        bare_append(store, waiting=CONNECTIONS, tables=1, seconds=0.5)
        return bare_append(store, waiting=CONNECTIONS, tables=1, seconds=min(seconds, 3))
    finally:
        store.close()


def _report(name: str, bets: Load, bare: float, constant: Load) -> None:
    met = _met(bets.rate >= BARS[0] and bets.p99 < BARS[1])
    bars = f" (bars 4,000 and 50 ms: {met})" if name == "SQLite" else ""
    print(
        f"  {name}: {bets.rate:,.0f} durable bets a second, p50 {bets.p50 * 1000:.1f} ms, "
        f"p99 {bets.p99 * 1000:.1f} ms{bars}"
    )
    share = bets.rate / bare
    print(
        f"  {name}: bare append {bare:,.0f} a second; bets over HTTP are {share:.2f} of it "
        f"(bar 0.33: {_met(share >= 1 / 3)}) and {bets.rate / constant.rate:.2f} of the constant reply"
    )


def _met(good: bool) -> str:
    return "met" if good else "MISSED"


def _bets(folder: Path, url: str, seconds: float) -> Load:
    """A house with one table open for bets, and 64 people betting."""
    options = ["--store", url] if url else []
    with serving(folder / "house", *options, LAMMER_CHIPS="0", LAMMER_TABLES="0") as (_, told):
        return placed(told, seconds)


def placed(told: dict[str, Any], seconds: float) -> Load:
    """What a house that was just opened takes from so many people betting at one table."""
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
    run_load(address, COMMANDS, headers, bodies, connections=CONNECTIONS, seconds=1.0)
    return run_load(address, COMMANDS, headers, bodies, connections=CONNECTIONS, seconds=seconds)


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
