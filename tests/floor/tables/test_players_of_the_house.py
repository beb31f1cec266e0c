"""Test players: they sit, bet and insure by the rules, and only in a house that is a demonstration."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from lammer.floor.record.registry import Listed
from lammer.floor.record.verify.verify import verify
from lammer.floor.tables.gateway import CommandGateway
from lammer.floor.tables.house import House
from lammer.floor.tables.test_players import TestPlayers, is_test_player
from support.awaited import until_so as until
from support.open_house import ask, books, house_on, in_loop, open_house, put_up

CARDS = ("QS", "3D", "6H", "AC")
"""Player 6, Banker 4: Insurance on the Player Hand is on offer after four cards."""


def players_at(house: House, seed: int) -> TestPlayers:
    return TestPlayers(CommandGateway(house), Listed("t1", "t1"), 3, random.Random(seed))


@in_loop
async def test_they_play_round_after_round_by_the_rules(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", chips=10_000) as house:
        live_table = await put_up(house)
        players = players_at(house, seed=7)
        insured = declined = 0
        for number in range(1, 7):
            if number > 1:
                await ask(house, "dealer", "open_bets")
            await players.look()
            await players.look()
            table = live_table.view.table
            assert table.round is not None
            # The last boxes are theirs, and they bet once a round, each within the limits.
            mine = {player: box for player, box in table.seats.items() if is_test_player(player)}
            assert sorted(mine.values()) == [5, 6], "two boxes of six stay free beside p1 and p2"
            on_hands = [bet.player for bet in table.round.bets.values() if bet.bet in ("player", "banker")]
            assert sorted(on_hands) == sorted(mine)
            await ask(house, "dealer", "close_bets")
            for card in CARDS:
                await ask(house, "dealer", "deal_card", card=card)
            await players.look()
            this_round = live_table.view.table.round
            assert this_round is not None
            insured, declined = insured + len(this_round.insured), declined + len(this_round.declined)
            while live_table.view.table.next_hand() is not None:
                await ask(house, "dealer", "deal_card", card="KD")
            await ask(house, "dealer", "settle")
        assert insured, "somebody insured"
        assert declined, "and somebody said no"
        assert sum(live_table.view.table.accounts.values()) == 0
        found = await asyncio.to_thread(verify, house.store, books())
        assert found.holds, found


@in_loop
async def test_they_take_no_seat_where_few_are_left(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", chips=10_000) as house:
        live_table = await put_up(house, boxes=4)
        await players_at(house, seed=1).look()
        assert not any(map(is_test_player, live_table.view.table.seats))


@in_loop
async def test_only_a_demonstration_has_them(tmp_path: Path) -> None:
    given: dict[str, Any] = {"tables": 1, "betting_seconds": 600.0}
    async with open_house(tmp_path / "real", demo=False, test_players=3, **given) as opened:
        assert not opened.made.test_players
    async with open_house(tmp_path / "plain", **given) as opened:
        assert not opened.made.test_players
    async with open_house(tmp_path / "demo", test_players=3, pages=True, **given) as opened:
        (name,) = opened.made.test_players
        view = opened.house.tables.view(name)
        await until(lambda: sum(map(is_test_player, view.table.seats)) == 3)
        player = await opened.person("player")
        lobby = (await player.get("/lobby")).text
        assert "3 test players of the house sit here" in lobby
