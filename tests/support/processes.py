"""Houses in processes of their own, to be killed; and players who ask again what they are not sure of."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx

import lammer
from lammer.floor.record.checkpoints import walk
from lammer.floor.record.contract import Record
from lammer.table import events as e
from lammer.table.journal import decode, replay
from support.awaited import GUARD, between_tries, until, until_so
from support.chains import check_chain
from support.open_house import SETUP, books

ASKED = count(1)
"""Requests are numbered through; no two have the same stake."""
HERE = Path(lammer.__file__).parents[1]
ZYGOTE = Path(__file__).with_name("zygote.py")


@dataclass
class Process:
    """A running house."""

    pid: int
    address: str = ""
    links: dict[str, str] = field(default_factory=dict)

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End it, and wait until it is gone."""
        os.kill(self.pid, how)
        until(lambda: not self.alive, "the house does not end")

    @property
    def alive(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True


class Zygote:
    """Opens houses by forking."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(ZYGOTE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A house of this tree, also where another one is installed.
            env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ZYGOTE.parents[1], HERE)))},
        )
        self._numbers = count(1)
        self._heard: dict[int, queue.Queue[dict[str, Any]]] = {}
        self.errors: list[str] = []
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._listen, self._complain)
        ]
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            told = json.loads(line)
            self._heard[told["id"]].put(told)

    def _complain(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.errors.append(line)

    def bear(self, **settings: Any) -> tuple[Process, queue.Queue[dict[str, Any]]]:
        """A house that is about to open."""
        number = next(self._numbers)
        heard = self._heard[number] = queue.Queue()
        assert self._process.stdin is not None
        order = {"id": number, "settings": {"port": 0, "tables": 0, "chips": 0} | settings}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return Process(heard.get(timeout=GUARD)["pid"]), heard

    def open(self, **settings: Any) -> Process:
        """A house that is open."""
        process, heard = self.bear(**settings)
        told = heard.get(timeout=GUARD)
        process.address = told["address"]
        process.links = {role: token for _, role, token in told["links"]}
        return process

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(GUARD)
        for thread in self._threads:
            thread.join(GUARD)
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()
        # Shown beside a test that fails: what the houses logged says why.
        print("".join(self.errors))


class Crowd:
    """Staff and players with sessions that outlive the process, and what they were told."""

    def __init__(self, table: str = "t1") -> None:
        self.table = table
        self.sessions: dict[str, dict[str, str]] = {}
        self.http = httpx.AsyncClient(trust_env=False, timeout=GUARD)
        self.told: dict[str, tuple[int, int]] = {}
        self.repeated = 0
        self.asked = ASKED
        self.open: dict[str, tuple[str, int]] = {}
        self.asker: dict[str, str] = {}

    async def come_in(self, process: Process, role: str, token: str = "") -> None:
        link = {"token": token or process.links[role]}
        answer = await self.http.post(f"{process.address}/api/session/link", json=link)
        assert answer.status_code == 200, answer.text
        cookie = answer.headers["set-cookie"].partition(";")[0]
        # Each has a browser of their own: signing in ends the session a request came with.
        self.http.cookies.clear()
        self.sessions[answer.json()["name"]] = {"cookie": cookie, "x-csrf-token": answer.json()["csrf"]}

    async def gather(self, process: Process, players: int) -> None:
        """Everybody comes in, and a table is put up with the players at it."""
        for role in ("administrator", "pit_manager", "pit_supervisor", "dealer"):
            await self.come_in(process, role)
        made = await self.post(process, "administrator", "/api/tables", {"table": self.table})
        assert made.status_code == 201, made.text
        await self.must(process, "pit_manager", "set_table", setup=SETUP)
        await self.must(process, "dealer", "prepare_shoe")
        for number in range(1, players + 1):
            new = {"name": f"p{number}", "title": "", "role": "player"}
            made = await self.post(process, "administrator", "/api/accounts", new)
            await self.come_in(process, "player", made.json()["link"].partition("token=")[2])
            await self.must(process, f"p{number}", "take_seat", box=number)
        await self.must(process, "dealer", "open_bets")

    async def post(self, process: Process, by: str, path: str, fields: Any, key: str = "") -> httpx.Response:
        headers = self.sessions[by] | ({"idempotency-key": key} if key else {})
        return await self.http.post(f"{process.address}{path}", json=fields, headers=headers)

    async def ask(self, process: Process, by: str, do: str, key: str = "", **fields: Any) -> httpx.Response:
        return await self.post(process, by, f"/api/tables/{self.table}/commands", {"do": do, **fields}, key)

    async def must(self, process: Process, by: str, do: str, **fields: Any) -> None:
        answer = await self.ask(process, by, do, **fields)
        assert answer.status_code == 200, (do, answer.text)

    async def go_on(self, process: Process) -> None:
        """After a death: the round came back interrupted; a supervisor resolves it and bets are opened."""
        while True:
            answer = await self.ask(process, "pit_supervisor", "resolve_interruption")
            if answer.status_code != 503:
                break
            await between_tries()
        if answer.status_code != 200:
            # Killed between rounds, or after a resolution nobody was told of.
            assert answer.json()["code"] in ("no_round", "not_interrupted"), answer.text
        answer = await self.ask(process, "dealer", "open_bets")
        assert answer.status_code == 200 or answer.json()["code"] == "round_under_way", answer.text

    async def told_more(self, some: int) -> None:
        """Wait until so many more requests were answered."""
        before = len(self.told)
        await until_so(lambda: len(self.told) >= before + some, "nobody is answered")

    async def play(
        self, by: str, processes: list[Process], over: asyncio.Event, *, finish: bool = False
    ) -> None:
        """Bet after bet until the time is over; what is open is asked first, by its key, in the end too."""
        turn = count(int(by[1:]))
        mine = {key: stake for key, (name, stake) in self.open.items() if name == by}
        while not over.is_set() or (finish and mine):
            key, stake = next(iter(mine.items())) if mine else self._new(by, mine)
            process = processes[next(turn) % len(processes)]
            fields = {"box": int(by[1:]), "bet": "banker", "stake": f"{stake / 100:.2f}"}
            try:
                answer = await self.ask(process, by, "place_bet", key, **fields)
            except httpx.HTTPError:
                await between_tries()
                continue
            if answer.status_code == 503:
                await between_tries()
                continue
            if answer.status_code == 422 and answer.json()["code"] in ("round_is_interrupted", "no_round"):
                await between_tries()
                continue
            assert answer.status_code == 200, answer.text
            (event,) = answer.json()["events"]
            assert event["stake"] == stake
            self.told[key] = event["number"], stake
            del mine[key], self.open[key]

    def _new(self, by: str, mine: dict[str, int]) -> tuple[str, int]:
        """A request that was never made: by its stake it can be told from every other."""
        number = next(self.asked)
        key, stake = f"request-{number}", 10_00 + number
        mine[key] = stake
        self.open[key], self.asker[key] = (by, stake), by
        return key, stake

    async def again(self, process: Process, some: int = 5) -> None:
        """Ask again what was answered already: the answer is the same, and nothing happens."""
        for key, (number, stake) in list(self.told.items())[-some:]:
            by = self.asker[key]
            fields = {"box": int(by[1:]), "bet": "banker", "stake": f"{stake / 100:.2f}"}
            answer = await self.ask(process, by, "place_bet", key, **fields)
            assert answer.status_code == 200, answer.text
            assert answer.json()["events"][0]["number"] == number
            self.repeated += 1


def must_be_whole(record: Record, crowd: Crowd) -> Counter[int]:
    """Every acknowledged bet is on record, none twice; the chain holds and the money is all there."""
    assert check_chain(record, crowd.table) is None
    entries = [decode(stored.body) for stored in walk(record, crowd.table)]
    placed = {
        entry.number: entry.event.stake
        for entry in entries
        if isinstance(entry.event, e.BetPlaced | e.BetIncreased)
    }
    for key, (number, stake) in crowd.told.items():
        assert placed.get(number) == stake, f"{key} was acknowledged and is lost"
    times = Counter(placed.values())
    assert set(times.values()) <= {1}, "none is doubled"
    table = replay(books(), entries)
    assert sum(table.accounts.values()) == 0, "money is conserved"
    return times
