"""What administrators do: accounts, one-time links, keys of devices, tables of the house. No game actions."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_202_ACCEPTED

from lammer.floor.access.accounts import Account
from lammer.floor.access.api_keys import ApiKey, Purpose
from lammer.floor.access.denials import Denial
from lammer.floor.access.grants import AGREES, Grant, Granted
from lammer.floor.record.contract import is_name
from lammer.floor.web.api.openapi_specs import BY_PERSON, BY_PERSON_CHANGING, answers, spec
from lammer.floor.web.api.tables import LATEST
from lammer.floor.web.context import Req, context_of, must_be

ADMINISTRATOR = "administrator"
AccountName = Annotated[str, PathParameter(description="The name of an account.", max_length=100)]
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


GRANT = {
    "id": "5f3a1c0d9e8b7a66",
    "does": "role",
    "account": "anna",
    "role": "pit_manager",
    "by": "administrator",
    "asked_at": "2026-07-01T12:00:00Z",
    "stands": "waiting",
    "second": "",
    "decided_at": None,
    "reason": "",
}
WAITS = "Another administrator agrees to it; a Table Game Shift Manager where there is none."
WAITING = {"waiting": GRANT["id"], "name": "anna", "next": WAITS}


class Waits(msgspec.Struct, frozen=True):
    """Something that waits for a second person."""

    waiting: str
    name: str
    next: str


class NewAccount(msgspec.Struct, frozen=True):
    """Somebody who is to have an account; they get a one-time link."""

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


class Why(msgspec.Struct, frozen=True):
    """Why a second factor is taken away; it is written down and told to all who decide."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200, examples=["lost phone"])]


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
        return _json(await asyncio.to_thread(context_of(request).authenticator.accounts.list))

    @post(
        "/accounts",
        summary="Make an account",
        for_roles=(ADMINISTRATOR,),
        status_code=HTTP_201_CREATED,
        security=BY_PERSON_CHANGING,
        responses=answers(
            MadeAccount, ACCOUNT | {"link": LINK}, CHANGING, status=201, description="It is made."
        )
        | {202: spec(Waits, WAITING, "It waits for a second person.")},
    )
    async def make_account(self, request: Req, data: JSONBody[NewAccount]) -> Response[Any]:
        """The answer holds a one-time link; there is no first password.

        A role that decides (pit supervisor and above, administrator) waits for a second person: 202.
        """
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account
        grants = context.authenticator.grants
        return _grant_response(
            await context.at_desk(lambda: grants.create(data.name, data.title, data.role, by=by))
        )

    @patch(
        "/accounts/{name:str}",
        summary="Change an account",
        for_roles=(ADMINISTRATOR,),
        security=BY_PERSON_CHANGING,
        responses=answers(Account, ACCOUNT, CHANGING)
        | {202: spec(Waits, WAITING, "It waits for a second person.")},
    )
    async def change_account(self, request: Req, name: AccountName, data: JSONBody[Change]) -> Response[Any]:
        """Another role, or no longer active: every session of the account ends at once.

        Giving a role that decides, or letting whoever has one in again, waits for a second person: 202.
        """
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account
        accounts, grants = context.authenticator.accounts, context.authenticator.grants

        def work() -> Granted:
            granted = Granted(accounts.get(name))
            if data.active is False:
                granted = Granted(accounts.disable(name, by=by.name))
            if data.role:
                granted = grants.change_role(name, data.role, by=by)
            if data.active and granted.waits is None:
                granted = grants.enable(name, by=by)
            return granted

        granted = await context.at_desk(work)
        return _grant_response(granted) if granted.waits is not None else _json(granted.account)

    @post(
        "/accounts/{name:str}/link",
        summary="A new one-time link",
        for_roles=(ADMINISTRATOR,),
        status_code=HTTP_201_CREATED,
        security=BY_PERSON_CHANGING,
        responses=answers(
            dict[str, str], {"name": "mei", "link": LINK}, CHANGING, status=201, description="It is made."
        )
        | {202: spec(Waits, WAITING, "It waits for a second person.")},
    )
    async def make_link(self, request: Req, name: AccountName) -> Response[Any]:
        """For somebody who forgot their password. For whoever decides it waits for a second person: 202."""
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account
        granted = await context.at_desk(lambda: context.authenticator.grants.link(name, by=by))
        if granted.waits is not None or granted.account is None:
            return _grant_response(granted)
        return _json({"name": granted.account.name, "link": f"/link?token={granted.token}"}, HTTP_201_CREATED)

    @post(
        "/accounts/{name:str}/second-factor/remove",
        summary="Take somebody's second factor away",
        for_roles=(ADMINISTRATOR,),
        status_code=HTTP_202_ACCEPTED,
        security=BY_PERSON_CHANGING,
        responses=answers(Waits, WAITING, CHANGING, status=202, description="It waits for a second person."),
    )
    async def remove_factor(self, request: Req, name: AccountName, data: JSONBody[Why]) -> Response[Any]:
        """For somebody who has lost it. It waits for a second person, and ends every session of theirs."""
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account
        return _grant_response(
            await context.at_desk(
                lambda: context.authenticator.grants.remove_factor(name, data.reason, by=by)
            )
        )

    @get(
        "/accounts/proposals",
        summary="What waits for a second person about accounts",
        security=BY_PERSON,
        responses=answers(list[Grant], [GRANT], LOOKING),
    )
    async def grants(self, request: Req) -> Response[Any]:
        """Roles that decide and links for whoever has one, the newest first."""
        must_be(request, *AGREES, "auditor")
        return _json(await asyncio.to_thread(context_of(request).authenticator.grants.waiting))

    @post(
        "/accounts/proposals/{number:str}/agree",
        summary="Agree to what was asked for about an account",
        for_roles=AGREES,
        status_code=HTTP_200_OK,
        security=BY_PERSON_CHANGING,
        responses=answers(MadeAccount, ACCOUNT | {"link": LINK}, CHANGING, description="It has happened."),
    )
    async def agree(self, request: Req, number: KeyId) -> Response[Any]:
        """Another administrator agrees, or a Table Game Shift Manager where there is none. It happens now.

        A link, where one was made, is in the answer and shown only now.
        """
        context, second = context_of(request), must_be(request, *AGREES).account
        granted = await context.at_desk(lambda: context.authenticator.grants.agree(number, second))
        return _grant_response(granted, HTTP_200_OK)

    @post(
        "/accounts/proposals/{number:str}/decline",
        summary="Decline what was asked for about an account",
        for_roles=AGREES,
        status_code=HTTP_200_OK,
        security=BY_PERSON_CHANGING,
        responses=answers(Grant, GRANT, CHANGING, description="It never happens."),
    )
    async def decline(self, request: Req, number: KeyId) -> Response[Any]:
        """Whoever could agree, or asked for it, says no; it never happens."""
        context, second = context_of(request), must_be(request, *AGREES).account
        return _json(await context.at_desk(lambda: context.authenticator.grants.decline(number, second)))

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
        return _json(
            await asyncio.to_thread(context_of(request).authenticator.accounts.changes, after, limit)
        )

    @get(
        "/keys",
        summary="Keys of devices",
        security=BY_PERSON,
        responses=answers(list[ApiKey], [KEY], LOOKING),
    )
    async def keys(self, request: Req) -> Response[Any]:
        """Every key by its id; the keys themselves are shown once only."""
        must_be(request, ADMINISTRATOR, "auditor")
        return _json(await asyncio.to_thread(context_of(request).authenticator.keys.list))

    @post(
        "/keys",
        summary="Make a key",
        for_roles=(ADMINISTRATOR,),
        status_code=HTTP_201_CREATED,
        security=BY_PERSON_CHANGING,
        responses=answers(
            MadeKey, {"id": KEY["id"], "key": "lammer_8sJ…"}, CHANGING, status=201, description="It is made."
        ),
    )
    async def make_key(self, request: Req, data: JSONBody[NewKey]) -> Response[Any]:
        """Bound to one table and one purpose."""
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account.name
        view = await context.house.tables.seen(data.table)
        number, key = await context.at_desk(
            lambda: context.authenticator.keys.make(view.id, data.purpose, by)
        )
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
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account.name
        ended = is_name(number) and await context.at_desk(
            lambda: context.authenticator.keys.revoke(number, by=by)
        )
        context.house.live.end({number})
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
        return _json(await asyncio.to_thread(context_of(request).authenticator.denials.read, after, limit))


def _grant_response(granted: Granted, status: int = HTTP_201_CREATED) -> Response[Any]:
    """What came of it: an account with its link, or what waits for a second person."""
    if granted.waits is not None:
        answer: dict[str, Any] = {"waiting": granted.waits.id, "name": granted.waits.account}
        return _json(answer | {"next": WAITS}, HTTP_202_ACCEPTED)
    account: dict[str, Any] = msgspec.to_builtins(granted.account)
    return _json(account | {"link": f"/link?token={granted.token}" if granted.token else ""}, status)


def _json(value: Any, status: int = HTTP_200_OK) -> Response[Any]:
    return Response(msgspec.json.encode(value), status_code=status, media_type="application/json")
