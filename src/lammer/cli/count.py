"""`lammer count`: how exposed each bet and each Insurance offer is to a player who knows every card gone."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.markup import escape

from lammer.cli.console import INTERRUPTED, AsCsv, AsJson, must_not_disagree, out, say_json
from lammer.cli.lab import BookId, Decks, Play, full_shoe, print_csv, print_sheet
from lammer.cli.progress import progress, workers_of
from lammer.lab.exact.choices import played_as
from lammer.lab.extras import needs
from lammer.lab.output.plotting import must_be_written_as, write
from lammer.lab.reporting.charts import counting_chart
from lammer.rulebook.refusal import Refused
from lammer.shelf import rulebook

NO_SYSTEM = "No count follows these, since no single card gone moves them:"


def count(
    context: typer.Context,
    book_id: BookId,
    bets: Annotated[
        list[str] | None, typer.Option("--bet", metavar="BET", help="Only this bet; may be repeated.")
    ] = None,
    shoes: Annotated[int, typer.Option(help="Shoes to walk through.")] = 2000,
    decks: Decks = None,
    play: Play = "",
    cut: Annotated[int, typer.Option(help="Cards behind the cut card.")] = 14,
    tags: Annotated[
        str,
        typer.Option(metavar="RANK=TAG,…", help='A count of your own: "4=-1,5=1"; T with pictures.'),
    ] = "",
    bet_from: Annotated[
        int | None, typer.Option("--from", metavar="COUNT", help="Bet from this true count on.")
    ] = None,
    burn: Annotated[
        str, typer.Option(metavar="CARDS|first", help="Cards burnt; first: as many as the first card says.")
    ] = "0",
    rounds_after_cut: Annotated[
        int, typer.Option(help="Rounds after the one in which the cut card appears.", min=0)
    ] = 0,
    spread: Annotated[
        str, typer.Option(metavar="LOW:HIGH", help="Units below that count, and from it on.")
    ] = "0:1",
    pairs: Annotated[
        list[str] | None,
        typer.Option("--pair", metavar="BET,BET", help="Two sides of one count; may be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same figures.")] = 1,
    threads: Annotated[int, typer.Option(help="Threads; 0 for every core.", min=0)] = 0,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="Where shoes are valued.")] = "cpu",
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A dask scheduler's address.")] = "",
    as_csv: AsCsv = False,
    as_json: AsJson = False,
    plot: Annotated[str, typer.Option(metavar="FILE", help="Draw the exposure as .svg or .png.")] = "",
) -> None:
    """How often each bet is worth betting to one who knows every card gone, and what that makes."""
    must_not_disagree(context, "as_csv", "as_json")
    if plot:
        must_be_written_as(plot)
    if device not in ("cpu", "cuda"):
        raise Refused(
            "impossible_run",
            "There is no device {device}.",
            next_step="Say cpu or cuda.",
            device=repr(device[:20]),
        )
    with needs("lab"):
        from lammer.lab.counting.count import Habits, count as count_shoes  # noqa: PLC0415
        from lammer.lab.counting.systems import parse_tags  # noqa: PLC0415
    habits = Habits(
        parse_tags(tags) if tags else (),
        bet_from,
        _burn(burn),
        rounds_after_cut,
        _spread(spread),
        tuple(_pair(pair) for pair in pairs or ()),
    )
    book = rulebook(book_id)
    book = played_as(book, play, full_shoe(book, decks))
    with progress("shoes", shoes) as show_progress:
        exposure = count_shoes(
            book,
            bets=tuple(bets or ()),
            shoes=shoes,
            decks=decks,
            cut=cut,
            seed=seed,
            workers=workers_of(threads, cluster),
            device="cuda" if device == "cuda" else "cpu",
            habits=habits,
            watch=show_progress,
        )
    if plot:
        write(counting_chart(exposure), plot)
    if as_json:
        say_json(_exposure_json(exposure))
    elif as_csv:
        print_csv(exposure.sheets())
    else:
        out.print(escape(exposure.description))
        for sheet in exposure.sheets():
            if sheet.rows:
                print_sheet(sheet, title=f"\n{sheet.name}")
        if without := exposure.without_system:
            out.print(escape(f"\n{NO_SYSTEM} {', '.join(without)}."))
    if exposure.stopped:
        raise typer.Exit(INTERRUPTED)


def _burn(text: str) -> int:
    """How many cards are burnt; the first card says it by the number that stands for that."""
    if text == "first":
        from lammer.lab.counting.walking import BURN_BY_FIRST  # noqa: PLC0415

        return BURN_BY_FIRST
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise Refused(
            "impossible_run",
            "{text} is no number of cards to burn.",
            next_step="Write a number, or first.",
            text=repr(text[:20]),
        )
    return int(text)


def _spread(text: str) -> tuple[int, int]:
    """Units below the count and from it on.

    >>> _spread("1:8")
    (1, 8)
    """
    match = re.fullmatch(r"([0-9]{1,6}):([0-9]{1,6})", text)
    if match is None:
        raise Refused(
            "impossible_run",
            "{text} is no spread.",
            next_step="Write 1:8: the units below the count, and from it on.",
            text=repr(text[:20]),
        )
    return int(match[1]), int(match[2])


def _pair(text: str) -> tuple[str, str]:
    """Two bets that are the sides of one count."""
    one, comma, other = text.replace(" ", "").partition(",")
    if not comma or not one or not other or one == other:
        raise Refused(
            "impossible_run",
            "{text} is no pair of bets.",
            next_step="Write player,banker.",
            text=repr(text[:40]),
        )
    return one, other


def _exposure_json(exposure: Any) -> dict[str, Any]:
    return {
        "rulebook": exposure.rulebook,
        "shoes": exposure.shoes,
        "asked": exposure.asked,
        "states": exposure.states,
        "cut": exposure.cut,
        "seed": exposure.seed,
        "stopped": exposure.stopped,
        "bets": [
            {key: value for key, value in asdict(line).items() if key != "window"} for line in exposure.bets
        ],
        "insurance": exposure.insurance,
        "effects_of_removal": exposure.effects,
        "systems": exposure.systems,
    }
