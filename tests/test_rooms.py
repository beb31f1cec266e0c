"""The rooms stay what they are: pure, exact, and light to import."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import grimp
import pytest

import lammer
from lammer.coverage import ANSWERED, status
from lammer.rulebook.behaviours import BEHAVIOURS
from lammer.shelf import shipped_ids
from paragraphs.clause import PROOFS
from paragraphs.conftest import clauses

PACKAGE = Path(lammer.__file__).parent
LISTS = Path(__file__).parent / "paragraphs"
PURE = sorted(
    file
    for room in ("rulebook", "game", "table", "academy", "draw")
    for file in (PACKAGE / room).glob("*.py")
)

CORE_ALONE = """
KNOWN = {*sys.stdlib_module_names, "lammer", "msgspec"}

class NothingElse:
    def find_spec(self, name, path=None, target=None):
        # A module of Python's own whose name tells the machine it was built on is in no list.
        if name.partition(".")[0] not in KNOWN and not name.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, NothingElse())
import lammer
print(lammer.rulebook("tiger-buffalo-noncommission@4").id)
"""
"""Loads the core where nothing else is installed: msgspec takes typing_extensions only where it finds it."""

EXACT = [file for file in PURE if file.parent.name != "draw"]


@pytest.mark.parametrize("file", EXACT, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_no_floats_in_the_core(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), node.lineno
        assert not (isinstance(node, ast.Name) and node.id == "float"), node.lineno


@pytest.mark.parametrize("file", PURE, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_no_files_and_no_clock_in_the_core(file: Path) -> None:
    forbidden = {"open", "print", "input", "now", "utcnow", "today", "read_text", "write_text"}
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            assert name not in forbidden, (name, node.lineno)


def test_no_module_needs_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("lammer")
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imported).prepare()  # A CycleError names the modules.


def test_the_core_needs_only_the_standard_library_and_msgspec() -> None:
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{CORE_ALONE}"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "tiger-buffalo-noncommission@4"


def test_every_promise_of_a_built_room_is_kept_by_code() -> None:
    for room in ("rulebook", "game", "table"):
        answers = import_module(f"lammer.{room}.answers").ANSWERS
        promised = {name for name, behaviour in BEHAVIOURS.items() if behaviour.room == room}
        assert answers.keys() == promised
        assert all(callable(function) for functions in answers.values() for function in functions)


@pytest.mark.parametrize("name", shipped_ids())
def test_every_answered_clause_has_a_proof(name: str) -> None:
    book = lammer.rulebook(name)
    proved = {number for number, _, _ in clauses(LISTS / f"{name}.toml")}
    answered = {p.number for p in book.paragraphs.values() if status(p) == ANSWERED}
    assert answered <= proved
    assert proved <= book.paragraphs.keys()


def test_no_proof_lies_about() -> None:
    used = {proof for name in shipped_ids() for _, proof, _ in clauses(LISTS / f"{name}.toml")}
    assert used == PROOFS.keys()


CODES = {
    "rulebook": "lammer.rulebook.refusal_codes",
    **{room: f"lammer.{room}.refusal_codes" for room in ("game", "table", "academy", "lab", "proof", "cli")},
    **{
        f"floor/{room}": f"lammer.floor.{room}.refusal_codes"
        for room in ("record", "access", "tables", "web")
    },
}
"""Where each room declares its refusal codes."""
BENEATH = {
    "rulebook": (),
    "game": ("rulebook",),
    "draw": ("rulebook", "game"),
    "table": ("rulebook", "game"),
    "academy": ("rulebook", "game", "table"),
    "lab": ("rulebook", "game"),
    "proof": ("rulebook", "game"),
    "shelf.py": ("rulebook",),
    "floor/settings.py": ("rulebook",),
    "floor/record": ("rulebook", "game", "table"),
    "floor/access": ("rulebook", "game", "table", "floor/record"),
    "floor/views": ("rulebook", "game", "table", "floor/record"),
    "floor/tables": ("rulebook", "game", "table", "floor/record", "floor/access"),
    "floor/web": (
        "rulebook",
        "game",
        "table",
        "academy",
        "lab",
        "floor/record",
        "floor/access",
        "floor/tables",
    ),
    "floor/main.py": tuple(room for room in CODES if room != "cli"),
    "cli": tuple(CODES),
}
"""The rooms whose codes a room may give besides its own."""
CHOSEN_ELSEWHERE = {
    "game/settlement.py": "the limit that was broken names its code",
    "table/insuring.py": "the limit that was broken names its code",
    "floor/web/peers.py": "what another process refused; compared with every code",
}
"""Files in which a refusal's code is no literal, and why."""


def _room(file: Path) -> str:
    parts = file.relative_to(PACKAGE).parts
    return "/".join(parts[:2]) if parts[0] == "floor" else parts[0]


def _literals(node: ast.expr) -> list[str] | None:
    if isinstance(node, ast.IfExp):
        body, other = _literals(node.body), _literals(node.orelse)
        return None if body is None or other is None else body + other
    return [str(node.value)] if isinstance(node, ast.Constant) else None


def _refusals(file: Path) -> list[tuple[int, list[str] | None]]:
    """The codes given in a file, with their lines; None where a code is not written out."""
    tree = ast.parse(file.read_text("utf-8"))
    kinds = [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef) and _is_refusal(each)]
    within = {id(node) for kind in kinds for node in ast.walk(kind)}
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = ast.unparse(node.func)
        if name == "Refused" or (name == "super().__init__" and id(node) in within):
            found.append((node.lineno, _literals(node.args[0])))
    return found


def _is_refusal(kind: ast.ClassDef) -> bool:
    return any(ast.unparse(base) == "Refused" for base in kind.bases)


def test_a_refusal_code_is_declared_by_its_room_or_beneath_it() -> None:
    declared = {room: set(import_module(module).CODES) for room, module in CODES.items()}
    assert sum(map(len, declared.values())) == len(set().union(*declared.values())), "each once"
    given: dict[str, set[str]] = {}
    not_written_out = set()
    for file in PACKAGE.rglob("*.py"):
        room = _room(file)
        known = declared.get(room, set()).union(*(declared[other] for other in BENEATH.get(room, ())))
        for line, codes in _refusals(file):
            if codes is None:
                not_written_out.add(str(file.relative_to(PACKAGE)))
                continue
            assert known.issuperset(codes), (f"{file}:{line}", codes)
            for code in codes:
                given.setdefault(code, set()).add(room)
    assert not_written_out == CHOSEN_ELSEWHERE.keys()
    lower = {room: {r for r, under in BENEATH.items() if room in under} for room in CODES}
    for room, own in declared.items():
        for code in own & given.keys():
            assert room in given[code] or len(given[code] & lower[room]) > 1, f"{code} belongs higher up"


FLOOR = sorted((PACKAGE / "floor").rglob("*.py"))
DECIDES = {"live_table.py", "ownership.py", "command_handler.py", "shoe_readers.py"}
"""Who may touch the table that decides, ahead of what is on disk."""


@pytest.mark.parametrize("file", FLOOR, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_nobody_else_reaches_the_table_that_decides(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and file.name not in DECIDES:
            assert node.attr not in {"deciding", "must_decide"}, (node.attr, node.lineno)
        if isinstance(node, ast.ImportFrom) and node.module == "lammer.floor.views.durable_view":
            names = {alias.name for alias in node.names}
            assert names == {"DurableView"} or file.name == "live_table.py", (
                "only live_table makes and moves a view"
            )
