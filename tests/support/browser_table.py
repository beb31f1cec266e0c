"""What tests of the player's pages do again and again: sit down, wait, bet, deal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLE = "tiger-buffalo-1"
BOOK = "tiger-buffalo-noncommission-insurance@3"


def sit(page: Page, table: str = TABLE, box: int = 0) -> int:
    """Sit down in the lobby, at that box or at the first free one."""
    in_lobby(page, table)
    place = f"sit-{table}-{box}" if box else f"sit-{table}-"
    button = page.locator(f'button[id^="{place}"]').first
    taken = int(button.get_attribute("value") or 0)
    button.click()
    page.wait_for_url(re.compile(rf"/tables/{table}"))
    return taken


def in_lobby(page: Page, table: str) -> None:
    """Turn the lobby's pages to the one with that table: a house of many tests has many tables."""
    for number in range(1, 20):
        page.goto(f"/lobby?page={number}")
        if page.locator(f"#table-{table}").count():
            return
    raise AssertionError(f"the lobby does not list {table}")


def wait_for(page: Page, phase: str, number: int | None = None) -> int:
    """Wait until the page shows that moment of a round, and say which round it is."""
    which = f'[data-round="{number}"]' if number is not None else ""
    found = page.wait_for_selector(f'.status[data-phase="{phase}"]{which}')
    assert found is not None
    return int(found.get_attribute("data-round") or 0)


def fresh_betting(page: Page) -> int:
    """Wait for a round whose betting has only just opened, so that there is time to bet."""
    now = page.locator(".status").get_attribute("data-round")
    found = page.wait_for_selector(f'.status[data-phase="betting"]:not([data-round="{now}"])')
    assert found is not None
    return int(found.get_attribute("data-round") or 0)


def stake_on(page: Page, bet: str) -> int:
    """What the page shows the reader to have on a bet, in cents."""
    return int(page.locator(f"#bet-{bet}").get_attribute("data-stake") or 0)


def choose(page: Page, chip: int) -> None:
    page.locator(f'input[name="stake"][value="{chip}"]').check(force=True)


def bet(page: Page, name: str, chip: int) -> None:
    """Put a chip on a bet and see it lie there."""
    before = stake_on(page, name)
    choose(page, chip)
    page.locator(f"#bet-{name}").click()
    page.wait_for_selector(f'#bet-{name}[data-stake="{before + chip * 100}"]')


def bet_in_time(page: Page, name: str, chip: int) -> int:
    """Put a chip on a bet at a table that deals itself: whoever is too late bets in the next round.

    Gives the round the chip lies in.
    """
    lies = f'#bet-{name}[data-stake="{stake_on(page, name) + chip * 100}"]'
    while True:
        page.keyboard.press("Escape")  # What was said to the last try goes.
        number = fresh_betting(page)
        choose(page, chip)
        page.locator(f"#bet-{name}").dispatch_event("click")
        page.wait_for_selector(f"{lies}, #spot strong")
        if page.locator(lies).count():
            return number


def told_at_the_spot(page: Page, words: str) -> str:
    """Wait until a refusal with these words is said, and hand it back."""
    page.locator("#spot", has_text=words).wait_for()
    return page.locator("#spot").inner_text()


class Dealt:
    """A table of one's own at which the test deals the cards."""

    def __init__(self, house: Served, name: str, **setup: Any) -> None:
        self.house, self.name = house, name
        with house.client("administrator") as client:
            client.post("/api/tables", json={"table": name, "title": name.title()}).raise_for_status()
        limits = {"minimum": "10", "maximum": "5000", "differential": "10000"}
        made = {"rulebook": BOOK, "layout": "C", "limits": limits, "shoe": "read"} | setup
        # One of the documents is no longer in force: whoever may play it says why.
        why = "every document is tried"
        house.ask(name, "table_game_shift_manager", "set_table", setup=made, reason=why)
        house.ask(name, "pit_supervisor", "fill_bank", amount="100000")
        self.dealer("prepare_shoe")

    def dealer(self, do: str, **fields: Any) -> dict[str, Any]:
        return self.house.ask(self.name, "dealer", do, **fields)

    def opens(self, page: Page) -> int:
        """Open the betting and see it on the page."""
        self.dealer("open_bets")
        return wait_for(page, "betting")

    def deals(self, cards: str) -> None:
        """Close the betting and deal these cards."""
        self.dealer("close_bets")
        self.cards(cards)

    def cards(self, cards: str) -> None:
        for card in cards.split():
            self.dealer("deal_card", card=card)

    def settles(self, page: Page) -> None:
        """Settle, and see it on the page."""
        self.dealer("settle")
        wait_for(page, "settled")
