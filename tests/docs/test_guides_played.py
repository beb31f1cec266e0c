"""The guides played through against a real house: what is typed is answered as the page shows it.

`…` on a page stands for anything.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyotp
import pytest

from support.served import Served

GUIDES = Path(__file__).parents[2] / "docs/guides"
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LAMMER = f"lammer() {{ {shlex.quote(sys.executable)} -c 'from lammer.cli import main; main()' \"$@\"; }}\n"
needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="apt install curl, then make test")


def blocks(page: str) -> list[tuple[str, str]]:
    return FENCED.findall((GUIDES / page).read_text("utf-8"))


def typed(house: Served, folder: Path, commands: Iterable[str]) -> list[str]:
    """These typed in order in one shell, which knows address and tokens; what each was answered."""
    names = {role.upper(): link.partition("token=")[2] for role, link in house.links.items()}
    script = LAMMER + "".join(f"{name}={value}\n" for name, value in (names | {"H": house.address}).items())
    script += "".join(f"{{ {command}\n}} 2>&1\necho @@@\n" for command in commands)
    run = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.split("@@@\n")


@needs_curl
def test_a_day_with_the_api(tmp_path: Path) -> None:
    pages = blocks("api.md")
    # Streams are left after some seconds; a busy machine gets more of them.
    commands = [block.replace(" -m 2 ", " -m 5 ") for kind, block in pages if kind == "sh"]
    house = Served(tmp_path, LAMMER_TABLES="0").start()
    try:
        answers = iter(typed(house, tmp_path, commands))
    finally:
        house.stop()
    compared = 0
    for (kind, block), (after, shown) in zip(pages, [*pages[1:], ("", "")], strict=True):
        if kind == "sh":
            answer, expected = next(answers), "" if after == "sh" else shown
            pattern = ".*?".join(map(re.escape, expected.replace("\n", "").split("…")))
            assert re.fullmatch(pattern, answer.replace("\n", "")), (block, answer)
            compared += bool(expected)
    assert compared >= 10


def shown_on(page: str) -> Iterator[tuple[str, str]]:
    """Each command behind a `$`, and what is shown below it."""
    for _, block in blocks(page):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, below = part.partition("\n")
            yield command, below


def alike(text: str) -> dict[str, None]:
    """Kinds of lines, whatever the numbers in them.

    How many checkpoints there are the clock decides, and so whether anything came after the last.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.endswith("after the last checkpoint")]
    return dict.fromkeys(re.sub(r"\d[\d,]*", "0", line) for line in lines)


@needs_curl
def test_a_house_is_copied_and_verified(tmp_path: Path) -> None:
    """As `floor.md` shows it, on the house of the API's day."""
    shown = dict(reversed([*shown_on("floor.md")]))
    day = [block for kind, block in blocks("api.md") if kind == "sh" and " -m 2 " not in block]
    beside = [
        "lammer serve --data house --port 0",
        "lammer backup monday.gz --data house",
        "lammer restore monday.gz --data spare",
        "lammer verify --data house",
    ]
    later = 'post dealer tables/t1/commands \'{"do": "open_bets"}\''
    (folder := tmp_path / "house").mkdir()
    house = Served(folder, LAMMER_TABLES="0").start()
    try:
        answers = typed(house, tmp_path, [*day, *beside, later, "curl -s $H/metrics"])[len(day) :]
    finally:
        house.stop()
    # The last checkpoint, made at the stop, covers what came after the backup.
    shutil.copytree(folder, tmp_path / "kept")
    (against,) = (command for command in shown if "--checkpoints kept" in command)
    (last,) = typed(house, tmp_path, [against])[:1]
    for command, answer in zip([*beside, against], [*answers[: len(beside)], last], strict=True):
        assert alike(answer) == alike(shown[command]), command
    named = set(re.findall(r"\b(lammer_[a-z_]+)\b", (GUIDES / "floor.md").read_text("utf-8")))
    missing = {
        name for name in named if not re.search(rf"^{name}[ {{_]", answers[len(beside) + 1], re.MULTILINE)
    }
    assert not missing


@needs_curl
def test_a_second_factor_is_set_up_and_taken_away(tmp_path: Path) -> None:
    """As `floor.md` shows it, with the code the app shows just then."""
    shown = dict(shown_on("floor.md"))
    words = [block for kind, block in blocks("api.md") if kind == "sh"][:2]
    begin, confirm, look, ask, remove = (
        next(command for command in shown if part in command)
        for part in (
            "session/second-factor '",
            "/confirm",
            "second-factor dealer --data",
            "/remove '",
            "--remove",
        )
    )
    (folder := tmp_path / "house").mkdir()
    house = Served(folder, LAMMER_TABLES="0").start()
    try:
        begun = typed(house, tmp_path, [*words, begin])[len(words)]
        code = pyotp.TOTP(json.loads(begun)["secret"]).now()
        # The same shell again: who is signed in lies in files, the words are said anew.
        said = [words[0].partition("come_in player")[0], words[1].partition("\n")[2]]
        then = [confirm.replace("492039", code), look, ask, remove]
        answers = [begun, *typed(house, tmp_path, [*said, *then])[len(said) :]]
    finally:
        house.stop()
    for command, answer in zip([begin, confirm, look, ask, remove], answers, strict=False):
        expected = re.sub("[a-z0-9]{4}(-[a-z0-9]{4}){3}", "…", shown[command].strip())
        pattern = ".*?".join(map(re.escape, expected.replace("machine:root", "machine:…").split("…")))
        assert re.fullmatch(pattern, answer.strip()), (command, answer)


def test_a_rulebook_is_written_as_the_guide_says(tmp_path: Path) -> None:
    """Every command of the guide in order, in an empty folder; its first TOML block is the edited file."""
    page = blocks("write-your-own-rulebook.md")
    toml = next(block for kind, block in page if kind == "toml")
    commands, shown = [], []
    for (kind, block), (after, below) in zip(page, [*page[1:], ("sh", "")], strict=True):
        if kind == "sh":
            commands.append(block)
            shown.append(below if after == "" else "…")
        elif kind == "toml" and block == toml:
            commands.append(f"cat > ez-baccarat@1.toml <<'TOML'\n{block}TOML")
            shown.append("")
    script = "set -e\n" + LAMMER + "".join(f"{{ {command}\n}} 2>&1\necho @@@\n" for command in commands)
    run = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    answers = run.stdout.split("@@@\n")
    assert len(answers) == len(commands) + 1, run.stdout[-2000:]
    for command, expected, answer in zip(commands, shown, answers, strict=False):
        lines = [re.sub(r"\s+", " ", line.strip()) for line in expected.splitlines()]
        pattern = r"\s+".join(".*".join(map(re.escape, line.split("…"))) for line in lines)
        assert re.fullmatch(pattern, re.sub(r"[ \t]+", " ", answer).strip(), re.DOTALL), (command, answer)
    assert sum(each not in ("", "…") for each in shown) >= 4


def test_the_files_of_the_guide_are_typed_too() -> None:
    """The last block names files of the repository; each command does what it says."""
    (_, last) = blocks("write-your-own-rulebook.md")[-1]
    script = "set -e\n" + LAMMER + last
    subprocess.run(["bash", "-c", script], cwd=GUIDES.parents[1], capture_output=True, check=True)
