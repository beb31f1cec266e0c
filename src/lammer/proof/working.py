"""What a proof works with: it counts cases, asks the solver, and stops at the first thing that is not so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from lammer.proof.products import in_order
from lammer.proof.solving import TIMEOUT_SECONDS, Answer, Problem, Term, answer, any_of, problem
from lammer.rulebook.model import Rulebook

SOON_SECONDS: Final = 5
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
    about: str = ""

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
        *,
        products_in_order: bool = True,
    ) -> None:
        """Ask the solver for anything that makes these true together, and stop if there is.

        Products of unknowns are first taken for numbers of which only the order is known, which is soon told.
        """
        said = self._ask(name, list(assertions), counterexample, TIMEOUT_SECONDS, products_in_order)
        if said == "unknown":
            raise Undecided(f"{self.solver} could not tell within its time: {name}")

    def can_be(self, name: str, assertions: Iterable[Term]) -> bool:
        """Whether anything makes these true together, where either answer is as good."""
        self.count()
        said = self._answered(name, list(assertions), TIMEOUT_SECONDS).verdict
        if said == "unknown":
            raise Undecided(f"{self.solver} could not tell within its time: {name}")
        return said == "sat"

    def refute_each(
        self,
        name: str,
        given: Sequence[Term],
        wrong: Sequence[Term],
        counterexample: Callable[[Mapping[str, Fraction]], Counterexample],
    ) -> None:
        """The same of several things, together where the solver can tell soon, else one by one."""
        if self._ask(name, [*given, any_of(*wrong)], counterexample, SOON_SECONDS) == "unknown":
            for number, each in enumerate(wrong, 1):
                self.refute(f"{name}, part {number}", [*given, each], counterexample)

    def _ask(
        self,
        name: str,
        assertions: list[Term],
        counterexample: Callable[[Mapping[str, Fraction]], Counterexample],
        seconds: int,
        products_in_order: bool = True,
    ) -> str:
        self.count()
        ordered = in_order(assertions) if products_in_order else None
        if (
            ordered is not None
            and self._answered(f"{name}, products in order", ordered, seconds).verdict == "unsat"
        ):
            return "unsat"
        said = self._answered(name, assertions, seconds)
        if said.verdict == "sat":
            raise Broken(counterexample(said.values))
        return said.verdict

    def _answered(self, name: str, assertions: list[Term], seconds: int) -> Answer:
        """What the solver says; kept if it is that nothing makes these true together."""
        asked = problem(f"{self.about or self.book.id} {name}", assertions)
        said = answer(asked, self.solver, seconds)
        if said.verdict == "unsat":
            self.keep_problems(asked)
            self.answers.append(said)
        return said
