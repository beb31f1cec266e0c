"""Side bets that won, for the roads: what the cards of settled rounds say, whether or not anybody bet."""

from __future__ import annotations

from pathlib import Path

from lammer.floor.views.side_hits import side_hits
from support.open_house import OpenHouse, in_loop, open_house


async def _play(house: OpenHouse, cards: str) -> None:
    dealer = await house.person("dealer")
    for do in ("open_bets", "close_bets"):
        assert (await dealer.ask("t1", do)).status_code == 200
    for card in cards.split():
        dealt = await dealer.ask("t1", "deal_card", card=card)
        assert dealt.status_code == 200, dealt.text
    settled = await dealer.ask("t1", "settle")
    assert settled.status_code == 200, settled.text


@in_loop
async def test_every_round_of_the_shoe_has_its_hits(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await house.table("t1")
        dealer = await house.person("dealer")
        await dealer.ask("t1", "prepare_shoe")
        table = house.house.tables.at("t1").view.table
        assert side_hits(table) == []
        # The Banker wins on 6 with two cards; the Player with a natural; the Banker on 6 with three.
        for cards in ("KH 2D 4S 4C AS", "9S 2D KH 5C", "KH 2D 2S KC AS 4S"):
            await _play(house, cards)
        table = house.house.tables.at("t1").view.table
        assert len(table.results) == 3
        hits = side_hits(table)
        assert "small_tiger" in hits[0]
        assert hits[1] == ()
        assert "big_tiger" in hits[2]
        player = await house.person("player")
        roads = (await player.get("/tables/t1/roads")).text
        assert "Side bets that won" in roads
        assert roads.count('class="road-legend"') == 1
        for won in hits:
            for name in won:
                assert table.book.bets[name].title in roads
