"""The house: every table of the record, held or followed by this process, and asked through one door.

On one machine with SQLite this process decides for every table. On several over PostgreSQL a table is held
by one process at a time (a lease with a turn number that fences whoever held it before); any other
process hands its requests on to that one and follows what it writes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import msgspec
from sqlalchemy import select

from lammer.floor.approvals import Approvals, must_be_another
from lammer.floor.asking import Asked, command, must_have_chips, needs_two
from lammer.floor.hosted import Hosted, read_back, returned
from lammer.floor.live import Live
from lammer.floor.registry import Listed, Registry
from lammer.floor.settings import Settings
from lammer.floor.store.contract import Conflict, Fenced, Store, StoreUnavailable
from lammer.floor.store.schema import replies
from lammer.floor.viewing import Viewer, event_seen
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table.commands import Call
from lammer.table.journal import Entry
from lammer.table.play import decide

log = logging.getLogger("lammer.floor")

KEYS_REMEMBERED = 100_000
"""Keys of a table looked up in memory; an older one is still known to the record."""

Forward = Callable[[str, str, Asked, "Agreed | None"], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Agreed:
    """The second person."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of day for the record, and a steady one for leases; tests hand in their own."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    steady: Callable[[], float] = time.monotonic


class House:
    """Tables, and whoever watches them."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        books: Mapping[str, Rulebook],
        *,
        clock: Clock | None = None,
        owner: str = "",
        forward: Forward | None = None,
    ) -> None:
        self.settings, self.store, self.books = settings, store, books
        self.clock = clock or Clock()
        self.owner, self.forward = owner, forward
        self.registry, self.approvals = Registry(store), Approvals(store)
        self.live = Live()
        self.listed: dict[str, Listed] = {}
        self.hosted: dict[str, Hosted] = {}
        self.taken: set[str] = set()
        self.on_taken: list[Callable[[Listed], None]] = []
        self.on_lost: list[Callable[[str], None]] = []
        self.stop_following: Callable[[], None] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    @property
    def solo(self) -> bool:
        """Whether this process is alone with its record and needs no leases."""
        return not self.owner

    async def open(self) -> None:
        """Bring every table back as it was; a round that was under way comes back interrupted."""
        self.loop = asyncio.get_running_loop()
        for listed in await asyncio.to_thread(self.registry.all):
            await self.host(listed)
        if not self.solo:
            self.stop_following = self.store.follow(self._heard)

    async def close(self) -> None:
        """End the streams and let go of the tables; what was acknowledged is on disk already."""
        self.live.close()
        if self.stop_following is not None:
            self.stop_following()
        for name in list(self.taken):
            epoch = self.hosted[name].epoch
            if epoch is not None:
                with suppress(Refused):
                    await asyncio.to_thread(self.store.release, name, self.owner, epoch)

    async def host(self, listed: Listed) -> Hosted:
        """Read a table in, and take it if nobody holds it."""
        table, number, at = await asyncio.to_thread(read_back, self.store, self.books, listed.id)
        hosted = Hosted(listed.id, table, self.store, self.books, self.live.publish, number, number, number)
        hosted.at = at
        hosted.keys = await asyncio.to_thread(self._recent_keys, listed.id)
        self.listed[listed.id], self.hosted[listed.id] = listed, hosted
        await self.take(listed.id)
        return hosted

    def _recent_keys(self, name: str) -> set[tuple[str, str]]:
        newest = (
            select(replies.c.client, replies.c.key)
            .where(replies.c.table_id == name)
            .order_by(replies.c.written_at.desc())
            .limit(KEYS_REMEMBERED)
        )
        with self.store.reading() as connection:
            return {(row.client, row.key) for row in connection.execute(newest)}

    async def take(self, name: str) -> bool:
        """Hold a table if nobody else does; then what happened meanwhile is read and told."""
        hosted = self.hosted[name]
        if name in self.taken:
            return True
        if not self.solo:
            seconds = self.settings.lease_seconds
            epoch = await asyncio.to_thread(self.store.take, name, self.owner, seconds)
            if epoch is None:
                return False
            hosted.epoch = epoch
            await hosted.catch_up()
            hosted.keys = await asyncio.to_thread(self._recent_keys, name)
        self.taken.add(name)
        returned(hosted, self.clock.now())
        for taken in self.on_taken:
            taken(self.listed[name])
        return True

    def lose(self, name: str) -> None:
        """Another process holds the table now; here it is only followed."""
        self.taken.discard(name)
        self.hosted[name].epoch = None
        for lost in self.on_lost:
            lost(name)

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

    async def must_hold(self, name: str) -> None:
        """This process decides for the table, or `table_held_elsewhere`."""
        if name not in self.taken and not await self.take(name):
            raise Refused(
                "table_held_elsewhere",
                f"Table {name} is held by another process.",
                next_step="Send the request to that one, or again in a moment.",
            )
        if self.hosted[name].broken is not None:
            await self.hosted[name].mend()

    async def ask(
        self, name: str, asked: Asked, agreed: Agreed | None = None, *, hand_on: bool = True
    ) -> bytes:
        """Decide a request, here or where the table is held, and answer when it is on disk.

        What needs two people waits, unless the second is `agreed`; then both must have the right to it.
        """
        hosted = self.at(name)
        if name not in self.taken and not await self.take(name):
            return await self._elsewhere(name, asked, agreed, hand_on)
        if hosted.broken is not None:
            await hosted.mend()
        key = asked.known_key
        if key is not None and (key.client, key.key) in hosted.keys:
            known = await asyncio.to_thread(self.store.recall, key)
            if known is not None:
                return known.reply
        made = command(hosted.table, asked)
        must_have_chips(hosted.table, made, self.settings.chips * 100)
        at = hosted.moment(self.clock.now())
        call = Call(asked.by, asked.role, at, made)
        if needs_two(made):
            decide(hosted.table, call)
            if agreed is None:
                return await self._propose(name, asked, at)
            decide(hosted.table, replace(call, by=agreed.name, role=agreed.role))
            call = replace(call, by=f"{asked.by} and {agreed.name}")
        viewer = Viewer(asked.by, asked.role)

        def reply(entries: tuple[Entry, ...]) -> bytes:
            return replied(hosted, entries, viewer)

        entries, future = hosted.decided(call, key, reply)
        if future is None:
            return reply(entries)
        try:
            done = await asyncio.wrap_future(future)
        except Fenced:
            self.lose(name)
            return await self._elsewhere(name, asked, agreed, hand_on)
        except (Conflict, StoreUnavailable) as refused:
            raise StoreUnavailable(refused.sentence) from None
        return done.reply if done.repeat or key is not None else reply(entries)

    async def _propose(self, name: str, asked: Asked, at: datetime) -> bytes:
        waiting = await asyncio.to_thread(self.approvals.propose, name, asked, at)
        return msgspec.json.encode({"table": name, "waiting": waiting.id, "events": []})

    async def agree(self, name: str, number: str, second: Agreed) -> bytes:
        """A second person agrees; only then is it asked of the table."""
        proposal = await asyncio.to_thread(self.approvals.find, name, number)
        must_be_another(proposal, second.name)
        reply = await self.ask(name, proposal.asked, second)
        await asyncio.to_thread(self.approvals.decide, proposal, second.name, "agreed", self.clock.now())
        return reply

    async def decline(self, name: str, number: str, second: Agreed) -> None:
        """A second person, or whoever asked, says no."""
        proposal = await asyncio.to_thread(self.approvals.find, name, number)
        if proposal.stands != "waiting":
            must_be_another(proposal, second.name)
        await asyncio.to_thread(self.approvals.decide, proposal, second.name, "declined", self.clock.now())

    async def _elsewhere(self, name: str, asked: Asked, agreed: Agreed | None, hand_on: bool) -> bytes:
        lease = (await asyncio.to_thread(self.store.leases)).get(name)
        if not hand_on or self.forward is None or lease is None or lease.owner == self.owner:
            raise Refused(
                "table_held_elsewhere",
                f"Table {name} is between two processes.",
                next_step="Send the request again in a moment.",
            )
        return await self.forward(lease.owner, name, asked, agreed)

    def _heard(self, name: str, number: int) -> None:
        """Another process wrote; called from the store's own thread."""
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self._follow, name, number)

    def _follow(self, name: str, number: int) -> None:
        hosted = self.hosted.get(name)
        if hosted is not None and name not in self.taken and number > hosted.durable:
            task = asyncio.ensure_future(hosted.catch_up())
            hosted.following = task

    async def keep_leases(self) -> None:
        """Renew what is held, take what has become free, until cancelled."""
        while True:
            await asyncio.sleep(self.settings.lease_seconds / 3)
            try:
                kept = await asyncio.to_thread(self.store.renew, self.owner, self.settings.lease_seconds)
                for name in list(self.taken):
                    if name not in kept:
                        self.lose(name)
                for listed in await asyncio.to_thread(self.registry.all):
                    if listed.id not in self.hosted:
                        await self.host(listed)
                    elif listed.id not in self.taken:
                        await self.take(listed.id)
            except Refused as refused:
                log.warning("leases: %s", refused.sentence)


def replied(hosted: Hosted, entries: tuple[Entry, ...], viewer: Viewer) -> bytes:
    """What a request came to, as its asker may see it."""
    seen = [event for entry in entries if (event := event_seen(hosted.table, entry, viewer)) is not None]
    last = entries[-1].number if entries else hosted.number
    return msgspec.json.encode({"table": hosted.id, "version": last, "events": seen})
