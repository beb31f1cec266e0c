"""The lobby without a browser: what is looked for, favourites, several tables on one page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lammer.floor.record.registry import Pace
from lammer.floor.web.pages.lobby.lobby_filters import FAVOURITES
from support.open_house import OpenHouse, Person, in_loop, open_house

DEAR = {"minimum": "500", "maximum": "50000", "differential": "1000000"}
DA_HU = "da-hu-ying-xiong-noncommission-insurance@2"


def listed(text: str) -> list[str]:
    return re.findall(r'<li class="lobby-table" id="table-([^"]+)"', text)


async def three_tables(house: OpenHouse) -> Person:
    await house.table("cheap")
    await house.table("dear", limits=DEAR)
    await house.table("da-hu", rulebook=DA_HU, layout="A", boxes=1)
    player = await house.person("player")
    assert (await player.ask("da-hu", "take_seat", box=1)).status_code == 200
    return player


@in_loop
async def test_tables_are_found_by_game_limit_and_free_seat(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await three_tables(house)
        auditor = await house.person("auditor")
        for query, names in (
            ("", ["cheap", "dear", "da-hu"]),
            ("least=25", ["cheap", "da-hu"]),
            ("least=500", ["cheap", "dear", "da-hu"]),
            ("game=da-hu-ying-xiong-noncommission-insurance", ["da-hu"]),
            ("free=yes", ["cheap", "dear"]),
            ("free=yes&least=100", ["cheap"]),
            ("favourites=yes", []),
            ("game=nonsense", []),
            ("least=x&page=-3", ["cheap", "dear", "da-hu"]),
        ):
            for path in ("/lobby", "/lobby/tables"):
                text = (await auditor.get(f"{path}?{query}")).text
                assert listed(text) == names, query
        text = (await auditor.get("/lobby?free=yes&least=100")).text
        assert 'data-live="/lobby/tables?page=1&amp;least=100&amp;free=yes"' in text, (
            "it stays so while one looks"
        )
        assert '<option value="100" selected>' in text
        assert "No table is like that." in (await auditor.get("/lobby?game=nonsense")).text
        assert "0 of 1" in (await auditor.get("/lobby?game=da-hu-ying-xiong-noncommission-insurance")).text


@in_loop
async def test_favourites_are_kept_by_the_browser_and_come_first(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        player = await three_tables(house)
        form = {"csrf": player.http.headers["x-csrf-token"], "table": "dear"}
        chosen = await player.http.post("/lobby/favourites?least=500", data=form)
        assert (chosen.status_code, chosen.headers["location"]) == (303, "/lobby?least=500")
        assert player.http.cookies[FAVOURITES] == "dear"
        text = (await player.get("/lobby")).text
        assert listed(text) == ["da-hu", "dear", "cheap"], "the own seat, the favourite, the rest"
        assert text.count('aria-pressed="true"') == 1
        assert listed((await player.get("/lobby?favourites=yes")).text) == ["dear"]
        await player.http.post("/lobby/favourites", data=form | {"table": "no-such-table"})
        assert listed((await player.get("/lobby?favourites=yes")).text) == ["dear"]
        await player.http.post("/lobby/favourites", data=form)
        assert listed((await player.get("/lobby?favourites=yes")).text) == []
        refused = await player.http.post("/lobby/favourites", data=form | {"csrf": "other"})
        assert refused.status_code == 403


@in_loop
async def test_the_lobby_counts_the_betting_time_down(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await house.table("t1", pace=Pace(betting=600.0), shoe="virtual")
        await house.table("t2")
        manager, dealer = await house.person("pit_manager"), await house.person("dealer")
        for table in ("t1", "t2"):
            await dealer.ask(table, "prepare_shoe")
            await dealer.ask(table, "open_bets")
        response = await manager.get("/lobby/tables")
        clocks = re.findall(r'data-closes="(\d+)" data-lasts="(\d+)"', response.text)
        assert len(clocks) == 1, "where a person closes the betting nobody knows when"
        ends, lasts = map(int, clocks[0])
        assert lasts == 600_000
        assert 0 < ends - int(response.headers["x-now"]) <= 600_000
        assert re.search(r"about \d+ s left", (await manager.get("/lobby")).text), "without scripts too"


async def bets_of(player: Person, **form: Any) -> int:
    fields = {"csrf": player.http.headers["x-csrf-token"]} | form
    answer = await player.http.post("/tables/da-hu/bets", data=fields, headers={"X-Lammer": "now"})
    return answer.status_code


@in_loop
async def test_two_to_four_tables_stand_on_one_page(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        player, dealer = await three_tables(house), await house.person("dealer")
        await dealer.ask("da-hu", "prepare_shoe")
        await dealer.ask("da-hu", "open_bets")
        text = (await player.get("/lobby/several?tables=cheap,da-hu")).text
        assert text.count('<section class="lobby-table"') == 2
        assert text.count("<svg") == 2
        assert text.count("data-plain-bets") == 1, "bets are for whoever sits there"
        assert (await player.get("/lobby/several?tables=cheap&tables=da-hu")).text.count("<section") == 2
        assert await bets_of(player, box="1", bet="banker", stake="50") == 200
        # A screen that is old by now says which round it was for.
        assert 'form="bets-da-hu" name="round" value="1"' in text
        assert 'id="bets-da-hu"' in text
        assert 'form="bets-cheap"' not in text
        assert await bets_of(player, box="1", bet="banker", stake="50", round="2") == 422
        await dealer.ask("da-hu", "close_bets")
        await dealer.ask("da-hu", "deal_card", card="9H")
        now = await player.get("/lobby/several/now?table=da-hu")
        assert now.headers["x-now"].isdigit()
        assert "9♥" in now.text
        assert re.search(r"Banker\s*<b>50</b>", now.text)
        for asked in ("", "tables=cheap", "tables=cheap,cheap", "tables=a,b,c,d,e"):
            refused = await player.get(f"/lobby/several?{asked}")
            assert refused.status_code == 400, asked
            assert "Two to four tables" in refused.text
            # It is said in the lobby, with the tables to choose from opened.
            assert '<details class="choose-several" open>' in refused.text
        assert (await player.get("/lobby/several?tables=cheap,nowhere")).status_code == 404
        stranger = house.stranger()
        assert (await stranger.get("/lobby/several?tables=cheap,da-hu")).status_code == 303
        await stranger.http.aclose()


@in_loop
async def test_among_several_tables_insurance_and_what_was_won_are_told(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        player, dealer = await three_tables(house), await house.person("dealer")
        for do in ("prepare_shoe", "open_bets"):
            await dealer.ask("da-hu", do)
        assert await bets_of(player, box="1", bet="player", stake="50") == 200
        await dealer.ask("da-hu", "close_bets")
        for card in ("QS", "3D", "6H", "AC"):
            assert (await dealer.ask("da-hu", "deal_card", card=card)).status_code == 200
        address, large = "/lobby/several/now?table=da-hu", "Insurance: to this table"
        text = (await player.get(address)).text
        assert large in text, text
        assert re.search(r"Chips here <b>950\.00</b>", text), text
        assert large not in (await dealer.get(address)).text, "they have nothing to insure"
        assert (await dealer.ask("da-hu", "deal_card", card="5D")).status_code == 200
        assert (await dealer.ask("da-hu", "settle")).status_code == 200
        text = (await player.get(address)).text
        assert large not in text
        assert "To this table" in text
        assert re.search(r'<b class="several-gain">−50</b>', text), text


@in_loop
async def test_several_tables_hide_what_lies_face_down(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await house.table("t1", face_down=True)
        dealer, player = await house.person("dealer"), await house.person("player")
        await dealer.ask("t1", "prepare_shoe")
        await dealer.ask("t1", "open_bets")
        await dealer.ask("t1", "close_bets")
        assert (await dealer.ask("t1", "deal_card", card="7C")).status_code == 200
        now = (await player.get("/lobby/several/now?table=t1")).text
        assert "7♣" not in now
        assert '<span class="face back">?</span>' in now
