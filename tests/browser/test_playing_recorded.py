"""A player's screen over a whole round, moment by moment, as the guide for players tells it and shows it.

A round with Insurance and six cards; the chips of each moment are what the rules make of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Person
from browser.test_playing import Picture
from support.browser_table import Dealt, bet, sit, wait_for
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENS = {"": (1440, 900), "-phone": (390, 844)}


def owned(page: Page) -> tuple[str, str]:
    """What lies on the felt, and the chips beside it."""
    return page.locator("#on-felt").inner_text(), page.locator("#balance").inner_text()


@pytest.mark.parametrize("screen", SCREENS)
def test_a_whole_round_on_a_players_screen(
    person: Person, house: Served, picture: Picture, screen: str
) -> None:
    width, height = SCREENS[screen]
    at = Dealt(house, f"recorded{screen}")
    page = person(
        "player", f"recorder{screen}", viewport={"width": width, "height": height}, reduced_motion="reduce"
    )

    def take(moment: str) -> None:
        page.evaluate("scrollTo(0, 0)")
        picture(page, f"round-{moment}{screen}")

    sit(page, at.name)
    at.opens(page)
    assert "Each press puts down 25" in page.locator("#amount").inner_text()
    take("1-betting")
    bet(page, "player", 100)
    bet(page, "tie", 50)
    assert owned(page) == ("150", "850.00")
    take("2-chips-down")
    at.deals("QS 3D 6H AC")
    wait_for(page, "insurance")
    page.locator(".lammer").wait_for()
    take("3-insurance")
    page.get_by_role("button", name="Insure for 50").click()
    page.wait_for_selector(".insured")
    assert owned(page) == ("200", "800.00")
    take("4-insured")
    # The Player stands on 6, the Banker draws to 9: the hand is lost, and its Insurance pays 5 to 2.
    at.cards("5D")
    wait_for(page, "dealing")
    page.wait_for_selector('[data-card="banker-3"]')
    take("5-last-card")
    at.settles(page)
    told = page.locator(".came-to").inner_text()
    assert "Banker wins 9 to 6." in told
    assert "Your 50 on Insurance on Player won 125 at 5:2." in told
    assert page.locator(".came-to .together b").inner_text() == "−25"
    assert owned(page) == ("0", "975.00")
    take("6-settled")
