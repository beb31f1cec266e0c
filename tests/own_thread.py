"""Work in a thread of its own, for tests that start an event loop where a browser may hold the thread's."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def in_own_thread(work: Callable[[], T]) -> T:
    """Do this, and wait for it.

    >>> in_own_thread(lambda: 6 * 7)
    42
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
