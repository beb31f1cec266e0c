"""Around the table: the door, the lobby's ways to work, refusals beside the bet, lost ways, hostile names."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import httpx
import pytest

from browser.conftest import Person
from support.answered import A_TURN
from support.awaited import GUARD
from support.browser_table import TABLE, Dealt, bet, in_lobby, sit, told_at_the_spot, wait_for
from support.served import COOKIE, Served

HOSTILE = '"><img src=x onerror="document.title=\'taken\'">{{7*7}}'


def test_a_refusal_lies_beside_the_bet_and_goes_with_the_next_call(person: Person, house: Served) -> None:
    at = Dealt(house, "beside")
    page = person("player", "beside-it", alone=True)
    page.clock.install()
    sit(page, at.name)
    at.opens(page)
    page.locator('input[name="other"]').fill("7")
    for name in ("big_tiger", "banker"):
        page.locator(f"#bet-{name}").click()
        page.wait_for_selector(f"#bet-{name}[aria-describedby=spot]")
        told_at_the_spot(page, "below the minimum")
        pressed, said = page.locator(f"#bet-{name}").bounding_box(), page.locator("#spot").bounding_box()
        rack = page.locator("#bets").bounding_box()
        assert pressed is not None
        assert said is not None
        assert rack is not None
        apart = max(said["y"] - pressed["y"] - pressed["height"], pressed["y"] - said["y"] - said["height"])
        assert 0 <= apart < 20
        assert said["x"] < pressed["x"] + pressed["width"]
        assert pressed["x"] < said["x"] + said["width"]
        # The chips stay in reach.
        assert said["y"] + said["height"] <= rack["y"]
        assert page.locator("[aria-describedby=spot]").count() == 1
    page.keyboard.press("Escape")
    page.locator("#spot", has_text="below").wait_for(state="detached")
    page.locator("#bet-banker").click()
    told_at_the_spot(page, "below the minimum")
    # One that crosses the call is still to be read, and goes by itself.
    at.dealer("close_bets")
    wait_for(page, "dealing")
    told_at_the_spot(page, "below the minimum")
    page.clock.fast_forward(4100)
    page.locator("#spot", has_text="below").wait_for(state="detached")


def test_a_refusal_does_not_lie_on_what_is_asked_next(person: Person, house: Served) -> None:
    at = Dealt(house, "asked-below")
    page = person("player", "asked-below", viewport={"width": 390, "height": 844}, alone=True)
    page.clock.install()
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    at.dealer("close_bets")
    wait_for(page, "dealing")
    page.keyboard.press("P")
    told_at_the_spot(page, "Bets are closed")
    at.cards("QS 3D 6H AC")
    wait_for(page, "insurance")
    page.clock.fast_forward(1600)
    page.locator("#spot strong").wait_for(state="detached")
    page.get_by_role("button", name="Insure for 50").click()
    page.wait_for_selector(".insured")


def test_the_receipt_says_why_and_leads_to_the_paragraph(person: Person, house: Served) -> None:
    at = Dealt(house, "receipt")
    page = person("player", "asker")
    sit(page, at.name)
    at.opens(page)
    bet(page, "banker", 100)
    bet(page, "big_tiger", 25)
    at.deals("2S 4D 3H 2C")
    at.cards("TD")
    at.settles(page)
    won, lost = page.locator(".receipt > li").all()
    assert re.search(r"Your 100 on Banker won 50 at 1:2\.\s+\+50\s+100 × 1:2 = \+50", won.inner_text())
    assert "Banker is paid even money, half of it when winning on 6" in won.inner_text()
    assert re.search(r"Your 25 on Big Tiger lost\.\s+−25\s+0 − 25 = −25", lost.inner_text())
    assert "It wins when: Banker wins with three cards on 6" in lost.inner_text()
    assert page.locator(".headline").inner_text().startswith("Banker wins 6 to 5.")
    way = won.get_by_role("link").first
    number = way.inner_text()
    way.click()
    page.locator("dialog[open]", has_text=f"§ {number}").locator("a").click()
    page.wait_for_url(re.compile(rf"/rules/.*#p-{re.escape(number)}$"))
    assert page.locator(f'[id="p-{number}"]').is_visible()


@pytest.mark.parametrize(
    ("role", "names"),
    [("dealer", ["Deal"]), ("pit_supervisor", ["Pit", "Deal"]), ("auditor", ["Audit"]), ("player", [])],
)
def test_the_lobby_leads_whoever_works_to_his_place(person: Person, role: str, names: list[str]) -> None:
    page = person(role)
    in_lobby(page, TABLE)
    ways = page.locator(f"#table-{TABLE} .ways a")
    found = [each.split()[0] for each in ways.all_inner_texts()]
    assert [each for each in found if each in ("Deal", "Pit", "Audit")] == names
    for name in names:
        in_lobby(page, TABLE)
        page.locator(f"#table-{TABLE} .ways a", has_text=name).click()
        page.wait_for_url(re.compile(rf"{TABLE}"))
        assert page.locator(".problem").count() == 0
        assert page.locator("h1").count() == 1


def test_one_press_in_the_lobby_sits_down_at_a_free_box(person: Person, house: Served) -> None:
    at = Dealt(house, "one-press")
    first, second = person("player", "first-here"), person("player", "second-here")
    for page, box in ((first, 1), (second, 2)):
        in_lobby(page, at.name)
        page.locator(f"#first-{at.name}").click()
        page.wait_for_selector("#bet-banker")
        assert f"Box {box} " in page.locator("#box-title").inner_text()


def test_a_press_that_an_update_crosses_is_still_a_bet(person: Person, house: Served) -> None:
    at = Dealt(house, "pressed")
    page = person("player", "presser", alone=True)
    sit(page, at.name, 1)
    at.opens(page)
    page.locator("#bet-player").hover()
    # However long the press: the page's time stands still, and nobody gives up on it meanwhile.
    page.clock.install()
    page.clock.pause_at(2**32)
    with page.expect_response("**/tables/pressed/now*") as fetched:
        page.mouse.down()
        house.ask(at.name, "player", "place_bet", name="presser", box=1, bet="tie", stake="50")
    fetched.value.finished()
    page.evaluate("0")
    page.mouse.up()
    page.clock.resume()
    for name in ("player", "tie"):
        page.wait_for_selector(f'#bet-{name}:not([data-stake="0"])')


def test_the_focus_stays_on_a_paragraph_while_the_table_goes_on(person: Person, house: Served) -> None:
    at = Dealt(house, "focused")
    page = person("player", "tabber")
    sit(page, at.name)
    at.opens(page)
    bet(page, "player", 100)
    page.locator(".pays .para").nth(4).focus()
    where = "document.activeElement.closest('tr')?.innerText"
    row = page.evaluate(where)
    assert row
    at.deals("9S 2D KH 4C")
    at.settles(page)
    assert page.evaluate(where) == row


def test_whoever_leaves_his_seat_may_choose_another_box(person: Person, house: Served) -> None:
    at = Dealt(house, "leaving")
    page = person("player", "leaver")
    sit(page, at.name, 3)
    page.locator("#leave").click()
    page.locator("#box-title", has_text="Choose a box").wait_for()
    assert page.locator("#bets").is_hidden()
    page.get_by_role("button", name="Sit at box 5").click()
    page.locator("#box-title", has_text="Box 5").wait_for()
    # An address with a box at which nobody sits leads to the seat.
    page.goto(f"/tables/{at.name}?box=2")
    assert "Box 5" in page.locator("#box-title").inner_text()


def test_the_door_and_closed_doors_speak_chinese(person: Person, house: Served) -> None:
    page = person(locale="zh-CN")
    page.goto("/sign-in")
    page.locator('[name="name"]').fill("nobody-here")
    page.locator('[name="password"]').fill("not the password at all")
    page.locator("main button").click()
    page.locator(".problem", has_text="姓名或密码错误。").wait_for()
    english = re.compile(r"[A-Za-z]{3,}")
    assert not english.search(page.locator("main").inner_text())
    page.goto("/link?token=never-was-one")
    page.locator("main button.main").click()
    page.locator(".problem", has_text="此登录链接已用过、已过期或无效。").wait_for()
    inside = person("player", "zh-player", locale="zh-CN")
    for path, status in (("/pit", 403), ("/no/such/page", 404), (f"/tables/{TABLE}/history/999999", 404)):
        answer = inside.goto(path)
        assert answer is not None
        assert answer.status == status, path
        words = inside.locator("main").inner_text()
        assert not english.search(words.replace(TABLE, "").replace("zh-player", "")), words


def test_a_form_refused_without_scripts_still_changes_its_language(person: Person, house: Served) -> None:
    at = Dealt(house, "no-scripts-zh")
    page = person("player", "no-script", java_script_enabled=False)
    box = sit(page, at.name)
    at.dealer("open_bets")
    page.goto(f"/tables/{at.name}")
    page.locator('input[name="other"]').fill("7")
    page.locator("#bet-banker").click()
    assert "below the minimum" in page.locator(".problem").inner_text()
    assert page.url.endswith("/bets")
    page.get_by_role("button", name="中文").click()
    assert page.url.endswith(f"/tables/{at.name}?box={box}")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"


def test_a_bet_by_touch_and_a_squeeze_by_finger(person: Person, house: Served) -> None:
    at = Dealt(house, "fingers", face_down=True)
    options = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = person("player", "finger", **options)
    sit(page, at.name)
    at.opens(page)
    page.locator('label.chip:has(input[value="100"])').tap()
    page.locator("#bet-player").tap()
    page.wait_for_selector('#bet-player[data-stake="10000"]')
    # A squeeze is asked for before the cards it is for are dealt.
    at.dealer("close_bets")
    page.locator("#ask-squeeze").tap()
    page.wait_for_selector("text=the House has not answered yet")
    house.ask(at.name, "pit_supervisor", "answer_squeeze", consent=True)
    at.cards("9S 2D 7H 4C")
    page.wait_for_selector("#open-player-1")
    # Where the card lies is settled once all four are there.
    page.wait_for_function("() => document.querySelectorAll('#now [data-card]').length >= 4")
    place = page.locator("#open-player-1").bounding_box()
    assert place is not None
    x, y, high = place["x"] + place["width"] / 2, place["y"] + place["height"] - 4, place["height"]
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, up: float | None = None) -> None:
        points = [] if up is None else [{"x": x, "y": y - high * up}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0)
    touch("touchMove", 0.15)
    touch("touchEnd")
    page.evaluate(A_TURN)
    assert page.locator('[data-card="player-1"][data-down]').count() == 1
    touch("touchStart", 0)
    for up in (0.1, 0.25, 0.5):
        touch("touchMove", up)
    page.wait_for_selector(".squeezable .face")
    touch("touchEnd")
    page.wait_for_selector('[data-card="player-1"]:not([data-down])')


def test_hostile_names_are_only_text(person: Person, house: Served) -> None:
    at = Dealt(house, "hostile")
    with house.client("administrator") as client:
        client.post("/api/tables", json={"table": "named", "title": HOSTILE}).raise_for_status()
        made = client.post("/api/accounts", json={"name": "mallory", "title": HOSTILE, "role": "player"})
        made.raise_for_status()
    with httpx.Client(base_url=house.address, timeout=GUARD) as client:
        token = made.json()["link"].partition("token=")[2]
        client.post("/api/session/link", json={"token": token}).raise_for_status()
        session = client.cookies[COOKIE]
    page = person()
    page.context.add_cookies([{"name": COOKIE, "value": session, "url": house.address}])
    in_lobby(page, "named")
    assert HOSTILE in page.locator("#table-named h2").inner_text()
    assert page.locator(".who .name").inner_text() == HOSTILE
    for path in ("/tables/named", f"/tables/{at.name}", f"/tables/{at.name}/history"):
        page.goto(path)
        assert page.locator("main img").count() == 0
        assert page.title() != "taken"
        assert "49" not in page.locator("main h1").inner_text()


def inline(html: str) -> list[str]:
    """What a page would run or colour by itself, or fetch from elsewhere."""
    found: list[str] = []

    class TextOfPage(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            names = {name for name, _ in attrs}
            found.extend(f"{tag} {name}" for name in names if name == "style" or name.startswith("on"))
            found.extend([tag] if tag == "style" or (tag == "script" and "src" not in names) else [])
            away = [value for name, value in attrs if name in ("src", "href", "action", "formaction")]
            found.extend(value for value in away if value and not re.match(r"/(?!/)|#", value))

    TextOfPage().feed(html)
    return found


def test_nothing_is_kept_and_every_answer_has_its_policy(house: Served) -> None:
    cookies = {COOKIE: house.token("player")}
    with httpx.Client(
        base_url=house.address, cookies=cookies, headers={"accept": "text/html"}, timeout=GUARD
    ) as client:
        parts = ("", "/now", "/felt", "/roads", "/history")
        paths = [
            "/lobby",
            "/lobby/tables",
            "/sign-in",
            "/nowhere",
            *(f"/tables/{TABLE}{part}" for part in parts),
        ]
        for path in paths:
            answer = client.get(path)
            assert answer.headers["cache-control"] == "no-store", path
            policy = answer.headers["content-security-policy"]
            assert "script-src 'self'" in policy, path
            assert "unsafe" not in policy, path
            assert not inline(answer.text), path
        # A form that does not carry the session's token does nothing.
        bet = {"bet": "banker", "stake": "10", "box": "1"}
        assert client.post(f"/tables/{TABLE}/bets", data=bet).status_code == 403
    for away in ("//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example"):
        answer = httpx.post(f"{house.address}/language", data={"language": "en", "next": away}, timeout=GUARD)
        assert answer.headers["location"] == "/", away


def test_one_history_over_all_tables_with_totals_and_filters(person: Person, house: Served) -> None:
    first, second = Dealt(house, "history-one"), Dealt(house, "history-two")
    page = person("player", "historian")
    # Player wins at the first table, Banker at the second.
    for at, cards in ((first, "9S 2D KH 5C"), (second, "2D 9S 5C KH")):
        sit(page, at.name)
        at.opens(page)
        bet(page, "player", 100)
        at.deals(cards)
        at.settles(page)

    def totals() -> list[str]:
        return page.locator(".totals dd").all_inner_texts()

    page.goto("/history")
    assert totals()[:6] == ["2", "200.00", "1", "1", "0", "0.00"]
    assert page.locator("#session-gain").inner_text() == "0.00"
    assert page.get_by_role("link", name="The proof of round 1").count() == 2
    page.select_option("select[name=came_to]", "won")
    page.get_by_role("button", name="Show these rounds").click()
    page.wait_for_url("**/history?*came_to=won*")
    assert totals()[:6] == ["1", "100.00", "1", "0", "0", "+100.00"]
    page.select_option("select[name=came_to]", "")
    page.select_option("select[name=table]", second.name)
    page.get_by_role("button", name="Show these rounds").click()
    page.wait_for_url(f"**/history?table={second.name}*")
    assert totals()[:6] == ["1", "100.00", "0", "1", "0", "−100.00"]
    # A day on which nobody played has none.
    page.fill("[name=last]", "2001-01-01")
    page.get_by_role("button", name="Show these rounds").click()
    page.get_by_text("No round of yours is like that.").wait_for()


def test_the_way_to_a_table_is_on_the_first_screen_of_a_phone(person: Person, house: Served) -> None:
    page = person("player", "on-the-way", viewport={"width": 390, "height": 844})
    page.goto("/lobby")
    box = page.locator('button[id^="sit-"]').first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 844, box
