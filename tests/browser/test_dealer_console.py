"""The dealer's console in Chromium: what a hurried hand must not do, and what it needs at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Person
from browser.test_dealing import desk, next_is, scan
from support.answered import A_TURN, PageRequests
from support.browser_table import Dealt
from support.contrast import hard_to_read
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

COUNT_KEYS = "() => { window.keys = 0; addEventListener('keydown', () => window.keys++, true) }"
NATURAL = "8S KD KH QC"
WINDOW = "QS 3D 6H AC"
"""Four cards after which Insurance on the Player is offered."""


def dealt(house: Served, name: str, *bets: tuple[int, str, str], **setup: Any) -> Dealt:
    """A table with bets on the felt, each by a player of its own at a box, and the betting open."""
    at = Dealt(house, name, **setup)
    for box, _, _ in bets:
        at.dealer("take_seat", player=f"{name}-{box}", box=box)
    at.dealer("open_bets")
    for box, bet, stake in bets:
        at.dealer("place_bet", player=f"{name}-{box}", box=box, bet=bet, stake=stake)
    return at


def round_of(house: Served, at: Dealt) -> dict[str, Any]:
    """The round as the house has it."""
    with house.client("dealer") as client:
        found: dict[str, Any] = client.get(f"/api/tables/{at.name}").json()["round"]
    return found


def paid(page: Page) -> list[str]:
    """The lines of the pay list that can be seen."""
    return page.locator("#pay-list tbody tr:visible").all_inner_texts()


@pytest.mark.parametrize("path", ["deal", "deal/wrong/swapped_hands", "deal/wrong/excess_cards"])
def test_every_button_can_be_read_under_the_hand(person: Person, house: Served, path: str) -> None:
    at = dealt(house, f"read-{path.replace('/', '-').replace('_', '-')}", (1, "player", "100"))
    at.deals("QS 3D")
    page = person("dealer", viewport={"width": 1440, "height": 900})
    asked = PageRequests(page)
    page.goto(f"/tables/{at.name}/{path}")
    asked.all_answered()
    assert not hard_to_read(page.locator("main :is(button, .button)"))


def test_two_presses_do_not_pay_a_round_and_open_the_next(person: Person, house: Served) -> None:
    at = dealt(house, "twice", (1, "player", "100"), (2, "banker", "1230"))
    at.deals(NATURAL)
    dealer = desk(person, at.name)
    next_is(dealer, "Pay and take")
    assert "Player wins 8 over 0, two cards" in dealer.locator(".winner").inner_text()
    dealer.keyboard.press("Space")
    dealer.locator("#pay-list[open]").wait_for()
    dealer.keyboard.press("Space")
    ticks = dealer.locator("#pay-list .tick")
    dealer.locator("#pay-list .tick:checked").wait_for()
    assert [tick.is_checked() for tick in ticks.all()] == [True, False]
    assert dealer.locator("#next kbd").inner_text() == "O", "the step itself has a key of its own meanwhile"
    assert round_of(house, at)["phase"] == "settled"
    # What is ticked stays so when the felt is drawn anew.
    at.dealer("take_seat", player="late", box=5)
    dealer.locator(".bets", has_text="late").wait_for()
    assert [tick.is_checked() for tick in ticks.all()] == [True, False]
    dealer.keyboard.press("Space")
    dealer.wait_for_function("() => document.querySelector('#next kbd').textContent === 'Space'")
    assert round_of(house, at)["phase"] == "settled"
    dealer.keyboard.press("Space")
    next_is(dealer, "No more Bets")


def test_presses_nobody_waits_between_pay_once_and_open_nothing(person: Person, house: Served) -> None:
    at = dealt(house, "hammered")
    at.deals(NATURAL)
    dealer = desk(person, at.name)
    next_is(dealer, "Pay and take")
    for _ in range(2):
        dealer.keyboard.press("Space")
    dealer.locator("#pay-list[open]").wait_for()
    dealer.evaluate(A_TURN)
    assert round_of(house, at)["phase"] == "settled"
    # By mouse: the second click of two is on what came in place of the first.
    dealer.locator("#next").hover()
    dealer.mouse.down(click_count=2)
    dealer.mouse.up(click_count=2)
    dealer.evaluate(A_TURN)
    assert round_of(house, at)["phase"] == "settled"
    # By a key on the button itself, which has the focus.
    dealer.locator("#next").press("Enter")
    dealer.locator("#pay-list .tick:checked").wait_for()
    assert round_of(house, at)["phase"] == "settled"


def test_the_last_pay_list_is_brought_back(person: Person, house: Served) -> None:
    at = dealt(house, "brought-back", (1, "banker", "100"), (2, "player", "1230"))
    at.deals(NATURAL)
    at.dealer("settle")
    dealer = desk(person, at.name)
    dealer.locator("#pay-list[open]").wait_for()
    lines = paid(dealer)
    assert "brought-back-2" in lines[1]
    assert "1,000 + 2 × 100 + 25 + 5" in lines[1], "the chips to pay with"
    assert re.search(r"take\s+100\s+.*pay\s+1,230", dealer.locator(".totals").inner_text().replace("\n", " "))
    dealer.keyboard.press("o")
    next_is(dealer, "No more Bets")
    assert paid(dealer) == []
    dealer.keyboard.press("l")
    dealer.locator("#pay-list[open]").wait_for()
    assert paid(dealer) == lines
    # It stays while bets come in, and goes when its key is pressed again.
    at.dealer("place_bet", player="brought-back-1", box=1, bet="banker", stake="50")
    dealer.locator(".bets", has_text="50").wait_for()
    assert paid(dealer) == lines
    dealer.keyboard.press("l")
    dealer.locator("#pay-list:not([open])").wait_for()
    # Where no script runs it is opened by a click.
    plain = person("dealer", java_script_enabled=False)
    plain.goto(f"/tables/{at.name}/deal")
    plain.locator("#pay-list summary").click()
    assert len(paid(plain)) == 2


@pytest.mark.parametrize(
    ("cards", "keystrokes"), [("8SKDKHQC", 12), ("2S2D2H2C2H3C", 16)], ids=["four cards", "six cards"]
)
def test_a_round_takes_few_keystrokes(
    person: Person, house: Served, cards: str, keystrokes: int, record_property: Any
) -> None:
    """From "Place your Bets" to a paid round. With an Enter after every card it takes 15 and 21."""
    at = Dealt(house, f"keystrokes-{keystrokes}")
    dealer = desk(person, at.name)
    next_is(dealer, "Place your Bets")
    dealer.evaluate(COUNT_KEYS)
    dealer.keyboard.press("o")
    next_is(dealer, "No more Bets")
    dealer.keyboard.press("c")
    next_is(dealer, "Deal to Player")
    dealer.wait_for_function("() => document.activeElement.id === 'card'")
    dealer.keyboard.type(cards.lower())
    dealer.keyboard.press("Enter")
    next_is(dealer, "Pay and take")
    dealer.keyboard.press("Enter")
    dealer.locator(".badge.settled").wait_for()
    pressed = dealer.evaluate("() => window.keys")
    record_property("keystrokes", pressed)
    assert pressed == keystrokes


def test_cards_of_one_line_wait_for_insurance(person: Person, house: Served) -> None:
    at = dealt(house, "one-line", (1, "player", "100"))
    at.dealer("close_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "Deal to Player")
    dealer.locator("#card").fill("qs3d 6h ac5d")
    dealer.keyboard.press("Enter")
    dealer.locator("#cards-wait", has_text="5D").wait_for()
    dealer.locator(".badge.insurance", has_text="Insurance").wait_for()
    assert "Close Insurance · Deal to Banker" in dealer.locator("#next").inner_text()
    hands = round_of(house, at)["hands"]
    assert (hands["player"]["cards"], hands["banker"]["cards"]) == (["QS", "6H"], ["3D", "AC"])
    # Backspace drops what waits; typed again after Insurance was offered it is dealt.
    dealer.locator("#card").focus()
    dealer.keyboard.press("Backspace")
    dealer.locator("#cards-wait").wait_for(state="hidden")
    dealer.keyboard.type("5d")
    dealer.keyboard.press("Enter")
    next_is(dealer, "Pay and take")
    assert round_of(house, at)["hands"]["banker"]["cards"] == ["3D", "AC", "5D"]


def test_what_waits_is_dealt_by_enter(person: Person, house: Served) -> None:
    at = dealt(house, "waits", (1, "player", "100"))
    at.dealer("close_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "Deal to Player")
    scan(dealer, f"{WINDOW} 5D")
    dealer.locator("#cards-wait", has_text="5D").wait_for()
    dealer.locator("#card").press("Enter")
    next_is(dealer, "Pay and take")
    dealer.locator("#cards-wait").wait_for(state="hidden")


def test_a_card_whose_answer_was_lost_is_dealt_once(person: Person, house: Served) -> None:
    at = dealt(house, "lost-answer", (1, "player", "100"))
    at.dealer("close_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "Deal to Player")

    def lose(route: Route) -> None:
        """The table takes the fourth card; what it says to that never comes."""
        if "card=ac" not in (route.request.post_data or ""):
            return route.continue_()
        route.fetch()
        return route.abort()

    dealer.route("**/deal", lose)
    dealer.locator("#card").fill("qs3d 6h ac5d")
    dealer.keyboard.press("Enter")
    expect(dealer.locator("#card")).to_have_value("ac 5d")
    dealer.unroute("**/deal")
    dealer.locator(".badge.insurance").wait_for()
    dealer.locator("#card").press("Enter")
    dealer.locator("#cards-wait", has_text="5D").wait_for()
    hands = round_of(house, at)["hands"]
    assert (hands["player"]["cards"], hands["banker"]["cards"]) == (["QS", "6H"], ["3D", "AC"])
    dealer.locator("#card").press("Enter")
    next_is(dealer, "Pay and take")
    assert round_of(house, at)["hands"]["banker"]["cards"] == ["3D", "AC", "5D"]


def test_a_held_enter_in_the_card_field_presses_once(person: Person, house: Served) -> None:
    at = dealt(house, "held", (1, "player", "100"), (2, "banker", "1230"))
    at.deals(NATURAL)
    dealer = desk(person, at.name)
    next_is(dealer, "Pay and take")
    dealer.locator("#card").focus()
    dealer.keyboard.down("Enter")
    dealer.locator("#pay-list[open]").wait_for()
    # Down again without an up between: the browser says that it repeats.
    for _ in range(3):
        dealer.keyboard.down("Enter")
        dealer.evaluate(A_TURN)
    dealer.keyboard.up("Enter")
    expect(dealer.locator("#pay-list .tick:checked")).to_have_count(0)
    assert round_of(house, at)["phase"] == "settled"


def test_a_held_enter_on_the_button_does_not_walk_the_round(person: Person, house: Served) -> None:
    at = dealt(house, "held-long", shoe="virtual")
    at.dealer("close_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "Deal to Player")
    dealer.locator("#next").focus()
    dealer.keyboard.down("Enter")
    next_is(dealer, "Deal to Banker")
    dealer.locator("#next").focus()
    for _ in range(3):
        dealer.keyboard.down("Enter")
        dealer.evaluate(A_TURN)
    dealer.keyboard.up("Enter")
    hands = round_of(house, at)["hands"]
    assert (len(hands["player"]["cards"]), len(hands["banker"]["cards"])) == (1, 0)


FELT_STAYS_OLD = """() => {
  const felt = document.querySelector('[data-live$="/felt"]');
  const turnBack = () => {
    document.getElementById("pay-list")?.remove();
    if (felt.dataset.version !== "1") felt.dataset.version = "1";
  };
  turnBack();
  new MutationObserver(turnBack).observe(felt, { attributes: true, childList: true, subtree: true });
}"""
"""The felt of the moment before is shown, whatever is still on its way to the page."""


def test_a_key_on_the_button_waits_for_the_pay_list(person: Person, house: Served) -> None:
    at = dealt(house, "old-felt", (1, "player", "100"))
    at.deals(NATURAL)
    dealer = desk(person, at.name)
    next_is(dealer, "Pay and take")
    dealer.locator("#next").press("Space")
    dealer.locator("#pay-list[open]").wait_for()
    dealer.evaluate(FELT_STAYS_OLD)
    dealer.locator("#next").press("Space")
    dealer.evaluate(A_TURN)
    assert round_of(house, at)["phase"] == "settled"


def test_space_goes_on_after_a_tick_by_mouse(person: Person, house: Served) -> None:
    at = dealt(house, "by-mouse", (1, "player", "100"), (2, "banker", "1230"))
    at.deals(NATURAL)
    dealer = desk(person, at.name)
    next_is(dealer, "Pay and take")
    dealer.keyboard.press("Space")
    ticks = dealer.locator("#pay-list .tick")
    ticks.first.click()
    dealer.keyboard.press("Space")
    expect(ticks.nth(1)).to_be_checked()
    expect(ticks.first).to_be_checked()
    # By keyboard alone the tick that has the focus is the one meant.
    ticks.first.focus()
    dealer.keyboard.press("Space")
    expect(ticks.first).not_to_be_checked()


def test_enter_that_ends_a_chinese_word_chooses_nothing(person: Person, house: Served) -> None:
    at = dealt(house, "composing")
    page = person("dealer")
    page.goto(f"/tables/{at.name}/deal/wrong")
    page.locator("#find").wait_for()
    page.evaluate(
        "() => document.getElementById('find').dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true}))"
    )
    page.evaluate(A_TURN)
    assert page.url.endswith("/deal/wrong")


def test_cards_run_on_where_nobody_may_insure(person: Person, house: Served) -> None:
    at = dealt(house, "runs-on", (1, "tie", "100"))
    at.dealer("close_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "Deal to Player")
    dealer.locator("#card").fill(f"{WINDOW} 5D")
    dealer.keyboard.press("Enter")
    next_is(dealer, "Pay and take")


def test_a_mistyped_card_is_put_right_by_one_key(person: Person, house: Served) -> None:
    at = Dealt(house, "mistyped")
    at.dealer("open_bets")
    at.deals("QS 3D")
    dealer = desk(person, at.name)
    next_is(dealer, "Deal to Player")
    dealer.locator("#card").focus()
    dealer.keyboard.press("Backspace")
    dealer.wait_for_function("() => document.activeElement.id === 'slip'")
    assert dealer.locator("#slip").input_value() == "3D", "it is filled in with the card as it stands"
    dealer.keyboard.type("8d")
    dealer.keyboard.press("Enter")
    dealer.locator(".last-card", has_text="8♦").wait_for()
    dealer.wait_for_function("() => document.activeElement.id === 'card'")
    assert round_of(house, at)["hands"]["banker"]["cards"] == ["8D"]


def test_the_felt_is_the_table_and_nothing_on_it_moves(person: Person, house: Served) -> None:
    names = ["9", "8", "7", "6", "5", "3"]
    at = Dealt(house, "mirrored", box_names=names)
    dealer = desk(person, at.name, viewport={"width": 1440, "height": 900})
    boxes = "() => [...document.querySelectorAll('.bets tbody tr')].map(row => row.cells[0].textContent)"
    assert dealer.evaluate(boxes) == names
    drawn = [text for text in dealer.locator(".felt svg text").all_text_contents() if text in names]
    assert drawn == names
    places = """() => ['.felt svg', '.bets tbody tr:nth-child(6)', '.bet-form', '#next'].map(part => {
        const box = document.querySelector(part).getBoundingClientRect();
        return [part, box.x, box.y, box.width, box.height];
    })"""
    before = dealer.evaluate(places)
    at.dealer("take_seat", player="sitting", box=6)
    dealer.locator(".bets tr", has_text="sitting").wait_for()
    assert dealer.evaluate(places) == before
    assert "sitting" in (dealer.locator(".felt svg").text_content() or ""), (
        "whoever sits is shown without a bet"
    )
    row = dealer.locator(".bets tbody tr").nth(5).inner_text()
    assert re.search(r"^3\s+.*sitting", row.replace("\n", " "))


def test_a_bet_goes_by_the_box_and_a_name_nobody_has_is_asked_about(person: Person, house: Served) -> None:
    at = Dealt(house, "by-box")
    at.dealer("take_seat", player="lena", box=3)
    at.dealer("open_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "No more Bets")
    dealer.keyboard.press("b")
    dealer.keyboard.type("3")
    assert dealer.locator(".bet-form [name=player]").get_attribute("placeholder") == "lena"
    for typed in ("", "", "Banker", "80"):
        dealer.keyboard.type(typed)
        dealer.keyboard.press("Tab")
    dealer.locator(".bet-form [name=stake]").press("Enter")
    dealer.locator(".bets tr", has_text="lena").filter(has_text="80").wait_for()
    # A slip of the finger makes nobody a player.
    form = dealer.locator(".bet-form")
    form.locator("[name=player]").fill("lenna")
    form.locator("[name=stake]").fill("50")
    form.locator("[name=stake]").press("Enter")
    form.locator(".spot", has_text="There is nobody called lenna here. Add them as a new player?").wait_for()
    # The next key mends the name.
    dealer.wait_for_function("() => document.activeElement.matches('.bet-form [name=player]')")
    assert form.locator(".add-new").is_visible()
    dealer.keyboard.press("Enter")
    dealer.evaluate(A_TURN)
    assert {bet["player"] for bet in round_of(house, at)["bets"]} == {"lena"}
    form.locator("[name=player]").fill("lena")
    assert not form.locator(".add-new").is_visible()
    form.locator("[name=player]").fill("omar")
    form.locator("[name=stake]").press("Enter")
    form.locator(".add-new").click()
    dealer.locator(".bets tr", has_text="omar").filter(has_text="50").wait_for()
    assert {bet["player"] for bet in round_of(house, at)["bets"]} == {"lena", "omar"}
    completed = dealer.locator("#people option").evaluate_all("them => them.map(each => each.value)")
    assert completed == ["lena", "omar"]


def test_enter_in_what_a_new_player_buys_in_for_adds_them(person: Person, house: Served) -> None:
    at = Dealt(house, "buys-in")
    at.dealer("open_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "No more Bets")
    form = dealer.locator(".bet-form")
    for name, typed in (("box", "2"), ("player", "hua"), ("stake", "300")):
        form.locator(f"[name={name}]").fill(typed)
    form.locator("[name=stake]").press("Enter")
    asked = form.locator(".spot", has_text="There is nobody called hua here. Add them as a new player?")
    asked.wait_for()
    bought = form.locator("[name=buy_in]")
    # The question stands above its answers.
    assert (
        asked.evaluate("(spot, answer) => spot.compareDocumentPosition(answer)", bought.element_handle()) == 4
    )
    bought.fill("5000")
    bought.press("Enter")
    dealer.locator(".bets tr", has_text="hua").filter(has_text="300").wait_for()
    assert asked.count() == 0
    with house.client("auditor") as client:
        assert "hua brings 5,000.00 to the table." in client.get(f"/audit/{at.name}/rounds/1").text


def test_a_round_that_is_held_up_can_be_read(person: Person, house: Served) -> None:
    at = dealt(house, "held-up", (1, "tie", "50"))
    at.deals("2S")
    at.dealer("deal_card", card="3D", to="player")
    dealer = desk(person, at.name)
    dealer.locator(".next .alarm", has_text="Cards lie where the rules did not send them.").wait_for()
    assert not hard_to_read(dealer.locator(".next :is(strong, .badge, .shoe, .alarm, #next)"))
    # The notice of a stop has links, on its own light ground.
    with house.client("pit_manager") as client:
        client.post("/api/stops", json={"table": at.name, "reason": "smoke"}).raise_for_status()
    dealer.locator(".stopped", has_text="smoke").wait_for()
    assert not hard_to_read(dealer.locator(".stopped :is(strong, a)"))


def test_the_box_names_who_the_bet_is_for_and_the_bet_is_said(person: Person, house: Served) -> None:
    at = Dealt(house, "box-names")
    at.dealer("take_seat", player="Mr Tan", box=1)
    at.dealer("take_seat", player="Mrs Lim", box=2)
    at.dealer("open_bets")
    dealer = desk(person, at.name)
    next_is(dealer, "No more Bets")
    form = dealer.locator(".bet-form")
    form.locator("[name=box]").fill("2")
    form.locator("[name=player]").fill("Mrs Lim")
    form.locator("[name=box]").fill("1")
    assert form.locator("[name=player]").input_value() == "Mr Tan"
    bet = form.locator("[name=bet]")
    for typed, chosen in (("B", "banker"), ("P", "player"), ("t", "tie"), ("p", "player")):
        bet.press(typed)
        assert bet.input_value() == chosen
    form.locator("[name=stake]").fill("100")
    form.locator("[name=stake]").press("Enter")
    form.locator(".placed", has_text="Placed: box 1, Mr Tan, Player 100").wait_for()
    assert [(bet["player"], bet["box"]) for bet in round_of(house, at)["bets"]] == [("Mr Tan", 1)]


def test_at_a_closed_table_nothing_is_dealt_and_nobody_bets(person: Person, house: Served) -> None:
    at = Dealt(house, "closed-by-pit")
    dealer = desk(person, at.name)
    next_is(dealer, "Place your Bets")
    house.ask(at.name, "pit_manager", "close_table", reason="the night is over")
    dealer.locator(".closed-by-pit", has_text="Closed by the pit").wait_for()
    assert dealer.locator("#next").count() == 0
    assert dealer.locator("#card").is_disabled()
    assert dealer.locator(".bet-form [name=stake]").is_disabled()
    house.ask(at.name, "pit_manager", "open_table")
    dealer.wait_for_function("() => !document.querySelector('#card').disabled")


def test_a_new_name_is_asked_about_without_scripts_too(person: Person, house: Served) -> None:
    at = Dealt(house, "asked-plainly")
    page = person("dealer", java_script_enabled=False)
    page.goto(f"/tables/{at.name}/deal")
    page.fill(".bet-form [name=box]", "2")
    page.fill(".bet-form [name=player]", "olga")
    page.get_by_role("button", name="Seat the player").click()
    assert "There is nobody called olga here." in page.locator(".problem").inner_text()
    assert page.input_value(".bet-form [name=player]") == "olga"
    page.get_by_role("button", name="Add them as a new player").click()
    assert "olga" in page.locator(".bets").inner_text()


def test_insurance_is_called_so_and_filled_in_for_its_hand(person: Person, house: Served) -> None:
    at = dealt(house, "so-called", (1, "banker", "100"))
    dealer = desk(person, at.name)
    next_is(dealer, "No more Bets")
    dealer.keyboard.press("c")
    next_is(dealer, "Deal to Player")
    scan(dealer, "2S 9D 2H 6C")  # Player 4 and Banker 5: the Banker is insured against the third card
    dealer.locator(".lammer-out").wait_for()
    hand = dealer.locator(".lammer-out").get_attribute("data-hand")
    assert dealer.locator(".insure-form [name=hand]").input_value() == hand == "banker"
    assert dealer.locator(".badge.insurance").inner_text() == "Insurance"
    assert "Close Insurance" in dealer.locator("#next").inner_text()


def test_a_search_never_leaves_a_blank_page(person: Person, house: Served) -> None:
    at = Dealt(house, "searched")
    dealer = person("dealer")
    dealer.goto(f"/tables/{at.name}/deal/wrong")
    listed = dealer.locator(".happened li:visible").count()
    for word in ("pay", "overpaid", "typed", "misread", "dropped", "flipped"):
        dealer.fill("#find", word)
        dealer.locator("#found-none").wait_for(state="hidden")
        assert 0 < dealer.locator(".happened li:visible").count() < listed, word
    dealer.fill("#find", "unicorn")
    dealer.get_by_text("Nothing is called that. All of them are listed.").wait_for()
    assert dealer.locator(".happened li:visible").count() == listed
    dealer.locator("#find").press("Enter")
    dealer.evaluate(A_TURN)
    assert dealer.url.endswith("/wrong"), "what fits nothing chooses nothing"
    dealer.fill("#find", "mistyped")
    dealer.locator("#find").press("Enter")
    dealer.wait_for_url("**/wrong/card_recorded_wrongly")
    dealer.wait_for_function("() => document.activeElement.name === 'round'")


def test_a_label_beside_a_box_to_tick_is_one_line(person: Person, house: Served) -> None:
    at = dealt(house, "one-label", (1, "player", "100"))
    at.deals("QS")
    page = person("dealer", viewport={"width": 1440, "height": 900})
    page.goto(f"/tables/{at.name}/deal/wrong/simultaneous_cards")
    for label in page.locator(".fields .check").all():
        box = label.bounding_box()
        assert box is not None
        assert box["height"] < 50


def test_how_long_betting_is_open_is_shown(person: Person, house: Served) -> None:
    at = Dealt(house, "timed")
    dealer = desk(person, at.name)
    next_is(dealer, "Place your Bets")
    assert dealer.locator(".timer").count() == 0
    dealer.keyboard.press("o")
    dealer.locator(".timer", has_text=re.compile(r"\d:\d\d")).wait_for()
    dealer.wait_for_function("() => document.querySelector('[data-since]').textContent >= '0:01'")
    dealer.keyboard.press("c")
    next_is(dealer, "Deal to Player")
    assert dealer.locator(".timer").count() == 0
