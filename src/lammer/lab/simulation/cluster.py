"""Blocks done on a cluster: dask.distributed, with the same interface as threads here.

Each block is sent by itself and its result comes back. What all blocks share is sent once and kept by
the cluster, which makes it anew wherever it is lost. A worker that dies costs the block it was at: that block
is dealt again elsewhere, and as blocks are numbered streams it comes out the same. It knows nothing of cards.
dask comes with the extra `cluster` and is asked for only when a cluster is.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import version
from queue import Empty, SimpleQueue
from typing import Any, Generic

from lammer.lab.simulation.work import BlockT, ResultT
from lammer.rulebook.refusal import Refused

BEAT_SECONDS = 1.0
"""Seconds without a block coming back after which the scheduler is asked who is still there."""
TRIES = 5
"""How often a block is dealt again when workers die over it; then it is the block that kills them."""


class Cluster:
    """The workers of a dask cluster, by the address of its scheduler.

    `answer` is how many seconds the scheduler has to answer; `patience` how many a cluster may be without a
    single worker before the run ends with what it has.

    >>> Cluster("tcp://127.0.0.1:8786").address
    'tcp://127.0.0.1:8786'
    """

    def __init__(self, address: str, *, answer: float = 5.0, patience: float = 30.0) -> None:
        self.address, self.answer, self.patience = address, answer, patience

    def share(
        self, do: Callable[[BlockT], ResultT], blocks: Iterator[BlockT]
    ) -> Iterator[tuple[BlockT, ResultT]]:
        """Every block with what became of it."""
        with self._client() as client:
            run = _Run(self, client, do, blocks)
            try:
                yield from run.finished()
            finally:
                run.call_off()

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise Refused(
                "extra_missing",
                "A cluster needs dask.distributed, which is not installed.",
                next_step="Install lammer[cluster], or leave out --cluster.",
            ) from None
        with _quiet():
            try:
                with ThreadPoolExecutor(1) as aside:
                    aside.submit(asyncio.run, _shake_hands(self.address, self.answer)).result()
                client = distributed.Client(self.address, timeout=self.answer, set_as_default=False)
            except Exception as error:
                raise self.refusal(f"does not answer ({_in_a_line(error)})") from None
            try:
                yield client
            finally:
                with suppress(OSError):
                    client.close(timeout=self.answer)

    def refusal(self, how: str) -> Refused:
        """The refusal for a cluster that can do no more work."""
        return Refused(
            "cluster_silent",
            "The cluster at {address} {how}.",
            next_step="See that its scheduler and workers run and can be reached, or leave out --cluster.",
            address=repr(self.address[:100]),
            how=how,
        )


class _Run(Generic[BlockT, ResultT]):
    """One run on a cluster: what is under way, what came back, what has to be dealt again."""

    def __init__(
        self, cluster: Cluster, client: Any, do: Callable[[BlockT], ResultT], blocks: Iterator[BlockT]
    ) -> None:
        self.cluster, self.client, self.do, self.blocks = cluster, client, do, blocks
        self.under_way: dict[str, tuple[BlockT, Any, int]] = {}
        self.again: deque[tuple[BlockT, int]] = deque()
        self.back: SimpleQueue[str] = SimpleQueue()
        self.shared: Any = None
        self.version = version("lammer")
        self.last_worker_seen = self.last_asked = time.monotonic()
        self.most = 0

    def finished(self) -> Iterator[tuple[BlockT, ResultT]]:
        """Blocks as they come back; never more under way than keep every worker busy."""
        self._look_round()
        while True:
            self._hand_out()
            if not self.under_way:
                return
            try:
                key = self.back.get(timeout=BEAT_SECONDS)
            except Empty:
                self._look_round()
                continue
            if time.monotonic() - self.last_asked > self.cluster.answer:
                self._look_round()
            block, future, tries = self.under_way.pop(key)
            try:
                result = future.result(timeout=self.cluster.answer)
            except Exception:
                self._deal_again(block, future, tries)
            else:
                yield block, result

    def _hand_out(self) -> None:
        """Blocks to be dealt again first, then new ones."""
        while len(self.under_way) < self.most:
            block, tries = self.again.popleft() if self.again else (next(self.blocks, None), 0)
            if block is None:
                return
            if self.shared is None or self.shared.status in ("error", "cancelled"):
                # Made by a task and not scattered: a task is run again when the worker that holds it dies.
                self.shared = self.client.submit(_hold, self.do, pure=False)
            future = self.client.submit(_do_block, self.shared, block, self.version, pure=False, retries=1)
            self.under_way[future.key] = block, future, tries
            future.add_done_callback(lambda done: self.back.put(done.key))

    def _deal_again(self, block: BlockT, future: Any, tries: int) -> None:
        """A block that did not come back is dealt again; one that nobody can do ends the run."""
        self._look_round()
        if future.status == "error":
            error = future.exception(timeout=self.cluster.answer)
            if type(error).__name__ != "KilledWorker":
                raise Refused(
                    "impossible_run",
                    "A worker of the cluster could not do its block ({why}).",
                    next_step="Every worker needs the same lammer[lab] as this machine.",
                    why=_in_a_line(error),
                )
        if tries == TRIES:
            raise self.cluster.refusal("loses its workers over one and the same block")
        self.again.append((block, tries + 1))

    def _look_round(self) -> None:
        """Ask the scheduler for its workers; none for too long, or no answer, ends the run."""
        self.last_asked = time.monotonic()
        try:
            threads: dict[str, int] = self.client.nthreads(callback_timeout=self.cluster.answer)
        except Exception as error:
            # A client whose scheduler is gone fails in many ways.
            raise self.cluster.refusal(f"no longer answers ({_in_a_line(error)})") from None
        if threads:
            self.last_worker_seen = self.last_asked
        elif self.last_asked - self.last_worker_seen > self.cluster.patience:
            raise self.cluster.refusal("has no workers")
        self.most = max(4, 2 * sum(threads.values()))

    def call_off(self) -> None:
        """Let go of whatever is still under way."""
        with suppress(Exception):
            self.client.cancel([future for _, future, _ in self.under_way.values()], force=True)


async def _shake_hands(address: str, seconds: float) -> None:
    """Connect to a scheduler within so many seconds; a client alone waits for ever on a silent one."""
    distributed = import_module("distributed")
    secured = distributed.Security().get_connection_args("client")
    async with asyncio.timeout(seconds):
        comm = await distributed.core.connect(address, timeout=seconds, **secured)
        await comm.close()


def _hold(do: Callable[[BlockT], ResultT]) -> Callable[[BlockT], ResultT]:
    """What all blocks share, held by a worker."""
    return do


def _do_block(do: Callable[[BlockT], ResultT], block: BlockT, ours: str) -> ResultT:
    """One block, on a worker of the same version: another might deal other cards."""
    theirs = version("lammer")
    if theirs != ours:
        raise RuntimeError(f"it has lammer {theirs}, this machine has {ours}")
    return do(block)


def _in_a_line(error: BaseException) -> str:
    line = " ".join(str(error).split()) or type(error).__name__
    return line[:160]


class _ClientFilter(logging.Filter):
    """Drops log records of dask's client; workers and schedulers keep theirs."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not record.name.startswith(("distributed.client", "distributed.co", "distributed.batched"))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep dask's client from logging errors at length: a refusal says them in one sentence."""
    client_filter, handlers = _ClientFilter(), list(logging.getLogger("distributed").handlers)
    for handler in handlers:
        handler.addFilter(client_filter)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(client_filter)
