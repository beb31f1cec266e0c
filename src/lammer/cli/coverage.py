"""`lammer rulebook coverage`: what answers for each paragraph of a rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from lammer.cli.console import AsJson, BookId, err, out, say_json, table
from lammer.cli.exit_codes import REFUSED, WRONG_USAGE
from lammer.coverage import coverage_json, proved_sentence, summary_sentence
from lammer.rulebook.paragraphs import index_errors
from lammer.shelf import rulebook


def coverage(
    book_id: BookId,
    text: Annotated[
        str, typer.Option(metavar="FILE", help="The approved text: prove the index true against it.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Paragraph by paragraph: what answers for it, which tests and which theorems prove it."""
    book = rulebook(book_id)
    report = coverage_json(book)
    wrong = index_errors(book, _text(text)) if text else []
    if text:
        report["proof"] = {"file": text, "wrong": wrong}
    if as_json:
        say_json(report)
    else:
        rows = []
        for row in report["paragraphs"]:
            answered = (
                ", ".join(behaviour["name"] for behaviour in row["behaviours"]) or row["not_executable"]
            )
            tests, proved = (", ".join(row[name] or ()) for name in ("tests", "proved"))
            rows.append((row["number"], row["status"], row["gist"], answered, tests, proved))
        columns = ("paragraph", "", "gist", "answered by", "tests", "proved")
        out.print(table(columns, rows, title=book.id))
        out.print(f"{summary_sentence(report)}. {proved_sentence(report)}.")
        if text:
            out.print(
                "\n".join(wrong) or f"Every paragraph of {text} is in the index, word for word.", markup=False
            )
    if wrong:
        raise typer.Exit(REFUSED)


def _text(file: str) -> str:
    try:
        return Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        err.print(escape(f"{file} cannot be read: {error}"))
        raise typer.Exit(WRONG_USAGE) from None
