"""The board with its key alone, the administrator's pages, and what is read of a round that was corrected."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from playwright.sync_api import expect

from browser.conftest import Person
from support.awaited import GUARD
from support.browser_table import Dealt, sit
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

Picture = Callable[["Page", str], None]


def board_key(house: Served, table: str) -> str:
    with house.client("administrator") as client:
        answer = client.post("/api/keys", json={"table": table, "purpose": "display_board"})
        answer.raise_for_status()
        return str(answer.json()["key"])


def test_a_board_follows_the_table_with_its_key_alone(
    person: Person, house: Served, picture: Picture
) -> None:
    table = Dealt(house, "shown")
    house.ask(table.name, "player", "take_seat", name="boris", box=2)
    page = person(viewport={"width": 1200, "height": 675})
    page.goto(f"/board/{table.name}?key={board_key(house, table.name)}")
    assert page.context.cookies() == []
    page.evaluate("window.stayed = true")
    expect(page.locator(".limits")).to_contain_text("10 – 5,000")
    expect(page.locator(".state")).to_contain_text("The next round opens soon.")
    table.dealer("open_bets")
    expect(page.locator(".state")).to_contain_text("Place your bets, please")
    house.ask(table.name, "player", "place_bet", name="boris", box=2, bet="player", stake="100")
    table.dealer("close_bets")
    expect(page.locator(".state")).to_contain_text("No more bets")
    table.dealer("deal_card", card="QS")
    expect(page.locator(".cards title").first).to_contain_text("Queen of spades")
    table.cards("3D 6H AC")
    expect(page.locator(".state")).to_contain_text("Insurance")
    expect(page.locator(".lammers")).to_contain_text("5 to 2")
    picture(page, "board")
    table.cards("5D")
    table.dealer("settle")
    expect(page.locator(".state")).to_contain_text("Banker wins")
    expect(page.locator(".counted .banker dd").first).to_have_text("1")
    expect(page.locator(".roads > svg title").first).to_contain_text("Roads after 1 rounds: Banker 1")
    row = page.locator(".roads table").first.locator("tbody tr")
    expect(row).to_contain_text("Banker")
    expect(page.locator(".foot")).to_contain_text("says nothing about what comes next")
    assert page.evaluate("window.stayed"), "the page was not loaded again"
    # Nobody's money is on it, nor who sits where.
    assert "boris" not in page.content()


def test_a_board_shows_no_card_that_lies_face_down(person: Person, house: Served) -> None:
    table = Dealt(house, "covered", face_down=True)
    page = person()
    page.goto(f"/board/{table.name}?key={board_key(house, table.name)}")
    house.ask(table.name, "player", "take_seat", name="boris", box=2)
    table.dealer("open_bets")
    house.ask(table.name, "player", "place_bet", name="boris", box=2, bet="player", stake="100")
    table.dealer("close_bets")
    table.cards("9S 2D")
    expect(page.locator(".cards title").first).to_contain_text("Player: a card face down.")
    # Two letters may well stand inside a key; as a word of their own they may not.
    for secret in (r"(?<![\w-])9S(?![\w-])", "9 of spades", "2 of diamonds", "Ace of spades"):
        assert not re.search(secret, page.content())
    table.cards("KH 5C")
    table.dealer("open_card", hand="player", place=1)
    expect(page.locator(".cards title").first).to_contain_text("9 of spades, a card face down.")


def test_a_key_opens_its_own_board_and_nothing_else(person: Person, house: Served) -> None:
    key = board_key(house, "tiger-buffalo-1")
    page = person()
    for path in (f"/board/da-hu-1?key={key}", "/board/da-hu-1?key=lammer_nonsense"):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 401
        expect(page.get_by_role("alert")).to_contain_text("An administrator makes such keys.")
    page.goto("/board/tiger-buffalo-1")
    assert "/sign-in" in page.url
    page.goto(f"/audit?key={key}")
    assert "/sign-in" in page.url


def test_a_board_says_when_it_is_stale_and_comes_back(person: Person, tmp_path: Path) -> None:
    own = Served(tmp_path, LAMMER_TABLES="1", LAMMER_BETTING_SECONDS="60").start()
    try:
        page = person(at=own)
        page.goto(f"/board/tiger-buffalo-1?key={board_key(own, 'tiger-buffalo-1')}")
        expect(page.locator(".state")).to_contain_text("Place your bets, please")
        expect(page.locator("#stale")).to_be_hidden()
        own.kill()
        expect(page.locator("#stale")).to_be_visible(timeout=15_000)
        own.start(own.port)
        expect(page.locator("#stale")).to_be_hidden()
        expect(page.locator(".state")).to_contain_text("Interrupted: a supervisor decides.")
    finally:
        own.stop()


def test_an_administrator_makes_a_dealer_whose_link_works(
    person: Person, house: Served, picture: Picture
) -> None:
    page = person("administrator")
    page.goto("/accounts")
    page.get_by_label("Name to sign in with").fill("mei")
    page.locator('form[action="/accounts"]').get_by_label("Called").fill("Mei Chen")
    page.get_by_role("button", name="Make the account").click()
    link = page.locator("#once-link").inner_text()
    picture(page, "accounts")
    assert re.fullmatch(rf"{re.escape(house.address)}/link\?token=\S+", link)
    page.goto("/accounts?find=mei")  # A house of many tests has pages of accounts.
    expect(page.locator("main")).to_contain_text("Mei Chen")
    assert "token=" not in page.content(), "it is shown once"
    mei = person()
    mei.goto(link)
    mei.get_by_role("button", name="Come in").click()
    expect(mei.locator(".who")).to_contain_text("Mei Chen")
    again = person()
    again.goto(link)
    again.get_by_role("button", name="Come in").click()
    expect(again.get_by_role("alert")).to_contain_text("used already")
    # Another role, and then no longer: each ends their session at once.
    page.get_by_label("Role of mei", exact=True).select_option("auditor")
    with page.expect_navigation():  # Going elsewhere at once would take the form back.
        page.get_by_role("button", name="Change it: role of mei").click()
    page.goto("/accounts?find=mei")
    expect(page.get_by_label("Role of mei", exact=True)).to_have_value("auditor")
    page.get_by_role("button", name="New link for mei").click()
    mei.goto(page.locator("#once-link").inner_text())
    mei.get_by_role("button", name="Come in").click()
    mei.goto("/audit")
    expect(mei.get_by_role("heading", name="Audit")).to_be_visible()
    # Disabling is asked about first; whoever thinks better of it has changed nothing.
    page.get_by_role("button", name="Disable mei").click()
    expect(page.get_by_role("heading", name="Disable mei?")).to_be_visible()
    page.get_by_role("link", name="Leave it as it is").click()
    expect(page.get_by_role("row").filter(has_text="Mei Chen")).to_contain_text("active")
    page.get_by_role("button", name="Disable mei").click()
    expect(page.get_by_role("heading", name="Disable mei?")).to_be_visible()
    page.get_by_role("button", name="Disable mei").click()
    expect(page.get_by_role("row").filter(has_text="Mei Chen")).to_contain_text("disabled")
    mei.goto("/audit")
    assert "/sign-in" in mei.url
    page.get_by_role("button", name="Enable mei").click()
    expect(page.get_by_role("row").filter(has_text="Mei Chen")).to_contain_text("active")
    # A name that is taken is refused on the page, and the last administrator stays.
    page.get_by_label("Name to sign in with").fill("mei")
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("alert")).to_contain_text("already")
    page.goto("/accounts?find=administrator")
    page.get_by_role("button", name="Disable administrator").click()
    expect(page.get_by_role("heading", name="Disable administrator?")).to_be_visible()
    page.get_by_role("button", name="Disable administrator").click()
    expect(page.get_by_role("alert")).to_contain_text("administrator")


def test_what_is_shown_once_is_copied(person: Person) -> None:
    page = person("administrator", permissions=["clipboard-read", "clipboard-write"])
    page.goto("/accounts")
    page.get_by_label("Name to sign in with").fill("rosa")
    page.get_by_role("button", name="Make the account").click()
    link = page.locator("#once-link").inner_text()
    page.get_by_role("button", name="Copy: One-time sign-in link").click()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    # Without scripts there is no button that does nothing, and the text is there.
    plain = person("administrator", java_script_enabled=False)
    plain.goto("/accounts?find=rosa")
    plain.get_by_role("button", name="New link for rosa").click()
    expect(plain.locator("#once-link")).to_contain_text("/link?token=")
    # The name whole: a house of many tests has tables to close whose titles say "copy".
    expect(plain.get_by_role("button", name="Copy: One-time sign-in link")).to_have_count(0)


def test_keys_and_tables_are_made_without_scripts(person: Person, house: Served) -> None:
    page = person("administrator", java_script_enabled=False)
    page.goto("/accounts")
    page.get_by_label("Id", exact=True).fill("plain-1")
    page.get_by_label("Title", exact=True).fill("Plain One")
    page.get_by_role("button", name="Put it up").click()
    expect(page.get_by_role("row").filter(has_text="Plain One")).to_contain_text("people")
    page.locator('form[action="/accounts/keys"] select[name="table"]').select_option("plain-1")
    page.get_by_role("button", name="Make the key").click()
    board = page.locator("#once-board").inner_text()
    assert httpx.get(board, timeout=GUARD).status_code == 200
    assert "This table is not set up yet." in httpx.get(board, timeout=GUARD).text
    page.locator("tr").filter(has_text="plain-1").get_by_role("button", name="Revoke").click()
    assert httpx.get(board, timeout=GUARD).status_code == 401
    page.get_by_label("Id", exact=True).fill("plain-1")
    page.get_by_role("button", name="Put it up").click()
    expect(page.get_by_role("alert")).to_contain_text("There is a table plain-1 already.")


def test_auditors_read_accounts_and_denials_and_change_nothing(person: Person, house: Served) -> None:
    refused = person("player")
    answer = refused.goto("/accounts")
    assert answer is not None
    assert answer.status == 403
    page = person("auditor")
    page.goto("/accounts")
    expect(page.get_by_role("button", name="Make the account")).to_have_count(0)
    page.get_by_role("link", name="Denied attempts").click()
    expect(page.get_by_role("row").filter(has_text="GET /accounts").first).to_contain_text("not your role")
    with house.client("auditor") as client:
        csrf = client.headers["x-csrf-token"]
        form = {"csrf": csrf, "name": "eve", "title": "Eve", "role": "administrator"}
        assert client.post("/accounts", data=form).status_code == 403
    with house.client("administrator") as client:
        form = {"csrf": "not ours", "name": "eve", "title": "Eve", "role": "administrator"}
        assert client.post("/accounts", data=form).status_code == 403
        assert "eve" not in {each["name"] for each in client.get("/api/accounts").json()}


CORRECTED = "Round 1 was corrected: Tie 9 instead of Player 9."


def correct(house: Served, table: str) -> None:
    """The Banker's five of round 1 was a seven: a supervisor says so, and a manager agrees."""
    asked = house.ask(
        table, "pit_supervisor", "correct_card", round=1, hand="banker", place=2, card="7C",
        reason="seen on the film",
    )  # fmt: skip
    with house.client("pit_manager") as manager:
        manager.post(f"/api/tables/{table}/proposals/{asked['waiting']}/agree").raise_for_status()


def test_a_player_and_an_auditor_read_the_same_of_a_correction(person: Person, house: Served) -> None:
    from support.axe import violations

    table = Dealt(house, "amended")
    player = person("player", "wendy")
    sit(player, table.name)
    table.opens(player)
    for bet, stake in (("player", "100"), ("tie", "20")):
        house.ask(table.name, "player", "place_bet", name="wendy", box=1, bet=bet, stake=stake)
    house.ask(table.name, "player", "withdraw_bet", name="wendy", box=1, bet="tie")
    table.deals("9S 2D KH 5C")
    table.settles(player)
    table.opens(player)
    expect(player.locator(".notice")).to_have_count(0)
    correct(house, table.name)
    # The page that is open says it, and by how much.
    expect(player.locator(".notice")).to_contain_text(f"{CORRECTED} −100.00 for you. §")
    player.goto("/history")
    entry = player.locator(".history-round").filter(has_text="Round 1: Tie on 9.")
    expect(entry).to_contain_text(CORRECTED)
    expect(entry.locator(".changed tbody tr")).to_contain_text(["Player 9", "Tie 9"])
    expect(player.locator("#gain")).to_have_text("0.00")
    assert not violations(player)
    auditor = person("auditor")
    auditor.goto(f"/audit?table={table.name}&corrected=yes")
    row = auditor.locator(".rounds tbody tr")
    expect(row).to_contain_text("corrected, before: Player 9")
    # The bet that was withdrawn does not count.
    expect(row.locator("td.number").first).to_have_text("1")
    assert not violations(auditor)
    row.get_by_role("link").click()
    expect(auditor.locator(".changed")).to_contain_text("pit_supervisor and pit_manager agreed")
    assert not violations(auditor)
    # The link of an event leads to its row, which then stands out.
    link = auditor.locator(".story tbody th a").last
    number = link.inner_text()
    link.click()
    expect(auditor).to_have_url(re.compile(rf"/rounds/1#e-{number}$"))
    expect(auditor.locator(f"#e-{number}")).to_contain_text("Round 1 is corrected")


def test_a_hash_takes_one_line(person: Person, house: Served) -> None:
    table = Dealt(house, "slim")
    table.dealer("open_bets")
    table.dealer("close_bets")
    table.cards("9S 2D KH 5C")
    table.dealer("settle")
    page = person("auditor", viewport={"width": 1440, "height": 900})
    page.goto(f"/audit/{table.name}/rounds/1")
    heights = page.locator(".story .hash").evaluate_all(
        "all => all.map(code => code.getClientRects().length)"
    )
    assert heights
    assert set(heights) == {1}
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_clock_of_the_device_is_offered_and_kept(person: Person, house: Served) -> None:
    page = person("auditor", timezone_id="Europe/Vienna")
    page.goto("/audit")
    clock = page.get_by_label("Times by the clock of")
    expect(clock).to_have_value("UTC")
    clock.select_option("Europe/Vienna")
    page.get_by_role("button", name="Find rounds").click()
    expect(page.get_by_label("Times by the clock of")).to_have_value("Europe/Vienna")
    page.goto("/audit?table=*")
    expect(page.get_by_label("Times by the clock of")).to_have_value("Europe/Vienna")
    expect(page.locator(".rounds .when").first).to_contain_text("Europe/Vienna")


def test_the_whole_house_is_verified_under_all_tables(person: Person, tmp_path: Path) -> None:
    own = Served(tmp_path, LAMMER_TABLES="0").start()
    try:
        for name in ("one", "two"):
            Dealt(own, name)
        page = person("auditor", at=own)
        page.goto("/audit?table=*")
        expect(page.get_by_role("link", name="All events as CSV")).to_be_visible()
        page.get_by_role("link", name="Verify the whole house").click()
        page.get_by_role("button", name="Verify now").click()
        expect(page.get_by_role("heading", name="Everything holds")).to_be_visible()
        expect(page.locator(".holds")).to_contain_text("2 tables were gone through.")
    finally:
        own.stop()
