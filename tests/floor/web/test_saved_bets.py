"""Saved bets put down by one press: all of them or none, and once however often the press is sent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.open_house import in_loop, open_house

TABLE = "t1"


@pytest.mark.parametrize(
    ("saved", "code"),
    [
        ("player:100 tie:50", ""),
        ("player:100 tie:5", "below_minimum"),
        ("player:100 no_such_bet:50", "unknown_bet"),
        ("player:9000 tie:2000", "not_enough_chips"),
        ("player:100 tie", "malformed_input"),
        ("player:100 tie:-50", "not_an_amount"),
        ("", "malformed_input"),
        (" ".join(["tie:10"] * 21), "malformed_input"),
    ],
)
@in_loop
async def test_saved_bets_go_down_together_or_not_at_all(tmp_path: Path, saved: str, code: str) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await house.table(TABLE)
        dealer, player = await house.person("dealer"), await house.person("player")
        for person, do in ((dealer, "prepare_shoe"), (player, "take_seat"), (dealer, "open_bets")):
            fields: dict[str, Any] = {"box": 1} if do == "take_seat" else {}
            assert (await person.ask(TABLE, do, **fields)).is_success
        page = (await player.get(f"/tables/{TABLE}")).text
        csrf = re.search(r'name="csrf" value="([^"]+)"', page)
        assert csrf is not None
        form = {"csrf": csrf[1], "box": "1", "round": "1", "saved": saved, "key": "press-1"}
        quiet = {"x-lammer": "now", "accept": "application/problem+json"}

        async def press() -> httpx.Response:
            return await player.http.post(f"/tables/{TABLE}/saved", data=form, headers=quiet)

        for _ in range(2):
            answer = await press()
            assert answer.is_success == (not code), answer.text
            assert not code or answer.json()["code"] == code
        bets = (await player.get(f"/api/tables/{TABLE}")).json()["round"]["bets"]
        lying = {bet["bet"]: bet["stake"] for bet in bets}
        assert lying == ({} if code else {"player": 100_00, "tie": 50_00})
