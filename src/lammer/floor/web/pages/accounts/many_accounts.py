"""Many accounts at once: a list is pasted or read from a file, looked over line by line, and made.

All of them are made or none. Their links are shown once, on the page that made them, to be copied or printed.
"""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post

from lammer.floor.access.grants import Granted
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.accounts.account_list import MOST_PEOPLE, ListedPerson, read_list
from lammer.floor.web.pages.accounts.accounts import ADMINISTRATOR, house_address
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, language_of, page, refused_page, verified_fields
from lammer.rulebook.refusal import Refused

TEMPLATE = "many_accounts.html"


class ManyAccounts(Pages):
    """The list, what is wrong with it, and what was made of it."""

    path = "/accounts/many"

    @get()
    async def form(self, request: Req) -> Response[str]:
        """Where the list is pasted."""
        must_read(request, ADMINISTRATOR)
        return page(request, TEMPLATE, **_page_values())

    @post(status_code=200)
    async def take(self, request: Req, data: Form) -> Response[str]:
        """Look a list over, or make all of it; a list with a problem is looked over once more."""
        session, context = must_read(request, ADMINISTRATOR), context_of(request)
        form = verified_fields(session, data)
        written = str(form.get("list", ""))
        grants, accounts = context.authenticator.grants, context.authenticator.accounts
        taken = {account.name for account in await asyncio.to_thread(accounts.list)}
        people = read_list(written, taken, language_of(request))
        looked_over = _page_values(written, people)
        if form.get("do") != "make" or not looked_over["ready"]:
            return page(request, TEMPLATE, **looked_over)
        wanted = [person.account for person in people]
        try:
            granted = await context.at_desk(lambda: grants.create_all(wanted, by=session.account))
        except Refused as refused:
            return refused_page(request, refused, TEMPLATE, **looked_over)
        return page(request, TEMPLATE, **_page_values(granted=granted, house=house_address(request)))


def _page_values(
    written: str = "",
    people: list[ListedPerson] | None = None,
    granted: list[Granted] | None = None,
    house: str = "",
) -> dict[str, Any]:
    people, granted = people or [], granted or []
    problems = sum(1 for person in people if person.problem)
    return {
        "written": written,
        "people": people,
        "problems": problems,
        "ready": bool(people) and not problems,
        "links": [
            (one.account, f"{house}/link?token={one.token}") for one in granted if one.account and one.token
        ],
        "waits": [one.waits for one in granted if one.waits is not None],
        "most": MOST_PEOPLE,
    }
