"""A shuffle the players have a part in, over HTTP and on their page, and at a table that deals itself."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from lammer.floor.record.registry import Listed, Pace
from lammer.floor.tables.virtual_dealer import VirtualDealer
from lammer.table import events as e
from lammer.table.journal import decode
from support.awaited import GUARD, until_so
from support.open_house import OpenHouse, Person, in_loop, open_house

TABLE = "t1"


async def begun(house: OpenHouse) -> tuple[Person, Person]:
    """A shuffle at a table where Mei sits, with the dealer."""
    await house.table(TABLE, shoe="virtual")
    dealer, mei = await house.person("dealer"), await house.another("mei", "player")
    assert (await mei.ask(TABLE, "take_seat", box=1)).is_success
    answer = await dealer.ask(TABLE, "begin_shuffle")
    assert answer.is_success, answer.text
    assert answer.json()["events"][0]["entropy"] == ""
    return dealer, mei


@in_loop
async def test_everybody_sees_what_was_added_and_nobody_whose_it_is(tmp_path: Path) -> None:
    async with open_house(tmp_path, shuffle_seconds=3_600) as house:
        dealer, mei = await begun(house)
        refused = (await dealer.ask(TABLE, "prepare_shoe")).json()
        assert refused["code"] == "shuffle_open"
        assert (await mei.ask(TABLE, "add_entropy", entropy="cut 187")).is_success
        for reader in (mei, dealer, await house.another("li", "player")):
            shuffle = (await reader.get(f"/api/tables/{TABLE}")).json()["shuffle"]
            assert shuffle["parts"] == [{"box": 1, "entropy": "cut 187"}]
            assert "entropy" not in shuffle
        brought = await dealer.ask(TABLE, "begin_shuffle", entropy="00" * 64)
        assert brought.json()["code"] == "malformed_input"
        changed = await dealer.ask(TABLE, "add_entropy", player="mei", entropy="x")
        assert changed.json()["code"] == "not_your_role"


@in_loop
async def test_a_player_adds_on_the_page_without_scripts(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True, shuffle_seconds=3_600) as house:
        _, mei = await begun(house)
        page = (await mei.get(f"/tables/{TABLE}")).text
        assert "Shoe 1 is being shuffled" in page
        form = re.search(r'<form id="shuffle".*?</form>', page, re.DOTALL)
        assert form is not None
        fields = dict(re.findall(r'name="(csrf|box)" value="([^"]*)"', form[0]))
        answer = await mei.http.post(f"/tables/{TABLE}/shuffle", data=fields | {"entropy": "my own words"})
        assert answer.status_code < 400, answer.text
        assert "Your part: my own words" in (await mei.get(f"/tables/{TABLE}")).text


@in_loop
async def test_a_table_that_deals_itself_shuffles_with_whoever_is_seated(tmp_path: Path) -> None:
    async with open_house(tmp_path, shuffle_seconds=0) as house:
        mei = await house.another("mei", "player")
        await house.table(TABLE, shoe="virtual")
        assert (await mei.ask(TABLE, "take_seat", box=1)).is_success
        listed = Listed(TABLE, "Table 1", Pace(GUARD, 0, 0, 0))
        dealer = VirtualDealer(house.made.context.gateway, listed)
        dealing = asyncio.create_task(dealer.run())
        view = house.house.tables.view(TABLE)
        await until_so(lambda: view.table.round is not None, "no round begins")
        assert view.table.shoe is not None
        stored = house.house.store.read(TABLE)
        begun = next(each for each in stored if b"ShuffleBegun" in each.body)
        event = decode(begun.body).event
        assert isinstance(event, e.ShuffleBegun)
        assert (event.commitment, event.entropy) == (view.table.shoe.house, ""), "sealed in the record"
        dealer.finish()
        await dealing
