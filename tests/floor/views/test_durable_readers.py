"""Every reader of the house while the record hangs, fails and refuses: no byte of what is not on disk.

What the routes are is asked of the application, so a new page is looked at from the day it is there. Nothing
that is decided and not written may change a byte of what anybody gets. The last test puts the old fault back
and shows that it would be noticed.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest

from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Append, Conflict, Key, StoreUnavailable
from lammer.floor.record.registry import Listed
from lammer.floor.tables.house import House
from lammer.floor.tables.live_table import LiveTable
from lammer.floor.views.viewing import Viewer, table_seen
from lammer.floor.web.app import application
from lammer.rulebook.refusal import Refused
from lammer.table.fold import evolve
from lammer.table.journal import decode, snapshot
from lammer.table.state import Table
from support.awaited import until_so
from support.failing_store import FENCED, Failing
from support.houses import House as Record
from support.open_house import (
    OpenHouse,
    Person,
    ask,
    books,
    held_back,
    houses_sharing,
    in_loop,
    knowing_nothing,
    on_record,
    open_house,
    put_up,
)

STEPS: Final = int(os.environ.get("LAMMER_READER_STEPS", "60"))
GIVEN: Final = {
    "table:str": "t1", "number:int": "1", "number:str": "3.16", "code:str": "no_shoe", "name:str": "live.js",
    "version:str": "x", "kind:str": "jsonl", "letter:str": "A", "path:str": "x",
    "tile:path": "0/000.p/1",
}  # fmt: skip
WRONG: Final = "/deal/wrong/"
NOT_OF_A_TABLE: Final = (
    "/static", "/schema", "/docs", "/api/docs", "/lab", "/rules", "/problems", "/health", "/ready",
    "/academy", "/metrics", "/api/denials", "/accounts/denials", "/accounts/sessions",
)  # fmt: skip
"""These know no table, or tell of the looking itself: how busy the process is, who was denied what."""
ITS_OWN: Final = re.compile(
    rb'name="(?:csrf|key)" value="[^"]*"|nonce-?="?[\w+/=-]+|data-(?:closes|now)="\d+"|"csrf":"[^"]*"'
)
"""What is different each time somebody looks."""


def paths() -> list[str]:
    """Every GET there is, of table t1, but for streams, which are read as streams."""
    found = []
    for route in application(pages=True).routes:
        for handler in getattr(route, "route_handlers", ()):
            if "GET" not in handler.http_methods or route.path.startswith(NOT_OF_A_TABLE):
                continue
            path = route.path.replace("{name:str}", "swapped_hands") if WRONG in route.path else route.path
            for name, value in GIVEN.items():
                path = path.replace(f"{{{name}}}", value)
            assert "{" not in path, f"what would {path} be?"
            if not path.endswith("/stream"):
                found.append(path)
    return sorted(set(found))


class Look:
    """Everybody who looks at a house, and what each of them gets."""

    def __init__(self, house: OpenHouse, people: dict[str, Person]) -> None:
        self.house, self.people, self.paths = house, people, paths()

    async def at_everything(self) -> dict[tuple[str, str], bytes]:
        """Every answer to everybody, and every stream from its beginning."""
        found: dict[tuple[str, str], bytes] = {}
        for name, person in self.people.items():
            for path in self.paths:
                answer = await person.get(path)
                assert answer.status_code < 500, (path, answer.text)
                found[name, path] = ITS_OWN.sub(b"", answer.content)
            found[name, "stream"] = await self._streamed(person)
        return found

    async def at_the_felt(self) -> dict[tuple[str, str], bytes]:
        """What is looked at most, and tells most."""
        found = {}
        for name in ("board", "dealer"):
            for path in ("/api/tables/t1", "/board/t1/now", "/tables/t1/deal/now", "/api/tables/t1/offers"):
                found[name, path] = ITS_OWN.sub(b"", (await self.people[name].get(path)).content)
            found[name, "stream"] = await self._streamed(self.people[name])
        return found

    async def _streamed(self, person: Person) -> bytes:
        viewer = Viewer(person.name, person.role or "board")
        view = self.house.house.tables.view("t1")
        stream = self.house.house.live.stream(view, viewer, max(0, view.number - 100))
        sent = b""
        async for part in stream:
            sent += part
            if not part.startswith(b"retry"):
                break
        await stream.aclose()  # type: ignore[attr-defined]
        return sent


@asynccontextmanager
async def looked_at(folder: Path) -> AsyncIterator[tuple[Look, LiveTable]]:
    now = datetime(2026, 11, 15, 12, tzinfo=UTC)
    async with open_house(folder, pages=True) as house:
        stopped = Clock(lambda: now, house.house.clock.steady)
        house.house.clock = house.house.tables.clock = house.house.commands.clock = stopped
        live_table = await house.table("t1", shoe="virtual", cut=14)
        roles = ("player", "dealer", "pit_supervisor", "pit_manager", "auditor", "administrator")
        people = {role: await house.person(role) for role in roles}
        board = people["board"] = await house.key("t1", "display_board")
        await people["dealer"].ask("t1", "prepare_shoe")
        await people["player"].ask("t1", "take_seat", box=1)
        try:
            yield Look(house, people), live_table
        finally:
            await board.http.aclose()


def differing(before: dict[tuple[str, str], bytes], after: dict[tuple[str, str], bytes]) -> list[Any]:
    """Who got something else than before, and from where it differs."""
    found = []
    for key, was in before.items():
        now = after[key]
        if now != was:
            at = next((i for i, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), len(was))
            found.append((key, was[max(0, at - 60) : at + 60], now[max(0, at - 60) : at + 60]))
    return found


def next_step(live_table: LiveTable, draw: Random) -> tuple[str, str, dict[str, Any]]:
    """Something a person does next at a virtual table, or tries to."""
    table = live_table.must_decide()
    here = table.round
    if table.shoe is None:
        return "dealer", "prepare_shoe", {}
    if here is None or here.phase in ("settled", "void", "concluded"):
        ends = draw.random() < 0.15
        return "dealer", "end_shoe" if ends else "open_bets", {}
    if here.interrupted:
        return "pit_supervisor", "resolve_interruption", {}
    if here.phase == "betting":
        bet = {"box": 1, "bet": draw.choice(("banker", "player", "tie")), "stake": "10"}
        return ("player", "place_bet", bet) if draw.random() < 0.6 else ("dealer", "close_bets", {})
    if here.window is not None and draw.random() < 0.3:
        return "player", "place_insurance", {"box": 1, "hand": here.offers[0].hand, "stake": "1"}
    if draw.random() < 0.03:
        return "dealer", "interrupt", {"reason": "power"}
    return "dealer", "settle" if table.next_hand() is None else "deal_card", {}


async def mended(house: House, live_table: LiveTable) -> None:
    """The table can decide again."""
    while not live_table.sound:
        await live_table.ready(house.clock.now)


async def decided_or_over(live_table: LiveTable, asked: asyncio.Future[Any]) -> None:
    """Wait until a command is decided and waits for the disk, or was answered."""
    await until_so(lambda: live_table.number > live_table.durable or asked.done() or live_table._waiting)


def lost(append: Append) -> Exception:
    return StoreUnavailable("the disk is full")


def overtaken(append: Append) -> Exception:
    return Conflict(append.table, append.after, append.after + 1)


@in_loop
async def test_every_reader_sees_only_what_is_on_disk(tmp_path: Path) -> None:
    """Cards, a settlement and the end of the shoe, decided while the disk hangs, then lost or written."""
    async with looked_at(tmp_path) as (look, live_table):
        people = look.people
        await people["dealer"].ask("t1", "open_bets")
        await people["player"].ask("t1", "place_bet", box=1, bet="banker", stake="100")
        store = live_table.store
        steps = (("close_bets", ""), ("deal_card", "lost"), ("deal_card", ""), ("deal_card", "refused"))
        for do, ends in steps:
            before = await look.at_everything()
            assert not differing(before, await look.at_everything()), "looking twice is the same"
            live_table.store = Failing(store)
            if ends:
                live_table.store.faults = [lost if ends == "lost" else overtaken] * 4
            async with held_back(store):
                asked = asyncio.ensure_future(people["dealer"].ask("t1", do))
                await until_so(lambda: live_table.number > live_table.durable)
                assert not differing(before, await look.at_everything()), f"{do} is not on disk"
            live_table.store = store
            answer = await asked
            assert answer.status_code == (503 if ends == "lost" else 200), answer.text
            after = await look.at_everything()
            assert bool(differing(before, after)) == (ends != "lost"), "what was not written never was"
            assert on_record(live_table) == snapshot(live_table.view.table)


@in_loop
async def test_a_key_the_record_knows_shows_nobody_what_comes_next(tmp_path: Path) -> None:
    """`end_shoe` and `deal_card` under a key that was used before: refused, and nothing of it is seen."""
    async with looked_at(tmp_path) as (look, live_table):
        dealer = look.people["dealer"]
        await dealer.ask("t1", "end_shoe", reason="nobody came")
        assert (await dealer.ask("t1", "prepare_shoe", key="k1")).status_code == 200
        for do in ("end_shoe", "open_bets", "close_bets", "deal_card"):
            known = look.house.house.tables.recent_keys.before
            before, number = await look.at_everything(), live_table.durable
            fields = {"reason": "nobody came"} if do == "end_shoe" else {}
            assert (await dealer.ask("t1", do, key="k1", **fields)).status_code == 409
            assert live_table.number == number, "it was not even decided"
            knowing_nothing(look.house.house)
            assert (await dealer.ask("t1", do, key="k1", **fields)).status_code == 409
            assert live_table.deciding is None, "it was decided, and is gone"
            assert not differing(before, await look.at_everything())
            look.house.house.tables.recent_keys.before = known
            live_table.recent_keys.add(Key("dealer", "k1", bytes(32)))
            if do != "end_shoe":
                assert (await dealer.ask("t1", do)).status_code == 200
        assert on_record(live_table) == snapshot(live_table.view.table)


@in_loop
async def test_a_walk_of_a_table_over_a_disk_that_hangs_fails_and_refuses(tmp_path: Path) -> None:
    draw = Random(11)
    async with looked_at(tmp_path) as (look, live_table):
        store = live_table.store
        for step in range(STEPS):
            await mended(look.house.house, live_table)
            before = await look.at_the_felt()
            by, do, fields = next_step(live_table, draw)
            faults = draw.choice(([], [], [lost], [overtaken], [FENCED], [lost, overtaken]))
            live_table.store = Failing(store)
            live_table.store.faults = list(faults)
            live_table.store.silent = int(not faults and draw.random() < 0.2)
            key = f"n{draw.randrange(step + 1)}" if draw.random() < 0.3 else f"n{step}"
            async with held_back(store):
                asked = asyncio.ensure_future(look.people[by].ask("t1", do, key=key, **fields))
                await decided_or_over(live_table, asked)
                assert not differing(before, await look.at_the_felt()), (step, do)
            live_table.store = store
            await asked
            await mended(look.house.house, live_table)
            assert live_table.number == live_table.durable
            if step % 50 == 0:
                assert on_record(live_table) == snapshot(live_table.view.table), step
        assert on_record(live_table) == snapshot(live_table.view.table)


@in_loop
async def test_two_processes_over_one_record_show_only_what_is_on_disk(postgres: Record) -> None:
    """Each asks and shows; the one that decides hangs, loses or is refused, and the table changes hands."""
    draw = Random(12)
    async with houses_sharing(postgres, "one", "two", around=Failing) as houses:
        first = houses["one"]
        await put_up(first, shoe="virtual", cut=14)
        await houses["two"].tables.host(Listed("t1", "t1"))
        record = await asyncio.to_thread(postgres.look)
        table = Table(books())
        known = {0: seen_of(table)}

        async def read_on() -> None:
            for stored in await asyncio.to_thread(record.read, "t1", len(known) - 1):
                evolve(table, decode(stored.body).event)
                known[stored.number] = seen_of(table)

        for step in range(STEPS):
            await read_on()
            holder = next((each for each in houses.values() if each.tables.at("t1").held), first)
            live_table, store = holder.tables.at("t1"), holder.store
            await mended(holder, live_table)
            by, do, fields = next_step(live_table, draw)
            by = "p1" if by == "player" else by
            faulty: Any = store
            faulty.faults = list(draw.choice(([], [], [lost], [overtaken])))
            faulty.silent = int(not faulty.faults and draw.random() < 0.2)
            key = f"n{draw.randrange(step + 1)}" if draw.random() < 0.3 else f"n{step}"
            asking = draw.choice(list(houses.values()))
            async with held_back(store):
                asked = asyncio.ensure_future(ask(asking, by, do, key=key, **fields))
                await decided_or_over(live_table, asked)
                for house in houses.values():
                    view = house.tables.view("t1")
                    assert seen_of(view.table) == known[view.number], (step, do)
            with suppress(Refused):
                await asked
            faulty.faults, faulty.silent = [], 0
            await read_on()
            for house in houses.values():
                view = house.tables.view("t1")
                assert seen_of(view.table) == known[view.number], (step, do)
            if draw.random() < 0.05:
                await change_hands(holder, next(each for each in houses.values() if each is not holder))
        assert len(known) > STEPS / 3, "hardly anything happened"


async def change_hands(holder: House, other: House) -> None:
    """The turn is given up, and the other process takes the table."""
    live_table, there = holder.tables.at("t1"), other.tables.at("t1")
    await live_table.drained()
    await asyncio.to_thread(holder.store.release, "t1", holder.tables.owner, live_table.epoch or 0)
    holder.tables.lose(live_table)
    other.tables.forget_holder(there)
    other.tables._tried.clear()
    await other.tables.take(there)


def seen_of(table: Table) -> bytes:
    return msgspec.json.encode(table_seen(table, Viewer("", "board")))


@in_loop
async def test_a_reader_that_looked_at_what_is_being_decided_would_be_noticed(tmp_path: Path) -> None:
    """The fault put back: a view that shares the table which decides."""
    async with looked_at(tmp_path) as (look, live_table):
        await look.people["dealer"].ask("t1", "open_bets")
        await look.people["dealer"].ask("t1", "close_bets")
        live_table.deciding = live_table.view.table
        before = await look.at_the_felt()
        async with held_back(live_table.store):
            asked = asyncio.ensure_future(look.people["dealer"].ask("t1", "deal_card"))
            await until_so(lambda: live_table.number > live_table.durable)
            seen = differing(before, await look.at_the_felt())
        asked.cancel()
        assert seen
        with pytest.raises(TypeError):
            type(live_table.view)(None, "t1", live_table.store, {})
