"""The pit in Chromium: a dealing error on three screens, corrections by two people, set-up, bank, report."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Person
from browser.test_dealing import LARGEST, Picture, desk, next_is, scan
from support.answered import PageRequests
from support.axe import violations
from support.browser_table import Dealt, bet, sit, wait_for
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page


def played(at: Dealt, cards: str, **bets: tuple[int, str, str]) -> None:
    """A whole round: each player's box, bet and stake."""
    at.dealer("open_bets")
    for name, (box, what, stake) in bets.items():
        at.house.ask(at.name, "player", "place_bet", name=name, box=box, bet=what, stake=stake)
    at.dealer("close_bets")
    at.cards(cards)
    at.dealer("settle")


def seated(at: Dealt, **boxes: int) -> None:
    for name, box in boxes.items():
        at.house.ask(at.name, "player", "take_seat", name=name, player=name, box=box)


def glance(page: Page, table: str) -> str:
    return page.locator("li.glance", has=page.locator(f"#table-{table}")).inner_text()


def test_a_dealing_error_from_end_to_end_on_three_screens(  # noqa: PLR0915 (it is a long story)
    person: Person, house: Served, picture: Picture
) -> None:
    at = Dealt(house, "three-screens")
    chen, dora = person("player", "chen"), person("player", "dora")
    sit(chen, at.name, 1)
    sit(dora, at.name, 2)
    house.ask(at.name, "player", "allow_staff_bets", name="dora", allowed=True)
    dealer, pit = desk(person, at.name), person("pit_supervisor")
    pit.goto("/pit")
    dealer.keyboard.press("o")
    for player, chips in ((chen, 100), (dora, 500)):
        wait_for(player, "betting")
        bet(player, "banker", chips)
    next_is(dealer, "No more Bets")
    dealer.keyboard.press("c")
    next_is(dealer, "Deal to Player")
    scan(dealer, "2S")
    next_is(dealer, "Deal to Banker")
    # The second card, exposed, slides to the Player's side. One key, and the dealer says what happened.
    dealer.keyboard.press("w")
    dealer.wait_for_url("**/wrong")
    dealer.get_by_role("link", name="A card too many was drawn, or one was exposed.").click()
    says = dealer.locator(".rule").inner_text()
    assert "Decides: Pit Supervisor or above, at reasonable discretion" in says
    assert "5.8" in says
    assert "No outcome has been established." in says
    fell = dealer.locator("form.panel", has=dealer.locator("input[value=deal_card]"))
    fell.locator("input[name=card]").fill("3D")
    fell.locator("select[name=to]").select_option("player")
    fell.get_by_role("button").click()
    moves = dealer.locator("tr.moves-it")
    moves.wait_for()
    assert re.search(r"Player 2\s+Banker 1 ← moves", moves.inner_text())
    picture(dealer, "something-wrong")
    # It is not the dealer's to decide, and the page says whose it is.
    does = dealer.locator(".does", has_text="Put the cards into their intended order")
    assert "it takes a Pit Supervisor or above" in does.inner_text()
    does.get_by_role("button").dispatch_event("click")
    does.locator("[role=alert]", has_text="Ask a Pit Supervisor.").wait_for()
    # The pit sees the table first, and what would follow, and decides.
    own = pit.locator(".urgency-2", has=pit.locator(f"#table-{at.name}"))
    own.filter(has_text="Cards misplaced").wait_for()
    picture(pit, "pit")
    pit.locator(f"#table-{at.name}").click()
    pit.get_by_role("link", name="Something is wrong").click()
    pit.get_by_role("link", name="A card too many was drawn, or one was exposed.").click()
    does = pit.locator(".does", has_text="Put the cards into their intended order")
    may = "chen and dora may continue with the hand put right or have their bets returned."
    assert f"Cards drawn in excess or exposed: {may}" in does.inner_text()
    does.get_by_role("button").click()
    # The players choose: one on their own screen, the other tells the dealer.
    wait_for(chen, "options")
    chen.get_by_role("button", name="Take my bets back").click()
    dealer.goto(f"/tables/{at.name}/deal")
    asked = dealer.locator(".options tr")
    asked.filter(has_text="chen").filter(has_text="has the bets back").wait_for()
    picture(dealer, "dealer-options")
    asked.filter(has_text="dora").get_by_role("button", name="Go on").click()
    next_is(dealer, "Deal to Player")
    dealer.locator(".bets", has_text="500").filter(has_not_text="100").wait_for()
    # And the round goes on by the book.
    scan(dealer, "KH 6C")
    next_is(dealer, "Pay and take")
    dealer.keyboard.press("s")
    wait_for(dora, "settled")
    assert "Banker wins 9 to 2." in dora.locator(".came-to").inner_text()
    wait_for(chen, "settled")
    assert chen.locator("#balance").inner_text() == "1,000.00"


def test_a_correction_takes_two_people(person: Person, house: Served, picture: Picture) -> None:
    at = Dealt(house, "two-people")
    seated(at, emil=1, fang=3)
    played(at, "7S 2D KH 3C 4D", emil=(1, "player", "100"), fang=(3, "banker", "1500"))
    at.dealer("open_bets")
    first, second = person("pit_supervisor", "gia"), person("pit_manager", "hugo")
    first.goto(f"/pit/{at.name}/corrections")
    first.get_by_role("link", name="Correct Round 1").click()
    first.fill("input[name=player]", "7s kh")
    first.fill("input[name=banker]", "2d 3c")
    first.get_by_role("button", name="Show what it would change").click()
    effect = first.locator(".per-player").inner_text()
    assert re.search(r"emil\s+900\s+1,000\s+\+100", effect)
    assert re.search(r"fang\s+3,000\s+1,500\s+−1,500", effect)
    corrected = "Round 1 is corrected: An earlier round that did not follow the Table of Play. It is void."
    assert f"{corrected} (5.15 5.15.1 5.15.4)" in first.locator(".follows").inner_text()
    picture(first, "pit-correction")
    first.get_by_role("button", name="Ask for this correction").click()
    first.locator(".proposal").wait_for()
    # The page's script has to be there, or the form is sent without it and answered with a page.
    first.wait_for_load_state()
    # Whoever asked cannot agree, and hears why not.
    first.get_by_role("button", name="Agree").dispatch_event("click")
    first.locator("#spot", has_text="gia asked for this and cannot agree to it too.").wait_for()
    with house.client("dealer") as client:
        assert client.get(f"/api/tables/{at.name}").json()["accounts"]["player:emil"] == "900.00"
    # Somebody without the right to it cannot either.
    dealer = person("dealer")
    dealer.goto(f"/pit/{at.name}")
    dealer.get_by_role("button", name="Agree").click()
    dealer.locator("#spot", has_text="it takes a Pit Supervisor or above").wait_for()
    # The second person sees that something waits, what it would change, and agrees.
    second.goto("/pit")
    assert "1 to approve" in glance(second, at.name)
    second.locator(f"#table-{at.name}").click()
    waits = second.locator(".proposal").inner_text()
    assert "gia (Pit Supervisor) asked at" in waits
    assert re.search(r"fang\s+3,000\s+1,500\s+−1,500", waits)
    second.get_by_role("button", name="Agree").click()
    second.get_by_text("Nothing waits.").wait_for()
    first.get_by_text("Correct an earlier round – agreed (hugo)").wait_for()
    dealer.goto(f"/tables/{at.name}/deal")
    told = dealer.locator(".corrected")
    assert "Round 1 was corrected: take 1,500.00 from fang, pay emil 100.00." in told.inner_text()
    told.locator(".tick").check()
    told.wait_for(state="hidden")
    dealer.reload()
    dealer.wait_for_function("() => document.querySelector('.corrected .tick').checked")
    assert told.is_hidden()
    with house.client("dealer") as client:
        accounts = client.get(f"/api/tables/{at.name}").json()["accounts"]
    assert (accounts["player:emil"], accounts["player:fang"]) == ("1000.00", "1500.00")
    second.goto(f"/pit/{at.name}/report")
    assert "gia and hugo" in second.locator("main").inner_text()


def test_the_pit_sees_an_interruption_first_and_resolves_it(person: Person, house: Served) -> None:
    at = Dealt(house, "interrupted")
    seated(at, ivan=1)
    at.dealer("open_bets")
    house.ask(at.name, "player", "place_bet", name="ivan", box=1, bet="tie", stake="50")
    at.dealer("interrupt", reason="power")
    dealer, pit = desk(person, at.name), person("pit_supervisor")
    assert "it takes a Pit Supervisor or above" in dealer.locator(".waits").inner_text()
    pit.goto("/pit")
    # Only tables of other tests that are as urgent may come before it.
    glances = pit.locator("li.glance").all_inner_texts()
    before = glances[: next(place for place, glance in enumerate(glances) if at.name.title() in glance)]
    assert all(re.search("Interrupted|gaming is stopped|Pit called", glance) for glance in before)
    pit.locator(f"#table-{at.name}").click()
    resolving = pit.locator("section", has=pit.locator("#resolve")).inner_text()
    void = "Round 1 is void: A technical interruption. No outcome is established."
    assert f"{void} Returned: ivan 50.00 of Tie, box 1. (5.4.2 5.21)" in resolving
    assert re.search(r"ivan\s+950\s+1,000\s+\+50", resolving)
    pit.locator("#resolve").click()
    pit.get_by_text("Void", exact=False).first.wait_for()
    next_is(dealer, "Place your Bets")


def test_set_up_bank_and_report(person: Person, house: Served, picture: Picture) -> None:
    at = Dealt(house, "set-up")
    seated(at, jun=1)
    played(at, "8S KD KH QC", jun=(1, "player", "100"))
    pit = person("pit_manager")
    pit.goto(f"/pit/{at.name}")
    pit.fill("input[name=amount]", "2500")
    # It is asked once more, with the bank before and after.
    pit.get_by_role("button", name="Fill").click()
    assert "Bring 2,500 to the bank" in pit.locator("h1").inner_text()
    assert pit.locator("tbody td").all_inner_texts() == ["99,900", "102,400"]
    assert violations(pit) == []
    pit.get_by_role("link", name="Leave it as it is").click()
    pit.get_by_text("99,900").first.wait_for()
    pit.fill("input[name=amount]", "2500")
    pit.get_by_role("button", name="Fill").click()
    # Pressed twice by a slip of the hand, it is filled once.
    pit.evaluate("() => { const yes = document.querySelector('[name=confirmed]'); yes.click(); yes.click() }")
    pit.get_by_text("102,400").wait_for()
    assert pit.input_value("input[name=amount]") == ""
    pit.get_by_role("link", name="Set-up").click()
    pit.fill("input[name=original_minimum]", "25")
    pit.get_by_text("Limits of single bets").click()
    pit.fill("input[name=most_tie]", "200")
    pit.select_option("select[name=reading_limits_mode]", "advisory")
    pit.get_by_role("button", name="Set the table").click()
    # What changes, and nothing else, before it does.
    changes = pit.locator("tbody").inner_text()
    assert re.search(r"Original Bets\s+10 – 5,000\s+25 – 5,000", changes)
    assert re.search(r"Tie\s+–\s+10 – 200", changes)
    assert "Decks" not in changes
    pit.get_by_role("button", name="Set the table").click()
    pit.wait_for_url(f"**/pit/{at.name}")
    with house.client("dealer") as client:
        setup = client.get(f"/api/tables/{at.name}").json()["set_up"]
    assert setup["limits"]["original"] == {"minimum": 2500, "maximum": 500_000}
    assert setup["limits"]["tie"] == {"minimum": 1000, "maximum": 20_000}
    assert setup["readings"] == {"limits_mode": "advisory"}
    # Refused, with what was typed still there: a round is under way, and a layout is another's.
    at.dealer("open_bets")
    pit.goto(f"/pit/{at.name}/set-up")
    pit.fill("input[name=differential]", "777")
    pit.get_by_role("button", name="Set the table").click()
    assert "Round 2 is under way." in pit.locator(".problem").inner_text()
    assert pit.input_value("input[name=differential]") == "777"
    pit.goto(f"/pit/{at.name}/report")
    assert re.search(r"Player\s+1\s+100\.00\s+−100\.00", pit.locator("main").inner_text())
    assert pit.locator(".chart svg").count() == 3
    picture(pit, "pit-report")
    text = pit.request.get(f"/pit/{at.name}/report.csv").text()
    assert text.splitlines()[1] == "total,,1,100.00,-100.00,0.00,-100.00"


def test_with_cards_misplaced_the_needed_action_stands_out(person: Person, house: Served) -> None:
    at = Dealt(house, "needed-action")
    seated(at, oda=1)
    at.dealer("open_bets")
    house.ask(at.name, "player", "place_bet", name="oda", box=1, bet="tie", stake="50")
    at.dealer("close_bets")
    at.dealer("deal_card", card="2S")
    pit = person("pit_supervisor")
    pit.goto(f"/pit/{at.name}")
    assert pit.locator("main .main").count() == 0
    at.dealer("deal_card", card="3D", to="player")
    needed = pit.get_by_role("link", name="Put the cards right")
    needed.wait_for()
    # It is the only one that stands out, and leads to what the rule lets the pit do.
    assert pit.locator("main .main").count() == 1
    assert "main" in (needed.get_attribute("class") or "")
    needed.click()
    pit.wait_for_url("**/deal/wrong/*")
    assert "Put the cards into their intended order" in pit.locator("main").inner_text()


def test_a_correction_shows_every_column(person: Person, house: Served) -> None:
    at = Dealt(house, "every-column")
    seated(at, pia=1)
    played(at, "7S 2D KH 3C 4D", pia=(1, "player", "100"))
    at.dealer("open_bets")
    for width in (844, 1200, 1440):
        pit = person("pit_supervisor", viewport={"width": width, "height": 800})
        pit.goto(f"/pit/{at.name}/corrections/1?player=7S+KH&banker=2D+3C")
        heads = pit.locator("section", has_text="As it was settled").locator("thead th").all_inner_texts()
        assert heads == ["Name", "Bet", "Stake", "Result", "Returned", "Paragraphs"]
        hidden = "parts => parts.filter((part) => part.scrollWidth > part.clientWidth).length"
        assert pit.locator(".wide").evaluate_all(hidden) == 0


def test_a_first_set_up_offers_everything_by_its_name(person: Person, house: Served) -> None:
    with house.client("administrator") as client:
        client.post("/api/tables", json={"table": "first-time", "title": "First"}).raise_for_status()
    pit = person("pit_manager", java_script_enabled=False)
    pit.goto("/pit/first-time/set-up")
    books = pit.locator("select[name=rulebook] option").all_inner_texts()
    title = "Tiger Buffalo (Non-Commission Baccarat with Insurance Plus)"
    assert f"{title}, version 3" in books
    assert f"{title}, version 1, superseded by version 3" in books
    assert not [label for label in books if "@" in label]
    pit.select_option("select[name=rulebook]", label="Tiger Buffalo (Non-Commission Baccarat), version 4")
    pit.fill("input[name=original_minimum]", "25")
    pit.get_by_role("button", name="Show its layouts, bets and readings").click()
    # What was typed is still there; layouts say what lies on them, readings are sentences.
    assert pit.input_value("input[name=original_minimum]") == "25"
    label = "M, 1 to 5 boxes: Player Pair, Banker Pair, Big Tiger, Small Tiger"
    pit.select_option("select[name=layout]", label=label)
    assert "On every layout: Player, Banker and Tie." in pit.locator("main").inner_text()
    advisory = "The dealer: the system records with a warning"
    pit.select_option("select[name=reading_limits_mode]", label=advisory)
    pit.get_by_text("Limits of single bets").click()
    pit.fill("input[name=most_big_tiger]", "300")
    pit.get_by_role("button", name="Set the table").click()
    pit.wait_for_url("**/pit/first-time")
    with house.client("dealer") as client:
        setup = client.get("/api/tables/first-time").json()["set_up"]
    assert (setup["rulebook"], setup["layout"]) == ("tiger-buffalo-noncommission@4", "M")
    assert setup["limits"]["big_tiger"] == {"minimum": 1000, "maximum": 30_000}
    assert setup["readings"] == {"limits_mode": "advisory"}


def test_a_bank_below_zero_is_flagged(person: Person, house: Served) -> None:
    at = Dealt(house, "overdrawn")
    house.ask(at.name, "pit_supervisor", "credit_bank", amount="100000")
    seated(at, quin=1)
    pit = person("pit_supervisor")
    pit.goto(f"/pit/{at.name}")
    assert "below zero" not in pit.locator("main").inner_text()
    played(at, "8S KD KH QC", quin=(1, "player", "100"))
    pit.locator(".alarm", has_text="The bank is 100 below zero").wait_for()
    assert pit.locator("dd.down", has_text="−100").count() >= 1
    pit.goto("/pit")
    assert "Bank below zero" in glance(pit, at.name)


def test_the_pit_sees_its_staff(person: Person, house: Served) -> None:
    at = Dealt(house, "on-duty")
    pit = person("pit_supervisor")
    pit.goto("/pit")
    pit.get_by_role("link", name="Staff").click()
    dealer = pit.locator("tr", has=pit.get_by_role("rowheader", name="Dealer"))
    assert "yes" in dealer.inner_text()
    assert dealer.get_by_role("link", name=at.name.title()).count() == 1
    assert pit.get_by_role("rowheader", name="Player").count() == 0


def test_a_set_up_changed_meanwhile_is_not_overwritten(person: Person, house: Served) -> None:
    at = Dealt(house, "meanwhile")
    pit = person("pit_manager")
    pit.goto(f"/pit/{at.name}/set-up")
    limits = {"minimum": "50", "maximum": "5000", "differential": "10000"}
    made = {"rulebook": "tiger-buffalo-noncommission-insurance@3", "layout": "C", "shoe": "read"}
    house.ask(at.name, "table_game_shift_manager", "set_table", setup=made | {"limits": limits})
    pit.get_by_role("button", name="Set the table").click()
    assert "Somebody has changed the set-up" in pit.locator(".problem").inner_text()


def test_two_people_without_scripts(person: Person, house: Served) -> None:
    at = Dealt(house, "plain-people")
    seated(at, kim=1)
    played(at, "7S 2D KH 3C 4D", kim=(1, "player", "100"))
    first = person("pit_supervisor", java_script_enabled=False)
    first.goto(f"/pit/{at.name}")
    first.fill("input[name=reason]", "the 4 was an 8")
    first.get_by_role("button", name="Ask to reopen").click()
    assert "the 4 was an 8" in first.locator(".proposal").inner_text()
    first.get_by_role("button", name="Agree").dispatch_event("click")
    assert "cannot agree to it too" in first.locator(".problem").inner_text()
    second = person("pit_manager", java_script_enabled=False)
    second.goto(f"/pit/{at.name}")
    second.get_by_role("button", name="Agree").click()
    assert "Nothing waits." in second.locator("main").inner_text()
    assert "Cards" in second.locator("main").inner_text()


PAGES = (
    "",
    "/-staff",
    "/-inbox",
    "/-report",
    "/TABLE",
    "/TABLE/corrections",
    "/TABLE/corrections/1",
    "/TABLE/set-up",
    "/TABLE/set-up/copy",
    "/TABLE/report",
)


@pytest.mark.parametrize("path", PAGES)
def test_nothing_serious_is_found_on_the_pits_pages(person: Person, house: Served, path: str) -> None:
    at = Dealt(house, "axe-pit" + path.lower().replace("/", "-"))
    seated(at, lou=1)
    played(at, "7S 2D KH 3C 4D", lou=(1, "player", "100"))
    at.dealer("open_bets")
    house.ask(at.name, "pit_supervisor", "correct_round", round=1, player="7S KH", banker="2D 3C")
    page = person("pit_manager", viewport={"width": 360, "height": 740})
    sent: list[int] = []
    page.on("requestfinished", lambda request: sent.append(request.sizes()["responseBodySize"]))
    query = "?player=7S+KH&banker=2D+3C" if path.endswith("1") else ""
    asked = PageRequests(page)
    page.goto(f"/pit{path.replace('TABLE', at.name)}{query}")
    asked.all_answered()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = [each for each in violations(page) if "(serious)" in each or "(critical)" in each]
    assert not found, "\n".join(found)
    assert sum(sent) < LARGEST


def test_the_pit_in_chinese_and_for_the_pit_alone(person: Person, house: Served) -> None:
    at = Dealt(house, "pit-zhongwen")
    page = person("pit_supervisor", locale="zh-CN")
    page.goto(f"/pit/{at.name}")
    assert "等待第二人批准" in page.locator("main").inner_text()
    for role in ("player", "auditor", "administrator"):
        other = person(role)
        answer = other.goto("/pit")
        assert answer is not None
        assert answer.status == 403
        assert other.request.get(f"/pit/{at.name}/report.csv").status == 403
