"""Sharing out work: blocks done on threads here, handed back as they are finished.

What a block is does not matter here. Only a few blocks are under way at a time, so that a long run needs
no more memory than a short one and stops soon after it is told to.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

BlockT = TypeVar("BlockT")
ResultT = TypeVar("ResultT")


class Workers(Protocol):
    """Whoever does the blocks: threads here, or a cluster."""

    def share(
        self, do: Callable[[BlockT], ResultT], blocks: Iterator[BlockT]
    ) -> Iterator[tuple[BlockT, ResultT]]:  # pragma: no cover
        """Every block with what became of it, in whatever order they are finished."""
        ...


def cores() -> int:
    """The cores this process may use; where the system does not tell, those of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Threads:
    """Threads of this process; the kernels let go of the interpreter's lock.

    >>> sorted(Threads(2).share(lambda n: n * n, iter([1, 2, 3])))
    [(1, 1), (2, 4), (3, 9)]
    """

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads or cores()

    def share(
        self, do: Callable[[BlockT], ResultT], blocks: Iterator[BlockT]
    ) -> Iterator[tuple[BlockT, ResultT]]:
        """Every block with what became of it."""
        with ThreadPoolExecutor(self.threads) as pool:
            under_way: dict[Future[ResultT], BlockT] = {}
            try:
                for block in blocks:
                    under_way[pool.submit(do, block)] = block
                    if len(under_way) >= 2 * self.threads:
                        yield from _take_finished(under_way)
                while under_way:
                    yield from _take_finished(under_way)
            finally:
                for future in under_way:
                    future.cancel()


def _take_finished(under_way: dict[Future[ResultT], BlockT]) -> Iterator[tuple[BlockT, ResultT]]:
    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
    for future in done:
        yield under_way.pop(future), future.result()
