"""`lammer play`, `lammer replay` and `lammer figures`: scripts run, journals rebuilt, figures drawn up."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from lammer.cli.console import AsCsv, AsJson, err, out, refusal_json, say_json, table
from lammer.cli.exit_codes import REFUSED, WRONG_USAGE
from lammer.cli.script_story import heading, story_lines
from lammer.game.money import show
from lammer.lab.output.sheet import Sheet
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.shelf import books_by_id, read, rulebook
from lammer.table.journal import decode, encode, snapshot
from lammer.table.ledger import postings
from lammer.table.per_rulebook import rulebooks_of, under_rulebook
from lammer.table.recall import recall_from
from lammer.table.report import report as figures_of
from lammer.table.script import ScriptRun, must_be_script, run, unmet_expectations
from lammer.table.verify import verify
from lammer.wording.catalogues import ENGLISH, Language, catalogues, say
from lammer.wording.figures import write_money


def play(
    script: Annotated[str, typer.Argument(metavar="SCRIPT", help="A TOML file of set-up and commands.")],
    book_id: Annotated[
        str,
        typer.Option(
            "--rulebook",
            metavar="ID",
            help="Play it under this rulebook alone; otherwise under all it names.",
        ),
    ] = "",
    journal: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write the events here, one JSON line each; under several rulebooks a file for each, "
            "with its id before the ending.",
        ),
    ] = "",
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="The language of the story: en or zh.")
    ] = ENGLISH,
    as_json: AsJson = False,
) -> None:
    """Run a script under every rulebook it names: the story with citations, and what it expects checked."""
    if language != ENGLISH and language not in catalogues():
        err.print(escape(f"There is no language {language!r}; there are {', '.join(catalogues())}."))
        raise typer.Exit(WRONG_USAGE)
    values = _script(script)
    names = [book_id] if book_id else list(rulebooks_of(values))
    shelves = [_books(name) for name in names]
    chosen = [_id(books, name) for books, name in zip(shelves, names, strict=True)]
    # Everything is checked before anything is played: a script that is none tells half a story.
    scripts = [under_rulebook(values, rulebook_id) for rulebook_id in chosen]
    for one_script in scripts:
        must_be_script(one_script)
    played_scripts = [run(books, one_script) for books, one_script in zip(shelves, scripts, strict=True)]
    for played in played_scripts:
        if journal:
            lines = b"".join(encode(entry) + b"\n" for entry in played.journal)
            rulebook_id = played.script["rulebook"] if len(played_scripts) > 1 else ""
            _journal_file(journal, rulebook_id).write_bytes(lines)
    if as_json:
        say_json([_played_json(played) for played in played_scripts])
    else:
        for number, played in enumerate(played_scripts):
            if number:
                out.print()
            _print_story(played, language)
    if any(unmet_expectations(played) for played in played_scripts):
        raise typer.Exit(REFUSED)


def _journal_file(file: str, rulebook_id: str) -> Path:
    """The file itself, or one for a rulebook: `night.jsonl` becomes `night.snap@1.jsonl`."""
    path = Path(file)
    return path.with_name(f"{path.stem}.{rulebook_id}{path.suffix}") if rulebook_id else path


def _script(file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(file).read_text("utf-8"))
    except (OSError, ValueError) as error:
        err.print(escape(f"{file!r} is not a script that can be read: {error}."))
        raise typer.Exit(WRONG_USAGE) from None


def _books(name: str) -> dict[str, Rulebook]:
    books = books_by_id()
    if name.endswith(".toml"):
        own_book = read(Path(name))
        books.pop(own_book.id, None)  # a file of yours may have the id of one that ships
        books[own_book.id] = own_book
    return books


def _id(books: dict[str, Rulebook], name: str) -> str:
    return next(reversed(books)) if name.endswith(".toml") else rulebook(name).id


def _print_story(played: ScriptRun, language: Language) -> None:
    """The story of a script under one rulebook: what was done, the money, and what did not come true."""
    out.print(Text(played.title, "bold"))
    out.print(Text(heading(played, language), "bold"))
    grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", style="dim")
    for who, sentence in story_lines(played, language):
        grid.add_row(Text(who), Text(sentence.text, sentence.style), sentence.cite)
    out.print(grid)
    rows = [(name, write_money(language, cents)) for name, cents in played.table.accounts.items() if cents]
    out.print(table((say(language, "account"), say(language, "balance")), rows))
    for expectation in unmet_expectations(played):
        out.print(Text(f"Not as the script says: {expectation}", "bold red"))


def _played_json(played: ScriptRun) -> dict[str, Any]:
    return {
        "title": played.title,
        "rulebook": played.script["rulebook"],
        "events": [msgspec.json.decode(encode(entry)) for entry in played.journal],
        "refusals": [
            {
                "step": taken.call.step,
                "by": taken.call.by,
                "do": taken.call.do,
                "asked": taken.call.fields,
                **refusal_json(taken.refused),
            }
            for taken in played.steps
            if taken.refused
        ],
        "ledger": [
            {
                "event": entry.number,
                "account": posting.account,
                "amount": show(posting.amount),
                "why": posting.why,
            }
            for entry in played.journal
            for posting in postings(entry.event)
        ],
        "accounts": {name: show(cents) for name, cents in played.table.accounts.items()},
        "unmet": unmet_expectations(played),
    }


def _journal_lines(file: str) -> list[bytes]:
    try:
        lines = Path(file).read_bytes().splitlines()
    except OSError as error:
        err.print(escape(f"{file!r} cannot be read: {error.strerror}."))
        raise typer.Exit(WRONG_USAGE) from None
    return [line for line in lines if line.strip()]


def replay_events(
    events: Annotated[str, typer.Argument(metavar="EVENTS", help="A journal of `lammer play --journal`.")],
    book_id: Annotated[
        str,
        typer.Option("--rulebook", metavar="FILE", help="A rulebook of yours it was played under."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Rebuild a table from its events and check them: shoe, cards, settlements, rulebook, money."""
    lines = _journal_lines(events)
    entries = [decode(line) for line in lines]
    books = _books(book_id)
    recall = recall_from(books, lambda: (entry.event for entry in entries))
    rebuilt, wrong = verify(books, entries, recall=recall)
    for entry, line in zip(entries, lines, strict=True):
        if encode(entry) != line:
            wrong.append(Phrase("event {number} is not written as it would be", number=entry.number))
    if not entries:
        wrong.append(Phrase("there are no events"))
    if as_json:
        state = msgspec.json.decode(snapshot(rebuilt))
        say_json({"events": len(entries), "wrong": wrong, "accounts": rebuilt.accounts, "state": state})
    else:
        out.print(f"{len(entries)} events, {rebuilt.rounds} rounds")
        rows = [(name, show(cents)) for name, cents in rebuilt.accounts.items() if cents]
        out.print(table(("account", "balance"), rows))
        out.print("\n".join(wrong) or "Everything matches.", markup=False)
    if wrong:
        raise typer.Exit(REFUSED)


def figures(
    events: Annotated[str, typer.Argument(metavar="EVENTS", help="A journal of `lammer play --journal`.")],
    as_csv: AsCsv = False,
    as_json: AsJson = False,
) -> None:
    """The figures of a table: turnover, win, hold and commission by bet, hour and shoe; corrections."""
    report = figures_of([decode(line) for line in _journal_lines(events)])
    columns = ("what", "which", "bets", "turnover", "win", "commission", "hold %")
    rows = tuple(
        (what, which, str(bets), show(turnover), show(win), show(commission), hold)
        for what, which, bets, turnover, win, commission, hold in report.rows()
    )
    if as_json:
        figures_json = [dict(zip(columns, row, strict=True)) for row in rows]
        bank = {"fills": show(report.fills), "credits": show(report.credits)}
        say_json(
            {
                "rounds": report.rounds,
                "figures": figures_json,
                "bank": bank,
                "corrections": report.corrections,
            }
        )
    elif as_csv:
        out.out(Sheet("Figures", columns, rows).csv(), highlight=False)
    else:
        out.print(", ".join(f"{count} {kind}" for kind, count in report.rounds.items()))
        out.print(table(columns, rows))
        for correction in report.corrections:
            out.print(escape(f"round {correction['round']}: {correction['because']} ({correction['by']})"))
