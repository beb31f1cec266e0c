"""Puts the house together: the record, the people, the tables, their dealers, HTTP; and closes it in order.

Nothing imports this but the command line.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta

import msgspec
from sqlalchemy.engine import URL

from lammer.floor.access.authenticator import Authenticator
from lammer.floor.access.links import first_links
from lammer.floor.record.checkpoints import FILE, Checkpoints, must_agree, set_aside
from lammer.floor.record.clock import Clock, WatchedClock, keep_watching, must_be_right
from lammer.floor.record.contract import Store
from lammer.floor.record.forgetting import keep_forgetting
from lammer.floor.record.log.house_log import HouseLog
from lammer.floor.record.log.log_secrets import log_secrets
from lammer.floor.record.log.stamps import Stamps
from lammer.floor.record.log.witnesses import Witnesses, parse_witnesses, tables_that_stop
from lammer.floor.record.monotonic_clock import microseconds
from lammer.floor.record.registry import Listed, Pace, house_secret
from lammer.floor.record.sealing import house_seals
from lammer.floor.record.signing_key import house_key
from lammer.floor.record.store.opening import open_store, place
from lammer.floor.settings import Settings
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.tables.gateway import CommandGateway
from lammer.floor.tables.house import House
from lammer.floor.tables.kept_rulebooks import open_kept
from lammer.floor.tables.test_players import TestPlayers
from lammer.floor.tables.virtual_dealer import VirtualDealer
from lammer.floor.web.api.express import Express
from lammer.floor.web.app import application
from lammer.floor.web.context import AppContext
from lammer.floor.web.peers import Peers
from lammer.floor.web.server import (
    HouseServer,
    allow_many_streams,
    listen,
    server_config,
    spare_the_collector,
    stopping_on_signals,
)
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import KEPT

Announce = Callable[[str, "RunningHouse"], None]

log = logging.getLogger("lammer.floor")

FINISHING_SECONDS = 10.0
"""Seconds the virtual dealers get to end their rounds when the house closes; they make no pauses then."""

FIRST_TABLES = (
    ("tiger-buffalo", "Tiger Buffalo", "tiger-buffalo-noncommission-insurance@3", "C"),
    ("da-hu", "Da Hu Ying Xiong", "da-hu-ying-xiong-noncommission-insurance@2", "C"),
    ("tiger-buffalo-commission", "Tiger Buffalo, Commission", "tiger-buffalo-commission-insurance@3", "C"),
)


@dataclass(slots=True)
class RunningHouse:
    """A house that is open: what requests need, and what runs beside them."""

    context: AppContext
    links: list[tuple[str, str, str]]
    checkpoints: Checkpoints
    stamps: Stamps
    dealers: dict[str, tuple[VirtualDealer, asyncio.Task[None]]] = field(default_factory=dict)
    test_players: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Vouched:
    """What the person who starts the house says is right although it does not look so."""

    clock: bool = False
    record: bool = False
    program: bool = False


@asynccontextmanager
async def run_house(
    settings: Settings,
    books: Mapping[str, Rulebook],
    vouched: Vouched = Vouched(),  # noqa: B008 (it never changes)
    clock: Clock | None = None,
) -> AsyncIterator[RunningHouse]:
    """The house, open; closed again in order whatever happens."""
    loop = asyncio.get_running_loop()
    settings.folder.mkdir(parents=True, exist_ok=True)
    seals = await asyncio.to_thread(house_seals, settings.folder, settings.sealing)
    store = await asyncio.to_thread(
        open_store, settings.record, deliver=loop.call_soon_threadsafe, seals=seals
    )
    try:
        agree = set_aside if vouched.record else must_agree
        await asyncio.to_thread(agree, store, settings.folder / FILE)
        watched = WatchedClock(clock or Clock()).clock
        if not vouched.clock:
            behind = timedelta(minutes=settings.clock_behind_minutes)
            ahead = timedelta(hours=settings.clock_ahead_hours)
            await asyncio.to_thread(must_be_right, store, watched.now(), behind, ahead)
        kept = await asyncio.to_thread(open_kept, store, settings.folder / KEPT, microseconds(watched.now()))
        running = await _open(settings, kept | {**books}, store, watched, vouched)
        try:
            yield running
        finally:
            await _close(running)
    finally:
        await asyncio.to_thread(store.close)


async def _open(
    settings: Settings, books: Mapping[str, Rulebook], store: Store, clock: Clock, vouched: Vouched
) -> RunningHouse:
    # Over a database that several processes can share, a table is decided for by whoever has the turn.
    shared = isinstance(place(settings.record), URL)
    owner = f"{settings.peer}#{secrets.token_hex(6)}" if shared else ""
    peers = Peers(await asyncio.to_thread(house_secret, store)) if shared else None
    forward = peers.forward if peers else None
    gateway = CommandGateway(House(settings, store, books, clock=clock, owner=owner, forward=forward))
    house = gateway.house
    words = re.findall(r"\w{4,}", settings.public.partition("//")[2].lower())
    authenticator = Authenticator(
        store,
        clock.now,
        idle=timedelta(minutes=settings.idle_minutes),
        absolute=timedelta(hours=settings.session_hours),
        ticks=clock.steady,
        words=words,
        second_factor=settings.second_factor,
    )
    authenticator.accounts.follow(house.logins.forget)
    context = AppContext(settings, gateway, authenticator, peers)
    links = await asyncio.to_thread(lambda: first_links(store, clock.now, demo=settings.demo))
    key = await asyncio.to_thread(house_key, settings.folder)
    file = settings.folder / FILE

    def at() -> int:
        return microseconds(clock.now())

    blinding = await asyncio.to_thread(log_secrets, settings.folder)
    log_of_house = HouseLog(store, key, blinding, name=settings.log_name)
    listed = parse_witnesses(settings.witnesses)
    witnesses = Witnesses(store, listed, settings.witness_quorum, settings.witness_late_seconds)
    context.witnesses = witnesses
    stamps = Stamps(store, settings.stamp_authority, settings.stamp_seconds)
    gateway.witnesses = witnesses
    gateway.must_be_witnessed = tables_that_stop(settings.witness_stop)

    def follow() -> None:
        log_of_house.extend()
        witnesses.wake()
        stamps.wake()

    checkpoints = Checkpoints(store, key, file, at, follow)
    running = RunningHouse(context, links, checkpoints, stamps)
    house.tables.on_taken.append(lambda listed: _deal(running, listed))
    house.tables.on_lost.append(lambda name: _stop_dealing(running, name))
    await house.program.check(is_right=vouched.program)
    await house.tables.open()
    # A first start that was cut off left a table without anything; then the rest is missing too.
    first = {_first_table(number)[0] for number in range(settings.tables)}
    unmade = any(live_table.number == 0 and live_table.id in first for live_table in house.tables.held)
    # Where all gaming is stopped they cannot be set up; the next start does that.
    if (unmade or not house.tables.listed) and house.switch.of("") is None:
        await _first_tables(running)
    checkpoints.start(settings.checkpoint_seconds)
    witnesses.start()
    stamps.start()
    forgetting = keep_forgetting(store, timedelta(hours=settings.reply_hours), clock.steady)
    beside = [house.approval_handler.sweep(), context.look_again(), forgetting, keep_watching(clock)]
    beside += [house.switch.keep_looking(), house.program.keep_checking()]
    beside += [house.tables.keep()] if shared else []
    running.tasks += [asyncio.create_task(work) for work in beside]
    return running


def _deal(running: RunningHouse, listed: Listed) -> None:
    if listed.pace is not None and listed.id not in running.dealers:
        dealer = VirtualDealer(running.context.gateway, listed)
        running.dealers[listed.id] = (dealer, asyncio.create_task(dealer.run()))
        settings = running.context.settings
        if settings.demo and settings.test_players:
            players = TestPlayers(running.context.gateway, listed, settings.test_players)
            running.test_players[listed.id] = asyncio.create_task(players.run())


def _stop_dealing(running: RunningHouse, name: str) -> None:
    if name in running.test_players:
        running.test_players.pop(name).cancel()
    dealing = running.dealers.pop(name, None)
    if dealing is not None:
        dealing[1].cancel()


def _first_table(number: int) -> tuple[str, str, str, str]:
    """A table's id and title, its rulebook and layout."""
    name, title, book, layout = FIRST_TABLES[number % len(FIRST_TABLES)]
    again = number // len(FIRST_TABLES) + 1
    return f"{name}-{again}", f"{title} {again}", book, layout


async def _first_tables(running: RunningHouse) -> None:
    """The tables a house starts with, so that a newcomer can play at once."""
    gateway, settings = running.context.gateway, running.context.settings
    house = gateway.house
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
        live_table = await house.tables.host(listed)
        if not live_table.held or live_table.number:
            continue  # Another process starts at the same moment and sets it up, or it is there.
        setup = {
            "rulebook": book,
            "layout": layout,
            "limits": {"minimum": "10", "maximum": "5000", "differential": "10000"},
            "shoe": "virtual",
            "cut": 14,
        }
        for role, do, fields in (
            ("pit_manager", "set_table", {"setup": setup}),
            ("pit_supervisor", "fill_bank", {"amount": "1000000"}),
        ):
            await gateway.ask(listed.id, CommandRequest("house", role, do, fields), source="house")


async def _close(running: RunningHouse) -> None:
    """Nothing new; the dealers end their rounds; streams end; tables are let go; what waits is written."""
    context = running.context
    context.gateway.closing = True
    for dealer, _ in running.dealers.values():
        dealer.finish()
    dealing = [task for _, task in running.dealers.values()]
    if dealing:
        await asyncio.wait(dealing, timeout=FINISHING_SECONDS)
    for task in (*dealing, *running.test_players.values(), *running.tasks):
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
    await context.house.tables.close()
    if context.peers is not None:
        await context.peers.close()
    await asyncio.to_thread(context.close_queues)
    await asyncio.to_thread(context.workbench.close)
    await asyncio.to_thread(context.authenticator.close)
    await asyncio.to_thread(running.checkpoints.stop)
    if context.witnesses is not None:
        await asyncio.to_thread(context.witnesses.stop)
    await asyncio.to_thread(running.stamps.stop)


async def serve(
    settings: Settings,
    books: Mapping[str, Rulebook],
    announce: Announce,
    stop: asyncio.Event | None = None,
    vouched: Vouched = Vouched(),  # noqa: B008 (it never changes)
) -> None:
    """Open the house and serve it over HTTP until a signal comes, or `stop` is set.

    `announce` is told the address, and the house with its first links.
    """
    # The writer's thread has to get its turn while the event loop is busy.
    sys.setswitchinterval(0.001)
    with closing(listen(settings.host, settings.port)) as listener:
        port = listener.getsockname()[1]
        if settings.peer.endswith(":0"):
            settings = msgspec.structs.replace(settings, peer=f"{settings.peer.removesuffix(':0')}:{port}")
        async with run_house(settings, books, vouched) as house:
            server = _server(settings, house)
            host = f"[{settings.host}]" if ":" in settings.host else settings.host
            with stopping_on_signals(server, stop):
                announce(f"http://{host}:{port}", house)
                await server.serve([listener])


def _server(settings: Settings, house: RunningHouse) -> HouseServer:
    """The server of an open house."""
    context = house.context
    app = application()
    app.state.context = context
    files = allow_many_streams()
    # Files are kept for whoever comes without a stream: commands, pages, /health, and the record itself.
    context.places.most = max(10, min(context.places.most, files - files // 4))

    def begin_to_close() -> None:
        context.gateway.closing = True
        context.house.live.close()

    def hurry() -> None:
        for _, task in house.dealers.values():
            task.cancel()

    config = server_config(settings, Express(app, context))
    spare_the_collector()
    return HouseServer(config, begin_to_close=begin_to_close, hurry=hurry)
