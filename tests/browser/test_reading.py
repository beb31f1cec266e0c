"""What an auditor does: find a round, read why it paid, verify, take the events away."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import lammer
from browser.conftest import Person
from support.browser_table import BOOK, Dealt
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

Picture = Callable[["Page", str], None]


@pytest.fixture(scope="session")
def played(house: Served) -> Dealt:
    """A table with two settled rounds, Insurance in the second, and a third under way."""
    table = Dealt(house, "audited", face_down=True)
    house.ask(table.name, "player", "take_seat", name="anna", box=1)
    for number, cards in enumerate(("9S 2D KH 5C", "QS 3D 6H AC 5D")):
        table.dealer("open_bets")
        house.ask(table.name, "player", "place_bet", name="anna", box=1, bet="player", stake="100")
        table.dealer("close_bets")
        first, rest = cards.split()[:4], cards.split()[4:]
        table.cards(" ".join(first))
        for hand in ("player", "banker"):
            for place in (1, 2):
                table.dealer("open_card", hand=hand, place=place)
        if number:
            house.ask(table.name, "player", "place_insurance", name="anna", box=1, hand="player", stake="40")
        table.cards(" ".join(rest))
        if rest:
            table.dealer("open_card", hand="banker", place=3)
        table.dealer("settle")
    table.dealer("open_bets")
    house.ask(table.name, "player", "place_bet", name="anna", box=1, bet="banker", stake="70")
    table.dealer("close_bets")
    table.cards("7S")
    return table


def test_an_auditor_finds_a_round_and_reads_why_it_paid(
    person: Person, played: Dealt, picture: Picture
) -> None:
    page = person("auditor")
    page.goto(f"/audit?table={played.name}")
    expect(page.locator("tbody tr")).to_have_count(3)
    page.get_by_label("Player's name").fill("anna")
    page.get_by_label("Round", exact=True).fill("2")
    page.get_by_role("button", name="Find rounds").click()
    row = page.locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Banker 9")
    row.get_by_role("link", name="2").click()
    story = page.locator(".story")
    picture(page, "audit-round")
    expect(story).to_contain_text("anna bets 100.00 on Player, box 1.")
    expect(story).to_contain_text("Card 3 of Banker is opened: 5♦.")
    expect(story).to_contain_text("anna insures Player with 40.00 at 5:2, box 1.")
    line = page.locator(".lines tbody tr").filter(has_text="Insurance on Player")
    expect(line).to_contain_text("+100.00")
    expect(line).to_contain_text("40 × 5:2")
    line.get_by_role("link", name="4.1.14").click()
    gist = lammer.rulebook(BOOK).paragraphs["4.1.14"].gist
    expect(page.locator('[id="p-4.1.14"]')).to_contain_text(gist)


def test_rounds_are_found_by_time_and_by_player(person: Person, played: Dealt) -> None:
    page = person("auditor")
    page.goto(f"/audit?table={played.name}")
    opened = page.locator("tbody tr td:nth-child(2)").all_inner_texts()
    page.goto(f"/audit?table={played.name}&until={opened[0].replace(' ', 'T')}")
    found = [int(each) for each in page.locator("tbody tr th").all_inner_texts()]
    # The page tells seconds, and all three rounds may have been opened within one.
    assert found in ([2, 1], [1], [])
    page.goto(f"/audit?table={played.name}&since=2020-01-01T00:00")
    assert [int(each) for each in page.locator("tbody tr th").all_inner_texts()] == [3, 2, 1]
    page.goto(f"/audit?table={played.name}&since=2099-01-01T00:00")
    expect(page.get_by_text("No round is like that.")).to_be_visible()
    page.goto(f"/audit?table={played.name}&player=nobody")
    expect(page.get_by_text("No round is like that.")).to_be_visible()
    page.goto(f"/audit?table={played.name}&number=abc")
    expect(page.get_by_role("alert")).to_contain_text("A round is a number")


def test_what_lies_face_down_is_in_no_page_and_no_download(person: Person, played: Dealt) -> None:
    page = person("auditor")
    page.goto(f"/audit/{played.name}/rounds/3")
    expect(page.locator(".story")).to_contain_text("A card face down to Player.")
    assert not re.search(r"(?<![\w-])7S(?![\w-])", page.content()), "as a word, and not inside a token"
    assert "7♠" not in page.content()
    whole = page.request.get(f"/audit/{played.name}/events/jsonl").text()
    entries = [json.loads(line) for line in whole.splitlines()]
    dealt = [each for each in entries if each["round"] == 3 and each["entry"]["event"] == "CardDealt"]
    assert [(each["entry"]["card"], "withheld" in each["entry"]) for each in dealt] == [("", True)]
    assert any(each["entry"].get("card") == "9S" for each in entries if each["round"] == 1)
    page.goto("/audit/tiger-buffalo-1/events/jsonl?round=999999")
    expect(page.get_by_role("alert")).to_contain_text("no round 999999")


def test_the_order_of_a_shoe_in_use_is_not_handed_out(person: Person) -> None:
    page = person("pit_manager")
    whole = page.request.get("/audit/tiger-buffalo-1/events/jsonl").text()
    shoes = [json.loads(line)["entry"] for line in whole.splitlines() if "ShoePrepared" in line]
    assert shoes
    assert shoes[-1]["order"] == []
    assert shoes[-1]["salt"] == ""
    assert shoes[-1]["commitment"]


def test_a_round_can_be_taken_away_as_a_sheet(person: Person, played: Dealt) -> None:
    page = person("auditor")
    page.goto(f"/audit/{played.name}/rounds/2")
    with page.expect_download() as told:
        page.get_by_role("link", name="This round as CSV").click()
    assert told.value.suggested_filename == "audited-round-2.csv"
    text = page.request.get(f"/audit/{played.name}/events/csv?round=2").text()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["round"] for row in rows} == {"2"}
    assert rows[0]["event"] == "BettingOpened"
    assert rows[-1]["event"] == "RoundSettled"
    told_as_json = page.request.get(f"/audit/{played.name}/events/json?round=2").json()
    assert [str(each["number"]) for each in told_as_json] == [row["number"] for row in rows]
    # Cards lie face down at this table: whoever has a hash could find one by trying all.
    expect(page.locator(".story tbody tr").first).to_contain_text("when the shoe ends")
    assert {row["hash"] for row in rows} == {""}
    whole = page.request.get(f"/audit/{played.name}/events/json").json()
    lines = page.request.get(f"/audit/{played.name}/events/jsonl").text().splitlines()
    assert whole == [json.loads(line) for line in lines]
    assert [each["number"] for each in whole] == list(range(1, len(whole) + 1)), "nothing is left out"
    page.goto(f"/audit/{played.name}/events/xml")
    expect(page.get_by_role("alert")).to_contain_text("csv, jsonl, json")


def test_why_a_box_was_paid_is_answered_on_one_page(person: Person, house: Served) -> None:
    table = Dealt(house, "why", rulebook="tiger-buffalo-commission-insurance@3", layout="A")
    house.ask(table.name, "player", "take_seat", name="doris", box=3)
    for cards in ("2S 9D 5H KC", "2H 9C 5D KS"):
        table.dealer("open_bets")
        house.ask(table.name, "player", "place_bet", name="doris", box=3, bet="banker", stake="50")
        table.dealer("close_bets")
        table.cards(cards)
        table.dealer("settle")
    page = person("auditor")
    page.goto("/audit?table=*&player=doris")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_role("row").filter(has_text="2♠ 5♥").get_by_role("link").click()
    line = page.locator(".lines tbody tr")
    expect(line).to_contain_text("50 less 2.50 commission")
    expect(line.locator(".gain")).to_have_text("+47.50")
    for paragraph in ("4.1.2", "4.1.1", "3.16"):
        expect(line.get_by_role("link", name=paragraph, exact=True)).to_be_visible()
        expect(page.locator(f'.gists [id="p-{paragraph}"]')).to_be_visible()
    expect(page.locator('.gists [id="p-4.1.2"]')).to_contain_text("Banker, every win: 0.95:1")
    told = page.request.get(f"/audit/{table.name}/events/json?round=1").json()
    shown = page.locator(".story code").evaluate_all("all => all.map(each => each.title)")
    assert shown == [each["hash"] for each in told]
    proof = page.locator(".holds")
    expect(proof).to_contain_text("each hash was worked out again just now")
    proof.get_by_role("button", name="Verify the whole table now").click()
    expect(page.get_by_role("heading", name="Everything holds")).to_be_visible()
    page.goto(f"/audit/{table.name}/rounds/1")
    expect(page.locator(".holds")).to_contain_text("The whole table was worked out anew and held")
    page.get_by_role("link", name="The round after").click()
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(page.get_by_role("link", name="The round after")).to_have_count(0)


def test_what_was_given_back_of_a_void_round_is_told(person: Person, house: Served) -> None:
    table = Dealt(house, "voided")
    house.ask(table.name, "player", "take_seat", name="dora", box=2)
    table.dealer("open_bets")
    house.ask(table.name, "player", "place_bet", name="dora", box=2, bet="player", stake="80")
    table.dealer("close_bets")
    house.ask(table.name, "pit_supervisor", "void_round", cause="foreign_card")
    page = person("auditor")
    page.goto(f"/audit/{table.name}/rounds/1")
    given = page.locator(".lines tbody tr")
    expect(given).to_contain_text("dora")
    expect(given).to_contain_text("80.00")


def test_an_auditor_verifies_a_table_in_the_page(person: Person, played: Dealt, picture: Picture) -> None:
    page = person("auditor")
    page.goto(f"/audit/{played.name}/verify")
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_role("heading", name="Everything holds")).to_be_visible()
    expect(page.locator(".holds")).to_contain_text("3 rounds")
    picture(page, "audit-verify")


def test_a_changed_event_is_told_to_the_event(person: Person, tmp_path: Path) -> None:
    own = Served(tmp_path, LAMMER_TABLES="0").start()
    try:
        table = Dealt(own, "forged")
        own.ask(table.name, "player", "take_seat", name="anna", box=1)
        table.dealer("open_bets")
        own.ask(table.name, "player", "place_bet", name="anna", box=1, bet="player", stake="100")
        table.dealer("close_bets")
        table.cards("9S 2D KH 5C")
        table.dealer("settle")
        own.stop()
        own.start()
        page = person("auditor", at=own)
        page.goto("/audit/forged/rounds/1")
        # A house that stops signs a last checkpoint.
        expect(page.locator(".holds")).to_contain_text("the signature is good")
        own.stop()
        with closing(sqlite3.connect(tmp_path / "house.sqlite")) as record:
            rows = record.execute("SELECT number, body FROM events WHERE table_id = 'forged'").fetchall()
            number, body = next(row for row in rows if b"BetPlaced" in row[1])
            forged = body.replace(b'"stake":10000', b'"stake":20000')
            assert forged != body
            guards = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
            kept = record.execute(guards).fetchall()
            for guard, _ in kept:
                record.execute(f"DROP TRIGGER {guard}")
            record.execute("UPDATE events SET body = ? WHERE number = ?", (forged, number))
            for _, guard in kept:
                record.execute(guard)
            record.commit()
        own.start()
        page = person("auditor", at=own)
        page.goto("/audit/forged/rounds/1")
        told = page.get_by_role("alert")
        expect(told).to_contain_text(f"event {number}: what is read is not what was written")
        expect(told).to_contain_text("lammer verify")
        page.goto("/audit/forged/verify")
        page.get_by_role("button", name="Verify now").click()
        expect(page.get_by_role("heading", name="Something does not hold")).to_be_visible()
        expect(page.locator(".broken")).to_contain_text(f"event {number}")
        expect(page.locator(".broken")).to_contain_text("the settlement is not what cards and bets come to")
    finally:
        own.stop()


def test_players_and_administrators_do_not_read_the_audit(person: Person, house: Served) -> None:
    for role in ("player", "administrator"):
        page = person(role)
        answer = page.goto("/audit")
        assert answer is not None
        assert answer.status == 403
        expect(page.get_by_role("alert")).to_contain_text("this is for")
    page = person()
    page.goto("/audit")
    assert "/sign-in?next=/audit" in page.url
