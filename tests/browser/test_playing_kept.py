"""What a browser keeps for a player: saved bets, the same every round, sound; and what may move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Person
from support.browser_table import Dealt, bet, sit, stake_on, told_at_the_spot, wait_for
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

PLAYER_WINS = "9S 2D KH 5C"
"""Nine against seven."""


def played(at: Dealt, page: Page) -> None:
    """The rest of a round in which Player wins."""
    at.deals(PLAYER_WINS)
    at.settles(page)


def lies(page: Page, name: str, dollars: int) -> None:
    page.wait_for_selector(f'#bet-{name}[data-stake="{dollars * 100}"]')


def save(page: Page, name: str) -> None:
    """Save what lies there under a name, by the keyboard alone."""
    page.keyboard.press("s")
    page.get_by_role("heading", name="Saved bets").wait_for()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.locator("#saved-bets").get_by_role("button", name=name).wait_for()


def switch(page: Page, name: str) -> str | None:
    return page.locator(name).get_attribute("aria-checked")


def test_bets_saved_under_a_name_go_down_with_one_press(person: Person, house: Served) -> None:
    at = Dealt(house, "saving")
    page = person("player", "saver")
    sit(page, at.name)
    at.opens(page)
    # With nothing on the felt there is nothing to save, and the page says so.
    page.get_by_role("button", name="Saved bets").click()
    page.get_by_text("Put bets down first").wait_for()
    assert page.get_by_role("button", name="Save these bets").is_disabled()
    page.get_by_role("button", name="Back to the table").last.click()
    bet(page, "banker", 100)
    bet(page, "tie", 50)
    save(page, "Mine")
    # Pressed again they are added to what lies there, as any chip is.
    page.locator("#saved-bets").get_by_role("button", name="Mine 150").click()
    lies(page, "banker", 200)
    lies(page, "tie", 100)
    played(at, page)
    # Kept over a new page, and put down by a key.
    page.reload()
    at.opens(page)
    page.keyboard.press("q")
    lies(page, "banker", 100)
    lies(page, "tie", 50)
    # One of several that cannot be taken: none goes down, and the refusal says why.
    at.dealer("close_bets")
    wait_for(page, "dealing")
    page.keyboard.press("q")
    told_at_the_spot(page, "Bets are closed")
    assert (stake_on(page, "banker"), stake_on(page, "tie")) == (100_00, 50_00)
    # Somebody else in the same browser has none of them.
    page.keyboard.press("s")
    page.get_by_role("button", name="Forget: Mine").click()
    assert page.locator("#saved-list li").count() == 0
    page.keyboard.press("Escape")
    assert page.locator("#saved-bets button").count() == 0


def test_what_the_box_showed_when_it_opened_is_saved_though_the_round_ends(
    person: Person, house: Served
) -> None:
    at = Dealt(house, "saving-late")
    page = person("player", "late-saver")
    sit(page, at.name)
    at.opens(page)
    bet(page, "banker", 100)
    page.keyboard.press("s")
    page.get_by_text("Banker 100").wait_for()
    at.deals(PLAYER_WINS)
    at.settles(page)
    # The chips are gone from the felt, and the box still saves what it says. A name of blanks is none.
    page.keyboard.type("  ")
    page.keyboard.press("Enter")
    page.get_by_text("Nothing is saved yet").wait_for()
    page.keyboard.type("Kept")
    page.keyboard.press("Enter")
    page.locator("#saved-bets").get_by_role("button", name="Kept 100").wait_for()


def test_saved_bets_of_another_layout_are_not_offered_and_not_lost(person: Person, house: Served) -> None:
    wide, narrow = Dealt(house, "saved-wide"), Dealt(house, "saved-narrow", layout="A")
    page = person("player", "elsewhere")
    sit(page, wide.name)
    wide.opens(page)
    sides = page.locator(".sides .area")
    only_here = [str(sides.nth(place).get_attribute("value")) for place in range(sides.count())]
    sit(page, narrow.name)
    there = page.locator(".sides .area")
    other = next(
        name
        for name in only_here
        if name not in [there.nth(place).get_attribute("value") for place in range(there.count())]
    )
    page.goto(f"/tables/{wide.name}")
    bet(page, other, 50)
    save(page, "Sides")
    page.goto(f"/tables/{narrow.name}")
    wait_for(page, "waiting")
    assert page.locator("#saved-bets button").count() == 0
    page.keyboard.press("s")
    assert "not at this table" in page.locator("#saved-list").inner_text()


def test_the_same_every_round_until_the_player_stops_it(person: Person, house: Served) -> None:
    at = Dealt(house, "every")
    page = person("player", "repeater")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    assert switch(page, "#every") == "false"
    page.keyboard.press("a")
    assert switch(page, "#every") == "true"
    assert "on" in page.locator("#every").inner_text()
    # Chips lie there already: nothing is added to them.
    bet(page, "tie", 50)
    for _ in range(2):
        played(at, page)
        at.opens(page)
        lies(page, "player", 100)
        lies(page, "tie", 50)
    # What it put down is taken back like anything else, and it does not put it down again.
    page.locator("#clear").click()
    lies(page, "player", 0)
    bet(page, "banker", 100)
    lies(page, "player", 0)
    page.get_by_role("switch", name="Every round").click()
    assert switch(page, "#every") == "false"
    played(at, page)
    at.opens(page)
    bet(page, "tie", 10)
    assert (stake_on(page, "banker"), stake_on(page, "tie")) == (0, 10_00)


def test_the_same_every_round_stops_when_it_is_refused(person: Person, house: Served) -> None:
    """The player has not the chips for both bets: neither goes down, and the page says why it has stopped."""
    at = Dealt(house, "every-short", limits={"minimum": "10", "differential": "10000"})
    page = person("player", "short")
    sit(page, at.name)
    at.opens(page)
    for name, amount in (("player", "100"), ("banker", "5950")):
        page.fill("[name=other]", amount)
        page.locator(f"#bet-{name}").click()
        lies(page, name, int(amount))
    page.keyboard.press("Tab")
    page.locator("#every").click()
    played(at, page)
    at.opens(page)
    told = told_at_the_spot(page, "“Every round” has stopped:")
    assert "less than the 6,050 you stake" in told, told
    assert switch(page, "#every") == "false"
    assert (stake_on(page, "player"), stake_on(page, "banker")) == (0, 0)
    # It stays said while the round goes on, until somebody does something.
    at.dealer("close_bets")
    wait_for(page, "dealing")
    assert "has stopped" in page.locator("#spot").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#spot").inner_text() == ""


def test_the_same_every_round_stops_after_a_correction_and_when_the_player_leaves(
    person: Person, house: Served
) -> None:
    at = Dealt(house, "every-corrected")
    page = person("player", "corrected")
    sit(page, at.name)
    number = at.opens(page)
    bet(page, "player", 100)
    page.locator("#every").click()
    played(at, page)
    at.opens(page)
    lies(page, "player", 100)
    correction: dict[str, Any] = {
        "round": number,
        "hand": "banker",
        "place": 2,
        "card": "7C",
        "reason": "seen on the film",
    }
    asked = house.ask(at.name, "pit_supervisor", "correct_card", **correction)
    with house.client("pit_manager") as manager:
        manager.post(f"/api/tables/{at.name}/proposals/{asked['waiting']}/agree").raise_for_status()
    told_at_the_spot(page, "a round was corrected")
    assert switch(page, "#every") == "false"
    # Turned on again it goes on; a page that is left stops it, and says so when it comes back.
    page.locator("#every").click()
    assert switch(page, "#every") == "true"
    page.reload()
    told_at_the_spot(page, "you left your seat or this page")
    assert switch(page, "#every") == "false"
    played(at, page)
    page.locator("#every").click()
    house.ask(at.name, "dealer", "leave_seat", player="corrected")
    told_at_the_spot(page, "you left your seat or this page")


HEARD = """
const Tone = OscillatorNode;
window.OscillatorNode = class extends Tone {
  constructor(context, options) {
    super(context, options);
    const kept = document.documentElement.dataset;
    kept.heard = `${kept.heard || ""} ${options.frequency}`;
    const round = document.querySelector(".status")?.dataset.round;
    kept.rounds = `${kept.rounds || ""} ${round}:${options.frequency}`;
  }
};
"""
SOON, CARD, WON = "880", "210", "784"
"""The hertz of a tone of each sound."""


def heard(page: Page) -> list[str]:
    """The tones this page has made, by their hertz."""
    return str(page.locator("html").get_attribute("data-heard") or "").split()


def hear(page: Page, tone: str) -> None:
    page.wait_for_selector(f'html[data-heard~="{tone}"]')


def test_sound_is_off_until_asked_for_and_remembered(person: Person, house: Served) -> None:
    at = Dealt(house, "sounding")
    page = person("player", "listener", alone=True)
    page.add_init_script(HEARD)
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    played(at, page)
    assert switch(page, "#sound") == "false"
    assert heard(page) == []
    page.get_by_role("switch", name="Sound").click()
    assert switch(page, "#sound") == "true"
    # Remembered; a browser lets a page be heard once somebody has touched it.
    page.reload()
    assert switch(page, "#sound") == "true"
    at.opens(page)
    bet(page, "player", 100)
    at.deals(PLAYER_WINS)
    wait_for(page, "dealing")
    page.wait_for_selector('[data-card="banker-2"]')
    hear(page, CARD)
    at.settles(page)
    hear(page, WON)
    assert heard(page).count(WON) == 1
    page.keyboard.press("m")
    assert switch(page, "#sound") == "false"
    before = heard(page)
    at.opens(page)
    played(at, page)
    assert heard(page) == before


def test_the_last_seconds_of_the_betting_are_heard_once(person: Person) -> None:
    page = person("player", "hurried", alone=True)
    page.add_init_script(HEARD)
    sit(page)
    page.locator("#sound").click()
    hear(page, SOON)
    rounds = str(page.locator("html").get_attribute("data-rounds")).split()
    number = next(each for each in rounds if each.endswith(f":{SOON}")).partition(":")[0]
    # Two ticks in all of that round, however often the page is drawn anew until the next.
    page.wait_for_selector(f'.status:not([data-round="{number}"])')
    ticks = str(page.locator("html").get_attribute("data-rounds")).split()
    assert ticks.count(f"{number}:{SOON}") == 2


MOVING = """() => {
  const moved = (what) => (document.documentElement.dataset.moved += ` ${what}`);
  document.documentElement.dataset.moved = "";
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) if (node.classList?.contains("flying")) moved("chip");
    }
  }).observe(document.body, { childList: true });
  document.addEventListener("animationstart", (event) => moved(event.animationName));
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_chips_travel_and_cards_are_dealt_and_turned_unless_motion_is_reduced(
    person: Person, house: Served, motion: str
) -> None:
    at = Dealt(house, f"moving-{motion[:2]}", face_down=True)
    page = person("player", f"mover-{motion[:2]}", reduced_motion=motion)
    sit(page, at.name)
    at.opens(page)
    page.evaluate(MOVING)
    bet(page, "player", 100)
    at.deals(PLAYER_WINS)
    page.wait_for_selector('[data-card="banker-2"][data-down]')
    for hand in ("player", "banker"):
        for place in (1, 2):
            at.dealer("open_card", hand=hand, place=place)
    page.wait_for_selector('[data-card="banker-2"]:not([data-down])')
    if motion == "reduce":
        # Each comes to its place at once: nothing has been set in motion by the time all lie open.
        assert page.locator("html").get_attribute("data-moved") == ""
        assert page.evaluate("document.getAnimations().length") == 0
    else:
        for what in ("chip", "dealt", "turned"):
            page.wait_for_selector(f'html[data-moved~="{what}"]')
