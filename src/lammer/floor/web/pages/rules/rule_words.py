"""What a rulebook says as rows of a page, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from lammer.coverage import clause_tests, code_for, status
from lammer.floor.web.pages.site.frame import Say
from lammer.proof.certificates import proved_theorems
from lammer.proof.theorems import SAID
from lammer.rulebook.betting import Offer
from lammer.rulebook.model import Drawing, Rulebook
from lammer.rulebook.vocabulary import SIDES, WINDOWS, Side, Window
from lammer.rulebook.wording import (
    HANDS,
    WINDOW_TITLES,
    condition_words,
    pay_case,
    pay_result,
    spans,
    step_words,
)
from lammer.wording import events
from lammer.wording.catalogues import Language, say
from lammer.wording.phrases import in_words
from lammer.wording.rules import gist_of, irregularity_title, why_not_executable
from lammer.wording.titles import title_of


def bet_titles(language: Language, *books: Rulebook) -> dict[str, str]:
    """The bets of these rulebooks, by name, as they are called."""
    return {name: title_of(language, bet) for book in books for name, bet in book.bets.items()}


def bet_rows(book: Rulebook, language: Language) -> list[dict[str, Any]]:
    """Every bet of a rulebook, in its order."""
    return [
        {
            "name": bet.name,
            "title": title_of(language, bet),
            "wins": in_words(language, condition_words(bet.wins)),
            "defined": bet.defined.paragraph,
            "pays": [
                (
                    in_words(language, pay_case(pay)),
                    in_words(language, pay_result(pay)),
                    [cite.paragraph for cite in pay.cites],
                )
                for pay in bet.pays
            ],
            "tie": bet.tie_returns.paragraph if bet.tie_returns else "",
            "layouts": " ".join(sorted(bet.layouts)),
        }
        for bet in book.bets.values()
    ]


def odds_beside(book: Rulebook, language: Language) -> dict[str, list[str]]:
    """What stands in the paragraphs on pays: by number, each bet with its odds.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-commission-insurance@3")
    >>> odds_beside(book, "en")["4.1.2"]
    ['Player, every win: 1:1', 'Banker, every win: 0.95:1']
    """
    by_paragraph: dict[str, list[str]] = {}
    for bet in book.bets.values():
        for pay in bet.pays:
            called, what = title_of(language, bet), in_words(language, pay_case(pay))
            line = say(
                language,
                "{bet}, {what}: {odds}",
                bet=called,
                what=what,
                odds=in_words(language, pay_result(pay)),
            )
            by_paragraph.setdefault(pay.cites[0].paragraph, []).append(line)
    for offer in book.insurance.offers if book.insurance else ():
        line = say(
            language,
            "Insurance on {hand} {own} against {other}, {window}: {odds}",
            hand=in_words(language, HANDS[offer.hand]),
            own=spans(offer.own),
            other=say(language, "any total") if offer.window == "two_cards" else spans(offer.other),
            window=say(language, events.WINDOWS[offer.window]),
            odds=offer.odds,
        )
        by_paragraph.setdefault(offer.cite.paragraph, []).append(line)
    return by_paragraph


def play_grid(book: Rulebook) -> dict[str, Any]:
    """The Table of Play: the Player by two-card total, the Banker by two-card total and the third card."""
    play = book.table_of_play
    thirds: list[int | None] = [None, *range(10)]
    banker = []
    for total in sorted({total for total, _ in play.banker}):
        cells = [play.banker.get((total, third)) for third in thirds]
        cites = dict.fromkeys(cell.cite.paragraph for cell in cells if cell)
        banker.append((total, [_does(cell) for cell in cells], list(cites)))
    player = [
        (total, _does(drawing), drawing.cite.paragraph) for total, drawing in sorted(play.player.items())
    ]
    return {
        "natural": spans(play.natural),
        "natural_ends": play.natural_ends,
        "may_draw": bool(play.choices),
        "natural_cite": play.natural_cite.paragraph,
        "player": player,
        "thirds": thirds[1:],
        "banker": banker,
    }


def _does(cell: Drawing | None) -> str:
    """What a hand does in a cell; nothing where there is no such cell."""
    if cell is None:
        return ""
    return "may draw" if cell.optional else "draws" if cell.draws else "stands"


def insurance_grids(t: Say, book: Rulebook) -> list[dict[str, Any]]:
    """What is offered in each window on each hand, by the two totals."""
    grids = []
    for window, hand in product(WINDOWS, SIDES):
        cells = _offer_cells(book, window, hand)
        if cells:
            rows = sorted({own for own, _ in cells})
            columns = list(dict.fromkeys(other for _, other in sorted(cells, key=str)))
            grid = [(own, [cells.get((own, other)) for other in columns]) for own in rows]
            grids.append({"moment": t(WINDOW_TITLES[window]), "hand": hand, "columns": columns, "rows": grid})
    return grids


def _offer_cells(book: Rulebook, window: Window, hand: Side) -> dict[tuple[int, int | None], Offer]:
    return {
        (own, other): offer
        for offer in (book.insurance.offers if book.insurance else ())
        if offer.window == window and offer.hand == hand
        for own in offer.own
        for other in offer.against
    }


def layout_groups(book: Rulebook) -> list[tuple[list[Any], str]]:
    """Layouts that offer the same bets, together, with the letter to draw."""
    by_bets: dict[tuple[str, ...], list[Any]] = {}
    for layout in book.layouts.values():
        by_bets.setdefault(tuple(bet.name for bet in book.offered(layout)), []).append(layout)
    return [(layouts, layouts[0].appendix) for layouts in by_bets.values()]


def paragraph_rows(book: Rulebook, odds: Mapping[str, list[str]], language: Language) -> list[dict[str, Any]]:
    """Every paragraph in our words, the odds that stand in it, what answers for it and how many tests do."""
    tests, proved = clause_tests(book) or {}, proved_theorems(book) or {}
    return [
        {
            "number": paragraph.number,
            "gist": gist_of(language, book, paragraph.number),
            "odds": " · ".join(odds.get(paragraph.number, [])),
            "status": (paragraph_status := status(paragraph)),
            "mark": {"answered": "", "awaited": " awaited"}.get(paragraph_status, " not"),
            "tests": len(tests.get(paragraph.number, ())),
            "proved": [in_words(language, SAID[name]) for name in proved.get(paragraph.number, ())],
            "not_executable": why_not_executable(language, book, paragraph.number),
            "behaviours": [
                (name, " ".join(code.removeprefix("lammer.") for code in code_for(name)))
                for name in paragraph.behaviours
            ],
        }
        for paragraph in book.paragraphs.values()
    ]


def irregularity_rows(book: Rulebook, language: Language) -> list[dict[str, Any]]:
    """What can go wrong, and what the document says about it."""
    return [
        {
            "title": irregularity_title(language, book, rule),
            "cite": rule.cite.paragraph,
            "steps": [(in_words(language, words), cite) for words, cite in step_words(rule)],
        }
        for rule in book.irregularities.values()
    ]
