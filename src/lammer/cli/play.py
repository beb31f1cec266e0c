"""`lammer play`, `lammer replay` and `lammer figures`: scripts run, journals rebuilt, figures drawn up."""

from __future__ import annotations

import csv
import io
import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from lammer.cli.console import REFUSED, WRONG_USAGE, err, out, refusal_json, say_json, table
from lammer.cli.tellings import told
from lammer.game.money import show
from lammer.rulebook.model import Rulebook
from lammer.shelf import read, rulebook, shelf
from lammer.table.journal import Entry, decode, encode, snapshot
from lammer.table.ledger import postings
from lammer.table.report import report as figures_of
from lammer.table.script import Played, run, unmet
from lammer.table.verify import verify

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def play(
    script: Annotated[str, typer.Argument(metavar="SCRIPT", help="A TOML file of set-up and commands.")],
    book_id: Annotated[
        str, typer.Option("--rulebook", metavar="ID", help="Play it under this rulebook.")
    ] = "",
    journal: Annotated[
        str, typer.Option(metavar="FILE", help="Write the events here, one JSON line each.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Run a script and tell the story with citations."""
    values = _script(script)
    several = values.get("rulebooks", {})
    values["rulebook"] = book_id or values.get("rulebook") or next(iter(several), "")
    books = _books(values["rulebook"])
    values["rulebook"] = _id(books, values["rulebook"])
    done = run(books, values)
    if journal:
        Path(journal).write_bytes(b"".join(encode(entry) + b"\n" for entry in done.journal))
    short = unmet(values, done)
    if as_json:
        say_json({**_json(done), "unmet": short})
    else:
        _tell(done)
        out.print("\n".join(short), markup=False)
    if short:
        raise typer.Exit(REFUSED)


def _script(file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(file).read_text("utf-8"))
    except (OSError, ValueError) as error:
        err.print(escape(f"{file!r} is not a script that can be read: {error}."))
        raise typer.Exit(WRONG_USAGE) from None


def _books(name: str) -> dict[str, Rulebook]:
    books = {book.id: book for book in shelf()}
    if name.endswith(".toml"):
        mine = read(Path(name))
        books[mine.id] = mine
    return books


def _id(books: dict[str, Rulebook], name: str) -> str:
    return next(reversed(books)) if name.endswith(".toml") else rulebook(name).id


def _tell(done: Played) -> None:
    out.print(Text(done.title, "bold"))
    grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", style="dim")
    for step in done.steps:
        who = step.by.replace("_", " ")
        if step.refused is not None:
            cite = step.refused.citation.paragraph if step.refused.citation else ""
            grid.add_row(Text(who), Text(f"{step.do}: {step.refused.sentence}", "red"), cite)
        for number, entry in enumerate(step.entries):
            sentence, cite = told(entry.event)
            grid.add_row(Text(who if number == 0 else ""), Text(sentence), cite)
    out.print(grid)
    accounts = done.table.accounts
    rows = [(name, show(cents)) for name, cents in accounts.items() if cents]
    out.print(table(("account", "balance"), rows))


def _json(done: Played) -> dict[str, Any]:
    return {
        "title": done.title,
        "events": [msgspec.json.decode(encode(entry)) for entry in done.journal],
        "refusals": [
            {"by": step.by, "do": step.do, **refusal_json(step.refused)}
            for step in done.steps
            if step.refused
        ],
        "ledger": [
            {"event": entry.number, "account": p.account, "amount": show(p.amount), "why": p.why}
            for entry in done.journal
            for p in postings(entry.event)
        ],
        "accounts": {name: show(cents) for name, cents in done.table.accounts.items()},
    }


def _journal(file: str) -> list[Entry]:
    try:
        lines = Path(file).read_bytes().splitlines()
    except OSError as error:
        err.print(escape(f"{file!r} cannot be read: {error.strerror}."))
        raise typer.Exit(WRONG_USAGE) from None
    return [decode(line) for line in lines if line.strip()]


def replay_events(
    events: Annotated[str, typer.Argument(metavar="EVENTS", help="A journal of `lammer play --journal`.")],
    book_id: Annotated[
        str,
        typer.Option("--rulebook", metavar="FILE", help="A rulebook of yours it was played under."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Rebuild a table from its events and check them: shoe, cards, settlements, rulebook, money."""
    entries = _journal(events)
    again, wrong = verify(_books(book_id), entries)
    written = [line for line in Path(events).read_bytes().splitlines() if line.strip()]
    for entry, line in zip(entries, written, strict=True):
        if encode(entry) != line:
            wrong.append(f"event {entry.number} is not written as it would be")
    if not entries:
        wrong.append("there are no events")
    if as_json:
        state = msgspec.json.decode(snapshot(again))
        say_json({"events": len(entries), "wrong": wrong, "accounts": again.accounts, "state": state})
    else:
        out.print(f"{len(entries)} events, {again.rounds} rounds")
        rows = [(name, show(cents)) for name, cents in again.accounts.items() if cents]
        out.print(table(("account", "balance"), rows))
        out.print("\n".join(wrong) or "Everything matches.", markup=False)
    if wrong:
        raise typer.Exit(REFUSED)


def figures(
    events: Annotated[str, typer.Argument(metavar="EVENTS", help="A journal of `lammer play --journal`.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """The figures of a table: turnover, win, hold and commission by bet, hour and shoe; corrections."""
    made = figures_of(_journal(events))
    columns = ("what", "which", "bets", "turnover", "win", "commission", "hold %")
    rows = [
        (what, which, str(bets), show(turnover), show(win), show(commission), hold)
        for what, which, bets, turnover, win, commission, hold in made.rows()
    ]
    if as_json:
        figures_json = [dict(zip(columns, row, strict=True)) for row in rows]
        bank = {"fills": show(made.fills), "credits": show(made.credits)}
        say_json(
            {"rounds": made.rounds, "figures": figures_json, "bank": bank, "corrections": made.corrections}
        )
    elif as_csv:
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([columns, *rows])
        out.out(stream.getvalue().rstrip("\n"), highlight=False)
    else:
        out.print(", ".join(f"{count} {kind}" for kind, count in made.rounds.items()))
        out.print(table(columns, rows))
        for correction in made.corrections:
            out.print(escape(f"round {correction['round']}: {correction['because']} ({correction['by']})"))
