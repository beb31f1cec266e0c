"""What `lammer rulebook show` prints: a rulebook, or one layout of it, every value beside its paragraph."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from lammer.cli.console import out, table
from lammer.cli.story import spans
from lammer.rulebook.betting import Bet, Condition, HandWins, Tied
from lammer.rulebook.diff import pay_case
from lammer.rulebook.force import when
from lammer.rulebook.model import Layout, Rulebook


def condition_words(wins: Condition) -> str:
    """A winning condition as the pit says it.

    >>> from lammer import rulebook
    >>> condition_words(rulebook("tiger-buffalo-noncommission@4").bets["banker_char_siu"].wins)
    'Banker wins on 7-9 by 1'
    """
    if isinstance(wins, Tied):
        return "tie" if len(wins.totals) == 10 else f"tie on {spans(wins.totals)}"
    hands = " or ".join(hand.capitalize() for hand in wins.hands)
    if not isinstance(wins, HandWins):
        return f"{hands} starts with a pair"
    told = f"{hands} wins"
    if len(wins.totals) < 9:
        told += f" on {spans(wins.totals)}"
    if len(wins.cards) < 2:
        told += f" with {spans(wins.cards)} cards"
    if len(wins.by) < 9:
        told += f" by {spans(wins.by)}"
    return told


def bet_json(bet: Bet) -> dict[str, Any]:
    """One bet for programs."""
    return {
        "bet": bet.name,
        "title": {"en": bet.title, "zh": bet.title_zh},
        "defined": bet.defined.paragraph,
        "wins": condition_words(bet.wins),
        "pays": [
            {
                "for": pay_case(pay).strip() or "every win",
                "odds": str(pay.odds),
                "commission": str(pay.commission.rate) if pay.commission else None,
                "cites": [cite.paragraph for cite in pay.cites],
            }
            for pay in bet.pays
        ],
        "tie": "returned" if bet.tie_returns else None,
        "layouts": "".join(sorted(bet.layouts)),
        "offered": bet.offered.paragraph,
    }


def show_json(book: Rulebook, felt: Layout | None, later: Rulebook | None) -> dict[str, Any]:
    """A rulebook, or one layout of it, for programs."""
    insurance = book.insurance
    return {
        "id": book.id,
        "sha256": book.sha256,
        "title": {"en": book.title, "zh": book.title_zh},
        "in_force_from": book.in_force_from.isoformat(),
        "supersedes": book.supersedes or None,
        "superseded_by": later.id if later else None,
        "decks": [book.cards.fewest_decks, book.cards.most_decks],
        "bets": [bet_json(bet) for bet in (book.offered(felt) if felt else book.bets.values())],
        "layouts": [
            {
                "appendix": layout.appendix,
                "positions": [layout.fewest, layout.most],
                "chinese": layout.chinese,
                "cite": layout.cite.paragraph,
            }
            for layout in ((felt,) if felt else book.layouts.values())
        ],
        "insurance": [
            {
                "hand": offer.hand,
                "window": offer.window,
                "own": sorted(offer.own),
                "other": sorted(offer.other),
                "pays": str(offer.odds),
                "cite": offer.cite.paragraph,
                "tie": "wins" if offer.tie_wins else "returned",
            }
            for offer in (insurance.offers if insurance else ())
        ],
        "irregularities": [
            {"name": i.name, "title": i.title, "cite": i.cite.paragraph} for i in book.irregularities.values()
        ],
        "readings": [
            {
                "name": reading.name,
                "question": reading.question,
                "choice": reading.choice,
                "alternatives": list(reading.alternatives),
                "because": reading.because,
                "cites": [cite.paragraph for cite in reading.cites],
            }
            for reading in book.readings.values()
        ],
    }


def show_book(book: Rulebook, felt: Layout | None, later: Rulebook | None) -> None:
    """A rulebook, or one layout of it, for people."""
    _head(book, later)
    layouts = (felt,) if felt else tuple(book.layouts.values())
    bets = book.offered(felt) if felt else tuple(book.bets.values())
    out.print(table(("bet", "wins when", "pays", "paragraphs", "layouts"), [_bet_row(bet) for bet in bets]))
    rows = [
        (
            layout.appendix,
            f"{layout.fewest} to {layout.most}",
            str(len(book.offered(layout))),
            "also in Chinese" if layout.chinese else "",
            layout.cite.paragraph,
        )
        for layout in layouts
    ]
    out.print(table(("\nlayout", "\npositions", "\nbets", "", "\nparagraph"), rows))
    if book.insurance:
        offers = [
            (
                f"{offer.hand} {spans(offer.own)}",
                f"against {spans(offer.other)}",
                offer.window.replace("_", " "),
                offer.odds.spoken,
                f"a tie pays ({offer.tie_wins.paragraph})" if offer.tie_wins else "",
                offer.cite.paragraph,
            )
            for offer in book.insurance.offers
        ]
        out.print(table(("\ninsurance", "", "\nwindow", "\npays", "", "\nparagraph"), offers))
    if felt:
        return
    irregularities = [
        (
            irregularity.title,
            ", ".join(dict.fromkeys(step.does.replace("_", " ") for step in irregularity.steps)),
            f"players' options: {irregularity.options[0].replace('_', ' ')}" if irregularity.options else "",
            irregularity.cite.paragraph,
        )
        for irregularity in book.irregularities.values()
    ]
    out.print(table(("\nirregularity", "\nallows", "", "\nparagraph"), irregularities))
    readings = [
        (r.question, r.choice, ", ".join(r.alternatives), " ".join(cite.paragraph for cite in r.cites))
        for r in book.readings.values()
    ]
    out.print(table(("\nreading", "\nour choice", "\nor", "\nparagraphs"), readings))


def _head(book: Rulebook, later: Rulebook | None) -> None:
    out.print(f"[bold]{escape(book.title)}[/bold]  {escape(book.title_zh)}")
    out.print(f"{book.id} · in force from {when(book)} · approved by {escape(book.approved_by)}")
    if later:
        out.print(f"[yellow]superseded by {later.id} from {when(later)}[/yellow]")
    if book.supersedes:
        out.print(f"supersedes {escape(book.supersedes)}")
    out.print(
        f"{book.cards.fewest_decks} to {book.cards.most_decks} decks ({book.cards.decks_cite.paragraph})"
    )
    out.print(f"sha256 {book.sha256}\n", style="dim")


def _bet_row(bet: Bet) -> tuple[str, ...]:
    pays = ", ".join(f"{pay_case(pay)}{pay.odds}" for pay in bet.pays)
    cites = dict.fromkeys((bet.defined.paragraph, *(c.paragraph for p in bet.pays for c in p.cites)))
    return bet.name, condition_words(bet.wins), pays, " ".join(cites), "".join(sorted(bet.layouts))
