"""A house of several processes and many people, with everything around it made from one seed.

The tables, the gateway to them (`House.ask`), the views, the streams, the writer and the SQL are the real
ones. Simulated are the clock, the entropy, how long the disk takes and whether it takes anything, the network
between processes, and the people. `Trouble` decides what goes wrong; each decision has a number, so that a
failing walk can be run again without some of them, down to the few it needs.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest import mock

import msgspec
from sqlalchemy import Connection, event, select

from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Append, Head, OnAppended, StoreUnavailable
from lammer.floor.record.forgetting import Forgetting
from lammer.floor.record.purses import purses
from lammer.floor.record.registry import Listed
from lammer.floor.record.revealed import reveal
from lammer.floor.record.store import leases, sqlite
from lammer.floor.record.store.group import Row
from lammer.floor.record.store.storing import SqlStore
from lammer.floor.record.store.upgrade import bring_up_to_date
from lammer.floor.record.store.writer import Deliver, Writer, WriterBackend
from lammer.floor.settings import Settings
from lammer.floor.tables.command_handler import Unreached
from lammer.floor.tables.command_request import CommandRequest, ForwardedRequest
from lammer.floor.tables.house import House
from lammer.floor.views.viewing import Viewer, event_seen, table_seen
from lammer.game.cards import DECK
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES
from lammer.table import events as e
from lammer.table.fold import evolve
from lammer.table.journal import decode
from lammer.table.state import OVER, Table
from support.open_house import BOOK, books
from support.virtual_loop import WHO, run_virtually

NOON: Final = datetime(2026, 11, 15, 12, tzinfo=UTC)
BOARD: Final = Viewer("", "board")
FACE_DOWN: Final = "fd"
"""A table where cards lie face down and nobody bets; one card of every round is drawn too early."""
FACE_DOWN_SETUP: Final = {"shoe": "read", "face_down": True}
LEASE: Final = 5.0
KEPT: Final = timedelta(minutes=5)
CHIPS: Final = 500_000
"""Dollars in each purse: some who stake much run out of them."""
PATIENCE: Final = 8.0
"""Virtual seconds a client waits for an answer before they ask again."""


class WalkBroken(AssertionError):
    """Something that must always hold does not."""


@dataclass(slots=True)
class Trouble:
    """What goes wrong, from one seed. A decision in `without` is taken as if nothing went wrong there."""

    seed: int
    without: frozenset[int] = frozenset()
    often: float = 1.0
    count: int = 0
    happened: list[tuple[int, str]] = field(default_factory=list)
    draw: Random = field(init=False)

    def __post_init__(self) -> None:
        self.draw = Random(self.seed)

    def strikes(self, what: str, chance: float) -> bool:
        """Whether this goes wrong now."""
        self.count += 1
        if self.draw.random() >= chance * self.often or self.count in self.without:
            return False
        self.happened.append((self.count, what))
        return True


class SimBackend(sqlite.SqliteBackend):
    """The writer's connection, to a disk that may refuse, or write and not say so."""

    def __init__(self, engine: Any, process: Process) -> None:
        super().__init__(engine)
        self.process = process

    def file(self, rows: Sequence[Row], beside: Callable[[Connection], None] | None = None) -> None:
        trouble, world = self.process.world.trouble, self.process.world
        if self.process.dead or trouble.strikes("the disk refuses", 0.01):
            raise StoreUnavailable("the disk refuses")
        super().file(rows, beside)
        world.on_disk(rows)
        assert self._connection is not None
        world.purses_hold(self._connection, rows)
        if trouble.strikes("written and not told", 0.01):
            raise StoreUnavailable("the line broke")


class SimWriter(Writer):
    """The real writer without its thread: the loop takes up what waits, when the disk has time."""

    process: Process

    def _begin(self) -> None:
        self._busy = False

    def _put(self, item: Any) -> None:
        super()._put(item)
        self._soon()

    def work(self, work: Callable[[Any], Any]) -> Future[Any]:
        """Other work is waited for in what would be a thread: it is done at once."""
        done: Future[Any] = Future()
        try:
            if self.process.dead:
                raise StoreUnavailable("the process is gone")
            done.set_result(self._backend.work(work))
        except BaseException as error:
            done.set_exception(error)
        return done

    def _soon(self) -> None:
        if not self._busy and not self._queue.empty():
            self._busy = True
            process = self.process
            trouble = process.world.trouble
            takes = trouble.draw.uniform(0.0005, 0.005)
            if trouble.strikes("the disk stalls", 0.004):
                takes += trouble.draw.uniform(0.5, 3 * LEASE)
            process.later(takes, self._pump)

    def _pump(self) -> None:
        self._busy = False
        item: Any = self._queue.get_nowait()
        while item is not None:
            item = self._take_up(item)
        self._soon()

    def close(self) -> None:
        self._closed = True
        self._backend.close()


class SimStore(SqlStore):
    """One process's way to the record all of them share."""

    def __init__(self, path: Path, process: Process) -> None:
        self.process = process
        quick = sqlite.Pragmas(synchronous="OFF", busy_seconds=0.1)
        writers = sqlite._engine(path, quick, reads=False)
        event.listen(writers, "connect", self._tells_time)
        with writers.connect() as connection, connection.begin():
            bring_up_to_date(connection)
        readers = sqlite._engine(path, quick, reads=True)
        event.listen(readers, "connect", self._tells_time)
        super().__init__(readers, SimBackend(writers, process), process.soon)

    def _tells_time(self, driver: Any, _: object) -> None:
        """The database's own clock, by which turns run out, is a virtual one too."""
        driver.create_function("virtual_now", 0, lambda: round(self.process.world.time() * 1_000_000))

    def _make_writer(self, backend: WriterBackend, deliver: Deliver) -> Writer:
        writer = SimWriter(backend, deliver, self._tell_followers)
        writer.process = self.process
        return writer

    def hand_in(self, append: Append, callback: OnAppended) -> None:
        if self.process.dead:
            raise StoreUnavailable("the process is gone")
        super().hand_in(append, callback)

    def _tell_followers(self, heads: Mapping[str, Head]) -> None:
        for other in self.process.world.processes:
            if not other.dead:
                other.later(0.002, lambda there=other.store: SqlStore._tell_followers(there, heads))  # type: ignore[misc]


class Process:
    """One process of the house: it can stall, be paused beyond its turns, and die."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.dead = False
        self.paused_until = 0.0
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self.store = SimStore(world.path, self)
        clock = Clock(world.now, world.time)
        settings = Settings(data=str(world.path), lease_seconds=LEASE, chips=CHIPS)
        self.house = House(
            settings, self.store, books(), clock=clock, owner=name, forward=self._forward, draw=world.entropy
        )

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        """Do this after a while, or when the process goes on; never, where it is dead."""

        def run() -> None:
            if self.dead:
                return
            if self.paused_until > self.world.time():
                self.world.loop.call_at(self.paused_until, run)
                return
            WHO.set(self.name)
            work()

        self.world.loop.call_later(seconds, run)

    def soon(self, work: Callable[[], None]) -> None:
        self.later(0.0, work)

    def start(self, work: Any) -> asyncio.Task[Any]:
        """A task of this process, which ends with it."""

        async def mine() -> Any:
            WHO.set(self.name)
            return await work

        task = self.world.loop.create_task(mine())
        self.tasks[task] = None
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[Any]) -> None:
        self.tasks.pop(task, None)
        if not task.cancelled():
            task.exception()  # Whoever asked may be gone; then it is nobody's business.

    async def open(self) -> None:
        await self.start(self.house.tables.open())
        self.start(self.house.tables.keep())
        self.start(self._forget())

    async def _forget(self) -> None:
        """Answers are forgotten by time served; nobody here asks again after so long."""
        forgetting = Forgetting(self.store, KEPT, self.world.time)
        while True:
            await asyncio.sleep(2.0)
            with suppress(Refused):
                await asyncio.to_thread(forgetting.mark)
                await asyncio.to_thread(forgetting.forget)

    def die(self) -> None:
        """As kill -9: nothing of it runs any more, and nobody is told."""
        self.dead = True
        for task in tuple(self.tasks):
            task.cancel()

    async def ask(self, table: str, asked: CommandRequest, *, hand_on: bool = True) -> bytes:
        """A request that has come in over the network."""
        work = self.start(self.house.commands.ask(table, asked, hand_on=hand_on))
        try:
            return bytes(await asyncio.shield(work))
        except asyncio.CancelledError:
            asker = asyncio.current_task()
            # At the end of a walk both are cancelled; an asker who took that for a broken line would ask on.
            if not work.cancelled() or (asker is not None and asker.cancelling()):
                raise
            raise StoreUnavailable("the line broke") from None

    async def _forward(self, owner: str, handed: ForwardedRequest) -> bytes:
        other = next((each for each in self.world.processes if each.name == owner and not each.dead), None)
        await asyncio.sleep(self.world.trouble.draw.uniform(0.0002, 0.002))
        if other is None or self.world.trouble.strikes("a request between processes is lost", 0.02):
            raise Unreached(handed.table)
        assert handed.asked is not None
        reply = await other.ask(handed.table, handed.asked, hand_on=False)
        if self.world.trouble.strikes("an answer between processes is lost", 0.02):
            raise StoreUnavailable("the answer was lost")
        return reply


@dataclass(slots=True)
class Meant:
    """What a player meant once, however often they sent it: a stake of its own, in one round."""

    player: str
    table: str
    round: int
    stake: int
    key: str
    reply: bytes | None = None
    refused: str = ""


@dataclass(slots=True)
class Moving:
    """Chips a player meant to move once, however often they sent it."""

    player: str
    table: str
    asked: CommandRequest
    reply: bytes | None = None


class World:
    """Processes, people, the record as it was written, and what must always hold."""

    def __init__(self, path: Path, trouble: Trouble, *, processes: int, tables: int, players: int) -> None:
        self.path, self.trouble = path, trouble
        self.tables = [f"t{number}" for number in range(1, tables + 1)]
        self.every_table = [*self.tables, FACE_DOWN]
        self.names = [f"p{number}" for number in range(1, players + 1)]
        self.wanted = processes
        self.processes: list[Process] = []
        self.jumped = timedelta(0)
        self.steps = 0
        self.meant: dict[int, Meant] = {}
        self.reference = {name: Table(books()) for name in self.every_table}
        self.numbers = dict.fromkeys(self.every_table, 0)
        self.seen = {name: {0: _bytes(Table(books()))} for name in self.every_table}
        self.told: dict[str, list[bytes]] = {name: [b""] for name in self.every_table}
        self.guessed = 0
        """How often somebody asked for a card that lies face down."""
        self.staked: Counter[tuple[str, int]] = Counter()
        self.moving: list[Moving] = []
        self.moved: Counter[tuple[str, str]] = Counter()
        self.epochs: dict[str, int] = {}
        self.over = False
        self.first: WalkBroken | None = None
        self.trace = hashlib.sha256()

    # Everything around the house.

    def run(self, seconds: float) -> World:
        with (
            mock.patch.object(sqlite, "time_ns", self._nanoseconds),
            mock.patch.dict(leases.NOW, {"sqlite": "virtual_now()"}),
        ):
            run_virtually(self._run(seconds), self._delay)
        return self

    def time(self) -> float:
        return float(self.loop.time())

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.time()) + self.jumped

    def _nanoseconds(self) -> int:
        return int(self.now().timestamp() * 1e9)

    def entropy(self, size: int) -> bytes:
        return self.trouble.draw.randbytes(size)

    def _delay(self, who: str) -> float:
        process = next((each for each in self.processes if each.name == who), None)
        wait = 0.0 if process is None else max(0.0, process.paused_until - self.time())
        return wait + self.trouble.draw.uniform(0.0001, 0.001)

    def process(self) -> Process | None:
        living = [each for each in self.processes if not each.dead]
        return self.trouble.draw.choice(living) if living else None

    # What must always hold.

    def _broken(self, what: str) -> WalkBroken:
        """What does not hold; the writer it is noticed in may think that only a write has failed."""
        self.first = self.first or WalkBroken(what)
        return self.first

    def on_disk(self, rows: Sequence[Row]) -> None:
        """A group was committed: the record's own view of it, event by event."""
        for row in rows:
            if row.epoch is not None:
                if row.epoch < self.epochs.get(row.table, 0):
                    raise self._broken(f"{row.table}: turn {row.epoch} wrote after {self.epochs[row.table]}")
                self.epochs[row.table] = row.epoch
            if row.body is None:
                continue
            table, entry = self.reference[row.table], decode(row.body)
            if row.number != self.numbers[row.table] + 1:
                raise self._broken(f"{row.table}: event {row.number} after {self.numbers[row.table]}")
            if isinstance(entry.event, e.BetPlaced) and entry.event.key != table.keys + 1:
                raise self._broken(
                    f"{row.table}: event {row.number} was decided on another state than the record's"
                )
            evolve(table, entry.event)
            self.numbers[row.table] = row.number
            self.seen[row.table][row.number] = _bytes(table)
            self.told[row.table].append(msgspec.json.encode(event_seen(reveal(table, entry), BOARD)))
            self.trace.update(row.hash)
            if sum(table.accounts.values()):
                raise self._broken(f"{row.table}: money is not conserved: {table.accounts}")
            self._once(row.table, table, entry.event)

            if row.key is not None and isinstance(entry.event, e.ChipsBrought | e.ChipsTaken):
                self.moved[row.key.client, row.key.key] += 1
                if self.moved[row.key.client, row.key.key] > 1:
                    raise self._broken(f"{row.table}: {row.key.client} moved chips twice by {row.key.key}")

    def purses_hold(self, connection: Connection, rows: Sequence[Row]) -> None:
        """What is in a purse and what all tables say of it are one amount, after everything that moved it."""
        found = [decode(row.body).event for row in rows if row.body is not None]
        for player in {each.player for each in found if isinstance(each, e.ChipsBrought | e.ChipsTaken)}:
            row = connection.execute(select(purses).where(purses.c.player == player)).one()
            connection.commit()
            told = sum(table.accounts.get(f"purse:{player}", 0) for table in self.reference.values())
            if row.balance != row.issued + told or row.issued != CHIPS * 100:
                raise self._broken(f"the purse of {player} holds {row.balance}; {told} was moved by tables")

    def _once(self, name: str, table: Table, event: e.Event) -> None:
        """Each stake is one that was meant, in the round it was meant for, and counts once."""
        if not isinstance(event, e.BetPlaced | e.BetIncreased):
            return
        self.staked[event.player, event.stake] += 1
        meant = self.meant.get(event.stake)
        if meant is None or (meant.player, meant.table) != (event.player, name):
            raise self._broken(f"{name}: nobody meant {event}")
        if self.staked[event.player, event.stake] > 1:
            raise self._broken(f"{name}: {event.player} bet {event.stake} twice")
        assert table.round is not None
        if table.round.number != meant.round:
            raise self._broken(
                f"{name}: a bet meant for round {meant.round} lies in round {table.round.number}"
            )

    def look(self) -> None:
        """Every process's readers see what was on disk, to the byte."""
        self.steps += 1
        if self.first is not None:
            raise self.first
        for process in self.processes:
            if process.dead:
                continue
            for name, live_table in process.house.tables.live_tables.items():
                view = live_table.view
                expected = self.seen[name].get(view.number)
                if expected is None:
                    raise WalkBroken(f"{process.name} shows {name} at {view.number}, which is not on disk")
                if _bytes(view.table) != expected:
                    raise WalkBroken(f"{process.name} shows of {name} at {view.number} what is not on disk")

    def finish(self) -> None:
        """Whatever was acknowledged is in the record, and whatever was refused is not."""
        for meant in self.meant.values():
            count = self.staked[meant.player, meant.stake]
            if meant.reply is not None and not count:
                raise WalkBroken(
                    f"{meant.player} was told that {meant.stake} lies on {meant.table}; it does not"
                )
            # Refused for want of chips, a copy of it that comes late may find some.
            if meant.refused and meant.refused != "not_enough_chips" and count:
                raise WalkBroken(f"{meant.stake} lies on {meant.table} although it was {meant.refused}")

        for moving in self.moving:
            if moving.reply is not None and not self.moved[moving.player, moving.asked.key]:
                raise WalkBroken(f"{moving.player} was told that {moving.asked} happened; it did not")

    # People.

    async def _run(self, seconds: float) -> None:
        self.loop = asyncio.get_running_loop()
        await self._begin()
        people = [self._player(name) for name in self.names]
        people += [self._dealer(name) for name in self.tables]
        people += [self._careless_dealer()]
        people += [self._reader(name) for name in self.every_table]
        people += [self._fate()]
        tasks = [self.loop.create_task(each) for each in people]
        until = self.time() + seconds
        while self.time() < until:
            await asyncio.sleep(0.05)
            self.look()
            for task in tasks:
                if task.done() and task.exception() is not None:
                    raise task.exception()  # type: ignore[misc]
        self.over, self.trouble.often = True, 0.0
        await asyncio.wait(tasks, timeout=60 * PATIENCE)
        for task in tasks:
            if not task.done():
                raise WalkBroken("somebody waits for ever")
            task.result()
        self.look()
        self.finish()
        for process in self.processes:
            process.die()

    async def _begin(self) -> None:
        first = Process(self, "process 1")
        self.processes.append(first)
        for number, name in enumerate(self.every_table):
            first.house.registry.add(Listed(name, name), number)
        trouble, self.trouble.often = self.trouble.often, 0.0
        await first.open()
        setup: dict[str, Any] = {
            "rulebook": BOOK, "layout": "C", "shoe": "virtual", "cut": 14,
            "limits": {"minimum": "1", "differential": "1000000"},
        }  # fmt: skip
        for name in self.every_table:
            its_own = FACE_DOWN_SETUP if name == FACE_DOWN else {}
            for role, do, fields in (
                ("pit_manager", "set_table", {"setup": setup | its_own}),
                ("pit_supervisor", "fill_bank", {"amount": "1000000"}),
                ("dealer", "prepare_shoe", {}),
            ):
                await first.ask(name, CommandRequest(role, role, do, fields))
        while len(self.processes) < self.wanted:
            await self._another()
        self.trouble.often = trouble

    async def _another(self) -> None:
        process = Process(self, f"process {len(self.processes) + 1}")
        self.processes.append(process)
        with suppress(Refused):
            await process.open()

    async def _fate(self) -> None:
        """Processes die, stop for a while and come back; the clock on the wall jumps."""
        while not self.over:
            await asyncio.sleep(self.trouble.draw.uniform(0.2, 1.5))
            living = [each for each in self.processes if not each.dead]
            if living and self.trouble.strikes("a process dies", 0.03):
                self.trouble.draw.choice(living).die()
            if living and self.trouble.strikes("a process is paused", 0.04):
                pause = self.trouble.draw.uniform(0.5, 3 * LEASE)
                self.trouble.draw.choice(living).paused_until = self.time() + pause
            if self.trouble.strikes("the clock jumps", 0.05):
                self.jumped += timedelta(hours=self.trouble.draw.choice((-30, -1, 1, 8 * 24)))
            if sum(not each.dead for each in self.processes) < self.wanted:
                await self._another()

    async def _send(self, table: str, asked: CommandRequest) -> bytes:
        """Send a request to some process, over a network that may lose it or its answer."""
        process = self.process()
        await asyncio.sleep(self.trouble.draw.uniform(0.0005, 0.01))
        if process is None or process.dead or self.trouble.strikes("a request is lost", 0.01):
            raise StoreUnavailable("the request was lost")
        if process.paused_until > self.time():
            await asyncio.sleep(process.paused_until - self.time())
        if self.trouble.strikes("a request comes twice", 0.03):
            self.loop.create_task(_quietly(process.ask(table, asked)))
        async with asyncio.timeout(PATIENCE):
            reply = await process.ask(table, asked)
        if self.trouble.strikes("an answer is lost", 0.03):
            raise StoreUnavailable("the answer was lost")
        return reply

    def _view(self, table: str) -> Table | None:
        """A table as somebody sees it, through whichever process."""
        process = self.process()
        live_table = process.house.tables.live_tables.get(table) if process is not None else None
        return None if live_table is None else live_table.view.table

    async def _player(self, name: str) -> None:
        """Sits down, and bets again and again; what is not answered is sent again under its key."""
        number = int(name[1:])
        table = self.tables[number % len(self.tables)]
        box = number // len(self.tables) % 5 + 1
        intents = 0
        old: list[Meant] = []
        while not self.over:
            await asyncio.sleep(self.trouble.draw.uniform(0.05, 1.0))
            seen = self._view(table)
            if seen is None or seen.round is None or seen.round.phase != "betting":
                if old and self.trouble.draw.random() < 0.05:
                    await self._mean(self.trouble.draw.choice(old))
                continue
            if name not in seen.seats and box not in seen.boxes and box <= seen.box_count:
                with suppress(Refused, TimeoutError):
                    await self._send(table, CommandRequest(name, "player", "take_seat", {"box": box}))
            intents += 1
            if self.trouble.draw.random() < 0.2:
                await self._move(name, f"m{intents}")
            stake = 1_00 + number * 100_000 + intents
            meant = self.meant[stake] = Meant(name, table, seen.round.number, stake, f"k{intents}")
            await self._mean(meant)
            if meant.reply is not None:
                old = [*old[-20:], meant]

    async def _move(self, name: str, key: str) -> None:
        """Bring chips to a table, wherever they sit, or take some away."""
        draw = self.trouble.draw
        table = draw.choice(self.tables)
        seen = self._view(table)
        has = 0 if seen is None else seen.accounts.get(f"player:{name}", 0)
        do, most = ("take_chips", has) if has > 0 and draw.random() < 0.6 else ("bring_chips", CHIPS * 100)
        fields = {"player": name, "amount": f"{draw.randint(1, most) / 100:.2f}"}
        moving = Moving(name, table, CommandRequest(name, "player", do, fields, key))
        self.moving.append(moving)
        for _ in range(6):
            try:
                moving.reply = await self._send(table, moving.asked)
                return
            except Refused as refused:
                if refused.code == "not_enough_chips":
                    return
            except TimeoutError:
                pass
            await asyncio.sleep(draw.uniform(0.1, 1.0))

    async def _mean(self, meant: Meant) -> None:
        """Ask until there is an answer, always the same under the same key."""
        number = int(meant.player[1:])
        box = number // len(self.tables) % 5 + 1
        fields = {"box": box, "bet": "banker", "stake": f"{meant.stake / 100:.2f}", "round": meant.round}
        asked = CommandRequest(meant.player, "player", "place_bet", fields, meant.key)
        while True:
            try:
                reply = await self._send(meant.table, asked)
            except (StoreUnavailable, TimeoutError, Unreached):
                await asyncio.sleep(self.trouble.draw.uniform(0.1, 2.0))
                continue
            except Refused as refused:
                if refused.code in (
                    "store_unavailable",
                    "table_held_elsewhere",
                    "table_moved_on",
                    "table_stopped",
                ):
                    await asyncio.sleep(self.trouble.draw.uniform(0.1, 2.0))
                    continue
                if meant.reply is None:
                    meant.refused = refused.code
                return
            if meant.reply is not None and meant.reply != reply:
                raise WalkBroken(f"{meant.key} of {meant.player} was answered in two ways")
            meant.reply = reply
            return

    async def _dealer(self, table: str) -> None:
        """Deals round after round, as far as they see; a supervisor resolves what was interrupted."""
        while not self.over:
            await asyncio.sleep(self.trouble.draw.uniform(0.02, 0.3))
            seen = self._view(table)
            if seen is None or seen.setup is None:
                continue
            role, do = "dealer", self._next(seen)
            if do == "resolve_interruption":
                role = "pit_supervisor"
            key = f"d{self.steps}" if self.trouble.draw.random() < 0.5 else ""
            with suppress(Refused, TimeoutError):
                await self._send(table, CommandRequest(role, role, do, {}, key))

    def _next(self, seen: Table) -> str:
        here = seen.round
        if seen.shoe is None:
            return "prepare_shoe"
        if here is None or here.phase in OVER:
            return "end_shoe" if seen.last_of_shoe or seen.shoe.left < 6 else "open_bets"
        if here.interrupted:
            return "resolve_interruption"
        if here.phase == "betting":
            return "close_bets" if self.trouble.draw.random() < 0.08 else "open_bets"
        return "settle" if seen.next_hand() is None else "deal_card"

    async def _careless_dealer(self) -> None:
        """Deals a real shoe face down, in every round a card too early, and tries to learn what it is."""
        while not self.over:
            await asyncio.sleep(self.trouble.draw.uniform(0.01, 0.1))
            seen = self._view(FACE_DOWN)
            if seen is None or seen.setup is None:
                continue
            if seen.carried:
                await self._guess()
            role, do, fields = self._next_face_down(seen)
            with suppress(Refused, TimeoutError):
                await self._send(FACE_DOWN, CommandRequest(role, role, do, fields))

    def _next_face_down(self, seen: Table) -> tuple[str, str, dict[str, Any]]:
        here, card = seen.round, {"card": self.trouble.draw.choice(DECK)}
        if seen.carried:
            card = {}
        if here is None or here.phase in OVER or here.interrupted or here.phase == "betting":
            do = "close_bets" if here is not None and here.phase == "betting" else self._next(seen)
            return "pit_supervisor" if do == "resolve_interruption" else "dealer", do, {}
        lying = [laid.face_up for laid in here.cards]
        if len(lying) == 5 and not any(lying):
            return "pit_supervisor", "reconstruct", {"irregularity": "excess_cards"}
        if len(lying) == 4 and not any(lying) and not seen.carried:
            return "dealer", "deal_card", card | {"to": "player"}
        if len(lying) >= 4:
            for hand in SIDES:
                for place, laid in enumerate(here.hand(hand), 1):
                    if not laid.face_up:
                        return "dealer", "open_card", {"hand": hand, "place": place}
            if seen.next_hand() is None:
                return "dealer", "settle", {}
        return "dealer", "deal_card", card

    async def _guess(self) -> None:
        """Name the card carried over, and others: right or wrong, the answer is the same."""
        before, carried = self.numbers[FACE_DOWN], self.reference[FACE_DOWN].carried
        if not carried:
            return
        answers = set()
        for card in (*self.trouble.draw.sample(DECK, 2), carried[0]):
            try:
                await self._send(FACE_DOWN, CommandRequest("dealer", "dealer", "deal_card", {"card": card}))
                answers.add("dealt")
            except (StoreUnavailable, TimeoutError, Unreached):
                return
            except Refused as refused:
                answers.add(refused.sentence)
            moved = self.numbers[FACE_DOWN] - before
            if moved > 1 or (moved and "dealt" not in answers):
                return
        self.guessed += 1
        if len(answers) > 1 and not any("process" in answer for answer in answers):
            raise WalkBroken(f"a card that lies face down was found by asking: {sorted(answers)}")

    async def _reader(self, table: str) -> None:
        """Follows a stream, loses it now and then, and goes on where they were; misses nothing."""
        last = 0
        while not self.over:
            process = self.process()
            live_table = process.house.tables.live_tables.get(table) if process is not None else None
            if process is None or live_table is None:
                await asyncio.sleep(0.5)
                continue
            WHO.set(process.name)
            stream = process.house.live.stream(live_table.view, BOARD, last)
            try:
                async with asyncio.timeout(self.trouble.draw.uniform(1.0, 20.0)):
                    async for part in stream:
                        last = self._streamed(table, part, last)
                        if process.dead or self.over:
                            break
            except (TimeoutError, Refused):
                pass
            finally:
                with suppress(RuntimeError):
                    await stream.aclose()  # type: ignore[attr-defined]

    def _streamed(self, table: str, part: bytes, last: int) -> int:
        for sent in part.split(b"\n\n"):
            lines = dict(line.split(b": ", 1) for line in sent.split(b"\n") if b": " in line)
            if b"id" not in lines:
                continue
            number = int(lines[b"id"])
            if number != last + 1:
                raise WalkBroken(f"a stream of {table} went from {last} to {number}")
            if number >= len(self.told[table]):
                raise WalkBroken(f"a stream of {table} told of {number}, which is not on disk")
            expected = self.told[table][number]
            if lines.get(b"data", b"null") != expected:
                raise WalkBroken(f"a stream of {table} told of {number} what is not on disk")
            last = number
        return last


async def _quietly(work: Any) -> None:
    with suppress(Refused, TimeoutError):
        await work


def _bytes(table: Table) -> bytes:
    return msgspec.json.encode(table_seen(table, BOARD))


def shrunk(walk: Callable[[frozenset[int]], World | None], happened: Sequence[int]) -> frozenset[int]:
    """Leave out whatever trouble a failing walk does without; what is then left out."""
    without: frozenset[int] = frozenset()
    size = max(1, len(happened) // 2)
    while size:
        for start in range(0, len(happened), size):
            tried = without | set(happened[start : start + size])
            if tried != without and walk(frozenset(tried)) is None:
                without = frozenset(tried)
        size //= 2
    return without
