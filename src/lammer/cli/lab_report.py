"""`lammer report`: the mathematics of some rulebooks on one page that needs nothing else to be read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from lammer.cli.console import REFUSED, AsJson, err, out, say_json
from lammer.cli.lab import Decks, full_shoe
from lammer.lab.extras import needs
from lammer.lab.reporting.report import Exposure, Report, must_be_a_page, report as build_report
from lammer.rulebook.model import Rulebook
from lammer.shelf import rulebook

PATIENCE_SECONDS = 1.0
"""Seconds before the progress bar appears."""


def report(
    book_ids: Annotated[
        list[str], typer.Argument(metavar="RULEBOOK...", help="Rulebooks' ids, or TOML files of yours.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write the page.")
    ] = "report.html",
    decks: Decks = None,
    shoes: Annotated[int, typer.Option(help="Shoes to count through; 0 for none.", min=0)] = 200,
    as_json: AsJson = False,
) -> None:
    """One self-contained HTML page: identity, bets, exact edges, Insurance, volatility, removal, checks.

    Rulebooks of one family that follow each other are also compared. A check that fails is shown in the page
    and ends the command with 1.
    """
    books = [rulebook(name) for name in book_ids]
    for book in books:
        full_shoe(book, decks)
    must_be_a_page(output)
    page = _build(books, decks, shoes)
    page.write(output)
    if as_json:
        say_json(
            {
                "file": output,
                "sha256": sha256(page.html.encode()).hexdigest(),
                "rulebooks": [{"id": book.id, "sha256": book.sha256} for book in books],
                "checks": page.checks,
            }
        )
    elif not page.failed:
        out.print(escape(f"{output}: {len(books)} rulebook{'s' * (len(books) > 1)}, "), end="")
        out.print(f"all {len(page.checks)} checks passed.")
    for check in page.failed:
        err.print(escape(f"{check.rulebook}: {check.asked}: FAILED, {check.found}."))
    if page.failed:
        raise typer.Exit(REFUSED)


def _build(books: list[Rulebook], decks: int | None, shoes: int) -> Report:
    today = datetime.now(UTC).date().isoformat()
    with _progress() as show_progress:
        exposures = {}
        for done, book in enumerate(books if shoes else ()):
            show_progress(done, len(books), f"{book.id}: counting through {shoes} shoes")
            exposures[book.id] = _exposures(book, decks, shoes)
        return build_report(books, decks=decks, exposures=exposures, made_on=today, progress=show_progress)


def _exposures(book: Rulebook, decks: int | None, shoes: int) -> list[Exposure]:
    with needs("lab"):
        from lammer.lab.counting.count import count  # noqa: PLC0415
        from lammer.lab.reporting.charts import counting_sheets  # noqa: PLC0415
    exposure = count(book, decks=decks, shoes=shoes)
    # A sheet says in its name how it came about.
    return [
        (replace(sheet, name=f"{sheet.name} ({exposure.description})"), chart)
        for sheet, chart in counting_sheets(exposure)
    ]


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """A bar on standard error after `PATIENCE_SECONDS`; none where standard error is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
    began = time.monotonic()
    task = bar.add_task("")

    def show(done: int, of: int, what: str) -> None:
        bar.update(task, completed=done, total=of, description=escape(what))
        if time.monotonic() - began > PATIENCE_SECONDS and not bar.live.is_started:
            bar.start()

    try:
        yield show
    finally:
        bar.stop()
