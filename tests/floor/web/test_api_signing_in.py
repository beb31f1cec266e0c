"""Signing in over HTTP: what it ends, which passwords it takes, and what its refusals do not tell."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from lammer.floor.access.throttle import FREE
from lammer.floor.record.monotonic_clock import MonotonicClock
from support.guests import Clock
from support.open_house import OpenHouse, Person, in_loop, open_house

GOOD: Final = "seven quiet lanterns"


async def with_password(house: OpenHouse, role: str, password: str = GOOD) -> Person:
    """Somebody of that role who has chosen a password."""
    person = house.stranger()
    came = await person.post("/api/session/link", token=house.links[role], password=password)
    assert came.status_code == 200, came.text
    person.http.headers["x-csrf-token"] = came.json()["csrf"]
    return person


def no_time_passes(house: OpenHouse) -> None:
    """However long passwords take to compare here, no wait is over meanwhile."""
    house.made.context.authenticator.throttle._now = MonotonicClock(Clock(), lambda: 0.0)


@pytest.mark.parametrize("path", ["/api/session", "/sign-in"])
@in_loop
async def test_signing_in_again_ends_the_session_one_came_with(tmp_path: Path, path: str) -> None:
    async with open_house(tmp_path, pages=True) as house:
        person = await with_password(house, "dealer")
        copied = house.stranger()
        copied.http.cookies.set("lammer_session", person.http.cookies["lammer_session"])
        assert (await copied.get("/api/session")).status_code == 200
        known = {"name": "dealer", "password": GOOD}
        body = {"json": known} if path.startswith("/api") else {"data": known}
        assert (await person.http.post(path, **body)).status_code in (200, 303)  # type: ignore[arg-type]
        assert (await person.get("/api/session")).json()["name"] == "dealer"
        assert (await copied.get("/api/session")).status_code == 401, "the one before is over"


@in_loop
async def test_a_link_ends_the_session_one_came_with(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        person = await with_password(house, "player")
        copied = house.stranger()
        copied.http.cookies.set("lammer_session", person.http.cookies["lammer_session"])
        assert (await person.post("/api/session/link", token=house.links["dealer"])).status_code == 200
        assert (await person.get("/api/session")).json()["name"] == "dealer"
        assert (await copied.get("/api/session")).status_code == 401


@in_loop
async def test_a_failed_sign_in_ends_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        person = await with_password(house, "dealer")
        assert (await person.post("/api/session", name="dealer", password="wrong")).status_code == 401
        assert (await person.get("/api/session")).status_code == 200


@in_loop
async def test_a_season_and_a_year_are_no_password(tmp_path: Path) -> None:
    async with open_house(tmp_path, public="https://grandlisboa.example") as house:
        person = house.stranger()
        for weak in ("Summer2026!!", "Grandlisboa-26", "Dealer-dealer-1"):
            came = await person.post("/api/session/link", token=house.links["dealer"], password=weak)
            assert (came.status_code, came.json()["code"]) == (422, "weak_password"), weak
        came = await person.post("/api/session/link", token=house.links["dealer"], password=GOOD)
        assert came.status_code == 200, "the link was not used up"


@in_loop
async def test_failing_is_answered_alike_for_every_name(tmp_path: Path) -> None:
    """Whoever came in here, has an account elsewhere, or none at all: the answers do not tell."""
    async with open_house(tmp_path) as house:
        no_time_passes(house)
        await with_password(house, "dealer")  # Known at this address from now on.
        names = ("dealer", "player", "nobody-at-all")

        async def tried(name: str) -> int:
            return (await house.stranger().post("/api/session", name=name, password="a guess")).status_code

        each = {name: [await tried(name) for _ in range(FREE["name"] + 2)] for name in names}
        assert len({tuple(codes) for codes in each.values()}) == 1, each
        for number in range(FREE["address"]):
            await tried(f"somebody-{number}")
        assert {await tried(name) for name in (*names, "a-new-name")} == {429}


@in_loop
async def test_who_is_known_here_comes_in_all_the_same(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        no_time_passes(house)
        await with_password(house, "dealer")
        for number in range(FREE["address"] + 1):
            await house.stranger().post("/api/session", name=f"somebody-{number}", password="a guess")
        right = await house.stranger().post("/api/session", name="dealer", password=GOOD)
        assert right.status_code == 200
        wrong = await house.stranger().post("/api/session", name="dealer", password="a guess")
        assert wrong.status_code == 429
