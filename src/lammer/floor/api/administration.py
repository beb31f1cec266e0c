"""What administrators do: accounts, one-time links, keys of devices, tables of the house. No game actions."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, delete, get, patch, post
from litestar.params import Parameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from lammer.floor.api.floor import floor_of, must_be
from lammer.floor.api_keys import Purpose

Req = Request[Any, Any, Any]
ADMINISTRATOR = "administrator"
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[a-z0-9][a-z0-9_.-]*$")]


class NewAccount(msgspec.Struct, frozen=True):
    """Somebody who is to have an account; he gets a one-time link."""

    name: Name
    title: Annotated[str, msgspec.Meta(max_length=100, examples=["Mei Chen"])]
    role: Annotated[str, msgspec.Meta(max_length=40, examples=["dealer"])]


class Change(msgspec.Struct, frozen=True):
    """What is to change of an account."""

    role: Annotated[str, msgspec.Meta(max_length=40)] = ""
    active: bool | None = None


class NewKey(msgspec.Struct, frozen=True):
    """A key for one device at one table."""

    table: Annotated[str, msgspec.Meta(max_length=200)]
    purpose: Purpose


class Administration(Controller):
    """Accounts, keys and tables."""

    path = "/api"
    tags = ("administration",)

    @get("/accounts", summary="Accounts")
    async def accounts(self, request: Req) -> list[dict[str, Any]]:
        """Everybody with an account."""
        must_be(request, ADMINISTRATOR, "auditor")
        found = await asyncio.to_thread(floor_of(request).door.accounts.list)
        return [msgspec.to_builtins(account) for account in found]

    @post("/accounts", summary="Make an account", status_code=HTTP_201_CREATED)
    async def make_account(self, request: Req, data: NewAccount) -> dict[str, Any]:
        """The answer holds a one-time link; there is no first password."""
        floor, by = floor_of(request), must_be(request, ADMINISTRATOR).account.name
        account = await asyncio.to_thread(
            lambda: floor.door.accounts.create(data.name, data.title, data.role, by=by)
        )
        token = await asyncio.to_thread(floor.door.links.make, account.name)
        made: dict[str, Any] = msgspec.to_builtins(account)
        return made | {"link": f"/link?token={token}"}

    @patch("/accounts/{name:str}", summary="Change an account")
    async def change_account(self, request: Req, name: str, data: Change) -> dict[str, Any]:
        """Another role, or no longer active: every session of the account ends at once."""
        accounts, by = floor_of(request).door.accounts, must_be(request, ADMINISTRATOR).account.name
        if data.role:
            await asyncio.to_thread(lambda: accounts.change_role(name, data.role, by=by))
        if data.active is not None:
            change = accounts.enable if data.active else accounts.disable
            await asyncio.to_thread(lambda: change(name, by=by))
        found: dict[str, Any] = msgspec.to_builtins(await asyncio.to_thread(accounts.get, name))
        return found

    @post("/accounts/{name:str}/link", summary="A new one-time link", status_code=HTTP_201_CREATED)
    async def make_link(self, request: Req, name: str) -> dict[str, str]:
        """For somebody who forgot his password."""
        floor = floor_of(request)
        must_be(request, ADMINISTRATOR)
        await asyncio.to_thread(floor.door.accounts.get, name)
        token = await asyncio.to_thread(floor.door.links.make, name)
        return {"name": name, "link": f"/link?token={token}"}

    @get("/keys", summary="Keys of devices")
    async def keys(self, request: Req) -> list[dict[str, Any]]:
        """Every key by its id; the keys themselves are shown once only."""
        must_be(request, ADMINISTRATOR, "auditor")
        found = await asyncio.to_thread(floor_of(request).door.keys.list)
        return [msgspec.to_builtins(key) for key in found]

    @post("/keys", summary="Make a key", status_code=HTTP_201_CREATED)
    async def make_key(self, request: Req, data: NewKey) -> dict[str, str]:
        """Bound to one table and one purpose."""
        floor, by = floor_of(request), must_be(request, ADMINISTRATOR).account.name
        floor.house.at(data.table)
        number, key = await asyncio.to_thread(floor.door.keys.make, data.table, data.purpose, by)
        return {"id": number, "key": key}

    @delete("/keys/{number:str}", summary="Revoke a key", status_code=HTTP_200_OK)
    async def revoke_key(self, request: Req, number: str) -> dict[str, bool]:
        """The device is refused from now on."""
        must_be(request, ADMINISTRATOR)
        await asyncio.to_thread(floor_of(request).door.keys.revoke, number)
        return {"revoked": True}

    @get("/denials", summary="Denied attempts")
    async def denials(
        self,
        request: Req,
        after: Annotated[int, Parameter(ge=0)] = 0,
        limit: Annotated[int, Parameter(ge=1, le=1000)] = 200,
    ) -> list[dict[str, Any]]:
        """Who was refused what."""
        must_be(request, ADMINISTRATOR, "auditor")
        found = await asyncio.to_thread(floor_of(request).door.denials.read, after, limit)
        return [msgspec.to_builtins(denial) for denial in found]
