"""`lammer rulebook check`: rulebook files proved whole, and what in them can hardly be meant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from lammer.cli.console import AsJson, counted, out, problem_json, problems_json, refusal_json, say_json
from lammer.cli.exit_codes import REFUSED, WRONG_USAGE
from lammer.lab.exact.doubts import doubts
from lammer.lab.exact.edges import edges
from lammer.rulebook.model import Rulebook
from lammer.rulebook.problems import DefectiveRulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import read, rulebook


def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="TOML files, or ids of shipped rulebooks.")
    ],
    approval: Annotated[
        bool, typer.Option("--approval", help="List what is missing before a file can be approved.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Prove rulebooks whole: every problem of every file, with its row and paragraph."""
    results: list[dict[str, Any]] = []
    unreadable = False
    for file in files:
        try:
            book = rulebook(file) if "@" in file and not Path(file).exists() else read(Path(file))
            lacks = [problem_json(lacking) for lacking in book.lacks]
            results.append(
                {"file": file, "id": book.id, "sha256": book.sha256, "problems": [], "lacks": lacks}
            )
            doubted = [str(doubt) for doubt in doubts(book, edges(book))]
            results[-1]["doubts"] = doubted
            parts = (book.paragraphs, "paragraph"), (book.bets, "bet"), (book.layouts, "layout")
            counts = ", ".join(counted(len(rows), one) for rows, one in parts)
            message = f"{file}: {book.id} is whole ({counts})" + _lacks_of(book, listed=approval)
            message += "".join(f"\n  can that be meant? {doubt}" for doubt in doubted)
        except DefectiveRulebook as defective:
            results.append({"file": file, "id": None, "sha256": None, "problems": problems_json(defective)})
            message = str(defective)
        except Refused as refused:
            unreadable = True
            results.append(
                {"file": file, "id": None, "sha256": None, "problems": [], **refusal_json(refused)}
            )
            message = str(refused)
        if not as_json:
            out.print(escape(message))
    if as_json:
        say_json(results)
    if unreadable:
        raise typer.Exit(WRONG_USAGE)
    if any(result["problems"] or (approval and result.get("lacks")) for result in results):
        raise typer.Exit(REFUSED)


def _lacks_of(book: Rulebook, listed: bool) -> str:
    """What a private file leaves out, counted, or listed under what each place has to be given."""
    if not book.lacks:
        return ""
    head = f"\n  private: {counted(len(book.lacks), 'thing')} to say before it can be approved"
    if not listed:
        return f"{head} (--approval lists them)"
    lines = [f"{head}:"]
    for expected in dict.fromkeys(lacking.expected for lacking in book.lacks):
        lines.append(f"    {expected}:")
        lines += [
            f"      line {lacking.row}: {lacking.where}"
            for lacking in book.lacks
            if lacking.expected == expected
        ]
    return "\n".join(lines)
