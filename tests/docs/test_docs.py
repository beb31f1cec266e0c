"""What the documentation says is what the code does."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import draw_rooms
import reference
from lammer.cli.settle import settle_text

ROOT = Path(__file__).parents[2]
PAGES = reference.pages()
WRITTEN = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("path", sorted(PAGES), ids=str)
def test_made_pages_are_current(path: Path) -> None:
    assert (ROOT / path).read_text("utf-8") == PAGES[path], "run `make reference`"


def test_no_made_page_lies_about() -> None:
    made = {ROOT / path for path in PAGES}
    assert {file for file in (ROOT / "docs/reference").rglob("*") if file.is_file()} <= made


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_somewhere(file: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", file.read_text("utf-8")):
        there = file.parent / target if target else file
        assert there.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.+)$", there.read_text("utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


PLACES = re.compile(r"`((?:[\w-]+/)*\w+\.(?:py|js))(?:: ([\w.]+))?`")
"""A file in backticks, perhaps with a colon and the name of what it holds."""
CODE = [
    file
    for folder in ("src", "tests", "tools", "benchmarks", "deploy", "docs")
    for file in (ROOT / folder).rglob("*")
    if file.suffix in (".py", ".js")
]


@pytest.mark.parametrize(
    "file",
    [file for file in WRITTEN if file.parent.name != "decisions" and file.name != "CHANGELOG.md"],
    ids=lambda file: str(file.relative_to(ROOT)),
)
def test_places_in_the_code_are_where_the_page_says(file: Path) -> None:
    """Decisions and the changelog say where things were then."""
    for path, name in PLACES.findall(file.read_text("utf-8")):
        found = [code for code in CODE if code.as_posix().endswith(f"/{path}")]
        assert found, path
        assert not name or any(_defines(ast.parse(code.read_text("utf-8")), name) for code in found), (
            path,
            name,
        )


def _defines(tree: ast.Module | ast.ClassDef, name: str) -> bool:
    """Whether a module or a class defines a name; after a dot, what the class of that name defines."""
    first, _, rest = name.partition(".")
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == first:
            return not rest or _defines(node, rest)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == first:
            return not rest
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == first for target in targets):
            return not rest
    return False


def test_the_picture_of_the_rooms_is_current() -> None:
    edges = draw_rooms.imports_now()
    assert draw_rooms.edges_in(draw_rooms.PICTURE.read_text("utf-8")) == edges.keys(), "run `make reference`"
    assert draw_rooms.backward(edges) == []


@pytest.mark.parametrize("folder", ["guides", "concepts"])
def test_the_index_has_every_page(folder: str) -> None:
    index = (ROOT / "docs/README.md").read_text("utf-8")
    missing = [
        page.name for page in (ROOT / "docs" / folder).glob("*.md") if f"({folder}/{page.name}" not in index
    ]
    assert not missing


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: str(file.relative_to(ROOT)))
def test_python_in_the_pages_does_what_it_says(file: Path) -> None:
    if ">>>" in file.read_text("utf-8"):
        command = [sys.executable, "-m", "doctest", str(file)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout


def test_the_round_in_the_guide_is_the_round_beside_it() -> None:
    guide = (ROOT / "docs/guides/settle-a-round.md").read_text("utf-8")
    shown = re.search(r"```json\n(.*?)```", guide, re.DOTALL)
    assert shown is not None
    beside = (ROOT / "docs/guides/round.json").read_bytes()
    assert json.loads(shown[1]) == json.loads(beside)
    assert settle_text(beside).net == {"p1": 25_00}


def test_the_bet_in_the_guide_is_in_the_example() -> None:
    guide = (ROOT / "docs/guides/write-your-own-rulebook.md").read_text("utf-8")
    shown = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    assert "lucky_eight" in shown[-1]
    assert shown[-1] in (ROOT / "docs/guides/da-hu-nine-bets.toml").read_text("utf-8")


def test_no_host_is_named_anywhere() -> None:
    """The lock and the settings name packages and hashes, never where they come from."""
    folders = ("src", "tests", "docs", "tools", "benchmarks", "requirements", ".ci")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*") if file.is_file()]
    files += [file for file in ROOT.iterdir() if file.is_file()]
    for file in files:
        if "__pycache__" not in file.parts:
            text = file.read_text("utf-8", errors="ignore")
            hosts = set(re.findall(r"https?://([\w.-]+)", text)) - {"www.w3.org", "www.apache.org"}
            # Names under .example lead nowhere by agreement.
            hosts = {host for host in hosts if "." in host and not host.endswith(".example")} - {"127.0.0.1"}
            assert not hosts, (file, hosts)


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [
        (file.name[:4], file.read_text("utf-8").split(".")[0])
        for file in (ROOT / "docs/decisions").glob("*.md")
    ]
    assert len({number for number, _ in numbers}) == len(numbers)
    assert all(heading == f"# {int(number)}" for number, heading in numbers)
