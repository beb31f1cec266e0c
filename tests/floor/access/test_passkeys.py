"""Passkeys as a second factor, with an authenticator in software: what holds, and every way it must not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from lammer.floor.record.people import challenges, passkeys
from support.factored import (
    NAMED,
    PASSWORD,
    by_hand,
    form,
    half,
    options,
    show,
    sign_in,
    with_app,
    with_password,
)
from support.houses import House as Place
from support.open_house import Person, in_loop, open_house
from support.software_key import SoftwareKey, text

Opens = Callable[..., Any]


@pytest.fixture
def opens(house: Place, tmp_path: Path) -> Opens:
    """A house on either database, under a name of its own."""
    return lambda **given: open_house(
        tmp_path / "folder", store=house.where, pages=True, **({"public": NAMED} | given)
    )


async def begun(person: Person, title: str = "blue key") -> str:
    page = await form(person, "/second-factor/passkey", password=PASSWORD, title=title)
    assert page.status_code == 200, page.text
    return options(page)


async def added(person: Person, key: SoftwareKey, asked: str = "") -> httpx.Response:
    made = key.make(asked or await begun(person))
    return await form(person, "/second-factor/passkey/add", passkey=made, title="blue key")


async def asked_at_sign_in(person: Person) -> str:
    return options(await person.get("/sign-in/second"))


@in_loop
async def test_a_passkey_is_made_and_signs_in(opens: Opens) -> None:
    async with opens() as house:
        by_hand(house)
        person, key = await with_password(house, "dealer"), SoftwareKey(NAMED)
        asked = json.loads(await begun(person))
        assert (asked["rp"]["id"], asked["attestation"]) == ("house", "none")
        assert asked["authenticatorSelection"]["userVerification"] == "preferred"
        done = await added(person, key)
        codes = re.findall(r"<li><code>([a-z0-9-]{19})</code>", done.text)
        assert len(codes) == 10, "the first factor comes with them"
        assert "blue key" in (await person.get("/second-factor")).text
        come = await half(house, "dealer")
        page = await come.get("/sign-in/second")
        assert "A recovery code" in page.text, "there is no app"
        assert (await show(come, passkey=key.sign(options(page)))).status_code == 303
        assert (await come.get("/api/session")).json()["name"] == "dealer"
        with house.house.store.reading() as connection:
            row = connection.execute(select(passkeys)).one()
        assert (row.counter, row.title) == (1, "blue key")
        assert (await sign_in(house, "dealer", codes[0])).status_code == 200
        person = await in_by(house, key)
        gone = await form(person, "/second-factor/remove", which=row.id, password=PASSWORD)
        assert gone.status_code == 303
        assert (await sign_in(house, "dealer")).status_code == 200


async def in_by(house: Any, key: SoftwareKey) -> Person:
    """The dealer, in by the passkey."""
    come: Person = await half(house, "dealer")
    assert (await show(come, passkey=key.sign(await asked_at_sign_in(come)))).status_code == 303
    come.http.headers["x-csrf-token"] = (await come.get("/api/session")).json()["csrf"]
    return come


@in_loop
async def test_a_copy_left_behind_is_refused(opens: Opens) -> None:
    """A counter that does not grow is a cloned key, or the same answer again."""
    async with opens() as house:
        by_hand(house)
        person, key = await with_password(house, "dealer"), SoftwareKey(NAMED)
        await added(person, key)
        copy = SoftwareKey(NAMED, key.counter, key.id, key._private)
        for _ in range(2):
            await in_by(house, key)
        come = await half(house, "dealer")
        refused = await show(come, passkey=copy.sign(await asked_at_sign_in(come)))
        assert refused.status_code == 401
        assert "does not fit what it was asked" in refused.text
        assert (await come.get("/api/session")).status_code == 401
        await in_by(house, key)


@in_loop
async def test_a_key_that_does_not_count_signs_in_every_time(opens: Opens) -> None:
    """Keys that are on several devices at once say 0 always."""
    async with opens() as house:
        by_hand(house)
        key = SoftwareKey(NAMED, counter=-1)
        await added(await with_password(house, "dealer"), key)
        for _ in range(2):
            await in_by(house, key)


@in_loop
async def test_what_signs_something_else_is_refused(opens: Opens) -> None:
    async with opens() as house:
        clock = by_hand(house)
        person, key = await with_password(house, "dealer"), SoftwareKey(NAMED)
        await added(person, key)
        come = await half(house, "dealer")
        first = await asked_at_sign_in(come)
        said = key.sign(first)
        elsewhere = SoftwareKey("https://h0use", key.counter, key.id, key._private)
        strange = SoftwareKey(NAMED, key.counter + 5, key.id)
        wrong = {
            "another origin": elsewhere.sign(first),
            "a challenge of its own": key.sign(first, challenge=text(bytes(32))),
            "another key under the same name": strange.sign(first),
            "no JSON": "rubbish",
            "JSON of nothing": "{}",
            "a list": "[]",
            "far too long": "x" * 30_000,
        }
        for why, given in wrong.items():
            clock.go(minutes=16)
            come = await half(house, "dealer")
            assert (await show(come, passkey=given)).status_code == 401, why
            assert (await come.get("/api/session")).status_code == 401, why
        clock.go(minutes=16)
        late = await show(await half(house, "dealer"), passkey=said)
        assert late.status_code == 401, "it answers the challenge of another sign-in"
        clock.go(minutes=16)
        await in_by(house, key)


@in_loop
async def test_a_challenge_is_good_for_one_try(opens: Opens) -> None:
    async with opens() as house:
        by_hand(house)
        person, key = await with_password(house, "dealer"), SoftwareKey(NAMED, counter=-1)
        await added(person, key)
        come = await half(house, "dealer")
        asked = await asked_at_sign_in(come)
        assert (await show(come, code="123123")).status_code == 401
        assert await asked_at_sign_in(come) != asked, "a try has used it up"
        assert (await show(come, passkey=key.sign(asked))).status_code == 401
        said = key.sign(await asked_at_sign_in(come))
        token = come.http.cookies["lammer_half"]
        assert (await show(come, passkey=said)).status_code == 303
        again = house.stranger()
        again.http.cookies.set("lammer_half", token)
        assert (await show(again, passkey=said)).status_code == 401, "replayed"


@in_loop
async def test_a_passkey_of_somebody_else_is_none(opens: Opens) -> None:
    async with opens() as house:
        by_hand(house)
        mine, others = SoftwareKey(NAMED), SoftwareKey(NAMED)
        await added(await with_password(house, "dealer"), mine)
        player = await with_password(house, "player")
        taken = SoftwareKey(NAMED, 0, mine.id)
        assert (await added(player, taken)).status_code == 401, "it is the dealer's"
        assert (await added(player, others)).status_code == 200
        come = await half(house, "player")
        asked = json.loads(await asked_at_sign_in(come))
        asked["allowCredentials"] = [{"id": text(mine.id), "type": "public-key"}]
        assert (await show(come, passkey=mine.sign(json.dumps(asked)))).status_code == 401
        assert (await come.get("/api/session")).status_code == 401


@in_loop
async def test_a_new_passkey_answers_its_own_challenge_in_time(opens: Opens) -> None:
    async with opens() as house:
        clock = by_hand(house)
        person, key = await with_password(house, "dealer"), SoftwareKey(NAMED)
        assert (await form(person, "/second-factor/passkey", password="wrong")).status_code == 401
        first = await begun(person)
        await begun(person)
        assert (await added(person, key, first)).status_code == 401, "a later one stands"
        assert (await added(person, SoftwareKey("https://h0use"))).status_code == 401
        late = await begun(person)
        clock.go(minutes=5)
        assert (await added(person, key, late)).status_code == 401
        asked = await begun(person)
        assert (await added(person, key, asked)).status_code == 200
        assert (await added(person, SoftwareKey(NAMED), asked)).status_code == 401, "once"
        with house.house.store.reading() as connection:
            assert connection.execute(select(challenges)).first() is None
            assert len(connection.execute(select(passkeys)).all()) == 1


@in_loop
async def test_app_and_passkeys_beside_each_other(opens: Opens) -> None:
    async with opens() as house:
        clock = by_hand(house)
        person, key = await with_password(house, "dealer"), SoftwareKey(NAMED)
        app = await with_app(person, clock)
        done = await added(person, key)
        assert done.status_code == 303, "recovery codes are there already"
        await in_by(house, key)
        assert (await sign_in(house, "dealer", app.next())).status_code == 200
        person = await in_by(house, key)
        assert (
            await form(person, "/second-factor/remove", which="app", password=PASSWORD)
        ).status_code == 303
        assert (await sign_in(house, "dealer", app.next())).status_code == 401, "the passkey is left"
        assert (await sign_in(house, "dealer", app.recovery[0])).status_code == 200


@in_loop
async def test_an_address_without_a_name_has_no_passkeys(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        person = await with_password(house, "dealer")
        assert "at this address there are none" in (await person.get("/second-factor")).text
        assert (await form(person, "/second-factor/passkey", password=PASSWORD)).status_code == 401
