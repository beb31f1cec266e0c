"""`lammer edges`, `lammer compare` and `lammer odds`: the mathematics of a rulebook, exactly."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Annotated, Any

import typer

from lammer.cli.console import out, say_json, table
from lammer.game.cards import parse_cards
from lammer.lab.composition import Composition
from lammer.lab.edges import Analysis, BetEdge, Outcome, deviation, edges as analyse, percent
from lammer.lab.odds import from_here
from lammer.rulebook.refusal import Refused
from lammer.shelf import rulebook

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Decks = Annotated[int, typer.Option(help="Full decks in the shoe.")]
BookId = Annotated[str, typer.Argument(metavar="RULEBOOK", help="A rulebook's id, or a TOML file of yours.")]
MOST_DECKS = 10


def _shoe(decks: int, shoe: str, removed: str, more_decks: bool) -> Composition:
    if not 1 <= decks <= (MOST_DECKS if not more_decks else 1000):
        raise Refused(
            "impossible_shoe",
            f"{decks} decks is not what the documents know.",
            next_step=f"1 to {MOST_DECKS}, or say --any-decks.",
        )
    made = Composition.parse(shoe) if shoe else Composition.of_decks(decks)
    return made.without(removed) if removed else made


def edges(
    book_id: BookId,
    layout: Annotated[str, typer.Option(metavar="LETTER", help="Only what this layout offers.")] = "",
    decks: Decks = 8,
    shoe: Annotated[str, typer.Option(metavar="COUNTS", help='Any shoe: "A=31,2=32,…,K=32".')] = "",
    removed: Annotated[str, typer.Option(metavar="CARDS", help='Cards gone: "9H 9D".')] = "",
    pays: Annotated[list[str] | None, typer.Option(metavar="BET=ODDS", help="Other odds for a bet.")] = None,
    any_decks: Annotated[bool, typer.Option("--any-decks", help="Any number of decks.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """The exact edge of every bet and of every Insurance situation."""
    changed = {}
    for each in pays or ():
        name, equals, odds = each.partition("=")
        if not equals:
            raise Refused("not_odds", f"{each[:40]!r} is not BET=ODDS.", next_step="Write small_tiger=23:1.")
        changed[name] = odds
    made = analyse(rulebook(book_id), _shoe(decks, shoe, removed, any_decks), layout=layout, pays=changed)
    if as_json:
        say_json(analysis_json(made))
    elif as_csv:
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([_COLUMNS, *_rows(made)])
        out.out(stream.getvalue().rstrip("\n"), highlight=False)
    else:
        out.print(f"{made.rulebook} · {made.shoe.size} cards · {made.combinations:,} ordered draws of six")
        out.print(table(_COLUMNS, _rows(made)))
        if made.insurance:
            out.print(table(_INSURANCE, _insurance_rows(made)))
            for hand in ("player", "banker"):
                cost = percent(made.always_insuring("player" if hand == "player" else "banker"))
                out.print(f"always insuring {hand}: {cost}% of a unit a round")


_COLUMNS = ("bet", "edge %", "deviation", "outcomes")
_INSURANCE = ("\ninsurance", "\nwindow", "\nPlayer", "\nBanker", "\npays", "\noccurs %", "\nedge %")


def _rows(made: Analysis) -> list[tuple[str, ...]]:
    return [
        (
            each.bet,
            percent(each.edge),
            deviation(each.variance),
            ", ".join(_outcome(each, outcome) for outcome in each.outcomes),
        )
        for each in made.bets
    ]


def _outcome(bet: BetEdge, outcome: Outcome) -> str:
    share = percent(Fraction(outcome.combinations, bet.combinations))
    return f"{outcome.outcome} {outcome.pays} {share}%" if outcome.pays else f"{outcome.outcome} {share}%"


def _insurance_rows(made: Analysis) -> list[tuple[str, ...]]:
    return [
        (
            each.hand,
            each.window.replace("_", " "),
            str(each.player),
            str(each.banker),
            str(each.pays),
            percent(each.occurs),
            percent(each.edge),
        )
        for each in made.insurance
    ]


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    pays = str(outcome.pays) if outcome.pays else None
    return {"outcome": outcome.outcome, "pays": pays, "combinations": outcome.combinations}


def analysis_json(made: Analysis) -> dict[str, Any]:
    """An analysis for programs: counts as integers, edges as fractions and in percent."""
    decks, rest = divmod(made.shoe.size, 52)
    full = not rest and made.shoe == Composition.of_decks(decks)
    return {
        "rulebook": made.rulebook,
        "decks": decks if full else None,
        "shoe": made.shoe.counts,
        "combinations": made.combinations,
        "bets": [
            {
                "bet": each.bet,
                "outcomes": [_outcome_json(outcome) for outcome in each.outcomes],
                "edge": str(each.edge),
                "edge_percent": percent(each.edge),
                "standard_deviation": deviation(each.variance),
            }
            for each in made.bets
        ],
        "insurance": [
            {
                "hand": each.hand,
                "window": each.window,
                "player": each.player,
                "banker": each.banker,
                "pays": str(each.pays),
                "occurs": str(each.occurs),
                "edge": str(each.edge),
                "edge_percent": percent(each.edge),
            }
            for each in made.insurance
        ],
    }


def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="The rulebook to compare from.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The rulebook to compare to.")],
    decks: Decks = 8,
    as_json: AsJson = False,
) -> None:
    """What changed between two rulebooks, and what it did to each edge."""
    shoe = _shoe(decks, "", "", False)
    a, b = analyse(rulebook(before), shoe), analyse(rulebook(after), shoe)
    names = dict.fromkeys([*(each.bet for each in a.bets), *(each.bet for each in b.bets)])
    rows = []
    for name in names:
        pair = [next((each.edge for each in made.bets if each.bet == name), None) for made in (a, b)]
        shown = [percent(edge) if edge is not None else "-" for edge in pair]
        change = percent(pair[1] - pair[0]) if pair[0] is not None and pair[1] is not None else ""
        rows.append((name, *shown, change))
    if as_json:
        keys = ("bet", "from", "to", "change")
        say_json(
            {
                "from": a.rulebook,
                "to": b.rulebook,
                "bets": [dict(zip(keys, row, strict=True)) for row in rows],
            }
        )
    else:
        out.print(table(("bet", f"edge % {a.rulebook}", f"edge % {b.rulebook}", "change"), rows))


def odds(
    cards: Annotated[str, typer.Option(metavar="CARDS", help='Cards seen, in shoe order: "6S KD 7H 2C".')],
    book_id: Annotated[
        str, typer.Option("--rulebook", metavar="ID", help="A rulebook's id, or a TOML file of yours.")
    ] = "tiger-buffalo-noncommission-insurance@3",
    decks: Decks = 8,
    as_json: AsJson = False,
) -> None:
    """Mid-round: the exact chances of every bet and the worth of each Insurance offer from here."""
    book = rulebook(book_id)
    now = from_here(book, parse_cards(cards), _shoe(decks, "", "", False))
    if as_json:
        say_json(
            {
                "rulebook": book.id,
                "player": list(now.player),
                "banker": list(now.banker),
                "bets": [
                    {
                        "bet": each.bet,
                        "won": str(each.won),
                        "lost": str(each.lost),
                        "returned": str(each.returned),
                        "worth": str(each.worth),
                    }
                    for each in now.bets
                ],
                "insurance": [
                    {"hand": each.offer.hand, "pays": str(each.offer.odds), "worth": str(each.worth)}
                    for each in now.insurance
                ],
            }
        )
        return
    rows = [
        (each.bet, percent(each.won), percent(each.lost), percent(each.returned), percent(each.worth))
        for each in now.bets
    ]
    out.print(table(("bet", "wins %", "loses %", "returned %", "worth %"), rows))
    for each in now.insurance:
        out.print(
            f"insurance {each.offer.hand} at {each.offer.odds}: worth {percent(each.worth)}% of the stake"
        )
