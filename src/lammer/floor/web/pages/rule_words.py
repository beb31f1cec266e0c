"""What a rulebook says in the words of the pit, in the reader's language: how bets win, what they pay.

Gists, questions and reasons are written in English in the documents of the rulebooks and are shown as they
stand there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lammer.coverage import clause_tests, code_for, status
from lammer.rulebook.betting import Condition, HandWins, Pay, Tied
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import SIDES, WINDOWS, Side, Window
from lammer.rulebook.wording import spans, step_words
from lammer.wording.catalogues import Language
from lammer.wording.rules import gist_of, irregularity_title, why_not_executable
from lammer.wording.titles import title_of

T = Callable[..., str]
NAMES = {"player": "Player", "banker": "Banker"}


def bet_titles(language: Language, *books: Rulebook) -> dict[str, str]:
    """The bets of these rulebooks, by name, as they are called."""
    return {name: title_of(language, bet) for book in books for name, bet in book.bets.items()}


def wins_when(t: T, wins: Condition) -> str:
    """A winning condition.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> wins_when(lambda text, **values: text.format(**values), book.bets["big_tiger"].wins)
    'Banker wins on 6 with 3 cards'
    """
    if isinstance(wins, Tied):
        return t("Tie") if len(wins.totals) == 10 else t("Tie on {totals}", totals=spans(wins.totals))
    hands = t(" or ").join(t(NAMES[hand]) for hand in wins.hands)
    if not isinstance(wins, HandWins):
        return t("{hands} starts with a pair", hands=hands)
    told = [t("{hands} wins", hands=hands)]
    if len(wins.totals) < 9:
        told.append(t("on {totals}", totals=spans(wins.totals)))
    if len(wins.cards) < 2:
        told.append(t("with {cards} cards", cards=spans(wins.cards)))
    if len(wins.by) < 9:
        told.append(t("by {margin}", margin=spans(wins.by)))
    return t(" ").join(told)


def paid_for(t: T, pay: Pay) -> str:
    """What a line of a pay table is for."""
    if len(pay.tiers) < 3:
        return ", ".join(t(f"{tier} pair") for tier in sorted(pay.tiers))
    if len(pay.cards_dealt) < 3:
        return t("{cards} cards in all", cards=spans(pay.cards_dealt))
    if len(pay.cards) < 2:
        return t("with {cards} cards", cards=spans(pay.cards))
    return t("on {totals}", totals=spans(pay.totals)) if len(pay.totals) < 10 else t("every win")


def bet_rows(t: T, book: Rulebook, language: Language) -> list[dict[str, Any]]:
    """Every bet of a rulebook, in its order."""
    return [
        {
            "name": bet.name,
            "title": title_of(language, bet),
            "is_side": bet.name in ("player", "banker", "tie"),
            "wins": wins_when(t, bet.wins),
            "defined": bet.defined.paragraph,
            "pays": [
                (paid_for(t, pay), str(pay.odds), [cite.paragraph for cite in pay.cites]) for pay in bet.pays
            ],
            "tie": bet.tie_returns.paragraph if bet.tie_returns else "",
            "layouts": " ".join(sorted(bet.layouts)),
        }
        for bet in book.bets.values()
    ]


def odds_beside(t: T, book: Rulebook, language: Language) -> dict[str, list[str]]:
    """What stands in the paragraphs on pays: by number, each bet with its odds.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-commission-insurance@3")
    >>> odds_beside(lambda text, **values: text.format(**values), book, "en")["4.1.2"]
    ['Player, every win: 1:1', 'Banker, every win: 0.95:1']
    """
    found: dict[str, list[str]] = {}
    for bet in book.bets.values():
        for pay in bet.pays:
            called, what = title_of(language, bet), paid_for(t, pay)
            told = t("{bet}, {what}: {odds}", bet=called, what=what, odds=pay.odds)
            found.setdefault(pay.cites[0].paragraph, []).append(told)
    return found


def play_grid(book: Rulebook) -> dict[str, Any]:
    """The Table of Play: the Player by two-card total, the Banker by two-card total and the third card."""
    play = book.table_of_play
    thirds: list[int | None] = [None, *range(10)]
    banker = []
    for total in sorted({total for total, _ in play.banker}):
        cells = [play.banker.get((total, third)) for third in thirds]
        cites = dict.fromkeys(cell.cite.paragraph for cell in cells if cell)
        banker.append((total, [cell.draws if cell else None for cell in cells], list(cites)))
    player = [
        (total, drawing.draws, drawing.cite.paragraph) for total, drawing in sorted(play.player.items())
    ]
    return {
        "natural": spans(play.natural),
        "natural_cite": play.natural_cite.paragraph,
        "player": player,
        "thirds": thirds[1:],
        "banker": banker,
    }


@dataclass(frozen=True, slots=True)
class OfferCell:
    """Insurance at two totals: its odds, and where a tie pays, the paragraph that says so."""

    odds: str
    tie_cite: str


def insurance_grids(t: T, book: Rulebook) -> list[dict[str, Any]]:
    """What is offered in each window on each hand, by the two totals."""
    made = []
    for window in WINDOWS:
        for hand in SIDES:
            cells = _offered(book, window, hand)
            if cells:
                rows = sorted({own for own, _ in cells})
                columns = sorted({other for _, other in cells})
                grid = [(own, [cells.get((own, other)) for other in columns]) for own in rows]
                moment = t("After four cards") if window == "four_cards" else t("After the third card")
                made.append({"moment": moment, "hand": hand, "columns": columns, "rows": grid})
    return made


def _offered(book: Rulebook, window: Window, hand: Side) -> dict[tuple[int, int], OfferCell]:
    return {
        (own, other): OfferCell(str(offer.odds), offer.tie_wins.paragraph if offer.tie_wins else "")
        for offer in (book.insurance.offers if book.insurance else ())
        if offer.window == window and offer.hand == hand
        for own in offer.own
        for other in offer.other
    }


def layout_groups(book: Rulebook) -> list[tuple[list[Any], str]]:
    """Layouts that offer the same bets, together, with the letter to draw."""
    found: dict[tuple[str, ...], list[Any]] = {}
    for layout in book.layouts.values():
        found.setdefault(tuple(bet.name for bet in book.offered(layout)), []).append(layout)
    return [(layouts, layouts[0].appendix) for layouts in found.values()]


def paragraph_rows(book: Rulebook, odds: Mapping[str, list[str]], language: Language) -> list[dict[str, Any]]:
    """Every paragraph in our words, the odds that stand in it, what answers for it and how many tests do."""
    tests = clause_tests(book) or {}
    return [
        {
            "number": paragraph.number,
            "gist": gist_of(language, book, paragraph.number),
            "odds": " · ".join(odds.get(paragraph.number, [])),
            "status": (found := status(paragraph)),
            "mark": {"answered": "", "awaited": " awaited"}.get(found, " not"),
            "tests": len(tests.get(paragraph.number, ())),
            "not_executable": why_not_executable(language, book, paragraph.number),
            "behaviours": [
                (name.replace("_", " "), " ".join(code.removeprefix("lammer.") for code in code_for(name)))
                for name in paragraph.behaviours
            ],
        }
        for paragraph in book.paragraphs.values()
    ]


def irregularity_rows(book: Rulebook, language: Language) -> list[dict[str, Any]]:
    """What can go wrong, and what the document says about it."""
    return [
        {
            "title": irregularity_title(language, book, each),
            "cite": each.cite.paragraph,
            "steps": step_words(each),
        }
        for each in book.irregularities.values()
    ]


def in_order(paragraph: str) -> list[tuple[int, str]]:
    """A key that puts paragraphs in the order of their document.

    >>> sorted(("4.10", "4.2", "4.2.1.b", "4.2.1.a"), key=in_order)
    ['4.2', '4.2.1.a', '4.2.1.b', '4.10']
    """
    return [(int(part), "") if part.isdigit() else (0, part) for part in paragraph.split(".")]
