"""The pit called by one key and answered on the wall, sound only where asked for, a table that closes."""

from __future__ import annotations

from browser.conftest import Person
from browser.test_dealing import Picture, desk, next_is
from browser.test_playing_kept import HEARD, hear, heard
from support.axe import violations
from support.browser_table import Dealt, in_lobby
from support.served import Served

ALERT, CALL = "660", "1175"
"""The hertz of a tone of each sound."""


def test_one_key_calls_the_pit_and_the_wall_sounds_until_it_is_answered(
    person: Person, house: Served, picture: Picture
) -> None:
    at = Dealt(house, "calls-the-pit")
    pit = person("pit_supervisor", "sue-calls", alone=True)
    quiet = person("pit_manager", alone=True)
    for page in (pit, quiet):
        page.add_init_script(HEARD)
        page.goto("/pit")
    switch = pit.get_by_role("switch", name="Sound")
    assert switch.get_attribute("aria-checked") == "false", "nobody has asked for sound"
    switch.click()
    hear(pit, ALERT)  # Whoever turns it on hears it.
    dealer = desk(person, at.name)
    dealer.keyboard.press("o")
    next_is(dealer, "No more Bets")
    # A key, the arrows of a hurry: the first reason has the focus, and Enter sends it.
    dealer.keyboard.press("h")
    dealer.wait_for_function("() => document.activeElement.value === 'A dispute'")
    assert violations(dealer) == []
    picture(dealer, "dealer-calls-the-pit")
    dealer.keyboard.press("Enter")
    dealer.locator(".called", has_text="The pit is called: A dispute").wait_for()
    dealer.wait_for_function("() => !document.getElementById('pit-call').open")
    # The round goes on meanwhile, by its own key.
    dealer.keyboard.press("c")
    next_is(dealer, "Deal to Player")
    # A reason is typed, from the page of what went wrong.
    dealer.goto(f"/tables/{at.name}/deal/wrong")
    dealer.get_by_role("link", name="A card too many").focus()
    dealer.keyboard.press("h")
    dealer.get_by_label("Another reason").fill("the lamp smokes")
    dealer.keyboard.press("Enter")
    dealer.get_by_text("The table has taken it.").wait_for()
    on_wall = pit.locator("li.glance", has=pit.locator(f"#table-{at.name}"))
    for reason in ("A dispute", "the lamp smokes"):
        on_wall.locator(".called", has_text=reason).filter(has_text="dealer").wait_for()
    hear(pit, CALL)
    assert heard(quiet) == [], "sound is each person's own"
    assert violations(pit) == []
    picture(pit, "pit-called")
    # Sound is remembered; no player hears of the call.
    pit.reload()
    assert pit.get_by_role("switch", name="Sound").get_attribute("aria-checked") == "true"
    with house.client("player", "pia-calls") as client:
        seen = client.get(f"/api/tables/{at.name}/events").json()["events"]
        assert not [event for event in seen if event["event"] == "PitCalled"]
        assert "pit_calls" not in client.get(f"/api/tables/{at.name}").json()
    # Answered where it is seen: on the wall, and in the inbox.
    on_wall.locator(".called", has_text="A dispute").get_by_role("button", name="Seen to").click()
    on_wall.locator(".called", has_text="A dispute").wait_for(state="detached")
    pit.goto("/pit/-inbox")
    pit.locator(".called", has_text="the lamp smokes").get_by_role("button", name="Seen to").click()
    pit.locator(".called", has_text="the lamp smokes").wait_for(state="detached")
    dealer.goto(f"/tables/{at.name}/deal")
    assert dealer.locator(".called").count() == 0


def test_every_page_says_that_the_table_closes_until_one_press_takes_it_back(
    person: Person, house: Served
) -> None:
    at = Dealt(house, "closes-or-not")
    house.ask(at.name, "player", "take_seat", name="cleo-stays", player="cleo-stays", box=2)
    at.dealer("open_bets")
    pit, dealer, cleo = (
        person("pit_manager"),
        person("dealer"),
        person("player", "cleo-stays", locale="zh-CN"),
    )
    pit.goto(f"/pit/{at.name}")
    dealer.goto(f"/tables/{at.name}/deal")
    pit.get_by_role("button", name="Close the table").click()
    pit.locator("#keep-open").wait_for()
    assert violations(pit) == []
    dealer.locator(".closes-after", has_text="This table closes after this round.").wait_for()
    cleo.goto(f"/tables/{at.name}")
    cleo.get_by_text("此台在本局结束后关闭。").wait_for()
    wall = person("pit_supervisor")
    wall.goto("/pit")
    own = wall.locator(".glance", has=wall.locator(f"#table-{at.name}"))
    own.locator(".badge.closes-after", has_text="closes after this round").wait_for()
    # A Pit Supervisor may not, and is told so where they pressed.
    wall.goto(f"/pit/{at.name}")
    wall.get_by_role("button", name="Leave it open").click()
    wall.locator(".spot", has_text="Pit Manager").first.wait_for()
    pit.get_by_role("button", name="Leave it open").click()
    pit.locator("#keep-open").wait_for(state="detached")
    dealer.locator(".closes-after").wait_for(state="detached")
    at.dealer("close_bets")
    at.cards("KS KD 8H 7C")
    at.dealer("settle")
    with house.client("dealer") as client:
        assert not client.get(f"/api/tables/{at.name}").json()["closed"]


def test_a_table_closes_when_its_round_is_over_and_opens_again(
    person: Person, house: Served, picture: Picture
) -> None:
    at = Dealt(house, "closes-tonight")
    house.ask(at.name, "player", "take_seat", name="cleo", player="cleo", box=2)
    house.ask(at.name, "player", "bring_chips", name="cleo", player="cleo", amount="500")
    at.dealer("open_bets")
    house.ask(at.name, "player", "place_bet", name="cleo", box=2, bet="player", stake="100")
    at.dealer("close_bets")
    pit = person("pit_manager")
    pit.goto(f"/pit/{at.name}")
    pit.get_by_label("Why it closes").fill("the night is over")
    pit.get_by_role("button", name="Close the table").click()
    pit.get_by_text("This table closes after this round. Because: the night is over.").wait_for()
    assert not pit.locator("#close-form").is_visible()
    # It is a fact of the table: nothing depends on this page.
    pit.goto("/pit")
    at.cards("KS KD 8H 7C")
    at.dealer("settle")
    pit.goto(f"/pit/{at.name}")
    pit.get_by_role("button", name="Open the table again").wait_for()
    assert not pit.locator("#close-form").is_visible()
    assert violations(pit) == []
    picture(pit, "pit-closed")
    with house.client("player", "cleo") as client:
        seen = client.get(f"/api/tables/{at.name}").json()
    assert (seen["closed"], seen["seats"], seen["balance"]) == (True, [], "0.00")
    assert seen["purse"] == "10100.00"
    # The lobby says so and offers no seat; the dealer is told why nothing can be done.
    cleo, dealer = person("player", "cleo"), person("dealer")
    in_lobby(cleo, at.name)
    own = cleo.locator(f"#table-{at.name}")
    assert own.locator(".phase").inner_text() == "closed"
    assert own.get_by_role("button", name="Sit").count() == 0
    dealer.goto(f"/tables/{at.name}/deal")
    assert "Closed by the pit" in dealer.locator(".closed-by-pit").inner_text()
    # Its record is read, verified and exported as before.
    auditor = person("auditor")
    auditor.goto(f"/audit/{at.name}/rounds/1")
    assert "Player 8" in auditor.locator("main").inner_text()
    pit.get_by_role("button", name="Open the table again").click()
    pit.locator("#open-table").wait_for(state="detached")
    at.dealer("prepare_shoe")
    at.dealer("open_bets")
