"""The virtual dealer: runs the rounds of an auto-dealt table on a clock, by the same commands as any dealer.

It has no rights of its own and decides nothing: where the rules need a person, it waits for one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from lammer.floor.asking import Asked
from lammer.floor.house import House
from lammer.floor.registry import Listed, Pace
from lammer.rulebook.refusal import Refused
from lammer.table.state import OVER, Table

log = logging.getLogger("lammer.floor")

NAME = "virtual dealer"
WAITING = 1.0
"""Seconds between looks at a table that waits for a person."""

Sleep = Callable[[float], Awaitable[None]]


class VirtualDealer:
    """The dealer of one table; told to finish, it ends the round it is in and stops."""

    def __init__(self, house: House, listed: Listed, sleep: Sleep = asyncio.sleep) -> None:
        assert listed.pace is not None
        self.house, self.name, self.pace, self.sleep = house, listed.id, listed.pace, sleep
        self.finishing = False

    @property
    def table(self) -> Table:
        return self.house.at(self.name).table

    async def run(self) -> None:
        """Deal round after round until told to finish."""
        while not self.finishing:
            try:
                if self._waits():
                    await self.sleep(WAITING)
                else:
                    await self._round()
            except Refused as refused:
                log.info("table %s: %s", self.name, refused)
                await self.sleep(WAITING)

    def _waits(self) -> bool:
        """Whether a person has to act first: set the table up, resolve an interruption, answer options."""
        table = self.table
        if table.setup is None:
            return True
        here = table.round
        return here is not None and here.phase not in OVER and (here.interrupted or here.options is not None)

    async def _do(self, do: str) -> None:
        await self.house.ask(self.name, Asked(NAME, "dealer", do))

    async def _round(self) -> None:
        table, pace = self.table, self.pace
        here = table.round
        if here is None or here.phase in OVER:
            if table.shoe is not None and table.last_of_shoe:
                await self._do("end_shoe")
            if self.table.shoe is None:
                await self._do("prepare_shoe")
            await self._do("open_bets")
        if self.table.under_way().phase == "betting":
            await self._pause(pace.betting)
            await self._do("close_bets")
        await self._cards(pace)
        if not self._waits() and self.table.under_way().phase == "dealing":
            await self._do("settle")
        await self._pause(pace.between)

    async def _cards(self, pace: Pace) -> None:
        """Deal until the round needs no card, giving Insurance its time in every window."""
        while not self._waits() and self.table.under_way().phase == "dealing":
            if self.table.under_way().withdrawal:
                await self._pause(pace.window)
                await self._do("close_withdrawal")
                continue
            if self.table.next_hand() is None:
                return
            if self.table.under_way().window is not None:
                await self._pause(pace.window)
            await self._do("deal_card")
            await self._pause(pace.card)

    async def _pause(self, seconds: float) -> None:
        if not self.finishing:
            await self.sleep(seconds)
