"""The dealer's desk in Chromium: everything in sight, nothing typed that a link or a scanner knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browser.conftest import Person
from browser.test_dealing import desk, next_is
from support.browser_table import Dealt
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page


def in_sight(page: Page, *parts: str) -> None:
    """Wait until each of these is wholly on the screen without scrolling."""
    for part in parts:
        page.wait_for_function(
            """part => {
                const box = document.querySelector(part)?.getBoundingClientRect();
                const within = box && box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
                return within && box.height > 0;
            }""",
            arg=part,
        )


def test_what_a_dealer_needs_is_on_one_screen(person: Person, house: Served) -> None:
    at = Dealt(house, "one-screen", layout="A")
    for number in range(1, 5):
        at.dealer("take_seat", player=f"seat{number}", box=number)
    dealer = desk(person, at.name, viewport={"width": 1280, "height": 800})
    always = ("#next", "#card", "#wrong", ".step-list")
    in_sight(dealer, *always, ".bet-form", ".reasons")
    at.dealer("open_bets")
    for number in range(1, 5):
        at.dealer("place_bet", player=f"seat{number}", box=number, bet="player", stake="100")
    next_is(dealer, "No more Bets")
    in_sight(dealer, *always, ".felt svg", ".bet-form")
    at.dealer("close_bets")
    at.cards("QS 3D 6H AC")
    dealer.locator(".lammer-out").wait_for()
    in_sight(dealer, *always, ".cards svg", ".lammer-out", ".insure-form")
    at.cards("5D")
    at.dealer("settle")
    dealer.locator(".paying").wait_for()
    in_sight(dealer, *always, ".cards svg", ".paying")


def test_a_name_fills_the_form_and_only_the_stake_is_typed(person: Person, house: Served) -> None:
    at = Dealt(house, "filled-in")
    at.dealer("take_seat", player="mona", box=4)
    at.dealer("open_bets")
    dealer = desk(person, at.name)
    dealer.get_by_role("link", name="Box 4: mona").click()
    dealer.keyboard.type("120")
    dealer.keyboard.press("Enter")
    dealer.locator(".bets", has_text="mona").filter(has_text="120").wait_for()
    at.dealer("close_bets")
    at.cards("QS 3D 6H AC")
    dealer.locator(".lammer-out").get_by_role("link", name="mona").click()
    dealer.keyboard.type("60")
    dealer.keyboard.press("Enter")
    dealer.locator(".bets", has_text="Insurance").filter(has_text="60").wait_for()
    # The same by a plain link, where no script runs.
    plain = person("dealer", java_script_enabled=False)
    plain.goto(f"/tables/{at.name}/deal")
    plain.locator(".lammer-out").get_by_role("link", name="mona").click()
    assert plain.input_value(".insure-form [name=player]") == "mona"
    assert plain.input_value(".insure-form [name=box]") == "4"


def test_players_are_asked_by_keys_too(person: Person, house: Served) -> None:
    at = Dealt(house, "asked-by-keys")
    for number, name in enumerate(("nora", "otto"), 1):
        at.dealer("take_seat", player=name, box=number)
    at.dealer("open_bets")
    for number, name in enumerate(("nora", "otto"), 1):
        at.dealer("place_bet", player=name, box=number, bet="banker", stake="100")
    at.dealer("close_bets")
    at.cards("QS")
    at.dealer("note_dealing_error", what="the burn card was forgotten")
    house.ask(at.name, "pit_supervisor", "confirm_error", confirmed=True)
    dealer = desk(person, at.name)
    rows = dealer.locator(".options tr")
    rows.filter(has_text="nora").locator("kbd", has_text="G").wait_for()
    dealer.keyboard.press("x")
    rows.filter(has_text="nora").filter(has_text="has the bets back").wait_for()
    dealer.keyboard.press("g")
    next_is(dealer, "Deal to Banker")
    dealer.locator(".bets", has_text="otto").wait_for()
    # Whoever sits stays on the list; the bet is gone.
    assert "Banker" not in dealer.locator(".bets tr", has_text="nora").inner_text()


def test_a_scanner_needs_no_click_first(person: Person, house: Served) -> None:
    """Its letters must be a card and not keys: a C would close the bets, an S settle."""
    at = Dealt(house, "just-scan")
    at.dealer("open_bets")
    dealer = desk(person, at.name)
    dealer.keyboard.press("c")
    next_is(dealer, "Deal to Player")
    dealer.wait_for_function("() => document.activeElement.id === 'card'")
    for number, card in enumerate(("8S", "KC", "KD", "QC"), 1):
        dealer.keyboard.type(card)
        dealer.keyboard.press("Enter")
        dealer.locator(".shoe", has_text=f"{416 - number} left").wait_for()
    next_is(dealer, "Pay and take")
    assert dealer.locator("#spot").inner_text() == ""


def test_what_happened_is_found_by_a_word(person: Person, house: Served) -> None:
    at = Dealt(house, "by-a-word")
    at.dealer("open_bets")
    dealer = desk(person, at.name)
    dealer.keyboard.press("w")
    dealer.wait_for_url("**/wrong")
    dealer.wait_for_function("() => document.activeElement.id === 'find'")
    dealer.keyboard.type("display")
    dealer.wait_for_function("() => document.querySelectorAll('.happened li:not([hidden])').length === 1")
    dealer.keyboard.press("Enter")
    dealer.wait_for_url("**/wrong/wrong_display")
    dealer.fill("input[name=what]", "it shows a nine")
    dealer.keyboard.press("Enter")
    dealer.get_by_text("The table has taken it.").wait_for()
    assert dealer.input_value("input[name=what]") == ""
    dealer.keyboard.press("Escape")
    dealer.wait_for_url(f"**/tables/{at.name}/deal")
