"""The academy by keyboard alone, without scripts, in both languages and at every size."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

import lammer
from browser.conftest import Person
from lammer.academy.asking import make_item
from support.axe import violations
from support.served import Served

BOOK = "tiger-buffalo-noncommission-insurance@3"
KINDS = ("totals", "drawing", "payouts", "chips", "insurance", "differential", "cases")
SIZES = ((390, 844), (844, 390), (1440, 900), (3840, 2160))


def answer_of(page: Page) -> str:
    """The right answer to the item on a page."""
    kind, seed = (page.locator(f"form.item input[name={name}]").input_value() for name in ("kind", "seed"))
    return make_item(lammer.rulebook(BOOK), kind, int(seed)).answer


def test_items_are_answered_by_keyboard_alone_and_without_scripts(person: Person) -> None:
    page = person("dealer", "trainee-kim", java_script_enabled=False)
    page.goto(f"/academy/drill?book={BOOK}&kind_totals=on")
    for _ in range(3):
        expect(page.locator("input[name=answer]")).to_be_focused()
        page.keyboard.type(answer_of(page))
        page.keyboard.press("Enter")
        expect(page.locator(".verdict")).to_contain_text("Right:")
        expect(page.get_by_role("button", name="Next")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".verdict")).to_have_count(0)


def test_a_wrong_answer_leads_to_its_paragraph(person: Person) -> None:
    page = person("dealer", "trainee-lou")
    page.goto(f"/academy/drill?book={BOOK}&kind_cases=on")
    answer = answer_of(page)
    page.locator(f".choices button:not([value={answer}])").first.click()
    expect(page.locator(".verdict")).to_contain_text("Wrong.")
    assert parse_qs(urlsplit(page.url).query)["answer"] != [answer]
    page.locator(".verdict .para").first.click()
    expect(page.locator(":target")).to_be_visible()


def test_what_was_answered_is_kept(person: Person, house: Served) -> None:
    page = person("dealer", "trainee-max")
    page.goto(f"/academy/drill?book={BOOK}&kind_drawing=on")
    page.locator("input[name=answer]").fill(answer_of(page))
    page.locator(".answer button").click()
    expect(page.locator(".verdict")).to_be_visible()
    trainer = person("pit_supervisor")
    trainer.goto(f"/academy/trainer?book={BOOK}")
    expect(trainer.get_by_role("row", name="Max")).to_contain_text("100%")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_pages_fit_and_axe_finds_nothing(
    person: Person, house: Served, language: str, width: int, height: int
) -> None:
    page = person("pit_supervisor", viewport={"width": width, "height": height})
    page.context.add_cookies([{"name": "lammer_language", "value": language, "url": house.address}])
    drills = [f"/academy/drill?book={BOOK}&seconds=60&kind_{kind}=on" for kind in KINDS]
    answered = f"/academy/answered?book={BOOK}&kind=drawing&seed=3&answer=player"
    for path in (f"/academy?book={BOOK}", f"/academy/trainer?book={BOOK}", answered, *drills):
        page.goto(path)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_result_of_a_test_fits_and_shows_what_was_right(
    person: Person, house: Served, language: str
) -> None:
    trainer, taker = person("pit_supervisor"), person("dealer", f"ned-{language}")
    trainer.goto(f"/academy/trainer?book={BOOK}")
    trainer.locator("select[name=person]").select_option(f"ned-{language}")
    for kind in KINDS:
        trainer.locator(f"input[name=items_{kind}]").fill("1" if kind in ("totals", "cases") else "0")
    trainer.locator("form.train button.main").click()
    taker.goto("/academy")
    taker.locator(".tests a").first.click()
    taker.locator("button[name=begin]").click()
    for number in ("1", "2"):
        expect(taker.locator("form.item input[name=number]")).to_have_value(number)
        taker.locator("input[name=answer]").fill("1")
        taker.locator(".answer button").click()
    expect(taker.locator(".verdict")).to_be_visible()
    taker.context.add_cookies([{"name": "lammer_language", "value": language, "url": house.address}])
    for width, height in SIZES:
        taker.set_viewport_size({"width": width, "height": height})
        taker.reload()
        expect(taker.locator("table.answered tbody tr")).to_have_count(2)
        assert violations(taker) == []
        assert taker.evaluate("document.documentElement.scrollWidth") <= width
