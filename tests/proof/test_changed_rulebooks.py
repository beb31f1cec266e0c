"""A rulebook with one value changed: what breaks a theorem comes back as a scenario that can be played.

The changes are those of `tests/rulebook/test_mutations.py`. Most make another rulebook that is as whole as
the first, of which every theorem still holds; those that make one of which something promised does not hold
are caught here. `make soak` tries every change of every document under every theorem that turns on it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator

import pytest

import lammer
from lammer import DefectiveRulebook, Rulebook
from lammer.proof.scenarios import scenario_text
from lammer.proof.theorems import prove, theorems_named
from lammer.proof.versions import prove_pair
from lammer.proof.working import Broken, Work
from lammer.rulebook.load import build
from lammer.shelf import shipped_ids
from lammer.table.script import run
from rulebook.test_mutations import DOCUMENTS, DROP, changes

EVERYTHING = bool(os.environ.get("LAMMER_PROOFS"))
BOOKS = shipped_ids() if EVERYTHING else ("tiger-buffalo-noncommission-insurance@3",)
UNDER = ("table-of-play", "bets", "insurance") if EVERYTHING else ("insurance",)


def changed(name: str, stride: int, within: str = "") -> Iterator[tuple[str, Rulebook]]:
    """Rulebooks with one value changed, where `load` lets them through; of one part, if it is named."""
    values = tomllib.loads((DOCUMENTS / f"{name}.toml").read_text("utf-8"))
    listed = [change for change in changes(values) if within in change[3]]
    for container, key, new, where, _ in listed[::stride]:
        old = container[key]
        if new is DROP:
            del container[key]
        else:
            container[key] = new
        try:
            yield f"{where}: {old!r} -> {new!r}", build(values)
        except DefectiveRulebook:
            pass
        finally:
            container[key] = old


@pytest.mark.parametrize("name", BOOKS)
def test_what_breaks_a_theorem_is_a_scenario_that_can_be_played(name: str) -> None:
    broken = []
    for where, book in changed(name, 1, "" if EVERYTHING else "tie_wins"):
        for theorem in theorems_named(UNDER):
            found = prove(theorem, book).counterexample
            if found is None:
                continue
            broken.append((where, theorem.name, found.what))
            assert found.cites
            played = run({book.id: book}, tomllib.loads(scenario_text(found)))
            assert played.journal, (where, found.what)
    assert len(broken) >= (2 if lammer.rulebook(name).insurance else 0), broken


@pytest.mark.skipif(not EVERYTHING, reason="in `make soak`")
@pytest.mark.parametrize("name", BOOKS)
def test_a_changed_value_shows_where_diff_says_and_nowhere_else(name: str) -> None:
    before, unlike = lammer.rulebook(name), []
    for where, book in changed(name, 1):
        try:
            prove_pair(Work(before), before, book)
        except Broken as broken:
            unlike.append((where, broken.counterexample.what))
    assert not unlike
