"""For administrators: who is in and since when, a way to end a session, and the book of changes of accounts.

Auditors read the same and change nothing.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from lammer.floor.access.links import STARTING
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.accounts.accounts import ADMINISTRATOR, READERS
from lammer.floor.web.pages.accounts.accounts_view import change_words
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, asked_number, language_of, page, verified_fields

SHOWN: Final = 200


class Administration(Pages):
    """Sessions and changes; beside the accounts."""

    path = "/accounts"

    @get("/sessions")
    async def read_sessions(self, request: Req) -> Response[Any]:
        """Who is in, those seen last first; of one person where a name is asked for."""
        session = must_read(request, *READERS)
        find = request.query_params.get("find", "").strip()[:80]
        sessions = await asyncio.to_thread(context_of(request).authenticator.sessions.list, find or None)
        return page(
            request,
            "sessions.html",
            sessions=sessions[:SHOWN],
            left_out=max(0, len(sessions) - SHOWN),
            find=find,
            own=session.id,
            changes=session.account.role == ADMINISTRATOR,
        )

    @post("/sessions/{number:str}/end")
    async def end_session(self, request: Req, number: FromPath[str], data: Form) -> Response[Any]:
        """Whoever has it is signed out at once, and it is written down who did that."""
        session, context = must_read(request, ADMINISTRATOR), context_of(request)
        verified_fields(session, data)
        by = session.account.name
        await context.at_desk(lambda: context.authenticator.sessions.revoke(number[:80], by=by))
        return Redirect("/accounts/sessions", status_code=303)

    @get("/changes")
    async def read_changes(self, request: Req) -> Response[Any]:
        """Who did what to which account, the newest first."""
        must_read(request, *READERS)
        accounts, language = context_of(request).authenticator.accounts, language_of(request)
        last = await asyncio.to_thread(accounts.last_change)
        asked = asked_number(request, "after")
        after = max(0, last - SHOWN) if asked is None else asked
        changes = await asyncio.to_thread(accounts.changes, after, SHOWN)
        return page(
            request,
            "account_changes.html",
            starting=STARTING,
            changes=[(change, change_words(language, change.what)) for change in changes[::-1]],
            older=max(0, after - SHOWN) if after else None,
            newer=changes[-1].number if changes and changes[-1].number < last else None,
        )
