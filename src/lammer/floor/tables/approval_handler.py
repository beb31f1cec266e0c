"""A second person answers: what waits is agreed to and happens now, or is declined and never does."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Final

from lammer.floor.tables.approvals import Approvals, Proposal, must_be_another
from lammer.floor.tables.command_handler import CommandHandler
from lammer.floor.tables.command_request import decode_command
from lammer.floor.tables.two_people import SecondPerson
from lammer.rulebook.refusal import Refused
from lammer.table.commands import Call
from lammer.table.play import decide

log = logging.getLogger("lammer.floor")

SWEEP_SECONDS: Final = 60.0
"""Seconds after which an agreement that came to nothing is taken back."""


class ApprovalHandler:
    """Takes the answers of second people, and has the table do what both agree on."""

    def __init__(self, commands: CommandHandler, approvals: Approvals) -> None:
        self.commands, self.approvals = commands, approvals

    async def agree(self, name: str, number: str, second: SecondPerson) -> bytes:
        """A second person agrees; it happens now, once, and whoever is later cannot decline it."""
        proposal = await asyncio.to_thread(self.approvals.find, name, number)
        must_be_another(proposal, second.name)
        await self._must_have_authority(proposal, second)
        await asyncio.to_thread(self.approvals.must_still_be, proposal)
        await asyncio.to_thread(self.approvals.claim, proposal, second.name, self.commands.clock.now())
        try:
            return await self.commands.ask(name, proposal.asked, replace(second, stood=proposal.stood))
        except Refused as refused:
            # It did not happen; but where the record was lost on the way nobody knows, and it is asked again.
            if refused.code != "store_unavailable":
                await asyncio.to_thread(self.approvals.reopen, proposal)
            raise

    async def decline(self, name: str, number: str, second: SecondPerson) -> Proposal:
        """Whoever could agree, or asked for it themselves, says no; it never happens."""
        proposal = await asyncio.to_thread(self.approvals.find, name, number)
        if second.name != proposal.by:
            await self._must_have_authority(proposal, second)
        await asyncio.to_thread(self.approvals.decline, proposal, second.name, self.commands.clock.now())
        return await asyncio.to_thread(self.approvals.find, name, number)

    async def _must_have_authority(self, proposal: Proposal, second: SecondPerson) -> None:
        """Refuse whoever could not have asked for it themselves; whether it can be done now is not asked."""
        view = await self.commands.tables.seen(proposal.table)
        command = decode_command(view.table, proposal.asked)
        try:
            decide(view.table, Call(second.name, second.role, self.commands.clock.now(), command))
        except Refused as refused:
            if refused.code == "not_your_role":
                raise

    async def sweep(self) -> None:
        """Take back agreements that came to nothing because a process died, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await asyncio.to_thread(
                    self.approvals.reopen_abandoned, self.commands.clock.now(), SWEEP_SECONDS
                )
            except Refused as refused:
                log.warning("abandoned approvals could not be reopened: %s", refused.sentence)
            except Exception:
                log.exception("abandoned approvals could not be reopened")
