"""The board in Chromium, from five metres: nothing small, nothing cut off, whatever the round comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Person
from support.axe import violations
from support.browser_table import Dealt
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Whatever is written on the board, but for screen readers alone: how large it is, and whether it is cut off.
MEASURED = """() => [...document.querySelectorAll('.display *')]
  .filter((one) => [...one.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim()))
  .filter((one) => !one.closest('svg, .hidden-text, thead'))
  .map((one) => {
    const box = one.getBoundingClientRect();
    const roads = document.querySelector('.roads').getBoundingClientRect();
    const over = !one.closest('.foot') && box.bottom > roads.top + 1;
    const out = over || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    return [one.textContent.trim(), parseFloat(getComputedStyle(one).fontSize) / innerHeight, out];
  })"""


def too_small_or_cut(page: Page) -> list[tuple[str, float, bool]]:
    """What cannot be read from five metres: letters under a fortieth of the height, or cut off."""
    return [each for each in page.evaluate(MEASURED) if each[1] < 0.0245 or each[2]]


@pytest.mark.parametrize(("wide", "high"), [(1920, 1080), (3840, 2160)])
def test_nothing_is_small_and_nothing_is_cut_off(person: Person, house: Served, wide: int, high: int) -> None:
    tie = {"minimum": "25", "maximum": "500"}
    limits = {"minimum": "10", "maximum": "5000", "differential": "10000", "tie": tie}
    at = Dealt(house, f"far-{high}", layout="A", limits=limits)
    at.dealer("take_seat", player="pia", box=1)
    page = person("auditor", viewport={"width": wide, "height": high})
    at.dealer("open_bets")
    at.dealer("place_bet", player="pia", box=1, bet="player", stake="100")
    page.goto(f"/board/{at.name}")
    # Before the cards the odds of Insurance stand there whole: every line of the document's table.
    assert page.locator(".paid tbody tr").count() == 17
    assert "25 – 500" in page.locator(".singles").inner_text()
    assert too_small_or_cut(page) == []
    at.dealer("close_bets")
    at.cards("QS 3D 6H AC")
    page.locator(".lammers", has_text="5 to 2").wait_for()
    assert too_small_or_cut(page) == []
    at.cards("5D")
    at.dealer("settle")
    page.locator(".state", has_text="Banker wins").wait_for()
    assert too_small_or_cut(page) == []


def test_a_hand_of_four_cards_does_not_darken_the_board(person: Person, house: Served) -> None:
    at = Dealt(house, "four-cards")
    at.dealer("open_bets")
    at.dealer("close_bets")
    at.cards("QS 3D 6H AC 5D")
    page = person("auditor", viewport={"width": 1920, "height": 1080})
    page.goto(f"/board/{at.name}")
    at.dealer("deal_card", card="2C", to="banker")
    page.locator(".row-of-cards svg title", has_text="2 of clubs").wait_for(state="attached")
    assert page.locator(".row-of-cards svg").count() == 6
    assert page.locator("#stale").is_hidden()


def test_nothing_serious_is_found_before_the_cards(person: Person, house: Served) -> None:
    at = Dealt(house, "axe-board-odds")
    at.dealer("open_bets")
    page = person("auditor", viewport={"width": 360, "height": 740})
    page.goto(f"/board/{at.name}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = [each for each in violations(page) if "(serious)" in each or "(critical)" in each]
    assert not found, "\n".join(found)
