"""Two thousand live streams on one process: how soon each hears of what happens, and what that costs.

    .venv/bin/python benchmarks/live_streams.py [STREAMS] [SECONDS]

A real `lammer serve` on loopback with ten tables that deal themselves every few seconds, and this process
reading all the streams. How late an event comes is its arrival less the moment it was decided, on one
machine's clock. Then a crowd at one table: every stream watches it while bets are placed one after the other.
"""

from __future__ import annotations

import asyncio
import re
import resource
import sys
import tempfile
from datetime import datetime
from time import perf_counter, time
from typing import Any, Final, cast
from urllib.parse import urlsplit

import httpx
import uvloop

from served import come_in, cpu_seconds, headers_of, resident, serving

TABLES: Final = 10
PACE: Final = {
    "LAMMER_BETTING_SECONDS": "3",
    "LAMMER_PAUSE_SECONDS": "0.3",
    "LAMMER_WINDOW_SECONDS": "1",
    "LAMMER_BETWEEN_SECONDS": "1",
    "LAMMER_STREAMS_PER_SESSION": "100000",
    "LAMMER_STREAMS_PER_ADDRESS": "100000",
    "LAMMER_CONNECTIONS_PER_ADDRESS": "0",
}
BETS: Final = 30
_ID: Final = re.compile(rb"^id: (\d+)$", re.MULTILINE)
_AT: Final = re.compile(rb'"at":"([^"]+)"')


class Reader(asyncio.Protocol):
    """One stream: the numbers it has seen, and how late each came."""

    def __init__(self, request: bytes, late: list[float]) -> None:
        self.request, self.late = request, late
        self.last = 0
        self.count = 0
        self.gaps = 0
        self.open = True
        self.rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        data = self.rest + data
        whole, mark, self.rest = data.rpartition(b"\n\n")
        now = time()
        for number in _ID.findall(whole + mark):
            self.gaps += bool(self.last) and int(number) != self.last + 1
            self.last = int(number)
            self.count += 1
        for at in _AT.findall(whole):
            self.late.append(now - datetime.fromisoformat(at.decode()).timestamp())

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False


def main() -> None:
    streams = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 15.0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, streams + 200)), hard))
    tables = ("--tables", str(TABLES))
    with tempfile.TemporaryDirectory() as folder, serving(folder, *tables, **PACE) as (server, told):
        uvloop.run(measured(server.pid, told, streams, seconds))


async def measured(pid: int, told: dict[str, Any], streams: int, seconds: float) -> tuple[float, float]:
    """Print the figures; the bytes of a stream, and the processor seconds to tell one of a crowd an event."""
    address = str(told["address"])
    headers = headers_of(*come_in(told, "dealer"))
    cookie = headers["cookie"]
    async with httpx.AsyncClient(base_url=address, headers=headers, trust_env=False, timeout=30) as http:
        names = [each["table"] for each in (await http.get("/api/tables")).json()]
        empty = resident(pid)
        late: list[float] = []
        begun = perf_counter()
        readers = await _opened(
            address, headers["cookie"], [names[n % len(names)] for n in range(streams)], late
        )
        while not all(reader.rest or reader.count for reader in readers) and perf_counter() - begun < 30:
            await asyncio.sleep(0.05)
        each = (resident(pid) - empty) / streams
        print(f"  {streams:,} streams open after {perf_counter() - begun:.1f} s, "
              f"{each / 1024:.0f} KiB each in the server")  # fmt: skip
        late.clear()
        for reader in readers:
            reader.count = 0
        before, begun = cpu_seconds(pid), perf_counter()
        await asyncio.sleep(seconds)
        _told(
            f"{len(names)} tables dealing", readers, late, cpu_seconds(pid) - before, perf_counter() - begun
        )
        for reader in readers:
            reader.transport.close()
        await asyncio.sleep(0.5)
        return each, await _crowd(http, pid, cookie, names[0], streams)


async def _opened(address: str, cookie: str, tables: list[str], late: list[float]) -> list[Reader]:
    loop, at = asyncio.get_running_loop(), urlsplit(address)
    made: list[Reader] = []

    def reader() -> Reader:
        head = (
            f"GET /api/tables/{tables[len(made)]}/stream HTTP/1.1\r\nhost: house\r\ncookie: {cookie}\r\n\r\n"
        )
        made.append(Reader(head.encode(), late))
        return made[-1]

    for _ in tables:
        await loop.create_connection(reader, at.hostname or "", at.port or 80)
    return made


async def _crowd(http: httpx.AsyncClient, pid: int, cookie: str, table: str, streams: int) -> float:
    """Every stream at one table, and bets there."""
    late: list[float] = []
    await http.post(f"/api/tables/{table}/commands", json={"do": "take_seat", "player": "p1", "box": 1})
    readers = await _opened(str(http.base_url).rstrip("/"), cookie, [table] * streams, late)
    await asyncio.sleep(2)
    late.clear()
    for reader in readers:
        reader.count = 0
    before, begun, placed = cpu_seconds(pid), perf_counter(), 0
    while placed < BETS and perf_counter() - begun < 30:
        asked = {"do": "place_bet", "player": "p1", "box": 1, "bet": "tie", "stake": "10"}
        placed += (await http.post(f"/api/tables/{table}/commands", json=asked)).status_code == 200
        await asyncio.sleep(0.05)
    await asyncio.sleep(1)
    spent = cpu_seconds(pid) - before
    _told(f"{placed} bets at one table", readers, late, spent, perf_counter() - begun)
    for reader in readers:
        reader.transport.close()
    return spent / max(sum(reader.count for reader in readers), 1)


def _told(what: str, readers: list[Reader], late: list[float], spent: float, seconds: float) -> None:
    late.sort()
    heard = sum(reader.count for reader in readers)
    gaps, lost = sum(reader.gaps for reader in readers), sum(not reader.open for reader in readers)
    p50, p99 = (late[int(len(late) * part)] * 1000 if late else 0.0 for part in (0.5, 0.99))
    print(
        f"  {what}: {heard:,} events heard by {len(readers):,} streams, p50 {p50:.1f} ms, p99 {p99:.1f} ms "
        f"after they were decided; {gaps} gaps, {lost} streams lost; {spent / seconds:.2f} of a core, "
        f"{spent / max(heard, 1) * 1e6:.1f} ms of it for an event told to 1,000"
    )


if __name__ == "__main__":
    main()
