"""Choosing a table: filters and favourites, the time left, several tables on one page, roads on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import Person
from support.axe import violations
from support.browser_table import TABLE, Dealt, in_lobby, sit
from support.served import Served

PHONE = {"width": 390, "height": 844}


def test_the_time_left_to_bet_is_counted_down(person: Person) -> None:
    page = person("player", "fiona")
    in_lobby(page, TABLE)
    clock = page.locator(f"#table-{TABLE} .clock")
    expect(clock).to_have_text(re.compile(r"^\d s$"))
    first = clock.inner_text()
    page.wait_for_function(
        "([at, first]) => ![first, undefined].includes(document.querySelector(at)?.textContent)",
        arg=[f"#table-{TABLE} .clock", first],
    )


def test_tables_are_found_and_kept_without_scripts(person: Person, house: Served) -> None:
    dear = {"minimum": "1000", "maximum": "50000", "differential": "100000"}
    Dealt(house, "dear-table", limits=dear)
    page = person("player", "fiona", java_script_enabled=False)
    in_lobby(page, "dear-table")
    page.get_by_role("button", name="Favourite: Dear-Table").click()
    page.get_by_label("favourites only").check()
    page.get_by_role("button", name="Find tables").click()
    expect(page.locator(".lobby-table")).to_have_count(1)
    expect(page.get_by_role("button", name="Favourite: Dear-Table")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Smallest bet at most").select_option("500")
    page.get_by_role("button", name="Find tables").click()
    expect(page.get_by_text("No table is like that.")).to_be_visible()
    page.get_by_role("link", name="Every table").click()
    expect(page.locator(".lobby-table").first).to_have_id("table-dear-table")


def test_a_favourite_is_found_on_another_page_load(person: Person, house: Served) -> None:
    Dealt(house, "starred")
    page = person("player", "gil")
    in_lobby(page, "starred")
    page.locator("#star-starred").click()
    page.goto("/lobby")
    expect(page.locator(".lobby-table").first).to_have_id("table-starred")
    expect(page.locator("#star-starred")).to_have_attribute("aria-pressed", "true")


def test_two_tables_are_played_on_one_page(person: Person, house: Served) -> None:
    one, two = Dealt(house, "left-table"), Dealt(house, "right-table")
    page = person("player", "hedda", viewport={"width": 1440, "height": 900})
    sit(page, one.name)
    for table in (one, two):
        # Favourites stand first: in a house of many tests the lobby has many pages.
        in_lobby(page, table.name)
        page.locator(f"#star-{table.name}").click()
        expect(page.locator(f"#star-{table.name}")).to_have_attribute("aria-pressed", "true")
    page.goto("/lobby")
    page.get_by_text("Several tables on one page").click()
    for table in (one, two):
        page.get_by_label(table.name.title(), exact=True).check()
    page.get_by_role("button", name="Show them side by side").click()
    expect(page.locator("section.lobby-table")).to_have_count(2)
    page.wait_for_load_state()  # Before its scripts are there, a form leads to the table's own page.
    left = page.get_by_role("region", name="Left-Table")
    left.get_by_role("button", name="Banker").click()
    expect(left.get_by_role("alert")).to_contain_text("No round")
    one.dealer("open_bets")
    expect(left).to_contain_text("betting is open")
    left.get_by_role("button", name="Banker").click()
    expect(left.locator(".several-lying")).to_contain_text("Banker")
    expect(left.get_by_role("alert")).to_have_text("")
    one.deals("QS 3D 6H AC")
    expect(left.locator(".dealt .face")).to_have_count(4)
    expect(left.locator(".several-hand").first).to_contain_text("Q♠")
    right = page.get_by_role("region", name="Right-Table")
    expect(right.get_by_role("link", name="To this table")).to_be_visible()
    assert not violations(page)


def test_a_double_click_is_one_bet_and_an_old_screen_bets_in_no_other_round(
    person: Person, house: Served
) -> None:
    one, two = Dealt(house, "clicked-twice"), Dealt(house, "beside-it")
    page = person("player", "ilse")
    sit(page, one.name)
    one.dealer("open_bets")
    page.goto(f"/lobby/several?tables={one.name},{two.name}")
    banker = page.get_by_role("button", name="Banker")
    banker.dblclick()
    lies = page.locator(".several-lying .lies")
    expect(lies).to_have_count(1)
    put_down = lies.locator("b").inner_text()
    assert put_down == page.locator("select[name=stake] option:checked").inner_text()
    # The screen stands still while the next round is opened.
    page.route("**/lobby/several/now*", lambda route: route.abort())
    one.deals("8S KD KH QC")
    one.dealer("settle")
    one.dealer("open_bets")
    banker.click()
    expect(page.get_by_role("alert").first).to_contain_text("This was meant for round 1")


@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}], ids=["upright", "lying"])
def test_roads_can_be_read_on_a_phone(person: Person, house: Served, size: dict[str, int]) -> None:
    at = Dealt(house, f"roads-{size['width']}")
    for cards in ("KH 2D 4S 4C AS", "9S 2D KH 5C"):
        at.dealer("open_bets")
        at.deals(cards)
        at.dealer("settle")
    page = person("player", "ines", viewport=size)
    page.goto(f"/tables/{at.name}")
    roads = page.locator(".roads .wide")
    page.locator(".roads").evaluate("it => it.scrollIntoView()")
    # A column of the big road is 24 of the drawing's own points; a finger's breadth has three of them.
    drawn = "it.firstElementChild"
    scale = f"it => {drawn}.getBoundingClientRect().width / {drawn}.viewBox.baseVal.width"
    assert roads.evaluate(scale) * 24 >= 15
    assert roads.evaluate("it => it.scrollWidth > it.clientWidth"), "the rest is scrolled to"
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    before = roads.evaluate(scale)
    page.get_by_label("Larger roads").check()
    assert roads.evaluate(scale) > before * 1.5
    legend = page.locator(".road-legend")
    expect(legend).to_contain_text("Small Tiger")
    mark = legend.locator("span", has_text="Small Tiger").locator("b").inner_text()
    bead = roads.locator("svg g").filter(has=page.locator("title", has_text="Round 1: Banker 6")).last
    assert mark in (bead.locator("text").last.text_content() or "")
    expect(roads.locator("title", has_text="Small Tiger").first).to_be_attached()
