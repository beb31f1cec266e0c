"""Whether a server's memory stays flat: rounds at many tables over HTTP, until so many events are written.

    .venv/bin/python benchmarks/memory_over_events.py [EVENTS] [TABLES]

A real `lammer serve` on SQLite. Each table is run over a connection of its own, every command under a key:
bets by changing players, some withdrawn again, cards, settlement, new shoes. Printed is the memory resident
after every tenth of the events. Bar: between the halves it grows by less than 1 MB for 100,000 events, not
counting the first tenth.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import uvloop

from served import come_in, headers_of, resident, serving

BAR = 1e6
"""Bytes for every 100,000 events."""
BOXES = 6
NAMES = 240
"""Players who come to each table by turns."""


def main() -> None:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else 24
    with tempfile.TemporaryDirectory() as folder:
        with serving(folder, "--tables", "0", LAMMER_CHIPS="0") as (server, told):
            seen = uvloop.run(_run(told, server.pid, events, tables))
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    # What is kept of the latest rounds and keys fills up first, and then goes up and down.
    low, high = (max(memory for _, memory in part) for part in (seen[1:5], seen[5:]))
    slope = (high - low) / (seen[-1][0] / 2) * 100_000
    met = "met" if slope < BAR else "MISSED"
    print(
        f"  {seen[-1][0]:,} events: at most {low / 1e6:.1f} MB in the first half, {high / 1e6:.1f} MB in the "
        f"second, {slope / 1e6:+.2f} MB for 100,000 events (bar {BAR / 1e6:.0f} MB: {met}); "
        f"{size / 1e6:.0f} MB on disk"
    )


async def _run(told: dict[str, Any], pid: int, events: int, tables: int) -> list[tuple[int, int]]:
    """Run the tables until enough is written; the events and the memory at each tenth."""
    address = str(told["address"])
    names = [f"t{number}" for number in range(tables)]
    headers = _set_up(told, names)
    driven = [Driven(name, address, headers) for name in names]
    begun = perf_counter()
    work = [asyncio.create_task(each.run()) for each in driven]
    seen: list[tuple[int, int]] = []
    try:
        while len(seen) < 10:
            await asyncio.sleep(0.05)
            for each in work:
                if each.done():
                    each.result()
            written = sum(each.version for each in driven)
            if written >= events * (len(seen) + 1) // 10:
                seen.append((written, resident(pid)))
                rate = written / (perf_counter() - begun)
                print(
                    f"  {written:>9,} events, {seen[-1][1] / 1e6:6.1f} MB, {rate:,.0f} a second", flush=True
                )
    finally:
        for each in work:
            each.cancel()
        await asyncio.gather(*work, return_exceptions=True)
    return seen


def _set_up(told: dict[str, Any], names: list[str]) -> dict[str, str]:
    """The tables, ready to be dealt at; the headers a dealer's commands are sent with."""
    admin, token = come_in(told, "administrator")
    manager, own = come_in(told, "pit_manager")
    setup = {
        "rulebook": "tiger-buffalo-noncommission-insurance@3",
        "layout": "C",
        "limits": {"minimum": "1", "differential": "100000000"},
        "shoe": "virtual",
        "cut": 14,
    }
    for name in names:
        admin.post("/api/tables", json={"table": name, "title": name}, headers=token).raise_for_status()
        asked = {"do": "set_table", "setup": setup}
        manager.post(f"/api/tables/{name}/commands", json=asked, headers=own).raise_for_status()
    return headers_of(*come_in(told, "dealer"))


@dataclass(slots=True)
class Driven:
    """A table and whoever runs it."""

    name: str
    address: str
    headers: dict[str, str]
    version: int = 0
    asked: int = 0
    reader: asyncio.StreamReader = field(init=False)
    writer: asyncio.StreamWriter = field(init=False)

    async def run(self) -> None:
        host, _, port = self.address.removeprefix("http://").partition(":")
        self.reader, self.writer = await asyncio.open_connection(host, int(port))
        guest = 0
        while True:
            await self._ask("prepare_shoe")
            over = False
            while not over:
                players = [f"{self.name}-{(guest + box) % NAMES}" for box in range(BOXES)]
                guest += 1
                over = await self._round(players)
            await self._ask("end_shoe")

    async def _round(self, players: list[str]) -> bool:
        """A round; whether it was the last of its shoe."""
        await self._ask("open_bets")
        for box, player in enumerate(players, 1):
            await self._ask("take_seat", player=player, box=box)
        for box, player in enumerate(players, 1):
            own = {"player": player, "box": box}
            for bet in ("banker", "player", "tie", "small_tiger", "banker"):
                await self._ask("place_bet", bet=bet, stake="10", **own)
            await self._ask("withdraw_bet", bet="tie", **own)
        await self._ask("close_bets")
        over = False
        while True:
            status, answer = await self._send("deal_card", {})
            if status != 200:
                assert answer["code"] == "round_is_complete", answer
                break
            over = over or any(event["event"] == "CutCardShown" for event in answer["events"])
        await self._ask("settle")
        for player in players:
            await self._ask("leave_seat", player=player)
        return over

    async def _ask(self, do: str, **fields: Any) -> None:
        status, answer = await self._send(do, fields)
        assert status == 200, (do, answer)

    async def _send(self, do: str, fields: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        body = json.dumps({"do": do, **fields}).encode()
        self.asked += 1
        lines = [f"POST /api/tables/{self.name}/commands HTTP/1.1", f"host: {self.address[7:]}"]
        lines += [f"content-length: {len(body)}", f"idempotency-key: {self.name}-{self.asked}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        answer = json.loads(await self.reader.readexactly(length))
        self.version = answer.get("version", self.version)
        return int(head.split(" ", 2)[1]), answer


if __name__ == "__main__":
    main()
