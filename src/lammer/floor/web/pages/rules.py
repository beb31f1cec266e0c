"""The rules as pages: every rulebook of the house, readable by anybody; two of them side by side.

What the documents say is told in our own words, each beside its paragraph, with what answers for it. Nothing
here needs a session: a player may read under what they play before they come in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any, Final

from litestar import Controller, Response, get
from litestar.params import FromPath

from lammer import draw
from lammer.coverage import coverage_json, summary_sentence
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.aligned import Pair, aligned
from lammer.floor.web.pages.frame import Choice, plain_choices
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
from lammer.rulebook.model import Paragraph, Rulebook
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
                "superseded": later is not None
                and standing(books.values(), book, now).startswith("superseded"),
                "bets": len(book.bets),
                "layouts": len(book.layouts),
                "insurance": book.insurance is not None,
                "paragraphs": len(book.paragraphs),
                "sha256_begins": book.sha256[:16],
            }
            for book in books.values()
        ]
        return page(request, "rules.html", books=held, lists=_lists(books, *_two(books, "", ""), language))

    @get("/compare")
    async def compare(self, request: Req) -> Response[Any]:
        books = context_of(request).house.books
        asked = request.query_params
        names = _two(books, asked.get("a", ""), asked.get("b", ""))
        a, b = (book_of(request, name) for name in names)
        language = language_of(request)
        made = await asyncio.to_thread(_compared, a, b)
        odds = {book.id: odds_beside(book, language) for book in (a, b)}
        called, t = bet_titles(language, a, b), partial(say, language)
        titles = {bet.title: title_of(language, bet) for book in (a, b) for bet in book.bets.values()}
        columns = ("bet", *(f"{t('edge %')} {book.id}" for book in (a, b)), "change")
        made = dict(made) | {"edges": replace(made["edges"], columns=columns)}
        agreeing: list[Pair] = made.pop("agreeing")
        return page(
            request,
            "rules_compare.html",
            lists=_lists(books, a.id, b.id, language),
            a=a,
            b=b,
            changes=[_change_row(each, titles, language) for each in made.pop("changes")],
            differing=[_pair(each, (a, b), odds, language) for each in made.pop("differing")],
            agreeing=[_pair(each, (a, b), odds, language) for each in agreeing],
            moved=sum(each.moved for each in agreeing),
            names=called,
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


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """Something that changed from one rulebook to another, for a row."""

    kind: str
    subject: str
    sentence: str
    before: list[str]
    after: list[str]


@dataclass(frozen=True, slots=True)
class ParagraphSaid:
    """A paragraph as it is said in one of two rulebooks, with the odds that stand in it."""

    number: str
    gist: str
    odds: str


@dataclass(frozen=True, slots=True)
class PairShown:
    """A paragraph of the one rulebook beside one of the other; where both say the same it is said once."""

    kind: str
    before: ParagraphSaid | None
    after: ParagraphSaid | None
    same: bool


def _change_row(change: Change, titles: Mapping[str, str], language: Language) -> ChangeRow:
    subject = titles.get(change.subject) or in_words(language, change.subject).replace("_", " ")
    return ChangeRow(
        say(language, change.kind),
        subject,
        in_words(language, change.sentence),
        change.before.split(", ") if change.before else [],
        change.after.split(", ") if change.after else [],
    )


def _pair(
    pair: Pair,
    books: tuple[Rulebook, Rulebook],
    odds: Mapping[str, Mapping[str, list[str]]],
    language: Language,
) -> PairShown:
    def said_in(book: Rulebook, paragraph: Paragraph | None) -> ParagraphSaid | None:
        if paragraph is None:
            return None
        beside = odds[book.id].get(paragraph.number, [])
        return ParagraphSaid(paragraph.number, gist_of(language, book, paragraph.number), " · ".join(beside))

    a, b = books
    return PairShown(pair.kind, said_in(a, pair.before), said_in(b, pair.after), pair.kind == "same")


def _lists(
    books: Mapping[str, Rulebook], a: str, b: str, language: Language
) -> list[tuple[str, str, list[Choice]]]:
    """The two lists of the form that compares: name, what it is called, the rulebooks."""
    t = partial(say, language)
    return [("a", t("From"), plain_choices(books, a)), ("b", t("To"), plain_choices(books, b))]


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
        "grids": insurance_grids(partial(say, language), book),
        "first_hands": ", ".join(
            {"player": say(language, "Player"), "banker": say(language, "Banker")}[hand]
            for hand in book.cards.order
        ),
        "card_values": [(rank.replace("T", "10"), points) for rank, points in book.cards.points.items()],
        "offered_under": (
            [insurance.offers[0].cite.paragraph, insurance.windows.paragraph] if insurance else []
        ),
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
