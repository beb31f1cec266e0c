"""A dealing error a dealer reports: their page waits, the pit's asks, and nobody has a choice in between."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from support.open_house import OpenHouse, Person, in_loop, open_house

TABLE = "t1"


async def reported(house: OpenHouse, people: dict[str, Person]) -> None:
    await house.table(TABLE, shoe="read")
    steps: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("dealer", "prepare_shoe", {}),
        ("player", "take_seat", {"box": 1}),
        ("dealer", "open_bets", {}),
        ("player", "place_bet", {"box": 1, "bet": "player", "stake": "100"}),
        ("dealer", "close_bets", {}),
        ("dealer", "deal_card", {"card": "KS"}),
        ("dealer", "note_dealing_error", {"what": "the burn card was forgotten"}),
    )
    for by, do, fields in steps:
        assert (await people[by].ask(TABLE, do, **fields)).is_success, do


@in_loop
async def _confirmed_or_not(folder: Path, button: str) -> None:
    async with open_house(folder, pages=True) as house:
        people = {role: await house.person(role) for role in ("dealer", "player", "pit_supervisor")}
        await reported(house, people)
        here = house.house.tables.view(TABLE).table.round
        assert here is not None
        assert here.options is None
        page = (await people["dealer"].get(f"/tables/{TABLE}/deal")).text
        assert "A dealing error was reported: the burn card was forgotten." in page
        assert "This waits for somebody else" in page
        assert "A supervisor looks at what happened." in (await people["player"].get(f"/tables/{TABLE}")).text
        for by, do, fields in (
            ("dealer", "deal_card", {"card": "KD"}),
            ("player", "choose_option", {"choice": "return"}),
            ("dealer", "confirm_error", {"confirmed": True}),
        ):
            told = await people[by].ask(TABLE, do, **fields)
            assert not told.is_success, do
        pit = (await people["pit_supervisor"].get(f"/pit/{TABLE}")).text
        assert "Dealing error reported" in (await people["pit_supervisor"].get("/pit")).text
        (form,) = (each for each in re.findall(r"<form.*?</form>", pit, re.DOTALL) if "confirm_error" in each)
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
        answer = await people["pit_supervisor"].http.post(
            f"/pit/{TABLE}", data=fields | {"confirmed": button}, headers={"accept": "application/json"}
        )
        assert answer.is_success, answer.text
        here = house.house.tables.view(TABLE).table.round
        assert here is not None
        assert here.reported is None
        assert here.options == ({"player": ""} if button == "yes" else None)
        seen = (await people["player"].get(f"/api/tables/{TABLE}")).json()
        assert seen["round"]["reported"] is None


@pytest.mark.parametrize("button", ["yes", "no"])
def test_the_pit_confirms_it_or_says_that_it_was_none(tmp_path: Path, button: str) -> None:
    _confirmed_or_not(tmp_path, button)
