"""The disk is full or does not sync, the database is gone: the store says so, loses nothing, and goes on."""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue

import pytest
from sqlalchemy import event

from lammer.floor.record.contract import Append, Appended, Conflict, Store, StoreUnavailable
from support.awaited import GUARD, until
from support.houses import House, intact, key
from support.recording_vfs import recording
from support.servers import Server


def goes_on(store: Store, bodies: list[bytes]) -> None:
    """After a fault: what was acknowledged is there, and more can be written."""
    assert intact(store) == {"t1": bodies}
    store.append(Append("t1", len(bodies), (b"more",))).result(GUARD)
    assert intact(store) == {"t1": [*bodies, b"more"]}


def fails_meanwhile(store: Store, at: int) -> None:
    """A group in trouble fails as a whole; whatever hung on it is a conflict or fails too."""
    group = [store.append(Append("t1", at + n, (b"lost" * 999,), key(f"lost {n}"))) for n in range(3)]
    errors = [future.exception(GUARD) for future in group]
    assert all(isinstance(error, StoreUnavailable | Conflict) for error in errors), errors
    assert isinstance(errors[0], StoreUnavailable)
    assert "nothing is confirmed" in str(errors[0])


@contextmanager
def no_file_grows_beyond(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_no_more_room_for_the_file(sqlite: House) -> None:
    """The operating system refuses to let the file grow."""
    store = sqlite.open()
    store.append(Append("t1", 0, (b"1",))).result(GUARD)
    with no_file_grows_beyond(os.stat(f"{sqlite.where}-wal").st_size + 100):
        for _ in range(3):
            fails_meanwhile(store, 1)
        assert intact(store) == {"t1": [b"1"]}, "reading goes on"
    goes_on(store, [b"1"])


@pytest.mark.parametrize("fault", ["full", "deaf"])
def test_a_disk_that_is_full_or_does_not_sync(tmp_path: Path, fault: str) -> None:
    with recording(tmp_path) as recorder:
        house = House("sqlite", str(tmp_path / "house.sqlite"))
        store = house.open()
        store.append(Append("t1", 0, (b"1",))).result(GUARD)
        setattr(recorder, fault, True)
        for _ in range(3):
            fails_meanwhile(store, 1)
        setattr(recorder, fault, False)
        goes_on(store, [b"1"])
        assert not store.append(Append("t1", 2, (b"again",), key("lost 0"))).result(GUARD).repeat
        house.close()
    store = house.open()
    assert intact(store) == {"t1": [b"1", b"more", b"again"]}
    house.close()


def test_other_work_fails_on_a_full_disk_too(tmp_path: Path) -> None:
    with recording(tmp_path) as recorder:
        house = House("sqlite", str(tmp_path / "house.sqlite"))
        store = house.open()
        recorder.full = True
        with pytest.raises(StoreUnavailable):
            store.take("t1", "a", 60)
        recorder.full = False
        assert store.take("t1", "a", 60) == 1
        house.close()


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server for one test: to stop, one that many tests used first writes all their databases to disk."""
    running = Server()
    yield running
    running.close()


def test_the_server_stops_and_starts_again(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    postgres = House("postgresql", own_server.new_database())
    store = postgres.open()
    heard: dict[str, int] = {}

    def hear(table: str, number: int) -> None:
        heard[table] = number

    store.follow(hear)
    store.append(Append("t1", 0, (b"1",), key("k"), b"placed")).result(GUARD)
    own_server.stop()
    try:
        for _ in range(3):
            fails_meanwhile(store, 1)
        for ask in (lambda: store.head("t1"), store.tables, lambda: store.take("t1", "a", 60)):
            with pytest.raises(StoreUnavailable):
                ask()
        with pytest.raises(StoreUnavailable):
            postgres.open()
        tried: list[object] = []
        writers = store._writer._backend._engine  # type: ignore[attr-defined]
        event.listen(writers, "do_connect", lambda *given: tried.append(given))
        with monkeypatch.context() as stopped:
            now = time.monotonic()
            stopped.setattr("lammer.floor.record.store.postgres.monotonic", lambda: now)
            futures = [store.append(Append("t1", 1, (b"x",))) for _ in range(200)]
            assert all(isinstance(future.exception(GUARD), StoreUnavailable) for future in futures)
        assert len(tried) <= 1, "before it is time to try again, what cannot be done is refused at once"
    finally:
        own_server.start()
    again = until_back(store, Append("t1", 9, (b"1",), key("k")))
    assert (again.repeat, again.reply) == (True, b"placed")
    goes_on(store, [b"1"])
    until(lambda: heard.get("t1") == 2)
    postgres.close()


def until_back(store: Store, asked: Append) -> Appended:
    answered: list[Appended] = []

    def answers() -> bool:
        with suppress(StoreUnavailable):
            answered.append(store.append(asked).result(GUARD))
        return bool(answered)

    until(answers, "it never came back")
    return answered[0]


def test_a_connection_is_cut_again_and_again(server: Server, postgres: House) -> None:
    """Every request is repeated with its key until it is answered: each counts once, whatever was cut."""
    store = postgres.open()
    now: Queue[bool] = Queue()
    cuts = 0

    def cut() -> None:
        nonlocal cuts
        while now.get():
            server.hang_up(postgres.where)
            cuts += 1

    cutting = threading.Thread(target=cut, daemon=True)
    cutting.start()
    failed = 0
    try:
        for n in range(150):
            # While the next ones are written; and once for certain before one is.
            if n % 4 == 0:
                now.put(True)
            if n == 100:
                until(lambda: cuts)
            while True:
                try:
                    head = store.head("t1").number
                    store.append(Append("t1", head, (b"%d" % n,), key(f"{n}"))).result(GUARD)
                    break
                except (StoreUnavailable, Conflict):
                    failed += 1
    finally:
        now.put(False)
        cutting.join()
    assert failed
    store.close()
    assert intact(postgres.look()) == {"t1": [b"%d" % n for n in range(150)]}
