"""Every theorem of one rulebook, proved; of all five by both solvers in `make soak`."""

from __future__ import annotations

import os

import pytest

import lammer
from lammer.proof.differential import prove_differential
from lammer.proof.solving import SOLVERS
from lammer.proof.theorems import THEOREMS, Theorem, prove
from lammer.proof.working import Work
from lammer.shelf import shelf, shipped_ids

EVERYTHING = bool(os.environ.get("LAMMER_PROOFS"))
BOOKS = shipped_ids() if EVERYTHING else ("tiger-buffalo-noncommission-insurance@1",)


@pytest.mark.parametrize("solver", SOLVERS if EVERYTHING else SOLVERS[:1])
@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
@pytest.mark.parametrize("name", BOOKS)
def test_every_theorem_is_proved(name: str, theorem: Theorem, solver: str) -> None:
    book = lammer.rulebook(name)
    if theorem.name == "differential" and not EVERYTHING:
        prove_differential(Work(book), bets=2)
        return
    others = [other for other in shelf() if other.id != name]
    finding = prove(theorem, book, others=others, solver=solver)
    # Products of unknown amounts are more than cvc5 can always tell in its time; it never finds them wrong.
    may_be = {"proved", "undecided"} if (theorem.name, solver) == ("differential", "cvc5") else {"proved"}
    assert finding.verdict in may_be, (finding.counterexample, finding.because)
    assert {said.verdict for said in finding.answers} <= {"unsat"}
    assert finding.cases


def test_every_theorem_is_about_paragraphs_of_the_document() -> None:
    for book in shelf():
        for theorem in THEOREMS:
            assert set(theorem.paragraphs(book)) <= book.paragraphs.keys()
    said = [
        text for theorem in THEOREMS for text in (theorem.says, theorem.domain, theorem.run, theorem.assumes)
    ]
    assert all(text.endswith(".") for text in said)
