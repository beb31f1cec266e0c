"""The house: the tables of this process, and the parts that answer for them, put together."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping

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
from lammer.floor.views.viewing import Viewer
from lammer.rulebook.model import Rulebook
from lammer.shelf import KEPT
from lammer.table.ledger import player as account_of


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

    async def purse_of(self, viewer: Viewer) -> int | None:
        """What is in somebody's purse by the record, in cents, without the chips that lie at tables.

        None where they have no purse, or where it cannot be read just now.
        """
        if viewer.role != "player" or not self.purses.counted:
            return None
        try:
            return await asyncio.to_thread(self.purses.holds, viewer.name)
        except StoreUnavailable:
            return None

    def lying(self, player: str) -> dict[str, int]:
        """The tables at which chips of a player lie, with their cents; those on the felt not counted."""
        account, tables = account_of(player), self.tables.live_tables.items()
        lying = {name: live_table.view.table.accounts.get(account, 0) for name, live_table in tables}
        return {name: cents for name, cents in lying.items() if cents}
