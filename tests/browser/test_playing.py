"""Whoever plays: a first round, in Chinese, by keyboard, without scripts, and when the house goes away."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Person
from lammer.floor.settings import Settings
from support.answered import A_TURN
from support.awaited import until
from support.browser_table import (
    BOOK,
    TABLE,
    Dealt,
    bet,
    bet_in_time,
    choose,
    in_lobby,
    sit,
    stake_on,
    told_at_the_spot,
    wait_for,
)
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

Picture = Callable[["Page", str], None]

WHY = re.compile(
    r"Your 100 on Banker "
    r"(?:won (100|50) at 1:[12]\.\s+\+\1\s+100 × 1:[12] = \+\1|lost\.\s+−100\s+0 − 100 = −100"
    r"|came back\.\s+0\s+100 − 100 = 0)\s+§? ?[34]\.[0-9.]+ \w+"
)


def test_a_newcomer_has_bet_and_seen_why_within_a_minute(person: Person, picture: Picture) -> None:
    """By the pace a house starts with: here the clocks are quick, and the machine may be slow."""
    pace = Settings()
    betting_and_cards = pace.betting_seconds + 6 * pace.pause_seconds + 2 * pace.window_seconds
    assert betting_and_cards + pace.between_seconds < 60
    page = person("player", "newcomer")
    page.goto("/lobby")
    assert page.locator(".lobby-table").count() >= 2
    page.evaluate("scrollTo(0, 0)")
    picture(page, "lobby")
    sit(page)
    assert "Choose a chip" in page.locator(".hint").inner_text() or page.locator(".hint").is_visible()
    number = bet_in_time(page, "banker", 100)
    page.evaluate("scrollTo(0, 0)")
    picture(page, "table-betting")
    page.locator(".came-to", has_text=f"Round {number}:").wait_for()
    told = page.locator(".came-to").inner_text()
    assert re.search(rf"Round {number}: (Banker wins \d to \d|Player wins \d to \d|Tie on \d)\.", told), told
    assert WHY.search(told), told
    page.evaluate("scrollTo(0, 0)")
    picture(page, "table-settled")
    # The balance is what the line says.
    together = page.locator(".came-to .together b").inner_text()
    balance = page.locator("#balance").inner_text()
    assert float(balance.replace(",", "")) == 1_000 + float(together.replace("−", "-").replace(",", ""))
    # The next round still says what the last one came to, and the hints can be put away.
    page.wait_for_selector(f'.status[data-round="{number + 1}"]')
    assert WHY.search(page.locator(".came-to").inner_text())
    page.get_by_role("button", name="No more hints").click()
    page.wait_for_selector(".hint", state="detached")
    page.reload()
    assert page.locator(".hint").count() == 0


def test_undo_clear_and_the_same_again(person: Person, house: Served) -> None:
    at = Dealt(house, "undoing")
    page = person("player", "undoer")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    bet(page, "player", 25)
    page.locator("#undo").click()
    page.wait_for_selector('#bet-player[data-stake="10000"]')
    bet(page, "tie", 10)
    page.locator("#clear").click()
    page.wait_for_selector('#bet-player[data-stake="0"]')
    assert stake_on(page, "tie") == 0
    page.locator("#undo").click()
    told_at_the_spot(page, "You have no bet in this round.")
    bet(page, "player", 25)
    bet(page, "small_tiger", 10)
    at.deals("9S 2D KH 4C")
    at.settles(page)
    at.opens(page)
    page.locator("#rebet").click()
    page.wait_for_selector('#bet-player[data-stake="2500"]')
    page.wait_for_selector('#bet-small_tiger[data-stake="1000"]')
    # Pressed twice it adds nothing.
    page.locator("#rebet").click()
    page.wait_for_selector("#rebet:not([aria-busy])")
    assert stake_on(page, "player") == 25_00


def test_a_refusal_is_said_at_the_spot_with_paragraph_and_next_step(person: Person, house: Served) -> None:
    at = Dealt(house, "refusing")
    page = person("player", "refused")
    sit(page, at.name)
    at.opens(page)
    page.locator('input[name="other"]').fill("7")
    page.locator("#bet-banker").click()
    said = told_at_the_spot(page, "7 on Banker is below the minimum of 10.")
    assert "Bet at least 10." in said
    assert re.search(r"\d\.\d", page.locator("#spot .para").inner_text()), said
    assert BOOK not in said
    assert stake_on(page, "banker") == 0
    page.locator('input[name="other"]').fill("")
    at.dealer("close_bets")
    wait_for(page, "dealing")
    # It says that it cannot be pressed, and says why when it is.
    page.locator("#bet-banker").dispatch_event("click")
    assert "The next round opens after settlement." in told_at_the_spot(page, "Bets are closed")


def test_the_whole_page_speaks_chinese(person: Person, house: Served) -> None:
    at = Dealt(house, "zhuo")
    page = person("player", "chinese", locale="zh-CN")
    sit(page, at.name)
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    at.opens(page)
    for name, glyph in (("banker", "庄"), ("player", "闲"), ("tie", "和")):
        assert glyph in page.locator(f"#bet-{name}").inner_text()
    bet(page, "banker", 100)
    page.locator('input[name="other"]').fill("7")
    page.locator("#bet-tie").click()
    assert "请至少下注 10。" in told_at_the_spot(page, "低于最低投注额")
    # An Insurance offer, and then the settlement.
    at.deals("2S 4D 3H 3C")
    wait_for(page, "insurance")
    assert "庄保险" in page.locator(".lammer").inner_text()
    words = page.locator("main").inner_text()
    at.cards("4S")
    at.settles(page)
    told = page.locator(".came-to").inner_text()
    assert re.search(r"闲 9 点赢庄 7 点。", told), told
    assert "你押庄的 100 输了" in told
    words += page.locator("main").inner_text()
    # Names and ids stay as they are; nothing else is English.
    names = {"chinese", "Zhuo", "tiger", "buffalo", "noncommission", "insurance"}
    left = set(re.findall(r"[A-Za-z]{3,}", words)) - names
    assert not left, left


def tab_to(page: Page, is_there: str, back: bool = False) -> None:
    """Press Tab until the element with the focus is the one meant; `is_there` says so of `it`."""
    for _ in range(500):
        if page.evaluate(f"(() => {{ const it = document.activeElement; return {is_there} }})()"):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"{is_there} cannot be reached by keyboard")


def test_a_round_by_keyboard_alone(person: Person, house: Served) -> None:
    at = Dealt(house, "keyboard")
    page = person("player", "keys")
    in_lobby(page, at.name)
    tab_to(page, f"it.id === 'sit-{at.name}-1'")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(rf"/tables/{at.name}"))
    number = at.opens(page)
    tab_to(page, "it.name === 'stake'")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    chip = int(page.evaluate("document.activeElement.value"))
    assert chip == 100
    tab_to(page, "it.id === 'bet-banker'", back=True)
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_selector('#bet-banker[data-stake="10000"]')
    at.deals("QS 3D 6H AC 5D")
    at.settles(page)
    # The page changed under the hand many times; the focus is where it was.
    assert page.evaluate("document.activeElement.id") == "bet-banker"
    page.locator("#said", has_text="Banker wins 9 to 6. Together +100.").wait_for(state="attached")
    # Enter in the amount puts nothing on the felt.
    assert at.opens(page) == number + 1
    tab_to(page, "it.name === 'other'")
    page.keyboard.type("100")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    page.keyboard.press("Enter")
    page.evaluate(A_TURN)
    assert "POST" not in asked
    assert page.locator(".area .pile b").count() == 0


def test_a_round_without_scripts(person: Person, house: Served) -> None:
    at = Dealt(house, "scriptless")
    page = person("player", "plain", java_script_enabled=False)
    box = sit(page, at.name)
    at.dealer("open_bets")
    page.goto(f"/tables/{at.name}?box={box}")
    number = int(page.locator(".status").get_attribute("data-round") or 0)
    choose(page, 100)
    page.locator("#bet-player").click()
    assert stake_on(page, "player") == 100_00
    page.locator('input[name="other"]').fill("5001")
    page.locator("#bet-tie").click()
    assert "above the maximum" in page.locator(".problem").inner_text()
    at.deals("9S 2D KH 4C")
    at.dealer("settle")
    page.goto(f"/tables/{at.name}?box={box}")
    told = page.locator(".came-to").inner_text()
    assert f"Round {number}:" in told
    assert "Your 100 on Player won 100" in told
    # A table that deals itself says how long there is to bet.
    box = sit(page, "da-hu-1")

    def says_how_long() -> object:
        page.goto(f"/tables/da-hu-1?box={box}")
        betting = "betting" in (page.locator(".status").get_attribute("class") or "")
        return betting and re.search(r"about [123] s", page.locator(".clock").inner_text())

    until(says_how_long)


@pytest.fixture
def mortal(tmp_path: Path) -> Served:
    return Served(tmp_path, LAMMER_BETTING_SECONDS="600", LAMMER_TABLES="1").start()


def test_the_house_is_killed_and_comes_back_under_an_open_page(person: Person, mortal: Served) -> None:
    try:
        page = person("player", at=mortal)
        sit(page)
        number = wait_for(page, "betting")
        bet(page, "banker", 100)
        mortal.kill()
        page.wait_for_selector("#stale", state="visible")
        # A bet pressed now is not shown as if it lay there.
        with page.expect_event("requestfailed", lambda request: request.url.endswith("/bets")):
            page.locator("#bet-player").click()
        page.wait_for_selector("#bet-player:not([aria-busy])")
        assert stake_on(page, "player") == 0
        mortal.start(mortal.port)
        page.wait_for_selector("#stale", state="hidden")
        wait_for(page, "interrupted", number)
        assert f"Round {number} is interrupted" in page.locator(".prompt").inner_text()
        assert stake_on(page, "banker") == 100_00
        mortal.ask(TABLE, "pit_supervisor", "resolve_interruption")
        page.locator("#balance", has_text="1,000.00").wait_for()
        assert wait_for(page, "betting") > number
    finally:
        mortal.stop()
