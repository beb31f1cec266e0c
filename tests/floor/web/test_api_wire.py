"""What a request has to be before anybody looks at what it asks; and that who asks is looked at first."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest

from floor.tables.test_roles import ROWS, least
from lammer.floor.settings import Settings
from lammer.floor.tables.least_role import least_role
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from support.awaited import GUARD
from support.in_a_thread import Served
from support.open_house import OpenHouse, Person, in_loop, open_house

JSON: Final = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    house = Served(tmp_path_factory.mktemp("wire"))
    yield house
    house.close()


def answered(house: Served, sent: bytes) -> tuple[int, dict[str, Any]]:
    """What is said to these bytes: the status, and the problem if it is one."""
    there = urlsplit(house.address)
    with socket.create_connection((there.hostname, there.port), timeout=GUARD) as line:
        line.sendall(sent)
        told = b""
        while piece := line.recv(65536):
            told += piece
    head, _, body = told.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body) if b"problem+json" in head else {}


@pytest.mark.parametrize("path", ["/%00", "/api/tables/%00", "/static/x/%00.css", "/api/tables?find=%00"])
def test_a_nul_byte_is_no_address(served: Served, path: str) -> None:
    answer = httpx.get(f"{served.address}{path}", timeout=GUARD)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_input")


@pytest.mark.parametrize("hosts", [b"", b"Host: \r\n", b"Host: house\r\nHost: evil.example\r\n"])
def test_a_request_names_one_host(served: Served, hosts: bytes) -> None:
    status, told = answered(served, b"GET /sign-in HTTP/1.1\r\n" + hosts + b"Connection: close\r\n\r\n")
    assert (status, told["code"]) == (400, "malformed_input")
    assert told["next"] == "Send one Host header."


def test_a_long_head_in_one_piece_is_too_long(served: Served) -> None:
    head = b"GET /health HTTP/1.1\r\nHost: house\r\nx: %s\r\n\r\n"
    assert answered(served, head % (b"a" * 40_000))[1]["code"] == "too_large"
    assert answered(served, head % (b"a" * 40_000))[0] == 431
    long_address = b"GET /%s HTTP/1.1\r\nHost: house\r\n\r\n" % (b"a" * 40_000)
    assert answered(served, long_address)[0] == 431
    assert answered(served, head.replace(b"\r\nx", b"\r\nConnection: close\r\nx") % b"a")[0] == 200
    assert answered(served, b"rubbish\r\n\r\n")[1]["code"] == "malformed_input"


async def shown_link(house: OpenHouse, **headers: str) -> str:
    """The link the accounts page shows for a new account."""
    administrator = await house.person("administrator")
    csrf = administrator.http.headers["x-csrf-token"]
    form = {"csrf": csrf, "name": f"n{len(headers)}", "title": "", "role": "dealer"}
    page = await administrator.http.post("/accounts", data=form, headers=headers)
    assert page.status_code == 200, page.text
    return page.text.partition('id="once-link">')[2].partition("<")[0]


@in_loop
async def test_a_link_never_carries_a_name_the_request_chose(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        assert (await shown_link(house, host="evil.example")).startswith("/link?token=")
        assert (await shown_link(house)).startswith("http://house/link?token=")


@in_loop
async def test_a_house_with_a_public_address_goes_by_that(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True, public="https://lammer.example/", hosts="floor.lan") as house:
        for host in ("lammer.example", "LAMMER.example:443", "floor.lan", "localhost:8500", "house"):
            assert (await house.stranger().get("/sign-in", headers={"host": host})).status_code == 200, host
        for path in ("/sign-in", "/api/session"):
            answer = await house.stranger().get(path, headers={"host": "evil.example"})
            assert (answer.status_code, answer.json()["code"]) == (421, "wrong_host")
        health = await house.stranger().get("/health", headers={"host": "10.0.0.7:8500"})
        assert health.status_code == 200
        link = await shown_link(house, host="floor.lan")
        assert link.startswith("https://lammer.example/link?token=")


def test_a_public_address_has_a_scheme() -> None:
    with pytest.raises(Refused):
        Settings.read({"LAMMER_PUBLIC": "lammer.example"})


async def sent(person: Person, path: str, body: str, method: str = "POST") -> tuple[int, str]:
    answer = await person.http.request(method, path, content=body, headers=JSON)
    return answer.status_code, answer.json().get("code", "")


@in_loop
async def test_what_is_said_twice_is_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.table()
        administrator, dealer = await house.person("administrator"), await house.person("dealer")
        twice = (400, "malformed_input")
        body = '{"name": "eve", "title": "", "role": "dealer", "role": "administrator"}'
        assert await sent(administrator, "/api/accounts", body) == twice
        commands = "/api/tables/t1/commands"
        assert await sent(dealer, commands, '{"do": "open_bets", "d\\u006f": "prepare_shoe"}') == twice
        nested = '{"do": "set_table", "setup": {"layout": "A", "layout": "C"}}'
        assert await sent(await house.person("pit_manager"), commands, nested) == twice
        body = '{"name": "dealer", "name": "dealer", "password": "x"}'
        assert await sent(house.stranger(), "/api/session", body) == twice
        assert "eve" not in (await administrator.get("/api/accounts")).text
        assert (await sent(dealer, commands, '{"do": "prepare_shoe"}'))[0] == 200


@in_loop
async def test_who_may_not_ask_is_told_that_whatever_he_asks(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.table()
        player, dealer = await house.person("player"), await house.person("dealer")
        denied, commands = (403, "not_your_role"), "/api/tables/t1/commands"
        assert await sent(player, commands, '{"do": "settle"}') == denied
        assert await sent(player, commands, '{"do": "settle", "round": "x"}') == denied
        assert await sent(player, f"{commands}?", '{"do": "settle", "round": "x"}') == denied
        assert await sent(dealer, commands, '{"do": "fill_bank", "amount": "lots"}') == denied
        assert await sent(dealer, commands, '{"do": "settle", "round": "x"}') == (400, "malformed_input")
        assert (await sent(player, commands, '{"do": "place_bet", "stake": "x"}'))[0] in (400, 422)
        assert await sent(player, "/api/accounts", '{"rubbish": 1}') == denied
        assert await sent(player, "/api/keys", "no json") == denied
        assert await sent(player, "/api/accounts/dealer", '{"active": "x"}', "PATCH") == denied
        assert await sent(player, "/api/tables", "{}") == denied
        nobody = (401, "not_signed_in")
        assert await sent(house.stranger(), commands, "no json") == nobody
        assert await sent(house.stranger(), "/api/accounts", "no json") == nobody
        assert await sent(house.stranger(), "/api/tables/t1/readings", "{}") == nobody

        denials = house.made.context.authenticator.denials
        await asyncio.to_thread(denials.flush)
        noted = [(line.who, line.code) for line in denials.read(limit=1000) if "/commands" in line.what]
        assert ("player", "not_your_role") in noted
        assert ("dealer", "not_your_role") in noted


@pytest.mark.parametrize(("do", "row"), ROWS, ids=[do for do, _ in ROWS])
def test_nobody_is_kept_from_what_the_table_gives_him(do: str, row: dict[str, Any]) -> None:
    assert "code" in row or ROLES.index(least_role(do)) <= ROLES.index(least(row))
