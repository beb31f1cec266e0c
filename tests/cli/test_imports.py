"""A command imports what it needs: counted in modules, which are the same on every machine."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from lammer.cli import app
from lammer.cli.on_demand import CommandsOnDemand
from support.awaited import GUARD

ROOT = Path(__file__).parents[2]
BOOK = "tiger-buffalo-noncommission@4"
RUN = """
import sys
from lammer.cli import app
try:
    app(sys.argv[1:])
except SystemExit as ended:
    assert not ended.code, ended.code
sys.stderr.write(repr(sorted(sys.modules)))
"""
OTHERS = {"altair", "babel", "litestar", "numba", "numpy", "reportlab", "sqlalchemy", "ssl", "z3"}


def modules(*words: str) -> set[str]:
    """What a command has imported once it is done."""
    ran = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=GUARD,
    )
    return set(ast.literal_eval(ran.stderr))


@pytest.mark.parametrize(
    ("words", "rooms", "ours"),
    [
        (("--help",), {"cli", "game", "rulebook", "shelf"}, 42),
        (("rulebook", "--help"), {"cli", "game", "rulebook", "shelf"}, 43),
        (("settle", "docs/guides/round.json"), {"cli", "game", "rulebook", "shelf", "wording"}, 48),
        (("rulebook", "show", BOOK), {"cli", "game", "rulebook", "shelf"}, 48),
        (("edges", BOOK), {"cli", "draw", "game", "lab", "rulebook", "shelf"}, 70),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_a_command_imports_what_it_needs(words: tuple[str, ...], rooms: set[str], ours: int) -> None:
    imported = modules(*words)
    mine = {name for name in imported if name.startswith("lammer.")}
    assert {name.split(".")[1] for name in mine} <= rooms
    assert len(mine) <= ours
    assert not imported & OTHERS


def groups(command: Any) -> Iterator[CommandsOnDemand]:
    if isinstance(getattr(command, "commands", None), CommandsOnDemand):
        yield command.commands
        for name in command.commands:
            yield from groups(command.commands[name])


def test_the_line_of_every_command_in_the_list_is_its_own() -> None:
    found = list(groups(typer.main.get_command(app)))
    assert len(found) == 2
    for commands in found:
        for name, command in commands.items():
            assert commands.named[name].line == command.help.split("\n")[0], name
