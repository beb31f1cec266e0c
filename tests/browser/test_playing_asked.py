"""What a player is asked: Insurance, options after a dealing error, the squeeze; what they are not shown."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from browser.conftest import Person
from browser.test_playing import Picture
from lammer import rulebook
from lammer.floor.views.insurance_chances import worth_of
from support.browser_table import BOOK, Dealt, bet, in_lobby, sit, told_at_the_spot, wait_for
from support.served import Served


def test_insurance_is_offered_with_odds_limit_chance_and_cost(
    person: Person, house: Served, picture: Picture
) -> None:
    at = Dealt(house, "insuring")
    page = person("player", "insurer")
    sit(page, at.name)
    at.opens(page)
    assert "The dealer closes the betting." in page.locator(".clock").inner_text()
    bet(page, "player", 100)
    at.deals("QS 3D 6H AC")
    wait_for(page, "insurance")
    offer = page.locator(".lammer").inner_text()
    worth = worth_of(rulebook(BOOK), ("QS", "6H"), ("3D", "AC"), 8)["player"]
    assert "5:2" in offer
    assert "4.1.14" in offer
    assert f"{float(worth.won) * 100:.2f} %" in offer
    assert f"{worth.won.numerator:,}/{worth.won.denominator:,}" in offer
    assert f"{float(-worth.worth) * 100:.2f} in 100" in offer
    assert "full decks less the cards" in offer
    page.evaluate("scrollTo(0, 0)")
    picture(page, "table-insurance")
    page.get_by_role("button", name="Insure for 50").click()
    page.wait_for_selector(".insured")
    assert "at 5:2 for 50" in page.locator(".insured").inner_text()
    at.cards("5D")
    at.settles(page)
    told = page.locator(".came-to").inner_text()
    assert "Banker wins 9 to 6." in told
    assert "Your 50 on Insurance on Player won 125 at 5:2." in told
    assert re.search(r"Together\s+\+25", told), told


def test_a_table_set_up_without_chances_says_so_and_shows_none(person: Person, house: Served) -> None:
    at = Dealt(house, "no-chances", exact_chances=False)
    page = person("player", "uninformed")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    at.deals("QS 3D 6H AC")
    wait_for(page, "insurance")
    offer = page.locator(".lammer").inner_text()
    assert "5:2" in offer
    assert "wins 125" in offer
    assert "nobody is shown the exact chances" in offer
    assert "%" not in offer
    assert "in 100" not in offer
    # The switch is in the set-up, as it stands.
    pit = person("pit_manager")
    pit.goto(f"/pit/{at.name}/set-up")
    assert not pit.get_by_label("Players see the exact chances beside Insurance").is_checked()


@pytest.mark.parametrize(
    "cards", [("QS", "6H", "3D", "AC"), ("2S", "5H", "TD", "5C"), ("9S", "KH", "2D", "4C")]
)
def test_the_chance_of_insurance_is_that_of_the_hand_losing(cards: tuple[str, str, str, str]) -> None:
    from lammer.game.cards import Card
    from lammer.lab.exact.composition import Composition
    from lammer.lab.exact.odds import mid_round_odds

    book = rulebook(BOOK)
    order = [Card(cards[0]), Card(cards[2]), Card(cards[1]), Card(cards[3])]
    bets = {each.bet: each for each in mid_round_odds(book, order, Composition.of_decks(8)).bets}
    for hand, worth in worth_of(book, cards[:2], cards[2:], 8).items():
        assert worth.won in (bets[hand].lost, bets[hand].lost + bets[hand].returned)
        assert worth.won + worth.lost + worth.returned == Fraction(1)


def test_the_options_after_a_dealing_error_are_a_plain_choice(person: Person, house: Served) -> None:
    at = Dealt(house, "erring")
    page = person("player", "chooser")
    sit(page, at.name)
    at.opens(page)
    bet(page, "banker", 100)
    at.deals("2S 3D")
    at.dealer("note_dealing_error", what="the shoe fell over")
    wait_for(page, "reported")
    house.ask(at.name, "pit_supervisor", "confirm_error", confirmed=True)
    wait_for(page, "options")
    assert re.search(r"Go on .* or take your bets", page.locator(".prompt").inner_text())
    page.get_by_role("button", name="Take my bets back").click()
    page.wait_for_selector('#bet-banker[data-stake="0"]')
    assert page.locator("#balance").inner_text() == "1,000.00"
    assert page.locator("#purse").inner_text() == "9,000.00"


def test_a_card_face_down_is_nowhere_on_the_page_and_is_squeezed_open_by_drag(
    person: Person, house: Served, picture: Picture
) -> None:
    at = Dealt(house, "squeezing", face_down=True)
    page = person("player", "squeezer")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    # A squeeze is asked for before the cards it is for are dealt.
    at.dealer("close_bets")
    page.get_by_role("button", name="Ask to squeeze").click()
    page.wait_for_selector("text=the House has not answered yet")
    house.ask(at.name, "pit_supervisor", "answer_squeeze", consent=True)
    at.cards("9S 2D 7H 4C")
    page.wait_for_selector('[data-card="banker-2"][data-down]')
    source = page.content()
    assert not any(name in source for name in ("9 of spades", "2 of diamonds", "7 of hearts", "4 of clubs"))
    card = page.wait_for_selector("#open-player-1")
    assert card is not None
    place = card.bounding_box()
    assert place is not None
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] - 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - place["height"] * 0.2, steps=4)
    assert "9 of spades" not in page.content()
    page.mouse.move(x, y - place["height"] * 0.5, steps=6)
    page.wait_for_selector(".squeezable .face")
    page.evaluate("scrollTo(0, 0)")
    picture(page, "table-squeeze")
    page.mouse.up()
    page.wait_for_selector('[data-card="player-1"]:not([data-down])')
    assert "9 of spades" in page.content()
    # The keyboard opens the next.
    page.locator("#open-player-2").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-card="player-2"]:not([data-down])')


def test_a_standing_player_bets_behind_a_seated_one(person: Person, house: Served) -> None:
    at = Dealt(house, "standing")
    seated, behind = person("player", "seated"), person("player", "behind")
    box = sit(seated, at.name)
    in_lobby(behind, at.name)
    behind.locator(f'a[href="/tables/{at.name}?box={box}"]').click()
    behind.wait_for_selector("#bet-banker")
    assert "you stand behind its player" in behind.locator("#box-title").inner_text()
    at.opens(behind)
    behind.locator("#bet-banker").click()
    told_at_the_spot(behind, "has not bet yet")
    wait_for(seated, "betting")
    bet(seated, "player", 100)
    behind.wait_for_selector("#bet-player .pile small")
    bet(behind, "banker", 25)
    # Each sees the other's chips on the felt, whose they are not, and nobody's money but their own.
    seated.locator(".felt-picture", has_text=f"Box {box}, Banker: 25").wait_for()
    assert "behind" not in seated.locator(".felt-picture").inner_text()
    assert seated.locator("#balance").inner_text() == "900.00"
    assert behind.locator("#balance").inner_text() == "975.00"
    # What came along with the bet can be taken away again, and other chips brought.
    seated.locator("#take").click()
    seated.locator("#purse", has_text="9,900.00").wait_for()
    assert seated.locator("#balance").inner_text() == "0.00"
    seated.locator("#bring").click()
    seated.locator("#purse", has_text="9,900.00").wait_for(state="hidden")
    assert seated.locator("#balance").inner_text() != "0.00"
    assert behind.locator("#purse").inner_text() == "9,000.00"


def test_a_table_that_is_not_set_up_and_one_that_is_not_there_say_so(person: Person, house: Served) -> None:
    with house.client("administrator") as client:
        client.post("/api/tables", json={"table": "bare", "title": "Bare"}).raise_for_status()
    page = person("player", "early")
    page.goto("/tables/bare")
    assert "not set up yet" in page.locator("main").inner_text()
    in_lobby(page, "bare")
    assert "not set up yet" in page.locator("#table-bare").inner_text()
    answer = page.goto("/tables/nowhere")
    assert answer is not None
    assert answer.status == 404
    assert "There is no table" in page.locator(".problem").inner_text()
    answer = page.goto("/tables/bare/history/9")
    assert answer is not None
    assert answer.status == 404


def test_staff_may_watch_and_not_bet(person: Person, house: Served) -> None:
    page = person("pit_supervisor")
    page.goto("/tables/tiger-buffalo-1")
    assert page.locator("#bets").count() == 0
    assert "You are watching" in page.locator(".watch").inner_text()
