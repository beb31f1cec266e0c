"""The switch that stops gaming: for the whole house or for one table, at once, until somebody ends it.

While gaming is stopped nothing that moves the game or money is taken, whoever asks; what lies on the felt
stays, and afterwards the round goes on where it was. What stands is in the record, so it survives a restart
and holds in every process of the house. This module knows what stands, not why a command is asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from lammer.floor.record.clock import Clock
from lammer.floor.record.contract import Store
from lammer.floor.record.stops import Stop, Stops, begin_stop, end_stop, must_be_reason
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES

log = logging.getLogger("lammer.floor")

LOOK_SECONDS: Final = 1.0
"""Seconds between two looks at the record, for what another process's word did not reach this one about."""
TAKEN_ALL_THE_SAME: Final = frozenset(("call_pit", "answer_pit_call"))
"""Commands that move neither the game nor money."""
STOPS_A_TABLE: Final = ROLES[ROLES.index("pit_supervisor") :]
STOPS_THE_HOUSE: Final = (*ROLES[ROLES.index("pit_manager") :], "administrator")
ENDS: Final = ROLES[ROLES.index("pit_manager") :]
"""Who may end a stop, of a table or of the house."""
HOUSE: Final = "the house"
"""Who stops gaming where no person did; no account can be called that."""


class StopSwitch:
    """What stands now, as far as this process knows; `any` is all a command looks at while nothing stands."""

    def __init__(self, store: Store, clock: Clock, *, shared: bool = False) -> None:
        self.store, self.clock, self.shared = store, clock, shared
        self.stops = Stops(store)
        self.standing: dict[str, Stop] = {}
        self.any = False
        self.changed: list[Callable[[], None]] = []
        self._turn = asyncio.Lock()
        self._in_doubt = False
        self._hearing: asyncio.Task[None] | None = None

    def of(self, table: str) -> Stop | None:
        """The stop that holds at a table: that of the house, or its own."""
        return self.standing.get("") or self.standing.get(table)

    def must_go_on(self, table: str, do: str = "") -> None:
        """Refuse what would move the game or money where gaming is stopped."""
        stop = self.of(table)
        if stop is None or do in TAKEN_ALL_THE_SAME:
            return
        if stop.table:
            raise Refused(
                "gaming_stopped",
                "Gaming at table {table} is stopped; what lies on the felt stays where it is.",
                next_step="A Pit Manager or above ends the stop.",
                table=table,
            )
        raise Refused(
            "gaming_stopped",
            "All gaming in this house is stopped; what lies on the felt stays where it is.",
            next_step="A Pit Manager or above ends the stop.",
        )

    async def stop(self, table: str, reason: str, *, by: str, role: str, cause: str = "") -> Stop:
        """Stop a table, or with no name all gaming: it holds at once, and is on disk when this returns."""
        line, at = must_be_reason(reason), self.clock.now()
        async with self._turn:
            if table not in self.standing:
                # It holds before it is written: what is asked meanwhile is not decided any more.
                self._show({**self.standing, table: Stop(0, table, line, by, role, at, cause)})
            write = partial(begin_stop, self.store, table, line, by=by, role=role, at=at, cause=cause)
            try:
                stop = await asyncio.to_thread(write)
            except Refused:
                self._in_doubt = True
                raise
            await self._read()
        where = f"table {table}" if table else "the whole house"
        log.warning("gaming is stopped in %s by a %s (stop %s)", where, role, stop.number)
        return stop

    async def end(self, number: int, *, by: str, role: str) -> Stop:
        """End a stop; the game goes on where it was."""
        write = partial(end_stop, self.store, number, by=by, role=role, at=self.clock.now())
        async with self._turn:
            stop = await asyncio.to_thread(write)
            await self._read()
        where = f"table {stop.table}" if stop.table else "the whole house"
        log.warning("gaming goes on in %s: a %s ended stop %s", where, role, number)
        return stop

    async def look(self) -> None:
        """Read what stands by the record."""
        async with self._turn:
            await self._read()

    def hear(self) -> None:
        """Another process says that something has changed."""
        self._hearing = asyncio.ensure_future(self._look_at_word())

    async def _look_at_word(self) -> None:
        try:
            await self.look()
        except Refused as refused:
            self._in_doubt = True
            log.warning("stops of gaming could not be read: %s", refused.sentence)

    async def keep_looking(self) -> None:
        """Look now and then at what other processes wrote, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self.shared or self._in_doubt:
                await self._look_at_word()

    async def _read(self) -> None:
        standing = await asyncio.to_thread(self.stops.standing)
        self._in_doubt = False
        self._show({stop.table: stop for stop in reversed(standing)})

    def _show(self, standing: dict[str, Stop]) -> None:
        if standing == self.standing:
            return
        self.standing, self.any = standing, bool(standing)
        for callback in self.changed:
            callback()


def must_be_allowed_to_stop(role: str, table: str) -> None:
    """Refuse whoever may not stop a table, or with no name the whole house.

    >>> must_be_allowed_to_stop("pit_supervisor", "t1")
    >>> must_be_allowed_to_stop("pit_supervisor", "")
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused not_your_role: Stopping all gaming takes a Pit Manager ...
    """
    if role in (STOPS_A_TABLE if table else STOPS_THE_HOUSE):
        return
    if table:
        raise Refused(
            "not_your_role", "Stopping a table takes a Pit Supervisor or above.", next_step="Call the pit."
        )
    raise Refused(
        "not_your_role",
        "Stopping all gaming takes a Pit Manager or above, or an administrator.",
        next_step="Call the pit.",
    )


def must_be_allowed_to_end(role: str) -> None:
    """Refuse whoever may not end a stop.

    >>> must_be_allowed_to_end("pit_manager")
    """
    if role not in ENDS:
        raise Refused(
            "not_your_role",
            "Ending a stop takes a Pit Manager or above.",
            next_step="Ask a Pit Manager.",
        )
