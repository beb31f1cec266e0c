"""`lammer report`: the mathematics of some rulebooks as a laboratory files it, in four formats."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from lammer.cli.console import REFUSED, AsJson, err, out, say_json
from lammer.cli.lab import Decks, full_shoe
from lammer.game.money import parse_amount
from lammer.lab.extras import needs
from lammer.lab.output.filing import Say
from lammer.lab.reporting.report import Exposure, Report, must_be_a_report, report as build_report
from lammer.lab.reporting.report_figures import Terms, parse_limits
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.shelf import rulebook
from lammer.wording.catalogues import ENGLISH, catalogues, say
from lammer.wording.phrases import in_words

PATIENCE_SECONDS = 1.0
"""Seconds before the progress bar appears."""


def report(
    book_ids: Annotated[
        list[str], typer.Argument(metavar="RULEBOOK...", help="Rulebooks' ids, or TOML files of yours.")
    ],
    output: Annotated[
        list[str],
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write it: .html, .pdf, .xlsx or .json; may be repeated.",
        ),
    ] = ["report.html"],  # noqa: B006 (typer reads it and changes nothing)
    decks: Decks = None,
    shoes: Annotated[int, typer.Option(help="Shoes to count through; 0 for none.", min=0)] = 200,
    digits: Annotated[int, typer.Option(help="Places behind the point of every share.", min=2, max=30)] = 4,
    limits: Annotated[
        str,
        typer.Option(
            metavar="BET=AMOUNT,…", help='Limits for the liability: "original=10000,side=500,tie=1000".'
        ),
    ] = "",
    mix: Annotated[
        str, typer.Option(metavar="BET=STAKE,…", help='Stakes of every round for the hold: "banker=100".')
    ] = "",
    least: Annotated[str, typer.Option(metavar="AMOUNT", help="The least stake, for the rounding.")] = "1",
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="Of the report: en or zh.")] = ENGLISH,
    as_json: AsJson = False,
) -> None:
    """The mathematics of rulebooks as a laboratory files it.

    Rules in full, return and edge of every bet with every outcome, volatility, Insurance, rounding,
    liability, hold, counting, method and checks, and places to sign. Rulebooks of one family that follow each
    other are also compared. A check that fails is shown in it and ends the command with 1.
    """
    books = [rulebook(name) for name in book_ids]
    must_be_a_language(language)
    for book in books:
        full_shoe(book, decks)
    for file in output:
        must_be_a_report(file)
    with needs("lab"):
        from lammer.lab.simulation.mix import parse_stakes  # noqa: PLC0415
    terms = Terms(
        digits,
        parse_limits(books, parse_stakes(limits)),
        must_be_bets(books, parse_stakes(mix)),
        parse_amount(least, "The least stake"),
    )
    page = _build(books, decks, shoes, terms, language, [_file_of(name) for name in book_ids])
    for file in output:
        page.write(file)
    if as_json:
        say_json(
            {
                "file": output[0],
                "sha256": sha256(Path(output[0]).read_bytes()).hexdigest(),
                "files": [
                    {"file": file, "sha256": sha256(Path(file).read_bytes()).hexdigest()} for file in output
                ],
                "rulebooks": [{"id": book.id, "sha256": book.sha256} for book in books],
                "checks": page.checks,
            }
        )
    elif not page.failed:
        out.print(escape(f"{', '.join(output)}: {len(books)} rulebook{'s' * (len(books) > 1)}, "), end="")
        out.print(f"all {sum(check.asked_here for check in page.checks)} checks passed.")
    for check in page.failed:
        err.print(escape(f"{check.rulebook}: {check.asked}: FAILED, {check.found}."))
    if page.failed:
        raise typer.Exit(REFUSED)


def _file_of(name: str) -> tuple[str, str]:
    """The file a rulebook was read from and its own SHA-256; nothing of one that ships."""
    return (name, sha256(Path(name).read_bytes()).hexdigest()) if name.endswith(".toml") else ("", "")


def must_be_bets(books: list[Rulebook], stakes: dict[str, int]) -> dict[str, int]:
    """The stakes of a mix, once every one is on a bet there is and every rulebook has a bet of it."""
    for name in stakes:
        if not any(name in book.bets for book in books):
            books[0].bet(name)
    for book in books:
        if stakes and not book.bets.keys() & stakes.keys():
            raise Refused(
                "unknown_bet",
                "{rulebook} has none of the bets of the mix.",
                next_step="It has {bets}; report on it alone, or add one of them to the mix.",
                rulebook=book.id,
                bets=", ".join(book.bets),
            )
    return stakes


def must_be_a_language(language: str) -> None:
    """Refuse a language there is no catalogue of."""
    if language not in catalogues():
        raise Refused(
            "malformed_input",
            "There is no language {language}.",
            next_step="It is one of {known}.",
            language=repr(language[:20]),
            known=", ".join(catalogues()),
        )


def in_language(language: str) -> Say:
    """Words in that language: phrases by their parts, plain words as the catalogue has them.

    >>> in_language("zh")("Insurance"), in_language("en")("Insurance")
    ('保险', 'Insurance')
    """

    def said(words: str) -> str:
        return say(language, words) if type(words) is str else str(in_words(language, words))

    return said


def _build(
    books: list[Rulebook],
    decks: int | None,
    shoes: int,
    terms: Terms,
    language: str,
    files: list[tuple[str, str]],
) -> Report:
    today = datetime.now(UTC).date().isoformat()
    with _progress() as show_progress:
        exposures = {}
        for done, book in enumerate(books if shoes else ()):
            show_progress(done, len(books), f"{book.id}: counting through {shoes} shoes")
            exposures[book.id] = _exposures(book, decks, shoes)
        return build_report(
            books,
            decks=decks,
            terms=terms,
            exposures=exposures,
            made_on=today,
            files=files,
            say=in_language(language),
            tag=catalogues()[language].tag,
            progress=show_progress,
        )


def _exposures(book: Rulebook, decks: int | None, shoes: int) -> list[Exposure]:
    with needs("lab"):
        from lammer.lab.counting.count import count  # noqa: PLC0415
        from lammer.lab.reporting.charts import counting_sheets  # noqa: PLC0415
    exposure = count(book, decks=decks, shoes=shoes)
    # A sheet says in its name how it came about.
    return [
        (
            replace(
                sheet, name=Phrase("{table} ({how})", table=Phrase(sheet.name), how=exposure.description)
            ),
            chart,
        )
        for sheet, chart in counting_sheets(exposure, book)
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
