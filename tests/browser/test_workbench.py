"""The workbench in a browser: figures move as one types, problems stand by their lines, one is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from browser.conftest import Person
from support.browser_table import BOOK

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_figures_and_problems_move_as_one_types(person: Person, picture: Callable[[Page, str], None]) -> None:
    page = person("", viewport={"width": 1440, "height": 900})
    page.goto(f"/workbench?from={BOOK}")
    text = page.get_by_label("Rulebook, as TOML")
    begun = text.input_value()
    text.fill(begun + '\n[[bet]]\nname = "tie"\npays = "9:1"\n')
    tie = page.locator("tr[data-bet=tie]")
    expect(tie).to_contain_text("4.8440")
    expect(tie.locator(".was").first).to_have_text("14.3596")
    page.get_by_label("Line of a pay table").select_option("tie 9:1")
    page.get_by_label("Edge, in percent").fill("10")
    expect(page.locator(".reached")).to_contain_text("8.4582:1")
    picture(page, "workbench")
    text.fill(begun + '\n[[bet]]\nname = "tie"\npays = "9"\n')
    expect(page.locator(".faults li")).to_contain_text("odds such as")
    line = 1 + (begun + '\n[[bet]]\nname = "tie"\n').count("\n")
    expect(page.locator("#lines .wrong")).to_have_text(re.compile(rf"^{line}\s*$"))


def test_drafts_are_saved_in_this_browser_alone(person: Person) -> None:
    page = person("")
    page.goto("/workbench")
    text = page.get_by_label("Rulebook, as TOML")
    text.fill(text.input_value().replace("ez-baccarat", "mine"))
    page.get_by_role("button", name="Save in this browser").click()
    page.reload()
    expect(text).to_have_value(re.compile('game = "mine"'))
    page.get_by_role("button", name="Begin anew").click()
    expect(text).to_have_value(re.compile("ez-baccarat"))
    page.get_by_label("Saved here").select_option("mine")
    expect(text).to_have_value(re.compile('game = "mine"'))
    expect(page.locator(".whole")).to_contain_text("mine@1 is whole.")


def test_without_scripts_a_form_is_enough(person: Person) -> None:
    page = person("", java_script_enabled=False)
    page.goto("/workbench")
    text = page.get_by_label("Rulebook, as TOML")
    text.fill(text.input_value().replace("40:1", "41:1"))
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator("tr[data-bet=dragon_7] .now")).to_have_text("5.3580")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", re.compile("zh"))
    expect(page.locator("#text")).to_have_value(re.compile("41:1"))


def test_what_is_typed_outlives_another_language_a_reload_and_a_failed_answer(person: Person) -> None:
    page = person("", viewport={"width": 390, "height": 800})
    page.goto("/workbench")
    text, failed, figures = (page.locator(each) for each in ("#text", "#failed", "#figures"))
    text.fill(text.input_value().replace("40:1", "41:1"))
    figure = page.locator("tr[data-bet=dragon_7] .now")
    expect(figure).to_have_text("5.3580")
    deviation = page.locator("tr[data-bet=dragon_7] [data-is=Deviation]").bounding_box()
    assert deviation is not None
    assert deviation["x"] + deviation["width"] <= 390, "nothing of a row is cut on a phone"
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", re.compile("zh"))
    expect(text).to_have_value(re.compile("41:1"))
    expect(figure).to_have_text("5.3580")
    text.fill(text.input_value().replace("41:1", "42:1"))
    expect(figure).to_have_text(re.compile("^3\\."))
    page.reload()
    expect(text).to_have_value(re.compile("42:1"))
    expect(figure).to_have_text(re.compile("^3\\."))
    page.get_by_role("button", name="English").click()
    expect(page.locator("#summary .whole")).to_be_visible()
    whole = text.input_value()
    text.fill(whole + "# " + "x" * 2_000_000)
    expect(failed).to_contain_text("What stands here is of an earlier text")
    expect(figures).to_have_class("old")
    expect(page.locator("#summary")).to_be_empty()
    text.fill(whole)
    expect(failed).to_be_empty()
    expect(page.locator("#summary .whole")).to_be_visible()


def test_a_pit_manager_keeps_it_and_sets_a_table_to_it(person: Person) -> None:
    page = person("pit_manager")
    page.goto("/workbench")
    text = page.get_by_label("Rulebook, as TOML")
    text.fill(text.input_value().replace("ez-baccarat", "house-ez"))
    page.get_by_role("button", name="Keep it in this house").click()
    expect(page.locator(".kept")).to_contain_text("house-ez@1 is kept in this house.")
    page.locator(".kept").get_by_role("button").first.click()
    expect(page.locator("select[name=rulebook]")).to_have_value("house-ez@1")
