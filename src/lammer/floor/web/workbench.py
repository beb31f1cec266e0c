"""The workbench: where a stranger may try a rulebook without keeping anybody from their table.

One process of its own works out one text at a time, within a bound of time and memory; one that takes
longer is ended and another begun. Each address may ask so much a minute, and only so many wait at all.
Nothing is kept.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Final

from lammer.floor.access.address_marks import network
from lammer.floor.web.tried_rulebook import Asked, Tried, try_out
from lammer.rulebook.refusal import Refused

LARGEST_BYTES: Final = 150_000
"""Of a text; the longest approved document has 70,000."""
SECONDS: Final = 5.0
"""So long may one text take; a document of twenty bets takes a twentieth of one."""
STARTING_SECONDS: Final = 60.0
"""So long may the process take to begin."""
MEMORY_BYTES: Final = 2**30
A_MINUTE: Final = 90
"""So many texts an address may try a minute; a page asks again while one types."""
WAITING: Final = 16
"""So many texts wait at most, whoever sent them."""
REMEMBERED: Final = 10_000
"""Addresses whose asking is counted; beyond, those who asked longest ago are forgotten."""

Ticks = Callable[[], float]


class Workbench:
    """The process, the line before it, and who asked how often. For one event loop alone."""

    def __init__(self, ticks: Ticks, seconds: float = SECONDS) -> None:
        self._ticks, self._seconds = ticks, seconds
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="lammer-workbench")
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._waiting = 0
        self._left: dict[str, tuple[float, float]] = {}

    async def try_out(self, asked: Asked, address: str) -> Tried:
        """What a text comes to; refused where it is too long, takes too long, or too much is asked."""
        if len(asked.text.encode()) > LARGEST_BYTES:
            raise Refused(
                "too_much_to_try",
                "A rulebook here has at most {most} bytes.",
                next_step="`lammer rulebook check` reads longer ones.",
                most=format(LARGEST_BYTES, ","),
            )
        who = network(address)
        self._count(who)
        if self._waiting >= WAITING:
            raise _too_often()
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._ask, asked)
        except Refused:
            # A text refused for what it costs uses up all that this person may ask in a minute.
            self._left[who] = (0.0, self._ticks())
            raise
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the process; nothing of it is missed."""
        self._thread.submit(self._end)
        self._thread.shutdown(wait=True, cancel_futures=False)

    def _count(self, who: str) -> None:
        """One more of an address: a full minute's worth at once, then as many as a minute gives."""
        now = self._ticks()
        left, at = self._left.pop(who, (float(A_MINUTE), now))
        left = min(float(A_MINUTE), left + (now - at) * A_MINUTE / 60)
        allowed = left >= 1
        self._left[who] = (left - 1 if allowed else left, now)
        while len(self._left) > REMEMBERED:
            del self._left[next(iter(self._left))]
        if not allowed:
            raise _too_often()

    def _ask(self, asked: Asked) -> Tried:
        pipe = self._pipe if self._process is not None and self._process.is_alive() else None
        pipe = pipe or self._begin()
        try:
            pipe.send(asked)
            if pipe.poll(self._seconds):
                answer = pipe.recv()
                if isinstance(answer, Tried):
                    return answer
        except (EOFError, OSError):
            pass
        self._end()
        raise Refused(
            "too_much_to_try",
            "This rulebook takes too long, or too much, to be worked out here.",
            next_step="Make it smaller, or use `lammer edges`.",
        )

    def _begin(self) -> Connection:
        self._end()
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), name="lammer-workbench", daemon=True)
        self._process.start()
        theirs.close()
        if not self._pipe.poll(STARTING_SECONDS) or self._pipe.recv() != READY:
            raise OSError("the workbench did not begin")
        return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


READY: Final = "ready"


def _too_often() -> Refused:
    return Refused(
        "too_much_asked",
        "More is asked of the workbench than it answers just now.",
        next_step="Wait a minute.",
    )


def _serve(pipe: Connection) -> None:
    """In the process: one text after the other, until the house ends it or goes away."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    pipe.send(READY)
    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            return
        try:
            answer: Tried | str = try_out(asked)
        except (MemoryError, RecursionError):
            answer = "too much"
        pipe.send(answer)
