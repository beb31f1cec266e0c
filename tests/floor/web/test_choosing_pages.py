"""Pages where a hand may draw: whoever leads it is asked, the dealer may record either, the rules say so."""

from __future__ import annotations

from pathlib import Path

import lammer
from support.open_house import in_loop, open_house

EXAMPLES = Path(__file__).parents[3] / "examples"
OURS = tuple(
    lammer.rulebook(str(EXAMPLES / f"{name}.toml"))
    for name in ("chemin-de-fer", "no-naturals", "marina-bay-style-insurance")
)
CHEMIN = OURS[0]


@in_loop
async def test_whoever_leads_the_hand_is_asked_on_the_page(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True, own=OURS) as house:
        await house.table("t1", rulebook=CHEMIN.id, layout="A", decks=6)
        dealer, player = await house.person("dealer"), await house.person("player")
        assert (await dealer.ask("t1", "prepare_shoe")).status_code == 200
        assert (await player.ask("t1", "take_seat", box=1)).status_code == 200
        assert (await dealer.ask("t1", "open_bets")).status_code == 200
        assert (await player.ask("t1", "place_bet", box=1, bet="player", stake="100")).status_code == 200
        assert (await dealer.ask("t1", "close_bets")).status_code == 200
        for card in ("2S", "KD", "3H", "6C"):
            assert 'id="choose-draw"' not in (await player.get("/tables/t1")).text
            assert (await dealer.ask("t1", "deal_card", card=card)).status_code == 200
        asked = (await player.get("/tables/t1")).text
        assert 'value="player:draws"' in asked
        assert 'value="player:stands"' in asked
        assert "Player may draw or stand: your choice" in asked
        console = (await dealer.get("/tables/t1/deal")).text
        assert "Player stands" in console
        assert "may draw or stand" in console
        refused = await dealer.ask("t1", "deal_card", card="9S")
        assert (refused.status_code, refused.json()["code"]) == (422, "drawing_not_chosen")
        chosen = await player.ask("t1", "choose_drawing", hand="player", draws=False)
        assert chosen.status_code == 200, chosen.text
        assert 'value="banker:draws"' not in (await player.get("/tables/t1")).text, (
            "the Banker's is another's"
        )
        other = await player.ask("t1", "choose_drawing", hand="banker", draws=True)
        assert (other.status_code, other.json()["code"]) == (403, "not_your_hand")
        assert (await dealer.ask("t1", "choose_drawing", hand="banker", draws=False)).status_code == 200
        assert (await dealer.ask("t1", "settle")).status_code == 200


@in_loop
async def test_the_rules_and_the_lab_show_what_other_houses_say(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True, own=OURS) as house:
        player = await house.person("player")
        pages = {book.game: (await player.get(f"/rules/{book.id}")).text for book in OURS}
        assert "M: may draw or stand, as the hand chooses." in pages["chemin-de-fer"]
        assert "There are no naturals" in pages["no-naturals"]
        assert "† a tie loses it." in pages["marina-bay-style-insurance"]
        assert "at most 50% of the Original Bet" in pages["marina-bay-style-insurance"]
        book = OURS[1]
        shown = (await player.get(f"/lab?book={book.id}&decks=12")).text
        assert "576 cards" in shown
        assert 'name="gone_T"' not in shown
        assert 'name="gone_9"' in shown
        assert "A shoe here has 1 to 12 decks." in (await player.get(f"/lab?book={book.id}&decks=13")).text
