"""The rules as pages: every rulebook of the house, readable by anybody; two of them side by side.

What the documents say is written in our own words, each beside its paragraph, with what answers for it.
Nothing here needs a session: a player may read under what they play before they come in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any
from urllib.parse import quote

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect

from lammer import draw
from lammer.coverage import coverage_json, proved_sentence, summary_sentence
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.rules.aligned import Pair, align
from lammer.floor.web.pages.rules.book_names import book_choices, book_name, in_force_from
from lammer.floor.web.pages.rules.rule_words import (
    bet_rows,
    bet_titles,
    insurance_grids,
    irregularity_rows,
    layout_groups,
    odds_beside,
    paragraph_rows,
    play_grid,
)
from lammer.floor.web.pages.site.frame import Choice, is_paragraph
from lammer.floor.web.pages.site.refusing import Pages
from lammer.floor.web.pages.site.site import Req, language_of, page, reader, wants_part
from lammer.lab.exact.edges import edges
from lammer.lab.exact.side_by_side import edges_compared, insuring_compared
from lammer.lab.output.sheet import Sheet
from lammer.rulebook.diff import Change, diff
from lammer.rulebook.force import standing, superseded_by
from lammer.rulebook.model import Paragraph, Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.wording import share_words
from lammer.wording.catalogues import Language, say
from lammer.wording.phrases import in_words
from lammer.wording.pictures import picture_words
from lammer.wording.rules import gist_of, irregularity_title, reading_words
from lammer.wording.titles import title_of


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


class Rules(Pages):
    """Rulebooks to read."""

    path = "/rules"

    @get()
    async def shelf(self, request: Req) -> Response[Any]:
        books, now = context_of(request).house.books, datetime.now(UTC)
        language = language_of(request)
        return page(
            request,
            "rules.html",
            books=[
                {
                    "book": book,
                    "title": title_of(language, book),
                    "when": in_force_from(language, book),
                    "standing": standing(books.values(), book, now),
                    "later": superseded_by(books.values(), book),
                }
                for book in books.values()
            ],
            lists=_lists(books, *_names_to_compare(books, "", ""), language),
            **view_of(request),
        )

    @get("/compare")
    async def compare(self, request: Req) -> Response[Any]:
        books = context_of(request).house.books
        query = request.query_params
        names = _names_to_compare(books, query.get("a", ""), query.get("b", ""))
        left, right = (book_of(request, name) for name in names)
        language = language_of(request)
        changes, pairs, sheets = await asyncio.to_thread(_compare, left, right)
        titles = _subject_titles(left, language) | _subject_titles(right, language)
        odds = {book.id: odds_beside(book, language) for book in (left, right)}
        rows = [_pair_row(pair, left, right, odds, language) for pair in pairs]
        columns = ("bet", *(f"{say(language, 'edge %')} {book.id}" for book in (left, right)), "change")
        return page(
            request,
            "rules_compare.html",
            lists=_lists(books, left.id, right.id, language),
            left=left,
            right=right,
            changes=[_change_row(change, titles, language) for change in changes],
            differing=[row for row in rows if row["kind"] != "same"],
            agreeing=[row for row in rows if row["kind"] == "same"],
            moved=sum(pair.moved for pair in pairs),
            names=bet_titles(language, left, right),
            edges=replace(sheets[0], columns=columns),
            insuring=replace(
                sheets[1], columns=tuple(in_words(language, column) for column in sheets[1].columns)
            ),
            decks=" / ".join(dict.fromkeys(str(book.cards.usual_decks) for book in (left, right))),
        )

    @get("/{name:str}")
    async def book(self, request: Req, name: FromPath[str]) -> Response[Any]:
        book, language = book_of(request, name), language_of(request)
        book_values = await asyncio.to_thread(_book_values, book, language)
        later = superseded_by(context_of(request).house.books.values(), book)
        found = request.query_params.get("find", "").strip()[:60]
        return page(
            request,
            "rules_book.html",
            book=book,
            later=later,
            when=in_force_from(language, book),
            find=found,
            **book_values
            | view_of(request)
            | {"paragraphs": [row for row in book_values["paragraphs"] if says(row, found)]},
        )

    @get("/{name:str}/paragraphs/{number:str}")
    async def paragraph(self, request: Req, name: FromPath[str], number: FromPath[str]) -> Response[Any]:
        """One paragraph: a piece of HTML for a script that shows it in place, else its place on the page."""
        book, language = book_of(request, name), language_of(request)
        if number not in book.paragraphs:
            raise Refused(
                "unknown_paragraph",
                "{rulebook} has no paragraph {number}.",
                next_step="Its paragraphs are on the page of its rules.",
                rulebook=book.id,
                number=repr(number[:20]),
            )
        if not wants_part(request):
            return Redirect(f"/rules/{quote(book.id, safe='')}#p-{number}", status_code=303)
        book_values = await asyncio.to_thread(_book_values, book, language)
        return page(request, "rules_paragraph.html", **paragraph_values(book, number, book_values))

    @get("/{name:str}/layouts/{letter:str}")
    async def layout(self, request: Req, name: FromPath[str], letter: FromPath[str]) -> Response[Any]:
        book, language = book_of(request, name), language_of(request)
        layout = book.layout(letter)
        return page(
            request,
            "rules_layout.html",
            book=book,
            title=title_of(language, book),
            named=book_name(language, book),
            layout=layout,
            felt=draw.felt(book, letter, [], boxes=range(1, layout.most + 1), words=picture_words(language)),
            bets=[bet for bet in bet_rows(book, language) if letter in bet["layouts"].split()],
        )


def view_of(request: Req) -> dict[str, bool]:
    """Whether all of a rulebook is shown, and whether the reader may choose.

    Players and strangers read the rules alone; whoever works here sees too what answers for each of them. An
    auditor sees that too, and the names in our code for the asking.
    """
    session = reader(request)
    may_choose = session is not None and session.account.role != "player"
    usual = "tests" if session is not None and session.account.role == "auditor" else "full"
    view = request.query_params.get("view", usual)
    return {
        "may_choose": may_choose,
        "full": may_choose and view != "player",
        "code_names": may_choose and view not in ("player", "tests"),
    }


def says(row: Mapping[str, Any], words: str) -> bool:
    """Whether a paragraph has these words in it, or that number.

    >>> row = {"number": "4.1.2", "gist": "What the Player pays", "odds": "Player, every win: 1:1"}
    >>> says(row, "player PAYS"), says(row, "4.1"), says(row, "1.2"), says(row, "")
    (True, True, False, True)
    """
    text = f"{row['gist']} {row['odds']}".lower()
    return row["number"].startswith(words) or all(word in text for word in words.lower().split())


def paragraph_values(book: Rulebook, number: str, book_values: Mapping[str, Any]) -> dict[str, Any]:
    """One paragraph, how it is read where it can be read two ways, and what it says goes wrong."""
    return {
        "book": book,
        "title": book_values["title"],
        "paragraph": next(row for row in book_values["paragraphs"] if row["number"] == number),
        "readings": [
            reading
            for reading in book_values["readings"]
            if any(cite.paragraph == number for cite in reading.cites)
        ],
        "steps": [
            (irregularity["title"], words)
            for irregularity in book_values["irregularities"]
            for words, cite in irregularity["steps"]
            if cite == number
        ],
    }


def _subject_titles(book: Rulebook, language: Language) -> dict[str, str]:
    """What a change may be about, as the reader's language calls it: bets, irregularities and readings."""
    bets = {bet.title: title_of(language, bet) for bet in book.bets.values()}
    rules = {rule.title: irregularity_title(language, book, rule) for rule in book.irregularities.values()}
    readings = {
        name: reading_words(language, book, reading).question for name, reading in book.readings.items()
    }
    return bets | rules | readings


def _change_row(change: Change, titles: Mapping[str, str], language: Language) -> dict[str, Any]:
    """Something that changed from one rulebook to another, for a row."""
    return {
        "kind": say(language, change.kind),
        "subject": titles.get(change.subject) or in_words(language, change.subject).replace("_", " "),
        "sentence": in_words(language, change.sentence),
        "before": change.before.split(", ") if change.before else [],
        "after": change.after.split(", ") if change.after else [],
    }


def _pair_row(
    pair: Pair,
    left: Rulebook,
    right: Rulebook,
    odds: Mapping[str, Mapping[str, list[str]]],
    language: Language,
) -> dict[str, Any]:
    """A paragraph of the one rulebook beside one of the other, each with the odds that stand in it."""

    def text_in(book: Rulebook, paragraph: Paragraph | None) -> dict[str, str] | None:
        if paragraph is None:
            return None
        number, beside = paragraph.number, odds[book.id].get(paragraph.number, [])
        return {"number": number, "gist": gist_of(language, book, number), "odds": " · ".join(beside)}

    return {"kind": pair.kind, "before": text_in(left, pair.before), "after": text_in(right, pair.after)}


def _lists(
    books: Mapping[str, Rulebook], left: str, right: str, language: Language
) -> list[tuple[str, str, list[Choice]]]:
    """The two lists of the form that compares: name, what it is called, the rulebooks."""
    return [
        (name, say(language, label), book_choices(books, chosen, language))
        for name, label, chosen in (("a", "From", left), ("b", "To", right))
    ]


def _names_to_compare(books: Mapping[str, Rulebook], left: str, right: str) -> tuple[str, str]:
    """Which two to compare: where one is not named, a version and the one that took its place."""
    took = {one.id: later.id for one in books.values() if (later := superseded_by(books.values(), one))}
    if left and not right:
        earlier = next((one for one, later in took.items() if later == left), "")
        right = took.get(left) or earlier or next((name for name in books if name != left), left)
    elif not left:
        first = next(iter(took), next(iter(books)))
        left, right = (first, right or took.get(first) or list(books)[-1])
    return left, right


@lru_cache(maxsize=32)
def _book_values(book: Rulebook, language: Language) -> dict[str, Any]:
    insurance, report = book.insurance, coverage_json(book)
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
        "shares_of_original": [
            (in_words(language, share_words(limit)), limit.cite.paragraph)
            for limit in (insurance.shares_of_original if insurance else ())
        ],
        "tie_loses": insurance is not None and any(offer.tie_loses for offer in insurance.offers),
        "layouts": [
            (layouts, draw.felt(book, letter, [], boxes=[1], words=picture_words(language)))
            for layouts, letter in layout_groups(book)
        ],
        "irregularities": irregularity_rows(book, language),
        "paragraphs": paragraph_rows(book, odds_beside(book, language), language),
        "sections": _sections(book),
        "readings": [reading_words(language, book, reading) for reading in book.readings.values()],
        "covered": in_words(language, summary_sentence(report)),
        "proved": in_words(language, proved_sentence(report)),
    }


def _sections(book: Rulebook) -> list[tuple[str, str]]:
    """The sections of a document by their number, each with its first paragraph."""
    first: dict[str, str] = {}
    for number in filter(is_paragraph, book.paragraphs):
        first.setdefault(number.partition(".")[0], number)
    return list(first.items())


@lru_cache(maxsize=64)
def _compare(left: Rulebook, right: Rulebook) -> tuple[tuple[Change, ...], list[Pair], tuple[Sheet, Sheet]]:
    """What changed, every paragraph beside its other, and what that did to the edges and to Insurance."""
    before, after = edges(left), edges(right)
    sheets = edges_compared(before, after), insuring_compared(before, after)
    return diff(left, right), align(left, right), sheets
