"""An event loop on a virtual clock: nothing waits, and everything happens in an order that a seed decides.

Time passes only when nothing else is left to do. What would run in a thread runs in the loop, some time
later; `delay` says how much, for whoever asks (see `WHO`).
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any, Final

WHO: Final[ContextVar[str]] = ContextVar("WHO", default="")
"""The simulated process whose work this is."""


class NothingLeft(AssertionError):
    """Everybody waits for something that will never come."""


class _Instant(selectors.DefaultSelector):
    """Waiting takes no time: the clock moves on instead."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise NothingLeft
            self.loop.moment += max(0.0, timeout)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """See above. `delay` gives the seconds until work for a thread is done."""

    def __init__(self, delay: Callable[[str], float]) -> None:
        self.moment = 0.0
        self.delay = delay
        selector = _Instant()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.moment

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        future = self.create_future()

        def run() -> None:
            if future.done():
                return
            try:
                result = func(*args)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self.call_later(self.delay(WHO.get()), run)
        return future


def run_virtually(work: Coroutine[Any, Any, Any], delay: Callable[[str], float]) -> Any:
    """Run to the end, on a loop of its own."""
    loop = VirtualLoop(delay)
    try:
        asyncio.set_event_loop(loop)
        return loop.run_until_complete(work)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        asyncio.set_event_loop(None)
        loop.close()
