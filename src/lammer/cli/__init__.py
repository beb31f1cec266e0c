"""The command line. Thin on purpose: it reads arguments and files, calls the rooms, prints what they say.

Exit codes: 0 done, 1 refused (with code, sentence, citation), 2 wrong usage, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, Final

import typer

from lammer.cli.exit_codes import REFUSED, WRONG_USAGE
from lammer.cli.on_demand import PLAIN, Named, group_of
from lammer.rulebook.problems import DefectiveRulebook
from lammer.rulebook.refusal import Refused

COMMANDS: Final = {
    "rulebooks": Named(
        "lammer.cli.rulebooks",
        "list_rulebooks",
        "The rulebooks on the shelf, and which of each game is in force.",
    ),
    "deal": Named(
        "lammer.cli.deal",
        "deal",
        "Deal one random round and explain it card by card, each step with its paragraph.",
    ),
    "settle": Named(
        "lammer.cli.settle",
        "settle",
        "Settle one round and say what each bet came to, under which paragraph.",
    ),
    "drill": Named(
        "lammer.cli.drill",
        "drill",
        "Train as a dealer: items made from a rulebook and graded by the engine that runs the floor.",
    ),
    "play": Named(
        "lammer.cli.play",
        "play",
        "Run a script under every rulebook it names: the story with citations, and what it expects checked.",
    ),
    "replay": Named(
        "lammer.cli.play",
        "replay_events",
        "Rebuild a table from its events and check them: shoe, cards, settlements, rulebook, money.",
    ),
    "figures": Named(
        "lammer.cli.play",
        "figures",
        "The figures of a table: turnover, win, hold and commission by bet, hour and shoe; corrections.",
    ),
    "edges": Named(
        "lammer.cli.lab", "edges", "The exact edge of every bet and of every Insurance situation."
    ),
    "compare": Named(
        "lammer.cli.lab", "compare", "What changed between two rulebooks, and what it did to each edge."
    ),
    "odds": Named(
        "lammer.cli.lab",
        "odds",
        "Mid-round: the exact chances of every bet and the worth of each Insurance offer from here.",
    ),
    "simulate": Named(
        "lammer.cli.simulate",
        "simulate",
        "Deal whole shoes: every bet against its exact edge, and the house's win on a mix of bets.",
    ),
    "count": Named(
        "lammer.cli.count",
        "count",
        "How often each bet is worth betting to one who knows every card gone, and what that makes.",
    ),
    "serve": Named(
        "lammer.cli.serve",
        "serve",
        "Serve a house of tables. The first start makes accounts and prints one-time sign-in links.",
    ),
    "verify": Named(
        "lammer.cli.record",
        "verify",
        "Work everything out anew from the events alone, and say what does not match, to the event.",
    ),
    "backup": Named(
        "lammer.cli.record",
        "backup",
        "Copy the whole record as it stands at one moment, while the house runs.",
    ),
    "sealing-key": Named(
        "lammer.cli.record",
        "sealing_key",
        "Put a new key first that seals shoes in the record; those before it still open what they sealed.",
    ),
    "restore": Named(
        "lammer.cli.record",
        "restore",
        "Put a copy back into an empty record, of either kind; every chain is recomputed on the way.",
    ),
    "export": Named(
        "lammer.cli.record",
        "export",
        "Events for people and other programs, on standard output: JSON lines, or CSV.",
    ),
    "report": Named(
        "lammer.cli.lab_report", "report", "The mathematics of rulebooks as a laboratory files it."
    ),
    "rulebook": Named(
        "lammer.cli.rulebook",
        "app",
        "Look into one rulebook, check files, compare two.",
    ),
    "accounts": Named(
        "lammer.cli.accounts",
        "app",
        "Who may come in: for whoever keeps the machine, also while the house runs.",
    ),
    "program": Named("lammer.cli.record", "program_app", "The program's own files, as a signed manifest."),
    "witness": Named(
        "lammer.cli.witness",
        "app",
        "See how the logs of houses grow, and sign that they only grew.",
    ),
}
"""Every command, in the order in which they are listed."""

app = typer.Typer(
    name="lammer",
    cls=group_of(COMMANDS),
    help="Approved baccarat Game Rules as a running system: every payment names its paragraph.",
    no_args_is_help=True,
    **PLAIN,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 (only this option asks)

        typer.echo(f"lammer {version('lammer')}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Approved baccarat Game Rules as a running system: every payment names its paragraph."""


def main() -> None:
    """Run a command; a refusal is an answer, not a traceback."""
    if sys.stdout is None:
        sys.exit(WRONG_USAGE)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot write 闲 shows a question mark instead of stopping half way.
            stream.reconfigure(errors="replace")
    try:
        app()
    except (Refused, DefectiveRulebook) as refused:
        from lammer.cli.console import tell_refusal  # noqa: PLC0415 (a list of commands draws no tables)

        tell_refusal(refused, as_json="--json" in sys.argv[1:])
        sys.exit(REFUSED)
    except BrokenPipeError:
        _let_go_of_output()
        sys.exit(REFUSED)
    except OSError as error:
        _let_go_of_output()
        typer.echo(f"Nothing more can be written: {error.strerror}.", err=True)
        sys.exit(REFUSED)


def _let_go_of_output() -> None:
    """Keep Python from trying once more to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
