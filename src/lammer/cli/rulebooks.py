"""`lammer rulebooks`: what is on the shelf, and which of each game is in force."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.markup import escape

from lammer.cli.console import AsJson, err, out, say_json, table
from lammer.cli.exit_codes import WRONG_USAGE
from lammer.rulebook.force import force_start, in_force, standing, superseded_by
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import shelf


def list_rulebooks(
    on: Annotated[
        str, typer.Option(metavar="MOMENT", help="Which held then, e.g. 2025-06-01T12:00+08:00; default now.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """The rulebooks on the shelf, and which of each game is in force."""
    moment = _moment(on)
    books = shelf()
    if not as_json:
        rows = [(book.id, force_start(book), standing(books, book, moment)) for book in books]
        at = moment.isoformat(sep=" ", timespec="minutes")
        out.print(table(("rulebook", "in force from", f"on {at}"), rows, whole=2))
        return
    answers: list[dict[str, str | None]] = []
    for game in sorted({book.game for book in books}):
        try:
            current = in_force(books, game, moment)
            answers.append({"game": game, "in_force": current.rulebook.id, "note": current.caveat})
        except Refused as unknown:
            answers.append({"game": game, "in_force": None, "note": unknown.sentence})
    rulebooks_json = [
        _rulebook_json(book, superseded_by(books, book), standing(books, book, moment)) for book in books
    ]
    say_json({"on": moment.isoformat(), "in_force": answers, "rulebooks": rulebooks_json})


def _rulebook_json(book: Rulebook, later: Rulebook | None, status: str) -> dict[str, Any]:
    return {
        "id": book.id,
        "title": book.title,
        "in_force_from": book.in_force_from.isoformat(),
        "superseded_by": later.id if later else None,
        "standing": status,
        "bets": len(book.bets),
        "layouts": len(book.layouts),
        "insurance": book.insurance is not None,
        "sha256": book.sha256,
    }


def _moment(text: str) -> datetime:
    if not text:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        err.print(escape(f"--on {text!r} is not a moment; write it with its offset: 2025-06-01T12:00+08:00"))
        raise typer.Exit(WRONG_USAGE)
    return moment
