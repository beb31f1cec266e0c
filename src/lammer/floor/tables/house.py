"""The house: the tables of this process, and the parts that answer for them, put together."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Final

from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Store, StoreUnavailable
from lammer.floor.record.monotonic_clock import microseconds
from lammer.floor.record.purses import Purses
from lammer.floor.settings import Settings
from lammer.floor.tables.approval_handler import ApprovalHandler
from lammer.floor.tables.approvals import Approvals
from lammer.floor.tables.beacon import Beacon
from lammer.floor.tables.command_handler import CommandHandler, Forward
from lammer.floor.tables.kept_rulebooks import KeptRulebooks
from lammer.floor.tables.ownership import TableOwnership
from lammer.floor.tables.players_leave import PlayerLogins
from lammer.floor.tables.program_watch import ProgramWatch
from lammer.floor.tables.shuffle import Draw
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import Viewer
from lammer.rulebook.model import Rulebook
from lammer.shelf import KEPT
from lammer.table.ledger import purse as purse_account

PURSE_TRIES: Final = 100
UNTIL_TOLD_SECONDS: Final = 0.005
"""How long a view is given to hear of what the record holds, each time."""


class House:
    """The parts by their names.

    `tables` says which process decides for which table, `commands` has them decide; `approvals` keeps what
    waits for a second person, and `approval_handler` takes what that person says.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        books: Mapping[str, Rulebook],
        *,
        clock: Clock | None = None,
        owner: str = "",
        forward: Forward | None = None,
        draw: Draw = os.urandom,
    ) -> None:
        self.store, self.clock = store, clock or Clock()
        self.kept_rulebooks = KeptRulebooks(
            store, settings.folder / KEPT, books, lambda: microseconds(self.clock.now())
        )
        self.books = self.kept_rulebooks.books
        self.tables = TableOwnership(settings, store, self.books, self.clock, owner)
        self.registry, self.live = self.tables.registry, self.tables.live
        self.switch = self.tables.switch
        self.program = ProgramWatch(settings, store, self.books, self.clock, self.switch)
        self.purses = Purses(store, settings.chips * 100)
        self.logins = PlayerLogins(store, self.clock.steady)
        self.approvals = Approvals(store)
        self.commands = CommandHandler(
            self.tables, self.purses, self.logins, self.approvals, forward, draw,
            two_to_close=settings.two_to_close, shuffle_seconds=settings.shuffle_seconds,
            beacon=Beacon(settings.beacon) if settings.beacon else None,
        )  # fmt: skip
        self.approval_handler = ApprovalHandler(self.commands, self.approvals)

    async def purse_of(self, viewer: Viewer, *beside: DurableView) -> int | None:
        """What is in somebody's purse by the record, in cents, without the chips that lie at tables.

        It goes with what these views show when the answer comes: chips on their way between the purse and one
        of them are counted in one place, never in both or in neither. None where they have no purse, or where
        it cannot be read just now.
        """
        if viewer.role != "player" or not self.purses.counted:
            return None
        names, moved = [view.id for view in beside], purse_account(viewer.name)
        for _ in range(PURSE_TRIES):
            before = [view.table.accounts.get(moved, 0) for view in beside]
            try:
                purse, numbers = await asyncio.to_thread(self.purses.holds_at, viewer.name, names)
            except StoreUnavailable:
                return None
            # The record is ahead of a view until what was written there has been told to it.
            if any(view.number < number for view, number in zip(beside, numbers, strict=True)):
                await asyncio.sleep(UNTIL_TOLD_SECONDS)
            elif before == [view.table.accounts.get(moved, 0) for view in beside]:
                return purse
        return None
