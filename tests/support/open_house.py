"""An open house in this process: its tables asked directly, or over HTTP without a network.

`house_on` opens a `House` alone, with whatever store a test hands it; `open_house` opens all of it, as
`lammer serve` does, and lets people in by their links.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
from litestar import Litestar
from sqlalchemy import Connection

from lammer.floor.main import RunningHouse, run_house
from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Store
from lammer.floor.record.registry import Listed, Pace
from lammer.floor.record.store.opening import open_store
from lammer.floor.settings import Settings
from lammer.floor.tables.command_request import CommandRequest, ForwardedRequest
from lammer.floor.tables.house import House
from lammer.floor.tables.live_table import LiveTable
from lammer.floor.tables.recent_keys import KeyMarks
from lammer.floor.views.durable_view import DurableView
from lammer.floor.web.api.express import Express
from lammer.floor.web.app import application
from lammer.rulebook.model import Rulebook
from lammer.shelf import shelf
from lammer.table.journal import replay, snapshot
from support.awaited import GUARD
from support.houses import House as Record
from support.own_thread import in_own_thread

BOOK: Final = "tiger-buffalo-noncommission-insurance@3"
SETUP: Final[dict[str, Any]] = {
    "rulebook": BOOK,
    "layout": "C",
    "limits": {"minimum": "10", "differential": "1000000"},
    "shoe": "read",
}


@functools.cache
def books() -> dict[str, Rulebook]:
    return {book.id: book for book in shelf()}


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that waits for things, in a thread of its own: a browser may hold this thread's event loop."""

    @functools.wraps(test)
    def run(*args: Any, **given: Any) -> None:
        in_own_thread(lambda: asyncio.run(test(*args, **given)))

    return run


@asynccontextmanager
async def house_on(
    where: str | Path,
    around: Callable[[Any], Any] = lambda store: store,
    *,
    clock: Clock | None = None,
    chips: int = 0,
    own: tuple[Rulebook, ...] = (),
) -> AsyncIterator[House]:
    """A house on a record, and nothing else; closed as if the process had ended between two requests.

    `own` are rulebooks it has besides the five documents.
    """
    loop = asyncio.get_running_loop()
    store = await asyncio.to_thread(open_store, where, deliver=loop.call_soon_threadsafe)
    known = books() | {book.id: book for book in own}
    house = House(Settings(data=str(where), chips=chips), around(store), known, clock=clock)
    try:
        await house.tables.open()
        yield house
    finally:
        await house.tables.close()
        await asyncio.to_thread(store.close)


@asynccontextmanager
async def houses_sharing(
    record: Record,
    *owners: str,
    around: Callable[[Any], Any] = lambda store: store,
    before_handing_on: Callable[[str], Awaitable[None]] | None = None,
) -> AsyncIterator[dict[str, House]]:
    """Processes of one house over one record, by the names of their owners; each hands on to the others."""
    loop, houses = asyncio.get_running_loop(), dict[str, House]()

    async def forward(owner: str, handed: ForwardedRequest) -> bytes:
        assert handed.asked is not None
        if before_handing_on is not None:
            await before_handing_on(owner)
        return await houses[owner].commands.ask(handed.table, handed.asked, hand_on=False)

    async with AsyncExitStack() as closing:
        for owner in owners:
            store = around(await asyncio.to_thread(record.open, deliver=loop.call_soon_threadsafe))
            settings = Settings(data=record.where, chips=0, lease_seconds=600.0)
            house = houses[owner] = House(settings, store, books(), owner=owner, forward=forward)
            await house.tables.open()
            closing.push_async_callback(house.tables.close)
        yield houses


@asynccontextmanager
async def held_back(store: Store) -> AsyncIterator[None]:
    """What is handed in meanwhile waits for the disk, and then goes as one group."""
    busy, go_on = threading.Event(), threading.Event()

    def wait(_: Connection) -> None:
        busy.set()
        assert go_on.wait(GUARD)

    waited = store.write(wait)
    assert busy.wait(GUARD)
    try:
        yield
    finally:
        go_on.set()
    await asyncio.wrap_future(waited)


async def put_up(house: House, name: str = "t1", **setup: Any) -> LiveTable:
    """A table with bets open and two players seated."""
    await asyncio.to_thread(house.registry.add, Listed(name, name), len(house.tables.listed))
    live_table = await house.tables.host(Listed(name, name))
    await ask(house, "pit_manager", "set_table", table=name, setup=SETUP | setup)
    await ask(house, "dealer", "prepare_shoe", table=name)
    for number, player in enumerate(("p1", "p2"), 1):
        await ask(house, player, "take_seat", table=name, box=number)
    await ask(house, "dealer", "open_bets", table=name)
    return live_table


async def ask(
    house: House, by: str, do: str, *, table: str = "t1", key: str = "", **fields: Any
) -> dict[str, Any]:
    """Ask as a player (p1, p2, …) or as a role; the answer, read."""
    role = "player" if by.startswith("p") and by[1:].isdigit() else by
    answer: dict[str, Any] = msgspec.json.decode(
        await house.commands.ask(table, CommandRequest(by, role, do, fields, key))
    )
    return answer


async def bet(
    house: House, by: str = "p1", stake: str = "100", key: str = "", table: str = "t1"
) -> dict[str, Any]:
    box = int(by[1:])
    return await ask(house, by, "place_bet", table=table, key=key, box=box, bet="banker", stake=stake)


def staked(seen: LiveTable | DurableView, player: str = "p1", *, decided: bool = False) -> int:
    """What a player has on the felt, in cents; as `decided`, also what is not on disk yet."""
    view = seen.view if isinstance(seen, LiveTable) else seen
    table = seen.must_decide() if decided and isinstance(seen, LiveTable) else view.table
    here = table.round
    assert here is not None
    return sum(placed.stake for placed in here.bets.values() if placed.player == player)


def knowing_nothing(house: House) -> None:
    """Let the process forget which keys the record knows: the record itself has to notice."""
    house.tables.recent_keys.before, house.tables.recent_keys._asked = KeyMarks(), KeyMarks()


def on_record(live_table: LiveTable) -> bytes:
    """The table as its whole record adds up to it, to compare with what is in memory."""
    store = live_table.store
    found = store.read(live_table.id, 0, 1_000_000)
    return snapshot(replay(books(), [store.seals.open(live_table.id, stored.body) for stored in found]))


def as_recorded(live_table: LiveTable) -> bool:
    return live_table.number == live_table.durable and snapshot(live_table.view.table) == on_record(
        live_table
    )


@dataclass
class Person:
    """Somebody signed in, over HTTP."""

    http: httpx.AsyncClient
    name: str = ""
    role: str = ""

    async def ask(self, table: str, do: str, *, key: str = "", **fields: Any) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return await self.http.post(
            f"/api/tables/{table}/commands", json={"do": do, **fields}, headers=headers
        )

    async def get(self, path: str, **given: Any) -> httpx.Response:
        return await self.http.get(path, **given)

    async def post(self, path: str, **fields: Any) -> httpx.Response:
        return await self.http.post(path, json=fields)


@dataclass
class OpenHouse:
    """The whole house, and everybody who has come in."""

    made: RunningHouse
    app: Express
    links: dict[str, str]
    people: dict[str, Person] = field(default_factory=dict)

    @property
    def house(self) -> House:
        return self.made.context.house

    def stranger(self) -> Person:
        """Somebody who is not signed in."""
        transport = httpx.ASGITransport(app=self.app)  # type: ignore[arg-type]
        return Person(httpx.AsyncClient(transport=transport, base_url="http://house"))

    async def person(self, role: str) -> Person:
        """Somebody of that role, signed in by their link."""
        if role not in self.people:
            self.people[role] = await self.signed_in(self.links[role])
        return self.people[role]

    async def another(self, name: str, role: str) -> Person:
        """One more person of a role."""
        if name not in self.people:
            administrator = await self.person("administrator")
            made = await administrator.post("/api/accounts", name=name, title=name, role=role)
            if made.status_code == 202:
                second = await self.person("table_game_shift_manager")
                made = await second.post(f"/api/accounts/proposals/{made.json()['waiting']}/agree")
            assert made.is_success, made.text
            self.people[name] = await self.signed_in(made.json()["link"].partition("token=")[2])
        return self.people[name]

    async def signed_in(self, token: str) -> Person:
        person = self.stranger()
        told = (await person.post("/api/session/link", token=token)).json()
        person.http.headers["x-csrf-token"] = told["csrf"]
        person.name, person.role = told["name"], told["role"]
        return person

    async def key(self, table: str, purpose: str) -> Person:
        """A device with a key."""
        made = await (await self.person("administrator")).post("/api/keys", table=table, purpose=purpose)
        device = self.stranger()
        device.http.headers["authorization"] = f"Bearer {made.json()['key']}"
        device.name = made.json()["id"]
        return device

    async def table(self, name: str = "t1", pace: Pace | None = None, **setup: Any) -> LiveTable:
        """A table put up and set up, with a shoe if people deal."""
        listed = Listed(name, name.upper(), pace)
        await asyncio.to_thread(self.house.registry.add, listed, len(self.house.tables.listed))
        await self.house.tables.host(listed)
        manager = await self.person("pit_manager")
        assert (await manager.ask(name, "set_table", setup=SETUP | setup)).status_code == 200
        return self.house.tables.at(name)


_APPLICATIONS: dict[bool, list[Litestar]] = {True: [], False: []}
"""Applications nobody uses just now: making one takes half a second, and it keeps nothing but its house."""


@contextmanager
def lent_application(*, pages: bool) -> Iterator[Litestar]:
    """An application no other open house has; it is used again after that."""
    idle = _APPLICATIONS[pages]
    app = idle.pop() if idle else application(pages=pages)
    try:
        yield app
    finally:
        del app.state.context
        idle.append(app)


@asynccontextmanager
async def open_house(
    folder: Path, *, pages: bool = False, own: tuple[Rulebook, ...] = (), **given: Any
) -> AsyncIterator[OpenHouse]:
    """Everything `lammer serve` opens, without the socket; the pages only where they are asked for.

    `own` are rulebooks the house has besides the five documents.
    """
    # One checkpoint at the start and one at the end: how slow a test is does not show on a page.
    settings = Settings(data=str(folder), **({"tables": 0, "checkpoint_seconds": 3600.0} | given))
    async with run_house(settings, books() | {book.id: book for book in own}) as made:
        with lent_application(pages=pages) as app:
            app.state.context = made.context
            links = {role: token for _, role, token in made.links}
            house = OpenHouse(made, Express(app, made.context), links)
            try:
                yield house
            finally:
                for person in house.people.values():
                    await person.http.aclose()
