"""Every denied attempt is taken down, and the auditor can read it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, delete, update
from sqlalchemy.exc import DBAPIError

from lammer.floor.access import denials as module
from lammer.floor.access.denials import MORE, Denials
from lammer.floor.record.contract import Store, StoreUnavailable
from lammer.floor.record.people import denials as rows
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD, until
from support.guests import ELSEWHERE, HERE, Clock, everything
from support.houses import House, held_back


def test_a_denial_is_written_down(store: Store) -> None:
    clock = Clock()
    denials = Denials(store, clock)
    denials.note("place_bet", "not_your_bet", who="anna", role="player", address=HERE, table="t1")
    denials.note("read_card", "not_your_role", key="k1", table="t2")
    denials.close()
    one, two = denials.read()
    assert (one.number, one.at, one.last_at, one.times) == (1, clock.wall, clock.wall, 1)
    assert (one.who, one.role, one.key, one.what, one.code, one.table) == (
        "anna", "player", "", "place_bet", "not_your_bet", "t1",
    )  # fmt: skip
    assert (two.key, two.who, two.address) == ("k1", "", "")
    assert one.address
    assert not [value for value in everything(store) if HERE in str(value)]


def test_it_is_written_without_being_asked(store: Store) -> None:
    denials = Denials(store, pause=0.01)
    denials.note("sign_in", "sign_in_failed")
    until(denials.read)
    denials.note("sign_in", "sign_in_failed")
    until(lambda: len(denials.read()) >= 2)
    denials.close()


def test_the_same_in_one_moment_is_one_line(store: Store) -> None:
    clock = Clock()
    denials = Denials(store, clock, pause=60)
    for number in range(1000):
        clock.go(milliseconds=1)
        denials.note("sign_in", "sign_in_failed", who="anna", address=(HERE, ELSEWHERE)[number % 2])
    denials.flush()
    lines = denials.read()
    assert [line.times for line in lines] == [500, 500]
    assert lines[0].address != lines[1].address
    assert (lines[1].last_at - lines[0].at).total_seconds() == pytest.approx(0.999)
    denials.close()


def test_a_flood_is_counted_and_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 10)
    denials = Denials(store, Clock(), pause=60)
    for number in range(500):
        denials.note("sign_in", "sign_in_failed", address=f"10.0.{number // 250}.{number % 250}")
    denials.flush()
    lines = denials.read()
    assert len(lines) == 11
    assert sum(line.times for line in lines) == 500
    assert lines[-1].what == MORE
    denials.close()


def test_pages_follow_each_other(store: Store) -> None:
    denials = Denials(store, Clock(), pause=60)
    for number in range(25):
        denials.note("place_bet", "not_your_role", who=f"p{number}", table=f"t{number % 5}")
    denials.flush()
    found, after = [], 0
    while page := denials.read(after, 10):
        found += page
        after = page[-1].number
    assert [line.who for line in found] == [f"p{number}" for number in range(25)]
    assert [line.table for line in found] == [f"t{number % 5}" for number in range(25)]
    assert denials.read(limit=-1) == []
    denials.close()


def test_lines_are_never_changed_or_removed(store: Store) -> None:
    denials = Denials(store, Clock(), pause=60)
    denials.note("place_bet", "not_your_role", who="anna")
    denials.flush()

    def forge(connection: Connection) -> None:
        connection.execute(update(rows).values(who="bo"))

    def erase(connection: Connection) -> None:
        connection.execute(delete(rows))

    for work in (forge, erase):
        with pytest.raises((DBAPIError, Refused)):
            store.write(work).result(GUARD)
    assert denials.read()[0].who == "anna"
    denials.close()


def test_rubbish_is_written_down_too(store: Store) -> None:
    denials = Denials(store, Clock(), pause=60)
    denials.note("\x00what\udcff", "code", who="虎", address="\udcff", table="t" * 10_000)
    denials.flush()
    (line,) = denials.read()
    assert (line.what, line.who, len(line.table)) == ("?what?", "虎", 200)
    denials.close()


def test_noting_never_waits_for_the_database(store: Store) -> None:
    denials = Denials(store, pause=0)
    # The database does nothing before this is over: whoever waited for it would wait for themselves.
    with held_back(store):
        for number in range(200):
            denials.note("place_bet", "not_your_role", who=f"p{number}")
        assert denials.read() == []
    denials.close()
    assert sum(line.times for line in denials.read(limit=1000)) == 200


def test_nothing_is_lost_while_the_database_is_gone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRY", 0.02)
    denials = Denials(store, Clock(), pause=0.01)
    tried = threading.Event()
    real = module._write

    def gone(*_: object) -> None:
        tried.set()
        raise StoreUnavailable("the test took it")

    monkeypatch.setattr(module, "_write", gone)
    denials.note("sign_in", "sign_in_failed", who="anna")
    assert tried.wait(GUARD)
    denials.note("sign_in", "sign_in_failed", who="anna")
    denials.note("sign_in", "sign_in_failed", who="bo")
    with pytest.raises(StoreUnavailable):
        denials.flush()
    monkeypatch.setattr(module, "_write", real)
    until(lambda: sum(line.times for line in denials.read()) >= 3)
    assert [(line.who, line.times) for line in denials.read()] == [("anna", 2), ("bo", 1)]
    denials.close()


def test_many_threads_lose_nothing(store: Store) -> None:
    denials = Denials(store, pause=0)

    def note(worker: int) -> None:
        for number in range(100):
            denials.note("place_bet", "not_your_role", who=f"p{worker}", table=f"t{number % 3}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(note, range(8)))
    denials.close()
    lines = denials.read(limit=1000)
    assert sum(line.times for line in lines) == 800
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


def test_two_processes_number_their_lines_together(postgres: House) -> None:
    several = [Denials(postgres.open(), pause=0) for _ in range(2)]

    def note(worker: int) -> None:
        for number in range(50):
            several[worker].note("place_bet", "not_your_role", who=f"p{worker}.{number}")
            several[worker].flush()

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(note, range(2)))
    for denials in several:
        denials.close()
    lines = several[0].read(limit=1000)
    assert [line.number for line in lines] == list(range(1, 101))
    assert len({line.who for line in lines}) == 100
