"""How the command line speaks: tables and stories for people, JSON for programs, refusals for both."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lammer.rulebook.problems import DefectiveRulebook, Problem
from lammer.rulebook.refusal import Refused

DONE, REFUSED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
BookId = Annotated[str, typer.Argument(metavar="ID", help="A rulebook's id, or a TOML file of yours.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]

PIPED_WIDTH = 160
"""Characters in a line of a table sent to a file or to another program."""


def must_not_disagree(context: typer.Context, *names: str) -> None:
    """Refuse two options of which only one can be meant, where both were typed."""
    options = (option for option in context.command.params if option.name in names)
    typed = [option for option in options if _was_typed(context, option)]
    if len(typed) > 1:
        one, other = (option.opts[0] for option in typed[:2])
        raise Refused(
            "options_disagree",
            "{one} and {other} cannot both be meant.",
            next_step="Leave one of them out.",
            one=one,
            other=other,
        )


def _was_typed(context: typer.Context, option: Any) -> bool:
    source = context.get_parameter_source(option.name)
    return source is not None and source.name == "COMMANDLINE"


def _console(*, stderr: bool) -> Console:
    console = Console(highlight=False, soft_wrap=True, stderr=stderr)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPED_WIDTH
    return console


out = _console(stderr=False)
err = _console(stderr=True)


def _encode_as_text(value: object) -> str:
    """A fraction; or a phrase or a term, which knows more than its letters. A program gets the letters."""
    if isinstance(value, str | Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def say_json(value: object) -> None:
    """One JSON document on standard output."""
    out.out(
        msgspec.json.format(msgspec.json.encode(value, enc_hook=_encode_as_text), indent=2).decode(),
        highlight=False,
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", whole: int = 1) -> Table:
    """A plain table; every cell is text, never markup. The first `whole` columns are never wrapped."""
    grid = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="dim")
    for index, column in enumerate(columns):
        grid.add_column(column, overflow="fold", no_wrap=index < whole)
    for row in rows:
        grid.add_row(*(escape(cell) for cell in row))
    return grid


def counted(count: int, one: str) -> str:
    """A number of things.

    >>> counted(1, "layout"), counted(2, "layout")
    ('1 layout', '2 layouts')
    """
    return f"{count} {one}{'' if count == 1 else 's'}"


def refusal_json(refused: Refused | DefectiveRulebook) -> dict[str, Any]:
    """The one shape every refusal has; a defective rulebook adds its problems."""
    if isinstance(refused, DefectiveRulebook):
        return {
            "refused": {
                "code": "defective_rulebook",
                "sentence": str(refused).partition("\n")[0],
                "citation": None,
                "next": "Mend what is listed; `lammer rulebook check` shows it again.",
                "problems": problems_json(refused),
            }
        }
    return {
        "refused": {
            "code": refused.code,
            "sentence": refused.sentence,
            "citation": refused.citation,
            "next": refused.next_step,
        }
    }


def problems_json(defective: DefectiveRulebook) -> list[dict[str, Any]]:
    """Every problem of a file."""
    return [problem_json(problem) for problem in defective.problems]


def problem_json(problem: Problem) -> dict[str, Any]:
    """One problem, or one thing a private file leaves out."""
    columns = ("row", "where", "paragraph", "expected", "found")
    return {name: getattr(problem, name) for name in columns}


def tell_refusal(refused: Refused | DefectiveRulebook, *, as_json: bool) -> None:
    """The sentence on standard error; with `--json` also the same as JSON on standard output."""
    if as_json:
        say_json(refusal_json(refused))
    head = "Refused defective_rulebook: " if isinstance(refused, DefectiveRulebook) else ""
    err.print(escape(head + str(refused)))
