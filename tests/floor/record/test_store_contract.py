"""What a store promises, proved on both databases."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, insert, text
from sqlalchemy.exc import DBAPIError

from lammer.floor.record.chain import genesis, link
from lammer.floor.record.contract import (
    Append,
    Conflict,
    Fenced,
    Head,
    Key,
    KeyReused,
    Store,
    StoreUnavailable,
)
from lammer.floor.record.schema import snapshots
from lammer.floor.record.sealing import Snapshot
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD, until
from support.houses import House, held_back, intact, key, put, recall


def test_an_event_is_read_back_as_it_was_written(store: Store) -> None:
    told = store.append(Append("t1", 0, (b"\x00one", b"two"))).result(GUARD)
    one = link(genesis("t1"), "t1", 1, b"\x00one")
    two = link(one, "t1", 2, b"two")
    assert (told.first, told.last, told.hash, told.repeat) == (1, 2, two, False)
    assert [(e.number, e.body, e.hash) for e in store.read("t1")] == [(1, b"\x00one", one), (2, b"two", two)]
    assert store.read("t1", after=1)[0].number == 2
    assert len(store.read("t1", limit=1)) == 1
    assert store.head("t1") == Head(2, two)
    assert store.head("t2") == Head(0, genesis("t2"))


def test_tables_and_heads_are_listed(store: Store) -> None:
    assert store.heads() == {}
    assert store.tables() == []
    for table in ("虎", "a", "B", "t 10", "t 9"):
        store.append(Append(table, 0, (b"1", b"2"))).result(GUARD)
    assert store.tables() == sorted(["虎", "a", "B", "t 10", "t 9"])
    assert {table: head.number for table, head in store.heads().items()} == dict.fromkeys(store.tables(), 2)
    assert store.heads()["虎"] == store.head("虎")


def test_acknowledged_means_others_can_see_it(house: House) -> None:
    store = house.open()
    record = house.look()
    seen: list[int] = []
    for number in range(20):
        told = store.append(Append("t1", number, (b"x",)))
        told.add_done_callback(lambda future: seen.append(record.head("t1").number - future.result().last))
        told.result(GUARD)
    store.close()
    assert len(seen) == 20
    assert set(seen) == {0}


def test_pipelined_appends_are_committed_in_order(store: Store) -> None:
    order: list[int] = []
    futures = [store.append(Append("t1", n, (b"%d" % n,))) for n in range(700)]
    for future in futures:
        future.add_done_callback(lambda done: order.append(done.result().last))
    assert [future.result(GUARD).last for future in futures] == list(range(1, 701))
    assert order == sorted(order)
    assert intact(store) == {"t1": [b"%d" % n for n in range(700)]}


def test_an_append_larger_than_a_group_is_one_append(store: Store) -> None:
    bodies = tuple(b"%d" % n for n in range(1_000))
    assert store.append(Append("t1", 0, bodies, key("big"))).result(GUARD).last == 1_000
    assert store.append(Append("t1", 0, bodies, key("big"))).result(GUARD).repeat
    with pytest.raises(Conflict):
        store.append(Append("t1", 999, bodies)).result(GUARD)
    assert intact(store) == {"t1": list(bodies)}


@pytest.mark.parametrize("after", [0, 1, 3, 99])
def test_a_table_that_moved_on_is_a_conflict(store: Store, after: int) -> None:
    store.append(Append("t1", 0, (b"1", b"2"))).result(GUARD)
    with pytest.raises(Conflict) as refused:
        store.append(Append("t1", after, (b"x",))).result(GUARD)
    assert (refused.value.table, refused.value.after, refused.value.found) == ("t1", after, 2)
    assert intact(store) == {"t1": [b"1", b"2"]}


def test_when_one_fails_those_decided_on_it_fail_and_no_others(store: Store) -> None:
    store.append(Append("t1", 0, (b"0",))).result(GUARD)
    with held_back(store):
        good = [store.append(Append("t1", 1, (b"1",))), store.append(Append("t2", 0, (b"a",)))]
        bad = [store.append(Append("t1", 1, (b"x",))), store.append(Append("t1", 3, (b"y",)))]
        good += [store.append(Append("t1", 2, (b"2",))), store.append(Append("t2", 1, (b"b",)))]
    for future in bad:
        assert isinstance(future.exception(GUARD), Conflict)
    assert [future.result(GUARD).last for future in good] == [2, 1, 3, 2]
    assert intact(store) == {"t1": [b"0", b"1", b"2"], "t2": [b"a", b"b"]}


def test_a_mistake_of_ours_fails_alone(store: Store) -> None:
    with held_back(store):
        good = store.append(Append("t1", 0, (b"1",)))
        bad = store.append(Append("t2", 0, ("text",)))  # type: ignore[arg-type]
        also = store.append(Append("t3", 0, (b"1",)))
    assert isinstance(bad.exception(GUARD), TypeError)
    assert good.result(GUARD).last == also.result(GUARD).last == 1
    assert intact(store).keys() == {"t1", "t3"}


def test_a_retry_gets_the_first_reply_and_appends_nothing(house: House) -> None:
    store = house.open()
    first = store.append(Append("t1", 0, (b"bet",), key("k"), b"placed")).result(GUARD)
    again = store.append(Append("t1", 1, (b"bet",), key("k"), b"placed twice?")).result(GUARD)
    stale = store.append(Append("t1", 0, (b"bet",), key("k"), b"placed twice?")).result(GUARD)
    assert not first.repeat
    assert again == stale
    assert again.repeat
    assert (again.first, again.last, again.hash, again.reply) == (1, 1, first.hash, b"placed")
    store.close()
    store = house.open()
    assert store.append(Append("t1", 1, (b"bet",), key("k"))).result(GUARD) == again
    assert recall(store, key("k")) == again
    assert recall(store, key("unknown")) is None
    assert intact(store) == {"t1": [b"bet"]}


def test_a_retry_beside_its_original_counts_once(store: Store) -> None:
    with held_back(store):
        futures = [store.append(Append("t1", n, (b"bet",), key("k"), b"%d" % n)) for n in (0, 1, 0)]
    told = [future.result(GUARD) for future in futures]
    assert [t.repeat for t in told] == [False, True, True]
    assert {t.reply for t in told} == {b"0"}
    assert intact(store) == {"t1": [b"bet"]}


def test_a_key_belongs_to_one_request_of_one_client(store: Store) -> None:
    store.append(Append("t1", 0, (b"1",), key("k"), b"r")).result(GUARD)
    for other in (Append("t1", 1, (b"2",), key("k", "else")), Append("t2", 0, (b"2",), key("k"))):
        with pytest.raises(KeyReused):
            store.append(other).result(GUARD)
    with pytest.raises(KeyReused):
        recall(store, key("k", "else"))
    assert not store.append(Append("t1", 1, (b"2",), key("k", client="p2"))).result(GUARD).repeat


def test_a_request_that_changed_nothing_is_remembered_too(store: Store) -> None:
    store.append(Append("t1", 0, (b"1",))).result(GUARD)
    told = store.append(Append("t1", 1, (), key("k"), b"nothing to do")).result(GUARD)
    assert (told.first, told.last, told.hash) == (2, 1, store.head("t1").hash)
    again = store.append(Append("t1", 9, (), key("k"))).result(GUARD)
    assert (again.repeat, again.reply) == (True, b"nothing to do")
    new = store.append(Append("t9", 0, (), key("k9"), b"no table yet")).result(GUARD)
    assert (new.first, new.last, new.hash) == (1, 0, genesis("t9"))
    assert intact(store) == {"t1": [b"1"]}


def test_a_failed_request_leaves_its_key_free(store: Store) -> None:
    with pytest.raises(Conflict):
        store.append(Append("t1", 7, (b"1",), key("k"))).result(GUARD)
    assert not store.append(Append("t1", 0, (b"1",), key("k"))).result(GUARD).repeat


def test_many_threads_many_tables(store: Store) -> None:
    """Each thread writes its own table, and fights for one table with all others."""

    def write(thread: int) -> int:
        won = 0
        for n in range(40):
            store.append(Append(f"own-{thread}", n, (b"%d" % n,), key(f"{n}", client=f"c{thread}"))).result(
                20
            )
            try:
                store.append(put(store, "shared", b"%d" % thread)).result(GUARD)
                won += 1
            except Conflict:
                pass
        return won

    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(write, range(8)))
    found = intact(store)
    assert len(found.pop("shared")) == sum(won) > 0
    assert found == {f"own-{thread}": [b"%d" % n for n in range(40)] for thread in range(8)}


def test_a_turn_that_is_over_may_not_write(store: Store) -> None:
    first = store.take("t1", "a", 60)
    assert first is not None
    store.append(Append("t1", 0, (b"a",), epoch=first)).result(GUARD)
    assert store.take("t1", "b", 60) is None
    store.release("t1", "a", first)
    second = store.take("t1", "b", 60)
    assert second == first + 1
    with held_back(store):
        stale = store.append(Append("t1", 1, (b"late",), key("late"), epoch=first))
        fresh = store.append(Append("t1", 1, (b"b",), epoch=second))
        unfenced = store.append(Append("t2", 0, (b"x",)))
        never = store.append(Append("t3", 0, (b"x",), epoch=1))
    assert isinstance(stale.exception(GUARD), Fenced)
    assert isinstance(never.exception(GUARD), Fenced)
    assert fresh.result(GUARD).last == 2
    assert unfenced.result(GUARD).last == 1
    assert recall(store, key("late")) is None
    assert intact(store) == {"t1": [b"a", b"b"], "t2": [b"x"]}


def test_turns_run_out_are_renewed_and_are_listed(store: Store) -> None:
    assert store.take("t1", "a", -1) == 1
    assert store.take("t2", "a", 60) == 1
    assert store.renew("a", 60) == {"t1": 1, "t2": 1}
    assert store.take("t1", "b", 60) is None
    assert store.take("t3", "a", -1) == 1
    assert store.take("t3", "b", 60) == 2
    assert store.renew("a", 60) == {"t1": 1, "t2": 1}
    assert store.take("t2", "a", 60) == 2, "taking again begins a new turn"
    assert {t: (lease.owner, lease.epoch) for t, lease in store.leases().items()} == {
        "t1": ("a", 1),
        "t2": ("a", 2),
        "t3": ("b", 2),
    }
    store.release("t1", "a", 99)
    assert store.take("t1", "b", 60) is None, "a turn is released by its number"


def test_snapshots_are_of_what_happened(store: Store) -> None:
    assert store.latest_snapshot("t1") is None
    hashes = [store.append(Append("t1", n, (b"%d" % n,))).result(GUARD).hash for n in range(5)]
    for number in (1, 3, 4, 4):
        store.save_snapshot(Snapshot("t1", number, hashes[number - 1], b"state %d" % number))
    assert store.latest_snapshot("t1") == Snapshot("t1", 4, hashes[3], b"state 4")
    with store.reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM snapshots")) == 2
    with pytest.raises(Conflict):
        store.save_snapshot(Snapshot("t1", 5, hashes[0], b"of another history"))
    assert store.latest_snapshot("t2") is None


def test_checkpoints_are_kept_in_order(store: Store) -> None:
    assert store.latest_checkpoint() is None
    for number in (1, 2, 3):
        store.append_checkpoint(number, b"line %d" % number)
    for number in (3, 5):
        with pytest.raises(Conflict):
            store.append_checkpoint(number, b"x")
    assert store.checkpoints() == [b"line 1", b"line 2", b"line 3"]
    assert store.checkpoints(1, 1) == [b"line 2"]
    assert store.latest_checkpoint() == b"line 3"


def test_followers_hear_where_tables_stand_and_when_they_move(store: Store) -> None:
    store.append(Append("t1", 0, (b"1", b"2"))).result(GUARD)
    heard: list[tuple[str, int]] = []

    def hear(table: str, number: int) -> None:
        heard.append((table, number))

    stop = store.follow(hear)
    until(lambda: ("t1", 2) in heard)
    store.append(Append("t1", 2, (b"3",))).result(GUARD)
    store.append(Append("t 2", 0, (b"1",))).result(GUARD)
    until(lambda: {("t1", 3), ("t 2", 1)} <= set(heard))
    stop()
    store.append(Append("t1", 3, (b"4",))).result(GUARD)
    assert ("t1", 4) not in heard


def test_other_work_is_all_or_nothing_and_harms_nobody(store: Store) -> None:
    def fails(connection: Connection) -> None:
        connection.execute(insert(snapshots).values(table_id="x", number=1, hash=b"", body=b""))
        raise ZeroDivisionError

    with held_back(store):
        before = store.append(Append("t1", 0, (b"1",)))
        failing = store.write(fails)
        wrong = store.write(lambda connection: connection.execute(text("SELECT no_such_column FROM events")))
        after = store.append(Append("t1", 1, (b"2",)))
    assert isinstance(failing.exception(GUARD), ZeroDivisionError)
    assert wrong.exception(GUARD) is not None
    assert (before.result(GUARD).last, after.result(GUARD).last) == (1, 2)
    assert store.latest_snapshot("x") is None


@pytest.mark.parametrize(
    "statement", ["UPDATE events SET body = hash", "DELETE FROM events", "DELETE FROM checkpoints"]
)
def test_the_database_itself_refuses_to_change_the_past(store: Store, statement: str) -> None:
    store.append(Append("t1", 0, (b"1",))).result(GUARD)
    store.append_checkpoint(1, b"line")
    with pytest.raises(DBAPIError, match="never"):
        store.write(lambda connection: connection.execute(text(statement))).result(GUARD)
    with pytest.raises((DBAPIError, StoreUnavailable)), store.reading() as connection:
        connection.execute(text("INSERT INTO checkpoints VALUES (2, 'x')"))
    assert intact(store) == {"t1": [b"1"]}


def test_closing_finishes_what_was_handed_in(house: House) -> None:
    store = house.open()
    with held_back(store):
        futures = [store.append(Append("t1", n, (b"x",))) for n in range(300)]
    store.close()
    assert [future.result(0).last for future in futures] == list(range(1, 301))
    with pytest.raises(StoreUnavailable):
        store.append(Append("t1", 300, (b"x",)))
    store.close()
    assert house.open().head("t1").number == 300


def test_futures_resolve_where_they_are_wanted(house: House) -> None:
    handed: list[Callable[[], None]] = []
    store = house.open(deliver=handed.append)
    futures = [store.append(Append("t1", 0, (b"1",)))]
    until(lambda: store.head("t1").number == 1 and handed)
    futures += [store.append(Append("t1", n, (b"x",))) for n in range(1, 4)]
    until(lambda: store.head("t1").number == 4 and len(handed) >= 2)
    assert not any(future.done() for future in futures)

    def settled() -> bool:
        while handed:
            handed.pop(0)()
        return all(future.done() for future in futures)

    until(settled)
    assert [future.result(0).last for future in futures] == [1, 2, 3, 4]


def test_an_event_loop_that_is_gone_leaves_nobody_waiting(house: House) -> None:
    def gone(_: object) -> None:
        raise RuntimeError("Event loop is closed")

    store = house.open(deliver=gone)
    future = store.append(Append("t1", 0, (b"1",)))
    assert not future.cancel(), "what was handed in cannot be taken back"
    assert future.result(GUARD).last == 1


@pytest.mark.parametrize("name", ["", "a\x00b", "line\n", "\ud800", "x" * 201])
def test_names_that_would_not_come_back_the_same_are_refused(store: Store, name: str) -> None:
    with pytest.raises(Refused):
        Append(name, 0, (b"",))
    with pytest.raises(Refused):
        Key("p1", name, bytes(32))
    with pytest.raises(Refused):
        Key(name, "k", bytes(32))
    with pytest.raises(Refused):
        store.take(name, "a", 1)


def test_names_of_any_letters_come_back_the_same(store: Store) -> None:
    name = "'; DROP TABLE events; -- 老虎 %s ? {} \\ \" é"
    store.append(Append(name, 0, (b"",), key(name, client=name))).result(GUARD)
    assert store.tables() == [name]
    assert store.append(Append(name, 0, (b"",), key(name, client=name))).result(GUARD).repeat
