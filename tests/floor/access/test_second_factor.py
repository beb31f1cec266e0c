"""A second factor over HTTP: codes that count once, halves that open nothing, houses that require it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from lammer.floor.access.at_the_machine import remove_factor
from lammer.floor.access.authenticator import Authenticator
from lammer.floor.access.half_sign_ins import GOOD_FOR, MOST_TRIES, FactorNeeded
from lammer.floor.access.throttle import FREE
from lammer.floor.record.contract import Store
from lammer.floor.record.monotonic_clock import SECOND
from lammer.floor.record.people import authenticators, half_sign_ins, recovery_codes
from lammer.floor.web.pages.site.site import static_path
from lammer.rulebook.refusal import Refused
from support.factored import (
    PASSWORD,
    App,
    by_hand,
    code_of,
    form,
    half,
    show,
    sign_in,
    with_app,
    with_password,
)
from support.guests import GOOD, HERE, Clock, quick
from support.houses import House as Place
from support.open_house import OpenHouse, in_loop, open_house

Opens = Callable[..., Any]


@pytest.fixture
def opens(house: Place, tmp_path: Path) -> Opens:
    """A house on either database."""
    return lambda **given: open_house(tmp_path / "folder", store=house.where, **given)


@in_loop
async def test_a_code_is_asked_for_and_counts_once(opens: Opens) -> None:
    async with opens() as house:
        clock = by_hand(house)
        app = await with_app(await with_password(house, "dealer"), clock)
        assert code_of(await sign_in(house, "dealer")) == (401, "second_factor_needed")
        assert code_of(await sign_in(house, "dealer", "000000")) == (401, "wrong_code")
        assert code_of(await sign_in(house, "dealer", app.code())) == (401, "wrong_code"), "it set the app up"
        once = app.next()
        came = await sign_in(house, "dealer", f" {once[:3]} {once[3:]}")
        assert came.json()["name"] == "dealer"
        assert code_of(await sign_in(house, "dealer", once)) == (401, "wrong_code"), "replayed"
        assert code_of(await sign_in(house, "dealer", app.code(-1))) == (401, "wrong_code"), "an earlier one"
        assert code_of(await sign_in(house, "dealer", app.code(2))) == (401, "wrong_code"), "far ahead"
        assert (await sign_in(house, "dealer", app.code(1))).status_code == 200, "a clock a little ahead"
        clock.go(seconds=90)
        assert (await sign_in(house, "dealer", app.code(-1))).status_code == 200, "and a little behind"
        assert code_of(await sign_in(house, "dealer", app.next(), "wrong")) == (401, "sign_in_failed")


@in_loop
async def test_a_code_of_another_account_is_no_code(opens: Opens) -> None:
    async with opens() as house:
        clock = by_hand(house)
        dealer = await with_app(await with_password(house, "dealer"), clock)
        player = await with_app(await with_password(house, "player"), clock)
        assert code_of(await sign_in(house, "player", dealer.next())) == (401, "wrong_code")
        assert code_of(await sign_in(house, "player", dealer.recovery[0])) == (401, "wrong_code")
        assert (await sign_in(house, "player", player.code())).status_code == 200
        assert (await sign_in(house, "dealer", dealer.code())).status_code == 200, "nobody used it up"


@in_loop
async def test_a_half_sign_in_opens_no_route(tmp_path: Path) -> None:
    """Whatever it is shown as, every route answers as it answers a stranger."""
    async with open_house(tmp_path, pages=True) as house:
        clock = by_hand(house)
        await house.table()
        await with_app(await with_password(house, "administrator"), clock)
        someone, nobody = await half(house, "administrator"), house.stranger()
        token = someone.http.cookies["lammer_half"]
        someone.http.cookies.set("lammer_session", token)
        someone.http.headers["authorization"] = f"Bearer {token}"
        tried = 0
        for route in house.app.app.routes:  # type: ignore[attr-defined]
            path = re.sub(r"\{[^}]*\}", "t1", route.path)
            if path.startswith(("/sign-in", "/link", "/api/session", "/language", "/lab")):
                continue
            for method in sorted(route.methods & {"GET", "POST", "PATCH", "DELETE"}):
                given: dict[str, Any] = {} if method == "GET" else {"json": {}}
                told = await nobody.http.request(method, path, **given)
                same = await someone.http.request(method, path, **given)
                assert (same.status_code, same.headers.get("location")) == (
                    told.status_code, told.headers.get("location"),
                ), (method, path)  # fmt: skip
                tried += 1
        assert tried > 60
        assert (await someone.get("/api/session")).status_code == 401
        assert (await someone.get("/second-factor")).headers["location"].startswith("/sign-in")


@in_loop
async def test_the_page_asks_for_it_after_the_password(opens: Opens) -> None:
    async with opens(pages=True) as house:
        clock = by_hand(house)
        app = await with_app(await with_password(house, "dealer"), clock)
        person = await half(house, "dealer")
        page = await person.get("/sign-in/second")
        assert "Code of your app, or a recovery code" in page.text
        wrong = await show(person, code="123123")
        assert wrong.status_code == 401
        assert "This code is wrong, or was used already." in wrong.text
        came = await show(person, code=app.next(), next="/lobby")
        assert (came.status_code, came.headers["location"]) == (303, "/lobby")
        assert (await person.get("/api/session")).json()["name"] == "dealer"
        again = house.stranger()
        again.http.cookies.set("lammer_half", "not-one-of-ours")
        assert (await again.get("/sign-in/second")).headers["location"] == "/sign-in"


@in_loop
async def test_a_half_sign_in_is_over_after_some_tries_or_minutes(opens: Opens) -> None:
    async with opens(pages=True) as house:
        clock = by_hand(house)
        app = await with_app(await with_password(house, "dealer"), clock)
        tried = await half(house, "dealer")
        for _ in range(MOST_TRIES):
            clock.go(minutes=0.9)  # The throttle forgets nothing meanwhile, and makes nobody wait as long.
            assert (await show(tried, code="123123")).status_code in (401, 429)
        over = await show(tried, code=app.next())
        assert over.status_code == 401
        assert "took too long, or was tried too often" in over.text
        clock.go(minutes=16)
        late = await half(house, "dealer")
        clock.go(seconds=GOOD_FOR / SECOND)
        assert (await show(late, code=app.next())).status_code == 401
        assert (await late.get("/api/session")).status_code == 401
        assert (await show(await half(house, "dealer"), code=app.code())).status_code == 303


@in_loop
async def test_wrong_codes_wait_like_wrong_passwords_and_the_password_forgives_none(opens: Opens) -> None:
    async with opens() as house:
        clock = by_hand(house)
        app = await with_app(await with_password(house, "dealer"), clock)
        clock.go(seconds=30)
        for _ in range(FREE["name"]):
            assert code_of(await sign_in(house, "dealer", "123123")) == (401, "wrong_code")
        waits = await sign_in(house, "dealer", app.code())
        assert code_of(waits) == (429, "too_many_attempts"), "not even the right one is looked at"
        assert 0 < int(waits.headers["retry-after"]) <= 5
        longest = 0
        for _ in range(4):
            clock.go(seconds=int((await sign_in(house, "dealer", "123123")).headers.get("retry-after", "0")))
            assert code_of(await sign_in(house, "dealer", "123123")) == (401, "wrong_code")
            told = int((await sign_in(house, "dealer", app.code())).headers["retry-after"])
            assert told > longest, "the right password in between has bought nothing"
            longest = told
        clock.go(minutes=15)
        assert (await sign_in(house, "dealer", app.code())).status_code == 200
        await asyncio.to_thread(house.made.context.authenticator.denials.flush)
        denied = house.made.context.authenticator.denials.read(limit=1000)
        wrong = [each for each in denied if (each.who, each.code) == ("dealer", "wrong_code")]
        assert sum(each.times for each in wrong) == FREE["name"] + 4


@in_loop
async def test_recovery_codes_count_once_each(opens: Opens) -> None:
    async with opens() as house:
        clock = by_hand(house)
        person = await with_password(house, "dealer")
        app = await with_app(person, clock)
        assert len(set(app.recovery)) == 10
        first, second, *_ = app.recovery
        assert (await sign_in(house, "dealer", first.upper())).status_code == 200
        assert code_of(await sign_in(house, "dealer", first)) == (401, "wrong_code")
        told = (await person.get("/api/session/second-factor")).json()
        assert (told["app"], told["needed"], told["recovery_codes"]) == (True, False, 9)
        assert (await sign_in(house, "dealer", second.replace("-", " "))).status_code == 200
        with house.house.store.reading() as connection:
            kept = [row.digest for row in connection.execute(select(recovery_codes))]
        assert all(code.encode() not in digest for code in app.recovery for digest in kept)
        changes = [each.what for each in house.made.context.authenticator.accounts.changes()]
        assert changes.count("recovery code used") == 2


@in_loop
async def test_new_recovery_codes_end_those_before(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        clock = by_hand(house)
        person = await with_password(house, "dealer")
        app = await with_app(person, clock)
        assert (await form(person, "/second-factor/codes", password="wrong")).status_code == 401
        page = await form(person, "/second-factor/codes", password=PASSWORD)
        made = re.findall(r"<li><code>([a-z0-9-]{19})</code>", page.text)
        assert len(made) == 10
        assert code_of(await sign_in(house, "dealer", app.recovery[0])) == (401, "wrong_code")
        assert (await sign_in(house, "dealer", made[0])).status_code == 200


@in_loop
async def test_setting_an_app_up_on_the_page(opens: Opens) -> None:
    async with opens(pages=True) as house:
        clock = by_hand(house)
        person = await with_password(house, "dealer")
        other = (await sign_in(house, "dealer")).json()
        assert other["name"] == "dealer"
        assert (await form(person, "/second-factor/app", password="wrong")).status_code == 401
        page = await form(person, "/second-factor/app", password=PASSWORD)
        app = App(page.text.partition('<code id="secret">')[2].partition("<")[0], clock)
        assert 'class="qr"' in page.text
        assert "style=" not in page.text
        assert f"secret={app.secret}" in page.text
        assert (await sign_in(house, "dealer")).status_code == 200, "it counts when a code confirms it"
        slipped = await form(person, "/second-factor/app/confirm", code="000000")
        assert slipped.status_code == 401
        assert app.secret in slipped.text, "a slip of the finger needs no new picture"
        done = await form(person, "/second-factor/app/confirm", code=app.code())
        app.recovery = re.findall(r"<li><code>([a-z0-9-]{19})</code>", done.text)
        assert len(app.recovery) == 10
        shown = (await person.get("/second-factor")).text
        assert app.secret not in shown
        assert not any(code in shown for code in app.recovery)
        again = await form(person, "/second-factor/app", password=PASSWORD)
        assert again.status_code == 409
        assert "has an authenticator app already" in again.text
        assert (await sign_in(house, "dealer", app.next())).status_code == 200
        gone = await form(person, "/second-factor/remove", which="app", password=PASSWORD)
        assert gone.status_code == 303
        assert (await sign_in(house, "dealer")).status_code == 200
        what = [
            each.what for each in house.made.context.authenticator.accounts.changes() if each.by == "dealer"
        ]
        assert what == ["password changed", "authenticator app set up", "authenticator app removed"]


@in_loop
async def test_the_first_factor_ends_sessions_and_links_that_came_without(opens: Opens) -> None:
    async with opens() as house:
        clock = by_hand(house)
        person = await with_password(house, "dealer")
        other = house.stranger()
        assert (await other.post("/api/session", name="dealer", password=PASSWORD)).status_code == 200
        boss = await house.person("administrator")
        link = (await boss.post("/api/accounts/dealer/link")).json()["link"].partition("token=")[2]
        await with_app(person, clock)
        assert (await other.get("/api/session")).status_code == 401
        assert (await person.get("/api/session")).status_code == 200, "the one who set it up is in"
        assert code_of(await house.stranger().post("/api/session/link", token=link)) == (
            401,
            "link_not_valid",
        )


@in_loop
async def test_a_link_is_a_first_half_only(opens: Opens) -> None:
    """Neither does it open a session, nor does the password it brings count before the second half."""
    async with opens(pages=True) as house:
        clock = by_hand(house)
        person = await with_password(house, "dealer")
        app = await with_app(person, clock)
        boss = await house.person("administrator")

        async def link() -> str:
            made = await boss.post("/api/accounts/dealer/link")
            return str(made.json()["link"].partition("token=")[2])

        mine = "nine calm harbours"
        stolen = await house.stranger().post("/api/session/link", token=await link(), password=mine)
        assert code_of(stolen) == (401, "second_factor_needed")
        assert code_of(await sign_in(house, "dealer", app.next(), mine)) == (401, "sign_in_failed")
        assert (await person.get("/api/session")).status_code == 200, "nothing of the owner's has ended"
        on_page = house.stranger()
        told = await on_page.http.post("/link", data={"token": await link(), "password": mine})
        assert told.headers["location"] == "/sign-in/second"
        assert (await show(on_page, code=app.next())).status_code == 303
        assert (await person.get("/api/session")).status_code == 401, "a new password ends what was"
        assert (await sign_in(house, "dealer", app.next(), mine)).status_code == 200
        by_code = house.stranger()
        came = await by_code.post("/api/session/link", token=await link(), code=app.next())
        assert came.json()["name"] == "dealer"


@in_loop
async def test_where_it_is_required_staff_set_one_up_and_do_nothing_else(opens: Opens) -> None:
    async with opens(pages=True, second_factor="required") as house:
        clock = by_hand(house)
        person = house.stranger()
        came = await person.post("/api/session/link", token=house.links["pit_manager"], password=PASSWORD)
        person.http.headers["x-csrf-token"] = came.json()["csrf"]
        assert code_of(await person.get("/api/tables")) == (403, "second_factor_missing")
        asked = await person.ask("t1", "set_table", setup={})
        assert code_of(asked) == (403, "second_factor_missing"), "not by the short way either"
        for path in ("/", "/pit", "/lobby", "/audit"):
            told = await person.get(path)
            assert (told.status_code, told.headers["location"]) == (303, "/second-factor"), path
        page = await person.get("/second-factor")
        assert "This house asks its staff for a second factor" in page.text
        assert (await person.get(static_path("lammer.css"))).status_code == 200
        assert (await person.get("/api/session/second-factor")).json()["needed"] is True
        await with_app(person, clock)
        assert (await person.get("/api/tables")).status_code == 200
        assert (await person.get("/pit")).status_code == 200
        player = await house.person("player")
        assert (await player.get("/api/tables")).status_code == 200, "players may do without"
        await asyncio.to_thread(house.made.context.authenticator.denials.flush)
        denied = house.made.context.authenticator.denials.read(limit=1000)
        assert {each.who for each in denied if each.code == "second_factor_missing"} == {"pit_manager"}


STAFF = ("dealer", "pit_supervisor", "pit_manager", "table_game_shift_manager", "auditor", "administrator")


@in_loop
async def test_every_route_is_closed_to_staff_without_one(tmp_path: Path) -> None:
    """But for those that set one up: a new route is closed until it says otherwise."""
    async with open_house(tmp_path, pages=True, second_factor="required") as house:
        for role in STAFF:
            person, nobody = await house.person(role), house.stranger()
            for route in house.app.app.routes:  # type: ignore[attr-defined]
                path = re.sub(r"\{[^}]*\}", "t1", route.path)
                if (
                    path.startswith(("/api/session", "/second-factor", "/sign-in"))
                    or "GET" not in route.methods
                ):
                    continue
                told, same = await nobody.get(path), await person.get(path)
                if path == "/" or (told.headers.get("location") or "").startswith("/sign-in"):
                    assert same.headers["location"] == "/second-factor", path
                elif told.status_code == 401:
                    assert code_of(same) == (403, "second_factor_missing"), path
                else:
                    assert same.status_code == told.status_code, path


@in_loop
async def test_devices_are_not_asked(tmp_path: Path) -> None:
    async with open_house(tmp_path, second_factor="required") as house:
        clock = by_hand(house)
        for role in ("administrator", "pit_manager"):
            await with_app(await house.person(role), clock, password="")
        await house.table()
        board = await house.key("t1", "display_board")
        assert (await board.get("/api/tables/t1")).status_code == 200


@in_loop
async def test_where_it_is_off_nobody_is_asked(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        app = await with_app(await with_password(house, "dealer"), by_hand(house))
        assert app.recovery
    async with open_house(tmp_path, pages=True, second_factor="off") as house:
        by_hand(house)
        person = house.stranger()
        came = await person.post("/api/session", name="dealer", password=PASSWORD)
        assert came.status_code == 200
        person.http.headers["x-csrf-token"] = came.json()["csrf"]
        begun = await person.post("/api/session/second-factor", password=PASSWORD)
        assert code_of(begun) == (409, "second_factor_off")
        assert "/second-factor" not in (await person.get("/lobby")).text


async def removal(house: OpenHouse, name: str = "dealer", reason: str = "lost phone") -> Any:
    boss = await house.person("administrator")
    return await boss.post(f"/api/accounts/{name}/second-factor/remove", reason=reason)


@in_loop
async def test_taking_a_factor_away_takes_two_people(opens: Opens) -> None:
    async with opens(pages=True) as house:
        clock = by_hand(house)
        boss, second = await house.person("administrator"), await house.person("table_game_shift_manager")
        person = await with_password(house, "dealer")
        await with_app(person, clock)
        assert code_of(await removal(house, "player")) == (404, "no_second_factor")
        assert code_of(await removal(house, reason=" ")) == (422, "reason_needed")
        waiting = await removal(house)
        assert waiting.status_code == 202, waiting.text
        path = f"/api/accounts/proposals/{waiting.json()['waiting']}"
        assert code_of(await boss.post(f"{path}/agree")) == (403, "same_person")
        assert code_of(await sign_in(house, "dealer")) == (401, "second_factor_needed"), (
            "nothing has happened"
        )
        told = "administrator asks to take the second factor of dealer (dealer) away"
        for page in (await boss.get("/accounts"), await second.get("/pit")):
            assert told in page.text
        assert (await second.post(f"{path}/agree")).status_code == 200
        assert (await person.get("/api/session")).status_code == 401, "sessions are over"
        assert (await sign_in(house, "dealer")).status_code == 200
        done = "The second factor of dealer (dealer) was taken away by administrator and table_game"
        for role, where in (("administrator", "/accounts"), ("pit_supervisor", "/pit")):
            assert done in (await (await house.person(role)).get(where)).text
        changes = [(each.by, each.what) for each in house.made.context.authenticator.accounts.changes()]
        assert ("administrator", "removal of the second factor asked for: lost phone") in changes
        by = "administrator and table_game_shift_manager"
        assert (by, "second factor removed: lost phone") in changes
        with house.house.store.reading() as connection:
            for table in (authenticators, recovery_codes, half_sign_ins):
                assert connection.execute(select(table)).first() is None, table.name


@in_loop
async def test_the_page_asks_for_a_removal(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        clock = by_hand(house)
        await with_app(await with_password(house, "dealer"), clock)
        boss = await house.person("administrator")
        assert "Take the second factor of dealer away" in (await boss.get("/accounts")).text
        asked = await form(boss, "/accounts/people/dealer", do="factor", reason="lost phone")
        assert asked.status_code == 303
        page = (await boss.get("/accounts", headers={"accept-language": "zh"})).text
        assert "申请取消 dealer" in page
        number = page.partition("/accounts/proposals/")[2].partition('"')[0]
        second = await house.person("table_game_shift_manager")
        assert (await form(second, f"/accounts/proposals/{number}", do="agree")).status_code == 303
        assert (await sign_in(house, "dealer")).status_code == 200


@in_loop
async def test_at_the_machine_one_person_is_enough_and_all_are_told(opens: Opens) -> None:
    async with opens(pages=True) as house:
        clock = by_hand(house)
        person = await with_password(house, "dealer")
        await with_app(person, clock)
        authenticator = house.made.context.authenticator
        removed = partial(remove_factor, house.house.store, "dealer", "lost phone", by="machine:eve")
        await asyncio.to_thread(removed)
        authenticator.accounts.tell_changed(
            "dealer"
        )  # Another process is told within a second; here the clock stands.
        assert (await person.get("/api/session")).status_code == 401
        assert (await sign_in(house, "dealer")).status_code == 200
        told = "The second factor of dealer (dealer) was taken away at the machine by machine:eve"
        assert told in (await (await house.person("pit_supervisor")).get("/pit")).text
        with pytest.raises(Refused, match="no_second_factor"):
            await asyncio.to_thread(removed)
        assert (await (await house.person("administrator")).get("/api/accounts/proposals")).json() == []


def test_what_is_on_the_way_ends_with_whatever_ends_sessions(store: Store) -> None:
    clock = Clock()
    authenticator = Authenticator(store, clock, passwords=quick(), ticks=clock.ticks)
    try:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        _, session = authenticator.sign_in("anna", GOOD, HERE)
        app = App(authenticator.factors.begin_app("anna"), clock)
        authenticator.factors.confirm_app("anna", app.code(), session.id)

        def on_the_way() -> str:
            clock.go(seconds=1)
            with pytest.raises(FactorNeeded) as needed:
                authenticator.sign_in("anna", GOOD, HERE)
            return needed.value.half

        first = on_the_way()
        assert first not in repr(authenticator.half_sign_ins.look(first))
        authenticator.accounts.disable("anna", by="boss")
        authenticator.accounts.enable("anna", by="boss")
        for gone in (first, "never-one"):
            with pytest.raises(Refused, match="half_sign_in_over"):
                authenticator.go_on(gone, HERE, code=app.next())
        good = on_the_way()
        token, session = authenticator.go_on(good, HERE, code=app.next())
        assert authenticator.sessions.find(token) == session
        assert session.factor
        with pytest.raises(Refused, match="half_sign_in_over"):
            authenticator.go_on(good, HERE, code=app.next())
        halves = [on_the_way() for _ in range(8)]
        with pytest.raises(Refused, match="half_sign_in_over"):
            authenticator.half_sign_ins.look(halves[0])
        assert authenticator.half_sign_ins.look(halves[-1]).account.name == "anna"
    finally:
        authenticator.close()


def test_a_factor_set_up_meanwhile_is_asked_for(store: Store) -> None:
    """Who came past the password before it was there does not slip in behind it."""
    clock = Clock()
    authenticator = Authenticator(store, clock, passwords=quick(), ticks=clock.ticks)
    try:
        anna = authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        app = App(authenticator.factors.begin_app("anna"), clock)
        authenticator.factors.confirm_app("anna", app.code(), "")
        with pytest.raises(Refused, match="half_sign_in_over"):
            authenticator.sessions.start(anna, HERE, without_factor=True)
        assert authenticator.sessions.list("anna") == ()
    finally:
        authenticator.close()
