"""A closed table of the house: the purses, the second person, the virtual dealer, the record."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lammer.floor.record.verify.verify import verify
from lammer.floor.tables.command_handler import is_waiting
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.tables.two_people import SecondPerson
from lammer.rulebook.refusal import Refused
from lammer.table.ledger import player as account_of
from support.open_house import as_recorded, ask, bet, books, house_on, in_loop, open_house, put_up

CHIPS = 2_000
DEALT = ("KS", "KD", "8H", "7C")
"""Player 8 over Banker 7: both players, who bet on Banker, lose."""


@in_loop
async def test_the_chips_of_everybody_go_back_into_their_purses(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", chips=CHIPS) as house:
        live_table = await put_up(house)
        await bet(house, "p1", stake="300")
        await bet(house, "p2", stake="40")
        await ask(house, "dealer", "close_bets")
        with pytest.raises(Refused, match="round_under_way"):
            await ask(house, "pit_manager", "close_table")
        for card in DEALT:
            await ask(house, "dealer", "deal_card", card=card)
        await ask(house, "dealer", "settle")
        answer = await ask(house, "pit_manager", "close_table", reason="the night is over")
        assert [event["event"] for event in answer["events"]][-3:] == [
            "ChipsTaken",
            "ChipsTaken",
            "TableClosed",
        ]
        assert [await asyncio.to_thread(house.purses.holds, name) for name in ("p1", "p2")] == [
            1_700_00,
            1_960_00,
        ]
        accounts = live_table.view.table.accounts
        assert not any(accounts.get(account_of(name), 0) for name in ("p1", "p2")), "no chips lie there"
        with pytest.raises(Refused, match="table_closed"):
            await ask(house, "dealer", "open_bets")
        assert as_recorded(live_table)
        found = await asyncio.to_thread(verify, house.store, books())
        assert found.holds, found
    # It is closed in whichever process opens the house next.
    async with house_on(tmp_path / "house.sqlite", chips=CHIPS) as house:
        with pytest.raises(Refused, match="table_closed"):
            await ask(house, "dealer", "prepare_shoe")
        await ask(house, "pit_manager", "open_table")
        await ask(house, "dealer", "prepare_shoe")


@in_loop
async def test_closing_takes_two_where_the_house_wants_it(tmp_path: Path) -> None:
    async with open_house(tmp_path, two_to_close=True) as opened:
        house = opened.house
        await opened.table("t1")
        asked = CommandRequest("max", "pit_manager", "close_table", {"reason": "a leaking roof"})
        assert is_waiting(await house.commands.ask("t1", asked))
        assert not house.tables.view("t1").table.closed
        (proposal,) = await asyncio.to_thread(house.approvals.waiting)
        with pytest.raises(Refused, match="not_your_role"):
            await house.approval_handler.agree("t1", proposal.id, SecondPerson("sue", "pit_supervisor"))
        await house.approval_handler.agree("t1", proposal.id, SecondPerson("mo", "pit_manager"))
        assert house.tables.view("t1").table.closed
        # Opening it again takes one.
        await ask(house, "pit_manager", "open_table")
        assert not house.tables.view("t1").table.closed
