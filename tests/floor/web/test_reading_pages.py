"""The pages of an auditor without a browser: a story longer than a page, a correction, long downloads."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest

from lammer.floor.web.pages import audit
from lammer.floor.web.pages.accounts_view import change_words
from support.open_house import OpenHouse, in_loop, open_house


async def play(house: OpenHouse, cards: str, bets: int = 1) -> None:
    """A round with so many bets, dealt and settled."""
    dealer, player = await house.person("dealer"), await house.person("player")
    await dealer.ask("t1", "open_bets")
    for _ in range(bets):
        placed = await player.ask("t1", "place_bet", box=1, bet="player", stake="100")
        assert placed.status_code == 200, placed.text
    await dealer.ask("t1", "close_bets")
    for card in cards.split():
        await dealer.ask("t1", "deal_card", card=card)
    settled = await dealer.ask("t1", "settle")
    assert settled.status_code == 200, settled.text


async def seated(house: OpenHouse, **setup: Any) -> None:
    await house.table("t1", **setup)
    await (await house.person("dealer")).ask("t1", "prepare_shoe")
    await (await house.person("player")).ask("t1", "take_seat", box=1)


@in_loop
async def test_a_long_story_is_told_a_page_at_a_time(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "EVENTS", 4)
        patch.setattr(audit, "PAGE", 3)
        async with open_house(tmp_path, pages=True) as house:
            await seated(house)
            await play(house, "9S 2D KH 5C", bets=3)
            await play(house, "9H 2C KD 5S")
            auditor = await house.person("auditor")
            told: list[int] = []
            path = "/audit/t1/rounds/1"
            while path:
                text = (await auditor.get(path)).text
                assert "+300.00" in text, "what was paid stands on every page of it"
                told += map(int, re.findall(r'<tr id="e-(\d+)">', text))
                more = re.search(r'href="(/audit/t1/rounds/1\?after=\d+)"', text)
                path = more[1] if more else ""
            assert len(told) > 2 * audit.EVENTS
            assert told == list(range(told[0], told[-1] + 1))
            beyond = await auditor.get("/audit/t1/rounds/1?after=999999")
            assert beyond.status_code == 404
            # Written out a few at a time, nothing is lost or doubled where the pieces meet.
            whole = (await auditor.get("/audit/t1/events/json")).json()
            assert [each["number"] for each in whole] == list(range(1, len(whole) + 1))
            sheet = list(csv.DictReader(io.StringIO((await auditor.get("/audit/t1/events/csv")).text)))
            assert [row["hash"] for row in sheet] == [each["hash"] for each in whole]
            first = (await auditor.get("/audit/t1/events/json?round=1")).json()
            assert [each["number"] for each in first] == told


@in_loop
async def test_a_table_where_nothing_happened_is_an_empty_list(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        auditor = await house.person("auditor")
        assert "no tables yet" in (await auditor.get("/audit")).text
        await house.table("t1")
        assert [each["number"] for each in (await auditor.get("/audit/t1/events/json")).json()] == [1]
        assert "No round is like that." in (await auditor.get("/audit?table=t1")).text
        assert "No round is like that." in (await auditor.get("/audit?table=*&player=nobody")).text
        for asked in ("number=-1", "number=1e9", "since=yesterday", "until=2026-99-99T00:00", "below=x"):
            answer = await auditor.get(f"/audit?table=t1&{asked}")
            assert answer.status_code == 400, asked
        assert (await auditor.get("/audit?table=nowhere")).status_code == 404
        assert (await auditor.get("/audit/t1/rounds/1")).status_code == 404


@in_loop
async def test_before_and_after_a_correction_stand_below_each_other(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C")
        supervisor, manager = await house.person("pit_supervisor"), await house.person("pit_manager")
        asked = await supervisor.ask("t1", "reopen_settlement", reason="the Banker's card was misread")
        agreed = await manager.post(f"/api/tables/t1/proposals/{asked.json()['waiting']}/agree")
        assert agreed.is_success, agreed.text
        auditor = await house.person("auditor")
        text = (await auditor.get("/audit/t1/rounds/1")).text
        assert re.findall(r"<caption>(\w[\w ]+),", text) == ["Settlement", "Taken back"]


@in_loop
async def test_sessions_are_seen_and_ended_and_changes_written_down(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        administrator, auditor = await house.person("administrator"), await house.person("auditor")
        dealer = await house.person("dealer")
        assert (await dealer.get("/api/session")).status_code == 200
        page = (await administrator.get("/accounts/sessions?find=dealer")).text
        (session,) = re.findall(r'action="/accounts/sessions/(\w+)/end"', page)
        # An auditor reads who is in, and ends nothing.
        read = (await auditor.get("/accounts/sessions")).text
        assert "dealer" in read
        assert "/end" not in read
        form = {"csrf": auditor.http.headers["x-csrf-token"]}
        assert (await auditor.http.post(f"/accounts/sessions/{session}/end", data=form)).status_code == 403
        form = {"csrf": administrator.http.headers["x-csrf-token"]}
        ended = await administrator.http.post(f"/accounts/sessions/{session}/end", data=form)
        assert ended.status_code == 303
        assert (await dealer.get("/lobby")).status_code in (200, 303)
        assert (await dealer.ask("t1", "open_bets")).status_code == 401
        assert (
            "Nobody of that name is in." in (await administrator.get("/accounts/sessions?find=dealer")).text
        )
        changes = (await auditor.get("/accounts/changes")).text
        rows = [
            re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row))
            for row in re.findall(r"<tr>.*?</tr>", changes, re.S)
        ]
        assert re.search(r"dealer A session was ended administrator $", rows[1].rstrip() + " ")
        assert (await (await house.person("player")).get("/accounts/changes")).status_code == 403


def test_every_line_of_the_book_of_changes_is_a_sentence() -> None:
    for written, words in (
        ("created as pit_manager", "Made as pit manager"),
        ("role dealer to pit_manager", "From dealer to pit manager"),
        ("role asked for as pit_manager", "To be made pit manager was asked for"),
        ("factor declined", "What was asked for was declined"),
        ("second factor removed: lost phone", "The second factor was taken away: lost phone"),
        ("50.00 of chips issued: a gift", "50.00 of chips issued: a gift"),
    ):
        assert change_words("en", written) == words


@in_loop
async def test_a_house_of_many_people_is_read_a_page_at_a_time(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        accounts = house.made.context.authenticator.accounts

        def come() -> int:
            for number in range(120):
                accounts.create(f"guest-{number:03}", f"Guest {number}", "player", by="administrator")
            return len(accounts.list())

        assert await asyncio.to_thread(come) == 127
        administrator = await house.person("administrator")
        seen: list[str] = []
        for page in (1, 2, 3):
            text = (await administrator.get(f"/accounts?page={page}")).text
            assert len(text) < 150_000
            seen += re.findall(r'<th scope="row"><span[^>]*>([^<]+)</span>', text)
        assert len(seen) == len(set(seen)) == 127
        for asked, found in (("GUEST 7", 11), ("guest-119", 1), ("<b>", 0), ("", 50)):
            text = (await administrator.get("/accounts", params={"find": asked})).text
            assert len(re.findall(r'<th scope="row"><span', text)) == found, asked
            assert "<b>" not in text
        for rubbish in ("0", "-1", "999", "x", "9" * 30):
            assert (await administrator.get(f"/accounts?page={rubbish}")).status_code == 200
        # Whoever was changed is the one that is shown.
        # Disabling is asked about first: what was not confirmed changes nothing.
        form = {"csrf": administrator.http.headers["x-csrf-token"], "do": "disable"}
        asked_first = await administrator.http.post("/accounts/people/guest-119", data=form)
        assert asked_first.status_code == 200
        assert "Disable guest-119?" in asked_first.text
        form["confirmed"] = "yes"
        changed = await administrator.http.post("/accounts/people/guest-119", data=form)
        assert changed.status_code == 303
        assert changed.headers["location"] == "/accounts?find=guest-119#people"
        assert "disabled" in (await administrator.get(changed.headers["location"].partition("#")[0])).text
