"""Every page of the house, for every role, in both languages and on four screens.

Axe finds nothing, text can be read with the pointer or the focus on it too, nothing is wider than the screen,
nothing moves as a page loads, and no page sends more than 300 kB. A page is loaded on two screens, and then
the window is made smaller and larger around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Person
from support.answered import PageRequests
from support.axe import hovered_contrast, violations
from support.browser_table import BOOK, Dealt
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

LARGEST = 300_000
LANGUAGES = {"en": "en", "zh": "zh-Hans"}
"""What a browser asks for, and what the page says it is in."""
MOVED_BY_SIZE = ("color-contrast", "scrollable-region-focusable")
"""What axe can find on one screen and not on another; all of it is looked at on two of them."""
LOADED_AT = {"en": ((390, 844), (1440, 900)), "zh": ((844, 390), (3840, 2160))}
"""Screens on which a page is loaded, to see whether anything moves: all four, over both languages."""
STEADY = 0.02
"""How far a page may move by itself as it loads, by the measure of a browser (cumulative layout shift)."""
SCREENS: dict[tuple[int, int], tuple[str, ...]] = {
    (390, 844): (),
    (844, 390): MOVED_BY_SIZE,
    (3840, 2160): MOVED_BY_SIZE,
    (1440, 900): (),
}
PAGES = {
    "": f"/sign-in /workbench /workbench?from={BOOK} /rules /rules/{BOOK} /rules/{BOOK}/layouts/K",
    "player": "/lobby /lobby?free=yes&least=25 /lobby/several?tables={table},tiger-buffalo-1 /tables/{table} "
    f"/history /tables/{{table}}/history /tables/{{table}}/history/1 /rules/{BOOK} /rules/compare "
    f"/lab /lab/decks /lab?book={BOOK}&decks=6&gone_5=4&pays_tie=9:1&called=six /second-factor",
    "dealer": "/tables/{table}/deal /tables/{table}/deal/wrong /tables/{table}/deal/wrong/swapped_hands "
    f"/academy /academy/drill?book={BOOK}&kind_cases=on&seconds=60",
    "pit_manager": "/pit /pit/-inbox /pit/-report /pit/-staff /pit/{table} /pit/{table}/corrections "
    "/pit/{table}/corrections/1 /pit/{table}/set-up /pit/{table}/set-up/copy /pit/{table}/report /stops "
    f"/academy/trainer?book={BOOK} /lab/work /workbench",
    "auditor": "/board/{table} /audit /audit?table=* /audit?table={table} /audit/{table}/rounds/1 "
    f"/audit/{{table}}/event/5 /audit/{{table}}/verify /rules/{BOOK} /accounts/denials",
    "administrator": "/accounts /stops /accounts/many /accounts/sessions /accounts/changes",
}
"""Addresses by who reads them; nobody is somebody who is not signed in."""

# What a browser was sent for a page, unpacked; what came from its cache counts as if it had been sent.
SENT = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, one) => sum + one.decodedBodySize + 500, 0)"""
# What reaches out of the window to the right, unless it is scrolled by itself.
WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => !one.closest(".wide, .hidden-text, .skip, .roads > svg"))
  .slice(0, 3).map((one) => one.outerHTML.slice(0, 100))"""

# What moved as the page came, and how far: a browser tells it only to whoever observes.
SHIFTS = """() => new Promise((done) => {
  const found = [];
  new PerformanceObserver((list) => {
    for (const { value, sources, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) found.push({ value, what: sources.map((at) => at.node?.outerHTML?.slice(0, 60)) });
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(found)));
})"""


@pytest.fixture(scope="session")
def table(house: Served) -> str:
    """A table with a settled round that was bet on, and one under way."""
    made = Dealt(house, "everywhere")
    house.ask(made.name, "player", "take_seat", box=1)
    made.dealer("open_bets")
    house.ask(made.name, "player", "place_bet", box=1, bet="banker", stake="100")
    made.dealer("close_bets")
    made.cards("QS 3D 6H AC 5D")
    made.dealer("settle")
    made.dealer("open_bets")
    house.ask(made.name, "player", "place_bet", box=1, bet="player", stake="50")
    made.dealer("call_pit", reason="A dispute")
    return made.name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("role", "path"),
    [
        pytest.param(role, path, id=f"{role or 'nobody'} {path}")
        for role, paths in PAGES.items()
        for path in paths.split()
    ],
)
def test_every_page_can_be_read_on_every_screen(
    person: Person, table: str, role: str, path: str, language: str
) -> None:
    page = person(role, locale=language, reduced_motion="reduce")
    found = complaints(page, PageRequests(page), path.format(table=table), language)
    assert not found, "\n".join(found)


def complaints(page: Page, asked: PageRequests, path: str, language: str) -> list[str]:
    """What is wrong with a page, and on which screen."""
    found = []
    for width, height in LOADED_AT[language]:
        page.set_viewport_size({"width": width, "height": height})
        answer = page.goto(path)
        asked.all_answered()
        assert answer is not None
        assert answer.status == 200, path
        shifts = page.evaluate(SHIFTS)
        moved = sum(shift["value"] for shift in shifts)
        found += [f"{width}x{height} moves by {moved:.3f} as it loads: {shifts}"] if moved >= STEADY else []
    assert page.locator("html").get_attribute("lang") == LANGUAGES[language]
    found += [f"sends {sent:,} bytes"] if (sent := page.evaluate(SENT)) > LARGEST else []
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for (width, height), rules in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}x{height} too wide: {wide}" for wide in page.evaluate(WIDER)]
        found += [f"{width}x{height} {violation}" for violation in violations(page, rules)]
    return found + hovered_contrast(page)
