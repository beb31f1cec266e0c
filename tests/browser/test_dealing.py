"""The dealer's console in Chromium: a round by keys alone, Insurance, what may not be done and why."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Person
from lammer.floor.web.pages.irregularities.what_happened import PLAIN
from lammer.shelf import shelf
from support.answered import A_TURN, PageRequests
from support.axe import violations
from support.browser_table import Dealt, bet, sit, wait_for
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

Picture = Callable[["Page", str], None]
LARGEST = 300_000
OF_ONE_MOMENT = """() => new Set([...document.querySelectorAll('[data-live$="/now"], [data-live$="/steps"]')]
    .map(region => region.dataset.version)).size === 1"""
"""The next step and the list of steps tell of the same moment: a key presses what the screen shows."""


def desk(person: Person, table: str, **options: Any) -> Page:
    """The dealer's screen, listening."""
    page = person("dealer", **options)
    with page.expect_response(lambda answer: answer.url.endswith("/deal/felt")):
        page.goto(f"/tables/{table}/deal")
    return page


def next_is(page: Page, label: str) -> None:
    """Wait until that step stands out."""
    page.wait_for_function("label => document.getElementById('next')?.textContent.includes(label)", arg=label)


def scan(page: Page, cards: str) -> None:
    """Type cards as a scanner does, each with its Enter."""
    page.locator("#card").focus()
    for card in cards.split():
        page.keyboard.type(card)
        page.keyboard.press("Enter")


def test_two_players_and_a_dealer_through_insurance(person: Person, house: Served, picture: Picture) -> None:
    at = Dealt(house, "insured-by-hand")
    anna, ben = person("player", "anna-i"), person("player", "ben-i")
    sit(anna, at.name, 1)
    sit(ben, at.name, 3)
    ben.get_by_role("switch", name="The dealer may place bets for me").click()
    ben.get_by_role("switch", checked=True).wait_for()
    dealer = desk(person, at.name)
    dealer.get_by_text("Let staff bet for them: ben-i.").wait_for()
    dealer.keyboard.press("o")
    for player in (anna, ben):
        wait_for(player, "betting")
    bet(anna, "player", 100)
    bet(ben, "player", 500)
    next_is(dealer, "No more Bets")
    dealer.keyboard.press("c")
    next_is(dealer, "Deal to Player")
    scan(dealer, "QS 3D 6H AC")
    out = dealer.locator(".lammer-out")
    out.wait_for()
    assert "5 : 2" in out.inner_text()
    assert "4.1.14" in out.inner_text()
    assert re.search(r"1\s+anna-i\s+◆?\s*Player\s+5:2\s+100", out.inner_text())
    # One insures alone, the other asks the dealer.
    wait_for(anna, "insurance")
    anna.get_by_role("button", name="Insure for 50").click()
    anna.get_by_text(re.compile(r"Insured: Player at 5:2 for 50\b")).wait_for()
    dealer.locator(".bets", has_text="Insurance").wait_for()
    dealer.keyboard.press("i")
    for typed in ("3", "ben-i", "", "250"):
        dealer.keyboard.type(typed)
        dealer.keyboard.press("Tab")
    dealer.keyboard.press("Enter")
    dealer.wait_for_function("() => document.querySelector('.bets').textContent.includes('250')")
    wait_for(ben, "insurance")
    ben.get_by_text(re.compile(r"Insured: Player at 5:2 for 250\b")).wait_for()
    dealer.evaluate("() => scrollTo(0, 0)")
    picture(dealer, "dealer-insurance")
    next_is(dealer, "Deal to Banker")
    scan(dealer, "5D")
    next_is(dealer, "Pay and take")
    dealer.keyboard.press("Enter")  # on the empty card field: the next step
    dealer.wait_for_selector(".paying")
    rows = [row.split("\t") for row in dealer.locator(".paying tbody tr").all_inner_texts()]
    told = [(row[2], row[3], row[4], row[6]) for row in rows]
    assert told == [
        ("1", "anna-i", "Player", "100"),
        ("3", "ben-i", "Player", "500"),
        ("1", "anna-i", "Insurance Player", "125"),
        ("3", "ben-i", "Insurance Player", "625"),
    ]
    assert [row[1].split()[1] for row in rows] == ["take", "take", "pay", "pay"]
    wait_for(anna, "settled")
    assert "Banker wins 9 to 6." in anna.locator(".came-to").inner_text()
    wait_for(ben, "settled")
    assert re.search(r"Together\s+\+125", ben.locator(".came-to").inner_text())
    picture(dealer, "dealer-paying")


def test_a_whole_round_by_keys_alone(person: Person, house: Served) -> None:
    at = Dealt(house, "by-keys", shoe="virtual", cut=14)
    at.dealer("end_shoe", reason="a new one is brought by its key")
    dealer = desk(person, at.name)
    press = dealer.keyboard.press
    press("p")
    next_is(dealer, "Place your Bets")
    press("o")
    next_is(dealer, "No more Bets")
    press("b")
    dealer.keyboard.type("2")
    press("Tab")
    dealer.keyboard.type("wei")
    for _ in range(4):
        press("Tab")
    press("Tab")  # bet, stake, place, take back: the next button seats the player
    press("Enter")
    dealer.wait_for_function("() => document.activeElement.matches('.bet-form [name=player]')")
    for _ in range(8):
        press("Tab")  # past the buttons of the form and what they buy in for: the last one adds a new player
    assert dealer.evaluate("() => document.activeElement.matches('.add-new')")
    press("Enter")  # nobody is called wei here, and they are new
    dealer.locator(".bets", has_text="wei").wait_for()
    press("b")
    press("Tab")
    press("Tab")
    dealer.keyboard.type("Banker")
    press("Tab")
    dealer.keyboard.type("100")
    press("Enter")
    dealer.wait_for_function("() => document.querySelector('.bets').textContent.includes('100')")
    press("Escape")
    press("c")
    next_is(dealer, "Deal to Player")
    for number in range(1, 7):
        if "Deal to" not in dealer.locator("#next").inner_text():
            break
        press("d" if number % 2 else "Space")
        dealer.locator(".shoe", has_text=f"{416 - number} left").wait_for()
        dealer.wait_for_function(OF_ONE_MOMENT)
    next_is(dealer, "Pay and take")
    press("s")
    dealer.wait_for_selector(".paying")
    assert "wei" in dealer.locator(".paying").inner_text()
    next_is(dealer, "Place your Bets")


def test_a_step_that_may_not_be_taken_says_why_not(person: Person, house: Served) -> None:
    at = Dealt(house, "why-not")
    dealer = desk(person, at.name)
    dealer.keyboard.press("s")
    spot = dealer.locator("#spot")
    spot.filter(has_text="No round is under way.").wait_for()
    assert "3.3" in spot.inner_text()
    assert "Open the betting first." in spot.inner_text()
    settle = dealer.get_by_role("button", name=re.compile("^Pay and take"))
    assert settle.get_attribute("aria-disabled") == "true"
    why = dealer.locator(f"#{settle.get_attribute('aria-describedby')}").inner_text()
    assert "No round is under way." in why
    dealer.keyboard.press("Space")
    next_is(dealer, "No more Bets")
    dealer.wait_for_function("() => document.getElementById('spot').textContent === ''")


def test_a_card_that_cannot_be_stops_the_scanner(person: Person, house: Served) -> None:
    at = Dealt(house, "scanner")
    at.dealer("open_bets")
    at.dealer("close_bets")
    dealer = desk(person, at.name)
    scan(dealer, "10h 9♠ 1X")
    said = dealer.locator("#card-form [role=alert]")
    said.filter(has_text="1X").wait_for()
    assert "is not a card" in said.inner_text()
    dealer.wait_for_function("() => document.querySelector('.cards table').textContent.includes('TH')")
    assert "9S" in dealer.locator(".cards table").inner_text()


def test_one_press_is_one_card_however_often_it_is_sent(person: Person, house: Served) -> None:
    at = Dealt(house, "pressed-twice", shoe="virtual")
    at.dealer("open_bets")
    at.dealer("close_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "Deal to Player")
    dealer.evaluate("() => { const b = document.getElementById('next'); b.click(); b.click(); b.click() }")
    next_is(dealer, "Deal to Banker")
    dealer.evaluate(A_TURN)
    with house.client("dealer") as client:
        hands = client.get(f"/api/tables/{at.name}").json()["round"]["hands"]
    assert (len(hands["player"]["cards"]), len(hands["banker"]["cards"])) == (1, 0)


def test_keys_are_everybodys_own(person: Person, house: Served) -> None:
    at = Dealt(house, "own-keys")
    dealer = desk(person, at.name)
    dealer.get_by_text("Keys", exact=True).click()
    dealer.locator('[data-sets="open_bets"]').focus()
    dealer.keyboard.press("y")
    assert dealer.locator('.step-list kbd[data-key-for="open_bets"]').inner_text() == "Y"
    dealer.reload()
    dealer.wait_for_function(
        "() => document.querySelector('kbd[data-key-for=open_bets]').textContent === 'Y'"
    )
    dealer.keyboard.press("o")
    dealer.evaluate(A_TURN)
    assert "Place your Bets" in dealer.locator("#next").inner_text()
    dealer.keyboard.press("y")
    next_is(dealer, "No more Bets")
    # The key it had before is given up by whoever had it, and a key can be taken away altogether.
    dealer.get_by_text("Keys", exact=True).click()
    assert dealer.locator('[data-sets="consent"]').input_value() == ""
    dealer.locator('[data-sets="close_bets"]').focus()
    dealer.keyboard.press("Delete")
    assert dealer.locator('[data-sets="close_bets"]').input_value() == ""
    dealer.locator("#keys-on").uncheck()
    dealer.locator("body").click(position={"x": 5, "y": 5})
    dealer.keyboard.press("c")
    dealer.evaluate(A_TURN)
    assert "No more Bets" in dealer.locator("#next").inner_text()
    assert not dealer.locator("#next kbd").is_visible()


def test_a_round_without_scripts(person: Person, house: Served) -> None:
    at = Dealt(house, "no-scripts")
    page = person("dealer", java_script_enabled=False)
    page.goto(f"/tables/{at.name}/deal")
    page.locator("#next").click()
    assert "No more Bets" in page.locator("#next").inner_text()
    page.locator("#next").click()
    for card in ("8S", "KD", "KH", "QC"):
        page.locator("#card").fill(card)
        page.locator("#card-deal").click()
    assert page.url.endswith(f"/tables/{at.name}/deal")
    page.locator("#card").fill("2C")
    page.locator("#card-deal").click()
    assert "The Table of Play calls for no further card." in page.locator(".problem").inner_text()
    assert "3.15" in page.locator(".problem").inner_text()
    page.locator("#next").click()
    assert "Settled" in page.locator(".phase").inner_text()


def test_what_lies_face_down_is_not_in_the_page(person: Person, house: Served) -> None:
    """A natural that needs no card and a two that needs one: the same bytes while they lie face down."""
    dealer = person("dealer")
    sources = []
    for number, cards in enumerate(("9S KD KH QC", "2S 3D KH 2C")):
        at = Dealt(house, f"face-down-{number}", face_down=True)
        at.dealer("open_bets")
        at.dealer("close_bets")
        at.cards(cards)
        parts = (
            "",
            "/now",
            "/steps",
            "/felt",
            "/wrong",
            "/wrong/excess_cards",
            "/wrong/technical_interruption",
        )
        paths = [f"/tables/{at.name}/deal{part}" for part in parts] + [f"/pit/{at.name}"]
        answers = [dealer.request.get(path) for path in paths]
        assert [answer.status for answer in answers] == [200] * len(paths)
        found = [answer.text() for answer in answers]
        sources.append([re.sub(r"[Ff]ace-[Dd]own-\d", "", each) for each in found])
        assert not any(name in each for each in found for name in ("of spades", "of hearts", "9♠", "2♠"))
    assert sources[0] == sources[1]


def test_every_rule_of_every_document_has_its_page(house: Served) -> None:
    for book in shelf():
        at = Dealt(house, book.id.replace("@", "."), rulebook=book.id, layout=next(iter(book.layouts)))
        at.dealer("open_bets")
        with house.client("pit_supervisor") as client:
            front = client.get(f"/tables/{at.name}/deal/wrong").text
            for name, rule in book.irregularities.items():
                answer = client.get(f"/tables/{at.name}/deal/wrong/{name}")
                assert answer.status_code == 200, (name, answer.text)
                assert rule.cite.paragraph in answer.text
                assert name in PLAIN or f"/wrong/{name}" not in front
            unknown = client.get(f"/tables/{at.name}/deal/wrong/nonsense")
            assert unknown.status_code == 422
            assert "has no paragraph for this" in unknown.text


@pytest.mark.parametrize(
    "path", ["deal", "deal/wrong", "deal/wrong/swapped_hands", "deal/wrong/unprovided_matter"]
)
def test_nothing_serious_is_found_and_little_is_sent(
    person: Person, house: Served, path: str, record_property: Any
) -> None:
    at = Dealt(house, f"axe-{path.replace('/', '-').replace('_', '-')}")
    house.ask(at.name, "player", "take_seat", name="axel", player="axel", box=1)
    at.dealer("open_bets")
    house.ask(at.name, "player", "place_bet", name="axel", box=1, bet="player", stake="100")
    at.dealer("close_bets")
    at.cards("QS 3D 6H AC")
    page = person("dealer", viewport={"width": 360, "height": 740})
    sent: list[int] = []
    page.on("requestfinished", lambda request: sent.append(request.sizes()["responseBodySize"]))
    asked = PageRequests(page)
    page.goto(f"/tables/{at.name}/{path}")
    asked.all_answered()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = [each for each in violations(page) if "(serious)" in each or "(critical)" in each]
    assert not found, "\n".join(found)
    record_property("bytes", sum(sent))
    assert sum(sent) < LARGEST


def test_the_console_in_chinese(person: Person, house: Served) -> None:
    at = Dealt(house, "zhongwen")
    at.dealer("open_bets")
    at.dealer("close_bets")
    page = desk(person, at.name, locale="zh-CN")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert "发给闲" in page.locator("#next").inner_text()
    at.cards("2S")
    next_is(page, "发给庄")
    page.keyboard.press("w")
    page.wait_for_url("**/wrong")
    assert "发生了什么？" in page.locator("h1").inner_text()


def test_a_player_does_not_deal(person: Person, house: Served) -> None:
    at = Dealt(house, "not-yours")
    for role in ("player", "auditor", "administrator"):
        page = person(role)
        answer = page.goto(f"/tables/{at.name}/deal")
        assert answer is not None
        assert answer.status == 403
        assert "dealer" in page.locator(".problem").inner_text()
    stranger = person()
    stranger.goto(f"/tables/{at.name}/deal")
    assert "/sign-in?next=" in stranger.url
