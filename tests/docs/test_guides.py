"""What the pages tell people to type can be typed: commands, options, settings, targets."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from lammer.cli import app
from lammer.floor.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")
TYPED = re.compile(r"^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\S*/)?lammer (.+)$")
ENDS = {"|", ">", ">>", "<", "&", "&&", ";", "#", "2>"}


def typed(text: str) -> Iterator[str]:
    """Everything shown as a `lammer` command: lines of blocks, joined if they go on, and words in prose."""
    blocks = [block for kind, block in FENCED.findall(text) if kind in ("", "sh")]
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    for line in (*lines, *INLINE.findall(FENCED.sub("", text))):
        if match := TYPED.match(line.strip()):
            yield match[1]


def wrong(words: str) -> str:
    """What cannot be typed of a command, or nothing."""
    command: Any = typer.main.get_command(app)
    given = shlex.split(words, comments=True)
    given = given[: next((place for place, word in enumerate(given) if word in ENDS), len(given))]
    options = {"--version", "--help"}
    while children := getattr(command, "commands", None):
        if not given or given[0].startswith("-"):
            break
        name = given.pop(0)
        if name not in children:
            return f"no command {name!r}"
        command = children[name]
        options = {"--help"}
    options |= {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
    unknown = [word.partition("=")[0] for word in given if word.startswith("-") and word != "-"]
    return ", ".join(f"no option {word!r}" for word in unknown if word not in options)


# Decisions tell of what was then; nobody types from them.
TYPED_FROM = [page for page in PAGES if page.parent.name != "decisions"]


@pytest.mark.parametrize("page", TYPED_FROM, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_can_be_typed(page: Path) -> None:
    assert {words: told for words in typed(page.read_text("utf-8")) if (told := wrong(words))} == {}


def test_a_command_nobody_has_is_found() -> None:
    page = (
        "Say `lammer edgy`.\n\n```json\n{}\n```\n"
        "```\nLAMMER_PORT=0 lammer serve --data x \\\n  --prot 1 > out\n.venv/bin/lammer verify\n```\n"
    )
    assert [wrong(words) for words in typed(page)] == ["no option '--prot'", "", "no command 'edgy'"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_settings_and_targets_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    tests = "".join(file.read_text("utf-8") for file in (ROOT / "tests").rglob("*.py"))
    settings = {PREFIX + name.upper() for name in Settings.__struct_fields__}
    for name in set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", text)) - settings:
        assert f'"{name}"' in tests, name
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"(?:^|`)make ([a-z]+)\b", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
