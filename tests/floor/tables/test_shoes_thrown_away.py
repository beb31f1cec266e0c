"""Shoes prepared and not played: nobody can throw them away until one suits them, and the pit sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from floor.tables.test_meant_for_a_round import fields_in
from support.open_house import Person, in_loop, open_house

TABLE = "t1"
HUNDRED = 100


async def thrown_away(dealer: Person, reason: str) -> bool:
    """A shoe is brought and ended; whether the table took it."""
    await dealer.ask(TABLE, "prepare_shoe")
    return (await dealer.ask(TABLE, "end_shoe", reason=reason)).is_success


@in_loop
async def test_of_a_hundred_shoes_a_dealer_ends_two(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        dealer, supervisor = await house.person("dealer"), await house.person("pit_supervisor")
        await house.table(TABLE, shoe="virtual")
        assert not await thrown_away(dealer, " ")
        ended = [await thrown_away(dealer, "a card was seen") for _ in range(HUNDRED)]
        assert sum(ended) == 2
        at = house.house.tables.view(TABLE).table
        assert (at.shoes, at.unplayed, at.unplayed_in_a_row) == (3, 2, 2)
        told = (await dealer.ask(TABLE, "end_shoe", reason="a card was seen")).json()
        assert told["code"] == "not_your_role"
        assert told["citation"] is not None
        assert (await supervisor.ask(TABLE, "end_shoe", reason="the lid is loose")).is_success
        seen = (await dealer.get(f"/api/tables/{TABLE}")).json()
        assert seen["unplayed"] == 3


@in_loop
async def test_the_dealers_page_asks_why_and_the_pit_page_counts(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer, supervisor = await house.person("dealer"), await house.person("pit_supervisor")
        await house.table(TABLE, shoe="virtual")
        assert "ended unplayed" not in (await supervisor.get("/pit")).text
        for said in ("1 shoe ended", "2 shoes ended"):
            await dealer.ask(TABLE, "prepare_shoe")
            page = (await dealer.get(f"/tables/{TABLE}/deal")).text
            form: dict[str, Any] = fields_in(page, "unplayed-form") | {"reason": "a card was seen"}
            answer = await dealer.http.post(
                f"/tables/{TABLE}/deal", data=form, headers={"accept": "application/json"}
            )
            assert answer.is_success, answer.text
            assert f"{said} unplayed" in (await supervisor.get("/pit")).text
        assert "Shoes ended unplayed</dt><dd>2</dd>" in (await supervisor.get(f"/pit/{TABLE}")).text
        supervisor.http.cookies.set("lammer_language", "zh")
        assert "2 靴未用即结束" in (await supervisor.get("/pit", headers={"accept-language": "zh"})).text
