"""Opening the house: the record, the people, the tables, their dealers; and closing it in order."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from sqlalchemy.engine import URL

from lammer.floor.api.floor import Floor
from lammer.floor.api.peers import Peers
from lammer.floor.asking import Asked
from lammer.floor.checkpoints import FILE, Checkpoints, must_agree, set_aside
from lammer.floor.clock import Clock, Watched, keep_watching, must_be_right
from lammer.floor.door import Door
from lammer.floor.forgetting import keep_forgetting
from lammer.floor.house import House
from lammer.floor.keys import house_key
from lammer.floor.links import first_links
from lammer.floor.reading_in import Readers
from lammer.floor.registry import Listed, Pace, house_secret
from lammer.floor.settings import Settings
from lammer.floor.steady import microseconds
from lammer.floor.store.contract import Store
from lammer.floor.store.opening import open_store, place
from lammer.floor.virtual_dealer import VirtualDealer
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

log = logging.getLogger("lammer.floor")

FINISHING = 10.0
"""Seconds the virtual dealers get to end their rounds when the house closes; they make no pauses then."""

FIRST_TABLES = (
    ("tiger-buffalo", "Tiger Buffalo", "tiger-buffalo-noncommission-insurance@3", "C"),
    ("da-hu", "Da Hu Ying Xiong", "da-hu-ying-xiong-noncommission-insurance@2", "C"),
    ("tiger-buffalo-commission", "Tiger Buffalo, Commission", "tiger-buffalo-commission-insurance@3", "C"),
)


@dataclass(slots=True)
class Opened:
    """A house that is open: what requests need, and what runs beside them."""

    floor: Floor
    peers: Peers | None
    links: list[tuple[str, str, str]]
    checkpoints: Checkpoints
    dealers: dict[str, tuple[VirtualDealer, asyncio.Task[None]]] = field(default_factory=dict)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Vouched:
    """What the person who starts the house says is right although it does not look so."""

    clock: bool = False
    record: bool = False


@asynccontextmanager
async def opened(
    settings: Settings,
    books: Mapping[str, Rulebook],
    vouched: Vouched = Vouched(),  # noqa: B008 (it never changes)
    clock: Clock | None = None,
) -> AsyncIterator[Opened]:
    """The house, open; closed again in order whatever happens."""
    loop = asyncio.get_running_loop()
    settings.folder.mkdir(parents=True, exist_ok=True)
    store = await asyncio.to_thread(open_store, settings.record, deliver=loop.call_soon_threadsafe)
    try:
        agree = set_aside if vouched.record else must_agree
        await asyncio.to_thread(agree, store, settings.folder / FILE)
        watched = Watched(clock or Clock()).clock
        if not vouched.clock:
            limits = settings.clock_behind, settings.clock_ahead
            await asyncio.to_thread(must_be_right, store, watched.now(), *limits)
        made = await _opened(settings, books, store, watched)
        try:
            yield made
        finally:
            await _closed(made)
    finally:
        await asyncio.to_thread(store.close)


async def _opened(settings: Settings, books: Mapping[str, Rulebook], store: Store, clock: Clock) -> Opened:
    # Over a database that several processes can share, a table is decided for by whoever has the turn.
    shared = isinstance(place(settings.record), URL)
    owner = f"{settings.peer}#{secrets.token_hex(6)}" if shared else ""
    peers = Peers(await asyncio.to_thread(house_secret, store)) if shared else None
    forward = peers.forward if peers else None
    house = House(settings, store, books, clock=clock, owner=owner, forward=forward)
    words = re.findall(r"\w{4,}", settings.public.partition("//")[2].lower())
    door = Door(
        store,
        clock.now,
        idle=settings.idle,
        absolute=settings.absolute,
        ticks=clock.steady,
        words=words,
        second_factor=settings.second_factor,
    )
    floor = Floor(settings, house, door, Readers(house))
    links = await asyncio.to_thread(lambda: first_links(store, clock.now, demo=settings.demo))
    key = await asyncio.to_thread(house_key, settings.folder)
    file = settings.folder / FILE
    checkpoints = Checkpoints(store, key, file, lambda: microseconds(clock.now()))
    made = Opened(floor, peers, links, checkpoints)
    house.on_taken.append(lambda listed: _deal(made, listed))
    house.on_lost.append(lambda name: _stop_dealing(made, name))
    await house.open()
    # A first start that was cut off left a table without anything; then the rest is missing too.
    first = {_first_table(number)[0] for number in range(settings.tables)}
    if not house.listed or any(hosted.number == 0 and hosted.id in first for hosted in house.held):
        await _first_tables(made)
    checkpoints.start(settings.checkpoint_seconds)
    forgetting = keep_forgetting(store, settings.reply_age, clock.steady)
    beside = [house.sweep(), floor.look_again(), forgetting, keep_watching(clock)]
    beside += [house.keep()] if shared else []
    made.tasks += [asyncio.create_task(work) for work in beside]
    return made


def _deal(made: Opened, listed: Listed) -> None:
    if listed.pace is not None and listed.id not in made.dealers:
        dealer = VirtualDealer(made.floor.house, listed)
        made.dealers[listed.id] = (dealer, asyncio.create_task(dealer.run()))


def _stop_dealing(made: Opened, name: str) -> None:
    found = made.dealers.pop(name, None)
    if found is not None:
        found[1].cancel()


def _first_table(number: int) -> tuple[str, str, str, str]:
    """A table's id and title, its rulebook and layout."""
    name, title, book, layout = FIRST_TABLES[number % len(FIRST_TABLES)]
    again = number // len(FIRST_TABLES) + 1
    return f"{name}-{again}", f"{title} {again}", book, layout


async def _first_tables(made: Opened) -> None:
    """The tables a house starts with, so that a newcomer can play at once."""
    house, settings = made.floor.house, made.floor.settings
    pace = Pace(
        settings.betting_seconds, settings.pause_seconds, settings.window_seconds, settings.between_seconds
    )
    for number in range(settings.tables):
        name, title, book, layout = _first_table(number)
        listed = Listed(name, title, pace)
        at = int(house.clock.now().timestamp() * 1_000_000) + number
        try:
            await asyncio.to_thread(house.registry.add, listed, at)
        except Refused as refused:
            if refused.code != "table_exists":
                raise
        hosted = await house.host(listed)
        if not hosted.held or hosted.number:
            continue  # Another process starts at the same moment and sets it up, or it is there.
        setup = {
            "rulebook": book,
            "layout": layout,
            "limits": {"minimum": "10", "maximum": "5000", "differential": "10000"},
            "shoe": "virtual",
            "cut": 14,
        }
        await house.ask(listed.id, Asked("house", "pit_manager", "set_table", {"setup": setup}))
        await house.ask(listed.id, Asked("house", "pit_supervisor", "fill_bank", {"amount": "1000000"}))


async def _closed(made: Opened) -> None:
    """Nothing new; the dealers end their rounds; streams end; tables are let go; what waits is written."""
    floor = made.floor
    floor.closing = True
    for dealer, _ in made.dealers.values():
        dealer.finish()
    running = [task for _, task in made.dealers.values()]
    if running:
        await asyncio.wait(running, timeout=FINISHING)
    for task in (*running, *made.tasks):
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
    await floor.house.close()
    if made.peers is not None:
        await made.peers.close()
    await asyncio.to_thread(floor.close_door)
    await asyncio.to_thread(floor.door.close)
    await asyncio.to_thread(made.checkpoints.stop)
