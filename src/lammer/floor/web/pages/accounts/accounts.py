"""The administrator's pages: accounts, keys of devices, tables of the house, and who was denied what.

Auditors read the same and change nothing.

A one-time link and the key of a device are shown once, on the page that made them, and can be had in no other
way: nothing but their hash is kept.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from lammer.floor.access.accounts import Account
from lammer.floor.access.api_keys import Purpose
from lammer.floor.access.grants import AGREES, Granted
from lammer.floor.record.registry import Listed
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.web.api.tables import NewPace
from lammer.floor.web.context import AppContext, context_of
from lammer.floor.web.pages.accounts import accounts_view
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.frame import choices
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import (
    Req,
    asked_number,
    clock_of,
    language_of,
    page,
    refused_page,
    verified_fields,
)
from lammer.floor.web.wire import address_for_links
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import say

ADMINISTRATOR: Final = "administrator"
READERS: Final = (ADMINISTRATOR, "auditor")
SHOWN: Final = 100
PEOPLE: Final = 50
"""Accounts on a page."""
TABLE: Final = re.compile(r"[a-z0-9][a-z0-9_.-]{0,59}")


class AccountPages(Pages):
    """Accounts, keys and tables; no game actions."""

    path = "/accounts"

    @get()
    async def all(self, request: Req) -> Response[Any]:
        must_read(request, *READERS)
        return page(request, "accounts.html", **await _page_values(request))

    @post()
    async def make(self, request: Req, data: Form) -> Response[Any]:
        """A new account; the page that comes back shows its link, this once. One that decides waits."""

        def work(context: AppContext, by: Account) -> dict[str, str]:
            granted = context.authenticator.grants.create(
                _text(data, "name"), _text(data, "title"), _text(data, "role"), by=by
            )
            return _link_shown_once(request, granted)

        return await _make_change(request, data, work, "#waiting")

    @post("/people/{name:str}")
    async def change(self, request: Req, name: FromPath[str], data: Form) -> Response[Any]:
        """A new link, another role, no longer active, active again, or without a second factor.

        Disabling is asked about first, on a page of its own.
        """
        if _text(data, "do") == "disable" and _text(data, "confirmed") != "yes":
            return await _ask_to_disable(request, name, data)

        def work(context: AppContext, by: Account) -> dict[str, str]:
            grants = context.authenticator.grants
            match _text(data, "do"):
                case "link":
                    return _link_shown_once(request, grants.link(name, by=by))
                case "role":
                    grants.change_role(name, _text(data, "role"), by=by)
                case "disable":
                    context.authenticator.accounts.disable(name, by=by.name)
                case "enable":
                    grants.enable(name, by=by)
                case "factor":
                    grants.remove_factor(name, _text(data, "reason"), by=by)
                case other:
                    raise Refused("malformed_input", "Nothing is done by {other}.", other=repr(other[:40]))
            return {}

        return await _make_change(request, data, work, f"?find={quote(name)}#people")

    @post("/proposals/{number:str}")
    async def decide(self, request: Req, number: FromPath[str], data: Form) -> Response[Any]:
        """A second person agrees or declines; a link that came of it is shown to them, this once."""
        session = must_read(request, *AGREES)
        context, second = context_of(request), session.account
        back = "/accounts#waiting" if second.role == ADMINISTRATOR else "/pit"
        verified_fields(session, data)
        if _text(data, "do") != "agree":
            await context.at_desk(lambda: context.authenticator.grants.decline(number, second))
            return Redirect(back, status_code=303)
        granted = await context.at_desk(lambda: context.authenticator.grants.agree(number, second))
        if not granted.token:
            return Redirect(back, status_code=303)
        return page(request, "granted.html", once=_link_shown_once(request, granted), back=back)

    @post("/keys")
    async def make_key(self, request: Req, data: Form) -> Response[Any]:
        """A key for one device at one table, shown once."""
        table, purpose = _text(data, "table"), _text(data, "purpose")

        def work(context: AppContext, by: Account) -> dict[str, str]:
            context.house.tables.view(table)
            number, key = context.authenticator.keys.make(table, cast(Purpose, purpose), by.name)
            shown_once = {"person": f"{purpose.replace('_', ' ')}, {table}", "key": key, "id": number}
            if purpose == "display_board":
                shown_once["board"] = (
                    f"{house_address(request)}/board/{quote(table, safe='')}?key={quote(key)}"
                )
            return shown_once

        return await _make_change(request, data, work)

    @post("/keys/{number:str}/revoke")
    async def revoke(self, request: Req, number: FromPath[str], data: Form) -> Response[Any]:
        """The device is refused from now on."""

        def work(context: AppContext, by: Account) -> dict[str, str]:
            context.authenticator.keys.revoke(number, by=by.name)
            return {}

        return await _make_change(request, data, work, "#keys")

    @post("/tables")
    async def put_up(self, request: Req, data: Form) -> Response[Any]:
        """A table that deals itself, or one that people deal; a pit manager sets it up."""
        session = must_read(request, ADMINISTRATOR)
        house = context_of(request).house
        try:
            verified_fields(session, data)
            listed = _table_of_form(data)
            at = int(house.clock.now().timestamp() * 1_000_000)
            await asyncio.to_thread(house.registry.add, listed, at)
            await house.tables.host(listed)
        except Refused as refused:
            return await _page_with_refusal(request, refused)
        return Redirect("/accounts#tables", status_code=303)

    @post("/tables/{table:str}")
    async def close_or_open(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """Close a table of the house, once its round is over; leave it open after all; or open it again."""
        session = must_read(request, ADMINISTRATOR)
        do = _text(data, "do")
        try:
            verified_fields(session, data)
            fields = {"close_table": {"after_round": True}, "keep_table_open": {}, "open_table": {}}.get(do)
            if fields is None:
                raise Refused("malformed_input", "Nothing is done by {other}.", other=repr(do[:40]))
            asked = CommandRequest(session.account.name, session.account.role, do, fields)
            await context_of(request).gateway.ask(table, asked)
        except Refused as refused:
            return await _page_with_refusal(request, refused)
        return Redirect("/accounts#tables", status_code=303)

    @get("/denials")
    async def read_denials(self, request: Req) -> Response[Any]:
        must_read(request, *READERS)
        context = context_of(request)
        last = await asyncio.to_thread(context.authenticator.denials.last_number)
        asked = asked_number(request, "after")
        after = max(0, last - SHOWN) if asked is None else asked
        denials = await asyncio.to_thread(context.authenticator.denials.read, after, SHOWN)
        return page(
            request,
            "denials.html",
            denials=denials[::-1],
            older=max(0, after - SHOWN) if after else None,
            newer=denials[-1].number if denials and denials[-1].number < last else None,
        )


async def _ask_to_disable(request: Req, name: str, data: dict[str, Any]) -> Response[Any]:
    """The page that says what disabling does, and for whom."""
    session, context = must_read(request, ADMINISTRATOR), context_of(request)
    try:
        verified_fields(session, data)
        account = await asyncio.to_thread(context.authenticator.accounts.get, name)
    except Refused as refused:
        return await _page_with_refusal(request, refused)
    return page(request, "disable.html", account=account, back=f"/accounts?find={quote(name)}#people")


async def _make_change(
    request: Req, data: dict[str, Any], work: Callable[[AppContext, Account], dict[str, str]], back: str = ""
) -> Response[Any]:
    """Do what an administrator asked; the page again, with what is shown once or the refusal."""
    session, context = must_read(request, ADMINISTRATOR), context_of(request)
    try:
        verified_fields(session, data)
        shown_once = await asyncio.to_thread(work, context, session.account)
    except Refused as refused:
        return await _page_with_refusal(request, refused)
    if not shown_once:
        return Redirect(f"/accounts{back}", status_code=303)
    once = {"link": "", "key": "", "board": ""} | shown_once
    return page(request, "accounts.html", **(await _page_values(request) | {"once": once}))


async def _page_with_refusal(request: Req, refused: Refused) -> Response[Any]:
    """The page once more, with the refusal on it."""
    return refused_page(request, refused, "accounts.html", **await _page_values(request))


async def _page_values(request: Req) -> dict[str, Any]:
    context = context_of(request)
    authenticator, house = context.authenticator, context.house
    accounts = await asyncio.to_thread(authenticator.accounts.list)
    keys = await asyncio.to_thread(authenticator.keys.list)
    # Whoever changed one account of many sees that account again, with the answer above it.
    one = request.path_params.get("name", "")
    find = request.query_params.get("find", one).strip()[:80]
    like = [account for account in accounts if find.lower() in f"{account.name} {account.title}".lower()]
    last = max(1, -(-len(like) // PEOPLE))
    number = min(last, max(1, asked_number(request, "page", digits=6) or 1))
    language, me = language_of(request), must_read(request, *READERS).account
    waiting = await asyncio.to_thread(authenticator.grants.waiting)
    granted_lately = await asyncio.to_thread(authenticator.grants.notices)
    with_factor = await asyncio.to_thread(authenticator.factors.accounts_with_factor)
    tables = house.tables.listed.values()
    return {
        "once": None,
        "changes": me.role == ADMINISTRATOR,
        "grants": accounts_view.grant_lists(clock_of(request), waiting, granted_lately, me),
        "accounts": like[(number - 1) * PEOPLE : number * PEOPLE],
        "with_factor": with_factor,
        "people": len(like),
        "find": find,
        "number": number,
        "last": last,
        "page_before": number - 1 if number > 1 else None,
        "page_after": number + 1 if number < last else None,
        "several_pages": last > 1,
        "role_choices": partial(accounts_view.role_choices, language),
        "keys": keys,
        "purposes": accounts_view.purpose_choices(language),
        "tables": [(listed, house.tables.view(listed.id).table) for listed in tables],
        "table_choices": choices((table.id, table.title) for table in tables),
        "pace_fields": accounts_view.pace_fields(partial(say, language)),
    }


def _link_shown_once(request: Req, granted: Granted) -> dict[str, str]:
    """What is shown once; nothing where no link was made."""
    if not granted.token or granted.account is None:
        return {}
    return {"person": granted.account.name, "link": f"{house_address(request)}/link?token={granted.token}"}


def house_address(request: Req) -> str:
    """What links for other people begin with; never a name that only the request claims."""
    return address_for_links(request.scope, context_of(request).settings)


def _text(data: dict[str, Any], name: str) -> str:
    return str(data.get(name, "")).strip()


def _table_of_form(data: dict[str, Any]) -> Listed:
    """The table of a form."""
    name = _text(data, "table")
    if not TABLE.fullmatch(name):
        raise Refused(
            "malformed_input",
            "A table's id is up to 60 small letters, digits, dots, dashes and underscores.",
            next_step="The title may be written in any script.",
        )
    title = _text(data, "title")[:100] or name
    if not data.get("deals_itself"):
        return Listed(name, title)
    seconds = {
        pause: text for pause in ("betting", "card", "window", "between") if (text := _text(data, pause))
    }
    try:
        pace = msgspec.convert(seconds, NewPace, strict=False).pace()
    except msgspec.ValidationError:
        raise Refused(
            "malformed_input", "Each pause is from 0.1 to 600 seconds.", next_step="Write 12 or 0.8."
        ) from None
    return Listed(name, title, pace)
