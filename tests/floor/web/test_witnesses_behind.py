"""Witnesses of the log fall behind: pit and auditor see it, and tables that are set so begin no round."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.floor.record.log.witnesses import ListedWitness, Witnesses, tables_that_stop
from lammer.transparency.notes import WITNESS, PublicKey
from support.open_house import SETUP, OpenHouse, in_loop, open_house, put_up

KEY = PublicKey(
    "witness.example/w1",
    WITNESS,
    Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw(),
)
ALWAYS_BEHIND, NEVER_BEHIND = -1.0, 3600.0


def watched_by(house: OpenHouse, late_seconds: float) -> None:
    """The house has one witness that nobody runs, and must be seen by it."""
    context = house.made.context
    witnesses = Witnesses(context.house.store, [ListedWitness(KEY, "http://127.0.0.1:9")], 1, late_seconds)
    witnesses.start()
    context.witnesses = context.gateway.witnesses = witnesses


@in_loop
async def test_supervisors_and_auditors_see_that_witnesses_are_behind(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await put_up(house.house)
        told = "The log of the house is not watched as it should be."
        for late, seen in ((NEVER_BEHIND, False), (ALWAYS_BEHIND, True)):
            watched_by(house, late)
            for role, path in (("pit_supervisor", "/pit"), ("pit_manager", "/pit"), ("auditor", "/audit")):
                page = await (await house.person(role)).get(path)
                assert page.status_code == 200
                assert (told in page.text) == seen, (role, late)
            for role in ("player", "dealer"):
                assert told not in (await (await house.person(role)).get("/")).text
        listed = (await (await house.person("auditor")).get("/stops")).text
        assert "witness.example/w1" in listed
        assert "has seen nothing for 0 seconds" in listed
        assert "witness.example/w1" not in (await (await house.person("dealer")).get("/stops")).text


@in_loop
async def test_a_table_that_is_set_so_begins_no_round_while_they_are_behind(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        administrator, manager = await house.person("administrator"), await house.person("pit_manager")
        dealer = await house.person("dealer")
        for table in ("t1", "t2"):
            assert (await administrator.post("/api/tables", table=table, title=table)).is_success
            assert (await manager.ask(table, "set_table", setup=SETUP)).is_success
            assert (await dealer.ask(table, "prepare_shoe")).is_success
        watched_by(house, ALWAYS_BEHIND)
        house.made.context.gateway.must_be_witnessed = tables_that_stop("t1")
        refused = await dealer.ask("t1", "open_bets")
        assert (refused.status_code, refused.json()["code"]) == (422, "witnesses_behind")
        assert (await dealer.ask("t2", "open_bets")).is_success
        watched_by(house, NEVER_BEHIND)
        assert (await dealer.ask("t1", "open_bets")).is_success


@pytest.mark.parametrize("written", ["true", "1", "t1", " t0 , t1"])
def test_where_no_round_begins_is_read_from_the_setting(written: str) -> None:
    assert tables_that_stop(written)("t1")
    assert tables_that_stop(written)("t9") == (written in {"true", "1"})
    for nowhere in ("", "false", "0"):
        assert not tables_that_stop(nowhere)("t1")
