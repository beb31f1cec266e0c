"""How often a sign-in may be tried."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sqlalchemy import Connection, func, select

from lammer.floor.access import throttle as module
from lammer.floor.access.address_marks import AddressMarks, network
from lammer.floor.access.throttle import FREE, LONGEST, Throttle, TooManyAttempts, prune
from lammer.floor.record.contract import Store
from lammer.floor.record.monotonic_clock import SECOND, SKEW
from lammer.floor.record.people import attempts
from support.awaited import GUARD
from support.guests import ELSEWHERE, HERE, Clock, everything
from support.houses import House

NAMES, ADDRESSES = FREE["name"], FREE["address"]


def opened(store: Store, clock: Clock) -> Throttle:
    return Throttle(store, clock, ticks=clock.ticks)


def fail(throttle: Throttle, name: str = "anna", address: str = HERE, times: int = 1) -> int:
    """Fail so often, and say what the next one has to wait."""
    for _ in range(times):
        throttle.must_wait(name, address)
    return throttle.waiting(name, address)


def fail_and_wait(throttle: Throttle, clock: Clock, times: int, address: str = HERE) -> int:
    """Fail so often, waiting as long as one has to but after the last."""
    for _ in range(times):
        clock.go(seconds=throttle.waiting("anna", address))
        throttle.must_wait("anna", address)
    return throttle.waiting("anna", address)


def count(store: Store) -> int:
    with store.reading() as connection:
        return connection.scalar(select(func.count()).select_from(attempts)) or 0


def test_the_wait_begins_after_five_and_grows_to_a_quarter_of_an_hour(store: Store) -> None:
    clock = Clock()
    throttle = opened(store, clock)
    assert fail(throttle, times=NAMES - 1) == 0
    waits = []
    for _ in range(11):
        waits.append(fail(throttle))
        clock.go(seconds=waits[-1])
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]


def test_who_has_to_wait_is_told_how_long(store: Store) -> None:
    clock = Clock()
    throttle = opened(store, clock)
    assert fail_and_wait(throttle, clock, NAMES + 1) == 10
    clock.go(seconds=3)
    with pytest.raises(TooManyAttempts) as refused:
        throttle.must_wait("anna", HERE)
    assert refused.value.code == "too_many_attempts"
    assert refused.value.seconds == 7
    assert "7 seconds" in str(refused.value)


def test_trying_while_one_waits_makes_the_wait_no_longer(store: Store) -> None:
    clock = Clock()
    throttle = opened(store, clock)
    fail(throttle, times=NAMES)
    for _ in range(1000):
        with pytest.raises(TooManyAttempts):
            throttle.must_wait("anna", HERE)
    assert throttle.waiting("anna", HERE) == 5
    clock.go(seconds=5)
    throttle.must_wait("anna", HERE)


def test_a_name_waits_wherever_it_is_tried_and_however_it_is_typed(store: Store) -> None:
    throttle = opened(store, Clock())
    for number in range(NAMES):
        fail(throttle, ("anna", "Anna", " ANNA ")[number % 3], f"192.0.2.{number}")
    assert throttle.waiting("anna", ELSEWHERE) == 5
    assert throttle.waiting("bo", ELSEWHERE) == 0


def test_an_address_waits_whatever_names_are_tried(store: Store) -> None:
    throttle = opened(store, Clock())
    for number in range(ADDRESSES):
        fail(throttle, f"p{number}", f"2001:db8::{number}")
    assert throttle.waiting("zoe", "2001:db8::ffff:1") == 5
    assert throttle.waiting("zoe", "2001:db8:0:1::1") == 0


def test_a_success_forgives_the_name_and_gives_the_address_its_one_back(store: Store) -> None:
    throttle = opened(store, Clock())
    fail(throttle, times=NAMES - 1)
    throttle.must_wait("anna", HERE)
    throttle.succeeded("anna", HERE)
    assert fail(throttle, address=ELSEWHERE, times=NAMES - 1) == 0
    for number in range(ADDRESSES - NAMES):
        assert fail(throttle, f"p{number}") == 0
    assert fail(throttle, "zoe") == 5


def test_somebody_who_can_sign_in_does_not_clear_his_address(store: Store) -> None:
    """Signing in to one's own account between guesses buys no more guesses."""
    throttle = opened(store, Clock())
    for number in range(ADDRESSES):
        throttle.must_wait("mallory", HERE)
        throttle.succeeded("mallory", HERE)
        fail(throttle, f"p{number}")
    assert throttle.waiting("zoe", HERE) == 5


def test_strangers_do_not_keep_the_owner_out_where_he_is_known(store: Store) -> None:
    clock = Clock()
    throttle = opened(store, clock)
    throttle.must_wait("anna", HERE)
    throttle.succeeded("anna", HERE)
    assert fail_and_wait(throttle, clock, 15, ELSEWHERE) == 900
    assert throttle.waiting("anna", HERE) == 0
    told = throttle.must_wait("anna", HERE)
    assert told == 900, "what they are told, should they fail, is what everybody is told"
    throttle.succeeded("anna", HERE, told)
    assert throttle.waiting("anna", ELSEWHERE) == 900


def test_others_at_his_address_do_not_keep_him_out_either(store: Store) -> None:
    throttle = opened(store, Clock())
    throttle.must_wait("anna", HERE)
    throttle.succeeded("anna", HERE)
    for number in range(ADDRESSES):
        fail(throttle, f"p{number}")
    assert throttle.waiting("bo", HERE) == 5
    assert throttle.waiting("anna", HERE) == 0


def test_where_he_is_known_guesses_wait_too(store: Store) -> None:
    throttle = opened(store, Clock())
    throttle.must_wait("anna", HERE)
    throttle.succeeded("anna", HERE)
    assert fail(throttle, times=FREE["here"]) == 5


def test_nobody_is_known_for_ever(store: Store) -> None:
    clock = Clock()
    throttle = opened(store, clock)
    throttle.must_wait("anna", HERE)
    throttle.succeeded("anna", HERE)
    clock.go(days=31)
    fail(throttle, address=ELSEWHERE, times=NAMES)
    assert throttle.waiting("anna", HERE) == 5


def test_failures_are_forgotten_after_an_hour(store: Store) -> None:
    clock = Clock()
    throttle = opened(store, clock)
    fail_and_wait(throttle, clock, NAMES + 1)
    clock.go(minutes=61)
    assert fail(throttle, times=NAMES - 1) == 0


def test_an_attempt_that_came_to_nothing_is_not_counted(store: Store) -> None:
    throttle = opened(store, Clock())
    fail(throttle, times=NAMES - 1)
    for _ in range(10):
        throttle.must_wait("anna", HERE)
        throttle.take_back("anna", HERE)
    assert throttle.waiting("anna", HERE) == 0
    assert fail(throttle) == 5


def test_a_restart_forgives_nothing(house: House) -> None:
    clock = Clock()
    store = house.open()
    assert fail_and_wait(opened(store, clock), clock, NAMES + 4) == 80
    store.close()
    clock.go(seconds=20)
    assert opened(house.open(), clock).waiting("anna", HERE) == 60


def test_two_processes_count_together(postgres: House) -> None:
    clock = Clock()
    one, two = (opened(postgres.open(), clock) for _ in range(2))
    for number in range(NAMES):
        fail((one, two)[number % 2], address=f"192.0.2.{number}")
    assert one.waiting("anna", ELSEWHERE) == two.waiting("anna", ELSEWHERE) == 5


def test_a_thousand_at_once_are_no_way_round(house: House) -> None:
    """Attempts count from their beginning: only so many passwords are ever looked at."""
    clock = Clock()
    stores = [house.open()]
    if house.kind == "postgresql":
        stores.append(house.open())
    throttles = [opened(store, clock) for store in stores]
    ready = Barrier(8)

    def attack(worker: int) -> int:
        throttle, begun = throttles[worker % len(throttles)], 0
        ready.wait(GUARD)
        for number in range(125):
            try:
                throttle.must_wait("anna", f"192.0.2.{worker * 8 + number % 8}")
            except TooManyAttempts:
                continue
            begun += 1
        return begun

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(attack, range(8))) == NAMES
    clock.go(minutes=15)
    throttles[0].must_wait("anna", HERE)


def test_a_clock_set_back_locks_nobody_out_for_longer(house: House) -> None:
    clock = Clock()
    store = house.open()
    throttle = opened(store, clock)
    clock.jump(days=365)
    fail_and_wait(throttle, clock, NAMES + 3)
    clock.jump(days=-365)
    assert throttle.waiting("anna", HERE) == 40
    clock.go(seconds=40)
    assert throttle.waiting("anna", HERE) == 0
    restarted = opened(store, clock)
    assert restarted.waiting("anna", HERE) == 0
    assert fail(restarted, times=NAMES) == 5


def test_a_clock_set_forward_forgives_but_set_back_again_does_not_lock(store: Store) -> None:
    clock = Clock()
    throttle = opened(store, clock)
    assert fail_and_wait(throttle, clock, NAMES + 8) == 900
    clock.jump(minutes=10)
    assert throttle.waiting("anna", HERE) == 300
    clock.jump(minutes=-10)
    assert throttle.waiting("anna", HERE) == 300


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["fail", "jump on", "jump back", "restart", "go"]), max_size=40))
def test_nobody_ever_waits_longer_than_the_longest_wait(sqlite: House, moves: list[str]) -> None:
    store = sqlite.open()
    clock = Clock()
    throttle = opened(store, clock)
    try:
        for move in moves:
            if move == "fail" and throttle.waiting("anna", HERE) == 0:
                fail(throttle)
            elif move == "jump on":
                clock.jump(hours=7)
            elif move == "jump back":
                clock.jump(hours=-7)
            elif move == "restart":
                throttle = opened(store, clock)
            else:
                clock.go(seconds=100)
            assert throttle.waiting("anna", HERE) * SECOND <= LONGEST
        clock.go(seconds=LONGEST // SECOND + SKEW // SECOND)
        assert throttle.waiting("anna", HERE) == 0
    finally:
        store.close()


def test_what_is_counted_has_a_bound(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 20)
    monkeypatch.setattr(module, "PRUNE_EVERY", 16)
    clock = Clock()
    throttle = opened(store, clock)
    fail(throttle, times=NAMES)
    clock.go(seconds=1)
    for number in range(200):
        throttle.must_wait(f"p{number}", f"10.0.0.{number}")
    assert count(store) <= 3 * 20 + 2 * 16
    assert throttle.waiting("anna", ELSEWHERE) == 4, "the most failed are kept"


def test_what_no_longer_counts_is_removed(store: Store) -> None:
    clock = Clock()
    throttle = opened(store, clock)
    fail(throttle, times=3)
    throttle.must_wait("bo", HERE)
    throttle.succeeded("bo", HERE)
    assert count(store) == 4

    def remove(connection: Connection) -> None:
        prune(connection, throttle._now())

    store.write(remove).result(GUARD)
    assert count(store) == 4
    clock.go(hours=2)
    store.write(remove).result(GUARD)
    assert count(store) == 1, "where bo is known"
    clock.go(days=31)
    store.write(remove).result(GUARD)
    assert count(store) == 0


def test_neither_names_nor_addresses_are_kept(store: Store) -> None:
    throttle = opened(store, Clock())
    fail(throttle, "my secret password", "203.0.113.77")
    kept = [str(value) for value in everything(store)]
    assert not [value for value in kept if "secret" in value or "203.0" in value]


def test_rubbish_is_counted_like_anything_else(store: Store) -> None:
    throttle = opened(store, Clock())
    for name in ("", "\x00", "\udcff", "虎" * 100_000):
        fail(throttle, name, "\udcff\x00")


def test_marks_are_the_same_in_every_process_and_other_in_every_house(house: House) -> None:
    store = house.open()
    assert AddressMarks(store).mark("a") == AddressMarks(store).mark("a")
    assert AddressMarks(store).mark("a", "b") != AddressMarks(store).mark("ab", "")
    assert AddressMarks(store).address("") == ""
    assert network("fe80::1%eth0") == "fe80::"


def test_two_processes_agree_on_their_salt(postgres: House) -> None:
    stores = [postgres.open(), postgres.open()]
    ready = Barrier(2)

    def mark(store: Store) -> str:
        ready.wait(GUARD)
        return AddressMarks(store).mark("a")

    with ThreadPoolExecutor(2) as threads:
        assert len(set(threads.map(mark, stores))) == 1
