"""The lab as pages: exact edges of every bet, what Insurance costs, and what a change would do to them.

Decks, cards gone and pays can be changed; everything is worked out anew, to the last fraction, beside what
the document says. For whoever is signed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final

from litestar import Response, get

from lammer import draw
from lammer.draw.heat import heat_map, pair_bar
from lammer.draw.svg import Svg
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.lab.what_if import analyse, document, fields, labels, plain, what_if
from lammer.floor.web.pages.rules.book_names import book_choices
from lammer.floor.web.pages.rules.rule_words import bet_titles
from lammer.floor.web.pages.rules.rules import book_of
from lammer.floor.web.pages.site.frame import Say
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import SECURITY, Req, language_of, page, refused_page
from lammer.lab.exact.analysis import (
    Analysis,
    InsuranceEdge,
    always_sheet,
    bets_sheet,
    deviation,
    outcomes_sheet,
    percent,
)
from lammer.lab.exact.side_by_side import by_decks, decks_sheet
from lammer.lab.output.sheet import Sheet
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, WINDOWS, opposite
from lammer.rulebook.wording import WINDOW_TITLES
from lammer.wording.catalogues import Language, say
from lammer.wording.titles import title_of

MOST_LETTERS: Final = 60
"""Of the name somebody gives their question."""

ARROWS: Final = {"more": "▲ ", "less": "▼ ", "": ""}
NumberField = tuple[str, str, str]
"""A field of the form: its name, what it is called, and what stands in it."""


class Lab(Pages):
    """Figures, and what would move them."""

    path = "/lab"

    @get()
    async def edges(self, request: Req) -> Response[Any]:
        by = must_read(request).account.name
        book, book_values = _book_and_values(request)
        language, line = language_of(request), context_of(request).lab_line
        refused: Refused | None = None
        question = plain(book)
        try:
            question = what_if(request.query_params, book)
            after = await line.do(by, lambda: analyse(book, question))
        except Refused as why:
            refused, question = why, plain(book)
            after = await line.do(by, lambda: document(book))
        figures = await line.do(by, lambda: _figures(book, document(book), after, language))
        page_values = book_values | figures | {"plain": question.is_plain(book)}
        page_values["paid_otherwise"] = bool(question.pays or refused)
        return refused_page(request, refused, "lab.html", **page_values)

    @get("/decks")
    async def decks(self, request: Req) -> Response[Any]:
        by = must_read(request).account.name
        book, book_values = _book_and_values(request)
        sheet = await context_of(request).lab_line.do(by, lambda: _decks(book))
        t = partial(say, language_of(request))
        named = (
            sheet.columns[0],
            *(t("{decks} decks", decks=column.split()[0]) for column in sheet.columns[1:]),
        )
        charts = [
            (title_of(language_of(request), book.bets[name]), _decks_chart(sheet.columns, edges, t))
            for name, *edges in sheet.texts()
        ]
        sheet = replace(sheet, columns=named)
        return page(request, "lab_decks.html", sheet=sheet, charts=charts, **book_values)

    @get("/decks.csv")
    async def decks_as_csv(self, request: Req) -> Response[str]:
        """The edges by number of decks, to be taken away."""
        by = must_read(request).account.name
        book, _ = _book_and_values(request)
        sheet = await context_of(request).lab_line.do(by, lambda: _decks(book))
        return csv_file(f"{book.id}-decks", sheet)

    @get("/edges.csv")
    async def as_csv(self, request: Req) -> Response[str]:
        """The edges of what is asked, to be taken away."""
        by = must_read(request).account.name
        book, _ = _book_and_values(request)
        question = what_if(request.query_params, book)
        analysis = await context_of(request).lab_line.do(by, lambda: analyse(book, question))
        return csv_file(f"{book.id}-edges", bets_sheet(analysis))

    @get("/edges.json")
    async def as_json(self, request: Req) -> dict[str, Any]:
        """The same figures as exact fractions, for programs."""
        by = must_read(request).account.name
        book, _ = _book_and_values(request)
        question = what_if(request.query_params, book)
        analysis = await context_of(request).lab_line.do(by, lambda: analyse(book, question))
        return {
            "rulebook": analysis.rulebook,
            "shoe": analysis.shoe.counts,
            "combinations": analysis.combinations,
            "bets": {bet.bet: str(bet.edge) for bet in analysis.bets},
            "insurance": [
                {**edge.situation(), "occurs": str(edge.occurs), "edge": str(edge.edge)}
                for edge in analysis.insurance
            ],
        }


def csv_file(name: str, *sheets: Sheet) -> Response[str]:
    """Sheets as a file to be taken away, one below the other, with the names the command line gives them."""
    text = "\n\n".join(sheet.csv() for sheet in sheets)
    headers = dict(SECURITY) | {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(f"{text}\n", media_type="text/csv", headers=headers)


def _decks_chart(columns: tuple[str, ...], edges: Sequence[str], t: Say) -> Svg:
    """One bet's edge over the numbers of decks."""
    decks = [column.split()[0] for column in columns[1:]]
    points = [(number, float(edge), f"{edge}%") for number, edge in zip(decks, edges, strict=True)]
    first, last = points[0], points[-1]
    title = t(
        "{few} decks: {before}, {many} decks: {after}",
        few=first[0],
        before=first[2],
        many=last[0],
        after=last[2],
    )
    return draw.line_chart(points, title=title)


def _book_and_values(request: Req) -> tuple[Rulebook, dict[str, Any]]:
    books = context_of(request).house.books
    query = request.query_params
    book = book_of(request, query.get("book") or next(iter(books)))
    return book, {
        "books": book_choices(books, book.id, language_of(request)),
        "book": book,
        "title": title_of(language_of(request), book),
        "decks": query.get("decks") or str(book.cards.usual_decks),
        "cards_gone": [
            (f"gone_{rank}", rank.replace("T", "10"), query.get(f"gone_{rank}") or "0")
            for rank in book.cards.ranks
        ],
        "names": bet_titles(language_of(request), book),
        "query": request.url.query,
        "called": query.get("called", "").strip()[:MOST_LETTERS],
        "most_letters": MOST_LETTERS,
        "most_decks": book.cards.most_decks,
        "odds": _odds_fields(book, query, language_of(request)),
    }


def _odds_fields(book: Rulebook, query: Mapping[str, str], language: Language) -> list[NumberField]:
    """The odds that can be changed; those typed for another rulebook are not asked of this one."""
    typed = query if query.get("of", book.id) == book.id else {}
    called = labels(book, language)
    return [
        (field, called[field], typed.get(field) or printed) for field, (_, printed) in fields(book).items()
    ]


@lru_cache(maxsize=32)
def _decks(book: Rulebook) -> Sheet:
    return decks_sheet(by_decks(book))


def _figures(book: Rulebook, before: Analysis, after: Analysis, language: Language) -> dict[str, Any]:
    old = {bet.bet: bet for bet in before.bets}
    values = [float(bet.edge) for analysis in (before, after) for bet in analysis.bets]
    rows = []
    for bet in after.bets:
        was = old[bet.bet]
        bar_title = f"{percent(was.edge)}% → {percent(bet.edge)}%"
        rows.append(
            {
                "bet": bet,
                "was": was,
                "title": title_of(language, book.bets[bet.bet]),
                "pays": " / ".join(
                    dict.fromkeys(str(outcome.pays) for outcome in bet.outcomes if outcome.pays)
                ),
                "way": (way := "more" if bet.edge > was.edge else "less" if bet.edge < was.edge else ""),
                "change": ARROWS[way] + percent(bet.edge - was.edge).replace("-", "−"),
                "bar": pair_bar(float(was.edge), float(bet.edge), min(values), max(values), title=bar_title),
            }
        )
    return {
        "rows": rows,
        "cards": after.shoe.size,
        "draws": f"{after.combinations:,}",
        "outcomes": outcomes_sheet(after),
        "heat": heat_maps(after, language),
        "costs": after.insurance,
        "window_words": WINDOW_TITLES,
        "always": always_sheet(after) if after.insurance else None,
        "percent": percent,
        "deviation": deviation,
    }


def heat_maps(analysis: Analysis, language: Language) -> list[tuple[str, str, Svg]]:
    """What Insurance costs, a picture for each hand and window; colours on one scale."""
    most = max((abs(float(edge.edge)) for edge in analysis.insurance), default=1.0) * 100
    return [
        (say(language, WINDOW_TITLES[window]), hand, _heat(edges, most, language))
        for window in WINDOWS
        for hand in SIDES
        if (edges := [edge for edge in analysis.insurance if (edge.window, edge.hand) == (window, hand)])
    ]


def _heat(edges: list[InsuranceEdge], most: float, language: Language) -> Svg:
    t = partial(say, language)
    hand = edges[0].hand
    names = {"player": t("Player"), "banker": t("Banker")}
    own, other = names[hand], names[opposite(hand)]
    cells = {}
    for edge in edges:
        cell_title = t(
            "{own} {a} against {other} {b}, paid {odds}: costs {edge}% of the stake",
            own=own,
            a=edge.own,
            other=other,
            b="0–9" if edge.other is None else edge.other,
            odds=str(edge.pays),
            edge=percent(edge.edge),
        )
        cells[edge.own, edge.other or 0] = (float(edge.edge) * 100, percent(edge.edge, 1), cell_title)
    title = t("What insuring {own} costs, {window}", own=own, window=t(WINDOW_TITLES[edges[0].window]))
    return heat_map(
        cells,
        sorted({edge.own for edge in edges}),
        sorted({edge.other or 0 for edge in edges}),
        title=title,
        down=own,
        across=other,
        most=most,
    )
