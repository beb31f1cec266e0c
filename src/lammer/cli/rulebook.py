"""`lammer rulebook …`: the commands that look into one rulebook or file."""

from __future__ import annotations

from typing import Final

import typer

from lammer.cli.on_demand import PLAIN, Named, group_of

COMMANDS: Final = {
    "prove": Named(
        "lammer.cli.prove",
        "prove",
        "Prove what a rulebook promises, for every round and every stake,"
        " or write a scenario that breaks it.",
    ),
    "show": Named(
        "lammer.cli.show",
        "show",
        "What a rulebook says, each value beside its paragraph.",
    ),
    "check": Named(
        "lammer.cli.check",
        "check",
        "Prove rulebooks whole: every problem of every file, with its row and paragraph.",
    ),
    "diff": Named(
        "lammer.cli.changes",
        "diff",
        "What changed between two rulebooks, by meaning, with both paragraph numbers.",
    ),
    "coverage": Named(
        "lammer.cli.coverage",
        "coverage",
        "Paragraph by paragraph: what answers for it, which tests and which theorems prove it.",
    ),
    "new": Named(
        "lammer.cli.new_rulebook",
        "new",
        "Write a small rulebook of your own; what it leaves out is as usual, or as in another.",
    ),
    "whole": Named(
        "lammer.cli.new_rulebook",
        "whole",
        "Write out everything a small file comes to: it stands on its own and has the same SHA-256.",
    ),
    "schema": Named(
        "lammer.cli.new_rulebook",
        "schema",
        "Print a JSON Schema of rulebook files, for editors that complete and check TOML.",
    ),
}
"""Every command, in the order in which they are listed."""

app = typer.Typer(
    cls=group_of(COMMANDS),
    help="Look into one rulebook, check files, compare two.",
    no_args_is_help=True,
    **PLAIN,
)


@app.callback()
def _look_into_one() -> None:
    """Look into one rulebook, check files, compare two."""
