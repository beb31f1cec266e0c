"""The lab as pages: exact edges of every bet, what Insurance costs, and what a change would do to them.

Decks, cards gone and pays can be changed; everything is worked out anew, to the last fraction, beside what
the document says. For whoever is signed in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from litestar import Controller, Response, get

from lammer.draw.heat import heat_map, pair_bar
from lammer.draw.svg import Svg
from lammer.floor.api.floor import floor_of
from lammer.floor.api.problems import problem
from lammer.floor.pages.refusing import must_read, said
from lammer.floor.pages.rule_words import bet_titles, title_of
from lammer.floor.pages.rules import book_of
from lammer.floor.pages.site import Req, language_of, page
from lammer.floor.pages.words import Language, said as in_words
from lammer.lab.analysis import Analysis, InsuranceEdge, always_sheet, deviation, outcomes_sheet, percent
from lammer.lab.composition import Composition
from lammer.lab.edges import edges
from lammer.lab.side_by_side import by_decks, decks_sheet
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS, SIDES, WINDOWS

DECKS: Final = 8
MOST_DECKS: Final = 10
WINDOW_WORDS: Final = {"four_cards": "After four cards", "third_card": "After the third card"}


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What is asked: so many decks, these cards gone, these other odds; as it was typed."""

    decks: int
    gone: Mapping[str, int]
    pays: Mapping[str, str]

    @property
    def plain(self) -> bool:
        """Whether nothing is changed."""
        return self.decks == DECKS and not any(self.gone.values()) and not self.pays

    @property
    def shoe(self) -> Composition:
        return Composition.of({rank: 4 * self.decks - self.gone.get(rank, 0) for rank in RANKS})


def what_if(asked: Mapping[str, str], book: Rulebook) -> WhatIf:
    """The question of a form; what cannot be read is refused in a sentence."""
    try:
        decks = int(asked.get("decks") or DECKS)
        gone = {rank: int(asked.get(f"gone_{rank}") or 0) for rank in RANKS}
    except ValueError:
        raise Refused(
            "malformed_input", "Decks and cards are whole numbers.", next_step="Write digits only."
        ) from None
    if not 1 <= decks <= MOST_DECKS or min(gone.values()) < 0:
        raise Refused(
            "impossible_shoe",
            f"A shoe here has 1 to {MOST_DECKS} decks, and cards are taken from it, not added.",
            next_step="The documents know 4 to 10 decks.",
        )
    pays = {name: asked.get(f"pays_{name}", "").strip() for name in book.bets}
    first = {name: str(bet.pays[0].odds) for name, bet in book.bets.items()}
    return WhatIf(decks, gone, {name: odds for name, odds in pays.items() if odds and odds != first[name]})


class Lab(Controller):
    """Figures, and what would move them."""

    include_in_schema = False
    path = "/lab"
    exception_handlers = {Refused: said}  # noqa: RUF012 (the framework reads it)

    @get()
    async def edges(self, request: Req) -> Response[Any]:
        must_read(request)
        book, around = _around(request)
        try:
            question = what_if(request.query_params, book)
            before, after = await asyncio.to_thread(_analysed, book, question)
        except Refused as refused:
            before = await asyncio.to_thread(document, book)
            shown = await asyncio.to_thread(_shown, book, before, before, language_of(request))
            return page(
                request,
                "lab.html",
                status=problem(refused).status,
                problem=problem(refused),
                plain=True,
                paid_otherwise=True,
                **(around | shown),
            )
        shown = await asyncio.to_thread(_shown, book, before, after, language_of(request))
        return page(
            request,
            "lab.html",
            plain=question.plain,
            paid_otherwise=bool(question.pays),
            **(around | shown),
        )

    @get("/decks")
    async def decks(self, request: Req) -> Response[Any]:
        must_read(request)
        book, around = _around(request)
        made = await asyncio.to_thread(by_decks, book)
        return page(request, "lab_decks.html", sheet=decks_sheet(made), **around)

    @get("/edges.json")
    async def as_json(self, request: Req) -> dict[str, Any]:
        """The same figures as exact fractions, for programs."""
        must_read(request)
        book, _ = _around(request)
        question = what_if(request.query_params, book)
        _, made = await asyncio.to_thread(_analysed, book, question)
        return {
            "rulebook": made.rulebook,
            "shoe": made.shoe.counts,
            "combinations": made.combinations,
            "bets": {bet.bet: str(bet.edge) for bet in made.bets},
            "insurance": [
                {
                    "hand": each.hand,
                    "window": each.window,
                    "player": each.player,
                    "banker": each.banker,
                    "pays": str(each.pays),
                    "occurs": str(each.occurs),
                    "edge": str(each.edge),
                }
                for each in made.insurance
            ],
        }


def _around(request: Req) -> tuple[Rulebook, dict[str, Any]]:
    books = floor_of(request).house.books
    asked = request.query_params
    book = book_of(request, asked.get("book") or next(iter(books)))
    return book, {
        "books": list(books),
        "book": book,
        "title": title_of(book, language_of(request)),
        "asked": asked,
        "ranks": RANKS,
        "names": bet_titles(language_of(request), book),
        "query": request.url.query,
        "most_decks": MOST_DECKS,
    }


def _analysed(book: Rulebook, question: WhatIf) -> tuple[Analysis, Analysis]:
    before = document(book)
    return before, before if question.plain else edges(book, question.shoe, pays=question.pays)


@lru_cache(maxsize=32)
def document(book: Rulebook) -> Analysis:
    """What everything is held against: the document as it stands, from full decks."""
    return edges(book, decks=DECKS)


def _shown(book: Rulebook, before: Analysis, after: Analysis, language: Language) -> dict[str, Any]:
    old = {bet.bet: bet for bet in before.bets}
    values = [float(bet.edge) for made in (before, after) for bet in made.bets]
    rows = []
    for bet in after.bets:
        was = old[bet.bet]
        told = f"{percent(was.edge)}% → {percent(bet.edge)}%"
        rows.append(
            {
                "name": bet.bet,
                "title": title_of(book.bets[bet.bet], language),
                "original": book.bets[bet.bet].original or "",
                "pays": " / ".join(dict.fromkeys(str(each.pays) for each in bet.outcomes if each.pays)),
                "printed": [str(pay.odds) for pay in book.bets[bet.bet].pays],
                "before": percent(was.edge),
                "exact_before": str(was.edge),
                "after": percent(bet.edge),
                "exact": str(bet.edge),
                "change": percent(bet.edge - was.edge),
                "way": "more" if bet.edge > was.edge else "less" if bet.edge < was.edge else "",
                "deviation": deviation(bet.variance, 3),
                "won": percent(bet.share("won"), 2),
                "bar": pair_bar(float(was.edge), float(bet.edge), min(values), max(values), title=told),
            }
        )
    return {
        "rows": rows,
        "described": after.described,
        "outcomes": outcomes_sheet(after),
        "heat": heat_maps(after, language),
        "insured": after.insurance,
        "always": always_sheet(after) if after.insurance else None,
        "percent": percent,
    }


def heat_maps(made: Analysis, language: Language) -> list[tuple[str, str, Svg]]:
    """What Insurance costs, a picture for each hand and window; colours on one scale."""
    most = max((abs(float(each.edge)) for each in made.insurance), default=1.0) * 100
    return [
        (
            window,
            hand,
            _heat([e for e in made.insurance if (e.window, e.hand) == (window, hand)], most, language),
        )
        for window in WINDOWS
        for hand in SIDES
        if any((e.window, e.hand) == (window, hand) for e in made.insurance)
    ]


def _heat(found: list[InsuranceEdge], most: float, language: Language) -> Svg:
    def t(text: str, **values: Any) -> str:
        return in_words(language, text, **values)

    hand = found[0].hand
    names = {"player": t("Player"), "banker": t("Banker")}
    own, other = names[hand], names["banker" if hand == "player" else "player"]
    cells = {}
    for each in found:
        told = t(
            "{own} {a} against {other} {b}, paid {odds}: costs {edge}% of the stake",
            own=own,
            a=each.own,
            other=other,
            b=each.other,
            odds=str(each.pays),
            edge=percent(each.edge),
        )
        cells[each.own, each.other] = (float(each.edge) * 100, percent(each.edge, 1), told)
    title = t("What insuring {own} costs, {window}", own=own, window=t(WINDOW_WORDS[found[0].window]))
    return heat_map(
        cells,
        sorted({each.own for each in found}),
        sorted({each.other for each in found}),
        title=title,
        down=own,
        across=other,
        most=most,
    )
