"""`lammer edges`, `lammer compare` and `lammer odds`: the mathematics of a rulebook, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.markup import escape

from lammer.cli.changes import change_json
from lammer.cli.console import AsCsv, AsJson, must_not_disagree, out, say_json, table
from lammer.game.cards import parse_cards
from lammer.lab.exact.analysis import (
    Analysis,
    Outcome,
    always_sheet,
    bets_sheet,
    deviation,
    insurance_sheet,
    percent,
)
from lammer.lab.exact.choices import played_as
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges as analyse
from lammer.lab.exact.odds import mid_round_odds
from lammer.lab.exact.side_by_side import (
    changes_sheet,
    changes_that_move_edges,
    edges_compared,
    insuring_compared,
)
from lammer.lab.output.plotting import must_be_written_as, write
from lammer.lab.output.sheet import Sheet
from lammer.lab.reporting.charts import edge_chart
from lammer.rulebook.diff import diff
from lammer.rulebook.model import Rulebook
from lammer.rulebook.playing import plays_of
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SUITS
from lammer.shelf import rulebook

Decks = Annotated[
    int | None, typer.Option(help="Full decks in the shoe; 8, or as near to it as the rulebook allows.")
]
Play = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="How hands that may draw choose: a play, or best:BET, worst:BET[:HAND]"
    ),
]
BookId = Annotated[str, typer.Argument(metavar="RULEBOOK", help="A rulebook's id, or a TOML file of yours.")]
ANY_DECKS = 1000


def full_shoe(book: Rulebook, decks: int | None, *, any_decks: bool = False) -> Composition:
    """A shoe of full decks: the usual number, or any up to the most the rulebook allows."""
    most = ANY_DECKS if any_decks else book.cards.most_decks
    if decks is not None and not 1 <= decks <= most:
        raise Refused(
            "impossible_shoe",
            "{decks} decks is not what {rulebook} knows.",
            book.cards.decks_cite,
            next_step="1 to {most_decks}; `lammer edges` takes more with --any-decks.",
            decks=decks,
            rulebook=book.id,
            most_decks=book.cards.most_decks,
        )
    return Composition.of_book(book, decks)


def _shoe(book: Rulebook, decks: int | None, shoe: str, removed: str, *, any_decks: bool) -> Composition:
    full = full_shoe(book, decks, any_decks=any_decks)
    composition = Composition.parse(shoe) if shoe else full
    return composition.without(removed) if removed else composition


def edges(
    context: typer.Context,
    book_id: BookId,
    layout: Annotated[str, typer.Option(metavar="LETTER", help="Only what this layout offers.")] = "",
    decks: Decks = None,
    play: Play = "",
    shoe: Annotated[str, typer.Option(metavar="COUNTS", help='Any shoe: "A=31,2=32,…,K=32".')] = "",
    removed: Annotated[str, typer.Option(metavar="CARDS", help='Cards gone: "9H 9D".')] = "",
    pays: Annotated[
        list[str] | None,
        typer.Option(metavar="BET=ODDS,…", help="Other odds for a bet, one for each line of its pay table."),
    ] = None,
    any_decks: Annotated[bool, typer.Option("--any-decks", help="Any number of decks.")] = False,
    plot: Annotated[str, typer.Option(metavar="FILE", help="Draw the edges into a .svg or .png file.")] = "",
    as_csv: AsCsv = False,
    as_json: AsJson = False,
) -> None:
    """The exact edge of every bet and of every Insurance situation."""
    must_not_disagree(context, "as_csv", "as_json")
    must_not_disagree(context, "decks", "shoe")
    if plot:
        must_be_written_as(plot)
    new_odds = {}
    for entry in pays or ():
        name, equals, odds = entry.partition("=")
        if not equals:
            raise Refused(
                "not_odds",
                "{each} is not BET=ODDS.",
                next_step="Write small_tiger=23:1, or tiger=12:1,20:1 where a bet pays in two ways.",
                each=repr(entry[:40]),
            )
        new_odds[name] = odds
    book = rulebook(book_id)
    cards = _shoe(book, decks, shoe, removed, any_decks=any_decks)
    plays = plays_of(book)
    analysis = analyse(played_as(book, play, cards), cards, layout=layout, pays=new_odds)
    if plot:
        write(edge_chart(analysis), plot)
    if as_json:
        say_json(analysis_json(analysis) | ({"play": play or plays[0].name} if plays else {}))
    elif as_csv:
        out.out(bets_sheet(analysis).csv(), highlight=False)
    else:
        out.print(analysis.description)
        if plays:
            out.print(f"hands that may draw: {escape(play or plays[0].name)}")
        print_sheet(bets_sheet(analysis))
        if analysis.insurance:
            out.print()
            print_sheet(insurance_sheet(analysis))
            for hand, cost in always_sheet(analysis).texts():
                out.print(f"always insuring {hand}: {cost}% of a unit a round")


def print_sheet(sheet: Sheet, title: str = "") -> None:
    """A sheet for people."""
    out.print(table(sheet.columns, sheet.texts(), title=title))


def print_csv(sheets: Iterable[Sheet]) -> None:
    """Sheets beneath each other, each with its name in a line of its own."""
    for sheet in sheets:
        out.out(f"# {sheet.name}\n{sheet.csv()}", highlight=False)


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    pays = str(outcome.pays) if outcome.pays else None
    return {"outcome": outcome.outcome, "pays": pays, "combinations": outcome.combinations}


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """An analysis for programs: counts as integers, edges as fractions and in percent."""
    decks = max(analysis.shoe.ranks) // len(SUITS)
    full = set(analysis.shoe.ranks) <= {0, len(SUITS) * decks}
    return {
        "rulebook": analysis.rulebook,
        "decks": decks if full else None,
        "shoe": analysis.shoe.counts,
        "combinations": analysis.combinations,
        "bets": [
            {
                "bet": bet.bet,
                "outcomes": [_outcome_json(outcome) for outcome in bet.outcomes],
                "edge": str(bet.edge),
                "edge_percent": percent(bet.edge),
                "standard_deviation": deviation(bet.variance),
            }
            for bet in analysis.bets
        ],
        "insurance": [
            {
                **situation.situation(),
                "occurs": str(situation.occurs),
                "edge": str(situation.edge),
                "edge_percent": percent(situation.edge),
            }
            for situation in analysis.insurance
        ],
    }


def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="The rulebook to compare from.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The rulebook to compare to.")],
    decks: Decks = None,
    as_json: AsJson = False,
) -> None:
    """What changed between two rulebooks, and what it did to each edge."""
    old, new = rulebook(before), rulebook(after)
    old_analysis, new_analysis = (analyse(book, full_shoe(book, decks)) for book in (old, new))
    compared = edges_compared(old_analysis, new_analysis)
    insuring = insuring_compared(old_analysis, new_analysis)
    changes = diff(old, new)
    if as_json:
        keys = ("from", "to", "change")
        say_json(
            {
                "from": old_analysis.rulebook,
                "to": new_analysis.rulebook,
                "bets": [dict(zip(("bet", *keys), row, strict=True)) for row in compared.texts()],
                "always_insuring": [dict(zip(("hand", *keys), row, strict=True)) for row in insuring.texts()],
                "changes": [change_json(change) for change in changes],
            }
        )
        return
    print_sheet(compared)
    if insuring.rows:
        out.print("\nalways insuring")
        print_sheet(insuring)
    edge_changes = changes_that_move_edges(changes)
    out.print()
    if edge_changes:
        print_sheet(changes_sheet(old, new, edge_changes))
    else:
        out.print("Nothing changed that an edge could feel.")
    if rest := len(changes) - len(edge_changes):
        out.print(f"{rest} more that no edge feels; `lammer rulebook diff` lists them.", style="dim")


def odds(
    cards: Annotated[str, typer.Option(metavar="CARDS", help='Cards seen, in shoe order: "6S KD 7H 2C".')],
    book_id: Annotated[
        str, typer.Option("--rulebook", metavar="ID", help="A rulebook's id, or a TOML file of yours.")
    ] = "tiger-buffalo-noncommission-insurance@3",
    decks: Decks = None,
    play: Play = "",
    as_json: AsJson = False,
) -> None:
    """Mid-round: the exact chances of every bet and the worth of each Insurance offer from here."""
    book = rulebook(book_id)
    book = played_as(book, play, full_shoe(book, decks))
    shoe, seen = full_shoe(book, decks), parse_cards(cards)
    shoe.must_hold(seen)
    mid_round = mid_round_odds(book, seen, shoe)
    if as_json:
        say_json(
            {
                "rulebook": book.id,
                "player": mid_round.player,
                "banker": mid_round.banker,
                "bets": mid_round.bets,
                "insurance": [
                    {"hand": insured.offer.hand, "pays": str(insured.offer.odds), "worth": insured.worth}
                    for insured in mid_round.insurance
                ],
            }
        )
        return
    rows = [(bet.bet, *map(percent, (bet.won, bet.lost, bet.returned, bet.worth))) for bet in mid_round.bets]
    out.print(table(("bet", "wins %", "loses %", "returned %", "worth %"), rows))
    for offer_worth in mid_round.insurance:
        offer, worth = offer_worth.offer, percent(offer_worth.worth)
        out.print(f"insurance {offer.hand} at {offer.odds}: worth {worth}% of the stake")
