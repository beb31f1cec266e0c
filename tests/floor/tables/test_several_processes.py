"""Two processes on one PostgreSQL, each with its own store: one at a time decides for a table."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest

from lammer.floor.record.contract import Append, Conflict, Fenced, KeyReused
from support.awaited import GUARD, until
from support.houses import House, held_back, intact, key, put


def test_what_the_other_wrote_counts(postgres: House) -> None:
    one, two = postgres.open(), postgres.open()
    one.append(Append("t1", 0, (b"1",))).result(GUARD)
    assert two.append(Append("t1", 1, (b"2",))).result(GUARD).last == 2
    with pytest.raises(Conflict) as refused:
        one.append(Append("t1", 1, (b"x",))).result(GUARD)
    assert refused.value.found == 2
    assert one.append(Append("t1", 2, (b"3",))).result(GUARD).last == 3
    assert intact(two) == {"t1": [b"1", b"2", b"3"]}


def test_a_retry_may_reach_the_other(postgres: House) -> None:
    one, two = postgres.open(), postgres.open()
    one.append(Append("t1", 0, (b"bet",), key("k"), b"placed")).result(GUARD)
    again = two.append(put(two, "t1", b"bet", key=key("k"), reply=b"again")).result(GUARD)
    assert (again.repeat, again.reply) == (True, b"placed")
    with pytest.raises(KeyReused):
        two.append(put(two, "t1", b"bet", key=key("k", "other"))).result(GUARD)
    assert intact(one) == {"t1": [b"bet"]}


def test_whoever_lost_the_table_writes_nothing(postgres: House) -> None:
    """The first thinks it still has its turn; what it had in hand is refused, and what it then asks too."""
    one, two = postgres.open(), postgres.open()
    first = one.take("t1", "one", 0.05)
    assert first is not None
    assert one.append(Append("t1", 0, (b"1",), epoch=first)).result(GUARD).last == 1
    with held_back(one):
        late = [one.append(Append("t1", n, (b"late",), key(f"{n}"), epoch=first)) for n in (1, 2)]
        mine = one.append(Append("t9", 0, (b"x",)))
        second = None
        while second is None:
            second = two.take("t1", "two", 60)
        assert two.append(Append("t1", 1, (b"2",), epoch=second)).result(GUARD).last == 2
    assert [type(future.exception(GUARD)) for future in late] == [Fenced, Fenced]
    assert mine.result(GUARD).last == 1
    assert one.renew("one", 60) == {}
    assert two.append(Append("t1", 2, (b"again",), key("1"), epoch=second)).result(GUARD).repeat is False
    assert intact(one)["t1"] == [b"1", b"2", b"again"]


def test_nobody_writes_after_his_turn_however_close(postgres: House) -> None:
    """Two take the table from each other all the time; nothing of an earlier turn follows a new one."""
    taken: list[tuple[int, int]] = []
    wrote: set[int] = set()
    over = threading.Event()

    def play(name: str) -> None:
        store = postgres.open()
        while not over.is_set():
            epoch = store.take("t1", name, -1)
            assert epoch is not None
            number = store.head("t1").number
            taken.append((epoch, number))
            with suppress(Conflict, Fenced):
                for _ in range(3):
                    asked = [Append("t1", number + n, (b"%d" % epoch,), epoch=epoch) for n in range(4)]
                    for future in [store.append(append) for append in asked]:
                        number = future.result(GUARD).last
                        wrote.add(epoch)

    players = [threading.Thread(target=play, args=(name,), daemon=True) for name in ("one", "two")]
    for player in players:
        player.start()
    try:
        until(lambda: len(wrote) > 10)
    finally:
        over.set()
        for player in players:
            player.join()
    written = [int(body) for body in intact(postgres.look())["t1"]]
    assert len(set(written)) > 3
    for epoch, number in taken:
        assert all(later >= epoch for later in written[number:])


def test_both_fight_for_one_table_and_nothing_is_lost_or_doubled(postgres: House) -> None:
    stores = [postgres.open(), postgres.open()]

    def fight(mine: int) -> None:
        store = stores[mine]
        for n in range(60):
            while True:
                try:
                    asked = put(store, "t1", b"%d-%d" % (mine, n), key=key(f"{n}", client=f"c{mine}"))
                    store.append(asked).result(GUARD)
                    break
                except Conflict:
                    continue

    threads = [threading.Thread(target=fight, args=(mine,), daemon=True) for mine in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = intact(stores[0])["t1"]
    assert sorted(found) == sorted(b"%d-%d" % (mine, n) for mine in (0, 1) for n in range(60))


def test_the_other_hears_of_it(postgres: House) -> None:
    one, two = postgres.open(), postgres.open()
    heard: dict[str, int] = {}

    def hear(table: str, number: int) -> None:
        heard[table] = number

    two.follow(hear)
    futures = [one.append(Append(f"t{n % 7}", n // 7, (b"x",))) for n in range(70)]
    for future in futures:
        future.result(GUARD)
    until(lambda: heard == {f"t{n}": 10 for n in range(7)})


def test_checkpoints_of_two_do_not_mix(postgres: House) -> None:
    one, two = postgres.open(), postgres.open()
    one.append_checkpoint(1, b"one")
    with pytest.raises(Conflict):
        two.append_checkpoint(1, b"two")
    two.append_checkpoint(2, b"two")
    assert one.checkpoints() == [b"one", b"two"]
