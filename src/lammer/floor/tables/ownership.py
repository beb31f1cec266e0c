"""Which process decides for which table, and how the others follow.

On one machine with SQLite this process holds every table. On several over PostgreSQL a table is held by one
process at a time (a turn with a number that fences whoever held it before), renewed while that process lives
and taken by another when it does not; the others follow what it writes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, TypeVar

from sqlalchemy import select, text

from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Store, is_name
from lammer.floor.record.registry import Listed, Registry
from lammer.floor.record.schema import leases
from lammer.floor.record.stops import NOTICE
from lammer.floor.record.store.leases import NOW
from lammer.floor.settings import Settings
from lammer.floor.tables.live_table import LiveTable
from lammer.floor.tables.recent_keys import RecentKeys, marks_of
from lammer.floor.tables.stop_switch import StopSwitch
from lammer.floor.tables.streams import LiveStreams
from lammer.floor.views.durable_view import DurableView
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

log = logging.getLogger("lammer.floor")

RETRY_HELD_SECONDS: Final = 0.1
"""Seconds before a table another process holds is asked for again."""
RETRY_FOLLOWING_SECONDS: Final = 0.5
"""Seconds before a table that could not be followed is tried again."""

T = TypeVar("T")


class TableOwnership:
    """The tables of the record, each held or followed by this process."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        books: Mapping[str, Rulebook],
        clock: Clock,
        owner: str,
    ) -> None:
        self.settings, self.store, self.books = settings, store, books
        self.clock, self.owner = clock, owner
        self.registry = Registry(store)
        self.live = LiveStreams()
        self.switch = StopSwitch(store, clock, shared=bool(owner))
        self.switch.changed.append(lambda: self.live.tell_stopped(self._stopped))
        self.recent_keys = RecentKeys(alone=self.solo)
        self._marking: asyncio.Task[None] | None = None
        self.listed: dict[str, Listed] = {}
        self.live_tables: dict[str, LiveTable] = {}
        self.on_taken: list[Callable[[Listed], None]] = []
        self.on_lost: list[Callable[[str], None]] = []
        self._holders: dict[str, tuple[str, float]] = {}
        self._tried: dict[str, float] = {}
        self._following: dict[str, asyncio.Task[None]] = {}
        self._heard: dict[str, int] = {}
        self._stop_following: Callable[[], None] | None = None
        # Turns are kept by threads of their own: nothing else that waits for the record may delay them.
        self._lease_threads = ThreadPoolExecutor(2, "lammer-turns")

    @property
    def solo(self) -> bool:
        """Whether this process is alone with its record and needs no turns."""
        return not self.owner

    def _stopped(self, name: str) -> bool:
        return self.switch.of(name) is not None

    @property
    def held(self) -> list[LiveTable]:
        return [live_table for live_table in self.live_tables.values() if live_table.held]

    async def open(self) -> None:
        """Bring every table back as it was; a round that was under way comes back interrupted."""
        await self.switch.look()
        for listed in await asyncio.to_thread(self.registry.all):
            await self.host(listed)
        if self.solo:
            self._marking = asyncio.ensure_future(self._mark_keys())
        else:
            loop = asyncio.get_running_loop()

            def follow_event(name: str, number: int) -> None:
                if name == NOTICE:
                    loop.call_soon_threadsafe(self.switch.hear)
                    return
                live_table = self.live_tables.get(name)
                if live_table is None or not live_table.held:
                    loop.call_soon_threadsafe(self._follow, name, number)

            self._stop_following = await asyncio.to_thread(self.store.follow, follow_event)

    async def _mark_keys(self) -> None:
        """Mark what the record knows; until then, and if that fails, every key is looked up in it."""
        try:
            self.recent_keys.before = await asyncio.to_thread(marks_of, self.store)
        except Refused as refused:
            log.warning(
                "idempotency keys could not be loaded (%s); each one is looked up in the record",
                refused.sentence,
            )

    async def close(self) -> None:
        """End the streams and let go of the tables; what was acknowledged is on disk already."""
        self.live.close()
        if self._marking is not None:
            await self._marking
        if self._stop_following is not None:
            await asyncio.to_thread(self._stop_following)
        for task in tuple(self._following.values()):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for live_table in self.held:
            with suppress(Refused):
                await live_table.put_away()
                if live_table.epoch is not None:
                    await self._in_lease_thread(
                        self.store.release, live_table.id, self.owner, live_table.epoch
                    )
            live_table.held = False
        self._lease_threads.shutdown(wait=False)

    async def host(self, listed: Listed) -> LiveTable:
        """Read a table in, and take it if nobody holds it. One that cannot be read stops alone."""
        hosted = self.live_tables.get(listed.id)
        if hosted is not None:
            return hosted
        live_table = LiveTable(
            listed.id, self.store, self.books, self.live.publish, self.recent_keys, self.clock.steady
        )
        self.listed[listed.id], self.live_tables[listed.id] = listed, live_table
        try:
            await self.take(live_table)
        except Refused as refused:
            log.error("table %s could not be opened: %s", listed.id, refused)
        return live_table

    def at(self, name: str) -> LiveTable:
        """A table of the house, or `unknown_table`."""
        live_table = self.live_tables.get(name)
        if live_table is None:
            raise Refused(
                "unknown_table",
                "There is no table {name} in this house.",
                next_step="The lobby lists the tables.",
                name=repr(name[:40]),
            )
        return live_table

    async def find(self, name: str) -> LiveTable:
        """A table of the house; one that another process has just put up is put up here too."""
        if name not in self.live_tables and not self.solo and is_name(name):
            listed = await asyncio.to_thread(self.registry.get, name)
            if listed is not None:
                return await self.host(listed)
        return self.at(name)

    def view(self, name: str) -> DurableView:
        """A table of the house to look at, as far as it was read here; or `unknown_table`."""
        return self.at(name).view

    async def seen(self, name: str) -> DurableView:
        """A table to look at: one nobody can decide on just now is read on from the record first.

        Nobody waits for a disk that hangs: what is known to be on it can be shown.
        """
        live_table = await self.find(name)
        if live_table.broken is not None and not live_table.waits_for_disk:
            await (live_table.ready(self.clock.now) if live_table.held else live_table.catch_up())
        return live_table.view

    async def seen_of(self, names: Iterable[str]) -> dict[str, DurableView]:
        """Those of these tables that can be read: one that cannot takes no page of the whole house down."""
        views = {}
        for name in names:
            with suppress(Refused):
                views[name] = await self.seen(name)
        return views

    async def holds(self, live_table: LiveTable) -> bool:
        """Whether this process decides for the table; it takes it where nobody is known to."""
        if live_table.held:
            return True
        known_holder = self._holders.get(live_table.id)
        if known_holder is not None and self.clock.steady() < known_holder[1]:
            return False
        return await self.take(live_table)

    async def take(self, live_table: LiveTable) -> bool:
        """Hold a table if nobody else does; what happened meanwhile is read and told first."""
        async with live_table.taking_lock:
            if live_table.held:
                return True
            if not self.solo:
                if self.clock.steady() < self._tried.get(live_table.id, 0.0):
                    return False
                seconds = self.settings.lease_seconds
                live_table.epoch = await self._in_lease_thread(
                    self.store.take, live_table.id, self.owner, seconds
                )
                if live_table.epoch is None:
                    self._tried[live_table.id] = self.clock.steady() + RETRY_HELD_SECONDS
                    if live_table.broken is not None:
                        await live_table.catch_up()
                    return False
            try:
                await live_table.catch_up()
            except Refused:
                await self._give_back(live_table)
                raise
            live_table.held = live_table.returning = True
            self._holders.pop(live_table.id, None)
        try:
            await live_table.ready(self.clock.now)
        finally:
            # A dealer looks at what is on disk: a round that came back is interrupted there by now.
            for callback in self.on_taken:
                callback(self.listed[live_table.id])
        return True

    async def _give_back(self, live_table: LiveTable) -> None:
        """A turn at a table that cannot be read here is none: another process may be able to."""
        epoch, live_table.epoch = live_table.epoch, None
        if epoch is not None:
            with suppress(Refused):
                await self._in_lease_thread(self.store.release, live_table.id, self.owner, epoch)

    def lose(self, live_table: LiveTable) -> None:
        """Another process holds the table now; here it is only followed."""
        if not live_table.held:
            return
        log.warning("table %s is now owned by another process", live_table.id)
        live_table.held = live_table.returning = False
        live_table.epoch = live_table.deciding = None
        for callback in self.on_lost:
            callback(live_table.id)
        self._follow(live_table.id, live_table.durable + 1)

    async def holder(self, live_table: LiveTable) -> str | None:
        """The process that decides for a table held elsewhere; asked of the record now and then only."""
        known_holder = self._holders.get(live_table.id)
        if known_holder is not None and self.clock.steady() < known_holder[1]:
            return known_holder[0]
        lease = (await self._in_lease_thread(self.store.leases)).get(live_table.id)
        if lease is None or lease.until == 0 or lease.owner == self.owner:
            return None
        self._holders[live_table.id] = lease.owner, self.clock.steady() + self.settings.lease_seconds / 3
        return lease.owner

    def forget_holder(self, live_table: LiveTable) -> None:
        """Whoever was thought to hold a table does not, or does not answer."""
        self._holders.pop(live_table.id, None)

    def _follow(self, name: str, number: int) -> None:
        """Read up to an event another process wrote, one reading at a time for each table."""
        self._heard[name] = max(number, self._heard.get(name, 0))
        if name not in self._following:
            task = asyncio.ensure_future(self._catch_up(name))
            self._following[name] = task
            task.add_done_callback(lambda _: self._following.pop(name, None))

    async def _catch_up(self, name: str) -> None:
        while True:
            try:
                live_table = await self.find(name)
                if live_table.held or live_table.durable >= self._heard[name]:
                    return
                before = self._heard[name]
                await live_table.catch_up()
                if self._heard[name] == before:
                    return
            except Refused as refused:
                if refused.code == "unknown_table":
                    return
                log.warning(
                    "table %s: events of the process that holds it could not be read: %s",
                    name,
                    refused.sentence,
                )
                await asyncio.sleep(RETRY_FOLLOWING_SECONDS)
            except Exception:
                log.exception("table %s: events of the process that holds it could not be read", name)
                await asyncio.sleep(RETRY_FOLLOWING_SECONDS)

    async def keep(self) -> None:
        """Renew the turns that are held, and take what has become free, until cancelled."""
        await asyncio.gather(self._repeat(self._renew), self._repeat(self._take_free_tables))

    async def _repeat(self, work: Callable[[], Any]) -> None:
        while True:
            await asyncio.sleep(self.settings.lease_seconds / 3)
            try:
                await work()
            except Refused as refused:
                log.warning("table leases could not be renewed: %s", refused.sentence)
            except Exception:
                log.exception("table leases could not be renewed")

    async def _renew(self) -> None:
        before = [(live_table, live_table.epoch) for live_table in self.held]
        kept = await self._in_lease_thread(self.store.renew, self.owner, self.settings.lease_seconds)
        for live_table, epoch in before:
            if kept.get(live_table.id) != epoch and live_table.epoch == epoch:
                self.lose(live_table)

    async def _take_free_tables(self) -> None:
        for listed in await asyncio.to_thread(self.registry.all):
            await self.host(listed)
        for name in await self._in_lease_thread(self._free_tables):
            if name in self.live_tables:
                await self.take(self.live_tables[name])

    def _free_tables(self) -> list[str]:
        """Tables nobody holds, by the database's own clock."""
        with self.store.reading() as connection:
            now = connection.scalar(text(f"SELECT {NOW[connection.dialect.name]}"))
            taken = set(connection.scalars(select(leases.c.table_id).where(leases.c.until >= now)))
        return [
            name for name, live_table in self.live_tables.items() if not live_table.held and name not in taken
        ]

    async def _in_lease_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._lease_threads, work, *arguments)
