"""What becomes of a shoe reader's card at a table of the house.

How far a table has read its shoe follows from its events, so nothing is kept but in memory; a table that
comes back has its events read backwards to the start of the shoe.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec

from lammer.floor.hosted import PAGE, Hosted
from lammer.floor.house import House, replied
from lammer.floor.reader import Feed, Outcome, Reading, feed_of, read
from lammer.floor.viewing import Viewer
from lammer.table import events as e
from lammer.table.commands import Call
from lammer.table.journal import Entry, decode


class Readers:
    """The feeds of the tables whose shoes are read."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.feeds: dict[str, tuple[Feed, int]] = {}
        house.live.listeners.append(self.follow)

    def follow(self, hosted: Hosted, made: tuple[Entry, ...]) -> None:
        """Fold what was written into the feed, where one is kept."""
        known = self.feeds.get(hosted.id)
        if known is None:
            return
        feed, number = known
        for entry in made:
            if entry.number > number:
                feed.follow(entry.event)
        self.feeds[hosted.id] = feed, max(number, made[-1].number)

    async def feed(self, hosted: Hosted) -> Feed:
        """The feed of a table, up to what has been decided."""
        known = self.feeds.get(hosted.id)
        if known is None or known[1] < hosted.durable:
            at = hosted.durable
            made = await asyncio.to_thread(lambda: feed_of(_backwards(hosted, at)))
            self.feeds[hosted.id] = known = (made, at)
        return known[0]

    async def take(self, table: str, key: str, reading: Reading) -> dict[str, Any]:
        """A card a reader sends: dealt, acknowledged again, or the irregularity the rules name."""
        hosted = self.house.at(table)
        await self.house.must_hold(table)
        async with hosted.turn:
            feed = await self.feed(hosted)
            outcome = read(hosted.table, feed, reading)
            if outcome.command is None:
                return _told(outcome, [])
            call = Call(f"reader {key}", "dealer", hosted.moment(self.house.clock.now()), outcome.command)
            entries, future = hosted.decided(call)
            if future is not None:
                await asyncio.wrap_future(future)
            seen = msgspec.json.decode(replied(hosted, entries, Viewer(key, "dealer")))
            return _told(outcome, seen["events"])


def _told(outcome: Outcome, events: list[dict[str, Any]]) -> dict[str, Any]:
    cite = outcome.cite
    return {
        "kind": outcome.kind,
        "sentence": outcome.sentence,
        "irregularity": outcome.irregularity,
        "citation": {"rulebook": cite.rulebook, "paragraph": cite.paragraph} if cite else None,
        "next": outcome.next_step,
        "events": events,
    }


def _backwards(hosted: Hosted, number: int) -> Iterator[e.Event]:
    while number > 0:
        start = max(0, number - PAGE)
        for stored in reversed(hosted.store.read(hosted.id, start, number - start)):
            yield decode(stored.body).event
        number = start
