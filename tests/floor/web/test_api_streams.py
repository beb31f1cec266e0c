"""How many streams and connections one may have, and that those of others stay open; and when they end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest

from floor.tables.test_live import streaming_to
from lammer.floor.web.context import LOOK_AGAIN_SECONDS
from support.awaited import GUARD, until, until_so
from support.houses import House
from support.in_a_thread import Served
from support.open_house import SETUP, in_loop, open_house

STREAM: Final = "/api/tables/t1/stream"


async def come_in(
    house: Served, stack: AsyncExitStack, role: str, limits: httpx.Limits | None = None
) -> httpx.AsyncClient:
    client = httpx.AsyncClient(base_url=house.address, timeout=GUARD, limits=limits or httpx.Limits())
    stack.push_async_callback(client.aclose)
    came = await client.post("/api/session/link", json={"token": house.links[role]})
    client.headers["x-csrf-token"] = came.json()["csrf"]
    return client


@asynccontextmanager
async def served(folder: Path, **given: Any) -> AsyncIterator[tuple[Served, AsyncExitStack]]:
    """A house on a socket, with one table; whoever comes in leaves before it closes."""
    house = await asyncio.to_thread(Served, folder, **given)
    try:
        async with AsyncExitStack() as stack:
            administrator = await come_in(house, stack, "administrator")
            manager = await come_in(house, stack, "pit_manager")
            assert (await administrator.post("/api/tables", json={"table": "t1"})).status_code == 201
            asked = await manager.post("/api/tables/t1/commands", json={"do": "set_table", "setup": SETUP})
            assert asked.status_code == 200, asked.text
            yield house, stack
    finally:
        await asyncio.to_thread(house.close)


async def opened(client: httpx.AsyncClient, stack: AsyncExitStack) -> int:
    """Ask for one stream more, and keep it if there is one; the status."""
    answer = await client.send(client.build_request("GET", STREAM), stream=True)
    if answer.status_code == 200:
        stack.push_async_callback(answer.aclose)
        return 200
    await answer.aread()
    told = answer.json()
    assert (told["code"], told["next"]) == ("too_many_streams", "Close some, or try again in a moment.")
    assert int(answer.headers["retry-after"]) > 0
    return answer.status_code


@in_loop
async def test_one_players_thousand_streams_keep_nobody_out(tmp_path: Path) -> None:
    async with served(tmp_path) as (house, stack):
        wide = httpx.Limits(max_connections=2_000)
        player = await come_in(house, stack, "player", wide)
        dealer = await come_in(house, stack, "dealer")
        got = [await opened(player, stack) for _ in range(1_100)]
        assert got == [200] * 20 + [429] * 1_080
        assert (await dealer.get("/tables/t1/deal")).status_code == 200
        assert (await dealer.get("/health")).status_code == 200
        assert await opened(dealer, stack) == 200


@in_loop
async def test_a_crowd_at_one_address_leaves_room_for_staff(tmp_path: Path) -> None:
    few = {"streams_per_session": 3, "streams_per_address": 4, "streams": 20}
    async with served(tmp_path, **few) as (house, stack):
        player = await come_in(house, stack, "player")
        admin = await come_in(house, stack, "auditor")
        assert [await opened(player, stack) for _ in range(4)] == [200] * 3 + [429]
        assert house.opened is not None
        places = house.opened.context.places
        places.addresses["127.0.0.1"] = 4  # As if others sat there too.
        places.by_session = 100
        assert await opened(player, stack) == 429
        assert await opened(admin, stack) == 200, "the address is no matter for staff"
        places.taken, places.by_address = 18, 100
        assert await opened(player, stack) == 429, "the last tenth is kept"
        assert await opened(admin, stack) == 200


@in_loop
async def test_a_stream_that_ended_leaves_its_place(tmp_path: Path) -> None:
    async with served(tmp_path, streams_per_session=1) as (house, stack):
        player = await come_in(house, stack, "player")
        assert house.opened is not None
        places = house.opened.context.places
        for _ in range(3):
            async with AsyncExitStack() as once:
                assert await opened(player, once) == 200
                assert await opened(player, once) == 429
            await until_so(lambda: not places.taken and not places.sessions and not places.addresses)


def test_one_address_holds_so_many_connections(tmp_path: Path) -> None:
    house = Served(tmp_path, connections_per_address=5)
    there = urlsplit(house.address)
    lines: list[socket.socket] = []
    try:
        for _ in range(5):
            line = socket.create_connection((there.hostname, there.port), timeout=GUARD)
            lines.append(line)
            line.sendall(b"GET /health HTTP/1.1\r\nHost: house\r\n\r\n")
            assert b"alive" in line.recv(65536)
        with socket.create_connection((there.hostname, there.port), timeout=GUARD) as more:
            assert more.recv(1) == b"", "hung up on at once"
        lines.pop().close()

        def let_in() -> bool:
            try:
                return httpx.get(f"{house.address}/health").status_code == 200
            except httpx.HTTPError:
                return False

        until(let_in)
    finally:
        for line in lines:
            line.close()
        house.close()


def test_an_idle_connection_is_closed(tmp_path: Path) -> None:
    house = Served(tmp_path, idle_connection_seconds=1)
    there = urlsplit(house.address)
    try:
        with socket.create_connection((there.hostname, there.port), timeout=GUARD) as line:
            line.sendall(b"GET /health HTTP/1.1\r\nHost: house\r\n\r\n")
            told = b""
            while piece := line.recv(65536):
                told += piece
            assert b"alive" in told
    finally:
        house.close()


@pytest.mark.parametrize("what", ["key", "account", "session"])
@in_loop
async def test_what_another_process_revoked_ends_here(postgres: House, tmp_path: Path, what: str) -> None:
    """Two houses over one database: a stream read at one ends soon after the other let its reader go."""
    async with (
        open_house(tmp_path / "one", store=str(postgres.where)) as one,
        open_house(tmp_path / "two", store=str(postgres.where)) as two,
    ):
        await one.table("t1")
        administrator = await one.person("administrator")
        await until_so(lambda: "t1" in two.house.tables.listed)
        if what == "key":
            made = (await administrator.post("/api/keys", table="t1", purpose="display_board")).json()
            reader = two.stranger()
            reader.http.headers["authorization"] = f"Bearer {made['key']}"
        else:
            reader = await two.signed_in(one.links["player"])
        async with streaming_to(two, reader):
            if what == "key":
                gone = await administrator.http.delete(f"/api/keys/{made['id']}")
            elif what == "account":
                gone = await administrator.http.patch("/api/accounts/player", json={"active": False})
            else:
                elsewhere = one.stranger()
                elsewhere.http.cookies.update(reader.http.cookies)
                headers = {"x-csrf-token": reader.http.headers["x-csrf-token"]}
                gone = await elsewhere.http.delete("/api/session", headers=headers)
            assert gone.status_code == 200, gone.text
        await reader.http.aclose()


def test_revocations_are_looked_for_often() -> None:
    assert LOOK_AGAIN_SECONDS <= 1.5, "a stream ends within about two seconds"
