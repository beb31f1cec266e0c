"""The pages of an auditor without a browser: a story longer than a page, a correction, long downloads."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text, update

from lammer.floor.record.schema import events
from lammer.floor.web.pages.accounts.accounts_view import change_words
from lammer.floor.web.pages.audit import audit
from lammer.floor.web.pages.player import history
from lammer.floor.web.pages.site import downloads
from lammer.floor.web.pages.site.clocks import CLOCK
from lammer.floor.web.pages.site.site import LANGUAGE
from support.awaited import until_so
from support.open_house import OpenHouse, books, in_loop, open_house

ANOTHER = "tiger-buffalo-noncommission@4"


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
        patch.setattr(downloads, "PAGE", 3)
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
async def test_a_players_proof_has_every_event_of_a_long_round(tmp_path: Path) -> None:
    """A page at a time, none lost or doubled; what was paid stands on each, and the file has them all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "EVENTS", 4)
        async with open_house(tmp_path, pages=True) as house:
            await seated(house)
            await play(house, "9S 2D KH 5C", bets=3)
            player = await house.person("player")
            told: list[int] = []
            path = "/tables/t1/history/1"
            while path:
                text = (await player.get(path)).text
                assert "won 300" in words(text), words(text)
                told += map(int, re.findall(r'<tr id="e-(\d+)">', text))
                more = re.search(r'href="(/tables/t1/history/1\?after=\d+)#', text)
                path = more[1] if more else ""
            assert len(told) > 2 * history.EVENTS
            proof = (await player.get("/tables/t1/history/1/proof.json")).json()
            assert [event["number"] for event in proof["events"]] == told
            assert told == list(range(told[0], told[-1] + 1))
            assert proof["more"] is False
            assert (await player.get("/tables/t1/history/1?after=999999")).status_code == 200


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


async def corrected(house: OpenHouse) -> None:
    """Player 9 to 7 is settled; a round later the Banker's five is found to be a seven, and two agree."""
    await seated(house)
    await play(house, "9S 2D KH 5C")
    await (await house.person("dealer")).ask("t1", "open_bets")
    supervisor, manager = await house.person("pit_supervisor"), await house.person("pit_manager")
    asked = await supervisor.ask(
        "t1", "correct_card", round=1, hand="banker", place=2, card="7C", reason="seen on the film"
    )
    agreed = await manager.post(f"/api/tables/t1/proposals/{asked.json()['waiting']}/agree")
    assert agreed.is_success, agreed.text


def words(text: str) -> str:
    """What a page says, without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


@in_loop
async def test_a_correction_is_told_in_one_way_everywhere(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await corrected(house)
        auditor, player = await house.person("auditor"), await house.person("player")
        listed = words((await auditor.get("/audit?table=t1&number=1")).text)
        assert "Tie 9 corrected, before: Player 9" in listed
        every = words((await auditor.get("/audit?table=t1")).text)
        assert "Tie 9 corrected, before: Player 9" in every, "however the round is found"
        page = words((await auditor.get("/audit/t1/rounds/1")).text)
        assert "Round 1 was corrected: Tie 9 instead of Player 9." in page
        assert "A card recorded wrongly: seen on the film" in page or "seen on the film" in page
        assert "pit_supervisor and pit_manager agreed" in page
        assert re.search(r"Before Player 9 9♠ K♥ 2♦ 5♣ 100.00 −100.00", page)
        assert re.search(r"After Tie 9 9♠ K♥ 2♦ 7♣ 100.00 0.00", page)
        assert re.findall(r"Together ([+−]?[\d.]+)", page) == ["+100.00", "−100.00", "0.00"]
        for path in ("/history", "/tables/t1/history", "/tables/t1/history/1"):
            own = words((await player.get(path)).text)
            assert "Round 1 was corrected: Tie 9 instead of Player 9." in own, path
            assert "Round 1: Tie on 9." in own, path
            assert "−100.00" in own, path
            assert "pit_supervisor" not in own, "who of the staff it was is none of theirs"
        table = words((await player.get("/tables/t1")).text)
        assert "Round 1 was corrected: Tie 9 instead of Player 9. −100.00 for you. § " in table
        for person, by in ((auditor, ["pit_supervisor", "pit_manager"]), (player, [])):
            story = (await person.get("/api/tables/t1/rounds/1")).json()
            (change,) = story["changes"]
            assert change["after"] == story["stands"]
            assert (change["before"]["winner"], change["after"]["winner"]) == ("player", "tie")
            assert (change["before"]["gain"], change["after"]["gain"]) == ("100.00", "0.00")
            assert (change["reason"], change["by"]) == ("seen on the film", by)
            part = (await person.get(f"/api/tables/t1/rounds/1?after={change['event'] - 1}")).json()
            assert part["stands"] == story["stands"], "also where only a part of the story is read"
        eve = await house.another("eve", "player")
        assert "for you" not in words((await eve.get("/tables/t1/now")).text)
        player.http.cookies.set(LANGUAGE, "zh")
        assert (
            "第 1 局已更正：闲 9 点改为和 9 点。 你的盈亏变动 −100.00。"
            in (await player.get("/tables/t1")).text
        )
        assert "corrected" not in words((await player.get("/history")).text)


@in_loop
async def test_the_notice_of_a_correction_goes_after_some_rounds(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await corrected(house)
        player, dealer = await house.person("player"), await house.person("dealer")
        assert "was corrected" in (await player.get("/tables/t1/now")).text
        for suit in "SHDCS":
            await dealer.ask("t1", "close_bets")
            for card in ("9", "2", "K", "5"):
                assert (await dealer.ask("t1", "deal_card", card=f"{card}{suit}")).is_success
            assert (await dealer.ask("t1", "settle")).is_success
            assert (await dealer.ask("t1", "open_bets")).is_success
        assert "was corrected" not in (await player.get("/tables/t1/now")).text
        assert "was corrected" in (await player.get("/history")).text, "the history keeps it"


@in_loop
async def test_a_round_settled_anew_before_the_next_is_told_alike(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C")
        supervisor, manager = await house.person("pit_supervisor"), await house.person("pit_manager")
        asked = await supervisor.ask(
            "t1", "correct_card", hand="banker", place=2, card="7C", reason="seen on the film"
        )
        await manager.post(f"/api/tables/t1/proposals/{asked.json()['waiting']}/agree")
        auditor, player = await house.person("auditor"), await house.person("player")
        assert "Tie 9 corrected, before: Player 9" in words((await auditor.get("/audit?table=t1")).text)
        for person, path in ((auditor, "/audit/t1/rounds/1"), (player, "/history"), (player, "/tables/t1")):
            text = words((await person.get(path)).text)
            assert "Round 1 was corrected: Tie 9 instead of Player 9." in text, path


@in_loop
async def test_rounds_are_looked_for_and_put_in_order(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await corrected(house)
        dealer, player = await house.person("dealer"), await house.person("player")
        await player.ask("t1", "place_bet", box=1, bet="banker", stake="50")
        await dealer.ask("t1", "close_bets")
        await (await house.person("pit_supervisor")).ask("t1", "void_round", cause="foreign_card")
        assert (await dealer.ask("t1", "prepare_shoe")).is_success
        await play(house, "9H 2C KD 5S", bets=3)
        auditor = await house.person("auditor")

        async def found(asked: str) -> list[int]:
            text = (await auditor.get(f"/audit?table=t1&{asked}")).text
            return [int(number) for number in re.findall(r'<th scope="row"><a href="[^"]*">(\d+)</a>', text)]

        assert await found("") == [3, 2, 1]
        assert await found("result=tie") == [1]
        assert await found("result=void") == [2]
        assert await found("corrected=yes") == [1]
        assert await found("irregularity=foreign_card") == [2]
        assert await found("irregularity=*") == [2, 1]
        assert await found("natural=yes&points=9") == [3, 1]
        assert await found("amount=250") == [3]
        assert await found("paragraph=99") == []
        assert await found("sort=won") == [2, 1, 3]
        assert await found("sort=-staked") == [2, 1, 3]
        assert await found("table=*&corrected=yes") == [1]
        text = (await auditor.get("/audit?table=t1&sort=staked&result=tie")).text
        assert 'aria-sort="descending"' in text
        assert "/audit?table=t1&amp;result=tie&amp;sort=-staked" in text, "pressed again it is turned round"
        for rubbish in ("result=red", "points=x", "amount=much", "amount=-1"):
            assert (await auditor.get(f"/audit?table=t1&{rubbish}")).status_code in (400, 422), rubbish


@in_loop
async def test_every_event_has_a_link_of_its_own(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "EVENTS", 4)
        async with open_house(tmp_path, pages=True) as house:
            await seated(house)
            await play(house, "9S 2D KH 5C", bets=3)
            auditor = await house.person("auditor")
            first = (await auditor.get("/audit/t1/rounds/1")).text
            numbers = [int(number) for number in re.findall(r'href="/audit/t1/event/(\d+)"', first)]
            assert len(numbers) == 4
            for number in (numbers[0], numbers[-1], numbers[-1] + 3):
                led = await auditor.get(f"/audit/t1/event/{number}")
                assert led.status_code == 303
                path, _, anchor = led.headers["location"].partition("#")
                assert anchor == f"e-{number}"
                assert f'id="{anchor}"' in (await auditor.get(path)).text
            assert (await auditor.get("/audit/t1/event/1")).status_code == 404
            assert (await auditor.get("/audit/t1/event/999999")).status_code == 404


@in_loop
async def test_the_whole_house_is_verified_and_taken_away(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C")
        await house.table("t2")
        auditor = await house.person("auditor")
        text = (await auditor.get("/audit?table=*")).text
        for address in ("/audit/*/verify", "/audit/*/events/csv", "/audit/*/events/jsonl"):
            assert f'href="{address}"' in text
        sheet = await auditor.get("/audit/*/events/csv")
        assert sheet.headers["content-disposition"] == 'attachment; filename="house-all-events.csv"'
        rows = list(csv.DictReader(io.StringIO(sheet.text)))
        assert {row["table"] for row in rows} == {"t1", "t2"}
        whole = (await auditor.get("/audit/*/events/json")).json()
        assert [(row["table"], row["number"]) for row in rows] == [
            (event["table"], str(event["number"])) for event in whole
        ]
        form = {"csrf": auditor.http.headers["x-csrf-token"]}
        begun = await auditor.http.post("/audit/*/verify", data=form)
        assert begun.status_code == 303
        desk = house.made.context.long_work["verify"]
        await until_so(lambda: not desk.busy)
        verified = words((await auditor.get(begun.headers["location"])).text)
        assert "Everything holds" in verified
        assert "2 tables were gone through." in verified


@in_loop
async def test_files_are_called_by_table_and_round(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C")
        auditor, player = await house.person("auditor"), await house.person("player")
        for person, path, name in (
            (auditor, "/audit/t1/events/csv", "t1-all-events.csv"),
            (auditor, "/audit/t1/events/json?round=1", "t1-round-1.json"),
            (player, "/tables/t1/history/1/proof.json", "t1-round-1-proof.json"),
        ):
            answer = await person.get(path)
            assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        proof = (await player.get("/tables/t1/history/1/proof.json")).json()
        assert (proof["table"], proof["round"]) == ("t1", 1)
        assert proof["events"][-1]["event"] == "RoundSettled"
        assert not [event for event in proof["events"] if "hash" in event or "by" in event]
        assert "t1/history/1/proof.json" in (await player.get("/tables/t1/history/1")).text


@in_loop
async def test_times_go_by_one_clock_that_is_chosen_once(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C")
        auditor, player = await house.person("auditor"), await house.person("player")
        pages = ("/audit?table=t1", "/audit/t1/rounds/1", "/tables/t1/history/1", "/history")
        for path in pages[:3]:
            assert "UTC" in words((await auditor.get(path)).text), path
        chosen = await auditor.get("/audit?table=t1&clock=house")
        assert chosen.cookies[CLOCK] == "house"
        for path in pages[:3]:
            text = (await auditor.get(path)).text
            assert "Asia/Singapore" in text, path
            assert '<option value="house" selected>' in text, path
        assert "Europe/Vienna" in words((await player.get("/history?clock=Europe/Vienna")).text)
        assert "Europe/Vienna" in words((await player.get("/tables/t1/history/1")).text)
        assert "UTC" in words((await player.get("/history?clock=Nowhere/Land")).text), "a name of no clock"


@in_loop
async def test_one_history_over_all_tables_with_totals(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C", bets=2)
        await house.table("t2")
        dealer, player = await house.person("dealer"), await house.person("player")
        await dealer.ask("t2", "prepare_shoe")
        await player.ask("t2", "take_seat", box=1)
        await dealer.ask("t2", "open_bets")
        await player.ask("t2", "place_bet", box=1, bet="banker", stake="50")
        await dealer.ask("t2", "close_bets")
        for card in ("9S", "2D", "KH", "5C"):
            await dealer.ask("t2", "deal_card", card=card)
        assert (await dealer.ask("t2", "settle")).is_success

        async def came_to(asked: str) -> tuple[str, str]:
            text = (await player.get(f"/history?{asked}")).text
            staked = re.search(r"<dt>Staked</dt><dd>([\d.,]+)</dd>", text)
            gain = re.search(r'id="gain">([^<]+)<', text)
            assert staked
            assert gain
            return staked[1], gain[1]

        assert await came_to("") == ("250.00", "+150.00")
        assert await came_to("table=t2") == ("50.00", "−50.00")
        assert await came_to("came_to=won") == ("200.00", "+200.00")
        assert await came_to("came_to=lost") == ("50.00", "−50.00")
        assert await came_to("first=2099-01-01") == ("0.00", "0.00")
        assert await came_to("last=2099-01-01") == ("250.00", "+150.00")
        assert await came_to("last=2001-01-01") == ("0.00", "0.00")
        text = (await player.get("/history")).text
        assert 'id="session-gain">+150.00<' in text
        assert "<dt>Rounds even</dt><dd>0</dd>" in text
        assert text.index("t2/history/1") < text.index("t1/history/1"), "the newest first"
        eve = await house.another("eve", "player")
        assert "No round of yours is like that." in (await eve.get("/history")).text
        for rubbish in ("first=x", "came_to=x", "last=9999-12-31", "before=x"):
            assert (await player.get(f"/history?{rubbish}")).status_code == 400, rubbish
        assert (await player.get("/history?table=nowhere")).status_code == 404
        assert 'href="/history"' in (await player.get("/lobby")).text


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
        ("role asked for as pit_manager", "Asked to become pit manager"),
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


@in_loop
async def test_one_table_that_cannot_be_read_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil = update(events).where(events.c.table_id == "t2").values(body=b"{")

    def write(connection: Connection) -> None:
        connection.execute(text("DROP TRIGGER events_stay_changed"))
        connection.execute(spoil)

    def must_show_all_but(page: str, unread: str) -> None:
        assert f"These tables cannot be read, and what is below is without them: {unread}." in page
        assert "/audit/t1/rounds/1" in page

    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C")
        await house.table("t2")
        await house.table("t3", rulebook=ANOTHER, layout="A")
        auditor = await house.person("auditor")
        assert "cannot be read" not in (await auditor.get("/audit?table=*")).text
        cookies = auditor.http.cookies
    # The rulebook of one table is not there at the next start: that table cannot be read.
    without = {name: book for name, book in books().items() if name != ANOTHER}
    monkeypatch.setattr("support.open_house.books", lambda: without)
    async with open_house(tmp_path, pages=True) as house:
        auditor = house.stranger()
        auditor.http.cookies = cookies
        must_show_all_but((await auditor.get("/audit?table=*")).text, "T3")
        assert (await auditor.get("/audit?table=t1")).status_code == 200
        every = await auditor.get("/audit/*/events/jsonl")
        assert every.status_code == 200
        assert "house-without-t3" in every.headers["content-disposition"]
        assert '"t1"' in every.text
        # And somebody writes into the file of the record: an event of another is no event any more.
        await asyncio.to_thread(house.house.store.write(write).result)
        must_show_all_but((await auditor.get("/audit?table=*")).text, "T3, T2")
        await auditor.http.aclose()


@in_loop
async def test_a_round_is_said_to_be_verified_only_where_the_run_reached_it(tmp_path: Path) -> None:
    """Of the table alone or of the whole house, whichever was verified last."""
    covered, uncovered = "✓ The whole table was worked out anew and held", "○ Not yet covered"
    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C")
        auditor = await house.person("auditor")
        form = {"csrf": auditor.http.headers["x-csrf-token"]}

        async def verify(what: str) -> None:
            assert (await auditor.http.post(f"/audit/{what}/verify", data=form)).status_code == 303
            desk = house.made.context.long_work["verify"]
            await until_so(lambda: not desk.busy)

        async def told(number: int) -> str:
            return words((await auditor.get(f"/audit/t1/rounds/{number}")).text)

        neither = await told(1)
        assert covered not in neither
        assert uncovered not in neither
        await verify("t1")
        assert covered in await told(1)
        dealer = await house.person("dealer")
        head = house.house.store.head("t1").number
        await dealer.ask("t1", "open_bets")
        assert covered in await told(1)
        second = await told(2)
        assert covered not in second
        assert f"{uncovered}: the table was last verified up to event {head} (round 1)" in second
        await verify("*")
        assert covered in await told(2), "the house has this table too"
        await (await house.person("player")).ask("t1", "place_bet", box=1, bet="player", stake="100")
        assert uncovered in await told(2)
        await verify("t1")
        assert covered in await told(2), "the run of the house before does not hide the newer one"


@in_loop
async def test_what_cannot_be_looked_for_is_said_at_its_field(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        await seated(house)
        await play(house, "9S 2D KH 5C")
        auditor = await house.person("auditor")
        cannot_be_read = (
            ("amount=lots", "The amount is 'lots'.", 'name="amount"'),
            ("number=last", "A round is a number, such as 12.", 'name="number"'),
            ("points=12", "A total is a number from 0 to 9.", 'name="points"'),
            ("since=yesterday", "A moment is a date and a time of day.", 'name="since"'),
            ("since=2026-02-02T00:00&until=2026-02-01T00:00", "This is not before", 'name="since"'),
        )
        for asked, message, field in cannot_be_read:
            answer = await auditor.get(f"/audit?table=t1&player=somebody&{asked}")
            label = next(part for part in answer.text.split("<label") if field in part).partition("</label>")[
                0
            ]
            assert answer.status_code == 400
            assert 'aria-invalid="true"' in label, asked
            assert message in words(label).replace("&#39;", "'"), asked
            assert 'value="somebody"' in answer.text, "what else was typed stays"
        unknown = (
            ("number=7", "There is no round 7 here: so far there were 1."),
            ("paragraph=99.9", "No rulebook of this house has a paragraph 99.9."),
            ("player=nobody", "No account of this house is called nobody."),
        )
        for asked, message in unknown:
            for table in ("t1", "*"):
                answer = await auditor.get(f"/audit?table={table}&{asked}")
                assert (answer.status_code, message in answer.text) == (200, True), asked
        nothing = (await auditor.get("/audit?table=t1&player=player&paragraph=4.1&result=tie")).text
        assert "No round is like that. </p>" in nothing
        missing = await auditor.get("/audit/t1/rounds/7")
        assert missing.status_code == 404
        assert "There is no round 7 here" in missing.text
        assert re.search(r'name="number"[^>]* value="7"', missing.text)
