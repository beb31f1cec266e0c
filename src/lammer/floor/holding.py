"""Which process decides for which table, and how the others follow.

On one machine with SQLite this process holds every table. On several over PostgreSQL a table is held by one
process at a time (a turn with a number that fences whoever held it before), renewed while that process lives
and taken by another when it does not; the others follow what it writes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, TypeVar

from sqlalchemy import select, text

from lammer.floor.clock import Clock
from lammer.floor.durable import DurableView
from lammer.floor.hosted import Hosted
from lammer.floor.known_keys import KnownKeys, marks_of
from lammer.floor.live import Live
from lammer.floor.registry import Listed, Registry, is_name
from lammer.floor.settings import Settings
from lammer.floor.store.contract import Store
from lammer.floor.store.leases import NOW
from lammer.floor.store.schema import leases
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

__all__ = ["Clock", "Holding"]

log = logging.getLogger("lammer.floor")

TRY_AGAIN: Final = 0.1
"""Seconds before a table another process holds is asked for again."""
AGAIN: Final = 0.5
"""Seconds before a table that could not be followed is tried again."""

T = TypeVar("T")


class Holding:
    """The tables of the record, each held or followed by this process."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        books: Mapping[str, Rulebook],
        *,
        clock: Clock | None = None,
        owner: str = "",
    ) -> None:
        self.settings, self.store, self.books = settings, store, books
        self.clock = clock or Clock()
        self.owner = owner
        self.registry = Registry(store)
        self.live = Live()
        self.known_keys = KnownKeys(alone=self.solo)
        self._marking: asyncio.Task[None] | None = None
        self.listed: dict[str, Listed] = {}
        self.hosted: dict[str, Hosted] = {}
        self.on_taken: list[Callable[[Listed], None]] = []
        self.on_lost: list[Callable[[str], None]] = []
        self._holders: dict[str, tuple[str, float]] = {}
        self._tried: dict[str, float] = {}
        self._following: dict[str, asyncio.Task[None]] = {}
        self._heard: dict[str, int] = {}
        self._stop_following: Callable[[], None] | None = None
        # Turns are kept by threads of their own: nothing else that waits for the record may delay them.
        self._turns = ThreadPoolExecutor(2, "lammer-turns")

    @property
    def solo(self) -> bool:
        """Whether this process is alone with its record and needs no turns."""
        return not self.owner

    @property
    def held(self) -> list[Hosted]:
        return [hosted for hosted in self.hosted.values() if hosted.held]

    async def open(self) -> None:
        """Bring every table back as it was; a round that was under way comes back interrupted."""
        for listed in await asyncio.to_thread(self.registry.all):
            await self.host(listed)
        if self.solo:
            self._marking = asyncio.ensure_future(self._mark_keys())
        else:
            loop = asyncio.get_running_loop()

            def heard(name: str, number: int) -> None:
                hosted = self.hosted.get(name)
                if hosted is None or not hosted.held:
                    loop.call_soon_threadsafe(self._follow, name, number)

            self._stop_following = await asyncio.to_thread(self.store.follow, heard)

    async def _mark_keys(self) -> None:
        """Mark what the record knows; until then, and if that fails, every key is looked up in it."""
        try:
            self.known_keys.before = await asyncio.to_thread(marks_of, self.store)
        except Refused as refused:
            log.warning("every key is looked up in the record: %s", refused.sentence)

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
        for hosted in self.held:
            with suppress(Refused):
                await hosted.put_away()
                if hosted.epoch is not None:
                    await self._in_turn(self.store.release, hosted.id, self.owner, hosted.epoch)
            hosted.held = False
        self._turns.shutdown(wait=False)

    async def host(self, listed: Listed) -> Hosted:
        """Read a table in, and take it if nobody holds it. One that cannot be read stops alone."""
        found = self.hosted.get(listed.id)
        if found is not None:
            return found
        hosted = Hosted(
            listed.id, self.store, self.books, self.live.publish, self.known_keys, self.clock.steady
        )
        self.listed[listed.id], self.hosted[listed.id] = listed, hosted
        try:
            await self.take(hosted)
        except Refused as refused:
            log.error("table %s cannot be put up yet: %s", listed.id, refused)
        return hosted

    def at(self, name: str) -> Hosted:
        """A table of the house, or `unknown_table`."""
        found = self.hosted.get(name)
        if found is None:
            raise Refused(
                "unknown_table",
                f"There is no table {name[:40]!r} in this house.",
                next_step="The lobby lists the tables.",
            )
        return found

    async def find(self, name: str) -> Hosted:
        """A table of the house; one that another process has just put up is put up here too."""
        if name not in self.hosted and not self.solo and is_name(name):
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
        hosted = await self.find(name)
        if hosted.broken is not None and not hosted.waits_for_disk:
            await (hosted.ready(self.clock.now) if hosted.held else hosted.catch_up())
        return hosted.view

    async def holds(self, hosted: Hosted) -> bool:
        """Whether this process decides for the table; it takes it where nobody is known to."""
        if hosted.held:
            return True
        known = self._holders.get(hosted.id)
        if known is not None and self.clock.steady() < known[1]:
            return False
        return await self.take(hosted)

    async def take(self, hosted: Hosted) -> bool:
        """Hold a table if nobody else does; what happened meanwhile is read and told first."""
        async with hosted.taking:
            if hosted.held:
                return True
            if not self.solo:
                if self.clock.steady() < self._tried.get(hosted.id, 0.0):
                    return False
                seconds = self.settings.lease_seconds
                hosted.epoch = await self._in_turn(self.store.take, hosted.id, self.owner, seconds)
                if hosted.epoch is None:
                    self._tried[hosted.id] = self.clock.steady() + TRY_AGAIN
                    if hosted.broken is not None:
                        await hosted.catch_up()
                    return False
            try:
                await hosted.catch_up()
            except Refused:
                await self._give_back(hosted)
                raise
            hosted.held = hosted.returning = True
            self._holders.pop(hosted.id, None)
        try:
            await hosted.ready(self.clock.now)
        finally:
            # A dealer looks at what is on disk: a round that came back is interrupted there by now.
            for taken in self.on_taken:
                taken(self.listed[hosted.id])
        return True

    async def _give_back(self, hosted: Hosted) -> None:
        """A turn at a table that cannot be read here is none: another process may be able to."""
        epoch, hosted.epoch = hosted.epoch, None
        if epoch is not None:
            with suppress(Refused):
                await self._in_turn(self.store.release, hosted.id, self.owner, epoch)

    def lose(self, hosted: Hosted) -> None:
        """Another process holds the table now; here it is only followed."""
        if not hosted.held:
            return
        log.warning("table %s is held by another process now", hosted.id)
        hosted.held, hosted.returning, hosted.epoch, hosted.deciding = False, False, None, None
        for lost in self.on_lost:
            lost(hosted.id)
        self._follow(hosted.id, hosted.durable + 1)

    async def holder(self, hosted: Hosted) -> str | None:
        """The process that decides for a table held elsewhere; asked of the record now and then only."""
        known = self._holders.get(hosted.id)
        if known is not None and self.clock.steady() < known[1]:
            return known[0]
        lease = (await self._in_turn(self.store.leases)).get(hosted.id)
        if lease is None or lease.until == 0 or lease.owner == self.owner:
            return None
        self._holders[hosted.id] = lease.owner, self.clock.steady() + self.settings.lease_seconds / 3
        return lease.owner

    def forget_holder(self, hosted: Hosted) -> None:
        """Whoever was thought to hold a table does not, or does not answer."""
        self._holders.pop(hosted.id, None)

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
                hosted = await self.find(name)
                if hosted.held or hosted.durable >= self._heard[name]:
                    return
                before = self._heard[name]
                await hosted.catch_up()
                if self._heard[name] == before:
                    return
            except Refused as refused:
                if refused.code == "unknown_table":
                    return
                log.warning("table %s is not followed: %s", name, refused.sentence)
                await asyncio.sleep(AGAIN)
            except Exception:
                log.exception("table %s is not followed", name)
                await asyncio.sleep(AGAIN)

    async def keep(self) -> None:
        """Renew the turns that are held, and take what has become free, until cancelled."""
        await asyncio.gather(self._often(self._renew), self._often(self._look))

    async def _often(self, work: Callable[[], Any]) -> None:
        while True:
            await asyncio.sleep(self.settings.lease_seconds / 3)
            try:
                await work()
            except Refused as refused:
                log.warning("turns at the tables: %s", refused.sentence)
            except Exception:
                log.exception("turns at the tables could not be looked after")

    async def _renew(self) -> None:
        before = [(hosted, hosted.epoch) for hosted in self.held]
        kept = await self._in_turn(self.store.renew, self.owner, self.settings.lease_seconds)
        for hosted, epoch in before:
            if kept.get(hosted.id) != epoch and hosted.epoch == epoch:
                self.lose(hosted)

    async def _look(self) -> None:
        for listed in await asyncio.to_thread(self.registry.all):
            await self.host(listed)
        for name in await self._in_turn(self._free):
            if name in self.hosted:
                await self.take(self.hosted[name])

    def _free(self) -> list[str]:
        """Tables nobody holds, by the database's own clock."""
        with self.store.reading() as connection:
            now = connection.scalar(text(f"SELECT {NOW[connection.dialect.name]}"))
            taken = set(connection.scalars(select(leases.c.table_id).where(leases.c.until >= now)))
        return [name for name, hosted in self.hosted.items() if not hosted.held and name not in taken]

    async def _in_turn(self, work: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._turns, work, *given)
