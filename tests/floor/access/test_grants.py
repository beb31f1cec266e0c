"""One administrator alone gives nobody authority: two people do, and all who decide are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from lammer.floor.access.at_the_machine import machine_user, make
from lammer.rulebook.refusal import Refused
from support.houses import House
from support.open_house import OpenHouse, Person, in_loop, open_house

DECIDING = ("pit_supervisor", "pit_manager", "table_game_shift_manager", "administrator")


async def asked(person: Person, name: str, role: str) -> httpx.Response:
    return await person.post("/api/accounts", name=name, title=name, role=role)


async def agreed(person: Person, waiting: httpx.Response, do: str = "agree") -> httpx.Response:
    assert waiting.status_code == 202, waiting.text
    return await person.post(f"/api/accounts/proposals/{waiting.json()['waiting']}/{do}")


def token_of(answer: httpx.Response) -> str:
    return str(answer.json()["link"].partition("token=")[2])


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


async def accounts(house: OpenHouse) -> dict[str, Any]:
    found = (await (await house.person("administrator")).get("/api/accounts")).json()
    return {each["name"]: each for each in found}


@pytest.mark.parametrize("role", DECIDING)
@in_loop
async def test_one_administrator_makes_nobody_who_decides(tmp_path: Path, role: str) -> None:
    async with open_house(tmp_path) as house:
        boss, second = await house.person("administrator"), await house.person("table_game_shift_manager")
        waiting = await asked(boss, "anna", role)
        assert waiting.status_code == 202
        assert "link" not in waiting.json()
        assert "anna" not in await accounts(house)
        assert code(await agreed(boss, waiting)) == (403, "same_person")
        made = await agreed(second, waiting)
        assert made.status_code == 200, made.text
        assert (await house.signed_in(token_of(made))).role == role
        assert code(await agreed(second, waiting)) == (404, "unknown_proposal"), "once"
        changes = (await boss.get("/api/accounts/changes")).json()
        assert ("administrator and table_game_shift_manager", "anna", f"created as {role}") in {
            (each["by"], each["account"], each["what"]) for each in changes
        }


@in_loop
async def test_nor_does_he_come_in_as_somebody_who_decides(tmp_path: Path) -> None:
    """Neither by a link for a manager, nor by making more of an account they can enter."""
    async with open_house(tmp_path) as house:
        boss, second = await house.person("administrator"), await house.person("table_game_shift_manager")
        assert (await boss.post("/api/accounts/pit_manager/link")).status_code == 202
        assert (await boss.post("/api/accounts/dealer/link")).status_code == 201, "a dealer decides nothing"
        assert (await asked(boss, "eve", "dealer")).status_code == 201
        raised = await boss.http.patch("/api/accounts/eve", json={"role": "pit_manager"})
        assert raised.status_code == 202
        assert (await accounts(house))["eve"]["role"] == "dealer"
        assert (await agreed(second, raised)).status_code == 200
        assert (await accounts(house))["eve"]["role"] == "pit_manager"
        lowered = await boss.http.patch("/api/accounts/eve", json={"role": "dealer", "active": False})
        assert lowered.json()["role"] == "dealer", "to take authority away nobody has to agree"
        gone = await boss.http.patch("/api/accounts/pit_supervisor", json={"active": False})
        assert gone.json()["active"] is False
        back = await boss.http.patch("/api/accounts/pit_supervisor", json={"active": True})
        assert back.status_code == 202
        assert (await agreed(second, back)).json()["active"] is True


@in_loop
async def test_who_may_agree(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        boss, shift = await house.person("administrator"), await house.person("table_game_shift_manager")
        first = await asked(boss, "anna", "pit_manager")
        for role in ("dealer", "pit_manager", "auditor"):
            assert code(await agreed(await house.person(role), first)) == (403, "not_your_role"), role
        other = await house.signed_in(token_of(await agreed(shift, await asked(boss, "root2", DECIDING[3]))))
        assert code(await agreed(shift, first)) == (403, "not_your_role"), (
            "there is another administrator now"
        )
        assert (await agreed(other, first)).status_code == 200
        again = await asked(boss, "bo", "pit_manager")
        assert (await other.http.patch("/api/accounts/administrator", json={"active": False})).is_success
        assert code(await agreed(other, again)) == (403, "not_your_role"), "who asked may not any more"
        assert (await agreed(other, again, "decline")).json()["stands"] == "declined"


@in_loop
async def test_what_is_declined_never_happens(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        boss, second = await house.person("administrator"), await house.person("table_game_shift_manager")
        waiting = await asked(boss, "anna", "pit_manager")
        assert (await asked(boss, "anna", "pit_manager")).json() == waiting.json(), (
            "asked twice, it waits once"
        )
        listed = (await second.get("/api/accounts/proposals")).json()
        assert [(each["account"], each["by"], each["stands"]) for each in listed] == [
            ("anna", "administrator", "waiting")
        ]
        assert (await agreed(second, waiting, "decline")).json()["stands"] == "declined"
        assert code(await agreed(second, waiting)) == (404, "unknown_proposal")
        assert "anna" not in await accounts(house)


@in_loop
async def test_it_is_told_to_all_who_decide(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        boss, second = await house.person("administrator"), await house.person("table_game_shift_manager")
        form = {"csrf": boss.http.headers["x-csrf-token"], "name": "anna", "title": "", "role": "pit_manager"}
        assert (await boss.http.post("/accounts", data=form)).status_code == 303
        page = (await second.get("/pit")).text
        assert "administrator asks for an account anna as pit manager" in page
        number = page.partition("/accounts/proposals/")[2].partition('"')[0]
        yes = {"csrf": second.http.headers["x-csrf-token"], "do": "agree"}
        shown = await second.http.post(f"/accounts/proposals/{number}", data=yes)
        assert 'id="once-link">http://house/link?token=' in shown.text
        told = "anna was made pit manager by administrator and table_game_shift_manager"
        for person, path in ((boss, "/accounts"), (await house.person("pit_supervisor"), "/pit")):
            assert told in (await person.get(path)).text
        assert told not in (await (await house.person("dealer")).get("/pit")).text
        chinese = await boss.get("/accounts", headers={"accept-language": "zh"})
        assert "任命 anna 为" in chinese.text


def test_at_the_machine_nobody_has_to_agree(house: House, tmp_path: Path) -> None:
    """The first accounts of a house, and what whoever keeps the machine does, are exempt and written down."""
    store = house.open()
    token = make(store, "root2", "", "administrator", by=machine_user())
    assert token
    with pytest.raises(Refused):
        make(store, "root2", "", "administrator", by=machine_user())
