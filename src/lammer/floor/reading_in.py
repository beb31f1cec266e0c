"""What becomes of a shoe reader's card at a table of the house.

How far a table has read its shoe follows from its events, so nothing is kept but in memory; a table that
comes back has its events read backwards to the start of the shoe.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec

from lammer.floor.asking import HandedOn
from lammer.floor.durable import DurableView
from lammer.floor.hosted import Hosted
from lammer.floor.house import TRIES, House, Unreached
from lammer.floor.past import backwards
from lammer.floor.reader import Feed, Outcome, Reading, feed_of, read
from lammer.floor.store.contract import Conflict, Fenced, StoreUnavailable
from lammer.floor.viewing import Told, Viewer, event_seen
from lammer.table.commands import Call
from lammer.table.journal import decode

PATIENCE: Final = 20
"""Commits a reading waits for while others go on deciding."""


class Readers:
    """The feeds of the tables whose shoes are read."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.feeds: dict[str, tuple[Feed, int]] = {}
        house.live.listeners.append(self.follow)

    def follow(self, view: DurableView, made: tuple[Told, ...]) -> None:
        """Fold what was written into the feed, where one is kept."""
        known = self.feeds.get(view.id)
        if known is None:
            return
        feed, number = known
        for each in made:
            if each.number > number:
                feed.follow(each.entry.event)
        self.feeds[view.id] = feed, max(number, made[-1].number)

    async def feed(self, hosted: Hosted) -> Feed:
        """The feed of a table, up to what is on disk."""
        while True:
            known = self.feeds.get(hosted.id)
            if known is not None and known[1] >= hosted.durable:
                return known[0]
            at = hosted.durable
            made = await asyncio.to_thread(_feed_back, hosted, at)
            self.feeds[hosted.id] = made, at

    async def _heard(self, hosted: Hosted) -> Feed:
        """The feed with all that was decided: what people do at the same moment it hears of from the disk.

        Bets may pour in faster than that; a feed that lacks a card as well is refused by `read`.
        """
        for _ in range(PATIENCE):
            while not hosted.sound:
                await hosted.ready(self.house.clock.now)
            await hosted.on_disk(hosted.number)
            feed = await self.feed(hosted)
            if self.feeds[hosted.id][1] >= hosted.number:
                break
        return feed

    async def take(self, table: str, key: str, reading: Reading, *, hand_on: bool = True) -> bytes:
        """A card a reader sends: dealt, acknowledged again, or the irregularity the rules name."""
        hosted = await self.house.find(table)
        for _ in range(TRIES):
            try:
                if await self.house.holds(hosted):
                    return await self._taken(hosted, key, reading)
                handed = HandedOn(table, reading=reading, key=key)
                return await self.house.elsewhere(hosted, handed, hand_on=hand_on)
            except Conflict:
                continue
            except Fenced:
                self.house.lose(hosted)
            except Unreached:
                if not await self.house.take(hosted):
                    raise
        raise StoreUnavailable(f"table {table} changes hands")

    async def _taken(self, hosted: Hosted, key: str, reading: Reading) -> bytes:
        async with hosted.turn:
            feed = await self._heard(hosted)
            if not (hosted.sound and hosted.held):
                raise Conflict(hosted.id, hosted.number, hosted.durable)
            outcome = read(hosted.must_decide(), feed, reading)
            if outcome.command is None:
                return _told(outcome, (), hosted.number)
            now = hosted.moment(self.house.clock.now())
            call = Call(f"reader {key}", "dealer", now, outcome.command)
            events = hosted.decide(call)
            before = hosted.number
            return await asyncio.shield(
                hosted.record(call, events, None, lambda made: _told(outcome, made, before))
            )


def _told(outcome: Outcome, made: tuple[Told, ...], before: int) -> bytes:
    cite, viewer = outcome.cite, Viewer("", "dealer")
    answer: dict[str, Any] = {
        "kind": outcome.kind,
        "sentence": outcome.sentence,
        "irregularity": outcome.irregularity,
        "citation": {"rulebook": cite.rulebook, "paragraph": cite.paragraph} if cite else None,
        "next": outcome.next_step,
        "version": made[-1].number if made else before,
        "events": [seen for each in made if (seen := event_seen(each, viewer)) is not None],
    }
    return msgspec.json.encode(answer)


def _feed_back(hosted: Hosted, number: int) -> Feed:
    found = backwards(hosted.store, hosted.id, number)
    return feed_of(decode(stored.body).event for stored in found)
