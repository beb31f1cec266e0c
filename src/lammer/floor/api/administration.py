"""What administrators do: accounts, one-time links, keys of devices, tables of the house. No game actions."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from lammer.floor.accounts import Account
from lammer.floor.api.documented import BY_PERSON, BY_PERSON_CHANGING, answers
from lammer.floor.api.floor import Req, floor_of, must_be
from lammer.floor.api.tables import LATEST
from lammer.floor.api_keys import ApiKey, Purpose
from lammer.floor.denials import Denial
from lammer.floor.registry import is_name

ADMINISTRATOR = "administrator"
Called = Annotated[str, PathParameter(description="The name of an account.", max_length=100)]
KeyId = Annotated[str, PathParameter(description="The id of a key.", max_length=64)]
LOOKING = (400, 401, 403, 503)
CHANGING = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)

ACCOUNT = {"name": "mei", "title": "Mei Chen", "role": "player", "active": True}
LINK = "/link?token=kq3Zr…"
KEY = {
    "id": "0f3a1c0d9e8b7a66",
    "table": "t1",
    "purpose": "shoe_reader",
    "made_at": "2026-07-01T12:00:00Z",
    "made_by": "administrator",
    "revoked_at": None,
    "revoked_by": "",
}
DENIAL = {
    "number": 1,
    "at": "2026-07-01T12:00:00Z",
    "last_at": "2026-07-01T12:00:00Z",
    "times": 1,
    "who": "mei",
    "role": "player",
    "key": "",
    "address": "a1b2c3",
    "what": "GET /api/tables/t1/ledger",
    "code": "not_your_role",
    "table": "t1",
}


class NewAccount(msgspec.Struct, frozen=True):
    """Somebody who is to have an account; he gets a one-time link."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40, examples=["mei"])]
    title: Annotated[str, msgspec.Meta(max_length=80, examples=["Mei Chen"])]
    role: Annotated[str, msgspec.Meta(max_length=40, examples=["dealer"])]


class MadeAccount(msgspec.Struct, frozen=True):
    """The account, and the link by which its owner comes in the first time; it is shown only now."""

    name: str
    title: str
    role: str
    active: bool
    link: str


class Change(msgspec.Struct, frozen=True):
    """What is to change of an account."""

    role: Annotated[str, msgspec.Meta(max_length=40)] = ""
    active: bool | None = None


class NewKey(msgspec.Struct, frozen=True):
    """A key for one device at one table."""

    table: Annotated[str, msgspec.Meta(max_length=200)]
    purpose: Purpose


class MadeKey(msgspec.Struct, frozen=True):
    """The key, which is shown only now, and the id it is revoked by."""

    id: str
    key: str


class AccountChange(msgspec.Struct, frozen=True):
    """Who did what to which account."""

    number: int
    at: datetime
    by: str
    account: str
    what: str


class Administration(Controller):
    """Accounts, keys and tables."""

    path = "/api"
    tags = ("administration",)

    @get(
        "/accounts",
        summary="Accounts",
        security=BY_PERSON,
        responses=answers(list[Account], [ACCOUNT], LOOKING),
    )
    async def accounts(self, request: Req) -> Response[Any]:
        """Everybody with an account."""
        must_be(request, ADMINISTRATOR, "auditor")
        return _json(await asyncio.to_thread(floor_of(request).door.accounts.list))

    @post(
        "/accounts",
        summary="Make an account",
        for_roles=(ADMINISTRATOR,),
        status_code=HTTP_201_CREATED,
        security=BY_PERSON_CHANGING,
        responses=answers(MadeAccount, ACCOUNT | {"link": LINK}, CHANGING, status=201, told="It is made."),
    )
    async def make_account(self, request: Req, data: JSONBody[NewAccount]) -> Response[Any]:
        """The answer holds a one-time link; there is no first password."""
        floor, by = floor_of(request), must_be(request, ADMINISTRATOR).account.name

        def work() -> tuple[Account, str]:
            account = floor.door.accounts.create(data.name, data.title, data.role, by=by)
            return account, floor.door.links.make(account.name, by=by)

        account, token = await floor.at_desk(work)
        made: dict[str, Any] = msgspec.to_builtins(account)
        return _json(made | {"link": f"/link?token={token}"}, HTTP_201_CREATED)

    @patch(
        "/accounts/{name:str}",
        summary="Change an account",
        for_roles=(ADMINISTRATOR,),
        security=BY_PERSON_CHANGING,
        responses=answers(Account, ACCOUNT, CHANGING),
    )
    async def change_account(self, request: Req, name: Called, data: JSONBody[Change]) -> Response[Any]:
        """Another role, or no longer active: every session of the account ends at once."""
        floor, by = floor_of(request), must_be(request, ADMINISTRATOR).account.name
        accounts = floor.door.accounts

        def work() -> Account:
            accounts.get(name)
            if data.role:
                accounts.change_role(name, data.role, by=by)
            if data.active is not None:
                (accounts.enable if data.active else accounts.disable)(name, by=by)
            return accounts.get(name)

        return _json(await floor.at_desk(work))

    @post(
        "/accounts/{name:str}/link",
        summary="A new one-time link",
        for_roles=(ADMINISTRATOR,),
        status_code=HTTP_201_CREATED,
        security=BY_PERSON_CHANGING,
        responses=answers(
            dict[str, str], {"name": "mei", "link": LINK}, CHANGING, status=201, told="It is made."
        ),
    )
    async def make_link(self, request: Req, name: Called) -> Response[Any]:
        """For somebody who forgot his password."""
        floor, by = floor_of(request), must_be(request, ADMINISTRATOR).account.name
        token = await floor.at_desk(lambda: floor.door.links.make(name, by=by))
        return _json({"name": name, "link": f"/link?token={token}"}, HTTP_201_CREATED)

    @get(
        "/accounts/changes",
        summary="Changes of accounts",
        security=BY_PERSON,
        responses=answers(
            list[AccountChange],
            [
                {
                    "number": 1,
                    "at": "2026-07-01T12:00:00Z",
                    "by": "administrator",
                    "account": "mei",
                    "what": "disabled",
                }
            ],
            LOOKING,
        ),
    )
    async def changes(
        self,
        request: Req,
        after: Annotated[int, QueryParameter(ge=0, le=LATEST)] = 0,
        limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 200,
    ) -> Response[Any]:
        """Who did what to which account, oldest first."""
        must_be(request, ADMINISTRATOR, "auditor")
        return _json(await asyncio.to_thread(floor_of(request).door.accounts.changes, after, limit))

    @get(
        "/keys",
        summary="Keys of devices",
        security=BY_PERSON,
        responses=answers(list[ApiKey], [KEY], LOOKING),
    )
    async def keys(self, request: Req) -> Response[Any]:
        """Every key by its id; the keys themselves are shown once only."""
        must_be(request, ADMINISTRATOR, "auditor")
        return _json(await asyncio.to_thread(floor_of(request).door.keys.list))

    @post(
        "/keys",
        summary="Make a key",
        for_roles=(ADMINISTRATOR,),
        status_code=HTTP_201_CREATED,
        security=BY_PERSON_CHANGING,
        responses=answers(
            MadeKey, {"id": KEY["id"], "key": "lammer_8sJ…"}, CHANGING, status=201, told="It is made."
        ),
    )
    async def make_key(self, request: Req, data: JSONBody[NewKey]) -> Response[Any]:
        """Bound to one table and one purpose."""
        floor, by = floor_of(request), must_be(request, ADMINISTRATOR).account.name
        view = await floor.house.seen(data.table)
        number, key = await floor.at_desk(lambda: floor.door.keys.make(view.id, data.purpose, by))
        return _json({"id": number, "key": key}, HTTP_201_CREATED)

    @delete(
        "/keys/{number:str}",
        summary="Revoke a key",
        for_roles=(ADMINISTRATOR,),
        status_code=HTTP_200_OK,
        security=BY_PERSON_CHANGING,
        responses=answers(dict[str, bool], {"revoked": True}, (400, 401, 403, 503)),
    )
    async def revoke_key(self, request: Req, number: KeyId) -> Response[Any]:
        """The device is refused from now on; `revoked` is false where no such key was good."""
        floor, by = floor_of(request), must_be(request, ADMINISTRATOR).account.name
        ended = is_name(number) and await floor.at_desk(lambda: floor.door.keys.revoke(number, by=by))
        floor.house.live.end({number})
        return _json({"revoked": ended})

    @get(
        "/denials",
        summary="Denied attempts",
        security=BY_PERSON,
        responses=answers(list[Denial], [DENIAL], LOOKING),
    )
    async def denials(
        self,
        request: Req,
        after: Annotated[int, QueryParameter(ge=0, le=LATEST)] = 0,
        limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 200,
    ) -> Response[Any]:
        """Who was refused what."""
        must_be(request, ADMINISTRATOR, "auditor")
        return _json(await asyncio.to_thread(floor_of(request).door.denials.read, after, limit))


def _json(value: Any, status: int = HTTP_200_OK) -> Response[Any]:
    return Response(msgspec.json.encode(value), status_code=status, media_type="application/json")
