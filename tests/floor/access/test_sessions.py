"""Who is in, for how long, and how they are put out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import timedelta
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from sqlalchemy import Connection, event, select

from lammer.floor.access.sessions import MOST, Session, Sessions
from lammer.floor.access.tokens import FRESH_SECONDS, Recent, digest
from lammer.floor.record.contract import Store, StoreUnavailable
from lammer.floor.record.monotonic_clock import MonotonicClock, microseconds
from lammer.floor.record.people import sessions as rows
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD
from support.guests import ELSEWHERE, HERE, Clock, accounts, anna, everything
from support.houses import House

IDLE, ABSOLUTE = timedelta(minutes=20), timedelta(hours=8)


def opened(store: Store, clock: Clock) -> Sessions:
    return Sessions(store, clock, IDLE, ABSOLUTE, ticks=clock.ticks)


def seen_in(store: Store) -> list[int]:
    store.write(lambda connection: None).result(GUARD)
    with store.reading() as connection:
        return list(connection.scalars(select(rows.c.seen)))


def test_a_session_is_found_by_its_token(store: Store) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, session = sessions.start(account, HERE)
    found = sessions.find(token)
    assert found == session
    assert (session.account, session.started, session.seen) == (account, clock.wall, clock.wall)
    assert sessions.find(token[:-1]) is None
    assert sessions.find(session.id) is None
    kept = digest(token)
    assert kept is not None
    assert sessions.find(kept.hex()) is None


def test_rubbish_is_no_session(store: Store) -> None:
    sessions = opened(store, Clock())
    for token in ("", "\x00", "虎", "\udcff", "x" * 100_000, "' OR 1=1 --"):
        assert sessions.find(token) is None
        assert sessions.fresh(token) is None


def test_an_idle_session_ends(store: Store) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, _ = sessions.start(account, HERE)
    for _ in range(10):
        clock.go(minutes=19)
        assert sessions.find(token) is not None
    clock.go(minutes=20)
    assert sessions.find(token) is None
    assert seen_in(store) == []


def test_a_busy_session_ends_too(store: Store) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, _ = sessions.start(account, HERE)
    for _ in range(479):
        clock.go(minutes=1)
        assert sessions.find(token) is not None
    clock.go(minutes=1)
    assert sessions.find(token) is None


def test_a_clock_set_back_brings_no_session_back(store: Store) -> None:
    account = anna(store)
    for looked in (True, False):
        clock = Clock()
        sessions = opened(store, clock)
        token, _ = sessions.start(account, HERE)
        assert sessions.find(token) is not None
        clock.go(minutes=30)
        if looked:
            assert sessions.find(token) is None
            assert seen_in(store) == []
        clock.jump(minutes=-25)
        assert sessions.find(token) is None
        seen_in(store)
        assert opened(store, clock).find(token) is None


def test_a_clock_set_back_keeps_nobody_in_for_longer(store: Store) -> None:
    """Time goes on from where it was: being idle is counted by the machine's running time."""
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, _ = sessions.start(account, HERE)
    clock.go(minutes=10)
    clock.jump(hours=-5)
    assert sessions.find(token) is not None
    clock.go(minutes=19)
    assert sessions.find(token) is not None
    clock.go(minutes=20)
    assert sessions.find(token) is None


def test_a_session_from_the_future_is_not_believed(house: House) -> None:
    """The clock was a year ahead; it was set right and the house started anew."""
    store = house.open()
    account = anna(store)
    clock = Clock()
    clock.jump(days=365)
    token, _ = opened(store, clock).start(account, HERE)
    clock.jump(days=-365)
    sessions = opened(store, clock)
    assert sessions.list() == ()
    assert sessions.find(token) is None
    assert seen_in(store) == []


def test_machines_may_be_minutes_apart(house: House) -> None:
    store = house.open()
    account = anna(store)
    clock, slow = Clock(), Clock()
    slow.jump(minutes=-4)
    token, _ = opened(store, clock).start(account, HERE)
    assert opened(store, slow).find(token) is not None


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(-(10**12), 10**12)), max_size=30))
def test_steady_time_never_goes_back_and_never_stands(moves: list[tuple[bool, int]]) -> None:
    clock = Clock()
    steady = MonotonicClock(clock, clock.ticks)
    before, running = steady(), clock.running
    for passes, microseconds_ in moves:
        if passes:
            clock.go(microseconds=abs(microseconds_))
        else:
            clock.jump(microseconds=microseconds_)
        now = steady()
        assert now >= before + round((clock.running - running) * 1e6) - 1000
        assert now >= microseconds(clock.wall) - 1000
        before, running = now, clock.running


def test_a_session_is_revoked_by_its_id(store: Store) -> None:
    account = anna(store)
    sessions = opened(store, Clock())
    (one, session), (two, _) = sessions.start(account, HERE), sessions.start(account, ELSEWHERE)
    assert sessions.find(one) is not None
    assert sessions.find(two) is not None
    assert sessions.revoke(session.id)
    assert not sessions.revoke(session.id)
    assert sessions.find(one) is None
    assert sessions.fresh(one) is None
    assert sessions.find(two) is not None


def test_sessions_are_listed_without_what_their_holders_know(store: Store) -> None:
    account = anna(store)
    bo = accounts(store).create("bo", "", "player", by="test")
    clock = Clock()
    sessions = opened(store, clock)
    token, session = sessions.start(account, HERE)
    clock.go(minutes=1)
    sessions.start(bo, ELSEWHERE)
    listed = sessions.list()
    assert [found.account.name for found in listed] == ["bo", "anna"]
    assert sessions.list("anna")[0].id == session.id
    assert {found.csrf for found in listed} == {""}
    assert not listed[0].allows("")
    assert listed[0].address != listed[1].address
    assert HERE not in repr(listed)
    clock.go(minutes=19)
    assert [found.account.name for found in sessions.list()] == ["bo"]
    assert sessions.find(token) is None


def test_an_account_has_so_many_sessions_and_no_more(store: Store) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    tokens = []
    for _ in range(MOST + 1):
        clock.go(seconds=1)
        tokens.append(sessions.start(account, HERE)[0])
    assert sessions.find(tokens[0]) is None
    assert all(sessions.find(token) for token in tokens[1:])


def test_a_form_is_known_by_its_csrf_token(store: Store) -> None:
    account = anna(store)
    sessions = opened(store, Clock())
    token, session = sessions.start(account, HERE)
    found = sessions.find(token)
    assert found is not None
    assert found.csrf == session.csrf
    assert found.allows(session.csrf)
    _, other = sessions.start(account, HERE)
    for wrong in (None, "", "虎", "\udcff", session.csrf[:-1], other.csrf, token):
        assert not found.allows(wrong)


def test_no_secret_of_a_session_is_kept_or_shown(store: Store) -> None:
    account = anna(store)
    sessions = opened(store, Clock())
    token, session = sessions.start(account, HERE)
    sessions.find(token)
    sessions.flush()
    for secret in (token, session.csrf):
        assert secret not in repr((session, sessions.find(token), sessions.list(), vars(sessions)))
        for value in everything(store):
            assert secret not in str(value)
            assert secret.encode() not in (value if isinstance(value, bytes) else b"")
    assert HERE not in map(str, everything(store))


def test_within_a_second_the_database_is_not_asked_again(store: Store) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, _ = sessions.start(account, HERE)
    asked: list[str] = []
    readers = store._readers  # type: ignore[attr-defined]
    event.listen(readers, "before_cursor_execute", lambda *given: asked.append(given[2]))
    for _ in range(100):
        assert sessions.find(token) is not None
    assert len([statement for statement in asked if "sessions" in statement]) == 1
    clock.running += FRESH_SECONDS
    assert sessions.fresh(token) is None
    assert sessions.find(token) is not None
    assert sessions.fresh(token) is not None
    assert len([statement for statement in asked if "sessions" in statement]) == 2


def test_finding_costs_microseconds(store: Store) -> None:
    """Counted in calls and not in seconds: how fast the machine is makes no difference."""
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, _ = sessions.start(account, HERE)
    sessions.find(token)
    called: list[str] = []

    def note(frame: FrameType, event: str, given: Any) -> None:
        if event in ("call", "c_call"):
            called.append(frame.f_code.co_name if event == "call" else given.__name__)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        sessions.find(token)
    finally:
        sys.setprofile(before)
    assert called[0] == "find"
    assert len(called) < 50, called


def test_when_it_was_seen_is_written_once_a_minute_for_all(store: Store) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    tokens = [sessions.start(account, HERE)[0] for _ in range(5)]
    begun = microseconds(clock.wall)
    clock.go(seconds=59)
    for token in tokens:
        assert sessions.find(token) is not None
    assert set(seen_in(store)) == {begun}
    clock.go(seconds=1)
    assert sessions.find(tokens[0]) is not None
    assert sorted(seen_in(store)) == [begun + 59_000_000] * 4 + [begun + 60_000_000]
    clock.go(seconds=10)
    assert sessions.find(tokens[0]) is not None
    assert max(seen_in(store)) == begun + 60_000_000
    sessions.flush()
    assert max(seen_in(store)) == begun + 70_000_000
    assert sessions._last_seen == {}


def test_what_another_process_saw_counts(postgres: House) -> None:
    clock = Clock()
    account = anna(postgres.open())
    one, two = opened(postgres.open(), clock), opened(postgres.open(), clock)
    token, _ = one.start(account, HERE)
    for _ in range(4):
        clock.go(minutes=15)
        assert one.find(token) is not None
        one.flush()
    assert two.find(token) is not None


def test_a_revocation_counts_in_another_process_within_two_seconds(postgres: House) -> None:
    first, second, clock = postgres.open(), postgres.open(), Clock()
    account = anna(first)
    here, there = opened(first, clock), opened(second, clock)
    ways: list[Callable[[Session], object]] = [
        lambda session: here.revoke(session.id),
        lambda session: accounts(first).disable(session.account.name, by="test"),
    ]
    for put_out in ways:
        token, session = here.start(account, HERE)
        assert there.find(token) is not None
        put_out(session)
        clock.go(seconds=2)
        assert there.find(token) is None, "still in"


def test_what_is_read_while_something_is_revoked_is_not_remembered() -> None:
    recent: Recent[bytes, str] = Recent()
    begun = recent.begin()
    recent.drop(b"another")
    recent.put(b"one", "old news", begun)
    assert recent.get(b"one") is None
    recent.put(b"one", "news", recent.begin())
    assert recent.get(b"one") == "news"


def test_what_is_remembered_has_a_bound() -> None:
    recent: Recent[bytes, int] = Recent(most=10)
    for number in range(100):
        recent.put(b"%d" % number, number, recent.begin())
    assert recent.get(b"99") == 99
    assert len(recent._kept) == 10


def test_sessions_that_are_over_are_removed(store: Store) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    for _ in range(3):
        sessions.start(account, HERE)
    clock.go(minutes=21)
    token, _ = sessions.start(account, HERE)
    assert sessions.find(token) is not None
    assert len(seen_in(store)) == 1


def test_without_its_database_nobody_is_let_in_for_longer_than_a_second(sqlite: House) -> None:
    store = sqlite.open()
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, _ = sessions.start(account, HERE)
    assert sessions.find(token) is not None

    def down(*_: object) -> None:
        raise StoreUnavailable("the test took it")

    event.listen(store._readers, "do_connect", down)  # type: ignore[attr-defined]
    store._readers.dispose()  # type: ignore[attr-defined]
    assert sessions.find(token) is not None
    clock.running += 1
    with pytest.raises(Refused) as refused:
        sessions.find(token)
    assert refused.value.code == "store_unavailable"


def test_a_write_that_fails_is_tried_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, _ = sessions.start(account, HERE)
    begun = microseconds(clock.wall)
    clock.go(minutes=1)
    with monkeypatch.context() as patch:

        def fail(connection: Connection, seen: object) -> None:
            raise StoreUnavailable("the test took it")

        patch.setattr("lammer.floor.access.sessions._mark_seen", fail)
        assert sessions.find(token) is not None
        assert seen_in(store) == [begun]
    clock.go(minutes=1)
    assert sessions.find(token) is not None
    assert seen_in(store) == [begun + 120_000_000]


def test_nobody_is_in_without_an_account(store: Store) -> None:
    account = anna(store)
    ghost = type(account)("ghost", "", "dealer", active=True)
    with pytest.raises(Refused) as refused:
        opened(store, Clock()).start(ghost, HERE)
    assert refused.value.code == "no_such_account"


def test_a_session_says_nothing_of_its_csrf_token() -> None:
    clock = Clock()
    account = type("A", (), {})
    assert "s3cret" not in repr(Session("id", account, "s3cret", clock.wall, clock.wall))  # type: ignore[arg-type]


def test_what_is_over_within_the_second_is_not_remembered(store: Store) -> None:
    account = anna(store)
    clock = Clock()
    sessions = opened(store, clock)
    token, _ = sessions.start(account, HERE)
    for _ in range(31):
        clock.go(minutes=15)
        assert sessions.find(token) is not None
        assert sessions.fresh(token) is not None
    clock.go(minutes=14, seconds=59.5)
    assert sessions.find(token) is not None
    assert sessions.fresh(token) is None
    clock.go(seconds=0.5)
    assert sessions.find(token) is None
