"""The readers' pages by the figures: who can use them, on which screens, how much is sent; two languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Person
from browser.test_every_page import PAGES as EVERY_PAGE
from support.answered import PageRequests
from support.axe import violations
from support.browser_table import BOOK, Dealt
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Response

LARGEST = 300_000
PAGES = (
    ("auditor", "/board/{table}"),
    ("auditor", "/audit?table={table}"),
    ("auditor", "/audit/{table}/rounds/1"),
    ("auditor", "/audit/{table}/verify"),
    ("player", "/rules"),
    ("player", f"/rules/{BOOK}"),
    ("player", f"/rules/{BOOK}/layouts/K"),
    ("player", "/rules/compare"),
    ("player", f"/lab?book={BOOK}"),
    ("player", f"/lab?book={BOOK}&decks=6&gone_5=4&pays_tie=9:1"),
    ("player", "/lab/decks"),
    ("pit_manager", "/lab/work"),
    ("administrator", "/accounts"),
    ("auditor", "/accounts/denials"),
    ("player", "/audit"),
)


@pytest.fixture(scope="session")
def table(house: Served) -> str:
    """A table with a settled round that was bet on."""
    made = Dealt(house, "measured")
    house.ask(made.name, "player", "take_seat", name="carla", box=1)
    made.dealer("open_bets")
    house.ask(made.name, "player", "place_bet", name="carla", box=1, bet="banker", stake="100")
    made.dealer("close_bets")
    made.cards("QS 3D 6H AC 5D")
    made.dealer("settle")
    return made.name


@pytest.mark.parametrize(
    ("role", "path"), [(role, path) for role, path in PAGES if path not in EVERY_PAGE[role].split()]
)
def test_nothing_is_found_wrong(person: Person, table: str, role: str, path: str) -> None:
    """With the pages that `test_every_page` does not look at for this role, in both languages."""
    page = person(role)
    page.goto(path.format(table=table))
    for each in page.locator("details").all():
        each.evaluate("one => one.open = true")
    assert page.locator("html").get_attribute("lang") == "en"
    assert not violations(page)


@pytest.mark.parametrize(("role", "path"), PAGES)
def test_a_page_fits_a_phone_and_a_wall_and_the_line(
    person: Person, table: str, role: str, path: str, record_property: Any
) -> None:
    page = person(role, viewport={"width": 360, "height": 740})
    sent: list[int] = []

    def count(answer: Response) -> None:
        if "/stream" not in answer.url:
            sent.append(len(answer.body()) + 500)

    page.on("response", count)
    asked = PageRequests(page)
    page.goto(path.format(table=table))
    asked.all_answered()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    record_property("bytes", sum(sent))
    print(f"{path}: {sum(sent):,} bytes")
    assert sum(sent) < LARGEST
    page.set_viewport_size({"width": 3840, "height": 2160})
    assert page.evaluate("document.documentElement.scrollWidth") <= 3840


@pytest.mark.parametrize(("wide", "high"), [(1366, 768), (1920, 1080), (3840, 2160)])
def test_a_board_fills_one_screen_and_reads_from_five_metres(
    person: Person, table: str, wide: int, high: int
) -> None:
    page = person("auditor", viewport={"width": wide, "height": high})
    page.goto(f"/board/{table}")
    assert page.evaluate("document.documentElement.scrollHeight") <= high
    # On a display 1.2 m wide a fiftieth of the width is 24 mm; letters of 17 mm are read at five metres.
    for part, least in (
        (".state", 2.5),
        (".limits dd", 2.4),
        (".counted .banker dt", 2.0),
        (".display h1", 2.5),
    ):
        # Asked in one breath: the live part of a board is swapped under a test's hands.
        letters = "part => parseFloat(getComputedStyle(document.querySelector(part)).fontSize)"
        size = float(page.evaluate(letters, part))
        assert size >= least / 100 * wide * 0.97, part
    for part in (".state", ".cards svg", ".roads > svg", ".foot", ".counted"):
        it = "document.querySelector(part).getBoundingClientRect()"
        right, bottom, tall = page.evaluate(f"part => [{it}.right, {it}.bottom, {it}.height]", part)
        assert bottom <= high + 1, part
        assert right <= wide + 1, part
        assert tall > 10, part


def test_every_page_can_be_gone_through_by_keys(person: Person, table: str) -> None:
    page = person("auditor")
    page.goto(f"/audit?table={table}")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('tbody a')"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Round 1 · Measured")).to_be_visible()


def test_the_board_speaks_chinese(person: Person, table: str) -> None:
    page = person("auditor", locale="zh-CN")
    page.goto(f"/board/{table}")
    expect(page.locator(".state")).to_contain_text("庄赢")
    expect(page.locator(".roads > svg title").first).to_contain_text("庄 1")
    page.goto(f"/audit/{table}/rounds/1")
    expect(page.locator(".story")).to_contain_text("carla 在 1 号位投注庄 100.00。")
    page.goto(f"/rules/{BOOK}")
    expect(page.locator("main")).to_contain_text("大老虎")
