"""Work in a thread of its own, for tests that start an event loop where a browser may hold the thread's."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def in_own_thread(work: Callable[[], T]) -> T:
    """Do this, and wait for it.

    Whoever stops waiting, as a test does whose time is over, leaves the thread behind: an executor would
    wait for it at its end, and a test that hangs would hold up all the others.

    >>> in_own_thread(lambda: 6 * 7)
    42
    """
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # whatever it is belongs to the thread that waits
            result.set_exception(error)

    Thread(target=run, daemon=True).start()
    return result.result()
