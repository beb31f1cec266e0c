"""The rules as pages: every rulebook of the house, readable by anybody; two of them side by side.

What the documents say is told in our own words, each beside its paragraph, with what answers for it. Nothing
here needs a session: a player may read under what he plays before he comes in.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from litestar import Controller, Response, get
from litestar.params import FromPath

from lammer import draw
from lammer.coverage import coverage_json, summary_sentence
from lammer.floor.api.floor import floor_of
from lammer.floor.pages.refusing import said
from lammer.floor.pages.rule_words import (
    bet_rows,
    bet_titles,
    in_order,
    insurance_grids,
    irregularity_rows,
    layout_groups,
    paragraph_rows,
    play_grid,
    title_of,
)
from lammer.floor.pages.site import Req, language_of, page
from lammer.floor.pages.words import Language, said as in_words
from lammer.lab.edges import edges
from lammer.lab.side_by_side import edges_compared, insuring_compared
from lammer.rulebook.diff import diff, moved
from lammer.rulebook.force import standing, superseded_by, when
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

DECKS: Final = 8


def book_of(request: Req, name: str) -> Rulebook:
    """A rulebook of this house, or `unknown_rulebook`."""
    books = floor_of(request).house.books
    if name not in books:
        raise Refused(
            "unknown_rulebook",
            f"This house has no rulebook {name[:80]!r}.",
            next_step=f"It has {', '.join(books)}.",
        )
    return books[name]


class Rules(Controller):
    """Rulebooks to read."""

    include_in_schema = False
    path = "/rules"
    exception_handlers = {Refused: said}  # noqa: RUF012 (the framework reads it)

    @get()
    async def shelf(self, request: Req) -> Response[Any]:
        books, now = floor_of(request).house.books, datetime.now(UTC)
        language = language_of(request)
        held = [
            {
                "id": book.id,
                "title": title_of(book, language),
                "when": when(book),
                "standing": standing(books.values(), book, now),
                "bets": len(book.bets),
                "layouts": len(book.layouts),
                "insurance": book.insurance is not None,
                "paragraphs": len(book.paragraphs),
                "sha256": book.sha256,
            }
            for book in books.values()
        ]
        return page(request, "rules.html", books=held)

    @get("/compare")
    async def compare(self, request: Req) -> Response[Any]:
        books = list(floor_of(request).house.books)
        asked = request.query_params
        names = (asked.get("a") or books[0], asked.get("b") or books[-1])
        a, b = (book_of(request, name) for name in names)
        made = await asyncio.to_thread(_compared, a, b)
        called = bet_titles(language_of(request), a, b)
        return page(request, "rules_compare.html", books=books, a=a, b=b, names=called, **made)

    @get("/{name:str}")
    async def book(self, request: Req, name: FromPath[str]) -> Response[Any]:
        book, language = book_of(request, name), language_of(request)
        shown = await asyncio.to_thread(_shown, book, language)
        later = superseded_by(floor_of(request).house.books.values(), book)
        return page(request, "rules_book.html", book=book, later=later, when=when(book), **shown)

    @get("/{name:str}/layouts/{letter:str}")
    async def layout(self, request: Req, name: FromPath[str], letter: FromPath[str]) -> Response[Any]:
        book, language = book_of(request, name), language_of(request)
        layout = book.layout(letter)
        return page(
            request,
            "rules_layout.html",
            book=book,
            title=title_of(book, language),
            layout=layout,
            felt=draw.felt(book, letter, [], boxes=range(1, layout.most + 1), language=language),
            bets=[bet for bet in bet_rows(_t(language), book, language) if letter in bet["layouts"].split()],
        )


def _t(language: Language) -> Any:
    return lambda text, **values: in_words(language, text, **values)


@lru_cache(maxsize=32)
def _shown(book: Rulebook, language: Language) -> dict[str, Any]:
    insurance = book.insurance
    return {
        "title": title_of(book, language),
        "bets": bet_rows(_t(language), book, language),
        "play": play_grid(book),
        "insured": insurance_grids(book),
        "shares": [
            (str(share.odds), f"{share.share * 100}%", share.cite.paragraph)
            for share in (insurance.shares if insurance else ())
        ],
        "layouts": [
            (layouts, draw.felt(book, letter, [], boxes=[1], language=language))
            for layouts, letter in layout_groups(book)
        ],
        "irregularities": irregularity_rows(book),
        "paragraphs": paragraph_rows(book),
        "covered": summary_sentence(coverage_json(book)),
    }


@lru_cache(maxsize=64)
def _compared(a: Rulebook, b: Rulebook) -> dict[str, Any]:
    before, after = edges(a, decks=DECKS), edges(b, decks=DECKS)
    numbers = sorted({*a.paragraphs, *b.paragraphs}, key=in_order)
    sides = [
        (
            number,
            a.paragraphs[number].gist if number in a.paragraphs else "",
            b.paragraphs[number].gist if number in b.paragraphs else "",
        )
        for number in numbers
    ]
    return {
        "changes": diff(a, b),
        "moved": moved(a, b),
        "edges": edges_compared(before, after),
        "insuring": insuring_compared(before, after),
        "sides": [(*row, row[1] == row[2]) for row in sides],
        "decks": DECKS,
    }
