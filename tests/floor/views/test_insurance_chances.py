"""Exact chances beside Insurance are a table's choice: where it says no, nobody is given them anywhere."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lammer.floor.views.insurance_chances import chances_seen, worth_of
from lammer.floor.views.viewing import Viewer, table_seen
from lammer.table import events as e
from lammer.table.journal import decode, encode
from support.open_house import in_loop
from support.working_pages import TABLE, Desk, desk, text

INSURING = ("QS", "3D", "6H", "AC")
"""Player 6 against Banker 4: Insurance on Player is on offer."""


async def everything_given(at: Desk, who: str) -> str:
    """All that a player, a dealer or a board gets of the table: its pages, the API, every event."""
    person = await (at.house.key(TABLE, "display_board") if who == "board" else at.house.person(who))
    api, deal = f"/api/tables/{TABLE}", f"/tables/{TABLE}/deal"
    paths = {
        "player": (f"/tables/{TABLE}", f"/tables/{TABLE}/now", api, f"{api}/offers", f"{api}/events"),
        "dealer": (deal, f"{deal}/now", api, f"{api}/offers", f"{api}/events"),
        "board": (f"/board/{TABLE}/now", api, f"{api}/offers"),
    }[who]
    answers = [await person.get(path) for path in paths]
    assert all(answer.is_success for answer in answers), [(str(a.url), a.status_code) for a in answers]
    return " ".join(text(answer.text) for answer in answers)


@pytest.mark.parametrize("shown", [True, False])
@in_loop
async def test_the_chances_are_given_where_the_table_says_so_and_nowhere_else(
    tmp_path: Path, shown: bool
) -> None:
    async with desk(tmp_path, exact_chances=shown) as at:
        player = await at.house.person("player")
        assert (await player.ask(TABLE, "take_seat", box=3)).is_success
        await at.play("open_bets")
        assert (await player.ask(TABLE, "place_bet", box=3, bet="player", stake="100")).is_success
        await at.play("close_bets", *INSURING)
        worth = worth_of(at.table.book, ("QS", "6H"), ("3D", "AC"), 8)["player"]
        answer = (await player.get(f"/api/tables/{TABLE}/offers")).json()
        assert [offer["hand"] for offer in answer["yours"]] == ["player"]
        exact = {"hand": "player", "won": str(worth.won), "returned": str(worth.returned)}
        exact |= {"lost": str(worth.lost), "worth": str(worth.worth)}
        assert answer["chances"] == ([exact] if shown else [])
        # However it may be written: as a fraction, with its numbers grouped, in percent.
        parts = f"{worth.won.numerator:,}/{worth.won.denominator:,}"
        written = (str(worth.won), parts, f"{float(worth.won) * 100:.2f} %")
        page = text((await player.get(f"/tables/{TABLE}/now")).text)
        assert ("At this table nobody is shown the exact chances of Insurance." in page) == (not shown)
        for who in ("player", "dealer", "board"):
            given = await everything_given(at, who)
            found = [way for way in written if way in given]
            assert found == [] or shown, (who, found)
        assert written[1] in page or not shown


@in_loop
async def test_the_switch_is_in_the_set_up_and_shown_to_players(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        manager, dealer = await at.house.person("pit_manager"), await at.house.person("dealer")
        for player in ("p1", "p2"):
            await dealer.ask(TABLE, "leave_seat", player=player)
        page = (await manager.get(f"/pit/{TABLE}/set-up")).text
        assert "Players see the exact chances beside Insurance" in text(page)
        at_player = await at.house.person("player")
        seen = (await at_player.get(f"/api/tables/{TABLE}")).json()["set_up"]
        assert seen["exact_chances"] is True
        form: dict[str, Any] = {"csrf": manager.http.headers["x-csrf-token"]}
        form |= {name: value for name, value in _set_up_form(page).items() if name != "exact_chances"}
        asked_again = await manager.http.post(f"/pit/{TABLE}/set-up", data=form)
        assert "Players see the exact chances beside Insurance yes no" in text(asked_again.text)
        answer = await manager.http.post(f"/pit/{TABLE}/set-up", data=form | {"confirmed": "yes"})
        assert answer.status_code == 303, text(answer.text)
        seen = (await at_player.get(f"/api/tables/{TABLE}")).json()["set_up"]
        assert seen["exact_chances"] is False
        told = text((await at_player.get(f"/tables/{TABLE}")).text)
        assert "At this table nobody is shown the exact chances of Insurance." in told


def _set_up_form(page: str) -> dict[str, str]:
    """The fields of the set-up as they stand on the page, with the boxes that are ticked."""
    fields: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", page):
        of = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if "name" in of and (of.get("type") != "checkbox" or " checked" in tag):
            fields[of["name"]] = of.get("value", "")
    for name, inside in re.findall(r'<select[^>]* name="(\w+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        options = re.findall(r'<option(?: value="([^"]*)")?([^>]*)>', inside)
        fields[name] = next((value for value, marks in options if "selected" in marks), options[0][0])
    return fields


def test_a_set_up_recorded_before_the_switch_shows_the_chances() -> None:
    line = (
        b'{"number":1,"at":"2026-07-01T12:00:00+00:00","by":"mei","role":"pit_manager","event":"TableSet",'
        b'"setup":{"rulebook":"tiger-buffalo-noncommission-insurance@3","layout":"C"},"sha256":""}'
    )
    event = decode(line).event
    assert isinstance(event, e.TableSet)
    assert event.setup.exact_chances
    assert msgspec.json.decode(encode(decode(line)))["setup"]["exact_chances"] is True


@in_loop
async def test_no_chance_is_counted_while_a_card_lies_face_down(tmp_path: Path) -> None:
    async with desk(tmp_path, face_down=True) as at:
        await at.play("open_bets", "bet", "close_bets", *INSURING)
        viewer = Viewer("p1", "player")
        assert chances_seen(at.table, table_seen(at.table, viewer)["round"]) == {}
        dealer = await at.house.person("dealer")
        for hand in ("player", "banker"):
            for place in (1, 2):
                assert (await dealer.ask(TABLE, "open_card", hand=hand, place=place)).is_success
        worth = chances_seen(at.table, table_seen(at.table, viewer)["round"])["player"]
        assert worth.won + worth.returned + worth.lost == Fraction(1)
