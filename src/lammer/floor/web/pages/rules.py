"""The rules as pages: every rulebook of the house, readable by anybody; two of them side by side.

What the documents say is told in our own words, each beside its paragraph, with what answers for it. Nothing
here needs a session: a player may read under what they play before they come in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any, Final

from litestar import Controller, Response, get
from litestar.params import FromPath

from lammer import draw
from lammer.coverage import coverage_json, summary_sentence
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.aligned import aligned
from lammer.floor.web.pages.refusing import said
from lammer.floor.web.pages.rule_words import (
    bet_rows,
    bet_titles,
    insurance_grids,
    irregularity_rows,
    layout_groups,
    odds_beside,
    paragraph_rows,
    play_grid,
)
from lammer.floor.web.pages.site import Req, language_of, page
from lammer.lab.exact.edges import edges
from lammer.lab.exact.side_by_side import edges_compared, insuring_compared
from lammer.rulebook.diff import Change, diff
from lammer.rulebook.force import force_start, standing, superseded_by
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.phrases import in_words
from lammer.wording.pictures import picture_words
from lammer.wording.rules import gist_of, reading_words
from lammer.wording.titles import title_of

DECKS: Final = 8


def book_of(request: Req, name: str) -> Rulebook:
    """A rulebook of this house, or `unknown_rulebook`."""
    books = context_of(request).house.books
    if name not in books:
        raise Refused(
            "unknown_rulebook",
            "This house has no rulebook {name}.",
            next_step="It has {rulebooks}.",
            name=repr(name[:80]),
            rulebooks=", ".join(books),
        )
    return books[name]


class Rules(Controller):
    """Rulebooks to read."""

    include_in_schema = False
    path = "/rules"
    exception_handlers = {Refused: said}  # noqa: RUF012 (the framework reads it)

    @get()
    async def shelf(self, request: Req) -> Response[Any]:
        books, now = context_of(request).house.books, datetime.now(UTC)
        language = language_of(request)
        held = [
            {
                "id": book.id,
                "title": title_of(language, book),
                "when": force_start(book),
                "standing": standing(books.values(), book, now),
                "later": later.id if (later := superseded_by(books.values(), book)) else "",
                "bets": len(book.bets),
                "layouts": len(book.layouts),
                "insurance": book.insurance is not None,
                "paragraphs": len(book.paragraphs),
                "sha256": book.sha256,
            }
            for book in books.values()
        ]
        return page(request, "rules.html", books=held, two=_two(books, "", ""))

    @get("/compare")
    async def compare(self, request: Req) -> Response[Any]:
        books = context_of(request).house.books
        asked = request.query_params
        names = _two(books, asked.get("a", ""), asked.get("b", ""))
        a, b = (book_of(request, name) for name in names)
        language = language_of(request)
        made = await asyncio.to_thread(_compared, a, b)
        changes = [_change_row(language, change) for change in made["changes"]]
        odds = {book.id: odds_beside(book, language) for book in (a, b)}
        called, t = bet_titles(language, a, b), partial(say, language)
        titles = {bet.title: title_of(language, bet) for book in (a, b) for bet in book.bets.values()}
        columns = ("bet", *(f"{t('edge %')} {book.id}" for book in (a, b)), "change")
        made = made | {"edges": replace(made["edges"], columns=columns), "changes": changes}
        return page(
            request,
            "rules_compare.html",
            books=list(books),
            a=a,
            b=b,
            odds=odds,
            gist_of=partial(gist_of, language),
            names=called,
            titles=titles,
            **made,
        )

    @get("/{name:str}")
    async def book(self, request: Req, name: FromPath[str]) -> Response[Any]:
        book, language = book_of(request, name), language_of(request)
        shown = await asyncio.to_thread(_shown, book, language)
        later = superseded_by(context_of(request).house.books.values(), book)
        return page(request, "rules_book.html", book=book, later=later, when=force_start(book), **shown)

    @get("/{name:str}/layouts/{letter:str}")
    async def layout(self, request: Req, name: FromPath[str], letter: FromPath[str]) -> Response[Any]:
        book, language = book_of(request, name), language_of(request)
        layout = book.layout(letter)
        return page(
            request,
            "rules_layout.html",
            book=book,
            title=title_of(language, book),
            layout=layout,
            felt=draw.felt(book, letter, [], boxes=range(1, layout.most + 1), words=picture_words(language)),
            bets=[bet for bet in bet_rows(book, language) if letter in bet["layouts"].split()],
        )


def _change_row(language: Language, change: Change) -> dict[str, Any]:
    return {
        "kind": say(language, change.kind),
        "subject": in_words(language, change.subject),
        "sentence": in_words(language, change.sentence),
        "before": change.before.split(", ") if change.before else [],
        "after": change.after.split(", ") if change.after else [],
    }


def _two(books: Mapping[str, Rulebook], a: str, b: str) -> tuple[str, str]:
    """Which two to compare: where one is not named, a version and the one that took its place."""
    took = {one.id: later.id for one in books.values() if (later := superseded_by(books.values(), one))}
    if a and not b:
        earlier = next((one for one, later in took.items() if later == a), "")
        b = took.get(a) or earlier or next((each for each in books if each != a), a)
    elif not a:
        first = next(iter(took), next(iter(books)))
        a, b = (first, b or took.get(first) or list(books)[-1])
    return a, b


@lru_cache(maxsize=32)
def _shown(book: Rulebook, language: Language) -> dict[str, Any]:
    insurance = book.insurance
    return {
        "title": title_of(language, book),
        "bets": bet_rows(book, language),
        "play": play_grid(book),
        "insured": insurance_grids(book),
        "shares": [
            (str(share.odds), f"{share.share * 100}%", share.cite.paragraph)
            for share in (insurance.shares if insurance else ())
        ],
        "layouts": [
            (layouts, draw.felt(book, letter, [], boxes=[1], words=picture_words(language)))
            for layouts, letter in layout_groups(book)
        ],
        "irregularities": irregularity_rows(book, language),
        "paragraphs": paragraph_rows(book, odds_beside(book, language), language),
        "readings": [reading_words(language, book, each) for each in book.readings.values()],
        "covered": summary_sentence(coverage_json(book)),
    }


@lru_cache(maxsize=64)
def _compared(a: Rulebook, b: Rulebook) -> dict[str, Any]:
    before, after = edges(a, decks=DECKS), edges(b, decks=DECKS)
    pairs = aligned(a, b)
    return {
        "changes": diff(a, b),
        "differing": [each for each in pairs if each.kind != "same"],
        "agreeing": [each for each in pairs if each.kind == "same"],
        "edges": edges_compared(before, after),
        "insuring": insuring_compared(before, after),
        "decks": DECKS,
    }
