"""Keys of machines: one table, one purpose."""

from __future__ import annotations

import pytest
from sqlalchemy import event

from lammer.floor.access.api_keys import PURPOSES, ApiKeys
from lammer.floor.record.contract import Store
from lammer.rulebook.refusal import Refused
from support.guests import Clock, everything
from support.houses import House


def test_a_key_is_for_one_table_and_one_purpose(store: Store) -> None:
    clock = Clock()
    keys = ApiKeys(store, clock)
    id_, key = keys.make("t 1", "shoe_reader", "root")
    found = keys.find(key)
    assert found is not None
    assert (found.id, found.table, found.purpose, found.made_by) == (id_, "t 1", "shoe_reader", "root")
    assert found.made_at == clock.wall
    for table in ("t 1", "t 2"):
        for purpose in PURPOSES:
            assert found.serves(table, purpose) == ((table, purpose) == ("t 1", "shoe_reader"))
    for rubbish in ("", id_, key[:-1], key + "x", "\x00", "虎", "\udcff", "x" * 10_000):
        assert keys.find(rubbish) is None


def test_a_revoked_key_opens_nothing_and_stays_on_the_list(store: Store) -> None:
    clock = Clock()
    keys = ApiKeys(store, clock)
    (first, one), (second, two) = (
        keys.make("t1", "shoe_reader", "root"),
        keys.make("t2", "display_board", "root"),
    )
    assert keys.find(one) is not None
    clock.go(hours=1)
    assert keys.revoke(first, by="boss")
    assert not keys.revoke(first, by="boss")
    assert not keys.revoke("nothing")
    assert keys.find(one) is None
    assert keys.fresh(one) is None
    assert keys.find(two) is not None
    listed = {key.id: key for key in keys.list()}
    assert (listed[first].revoked_at, listed[first].revoked_by) == (clock.wall, "boss")
    assert not listed[first].serves("t1", "shoe_reader")
    assert listed[second].revoked_at is None


def test_what_no_key_is_made_for_is_refused(store: Store) -> None:
    keys = ApiKeys(store, Clock())
    for table, purpose, code in (
        ("t1", "dealer", "unknown_purpose"),
        ("t1", "", "unknown_purpose"),
        ("", "shoe_reader", "malformed_input"),
        ("t\x00", "shoe_reader", "malformed_input"),
    ):
        with pytest.raises(Refused) as refused:
            keys.make(table, purpose, "root")  # type: ignore[arg-type]
        assert refused.value.code == code
    assert keys.list() == ()


def test_no_key_is_kept_or_shown(store: Store) -> None:
    keys = ApiKeys(store, Clock())
    _, key = keys.make("t1", "shoe_reader", "root")
    assert key not in repr((keys.find(key), keys.list(), vars(keys)))
    assert not [value for value in everything(store) if key in str(value)]


def test_within_a_second_the_database_is_not_asked_again(store: Store) -> None:
    clock = Clock()
    keys = ApiKeys(store, clock, ticks=clock.ticks)
    _, key = keys.make("t1", "shoe_reader", "root")
    asked: list[str] = []
    event.listen(store._readers, "before_cursor_execute", lambda *given: asked.append(given[2]))  # type: ignore[attr-defined]
    for _ in range(50):
        assert keys.find(key) is not None
        assert keys.fresh(key) is not None
    assert len([statement for statement in asked if "api_keys" in statement]) == 1
    clock.running += 1
    assert keys.fresh(key) is None
    assert keys.find(key) is not None
    assert len([statement for statement in asked if "api_keys" in statement]) == 2


def test_a_revocation_counts_in_another_process_within_two_seconds(postgres: House) -> None:
    clock = Clock()
    here, there = (ApiKeys(postgres.open(), clock, ticks=clock.ticks) for _ in range(2))
    id_, key = here.make("t1", "shoe_reader", "root")
    assert there.find(key) is not None
    here.revoke(id_)
    clock.go(seconds=2)
    assert there.find(key) is None, "still good"
