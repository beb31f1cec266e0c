"""Anybody reads the rules, a mathematician asks what if, staff have long work done beside the tables."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import lammer
from browser.conftest import Person
from lammer.lab import Composition, edges
from lammer.lab.exact.analysis import percent
from lammer.rulebook.vocabulary import RANKS
from support.awaited import until
from support.browser_table import BOOK

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOOKS = [book.id for book in lammer.shelf()]
Picture = Callable[["Page", str], None]


@pytest.mark.parametrize("book", BOOKS)
def test_every_rulebook_can_be_read_whole(person: Person, book: str, picture: Picture) -> None:
    page = person()
    page.goto("/rules")
    page.locator(f'h2 a[href="/rules/{book.replace("@", "%40")}"]').click()
    rules = lammer.rulebook(book)
    expect(page.locator("#bets ~ .wide").first.locator("tbody tr")).to_have_count(len(rules.bets))
    shown = page.locator(".paragraphs > div").evaluate_all("all => all.map(d => [d.id, d.textContent])")
    assert [number for number, _ in shown] == [f"p-{number}" for number in rules.paragraphs]
    gists = [paragraph.gist for paragraph in rules.paragraphs.values()]
    assert all(gist in text for gist, (_, text) in zip(gists, shown, strict=True))
    assert page.locator(".layouts a").filter(has_text="Layout").count() == len(rules.layouts)
    draws = page.locator(".play-grid").nth(1).locator("td.draws").count()
    assert draws == sum(cell.draws for cell in rules.table_of_play.banker.values())
    pays = page.locator("td.pays").count()
    offers = rules.insurance.offers if rules.insurance else ()
    assert pays == sum(len(offer.own) * len(offer.other) for offer in offers)
    expect(page.locator("details.reading")).to_have_count(len(rules.readings))
    # Every paragraph a value stands beside is on the page.
    links = page.locator("a.para").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert not {link for link in links if link[1:] not in dict(shown)}
    page.goto(f"/rules/{book}/layouts/{next(iter(rules.layouts))}")
    expect(page.locator("main svg")).to_be_visible()
    if book == BOOK:
        page.goto(f"/rules/{book}#play")
        picture(page, "rules")


def test_two_versions_side_by_side(person: Person, picture: Picture) -> None:
    page = person()
    page.goto(
        "/rules/compare?a=tiger-buffalo-commission-insurance@3&b=tiger-buffalo-noncommission-insurance@3"
    )
    expect(page.locator("main")).to_contain_text("pays 0.95:1 -> on 6 1:2, on 1-5, 7-9 1:1")
    row = page.get_by_role("row").filter(has_text="1.0579")
    expect(row).to_contain_text("1.4581")
    expect(row).to_contain_text("0.4002")
    # By what they say, whatever their numbers became; named without the other, a version meets its follower.
    page.goto("/rules/compare?a=tiger-buffalo-noncommission-insurance@1")
    expect(page.locator('select[name="b"]')).to_have_value("tiger-buffalo-noncommission-insurance@3")
    expect(page.locator(".pairs .changed").filter(has_text="3.9")).to_contain_text("seated player")
    page.locator(".pairs").first.evaluate("it => it.scrollIntoView()")
    picture(page, "rules-compare")
    page.locator("details summary").click()
    moved = page.locator(".pairs .same").filter(has_text="Another word for wager")
    assert [each.inner_text() for each in moved.get_by_role("link").all()] == ["1.3", "1.5"]


@pytest.mark.parametrize("book", BOOKS)
def test_what_if_moves_edges_exactly(person: Person, book: str, picture: Picture) -> None:
    page = person("player")
    page.goto(f"/lab?book={book}")
    rules = lammer.rulebook(book)
    before = {bet.bet: bet.edge for bet in edges(rules).bets}
    assert _values(page, "before") == before
    page.evaluate("window.stayed = true")
    page.get_by_label("Decks", exact=True).fill("6")
    page.locator('input[name="gone_9"]').fill("3")
    page.get_by_text("Other pays").click()
    page.locator('input[name="pays_small_tiger"]').fill("23:1")
    expect(page.locator("#figures")).to_contain_text("309 cards")
    expect(page.locator('tr[data-bet="small_tiger"] td').first).to_have_text("23:1")
    shoe = Composition.of({rank: 24 - 3 * (rank == "9") for rank in RANKS})
    made = edges(rules, shoe, pays={"small_tiger": "23:1"})
    assert _values(page, "after") == {bet.bet: bet.edge for bet in made.bets}
    for bet in made.bets:
        shown = page.locator(f'tr[data-bet="{bet.bet}"] .after').inner_text()
        assert shown == percent(bet.edge)
    assert page.evaluate("window.stayed"), "the page was not left"
    assert page.locator(".heat figure").count() == (4 if rules.insurance else 0)
    told = page.request.get(f"/lab/edges.json?{page.url.partition('?')[2]}").json()
    assert {name: Fraction(edge) for name, edge in told["bets"].items()} == _values(page, "after")
    if book == BOOK:
        page.get_by_text("Other pays").click()
        page.evaluate("scrollTo(0, 0)")
        picture(page, "lab")
        page.get_by_role("heading", name="What Insurance costs").evaluate("it => it.scrollIntoView()")
        picture(page, "lab-insurance")


def _values(page: Page, which: str) -> dict[str, Fraction]:
    rows = page.locator(f"tr[data-bet] .{which}")
    pairs = rows.evaluate_all("all => all.map(d => [d.closest('tr').dataset.bet, d.value])")
    return {bet: Fraction(value) for bet, value in pairs}


def test_what_if_without_scripts_and_what_cannot_be(person: Person) -> None:
    page = person("player", java_script_enabled=False)
    page.goto("/lab?book=tiger-buffalo-noncommission@4")
    page.get_by_label("Decks", exact=True).fill("4")
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator('tr[data-bet="tie"] .after')).to_have_text("14.5916")
    plain = "/lab?book=tiger-buffalo-noncommission@4"
    for asked, said in (
        ("pays_tie=nonsense", "are not odds"),
        ("pays_tie=0:1", "are not odds"),
        ("pays_banker_1=1e9:1", "are not odds"),
        ("pays_tie=<script>alert(1)</script>", "are not odds"),
        ("decks=1&gone_A=5", "5 cards of rank A cannot be gone: 1 decks have 4"),
        ("decks=0", "1 to 10 decks"),
        ("decks=11", "1 to 10 decks"),
        ("decks=8.5", "not a number of decks"),
        ("decks=" + "9" * 300, "not a number of decks"),
        ("gone_9=-1", "not a number of decks or cards"),
        ("gone_9=٣", "not a number of decks or cards"),
        ("&".join(f"gone_{rank}=32" for rank in RANKS), "cannot deal a round"),
    ):
        answer = page.goto(f"{plain}&{asked}")
        assert answer is not None
        assert 400 <= answer.status < 500, asked
        expect(page.get_by_role("alert").first).to_contain_text(said)
        expect(page.locator('tr[data-bet="tie"] .before')).to_have_text("14.3596")


def test_a_refusal_is_said_in_chinese_too(person: Person) -> None:
    page = person("player", locale="zh-CN")
    page.goto("/lab?decks=99")
    expect(page.get_by_role("alert").first).to_contain_text("牌靴为 1 至 10 副牌。")
    page.goto("/rules/nonsense@1")
    expect(page.get_by_role("alert")).to_contain_text("本场没有规则书")


def test_rounds_are_dealt_by_the_million_beside_the_tables(person: Person) -> None:
    page = person("pit_manager")
    page.goto("/lab/work")
    page.get_by_label("How many").fill("400,000")
    page.get_by_label("Rulebook").select_option(BOOK)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("400,000 rounds · seed 1")).to_be_visible(timeout=120_000)
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Banker", exact=True)).first
    expect(row).to_contain_text("1.4581")
    # It is still there for whoever left and comes back, and for a colleague.
    for who in ("pit_manager", "auditor"):
        again = person(who)
        again.goto("/lab/work")
        expect(again.get_by_text("400,000 rounds · seed 1")).to_be_visible()


def test_long_work_can_be_stopped_and_only_one_runs(person: Person) -> None:
    page = person("auditor", java_script_enabled=False)
    page.goto("/lab/work")
    page.get_by_label("How many").fill("1000000000")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert").first).to_contain_text("still under way")
    other = person("pit_manager", java_script_enabled=False)
    other.goto("/lab/work")
    expect(other.get_by_role("progressbar")).to_be_visible()
    expect(other.get_by_role("button", name="Stop")).to_have_count(0)
    page.goto("/lab/work")
    page.get_by_role("button", name="Stop").click()

    def stopped() -> int:
        page.goto("/lab/work")
        return page.get_by_text("It was stopped before its end.").count()

    until(stopped)
    expect(page.get_by_text("It was stopped before its end.")).to_be_visible()
    page.get_by_label("How many").fill("2000000001")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert").first).to_contain_text("1,000,000,000 rounds or 20,000 shoes at most")
    answer = person("player").goto("/lab/work")
    assert answer is not None
    assert answer.status == 403


@pytest.mark.parametrize(("wide", "high"), [(1440, 900), (390, 844), (844, 390)])
def test_contents_and_search_stay_in_view(person: Person, wide: int, high: int) -> None:
    page = person(viewport={"width": wide, "height": high})
    page.goto(f"/rules/{BOOK}")
    page.get_by_role("link", name="When something goes wrong").click()
    heading = page.get_by_role("heading", name="When something goes wrong")
    expect(heading).to_be_in_viewport()
    bar = page.locator(".contents-bar")
    assert bar.evaluate("it => it.getBoundingClientRect().top") >= -1
    assert bar.evaluate("it => it.getBoundingClientRect().height") <= high * (1 if wide > 1000 else 0.35)
    if wide < 1000:
        below = bar.evaluate("it => it.getBoundingClientRect().bottom")
        assert heading.evaluate("it => it.getBoundingClientRect().top") >= below - 1, "nothing lies on it"
    page.get_by_label("Find in these rules").fill("higher total")
    expect(page.locator(".paragraphs > div:visible")).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="places")).to_be_visible()
    page.get_by_label("Find in these rules").fill("")
    expect(page.locator(".paragraphs > div:visible")).to_have_count(len(lammer.rulebook(BOOK).paragraphs))
    page.get_by_label("Find in these rules").fill("higher total")
    page.keyboard.press("Enter")
    expect(page.locator('[id="p-3.16"]')).to_be_in_viewport()


def test_the_rules_on_paper_are_the_rules_alone(person: Person) -> None:
    page = person("auditor", alone=True)
    page.goto(f"/rules/{BOOK}")
    page.emulate_media(media="print")
    for part in (".top", ".contents-bar", ".path"):
        expect(page.locator(part)).to_be_hidden()
    expect(page.locator("details.reading p").first).to_be_visible()
    expect(page.locator('[id="p-3.16"]')).to_be_visible()


def test_what_the_lab_works_out_comes_into_view(person: Person) -> None:
    page = person("player", viewport={"width": 1440, "height": 900})
    page.goto(f"/lab?book={BOOK}")
    expect(page.locator('tr[data-bet="banker"]')).to_be_in_viewport()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_label("Decks", exact=True).fill("6")
    page.get_by_label("A name for this what-if").fill("Six decks")
    page.get_by_role("button", name="Work it out").click()
    expect(page.get_by_role("heading", name="What if: Six decks")).to_be_in_viewport()
    expect(page.locator("#figures")).to_be_focused()
    assert "called=Six+decks" in page.url
    again = person("player", java_script_enabled=False, viewport={"width": 390, "height": 844})
    again.goto(page.url)
    expect(again.get_by_role("heading", name="What if: Six decks")).to_be_visible()
    again.get_by_role("button", name="Work it out").click()
    expect(again.locator("#figures")).to_be_in_viewport()
