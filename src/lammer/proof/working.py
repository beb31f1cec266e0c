"""What a proof works with: it counts cases, asks the solver, and stops at the first thing that is not so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from lammer.proof.solving import SOLVERS, Answer, Problem, Term, answer, problem
from lammer.rulebook.model import Rulebook

Script = dict[str, Any]
"""A script of `lammer play`, or a round of `lammer settle`, as values."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Something a theorem said that is not so: in words, by which paragraphs, and as a scenario to be played.

    `form` is `play` or `settle`; a scenario is empty only where no table can be brought there.
    """

    what: str
    cites: tuple[str, ...]
    scenario: Script = field(default_factory=dict)
    form: str = "play"


class Broken(Exception):  # noqa: N818
    """A theorem does not hold, with the counterexample."""

    def __init__(self, counterexample: Counterexample) -> None:
        super().__init__(counterexample.what)
        self.counterexample = counterexample


class Undecided(Exception):  # noqa: N818
    """A solver could not tell within its time."""


@dataclass(slots=True)
class Work:
    """One theorem being proved of one rulebook."""

    book: Rulebook
    others: Sequence[Rulebook] = ()
    solver: str = "z3"
    told: Callable[[int], None] = lambda cases: None
    cases: int = 0
    answers: list[Answer] = field(default_factory=list)
    keep_problems: Callable[[Problem], None] = lambda asked: None

    def count(self, cases: int = 1) -> None:
        """So many more cases were looked at."""
        before, self.cases = self.cases, self.cases + cases
        if before // 1000 != self.cases // 1000:
            self.told(self.cases)

    def hold(self, holds: bool, counterexample: Callable[[], Counterexample]) -> None:
        """Count a case; stop with its counterexample if it does not hold."""
        self.count()
        if not holds:
            raise Broken(counterexample())

    def refute(
        self,
        name: str,
        assertions: Iterable[Term],
        counterexample: Callable[[Mapping[str, Fraction]], Counterexample],
    ) -> None:
        """Ask the solver for anything that makes these true together, and stop if there is."""
        asked = problem(f"{self.book.id} {name}", list(assertions))
        self.keep_problems(asked)
        said = answer(asked, self.solver)
        self.answers.append(said)
        self.count()
        if said.verdict == "sat":
            raise Broken(counterexample(said.values))
        if said.verdict == "unknown":
            raise Undecided(f"{self.solver} could not tell within its time: {name}")


__all__ = ["SOLVERS", "Broken", "Counterexample", "Script", "Undecided", "Work"]
