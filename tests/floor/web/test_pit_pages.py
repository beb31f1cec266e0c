"""The pit's pages without a browser: the wall, one inbox, a set-up copied, the report of the house."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

from support.open_house import SETUP, in_loop
from support.working_pages import TABLE, desk, text

DEALT = ("open_bets", "bet", "close_bets", "8S", "KD", "KH", "QC", "settle")
"""Player 8 over Banker 0: p1 is paid 100, p2 loses 200."""


@in_loop
async def test_the_wall_shows_the_day_of_every_table(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.house.table("t2")
        await at.play(*DEALT)
        pit = await at.house.person("pit_supervisor")
        wall = text((await pit.get("/pit")).text)
        assert "Hands in the last hour 1" in wall
        assert "Average bet 150" in wall
        assert "Win today 100" in wall
        # 100 by 1.2351% and 200 by 1.4581%.
        assert "Expected win 4.15" in wall
        apart = re.search(r"Standard deviations apart \+(\d\.\d) ", wall)
        assert apart is not None
        assert 0 < float(apart[1]) < 1.5
        assert "Dealer dealer" in wall
        # The interrupted table comes first, with how long it has been so.
        await at.play("open_bets")
        await (await at.house.person("dealer")).ask(TABLE, "interrupt", reason="power")
        now = text((await pit.get("/pit/-now")).text)
        assert re.search(r"! Interrupted \d+ s", now)


@in_loop
async def test_one_inbox_for_all_tables(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        supervisor, manager = await at.house.person("pit_supervisor"), await at.house.person("pit_manager")
        assert "Nothing waits." in text((await manager.get("/pit/-inbox")).text)
        await supervisor.ask(TABLE, "reopen_settlement", reason="the king was a nine")
        assert re.search(
            r"Reopen the settlement, pit_supervisor \d+ s", text((await manager.get("/pit")).text)
        )
        inbox = (await manager.get("/pit/-inbox")).text
        assert "the king was a nine" in text(inbox)
        number = re.search(r'name="number" value="(\w+)"', inbox)
        assert number is not None
        form = {"number": number[1], "answer": "agree", "next": "/pit/-inbox"}
        form["csrf"] = manager.http.headers["x-csrf-token"]
        agreed = await manager.http.post(f"/pit/{TABLE}/approvals", data=form)
        assert (agreed.status_code, agreed.headers["location"]) == (303, "/pit/-inbox")
        assert at.round.phase != "settled"
        player = await at.house.person("player")
        assert (await player.get("/pit/-inbox")).status_code == 403


@in_loop
async def test_the_inbox_has_what_waits_about_accounts_and_the_walls_list_no_machine_words(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as at:
        administrator = await at.house.person("administrator")
        await administrator.post("/api/accounts", name="bo", title="Bo Li", role="pit_supervisor")
        above = await at.house.person("table_game_shift_manager")
        for path in ("/pit", "/pit/-inbox"):
            page = (await above.get(path)).text
            assert "administrator asks for an account bo as pit supervisor" in text(page)
            assert 'aria-label="Agree: bo"' in page
        assert "@accounts" not in (await above.get("/pit/-now")).text


@in_loop
async def test_what_is_asked_for_is_shown_in_the_words_of_the_game(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "open_bets", "close_bets", "2S", "3D", "6H", "AC")
        supervisor = await at.house.person("pit_supervisor")
        asked: dict[str, Any] = {"round": 1, "hand": "banker", "place": 2, "card": "9C", "reason": "camera"}
        assert (await supervisor.ask(TABLE, "correct_card", **asked)).status_code == 202
        inbox = text((await supervisor.get("/pit/-inbox")).text)
        assert "Hand Banker Place 2" in inbox
        above = await at.house.person("table_game_shift_manager")
        ruling = {"reason": "a bird flew in", "effect": "void_round"}
        assert (await above.ask(TABLE, "rule_on_matter", **ruling)).status_code == 202
        assert "Effect the round is void" in text((await supervisor.get("/pit/-inbox")).text)
        assert "void_round" not in text((await supervisor.get("/pit/-inbox")).text)


@in_loop
async def test_the_wall_says_that_insurance_is_open(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        pit = await at.house.person("pit_supervisor")
        await at.play("open_bets", "bet", "close_bets", "QS", "3D", "6H")
        assert re.search(r" Cards \d+ s", text((await pit.get("/pit")).text))
        await at.play("AC")
        assert re.search(r" Insurance \d+ s", text((await pit.get("/pit")).text))
        assert "Round 1 Insurance" in text((await pit.get(f"/pit/{TABLE}")).text)


@in_loop
async def test_a_set_up_is_copied_to_many_tables(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        for name in ("t2", "t3"):
            await at.house.table(name)
        limits = {"original": {"minimum": "50"}, "tie": {"minimum": "20", "maximum": "200"}}
        limits["differential"] = "5000"  # type: ignore[assignment]
        changed = SETUP | {"limits": limits, "readings": {"limits_mode": "advisory"}, "cut": 14}
        manager, dealer = await at.house.person("pit_manager"), await at.house.person("dealer")
        for player in ("p1", "p2"):
            await dealer.ask(TABLE, "leave_seat", player=player)
        set_anew = await manager.ask(TABLE, "set_table", setup=changed)
        assert set_anew.is_success, set_anew.text
        # One of the tables is in a round and refuses; the other is set all the same.
        await dealer.ask("t3", "prepare_shoe")
        await dealer.ask("t3", "open_bets")
        page = (await manager.get(f"/pit/{TABLE}/set-up/copy")).text
        assert re.findall(r'name="to" value="(\w+)"', page) == ["t2", "t3"]
        form = {"csrf": manager.http.headers["x-csrf-token"], "to": ["t2", "t3", "nowhere"]}
        answer = await manager.http.post(f"/pit/{TABLE}/set-up/copy", data=form)
        assert answer.status_code == 200
        results = text(answer.text)
        assert re.search(r"t2 The table has taken it\.", results, re.IGNORECASE)
        assert "Round 1 is under way." in results
        assert "There is no table 'nowhere' in this house." in results
        tables = at.house.house.tables
        assert tables.view("t2").table.setup == at.table.setup
        assert tables.view("t3").table.setup != at.table.setup
        # Whoever may not set a table may not copy one either.
        form = {"csrf": dealer.http.headers["x-csrf-token"], "to": "t2"}
        refused = await dealer.http.post(f"/pit/{TABLE}/set-up/copy", data=form)
        assert "it takes a Pit Manager or above" in text(refused.text)


@in_loop
async def test_the_report_of_the_house(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        pit = await at.house.person("pit_manager")
        page = text((await pit.get("/pit/-report")).text)
        assert "Rounds settled 1" in page
        for part in ("By day", "By shift", "By table", "By bet", "By player", "By dealer"):
            assert part in page
        rows = list(csv.DictReader(io.StringIO((await pit.get("/pit/-report.csv")).text)))
        found = {(row["what"], row["which"]): (row["turnover"], row["win"]) for row in rows}
        assert found["total", ""] == ("300.00", "100.00")
        assert found["table", TABLE] == ("300.00", "100.00")
        assert found["bet", "banker"] == ("200.00", "200.00")
        assert found["player", "p1"] == ("100.00", "-100.00")
        assert found["dealer", "dealer"] == ("300.00", "100.00")
        shifts = [key for key in found if key[0] == "shift"]
        assert len(shifts) == 1
        assert shifts[0][1] in ("Day", "Swing", "Night")
        assert found[shifts[0]] == ("300.00", "100.00")
        assert "by each table’s clock (Asia/Singapore)" in page
        assert "Day 06:00, Swing 14:00, Night 22:00" in page
        # p1 won 100 of 100: a minus, and no hyphen; days as dates are written, and everything in Chinese too.
        assert "p1 1 100.00 −100.00 0.00 −100.00" in page
        assert not re.search(r"[^\d]-\d|\d{4}-\d\d-\d\d", page)
        pit.http.cookies.set("lammer_language", "zh")
        chinese = text((await pit.get("/pit/-report")).text)
        assert any(name in chinese for name in ("早班", "中班", "夜班"))
        assert re.search(r"\d{4}年\d+月\d+日 2 300.00 100.00", chinese)
        pit.http.cookies.delete("lammer_language")
        assert "Nothing yet." in text((await pit.get("/pit/-report?from=2020-01-01&to=2020-01-02")).text)
        for rubbish in ("from=yesterday", "from=2020-01-01", "from=2026-01-02&to=2026-01-01"):
            assert (await pit.get(f"/pit/-report?{rubbish}")).status_code == 400, rubbish
        for role in ("player", "auditor", "administrator"):
            assert (await (await at.house.person(role)).get("/pit/-report.csv")).status_code == 403


@in_loop
async def test_a_clock_is_chosen_once_for_every_page(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        supervisor, manager = await at.house.person("pit_supervisor"), await at.house.person("pit_manager")
        await supervisor.ask(TABLE, "reopen_settlement", reason="the king was a nine")
        pages = ("/pit/-inbox", f"/pit/{TABLE}", "/pit/-staff", f"/pit/{TABLE}/report")
        for page in pages:
            assert " UTC" in text((await manager.get(page)).text), page
        assert "Times by the clock of" in text((await manager.get("/pit?clock=Asia/Tokyo")).text)
        for page in pages:
            told = text((await manager.get(page)).text)
            assert " Asia/Tokyo" in told, page
            assert " UTC" not in told, page
        # A clock there is not is asked for in vain; the other is kept.
        await manager.get("/pit?clock=noon")
        assert " Asia/Tokyo" in text((await manager.get("/pit/-inbox")).text)
        # It holds on the pages of accounts as well, each reader's own.
        administrator = await at.house.person("administrator")
        assert " UTC" in text((await administrator.get("/accounts/sessions")).text)
        assert " Asia/Tokyo" in text((await administrator.get("/accounts/sessions?clock=Asia/Tokyo")).text)
        assert " Asia/Tokyo" in text((await administrator.get("/accounts/changes")).text)
