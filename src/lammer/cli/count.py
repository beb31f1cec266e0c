"""`lammer count`: how exposed each bet and each Insurance offer is to a player who knows every card gone."""

from __future__ import annotations

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
    given: typer.Context,
    book_id: BookId,
    bets: Annotated[
        list[str] | None, typer.Option("--bet", metavar="BET", help="Only this bet; may be repeated.")
    ] = None,
    shoes: Annotated[int, typer.Option(help="Shoes to walk through.")] = 2000,
    decks: Decks = None,
    play: Play = "",
    cut: Annotated[int, typer.Option(help="Cards behind the cut card.")] = 14,
    seed: Annotated[int, typer.Option(help="The same seed gives the same figures.")] = 1,
    threads: Annotated[int, typer.Option(help="Threads; 0 for every core.", min=0)] = 0,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="Where shoes are valued.")] = "cpu",
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A dask scheduler's address.")] = "",
    as_csv: AsCsv = False,
    as_json: AsJson = False,
    plot: Annotated[str, typer.Option(metavar="FILE", help="Draw the exposure as .svg or .png.")] = "",
) -> None:
    """How often each bet is worth betting to one who knows every card gone, and what that makes."""
    must_not_disagree(given, "as_csv", "as_json")
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
        from lammer.lab.counting.count import count as count_shoes  # noqa: PLC0415
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
