"""Looking keys up in the record before anything is decided, many at a time.

While one look is on its way the next keys gather, as appends do for the writer; so a busy house asks the
record once for many requests and nobody waits for a timer.
"""

from __future__ import annotations

import asyncio

from lammer.floor.store.contract import Appended, Key, KeyReused, Record
from lammer.rulebook.refusal import Refused

Waiting = tuple[Key, asyncio.Future[Appended | None]]


class Lookups:
    """The keys of one process on their way to the record and back."""

    def __init__(self, store: Record) -> None:
        self.store = store
        self._waiting: list[Waiting] = []
        self._looking: asyncio.Task[None] | None = None

    async def find(self, key: Key) -> Appended | None:
        """What the request of this key was told before; another request under it is `KeyReused`."""
        found: asyncio.Future[Appended | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, found))
        if self._looking is None:
            self._looking = asyncio.ensure_future(self._look())
        return await found

    async def _look(self) -> None:
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, []
                await self._answer(waiting)
        finally:
            self._looking = None

    async def _answer(self, waiting: list[Waiting]) -> None:
        try:
            known = await asyncio.to_thread(self.store.recall_all, [key for key, _ in waiting])
        except Exception as error:
            for _, found in waiting:
                if not found.done():
                    found.set_exception(error)
            return
        for key, found in waiting:
            if found.done():
                continue
            told: Appended | Refused | None = known.get((key.client, key.key))
            if isinstance(told, KeyReused):
                found.set_exception(told)
            else:
                assert told is None or isinstance(told, Appended)
                found.set_result(told)
