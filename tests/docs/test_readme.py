"""Every command of the README does what it says, as it is typed there; long ones on less."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from support.terminal import Terminal

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
# A report takes half a minute and is made in `lab/test_charts_and_report.py`.
COMMANDS = re.findall(r"^lammer ((?!report).+)$", README, re.MULTILINE)
LESS = {
    "simulate": ("--rounds", "1e5"),
    "count": ("--shoes", "8"),
    # The whole takes minutes, and `tests/proof` proves it. Under load a solver may be out of time.
    "rulebook prove": ("--theorem", "table-of-play"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works_as_typed(
    lammer: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)
    option, value = LESS.get(words[0], LESS.get(" ".join(words[:2]), ("", "")))
    if option in words:
        words[words.index(option) + 1] = value
    elif option:
        words += [option, value]
    ran = lammer(*words)
    assert ran.code == 0, ran.err
    assert ran.out.strip()


def test_every_target_of_make_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"^make (\w+)|`make (\w+)`", README, re.MULTILINE)):
        assert re.search(rf"^{''.join(target)}:", makefile, re.MULTILINE), target


def test_the_pictures_are_small() -> None:
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README)
    assert pictures
    assert sum((ROOT / each).stat().st_size for each in pictures) < 150_000
