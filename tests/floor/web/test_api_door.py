"""A crowd at the door, over HTTP: whoever tries passwords by the hundred keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import httpx
import pytest

from lammer.floor.web.context import AT_THE_DOOR
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD, until_so
from support.in_a_thread import Served
from support.open_house import in_loop

CROWD = AT_THE_DOOR + 30


@pytest.mark.parametrize("path", ["/sign-in", "/api/session"])
@in_loop
async def test_a_crowd_at_the_door_keeps_nobody_else_waiting(tmp_path: Path, path: str) -> None:
    served = await asyncio.to_thread(Served, tmp_path)
    assert served.opened is not None
    context, go_on = served.opened.context, threading.Event()

    def slow(*_: object) -> None:
        go_on.wait()
        raise Refused("sign_in_failed", "The name or the password is wrong.")

    context.authenticator.sign_in = slow  # type: ignore[assignment]
    wrong = {"name": "mei", "password": "a wrong password"}
    limits = httpx.Limits(max_connections=400)
    try:
        async with httpx.AsyncClient(base_url=served.address, timeout=GUARD, limits=limits) as client:
            came = await client.post("/api/session/link", json={"token": served.links["administrator"]})
            client.headers["x-csrf-token"] = came.json()["csrf"]
            sent = {"json": wrong} if path.startswith("/api") else {"data": wrong}
            crowd = [asyncio.ensure_future(client.post(path, **sent)) for _ in range(CROWD)]  # type: ignore[arg-type]
            await until_so(lambda: context.waiting_at_door >= AT_THE_DOOR, "they do not wait at the door")
            async with asyncio.timeout(GUARD):
                made = await client.post("/api/tables", json={"table": "t1"})
                assert made.status_code == 201, "an administrator works on"
                account = {"name": "eve", "title": "", "role": "dealer"}
                token = (await client.post("/api/accounts", json=account)).json()["link"].partition("=")[2]
                assert (await client.get("/api/tables/t1/events")).status_code == 200, "tables are read"
                key = {"Idempotency-Key": "k1"}
                asked = await client.post("/api/tables/t1/commands", json={"do": "open_bets"}, headers=key)
                assert asked.status_code == 403, "and asked"
                async with httpx.AsyncClient(base_url=served.address, timeout=GUARD) as other:
                    linked = await other.post("/api/session/link", json={"token": token})
                    assert linked.status_code == 200, "and who has a link comes in"
            go_on.set()
            codes = [(await each).status_code for each in crowd]
            assert codes.count(429) == CROWD - AT_THE_DOOR, "who came then was told to come back"
    finally:
        go_on.set()
        await asyncio.to_thread(served.close)
