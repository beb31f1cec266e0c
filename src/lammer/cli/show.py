"""`lammer rulebook show`: a rulebook, or one layout of it, every value beside its paragraph."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape

from lammer.cli.console import AsJson, BookId, out, say_json, table
from lammer.rulebook.betting import Bet, Offer, ShareOfOriginal
from lammer.rulebook.force import force_start, superseded_by
from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.playing import plays_of
from lammer.rulebook.table_of_play import table_of_play_rows
from lammer.rulebook.vocabulary import RANKS
from lammer.rulebook.wording import (
    cells_words,
    condition_words,
    pay_case,
    pays_words,
    share_words,
    spans,
    step_words,
    times_words,
)
from lammer.shelf import rulebook, versions


def show(
    book_id: BookId,
    layout: Annotated[str, typer.Option(metavar="LETTER", help="Only what this layout offers.")] = "",
    as_json: AsJson = False,
) -> None:
    """What a rulebook says, each value beside its paragraph."""
    book = rulebook(book_id)
    later = superseded_by(versions(book.game), book)
    felt = book.layout(layout) if layout else None
    if as_json:
        say_json(show_json(book, felt, later))
    else:
        show_book(book, felt, later)


def bet_json(bet: Bet) -> dict[str, Any]:
    """One bet for programs."""
    return {
        "bet": bet.name,
        "title": {"en": bet.title, "zh": bet.title_zh},
        "defined": bet.defined.paragraph,
        "wins": condition_words(bet.wins),
        "pays": [
            {
                "for": pay_case(pay),
                "odds": str(pay.odds) if pay.odds else None,
                "outcome": pay.outcome,
                "commission": str(pay.commission.rate) if pay.commission else None,
                "cites": [cite.paragraph for cite in pay.cites],
            }
            for pay in bet.pays
        ],
        "tie": "returned" if bet.tie_returns else None,
        "layouts": "".join(sorted(bet.layouts)),
        "offered": bet.offered.paragraph,
    }


def cards_json(book: Rulebook) -> dict[str, Any]:
    """Decks, dealing order and card values, each with its paragraph."""
    cards = book.cards
    return {
        "decks": {
            "fewest": cards.fewest_decks,
            "most": cards.most_decks,
            "ranks": list(cards.ranks),
            "cite": cards.decks_cite.paragraph,
        },
        "order": {"hands": list(cards.order), "cite": cards.order_cite.paragraph},
        "values": [
            {"rank": rank, "points": points, "cite": cards.points_cite[rank].paragraph}
            for rank, points in cards.points.items()
        ],
    }


def _limit_json(limit: ShareOfOriginal) -> dict[str, Any]:
    return {
        "odds": str(limit.odds) if limit.odds else None,
        "window": limit.window,
        f"{limit.what}_of_original": str(limit.share),
        "cite": limit.cite.paragraph,
    }


def _on_tie(offer: Offer) -> str:
    if offer.tie_wins:
        return f"a tie pays ({offer.tie_wins.paragraph})"
    return f"a tie loses ({offer.tie_loses.paragraph})" if offer.tie_loses else ""


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
        "approved_by": book.approved_by or None,
        "based_on": book.based_on or None,
        "cards": cards_json(book),
        "table_of_play": [
            {"hand": hand, "total": total, "third": third, "does": action, "cite": cite}
            for hand, total, third, action, cite in table_of_play_rows(book)
        ],
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
                "other": sorted(offer.other) if offer.window != "two_cards" else None,
                "pays": str(offer.odds),
                "cite": offer.cite.paragraph,
                "tie": {"won": "wins", "lost": "loses", "returned": "returned"}[offer.on_tie],
            }
            for offer in (insurance.offers if insurance else ())
        ],
        "insurance_once": insurance.once.paragraph if insurance and insurance.once else None,
        "insurance_limits": [
            {"odds": str(share.odds), "share_of_maximum": str(share.share), "cite": share.cite.paragraph}
            for share in (insurance.shares if insurance else ())
        ]
        + [_limit_json(limit) for limit in (insurance.shares_of_original if insurance else ())],
        "plays": [
            {"name": play.name, "title": play.title, "draws_on": cells_words(play.draws)}
            for play in plays_of(book)
        ],
        "squeeze": {
            "right": book.squeeze.right,
            "cite": book.squeeze.cite.paragraph,
            "waivers": list(book.squeeze.waivers),
        },
        "roles": [{"role": role.name, "cite": role.cite.paragraph} for role in book.roles.values()],
        "irregularities": [
            {
                "name": irregularity.name,
                "title": irregularity.title,
                "cite": irregularity.cite.paragraph,
                "steps": [{"says": words, "cite": cite} for words, cite in step_words(irregularity)],
            }
            for irregularity in book.irregularities.values()
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
                f"against {spans(offer.other)}" if offer.window != "two_cards" else "before the other shows",
                offer.window.replace("_", " "),
                offer.odds.spoken,
                _on_tie(offer),
                offer.cite.paragraph,
            )
            for offer in book.insurance.offers
        ]
        out.print(table(("\ninsurance", "", "\nwindow", "\npays", "", "\nparagraph"), offers))
        limits = [("the Original Bet each time", book.insurance.original_bet.paragraph)]
        if book.insurance.once:
            limits.append((times_words(book.insurance), book.insurance.once.paragraph))
        limits += [
            (f"{share.share * 100}% of the maximum at {share.odds.spoken}", share.cite.paragraph)
            for share in book.insurance.shares
        ]
        limits += [(share_words(share), share.cite.paragraph) for share in book.insurance.shares_of_original]
        out.print(table(("\ninsurance at most", "\nparagraph"), limits))
    if felt:
        return
    out.print(
        table(("\nhand", "\ntwo cards", "\nPlayer's third", "", "\nparagraph"), table_of_play_rows(book))
    )
    plays = [(play.name, play.title, cells_words(play.draws)) for play in plays_of(book)]
    if plays:
        out.print(table(("\nplay", "", "\ndraws on"), plays))
    values = [
        (rank, str(points), book.cards.points_cite[rank].paragraph)
        for rank, points in book.cards.points.items()
    ]
    out.print(table(("\ncard", "\npoints", "\nparagraph"), values))
    squeeze = book.squeeze
    people = [(role.name.replace("_", " "), "role", role.cite.paragraph) for role in book.roles.values()]
    people.append(
        (squeeze.right.replace("_", " "), "may ask to squeeze, with the highest bet", squeeze.cite.paragraph)
    )
    if squeeze.waiver_cite:
        asked = ", ".join(request.replace("_", " ") for request in squeeze.waivers)
        people.append(("everyone", f"loses Insurance on: {asked}", squeeze.waiver_cite.paragraph))
    out.print(table(("\nwho", "", "\nparagraph"), people))
    steps = [
        (irregularity.title if number == 0 else "", words, cite)
        for irregularity in book.irregularities.values()
        for number, (words, cite) in enumerate(step_words(irregularity))
    ]
    out.print(table(("\nirregularity", "\nsays", "\nparagraph"), steps))
    readings = [
        (
            reading.question,
            reading.choice,
            ", ".join(reading.alternatives),
            " ".join(cite.paragraph for cite in reading.cites),
        )
        for reading in book.readings.values()
    ]
    out.print(table(("\nreading", "\nour choice", "\nor", "\nparagraphs"), readings))


def _head(book: Rulebook, later: Rulebook | None) -> None:
    chinese = f"  {escape(book.title_zh)}" if book.title_zh != book.title else ""
    out.print(f"[bold]{escape(book.title)}[/bold]{chinese}")
    if book.is_private:
        based = f" · based on {escape(book.based_on)}" if book.based_on else ""
        out.print(f"{book.id} · private, approved by nobody{based}")
    else:
        out.print(f"{book.id} · in force from {force_start(book)} · approved by {escape(book.approved_by)}")
    if later:
        out.print(f"[yellow]superseded by {later.id} from {force_start(later)}[/yellow]")
    if book.supersedes:
        out.print(f"supersedes {escape(book.supersedes)}")
    out.print(
        f"{book.cards.fewest_decks} to {book.cards.most_decks} decks ({book.cards.decks_cite.paragraph})"
    )
    if book.cards.ranks != RANKS:
        out.print(f"a deck has {' '.join(book.cards.ranks)}, four cards of each")
    out.print(f"sha256 {book.sha256}\n", style="dim")


def _bet_row(bet: Bet) -> tuple[str, ...]:
    cites = dict.fromkeys(
        (bet.defined.paragraph, *(cite.paragraph for pay in bet.pays for cite in pay.cites))
    )
    return bet.name, condition_words(bet.wins), pays_words(bet), " ".join(cites), "".join(sorted(bet.layouts))
