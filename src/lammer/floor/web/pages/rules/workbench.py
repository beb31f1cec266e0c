"""The workbench: a rulebook written in the browser, with its problems and figures beside it as one types.

Nobody has to be signed in to try; nothing of the text is executed or kept. Whoever is signed in can hold it
against the rulebooks of the house; a Pit Manager can keep it here, and set a table to it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

from litestar import Response, get, post

from lammer.floor.web.context import address_of, context_of
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.downloads import file_headers
from lammer.floor.web.pages.site.frame import Choice, choices
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import (
    Req,
    choose_language,
    language_of,
    page,
    reader,
    refused_page,
    verified_fields,
)
from lammer.floor.web.tried_rulebook import Asked, Tried
from lammer.rulebook.refusal import Refused
from lammer.shelf import shipped_ids
from lammer.wording.catalogues import say

KEEPERS: Final = ("pit_manager", "table_game_shift_manager")
"""Who may keep a rulebook in the house and set a table to it."""

BEGINNING: Final = """\
[rulebook]
game = "ez-baccarat"

[[bet]]
name = "player"
wins = { hand = "player" }
pays = "1:1"
tie_returns = true

[[bet]]
name = "banker"
wins = { hand = "banker" }
pays = [
  { total = 7, cards = 3, returns = true },
  { when = { not = { hand = "banker", total = 7, cards = 3 } }, odds = "1:1" },
]
tie_returns = true

[[bet]]
name = "tie"
wins = { tie = true }
pays = "8:1"

[[bet]]
name = "dragon_7"
wins = { hand = "banker", total = 7, cards = 3 }
pays = "40:1"

[[bet]]
name = "panda_8"
wins = { hand = "player", total = 8, cards = 3 }
pays = "25:1"
"""
"""What the page begins with: a game that can be read in one look."""

CHANGED: Final = """\
[rulebook]
game = "my-game"
based_on = "{base}"

# Only what differs stands here, for example:
# [[bet]]
# name = "tie"
# pays = "9:1"
"""


class WorkbenchPages(Pages):
    """Where rulebooks are tried."""

    path = "/workbench"

    @get()
    async def begin(self, request: Req) -> Response[Any]:
        """A text to begin with; with `from` one that is based on that rulebook."""
        base = request.query_params.get("from", "")
        text = CHANGED.format(base=base) if base in _known(request) else BEGINNING
        return await _answer(request, {"text": text})

    @post(status_code=200)
    async def try_out(self, request: Req, data: Form) -> Response[Any]:
        """What it comes to; nothing is kept."""
        return await _answer(request, data)

    @post("/language", status_code=200)
    async def language(self, request: Req, data: Form) -> Response[Any]:
        """The same text in another language: what is typed here lies nowhere else."""
        cookie = choose_language(request, data.get("language"))
        response = await _answer(request, data)
        response.set_cookie(cookie)
        return response

    @post("/file", status_code=200)
    async def file(self, request: Req, data: Form) -> Response[Any]:
        """The text as a file to take away."""
        asked = _asked(request, data)
        try:
            tried = await _tried(request, asked)
        except Refused as refused:
            return refused_page(request, refused, "workbench.html", **_values(request, asked, None))
        name = tried.id or "rulebook"
        headers = file_headers(name, kind="toml") | {
            "Content-Disposition": f'attachment; filename="{name}.toml"'
        }
        return Response(asked.text, media_type="application/toml; charset=utf-8", headers=headers)

    @post("/keep", status_code=200)
    async def keep(self, request: Req, data: Form) -> Response[Any]:
        """Keep it in the house, written out whole, so that tables can be set to it."""
        session = must_read(request, *KEEPERS)
        asked = _asked(request, data)
        tried: Tried | None = None
        try:
            verified_fields(session, data)
            tried = await _tried(request, asked)
            if not tried.faults:
                house = context_of(request).house
                book = await asyncio.to_thread(house.kept_rulebooks.keep, tried.whole)
                await house.program.accept_rulebook(book, session.account.name)
                return page(request, "workbench.html", **_values(request, asked, tried, book.id))
        except Refused as refused:
            return refused_page(request, refused, "workbench.html", **_values(request, asked, tried))
        return page(request, "workbench.html", **_values(request, asked, tried))


async def _answer(request: Req, data: dict[str, Any]) -> Response[Any]:
    asked = _asked(request, data)
    try:
        tried = await _tried(request, asked)
    except Refused as refused:
        return refused_page(request, refused, "workbench.html", **_values(request, asked, None))
    return page(request, "workbench.html", **_values(request, asked, tried))


async def _tried(request: Req, asked: Asked) -> Tried:
    return await context_of(request).workbench.try_out(asked, address_of(request))


def _asked(request: Req, data: dict[str, Any]) -> Asked:
    def text(name: str, most: int) -> str:
        value = data.get(name, "")
        return value[:most] if isinstance(value, str) else ""

    written = data.get("text", "")
    bet, _, line = text("of", 100).partition(" ")
    return Asked(
        text=written.replace("\r\n", "\n") if isinstance(written, str) else "",
        language=language_of(request),
        against=against if (against := text("against", 100)) in _known(request) else "",
        bet=bet,
        line=line,
        edge=text("edge", 12),
        folder=_folder(request),
    )


def _folder(request: Req) -> str:
    """Where the house's own rulebooks lie, for whoever may read them."""
    return str(context_of(request).house.kept_rulebooks.folder) if reader(request) else ""


def _known(request: Req) -> list[str]:
    """The rulebooks it may be held against: those that ship, and for whoever is in those kept here."""
    if reader(request) is None:
        return list(shipped_ids())
    kept = context_of(request).house.kept_rulebooks
    own = [name for name in kept.books if (kept.folder / f"{name}.toml").is_file()]
    return [*shipped_ids(), *own]


def _values(request: Req, asked: Asked, tried: Tried | None, kept: str = "") -> dict[str, Any]:
    session, language = reader(request), language_of(request)
    house = context_of(request).house
    t = partial(say, language)
    nothing = [("", t("The one it is based on"))]
    lines = [
        (f"{bet.name} {line}", f"{bet.title}, {line}")
        for bet in (tried.bets if tried else ())
        for line in bet.lines
    ]
    may_keep = session is not None and session.account.role in KEEPERS
    return {
        "asked": asked,
        "path": "/workbench",
        # A text that was sent is newer than what a browser kept of the page.
        "sent": request.method == "POST",
        "tried": tried,
        "kept": kept,
        "against": choices([*nothing, *((name, name) for name in _known(request))], asked.against),
        "lines": choices(lines, f"{asked.bet} {asked.line}"),
        "may_keep": may_keep,
        "tables": [Choice(name, listed.title) for name, listed in house.tables.listed.items()]
        if may_keep
        else [],
    }
