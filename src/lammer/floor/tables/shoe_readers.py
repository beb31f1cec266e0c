"""What becomes of a shoe reader's card at a table of the house.

How far a table has read its shoe follows from its events, so nothing is kept but in memory; a table that
comes back has its events read backwards to the start of the shoe.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

import msgspec

from lammer.floor.record.contract import Conflict
from lammer.floor.record.past import backwards
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.tables.command_request import ForwardedRequest
from lammer.floor.tables.house import House
from lammer.floor.tables.live_table import LiveTable
from lammer.floor.tables.shoe_feed import CardScan, Feed, ScanOutcome, feed_of, read
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import Viewer, event_seen
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

    def follow(self, view: DurableView, revealed_events: tuple[RevealedEvent, ...]) -> None:
        """Fold what was written into the feed, where one is kept."""
        known = self.feeds.get(view.id)
        if known is None:
            return
        feed, number = known
        for revealed in revealed_events:
            if revealed.number > number:
                feed.follow(revealed.entry.event)
        self.feeds[view.id] = feed, max(number, revealed_events[-1].number)

    async def feed(self, live_table: LiveTable) -> Feed:
        """The feed of a table, up to what is on disk."""
        while True:
            known = self.feeds.get(live_table.id)
            if known is not None and known[1] >= live_table.durable:
                return known[0]
            at = live_table.durable
            feed = await asyncio.to_thread(_feed_back, live_table, at)
            self.feeds[live_table.id] = feed, at

    async def _complete_feed(self, live_table: LiveTable) -> Feed:
        """The feed with all that was decided: what people do at the same moment it hears of from the disk.

        Bets may pour in faster than that; a feed that lacks a card as well is refused by `read`.
        """
        for _ in range(PATIENCE):
            await live_table.ready(self.house.clock.now)
            await live_table.on_disk(live_table.number)
            feed = await self.feed(live_table)
            if self.feeds[live_table.id][1] >= live_table.number:
                break
        return feed

    async def take(self, table: str, key: str, scan: CardScan, *, hand_on: bool = True) -> bytes:
        """A card a reader sends: dealt, acknowledged again, or the irregularity the rules name."""
        live_table = await self.house.tables.find(table)
        take = partial(self._take, live_table, key, scan)
        forwarded = partial(ForwardedRequest, table, scan=scan, key=key)
        return await self.house.commands.ask_holder(live_table, take, forwarded, hand_on=hand_on)

    async def _take(self, live_table: LiveTable, key: str, scan: CardScan) -> bytes:
        async with live_table.scan_lock:
            feed = await self._complete_feed(live_table)
            if not (live_table.sound and live_table.held):
                raise Conflict(live_table.id, live_table.number, live_table.durable)
            self.house.switch.must_go_on(live_table.id)
            outcome = read(live_table.must_decide(), feed, scan)
            if outcome.command is None:
                return _answer(outcome, (), live_table.number)
            now = live_table.moment(self.house.clock.now())
            call = Call(f"reader {key}", "dealer", now, outcome.command)
            events = live_table.decide(call)
            before = live_table.number
            return await asyncio.shield(
                live_table.record(
                    call, events, None, lambda revealed_events: _answer(outcome, revealed_events, before)
                )
            )


def _answer(outcome: ScanOutcome, revealed_events: tuple[RevealedEvent, ...], before: int) -> bytes:
    cite, viewer = outcome.cite, Viewer("", "dealer")
    answer: dict[str, Any] = {
        "kind": outcome.kind,
        "sentence": outcome.sentence,
        "irregularity": outcome.irregularity,
        "citation": {"rulebook": cite.rulebook, "paragraph": cite.paragraph} if cite else None,
        "next": outcome.next_step,
        "version": revealed_events[-1].number if revealed_events else before,
        "events": [
            shown for revealed in revealed_events if (shown := event_seen(revealed, viewer)) is not None
        ],
    }
    return msgspec.json.encode(answer)


def _feed_back(live_table: LiveTable, number: int) -> Feed:
    stored_events = backwards(live_table.store, live_table.id, number)
    return feed_of(decode(stored.body).event for stored in stored_events)
