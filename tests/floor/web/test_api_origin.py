"""Every request that changes something proves that it comes from the house's own pages; all are tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from lammer.floor.record.store.opening import open_record
from lammer.floor.web.app import application
from support.awaited import GUARD, until
from support.in_a_thread import Served

READS_ONLY: Final = {"GET", "HEAD", "OPTIONS"}
FOR_STRANGERS: Final = {
    "POST /api/session",
    "POST /api/session/link",
    "POST /sign-in",
    "POST /sign-in/second",
    "POST /link",
    "POST /language",
    "POST /tables/{table:str}/hint",
    "POST /workbench",
    "POST /workbench/file",
    "POST /workbench/language",
}
"""Nobody is in yet, so there is no session to be misused; the others are about what a browser shows, or try a
rulebook of which nothing is kept."""
FOR_MACHINES: Final = {"POST /peers/ask", "POST /api/tables/{table:str}/readings"}
"""Known by a signature or a key that no browser sends by itself."""
BODIES: Final[dict[str, dict[str, Any]]] = {
    "POST /api/tables": {"table": "t2"},
    "POST /api/tables/{table:str}/commands": {"do": "open_bets"},
    "POST /api/session/password": {"old": "seven lucky tigers", "new": "eight lucky buffaloes"},
    "POST /api/accounts": {"name": "eve", "title": "", "role": "dealer"},
    "PATCH /api/accounts/{name:str}": {"role": "administrator"},
    "POST /api/keys": {"table": "t1", "purpose": "display_board"},
    "POST /api/tables/{table:str}/readings": {"sequence": 1, "card": "9H"},
}


def changing() -> Iterator[str]:
    for route in application().routes:
        for method in getattr(route, "methods", ()):
            if method not in READS_ONLY:
                yield f"{method} {route.path}"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, dict[str, httpx.Client]]]:
    house = Served(tmp_path_factory.mktemp("origin"))
    people = {}
    for role in ("administrator", "pit_manager", "player"):
        people[role] = httpx.Client(base_url=house.address, timeout=GUARD)
        came = people[role].post("/api/session/link", json={"token": house.links[role]})
        if role == "administrator":
            token = {"x-csrf-token": came.json()["csrf"]}
            assert people[role].post("/api/tables", json={"table": "t1"}, headers=token).status_code == 201
    yield house, people
    for person in people.values():
        person.close()
    house.close()


def kept(house: Served) -> list[Any]:
    """Everything in the record, but for denials and when a session was last seen."""
    record = open_record(Path(house.settings.data) / "house.sqlite")
    try:
        with record.reading() as connection:
            names = ("events", "accounts", "account_changes", "api_keys", "house_tables", "proposals")
            return [connection.exec_driver_sql(f"SELECT * FROM {name}").all() for name in names]
    finally:
        record.close()


@pytest.mark.parametrize("route", sorted(set(changing()) - FOR_STRANGERS))
def test_nothing_changes_without_the_token_of_the_session(
    served: tuple[Served, dict[str, httpx.Client]], route: str
) -> None:
    house, people = served
    method, _, path = route.partition(" ")
    filled = re.sub(
        r"\{(\w+):\w+\}", lambda found: {"table": "t1", "name": "player"}.get(found[1], "1"), path
    )
    before = kept(house)
    for role, person in people.items():
        for token in ({}, {"x-csrf-token": "0" * 64}):
            if path.startswith("/api/"):
                answer = person.request(method, filled, json=BODIES.get(route, {}), headers=token)
            else:
                accept = token | {"accept": "application/json"}
                answer = person.request(method, filled, data={"csrf": "0" * 64}, headers=accept)
            if not path.startswith("/api/") and path != "/peers/ask":
                assert answer.status_code == 403, (role, answer.status_code)
                continue
            said = answer.status_code, answer.json()["code"]
            if route in FOR_MACHINES:
                assert said == (401, "not_signed_in"), (role, said)
            else:
                # Where the role is looked at first, it is refused for that.
                assert said in ((403, "wrong_origin"), (403, "not_your_role")), (role, said, answer.text)
    assert kept(house) == before
    for role, person in people.items():
        assert person.get("/api/session").json()["role"] == role, "nobody was signed out"


def test_every_route_for_strangers_is_there() -> None:
    assert set(changing()) >= FOR_STRANGERS | FOR_MACHINES
    assert set(BODIES) <= set(changing())


def test_what_strangers_may_send_is_no_form_of_another_site(
    served: tuple[Served, dict[str, httpx.Client]],
) -> None:
    """A browser sends JSON to another site only after asking, and the house does not answer that it may."""
    house, _ = served
    for path in ("/api/session", "/api/session/link"):
        form = httpx.post(
            f"{house.address}{path}", data={"name": "eve", "token": "x", "password": "y"}, timeout=GUARD
        )
        assert form.status_code == 415
        asks = {"Origin": "http://localhost:1", "Access-Control-Request-Method": "POST"}
        preflight = httpx.options(f"{house.address}{path}", headers=asks)
        assert "access-control-allow-origin" not in preflight.headers


ELSEWHERE: Final[tuple[dict[str, str], ...]] = (
    {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
)
"""What a browser says of a form on another site's page, of today and of some years ago."""


@pytest.mark.parametrize("said", ELSEWHERE, ids=lambda said: " ".join(said.values()))
@pytest.mark.parametrize("route", sorted(FOR_STRANGERS | {"POST /sign-out", "DELETE /api/session"}))
def test_another_sites_page_changes_nothing_here(
    served: tuple[Served, dict[str, httpx.Client]], route: str, said: dict[str, str]
) -> None:
    """Nobody is signed in or out by a page they did not mean to use; nothing is tried for it either."""
    house, people = served
    method, _, path = route.partition(" ")
    filled = path.replace("{table:str}", "t1")
    sent: dict[str, Any] = {"name": "eve", "token": house.links["dealer"], "password": "seven lucky tigers"}
    body = {"json": sent} if path.startswith("/api/") else {"data": sent}
    accept = said | {"accept": "application/json"}
    answer = httpx.request(method, f"{house.address}{filled}", headers=accept, timeout=GUARD, **body)  # type: ignore[arg-type]
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    assert "set-cookie" not in answer.headers, "no cookie is given and none is taken away"
    for role, person in people.items():
        assert person.get("/api/session").json()["role"] == role


def test_a_persons_own_token_is_no_pass_for_another_sites_page(
    served: tuple[Served, dict[str, httpx.Client]],
) -> None:
    _, people = served
    player = people["player"]
    headers = {"x-csrf-token": player.get("/api/session").json()["csrf"], "origin": "https://evil.example"}
    answer = player.post("/api/tables/t1/commands", json={"do": "take_seat", "box": 1}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    until(lambda: "wrong_origin" in [each["code"] for each in _denials(people["administrator"], "player")])


def _denials(reader: httpx.Client, who: str) -> list[dict[str, Any]]:
    found = reader.get("/api/denials", params={"limit": 1000}).json()
    return [each for each in found if each["who"] == who]


def test_our_own_pages_and_programs_come_in(served: tuple[Served, dict[str, httpx.Client]]) -> None:
    house, _ = served
    ours: tuple[dict[str, str], ...] = (
        {},
        {"origin": house.address},
        {"sec-fetch-site": "same-origin", "origin": house.address},
    )
    for said in ours:
        answer = httpx.post(f"{house.address}/language", data={"language": "zh"}, headers=said)
        assert answer.status_code == 303, said
        wrong = {"name": "nobody", "password": "seven lucky tigers"}
        tried = httpx.post(f"{house.address}/sign-in", data=wrong, headers=said, timeout=GUARD)
        assert tried.status_code == 401, said


def test_a_form_of_another_site_is_told_so_on_a_page(
    served: tuple[Served, dict[str, httpx.Client]],
) -> None:
    house, _ = served
    headers = {"origin": "https://evil.example", "accept": "text/html", "accept-language": "zh"}
    answer = httpx.post(f"{house.address}/sign-in", data={"name": "a"}, headers=headers)
    assert answer.status_code == 403
    assert "此请求来自其他网站的页面" in answer.text
