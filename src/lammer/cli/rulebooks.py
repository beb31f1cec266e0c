"""`lammer rulebooks` and `lammer rulebook …`: what the documents say, and whether they are whole."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from lammer.cli.console import (
    REFUSED,
    WRONG_USAGE,
    AsJson,
    err,
    out,
    problem_json,
    problems_json,
    refusal_json,
    say_json,
    table,
)
from lammer.cli.prove import prove
from lammer.cli.show import show_book, show_json
from lammer.coverage import coverage_json, proved_sentence, summary_sentence
from lammer.lab.exact.doubts import doubts
from lammer.lab.exact.edges import edges
from lammer.lab.exact.side_by_side import changes_sheet
from lammer.rulebook.diff import Change, diff as changes_between, moved_paragraphs as moved_between
from lammer.rulebook.force import force_start, in_force, standing, superseded_by
from lammer.rulebook.model import Rulebook
from lammer.rulebook.paragraphs import index_errors
from lammer.rulebook.problems import DefectiveRulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import read, rulebook, shelf

app = typer.Typer(help="Look into one rulebook, check files, compare two.", no_args_is_help=True)

app.command()(prove)

BookId = Annotated[str, typer.Argument(metavar="ID", help="A rulebook's id, or a TOML file of yours.")]


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


@app.command()
def show(
    book_id: BookId,
    layout: Annotated[str, typer.Option(metavar="LETTER", help="Only what this layout offers.")] = "",
    as_json: AsJson = False,
) -> None:
    """What a rulebook says, each value beside its paragraph."""
    book = rulebook(book_id)
    later = superseded_by(shelf(), book)
    felt = book.layout(layout) if layout else None
    if as_json:
        say_json(show_json(book, felt, later))
    else:
        show_book(book, felt, later)


@app.command()
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
            counts = ", ".join(_counted(len(rows), one) for rows, one in parts)
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


def _counted(count: int, one: str) -> str:
    """A number of things.

    >>> _counted(1, "layout"), _counted(2, "layout")
    ('1 layout', '2 layouts')
    """
    return f"{count} {one}{'' if count == 1 else 's'}"


def _lacks_of(book: Rulebook, listed: bool) -> str:
    """What a private file leaves out, counted, or listed under what each place has to be given."""
    if not book.lacks:
        return ""
    head = f"\n  private: {_counted(len(book.lacks), 'thing')} to say before it can be approved"
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


@app.command()
def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="The rulebook to compare from.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The rulebook to compare to.")],
    moved: Annotated[bool, typer.Option("--moved", help="Also list paragraphs that only moved.")] = False,
    as_json: AsJson = False,
) -> None:
    """What changed between two rulebooks, by meaning, with both paragraph numbers."""
    old, new = rulebook(before), rulebook(after)
    changes = changes_between(old, new)
    renumbered = moved_between(old, new)
    if as_json:
        said, shifted = ([change_json(change) for change in listed] for listed in (changes, renumbered))
        say_json({"from": old.id, "to": new.id, "changes": said, "moved": shifted})
        return
    heads = (before, after) if old.id == new.id else None
    sheet = changes_sheet(old, new, changes, heads)
    out.print(table(sheet.columns, sheet.texts()) if sheet.rows else "No change of meaning.")
    if moved:
        sheet = changes_sheet(old, new, renumbered, heads)
        out.print()
        out.print(table(("moved", *sheet.columns[1:]), sheet.texts()))
    else:
        out.print(f"{_counted(len(renumbered), 'paragraph')} only moved; --moved lists them.", style="dim")


def change_json(change: Change) -> dict[str, str | None]:
    """A change for programs."""
    return {
        "kind": change.kind,
        "subject": change.subject,
        "sentence": change.sentence,
        "from": change.before or None,
        "to": change.after or None,
    }


@app.command()
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
