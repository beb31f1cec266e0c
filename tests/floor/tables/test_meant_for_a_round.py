"""A bet carries the round it is meant for: sent in one round and arriving in the next, it is refused.

Over the API a program says so; the pages of players and dealers send the round they show.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx

from support.open_house import OpenHouse, Person, in_loop, open_house

TABLE = "t1"
CARDS = ("KS", "KD", "9H", "7C")


async def opened(house: OpenHouse, dealer: Person, player: Person) -> None:
    """A table with bets open for its first round."""
    await house.table(TABLE, shoe="read")
    steps: tuple[tuple[Person, str, dict[str, Any]], ...] = (
        (dealer, "prepare_shoe", {}),
        (player, "take_seat", {"box": 1}),
        (player, "allow_staff_bets", {"allowed": True}),
        (dealer, "open_bets", {}),
    )
    for person, do, fields in steps:
        assert (await person.ask(TABLE, do, **fields)).is_success


async def next_round(dealer: Person) -> None:
    steps: list[tuple[str, dict[str, Any]]] = [("close_bets", {})]
    steps += [("deal_card", {"card": card}) for card in CARDS]
    for do, fields in (*steps, ("settle", {}), ("open_bets", {})):
        assert (await dealer.ask(TABLE, do, **fields)).is_success


def fields_in(page: str, form: str) -> dict[str, str]:
    """Every hidden field of a form, those in the live parts of the page among them."""
    start = page.index(f'id="{form}"')
    inside = page[start : page.index("</form>", start)]
    apart = re.findall(rf'<input type="hidden" form="{form}"[^>]*>', page)
    tags = [*re.findall(r'<input type="hidden"[^>]*>', inside), *apart]
    found = (dict(re.findall(r'([\w-]+)="([^"]*)"', tag)) for tag in tags)
    return {of["name"]: of["value"] for of in found}


def is_another_round(answer: httpx.Response) -> None:
    told = answer.json()
    assert (answer.status_code, told["code"]) == (422, "another_round"), told
    assert told["detail"] == "This was meant for round 1; round 2 is at the table now."


@in_loop
async def test_a_bet_sent_for_round_1_is_refused_in_round_2(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        dealer, player = await house.person("dealer"), await house.person("player")
        await opened(house, dealer, player)
        bet: dict[str, Any] = {"box": 1, "bet": "player", "stake": "100", "round": 1}
        assert (await player.ask(TABLE, "place_bet", **bet)).is_success
        await next_round(dealer)
        is_another_round(await player.ask(TABLE, "place_bet", **bet))
        is_another_round(await dealer.ask(TABLE, "place_bet", player="player", **bet))
        assert (await player.ask(TABLE, "place_bet", **(bet | {"round": 2}))).is_success
        is_another_round(await player.ask(TABLE, "withdraw_bet", box=1, bet="player", round=1))
        assert (await player.ask(TABLE, "withdraw_bet", box=1, bet="player", round=0)).is_success


@in_loop
async def test_a_players_page_sends_the_round_it_shows(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer, player = await house.person("dealer"), await house.person("player")
        await opened(house, dealer, player)
        first = fields_in((await player.get(f"/tables/{TABLE}")).text, "bets")
        assert first["round"] == "1"
        quiet = {"x-lammer": "now", "accept": "application/problem+json"}

        async def press(what: str, **more: str) -> httpx.Response:
            return await player.http.post(
                f"/tables/{TABLE}/{what}", data=first | {"stake": "100"} | more, headers=quiet
            )

        assert (await press("bets", bet="player")).is_success
        await next_round(dealer)
        # Under the key of the page it would be the bet that was taken; this is another one.
        for what, more in (
            ("bets", {"bet": "player", "key": "again"}),
            ("rebet", {}),
            ("undo", {}),
            ("clear", {}),
        ):
            is_another_round(await press(what, **more))
        first = fields_in((await player.get(f"/tables/{TABLE}")).text, "bets")
        assert first["round"] == "2"
        for place, what in enumerate(("rebet", "undo", "rebet", "clear")):
            assert (await press(what, key=f"press-{place}")).is_success, what


@in_loop
async def test_own_bets_changed_under_one_key_are_changed_once(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer, player = await house.person("dealer"), await house.person("player")
        await opened(house, dealer, player)
        fields = fields_in((await player.get(f"/tables/{TABLE}")).text, "bets")
        quiet = {"x-lammer": "now", "accept": "application/problem+json"}

        async def press(what: str, key: str, **more: str) -> httpx.Response:
            form = fields | {"stake": "100", "key": key} | more
            return await player.http.post(f"/tables/{TABLE}/{what}", data=form, headers=quiet)

        async def stakes() -> list[int]:
            round_seen = (await player.get(f"/api/tables/{TABLE}")).json()["round"]
            return [bet["stake"] for bet in round_seen["bets"]]

        for bet in ("player", "tie"):
            assert (await press("bets", "first", bet=bet)).is_success
        # Each is sent again, as after an answer that was lost.
        for what, key, lying in (
            ("double", "second", [200_00, 200_00]),
            ("double", "third", [400_00, 400_00]),
            ("undo", "fourth", [400_00, 200_00]),
            ("clear", "fifth", []),
        ):
            for _ in range(2):
                answer = await press(what, key)
                assert answer.is_success, answer.text
                assert await stakes() == lying, what
        await next_round(dealer)
        is_another_round(await press("double", "sixth"))
        assert (await press("clear", "fifth")).is_success


@in_loop
async def test_a_page_that_shows_a_round_that_is_over_bets_in_the_next(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer, player = await house.person("dealer"), await house.person("player")
        await opened(house, dealer, player)
        await next_round(dealer)
        assert (await dealer.ask(TABLE, "close_bets")).is_success
        for card in CARDS:
            await dealer.ask(TABLE, "deal_card", card=card)
        assert (await dealer.ask(TABLE, "settle")).is_success
        assert fields_in((await player.get(f"/tables/{TABLE}")).text, "bets")["round"] == "3"


@in_loop
async def test_a_dealers_page_sends_the_round_it_shows(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer, player = await house.person("dealer"), await house.person("player")
        await opened(house, dealer, player)
        page = (await dealer.get(f"/tables/{TABLE}/deal")).text
        assert fields_in(page, "insure-form")["round"] == "1"
        form = fields_in(page, "bet-form") | {"player": "player", "box": "1", "bet": "player", "stake": "50"}
        assert form["round"] == "1"
        await next_round(dealer)
        answer = await dealer.http.post(
            f"/tables/{TABLE}/deal", data=form | {"do": "place_bet"}, headers={"accept": "application/json"}
        )
        is_another_round(answer)
