"""Problems for a solver: built with z3, written as SMT-LIB 2, answered by z3 or by cvc5.

A problem states the opposite of what is to be proved. `unsat` means that nothing makes the opposite true, so
the statement is proved; `sat` comes with values that break it. Both solvers are given the very text that
`--smt` writes, so that anybody can give it to a third.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, reduce
from importlib.metadata import version
from operator import add
from typing import Any, Final, Literal

from lammer.rulebook.refusal import Refused

SOLVERS: Final = ("z3", "cvc5")
PACKAGES: Final = {"z3": "z3-solver", "cvc5": "cvc5"}
TIMEOUT_SECONDS: Final = 30
Z3_STEPS_PER_SECOND: Final = 4_000_000
"""Z3's own count of what it has done, about so much a second: how busy a machine is decides no proof."""

Term = Any
"""A term of z3, which has no types of its own."""
Verdict = Literal["unsat", "sat", "unknown"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A question to a solver, by name, as SMT-LIB 2."""

    name: str
    text: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver said, after how long, and the values it found where it found any."""

    problem: Problem
    solver: str
    verdict: Verdict
    seconds: float
    values: Mapping[str, Fraction] = field(default_factory=dict)


def any_of(*terms: Term) -> Term:
    """That at least one of these is so; an `or` of fewer than two is not SMT-LIB."""
    if len(terms) < 2:
        return terms[0] if terms else z3().BoolVal(False)
    return z3().Or(*terms)


def all_of(*terms: Term) -> Term:
    """That every one of these is so."""
    if len(terms) < 2:
        return terms[0] if terms else z3().BoolVal(True)
    return z3().And(*terms)


def sum_of(*terms: Term) -> Term:
    """All of these added together."""
    return reduce(add, terms)


@cache
def z3() -> Any:
    """The module z3, or `solver_missing`."""
    return _import("z3")


def _import(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        raise Refused(
            "solver_missing",
            "Proving needs {package}, which is not installed.",
            next_step="Install lammer[proof].",
            package=PACKAGES[name],
        ) from None


def solver_version(solver: str) -> str:
    """Which release of a solver is installed.

    >>> solver_version("z3").count(".") >= 2
    True
    """
    _import(solver)
    return version(PACKAGES[solver])


def problem(name: str, assertions: Sequence[Term]) -> Problem:
    """What z3's terms say together, as a problem of that name.

    >>> stake = z3().Int("stake")
    >>> answer(problem("halves", [stake > 0, stake / 2 * 2 > stake]), "z3").verdict
    'unsat'
    """
    solver = z3().Solver()
    solver.add(*assertions)
    numbers: dict[str, str] = {}
    said = re.sub(
        r"(?<=[$?]x)[0-9]+",
        lambda found: numbers.setdefault(found[0], str(len(numbers) + 1)),
        solver.to_smt2().split("\n", 1)[1],
    )
    return Problem(name, f"; {name}\n(set-logic ALL)\n{said}")


def answer(asked: Problem, solver: str = "z3", seconds: int = TIMEOUT_SECONDS) -> Answer:
    """What a solver says to a problem.

    >>> stake = z3().Int("stake")
    >>> [answer(problem("odd", [stake > 2, stake % 2 == 1, stake < 5]), solver).values for solver in SOLVERS]
    [{'stake': Fraction(3, 1)}, {'stake': Fraction(3, 1)}]
    """
    begun = time.perf_counter()
    verdict, values = (_ask_z3 if solver == "z3" else _ask_cvc5)(asked.text, seconds)
    return Answer(asked, solver, verdict, time.perf_counter() - begun, values)


def _ask_z3(text: str, seconds: int) -> tuple[Verdict, dict[str, Fraction]]:
    solver = z3().Solver()
    solver.set("rlimit", seconds * Z3_STEPS_PER_SECOND)
    solver.from_string(text)
    verdict: Verdict = str(solver.check())  # type: ignore[assignment]
    if verdict != "sat":
        return verdict, {}
    model = solver.model()
    return verdict, {str(name): number(model[name]) for name in model.decls() if name.arity() == 0}


def number(value: Term) -> Fraction:
    """A number of a model as Python has it; an irrational one near enough to look at."""
    if z3().is_algebraic_value(value):
        value = value.approx(20)
    text = str(value.as_fraction()) if hasattr(value, "as_fraction") else str(value)
    return Fraction({"True": "1", "False": "0"}.get(text, text))


def _ask_cvc5(text: str, seconds: int) -> tuple[Verdict, dict[str, Fraction]]:
    cvc5 = _import("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    solver.setOption("tlimit-per", str(seconds * 1000))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    symbols = parser.getSymbolManager()
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, symbols)).strip() or said
    if said != "sat":
        return ("unsat" if said == "unsat" else "unknown"), {}
    values = {}
    for term in symbols.getDeclaredTerms():
        told = str(solver.getValue(term)).replace("(- ", "-").replace("(/ ", "").replace(")", "")
        try:
            values[str(term)] = Fraction(told.replace(" ", "/"))
        except ValueError:
            values[str(term)] = Fraction({"true": 1, "false": 0}.get(told, 0))
    return "sat", values
