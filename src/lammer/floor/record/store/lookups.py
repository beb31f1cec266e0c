"""Looking something up in the record before anything is decided, many at a time.

While one look is on its way the next questions gather, as appends do for the writer; so a busy house asks
the record once for many requests and nobody waits for a timer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

Wanted = TypeVar("Wanted")
Found = TypeVar("Found")


class BatchedLookup(Generic[Wanted, Found]):
    """Questions of one process on their way to the record and back; `look` answers many and may block."""

    def __init__(self, look: Callable[[list[Wanted]], Mapping[Wanted, Found]]) -> None:
        self._look_up = look
        self._waiting: list[tuple[Wanted, asyncio.Future[Found | None]]] = []
        self._looking: asyncio.Task[None] | None = None

    async def find(self, wanted: Wanted) -> Found | None:
        """What the record says now, by a look that begins after this was asked; None where it has nothing."""
        answer: asyncio.Future[Found | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, answer))
        if self._looking is None:
            self._looking = asyncio.ensure_future(self._look())
        return await answer

    async def _look(self) -> None:
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, []
                await self._answer(waiting)
        finally:
            self._looking = None

    async def _answer(self, waiting: list[tuple[Wanted, asyncio.Future[Found | None]]]) -> None:
        try:
            known = await asyncio.to_thread(self._look_up, [wanted for wanted, _ in waiting])
        except Exception as error:
            for _, answer in waiting:
                if not answer.done():
                    answer.set_exception(error)
            return
        for wanted, answer in waiting:
            if not answer.done():
                answer.set_result(known.get(wanted))
