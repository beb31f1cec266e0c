"""The house's watch over its own program: at the start, once a day while it is open, and when asked.

What is found is compared with what was accepted; a difference is logged, written down and shown, before a
table opens, and stops all gaming where the house is set so. A person accepts a changed program by starting
the house with `--program-is-right`. What runs in memory is not looked at: files are.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from lammer.floor.access.at_the_machine import machine_user
from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Store
from lammer.floor.record.manifest import (
    Difference,
    Manifest,
    compare,
    manifest_now,
    read_manifest,
    sign_manifest,
)
from lammer.floor.record.programs import Program, differences_to, latest, note_program
from lammer.floor.record.signing_key import house_key
from lammer.floor.settings import Settings
from lammer.floor.tables.stop_switch import HOUSE, StopSwitch
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import KEPT

log = logging.getLogger("lammer.floor")

CHECK_SECONDS: Final = 24 * 60 * 60.0
"""Seconds between two looks at the files while the house is open."""
TOLD: Final = 20
"""So many differences are written into the log one by one."""
REASON: Final = "The program is not the one that was accepted."
"""Why the house itself stops gaming."""


class ProgramWatch:
    """What is known of the program: the differences found last, and when that was."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        books: Mapping[str, Rulebook],
        clock: Clock,
        switch: StopSwitch,
    ) -> None:
        self.settings, self.store, self.books = settings, store, books
        self.clock, self.switch = clock, switch
        self.differences: tuple[Difference, ...] = ()
        self.checked_at: datetime | None = None
        self.sha256 = ""
        self._turn = asyncio.Lock()

    async def check(self, *, is_right: bool = False) -> tuple[Difference, ...]:
        """Look at every file now; with `is_right` a person says that what is found is what should run."""
        async with self._turn:
            self.differences = await asyncio.to_thread(self._check, is_right)
            self.checked_at = self.clock.now()
        if is_right:
            await self.switch.look()
            for stop in tuple(self.switch.standing.values()):
                if stop.cause:
                    await self.switch.end(stop.number, by=machine_user(), role="")
        elif self.differences and self.settings.changed_program == "stop":
            await self._stop()
        return self.differences

    async def _stop(self) -> None:
        """Stop all gaming for this program; whoever has ended that very stop has decided already."""
        cause = await asyncio.to_thread(self._cause)
        if not await asyncio.to_thread(self.switch.stops.of_cause, cause):
            await self.switch.stop("", REASON, by=HOUSE, role="", cause=cause)

    async def accept_rulebook(self, book: Rulebook, by: str) -> None:
        """A rulebook the house itself has just kept belongs to the program from now on."""
        async with self._turn:
            await asyncio.to_thread(self._accept_rulebook, book, by)

    async def keep_checking(self) -> None:
        """Look once a day, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.check()
            except Refused as refused:
                log.error("the program could not be checked: %s", refused.sentence)

    def _cause(self) -> str:
        """What a stop is for: this program, beside the one that was accepted then."""
        accepted = latest(self.store, "accepted")
        return f"{accepted.number if accepted else 0}.{self.sha256}"

    def _check(self, is_right: bool) -> tuple[Difference, ...]:
        key = house_key(self.settings.folder)
        found = self._found()
        self.sha256 = found.sha256
        contents, now = sign_manifest(found, key), self.clock.now()
        accepted = latest(self.store, "accepted")
        if accepted is None:
            note_program(self.store, contents, "accepted", by=machine_user(), at=now)
            log.info("the program is accepted as it is found: build %s", found.build[:12])
            return ()
        differences = differences_to(accepted, found, (key.public_key().public_bytes_raw(),))
        if not differences:
            return ()
        if is_right:
            by = machine_user()
            note_program(self.store, contents, "accepted", by=by, at=now, differences=differences)
            log.warning("a changed program is accepted (--program-is-right): build %s", found.build[:12])
            return ()
        note_program(self.store, contents, "differs", by=HOUSE, at=now, differences=differences)
        _log_differences(accepted, differences)
        return tuple(differences)

    def _found(self) -> Manifest:
        own: list[str | Path] = [self.settings.rulebooks, self.settings.folder / KEPT]
        return manifest_now(self.books, own)

    def _accept_rulebook(self, book: Rulebook, by: str) -> None:
        accepted = latest(self.store, "accepted")
        if accepted is None:
            return
        before = read_manifest(accepted.contents)
        manifest = before.with_rulebook(book)
        if manifest == before:
            return
        contents = sign_manifest(manifest, house_key(self.settings.folder))
        added = compare(before, manifest)
        note_program(self.store, contents, "accepted", by=by, at=self.clock.now(), differences=added)


def _log_differences(accepted: Program, differences: list[Difference]) -> None:
    log.error(
        "the program is not the one that was accepted at %s: %s differences. If it is right, start once with"
        " --program-is-right",
        accepted.at.isoformat(),
        len(differences),
    )
    for difference in differences[:TOLD]:
        log.error("the program: %s", difference.phrase)
