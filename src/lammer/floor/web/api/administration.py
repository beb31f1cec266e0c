"""What administrators do: accounts, one-time links, keys of devices, tables of the house. No game actions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, delete, patch
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from lammer.floor.access.accounts import Account, AccountChange
from lammer.floor.access.api_keys import ApiKey, Purpose
from lammer.floor.access.denials import Denial
from lammer.floor.access.grants import ADMINISTRATOR, AGREES, Grant, Granted
from lammer.floor.record.contract import is_name
from lammer.floor.web.api.openapi_specs import route_for_changing, route_for_looking, spec
from lammer.floor.web.api.tables import LATEST
from lammer.floor.web.context import Req, context_of, must_be

AccountName = Annotated[str, PathParameter(description="The name of an account.", max_length=100)]
KeyId = Annotated[str, PathParameter(description="The id of a key.", max_length=64)]
After = Annotated[int, QueryParameter(ge=0, le=LATEST)]
Limit = Annotated[int, QueryParameter(ge=1, le=1000)]
LOOKING = (400, 401, 403, 503)
CHANGING = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)

ACCOUNT = {"name": "mei", "title": "Mei Chen", "role": "player", "active": True}
MADE_LINK = {"name": ACCOUNT["name"], "link": "/link?token=kq3Zr…"}
MADE_ACCOUNT = ACCOUNT | MADE_LINK
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
ACCOUNT_CHANGE = {
    "number": 1,
    "at": "2026-07-01T12:00:00Z",
    "by": "administrator",
    "account": "mei",
    "what": "disabled",
}
AGREEING = "Another administrator agrees to it; a Table Game Shift Manager where there is none."
WAITING = {"waiting": GRANT["id"], "name": "anna", "next": AGREEING}


class Waits(msgspec.Struct, frozen=True):
    """Something that waits for a second person."""

    waiting: str
    name: str
    next: str


WAITS = spec(Waits, WAITING, "It waits for a second person.")
route_for_administrators = partial(route_for_changing, problems=CHANGING, for_roles=(ADMINISTRATOR,))
route_to_make = partial(route_for_administrators, status=201)
MADE = "It is made."


class NewAccount(msgspec.Struct, frozen=True):
    """Somebody who is to have an account; they get a one-time link."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40, examples=["mei"])]
    title: Annotated[str, msgspec.Meta(max_length=80, examples=["Mei Chen"])]
    role: Annotated[str, msgspec.Meta(max_length=40, examples=["dealer"])]


@dataclass(frozen=True, slots=True)
class MadeAccount(Account):
    """The account, and the link by which its owner comes in the first time; it is shown only now."""

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


class Administration(Controller):
    """Accounts, keys and tables."""

    path = "/api"
    tags = ("administration",)

    @route_for_looking("/accounts", "Accounts", spec(list[Account], [ACCOUNT]), LOOKING)
    async def accounts(self, request: Req) -> Response[Any]:
        """Everybody with an account."""
        must_be(request, ADMINISTRATOR, "auditor")
        return Response(await asyncio.to_thread(context_of(request).authenticator.accounts.list))

    @route_to_make("/accounts", "Make an account", spec(MadeAccount, MADE_ACCOUNT, MADE), waiting=WAITS)
    async def make_account(self, request: Req, data: JSONBody[NewAccount]) -> Response[Any]:
        """The answer holds a one-time link; there is no first password.

        A role that decides (pit supervisor and above, administrator) waits for a second person: 202.
        """
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account
        grants = context.authenticator.grants
        return _grant_response(
            await context.at_desk(lambda: grants.create(data.name, data.title, data.role, by=by))
        )

    @route_for_administrators(
        "/accounts/{name:str}", "Change an account", spec(Account, ACCOUNT), waiting=WAITS, method=patch
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
        return _grant_response(granted) if granted.waits is not None else Response(granted.account)

    @route_to_make(
        "/accounts/{name:str}/link",
        "A new one-time link",
        spec(dict[str, str], MADE_LINK, MADE),
        waiting=WAITS,
    )
    async def make_link(self, request: Req, name: AccountName) -> Response[Any]:
        """For somebody who forgot their password. For whoever decides it waits for a second person: 202."""
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account
        granted = await context.at_desk(lambda: context.authenticator.grants.link(name, by=by))
        if granted.waits is not None or granted.account is None:
            return _grant_response(granted)
        return Response({"name": granted.account.name, "link": f"/link?token={granted.token}"})

    @route_for_administrators(
        "/accounts/{name:str}/second-factor/remove", "Take somebody's second factor away", WAITS, status=202
    )
    async def remove_factor(self, request: Req, name: AccountName, data: JSONBody[Why]) -> Response[Any]:
        """For somebody who has lost it. It waits for a second person, and ends every session of theirs."""
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account
        grants = context.authenticator.grants
        return _grant_response(await context.at_desk(lambda: grants.remove_factor(name, data.reason, by=by)))

    @route_for_looking(
        "/accounts/proposals",
        "What waits for a second person about accounts",
        spec(list[Grant], [GRANT]),
        LOOKING,
    )
    async def grants(self, request: Req) -> Response[Any]:
        """Roles that decide and links for whoever has one, the newest first."""
        must_be(request, *AGREES, "auditor")
        return Response(await asyncio.to_thread(context_of(request).authenticator.grants.waiting))

    @route_for_changing(
        "/accounts/proposals/{number:str}/agree",
        "Agree to what was asked for about an account",
        spec(MadeAccount, MADE_ACCOUNT, "It has happened."),
        CHANGING,
        for_roles=AGREES,
    )
    async def agree(self, request: Req, number: KeyId) -> Response[Any]:
        """Another administrator agrees, or a Table Game Shift Manager where there is none. It happens now.

        A link, where one was made, is in the answer and shown only now.
        """
        context, second = context_of(request), must_be(request, *AGREES).account
        granted = await context.at_desk(lambda: context.authenticator.grants.agree(number, second))
        return _grant_response(granted, HTTP_200_OK)

    @route_for_changing(
        "/accounts/proposals/{number:str}/decline",
        "Decline what was asked for about an account",
        spec(Grant, GRANT, "It never happens."),
        CHANGING,
        for_roles=AGREES,
    )
    async def decline(self, request: Req, number: KeyId) -> Response[Any]:
        """Whoever could agree, or asked for it, says no; it never happens."""
        context, second = context_of(request), must_be(request, *AGREES).account
        return Response(await context.at_desk(lambda: context.authenticator.grants.decline(number, second)))

    @route_for_looking(
        "/accounts/changes", "Changes of accounts", spec(list[AccountChange], [ACCOUNT_CHANGE]), LOOKING
    )
    async def changes(self, request: Req, after: After = 0, limit: Limit = 200) -> Response[Any]:
        """Who did what to which account, oldest first."""
        must_be(request, ADMINISTRATOR, "auditor")
        return Response(
            await asyncio.to_thread(context_of(request).authenticator.accounts.changes, after, limit)
        )

    @route_for_looking("/keys", "Keys of devices", spec(list[ApiKey], [KEY]), LOOKING)
    async def keys(self, request: Req) -> Response[Any]:
        """Every key by its id; the keys themselves are shown once only."""
        must_be(request, ADMINISTRATOR, "auditor")
        return Response(await asyncio.to_thread(context_of(request).authenticator.keys.list))

    @route_to_make("/keys", "Make a key", spec(MadeKey, {"id": KEY["id"], "key": "lammer_8sJ…"}, MADE))
    async def make_key(self, request: Req, data: JSONBody[NewKey]) -> Response[Any]:
        """Bound to one table and one purpose."""
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account.name
        view = await context.house.tables.seen(data.table)
        number, key = await context.at_desk(
            lambda: context.authenticator.keys.make(view.id, data.purpose, by)
        )
        return Response(MadeKey(number, key))

    @route_for_administrators(
        "/keys/{number:str}",
        "Revoke a key",
        spec(dict[str, bool], {"revoked": True}),
        problems=LOOKING,
        method=delete,
    )
    async def revoke_key(self, request: Req, number: KeyId) -> Response[Any]:
        """The device is refused from now on; `revoked` is false where no such key was good."""
        context, by = context_of(request), must_be(request, ADMINISTRATOR).account.name
        ended = is_name(number) and await context.at_desk(
            lambda: context.authenticator.keys.revoke(number, by=by)
        )
        context.house.live.end({number})
        return Response({"revoked": ended})

    @route_for_looking("/denials", "Denied attempts", spec(list[Denial], [DENIAL]), LOOKING)
    async def denials(self, request: Req, after: After = 0, limit: Limit = 200) -> Response[Any]:
        """Who was refused what."""
        must_be(request, ADMINISTRATOR, "auditor")
        return Response(await asyncio.to_thread(context_of(request).authenticator.denials.read, after, limit))


def _grant_response(granted: Granted, status: int = HTTP_201_CREATED) -> Response[Any]:
    """What came of it: an account with its link, or what waits for a second person."""
    if granted.waits is not None:
        return Response(Waits(granted.waits.id, granted.waits.account, AGREEING), status_code=202)
    account: dict[str, Any] = msgspec.to_builtins(granted.account)
    link = f"/link?token={granted.token}" if granted.token else ""
    return Response(account | {"link": link}, status_code=status)
