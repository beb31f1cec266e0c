"""Three `lammer serve` on one PostgreSQL: any takes any command, one decides, and when it dies another does.

The processes are real, and so is the database. Starting them takes longer than anything they are asked, so
one test goes through it all, and ends by killing them one after the other.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from lammer.floor.record.store.leases import NOW
from lammer.floor.record.store.opening import open_record
from support.awaited import GUARD, until_so
from support.houses import House
from support.open_house import SETUP, in_loop
from support.processes import Crowd, Process, must_be_whole
from support.servers import Server

pytestmark = pytest.mark.slow

PROCESSES = 3
PLAYERS = 6
LEASE = 5.0


class Serving(Process):
    """A process started from the command line."""

    def __init__(self, folder: Path, url: str) -> None:
        command = [str(Path(sys.executable).with_name("lammer")), "serve", "--data", str(folder), "--json"]
        command += ["--store", url, "--port", "0", "--peer", "http://127.0.0.1:0", "--tables", "0"]
        environment = os.environ | {"LAMMER_LEASE_SECONDS": str(LEASE), "LAMMER_CHIPS": "0"}
        self.popen = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        super().__init__(self.popen.pid)

    def opened(self) -> Serving:
        assert self.popen.stdout is not None
        told = json.loads("".join(iter(self.popen.stdout.readline, "}\n")) + "}")
        self.address = told["address"]
        self.links = {each["role"]: each["link"].partition("token=")[2] for each in told["links"]}
        return self

    @property
    def alive(self) -> bool:
        return self.popen.poll() is None

    def kill(self, how: int = signal.SIGKILL) -> None:
        if self.alive:
            self.popen.send_signal(how)
            self.popen.wait(GUARD)

    def close(self) -> str:
        self.kill()
        assert self.popen.stdout is not None
        assert self.popen.stderr is not None
        self.popen.stdout.close()
        with self.popen.stderr:
            return self.popen.stderr.read()

    def held(self) -> int:
        """How many tables it decides for."""
        figures = httpx.get(f"{self.address}/metrics", timeout=GUARD).text
        found = re.search(r"^lammer_tables_held (\d+)", figures, re.MULTILINE)
        assert found is not None
        return int(found[1])


class Shared:
    """The processes, the record they share, and the people who came in through the first."""

    def __init__(self, folder: Path, url: str) -> None:
        self.url = url
        first = Serving(folder / "0", url).opened()
        rest = [Serving(folder / str(number), url) for number in range(1, PROCESSES)]
        self.processes = [first, *(process.opened() for process in rest)]
        self.sessions: dict[str, dict[str, str]] = {}

    @property
    def alive(self) -> list[Serving]:
        return [process for process in self.processes if process.alive]

    def holder(self, table: str = "t1") -> Serving:
        record = open_record(self.url)
        owner = record.leases()[table].owner
        record.close()
        (found,) = [process for process in self.processes if owner.startswith(f"{process.address}#")]
        return found

    def turn_of(self, process: Serving, table: str = "t1") -> float:
        """Seconds a process has left of its turn at a table, by the database's clock; 0 if it has none."""
        record = open_record(self.url)
        with record.reading() as connection:
            now = connection.scalar(text(f"SELECT {NOW['postgresql']}")) or 0
        lease = record.leases()[table]
        record.close()
        is_owner = lease.owner.startswith(f"{process.address}#")
        return max(0.0, (lease.until - now) / 1_000_000) if is_owner else 0.0

    def crowd(self, table: str = "t1") -> Crowd:
        crowd = Crowd(table)
        crowd.sessions = self.sessions
        return crowd


@pytest.fixture
def shared(server: Server, tmp_path: Path) -> Iterator[Shared]:
    made = Shared(tmp_path, server.new_database())
    yield made
    told = "".join(process.close() for process in made.processes)
    assert "Traceback" not in told, told


@in_loop
async def test_three_processes_over_one_database(shared: Shared) -> None:
    await any_process_takes_any_command_and_one_decides(shared)
    await refusals_and_second_people_pass_through_too(shared)
    await a_reader_may_send_its_cards_to_any_process(shared)
    await the_holder_is_killed_and_another_goes_on(shared)
    what_they_wrote_together_is_whole(shared)


async def any_process_takes_any_command_and_one_decides(shared: Shared) -> None:
    crowd = shared.crowd()
    await crowd.gather(shared.processes[0], PLAYERS)
    over = asyncio.Event()
    players = [f"p{number}" for number in range(1, PLAYERS + 1)]
    playing = [asyncio.ensure_future(crowd.play(name, list(shared.processes), over)) for name in players]
    await until_so(lambda: len(crowd.told) > 100)
    over.set()
    await asyncio.gather(*playing)
    assert [process.held() for process in shared.processes].count(1) == 1, "exactly one decides"
    assert len(crowd.told) > 50
    # What one was told through a process can be read there at once.
    for process in shared.processes:
        key, stake = f"read-{process.pid}", next(crowd.asked) + 10_00
        bet = {"box": 1, "bet": "banker", "stake": f"{stake / 100:.2f}"}
        answer = await crowd.ask(process, "p1", "place_bet", key, **bet)
        seen = await crowd.http.get(f"{process.address}/api/tables/t1", headers=crowd.sessions["p1"])
        assert seen.json()["version"] >= answer.json()["version"]
        crowd.told[key] = answer.json()["events"][0]["number"], stake
        # The same key through another process is the same request.
        for other in shared.processes:
            again = await crowd.ask(other, "p1", "place_bet", key, **bet)
            assert again.content == answer.content
        bet["stake"] = "11"
        reused = await crowd.ask(shared.processes[-1], "p1", "place_bet", key, **bet)
        assert (reused.status_code, reused.json()["code"]) == (409, "key_reused")
    await crowd.http.aclose()
    record = open_record(shared.url)
    must_be_whole(record, crowd)
    record.close()


async def refusals_and_second_people_pass_through_too(shared: Shared) -> None:
    crowd = shared.crowd()
    processes = shared.processes
    for process in processes:
        answer = await crowd.ask(process, "dealer", "resolve_interruption")
        assert answer.status_code == 403, answer.text
        assert answer.json()["citation"] == {
            "rulebook": "tiger-buffalo-noncommission-insurance@3",
            "paragraph": "5.4",
        }
    await crowd.come_in(processes[0], "table_game_shift_manager")
    for name in ("s1", "s2"):
        new = {"name": name, "title": "", "role": "table_game_shift_manager"}
        asked = await crowd.post(processes[1], "administrator", "/api/accounts", new)
        path = f"/api/accounts/proposals/{asked.json()['waiting']}/agree"
        made = await crowd.post(processes[0], "table_game_shift_manager", path, None)
        await crowd.come_in(processes[2], "", made.json()["link"].partition("token=")[2])
    for first, second in ((processes[1], processes[2]), (processes[2], processes[0])):
        ruling = {"reason": "a bird flew in", "effect": "no_effect"}
        asked = await crowd.ask(first, "s1", "rule_on_matter", **ruling)
        assert asked.status_code == 202, asked.text
        path = f"/api/tables/t1/proposals/{asked.json()['waiting']}/agree"
        assert (await crowd.post(second, "s1", path, None)).status_code == 403
        agreed = await crowd.post(second, "s2", path, None)
        assert agreed.status_code == 200, agreed.text
        assert agreed.json()["events"][0]["event"] == "MatterRuled"
    denied: list[str] = []
    async with asyncio.timeout(GUARD):
        while len(denied) < PROCESSES:
            listed = f"{processes[0].address}/api/denials"
            found = await crowd.http.get(listed, headers=crowd.sessions["administrator"])
            denied = [each["what"] for each in found.json() if each["code"] == "not_your_role"]
    # Written down where they were asked, and only there.
    assert denied == ["POST /api/tables/t1/commands"] * PROCESSES
    await crowd.http.aclose()


async def a_reader_may_send_its_cards_to_any_process(shared: Shared) -> None:
    crowd = shared.crowd("read")
    processes = shared.processes
    made = await crowd.post(processes[1], "administrator", "/api/tables", {"table": "read"})
    assert made.status_code == 201
    await crowd.must(processes[2], "pit_manager", "set_table", setup=SETUP)
    for do in ("prepare_shoe", "open_bets", "close_bets"):
        await crowd.must(processes[0], "dealer", do)
    key = await crowd.post(
        processes[0], "administrator", "/api/keys", {"table": "read", "purpose": "shoe_reader"}
    )
    crowd.sessions["reader"] = {"authorization": f"Bearer {key.json()['key']}"}
    for number, card in enumerate(("KS", "2D", "9S", "3D"), 1):
        for kind, process in zip(
            ("card", "repeat", "repeat"), processes[number % 3 :] + processes[: number % 3], strict=True
        ):
            reading = {"sequence": number, "card": card}
            answer = await crowd.post(process, "reader", "/api/tables/read/readings", reading)
            assert (answer.status_code, answer.json().get("kind")) == (200, kind), answer.text
    await crowd.must(processes[0], "dealer", "settle")
    await crowd.http.aclose()


async def listened(process: Process, crowd: Crowd, over: asyncio.Event, got: list[int]) -> None:
    """A live stream of the table, read without ever coming back."""
    headers = crowd.sessions["dealer"]
    url = f"{process.address}/api/tables/t1/stream?after=0"
    async with crowd.http.stream("GET", url, headers=headers, timeout=GUARD) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("id: "):
                got.append(int(line[4:]))
            if over.is_set():
                return


async def the_holder_is_killed_and_another_goes_on(shared: Shared) -> None:
    """Under load, with streams open elsewhere; then the next is stopped in order, and the last one stays."""
    crowd = shared.crowd()
    over, silent = asyncio.Event(), asyncio.Event()
    holder = shared.holder()
    survivors = [process for process in shared.processes if process is not holder]
    streams: list[list[int]] = [[] for _ in survivors]
    listening = [
        asyncio.ensure_future(listened(process, crowd, silent, got))
        for process, got in zip(survivors, streams, strict=True)
    ]
    everywhere: list[Process] = list(shared.processes)
    players = [f"p{number}" for number in range(1, PLAYERS + 1)]
    playing = [asyncio.ensure_future(crowd.play(name, everywhere, over, finish=True)) for name in players]
    for how in (signal.SIGKILL, signal.SIGTERM):
        await crowd.told_more(2 * PLAYERS)
        gone = shared.holder()
        await asyncio.to_thread(gone.kill, how)
        turn = shared.turn_of(gone)
        if how == signal.SIGKILL:
            assert turn <= LEASE, "its turn is over with its lease"
        else:
            assert turn == 0, "it has let go of the table, and nobody waits for its lease"
            # It was one of the survivors: its stream ends with it.
            await asyncio.wait(listening, return_when=asyncio.FIRST_COMPLETED, timeout=GUARD)
        await crowd.go_on(shared.alive[0])
    # Everybody plays on, through whoever is left.
    await crowd.told_more(2 * PLAYERS)
    over.set()
    await asyncio.gather(*playing)
    assert not crowd.open, "every request was answered in the end"
    await crowd.again(shared.alive[0], 10)
    last_heard = streams[survivors.index(shared.alive[0])]
    record = open_record(shared.url)
    head = record.head("t1").number
    await until_so(lambda: last_heard and last_heard[-1] >= head)
    silent.set()
    await crowd.must(shared.alive[0], "dealer", "note_wrong_display", what="so that somebody hears")
    await asyncio.wait(listening, timeout=GUARD)
    assert last_heard[:head] == list(range(1, head + 1)), "neither gap nor repeat across two deaths"
    must_be_whole(record, crowd)
    record.close()
    await crowd.http.aclose()
    print(f"{len(crowd.told)} bets")


def what_they_wrote_together_is_whole(shared: Shared) -> None:
    house = House("postgresql", shared.url)
    record = house.look()
    assert sorted(record.tables()) == ["read", "t1"]
    for table in record.tables():
        must_be_whole(record, Crowd(table))
    house.close()
