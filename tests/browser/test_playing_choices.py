"""What a player chooses and is told: amounts, keys, Insurance, refusals, paragraphs; nobody else's name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Person
from support.answered import A_TURN
from support.axe import violations
from support.browser_table import (
    BOOK,
    Dealt,
    bet,
    choose,
    in_lobby,
    sit,
    stake_on,
    told_at_the_spot,
    wait_for,
)
from support.served import COOKIE, Served

if TYPE_CHECKING:
    from playwright.sync_api import Page


def amount_of(page: Page, text: str) -> int:
    """An amount as the page writes it, in cents."""
    return round(float(text.replace(",", "").replace("−", "-")) * 100)


def owned(page: Page) -> tuple[int, int]:
    """What the page says somebody has in front of them, and on the felt; in cents."""
    balance, felt = (page.locator(f"#{name}").inner_text() for name in ("balance", "on-felt"))
    return amount_of(page, balance), amount_of(page, felt)


MONEY = {"on-felt": "125,000", "balance": "1,234,567.00", "won": "−234,567", "purse": "7,654,321.00"}
FILL = "money => { for (const id in money) document.getElementById(id).textContent = money[id] }"
# Which of these do not lie in the bar at the top, or lie under something else there.
OUTSIDE_STATUS = """(ids) => {
  const bar = document.querySelector(".status").getBoundingClientRect();
  return ids.filter((id) => {
    const it = document.getElementById(id);
    const { left, top, right, bottom } = it.getBoundingClientRect();
    const inside = left >= bar.left && right <= bar.right && top >= bar.top && bottom <= bar.bottom + 1;
    const seen = (x) => document.elementFromPoint(x, (top + bottom) / 2) === it;
    return !inside || !seen(left + 2) || !seen(right - 2);
  });
}"""


def test_choosing_a_chip_clears_the_other_amount_and_what_goes_down_is_always_said(
    person: Person, house: Served
) -> None:
    at = Dealt(house, "amounts")
    page = person("player", "amounter")
    sit(page, at.name)
    at.opens(page)
    said = page.locator("#amount")
    choose(page, 100)
    assert said.inner_text() == "Each press puts down 100"
    page.locator('input[name="other"]').fill("1030.5")
    assert said.inner_text() == "Each press puts down 1,030.50"
    page.locator('input[name="other"]').fill("thirty")
    assert said.inner_text() == "This is no amount."
    page.locator('input[name="other"]').fill("30")
    page.locator("#bet-banker").click()
    page.wait_for_selector('#bet-banker[data-stake="3000"]')
    # The chip that was chosen before is chosen again by a press.
    page.locator('label.chip:has(input[value="100"])').click()
    assert page.locator('input[name="other"]').input_value() == ""
    assert said.inner_text() == "Each press puts down 100"
    page.locator("#bet-banker").click()
    page.wait_for_selector('#bet-banker[data-stake="13000"]')


def test_balance_and_felt_are_what_the_player_owns_through_a_round(person: Person, house: Served) -> None:
    at = Dealt(house, "owning")
    page = person("player", "owner")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    assert owned(page) == (900_00, 100_00)
    bet(page, "tie", 50)
    assert owned(page) == (850_00, 150_00)
    at.deals("QS 3D 6H AC")
    wait_for(page, "insurance")
    page.get_by_role("button", name="Insure for 50").click()
    page.wait_for_selector(".insured")
    assert owned(page) == (800_00, 200_00)
    at.cards("5D")
    at.settles(page)
    # Player and Tie lost 150, Insurance won 125.
    assert owned(page) == (975_00, 0)
    assert page.locator("#won").inner_text() == "−25"
    at.opens(page)
    assert owned(page) == (975_00, 0)
    bet(page, "banker", 100)
    assert owned(page) == (875_00, 100_00)
    at.dealer("close_bets")
    house.ask(at.name, "pit_supervisor", "void_round", cause="foreign_card")
    wait_for(page, "void")
    assert owned(page) == (975_00, 0)
    assert page.locator("#won").inner_text() == "−25"
    # Another visit counts from its own beginning.
    again = person("player", "owner")
    again.goto(f"/tables/{at.name}")
    assert again.locator(".session").inner_text().split() == ["This", "session", "0"]
    # Whoever signs in in the same window after them counts for themselves.
    again.context.add_cookies(
        [{"name": COOKIE, "value": house.token("player", "next"), "url": house.address}]
    )
    again.goto(f"/tables/{at.name}")
    assert again.locator(".session").inner_text().split() == ["This", "session", "0"]


def test_double_puts_the_same_on_every_bet_again(person: Person, house: Served) -> None:
    at = Dealt(house, "doubling")
    page = person("player", "doubler")
    sit(page, at.name)
    at.opens(page)
    page.locator("#double").click()
    assert "You have no bet in this round." in told_at_the_spot(page, "no bet")
    bet(page, "player", 100)
    bet(page, "tie", 25)
    page.locator("#double").click()
    page.wait_for_selector('#bet-player[data-stake="20000"]')
    page.wait_for_selector('#bet-tie[data-stake="5000"]')


def test_keys_do_what_buttons_do_and_nothing_while_somebody_types(person: Person, house: Served) -> None:
    at = Dealt(house, "keyed")
    page = person("player", "keyer")
    sit(page, at.name)
    at.opens(page)
    keys = page.keyboard
    chips = [label.strip() for label in page.locator(".chip").all_inner_texts()]
    for number, label in enumerate(chips, 1):
        keys.press(str(number))
        assert page.locator("#amount").inner_text() == f"Each press puts down {label}"
    worth = 100
    keys.press(str(chips.index("100") + 1))
    for key, name in (("b", "banker"), ("P", "player"), ("t", "tie")):
        keys.press(key)
        page.wait_for_selector(f'#bet-{name}[data-stake="{worth * 100}"]')
    keys.press("d")
    page.wait_for_selector('#bet-tie[data-stake="20000"]')
    keys.press("u")
    page.wait_for_selector('#bet-tie[data-stake="10000"]')
    page.locator('input[name="other"]').focus()
    page.on("request", lambda request: pytest.fail("a key bet") if request.method == "POST" else None)
    keys.type("bpturd1")
    page.evaluate(A_TURN)
    assert page.locator('input[name="other"]').input_value() == "bpturd1"


def test_the_keys_are_written_on_what_they_press_and_in_a_legend(person: Person, house: Served) -> None:
    at = Dealt(house, "legend")
    page = person("player", "legender")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    for key, place in (("B", "#bet-banker"), ("P", "#bet-player"), ("T", "#bet-tie"), ("U", "#undo")):
        assert page.locator(place).get_attribute("aria-keyshortcuts") == key
    for key, place in (("R", "#rebet"), ("D", "#double"), ("3", ".chip:nth-of-type(3) input")):
        assert page.locator(place).get_attribute("aria-keyshortcuts") == key
    legend = page.locator(".keys").inner_text()
    assert re.search(r"B P T\s*Bet", legend)
    # Insurance has a key for the most and one for none.
    at.deals("QS 3D 6H AC")
    wait_for(page, "insurance")
    page.keyboard.press("i")
    page.wait_for_selector(".insured")
    assert page.locator(".no-insurance").inner_text().startswith("You have insured all that may be insured.")


def test_the_second_tab_leads_to_the_bets(person: Person, house: Served) -> None:
    at = Dealt(house, "skipping")
    page = person("player", "skipper")
    sit(page, at.name)
    at.opens(page)
    page.goto(f"/tables/{at.name}")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#bet-banker"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "bet-banker"


def test_insurance_offers_chips_names_the_chosen_one_and_takes_a_no(person: Person, house: Served) -> None:
    at = Dealt(house, "declining")
    page = person("player", "decliner")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    choose(page, 25)
    at.deals("QS 3D 6H AC")
    wait_for(page, "insurance")
    offers = [re.sub(r"\s+", " ", text) for text in page.locator(".choices button").all_inner_texts()]
    stakes = [int(text.split()[2].replace(",", "")) for text in offers if text.startswith("Insure for")]
    rack = [int(label.replace(",", "")) for label in page.locator(".chip").all_inner_texts()]
    assert set(stakes[:-1]) <= set(rack)
    assert stakes == sorted(set(stakes))
    assert f"At most {stakes[-1]}" in re.sub(r"\s+", " ", page.locator(".odds-facts").inner_text())
    assert "With the chosen chip 25" in offers
    choose(page, 10)
    assert "With the chosen chip 10" in [
        re.sub(r"\s+", " ", text) for text in page.locator(".choices button").all_inner_texts()
    ]
    assert not violations(page)
    page.get_by_role("button", name="No Insurance").click()
    page.locator(".answered", has_text="You said no.").wait_for()
    # They may change their mind while the window is open.
    page.get_by_role("button", name="Insure for 10", exact=False).first.click()
    page.wait_for_selector(".insured")
    # What is insured stays so: the rest is declined, and no button looks like taking it back.
    assert page.get_by_role("button", name="No Insurance").count() == 0
    assert page.locator(".lammer .main").count() == 0
    # A chip above the most is not offered; typed, it is refused to the face of whoever typed it.
    choose(page, 1000 if 1000 in rack else rack[-1])
    chip = page.locator(".lammer [data-most]")
    assert chip.is_hidden()
    choose(page, 10)
    assert chip.is_visible()
    chip.evaluate("(it) => (it.value = it.value + '900')")
    chip.click()
    told_at_the_spot(page, "You bet 900: that is more Insurance than you may still bet.")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="wait for me").click()
    page.locator(".waits", has_text="The next card waits for you now.").wait_for()
    page.get_by_role("button", name="I will not insure after all").click()
    page.locator(".answered", has_text="Done: insured 10.").wait_for()


def test_insurance_is_offered_up_to_what_the_player_owns(person: Person, house: Served) -> None:
    at = Dealt(house, "all-in")
    page = person("player", "all-in")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 1000)
    for name, amount in (("banker", "5000"), ("tie", "3960")):
        page.locator('input[name="other"]').fill(amount)
        page.locator(f"#bet-{name}").click()
        page.wait_for_selector(f'#bet-{name}[data-stake="{amount}00"]')
    # 40 are left, and 1,000 could be insured.
    at.deals("QS 3D 6H AC")
    wait_for(page, "insurance")
    assert page.locator(".odds-facts").inner_text().endswith("1,000")
    offered = page.get_by_role("button", name="Insure for").all()
    assert [button.inner_text().split()[2] for button in offered] == ["10", "25", "40"]
    page.keyboard.press("I")
    page.wait_for_selector(".insured")
    assert page.locator(".insured").inner_text().endswith("for 40")
    page.locator(".lammer", has_text="You have no chips left to insure with.").wait_for()
    assert sum(owned(page)) + amount_of(page, page.locator("#purse").inner_text()) == 10_000_00


@pytest.mark.parametrize(
    ("width", "height"), [(390, 844), (844, 390), (1000, 700), (1280, 720), (1440, 900), (3840, 2160)]
)
def test_no_amount_of_money_is_cut_off(person: Person, house: Served, width: int, height: int) -> None:
    """However much somebody owns: what they have on the felt, here and in the purse can be read."""
    at = Dealt(house, f"rich-{width}")
    page = person("player", "rich", viewport={"width": width, "height": height})
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    for moment in ("betting", "insurance"):
        if moment == "insurance":
            at.deals("QS 3D 6H AC")
            wait_for(page, "insurance")
        page.evaluate(FILL, MONEY)
        page.evaluate("scrollTo(0, 0)")
        outside = page.evaluate(OUTSIDE_STATUS, list(MONEY))
        assert outside == [], moment


@pytest.mark.parametrize(
    ("bets", "why"),
    [((), "Only bets on Player can be insured now"), (("banker",), "Only bets on Player can be insured now")],
)
def test_whoever_cannot_insure_is_told_why(
    person: Person, house: Served, bets: tuple[str, ...], why: str
) -> None:
    at = Dealt(house, f"cannot-insure-{len(bets)}")
    page = person("player", f"cannot-{len(bets)}")
    sit(page, at.name)
    at.opens(page)
    for name in bets:
        bet(page, name, 100)
    at.deals("QS 3D 6H AC")
    wait_for(page, "insurance")
    assert why in page.locator(".no-insurance").inner_text()
    assert page.locator(".no-insurance .para").count() == 1


def test_a_refusal_speaks_as_people_do_and_goes_with_its_cause(person: Person, house: Served) -> None:
    at = Dealt(house, "plainly")
    page = person("player", "plain-speaker")
    sit(page, at.name)
    at.opens(page)
    page.locator('input[name="other"]').fill("6000")
    page.locator("#bet-banker").click()
    said = told_at_the_spot(page, "6,000 on Banker is above the maximum of 5,000.")
    assert "@" not in said
    assert page.locator("#spot a.para").count() == 1
    # Another amount is another question.
    page.locator('input[name="other"]').fill("600")
    page.locator("#spot strong").wait_for(state="detached")
    page.locator('input[name="other"]').fill("7")
    page.locator("#bet-banker").click()
    told_at_the_spot(page, "7 on Banker is below the minimum of 10.")
    page.locator('label.chip:has(input[value="100"])').click()
    page.locator("#spot strong").wait_for(state="detached")


def test_a_refusal_without_scripts_can_be_read(person: Person, house: Served) -> None:
    at = Dealt(house, "plain-refusal")
    page = person("player", "plain-reader", java_script_enabled=False)
    box = sit(page, at.name)
    at.dealer("open_bets")
    page.goto(f"/tables/{at.name}?box={box}")
    page.locator('input[name="other"]').fill("6000")
    page.locator("#bet-banker").click()
    told = page.locator(".problem").inner_text()
    assert "6,000 on Banker is above the maximum of 5,000." in told
    assert BOOK not in told
    link = page.locator(".problem .para")
    assert link.get_attribute("href") == f"/rules/{BOOK.replace('@', '%40')}#p-{link.inner_text()}"
    colours = "(it) => [getComputedStyle(it).color, getComputedStyle(it.closest('.problem')).backgroundColor]"
    ink, paper = page.locator(".problem .para").evaluate(colours)
    assert contrast(ink, paper) >= 4.5


def contrast(one: str, other: str) -> float:
    """The contrast of two opaque colours, as WCAG counts it."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    lights = sorted((light(one), light(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_a_paragraph_is_read_over_the_table(person: Person, house: Served) -> None:
    at = Dealt(house, "in-place")
    page = person("player", "in-place-reader")
    sit(page, at.name)
    at.opens(page)
    link = page.locator(".pays .para").first
    number, address = link.inner_text(), link.get_attribute("href")
    link.click()
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    assert f"§ {number}" in dialog.inner_text()
    assert len(dialog.inner_text()) > 30
    assert "_" not in dialog.inner_text()
    assert not violations(page)
    # No key bets while it is read.
    page.keyboard.press("b")
    page.evaluate(A_TURN)
    assert stake_on(page, "banker") == 0
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.url.endswith(f"/tables/{at.name}") or f"/tables/{at.name}?" in page.url
    # The whole of it is one press further, and the address works by itself.
    link.click()
    dialog.locator("a").click()
    page.wait_for_url(re.compile(r"/rules/"))
    assert page.url.endswith((address or "").replace("%40", "@")) or page.url.endswith(address or "")


def test_other_players_are_known_by_their_box(person: Person, house: Served) -> None:
    at = Dealt(house, "nameless")
    anna, ben = person("player", "annabella"), person("player", "benedict")
    box = sit(anna, at.name)
    sit(ben, at.name)
    at.opens(anna)
    wait_for(ben, "betting")
    bet(anna, "player", 100)
    bet(ben, "banker", 100)
    in_lobby(ben, at.name)
    assert "annabella" not in ben.content()
    ben.goto(f"/tables/{at.name}")
    ben.locator("#another-box a", has_text=f"Stand behind box {box}").wait_for()
    assert "annabella" not in ben.content()
    at.deals("9S 2D KH 4C")
    at.settles(ben)
    assert "annabella" not in ben.content()
    ben.goto(f"/tables/{at.name}/history/1")
    proof = ben.locator(".proof").last.inner_text()
    assert "annabella" not in ben.content()
    assert "Another player bets 100.00 on Player, box 1." in proof
    assert "benedict (you) bets 100.00 on Banker, box 2." in proof
    dealer = person("dealer")
    dealer.goto(f"/tables/{at.name}/deal")
    assert "annabella" in dealer.content()


def test_money_that_moves_is_told_and_larger_roads_show_the_newest_column(
    person: Person, house: Served
) -> None:
    at = Dealt(house, "money-told")
    page = person("player", "newcomer", viewport={"width": 390, "height": 844})
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    page.locator(".hint", has_text="1,000.00 came from your purse with your bet").wait_for()
    assert "100" in page.locator("#bring").inner_text()
    page.locator("#leave").click()
    page.locator(".leaving", has_text="You leave after this round.").wait_for()
    at.deals("9S 2D KH 5C")
    at.settles(page)
    page.locator(".zoom input").check()
    shown = """() => {
      const pane = document.querySelector(".roads .wide").getBoundingClientRect();
      const marks = [...document.querySelectorAll(".roads .wide circle")];
      return Math.max(...marks.map((mark) => mark.getBoundingClientRect().right)) <= pane.right;
    }"""
    page.wait_for_function(shown)
    at.dealer("open_bets")
    page.locator(".hint", has_text="Your chips here, 1,100.00, stay yours").wait_for()
