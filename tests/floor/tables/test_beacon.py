"""A public beacon comes last in a shuffle: its round is named before it comes and believed by its key."""

from __future__ import annotations

import asyncio
import runpy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from lammer.floor.record.clock import Clock
from lammer.floor.record.verify.verify import verify
from lammer.floor.tables.beacon import Beacon
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import decode, encode
from lammer.table.records import BeaconRound
from support.open_house import OpenHouse, Person, books, in_loop, open_house
from support.own_beacon import OwnBeacon

TABLE = "t1"
OPEN_SECONDS = 8
SCRIPT = runpy.run_path(str(Path(__file__).parents[3] / "docs/guides/verify_shuffle.py"))


class Passing:
    """A clock that goes on when it is told to."""

    def __init__(self, house: OpenHouse) -> None:
        self.moment = datetime.now(UTC)
        house.house.commands.clock = Clock(now=lambda: self.moment)

    def go_on(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


async def begun(house: OpenHouse, own: OwnBeacon) -> tuple[Person, BeaconRound]:
    """A shuffle was begun at a table with one player; the dealer, and the round it waits for."""
    house.house.commands.beacon = Beacon(own.address, own.transport)
    await house.table(TABLE, shoe="virtual")
    dealer, mei = await house.person("dealer"), await house.another("mei", "player")
    assert (await mei.ask(TABLE, "take_seat", box=1)).is_success
    answer = await dealer.ask(TABLE, "begin_shuffle")
    assert answer.is_success, answer.text
    shuffle = house.house.tables.view(TABLE).table.shuffle
    assert shuffle is not None
    assert shuffle.beacon is not None
    assert shuffle.beacon.due > shuffle.closes.timestamp()
    assert (await mei.ask(TABLE, "add_entropy", entropy="cut 187")).is_success
    return dealer, shuffle.beacon


@in_loop
async def test_a_shoe_waits_for_its_round_and_takes_no_other(tmp_path: Path) -> None:
    own = OwnBeacon(genesis=int(datetime.now(UTC).timestamp()) - 1_000)
    async with open_house(tmp_path, pages=True, shuffle_seconds=OPEN_SECONDS) as house:
        clock = Passing(house)
        dealer, wanted = await begun(house, own)
        own.come = wanted.round - 1
        told = f"Round {wanted.round:,} of the public beacon comes last"
        assert told in (await (await house.another("mei", "player")).get(f"/tables/{TABLE}")).text
        assert (await dealer.ask(TABLE, "prepare_shoe")).json()["code"] == "shuffle_open"
        clock.go_on(OPEN_SECONDS)
        assert (await dealer.ask(TABLE, "prepare_shoe")).json()["code"] == "beacon_awaited"
        assert own.asked == ["info"], "a round that is not due is not asked for"
        clock.go_on(wanted.due - clock.moment.timestamp())
        assert (await dealer.ask(TABLE, "prepare_shoe")).json()["code"] == "beacon_unreachable"
        own.come = wanted.round + 5
        assert (await dealer.ask(TABLE, "prepare_shoe")).is_success
        assert own.asked[-1] == f"public/{wanted.round}"
        supervisor = await house.person("pit_supervisor")
        assert (await supervisor.ask(TABLE, "end_shoe", reason="the end of a test")).is_success
        record = house.house.store
        read = [record.seals.open(TABLE, stored.body) for stored in record.read(TABLE)]
        assert all(good for good, _ in SCRIPT["verify"]([encode(entry).decode() for entry in read]))
        (found,) = (await asyncio.to_thread(verify, record, books())).tables
        assert found.wrong == ()
        made = next(each.event for each in map(decode, (s.body for s in record.read(TABLE)))
                    if isinstance(each.event, e.ShoePrepared))  # fmt: skip
        assert made.beacon == replace_beacon(wanted, own)


def replace_beacon(wanted: BeaconRound, own: OwnBeacon) -> BeaconRound:
    return BeaconRound(
        wanted.chain, wanted.scheme, wanted.key, wanted.genesis, wanted.period, wanted.round,
        own.signature(wanted.round).hex(), own.previous(wanted.round).hex(),
    )  # fmt: skip


@in_loop
async def test_what_its_chain_did_not_sign_makes_no_shoe(tmp_path: Path) -> None:
    own = OwnBeacon(genesis=1_000)
    async with open_house(tmp_path, shuffle_seconds=OPEN_SECONDS) as house:
        clock = Passing(house)
        dealer, _ = await begun(house, own)
        clock.go_on(3_600)
        forger = replace(own, secret=99)

        def forged(request: httpx.Request) -> httpx.Response:
            number = int(request.url.path.rpartition("/")[2])
            return httpx.Response(200, json={"round": number, "signature": forger.signature(number).hex()})

        def earlier(request: httpx.Request) -> httpx.Response:
            number = int(request.url.path.rpartition("/")[2]) - 1
            return httpx.Response(200, json={"round": number, "signature": own.signature(number).hex()})

        for answer in (
            forged,
            earlier,
            lambda _: httpx.Response(200, content=b"{"),
            lambda _: httpx.Response(404),
        ):
            house.house.commands.beacon = Beacon(own.address, httpx.MockTransport(answer))
            refused = await dealer.ask(TABLE, "prepare_shoe")
            assert refused.json()["code"] == "beacon_unreachable"
            assert house.house.tables.view(TABLE).table.shoe is None
        house.house.commands.beacon = None
        assert (await dealer.ask(TABLE, "prepare_shoe")).json()["code"] == "beacon_unreachable"
        house.house.commands.beacon = Beacon(own.address, own.transport)
        assert (await dealer.ask(TABLE, "prepare_shoe")).is_success


@in_loop
async def test_a_house_that_makes_up_a_round_is_found_by_whoever_verifies(tmp_path: Path) -> None:
    """Free to write any signature it could try a thousand, and keep the shoe it likes."""

    class MadeUp(Beacon):
        async def come(self, wanted: BeaconRound) -> tuple[str, str]:
            return "ab" * 48, ""

    own = OwnBeacon(genesis=1_000)
    async with open_house(tmp_path, shuffle_seconds=0) as house:
        clock = Passing(house)
        dealer, _ = await begun_at_once(house, own)
        house.house.commands.beacon = MadeUp(own.address, own.transport)
        clock.go_on(3_600)
        assert (await dealer.ask(TABLE, "prepare_shoe")).is_success
        (found,) = (await asyncio.to_thread(verify, house.house.store, books())).tables
        assert any("the round of the beacon is not signed by its chain" in doubt for doubt in found.wrong)


async def begun_at_once(house: OpenHouse, own: OwnBeacon) -> tuple[Person, BeaconRound]:
    house.house.commands.beacon = Beacon(own.address, own.transport)
    await house.table(TABLE, shoe="virtual")
    dealer, mei = await house.person("dealer"), await house.another("mei", "player")
    assert (await mei.ask(TABLE, "take_seat", box=1)).is_success
    assert (await dealer.ask(TABLE, "begin_shuffle")).is_success
    shuffle = house.house.tables.view(TABLE).table.shuffle
    assert shuffle is not None
    assert shuffle.beacon is not None
    return dealer, shuffle.beacon


def test_a_chain_of_another_key_is_not_believed() -> None:
    own, other = OwnBeacon(genesis=1_000), OwnBeacon(genesis=1_000, secret=99)
    for address, answering in (
        (own.address, other), (other.address, own), (own.address, replace(own, genesis=999)),
        (own.address, replace(own, period=30)),
    ):  # fmt: skip

        def answer(request: httpx.Request, answering: OwnBeacon = answering) -> httpx.Response:
            return answering.answer(httpx.Request("GET", f"{answering.address}/info"))

        with pytest.raises(Refused, match="does not hash to the chain's name"):
            asyncio.run(Beacon(address, httpx.MockTransport(answer)).learn())
    for address in ("", "http://beacon/public", "ftp://beacon/" + "0" * 64):
        with pytest.raises(Refused, match="ends in the hash"):
            Beacon(address)
