"""The command line. Thin on purpose: it reads arguments and files, calls the rooms, prints what they say.

Exit codes: 0 done, 1 refused (with code, sentence, citation), 2 wrong usage.
"""

from __future__ import annotations

import sys

import typer

from lammer.cli import deal, rulebooks, settle
from lammer.cli.console import REFUSED, tell_refusal
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
app.command("rulebooks")(rulebooks.list_rulebooks)
app.add_typer(rulebooks.app, name="rulebook")
app.command("deal")(deal.deal)
app.command("settle")(settle.settle)


def main() -> None:
    """Run a command; a refusal is an answer, not a traceback."""
    try:
        app()
    except (Refused, DefectiveRulebook) as refused:
        tell_refusal(refused, as_json="--json" in sys.argv[1:])
        sys.exit(REFUSED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(REFUSED)
