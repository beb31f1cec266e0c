"""The command line. Thin on purpose: it reads arguments and files, calls the rooms, prints what they say.

Exit codes: 0 done, 1 refused (with code, sentence, citation), 2 wrong usage, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import io
import os
import sys
from importlib.metadata import version
from typing import Annotated

import typer
from rich.markup import escape

from lammer.cli import (
    accounts,
    count,
    deal,
    drill,
    lab,
    lab_report,
    new_rulebook,
    play,
    record,
    rulebooks,
    serve,
    settle,
    simulate,
    witness,
)
from lammer.cli.console import REFUSED, WRONG_USAGE, err, out, tell_refusal
from lammer.rulebook.problems import DefectiveRulebook
from lammer.rulebook.refusal import Refused

app = typer.Typer(
    name="lammer",
    help="Approved baccarat Game Rules as a running system: every payment names its paragraph.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        out.print(f"lammer {version('lammer')}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Approved baccarat Game Rules as a running system: every payment names its paragraph."""


app.command("rulebooks")(rulebooks.list_rulebooks)
rulebooks.app.command("new")(new_rulebook.new)
rulebooks.app.command("whole")(new_rulebook.whole)
rulebooks.app.command("schema")(new_rulebook.schema)
app.add_typer(rulebooks.app, name="rulebook")
app.command("deal")(deal.deal)
app.command("settle")(settle.settle)
app.command("drill")(drill.drill)
app.command("play")(play.play)
app.command("replay")(play.replay_events)
app.command("figures")(play.figures)
app.command("edges")(lab.edges)
app.command("compare")(lab.compare)
app.command("odds")(lab.odds)
app.command("simulate")(simulate.simulate)
app.command("count")(count.count)
app.command("serve")(serve.serve)
app.add_typer(accounts.app, name="accounts")
app.command("verify")(record.verify)
app.add_typer(witness.app, name="witness")
app.command("backup")(record.backup)
app.command("restore")(record.restore)
app.command("export")(record.export)
app.command("report")(lab_report.report)


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
        tell_refusal(refused, as_json="--json" in sys.argv[1:])
        sys.exit(REFUSED)
    except BrokenPipeError:
        _let_go_of_output()
        sys.exit(REFUSED)
    except OSError as error:
        _let_go_of_output()
        err.print(escape(f"Nothing more can be written: {error.strerror}."))
        sys.exit(REFUSED)


def _let_go_of_output() -> None:
    """Keep Python from trying once more to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
