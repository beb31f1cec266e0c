"""Collects the lists of proofs, so that every clause of every rulebook is a test named by its paragraph.

`tests/paragraphs/tiger-buffalo-noncommission@4.toml::4.1.4::tigers_pay` is one of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import lammer
from paragraphs.clause import PROOFS, Clause

collect_ignore_glob = ["proofs_*.py", "clause.py", "pit.py", "rounds.py"]
for _file in sorted(Path(__file__).parent.glob("proofs_*.py")):
    import_module(f"paragraphs.{_file.stem}")


def clauses(file: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each row of a list of proofs: paragraph, proof, facts."""
    for number, rows in tomllib.loads(file.read_text("utf-8")).items():
        for row in rows:
            yield number, row["proof"], {key: value for key, value in row.items() if key != "proof"}


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".toml" and file_path.parent == Path(__file__).parent:
        return ClauseFile.from_parent(parent, path=file_path)
    return None


class ClauseFile(pytest.File):
    """The list of proofs of one rulebook."""

    def collect(self) -> Iterator[pytest.Item]:
        for number, name, facts in clauses(self.path):
            yield ClauseItem.from_parent(
                self, name=f"{number}::{name}", number=number, proof=name, facts=facts
            )


class ClauseItem(pytest.Item):
    """One proof of one paragraph."""

    def __init__(self, *, number: str, proof: str, facts: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.number, self.proof, self.facts = number, proof, facts

    def runtest(self) -> None:
        book = lammer.rulebook(self.path.stem)
        assert self.number in book.paragraphs, f"{book.id} has no paragraph {self.number}"
        PROOFS[self.proof](Clause(book, self.number, self.facts))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.stem} {self.name}"
