"""Running our own functions on unknown whole numbers: every path through them, with what has to hold on it.

A `Whole` stands for any whole number. Adding, multiplying and comparing make formulas; where the code asks
which way to go, `explore` goes both ways, one after the other, and remembers under which conditions. The
function that is run is the one the table runs, not a copy of it. Where Python itself needs a number to count
on (a position, a remainder to reduce a fraction by), the cases are told apart one by one.

`Ratio` stands for a fraction of unknown numbers. `run_with` runs a module's own code with it in the place of
`Fraction`, because Python's would want to reduce it.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Generic, TypeVar

from lammer.proof.solving import Z3_STEPS_PER_SECOND, Term, all_of, z3
from lammer.proof.working import Undecided

T = TypeVar("T")
MOST_CASES: Final = 2_000
"""Cases one number is told apart into, and paths a function is followed along, before it is too many."""


class Truth:
    """Something that may hold or not: asked by an `if`, it goes both ways, one after the other."""

    __slots__ = ("plain", "term")

    def __init__(self, term: Term, *, plain: bool = True) -> None:
        self.term, self.plain = term, plain

    def __bool__(self) -> bool:
        return _path().choose(self.term, plain=self.plain)


class Whole:
    """Any whole number, as a formula."""

    __slots__ = ("term",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, term: Term) -> None:
        self.term = term

    def __add__(self, other: object) -> Whole:
        return Whole(self.term + _term(other))

    __radd__ = __add__

    def __sub__(self, other: object) -> Whole:
        return Whole(self.term - _term(other))

    def __rsub__(self, other: object) -> Whole:
        return Whole(_term(other) - self.term)

    def __mul__(self, other: object) -> Any:
        if isinstance(other, Fraction):
            return Ratio.of(z3().RealVal(str(other)) * z3().ToReal(self.term))
        return NotImplemented if isinstance(other, Ratio) else Whole(self.term * _term(other))

    __rmul__ = __mul__

    def __neg__(self) -> Whole:
        return Whole(-self.term)

    def __abs__(self) -> Whole:
        return Whole(z3().If(self.term >= 0, self.term, -self.term))

    def __floordiv__(self, other: int) -> Whole:
        return divmod(self, other)[0]

    def __mod__(self, other: int) -> Whole:
        return divmod(self, other)[1]

    def __divmod__(self, other: int) -> tuple[Whole, Whole]:
        # SMT-LIB divides as Python does where the divisor is above zero.
        assert other > 0, other
        return Whole(self.term / other), Whole(self.term % other)

    def __lt__(self, other: object) -> Truth:
        return Truth(self.term < _term(other))

    def __le__(self, other: object) -> Truth:
        return Truth(self.term <= _term(other))

    def __gt__(self, other: object) -> Truth:
        return Truth(self.term > _term(other))

    def __ge__(self, other: object) -> Truth:
        return Truth(self.term >= _term(other))

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return Truth(self.term == _term(other))

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return Truth(self.term != _term(other))

    def __bool__(self) -> bool:
        return _path().choose(self.term != 0)

    def __int__(self) -> int:
        return _path().tell_apart(self.term)

    __index__ = __int__

    def __format__(self, spec: str) -> str:
        return str(self.term)

    @property
    def numerator(self) -> int:
        return int(self)

    @property
    def denominator(self) -> int:
        return 1


numbers.Integral.register(Whole)


class Ratio:
    """A fraction of unknown whole numbers: any number that, times the denominator, gives the numerator."""

    __slots__ = ("term",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, numerator: object, denominator: object = 1) -> None:
        s, path = z3(), _path()
        if isinstance(numerator, int) and isinstance(denominator, int):
            self.term = s.RealVal(str(Fraction(numerator, denominator)))
            return
        below = _term(denominator)
        assert path.must_hold(below > 0), "a fraction's denominator may be zero or less"
        over = s.ToReal(_term(numerator))
        self.term, new = path.named("ratio", s.Real, (over, s.ToReal(below)))
        if new:
            path.know(self.term * s.ToReal(below) == over, plain=False)

    @classmethod
    def of(cls, term: Term) -> Ratio:
        ratio = cls.__new__(cls)
        ratio.term = term
        return ratio

    def __mul__(self, other: object) -> Ratio:
        return Ratio.of(self.term * _real(other))

    def __truediv__(self, other: Fraction) -> Ratio:
        return Ratio.of(self.term / _real(other))

    __rmul__ = __mul__

    def __ge__(self, other: object) -> Truth:
        return Truth(self.term >= _real(other), plain=False)

    def __gt__(self, other: object) -> Truth:
        return Truth(self.term > _real(other), plain=False)

    def __lt__(self, other: object) -> Truth:
        return Truth(self.term < _real(other), plain=False)

    def __le__(self, other: object) -> Truth:
        return Truth(self.term <= _real(other), plain=False)

    def __floor__(self) -> Whole:
        s, path = z3(), _path()
        down, new = path.named("floor", s.Int, (self.term,))
        if new:
            path.know(all_of(s.ToReal(down) <= self.term, self.term < s.ToReal(down) + 1), plain=False)
        return Whole(down)


def _term(value: object) -> Term:
    if isinstance(value, Whole):
        return value.term
    assert type(value) is int, value
    return z3().IntVal(value)


def _real(value: object) -> Term:
    if isinstance(value, Ratio):
        return value.term
    if isinstance(value, Fraction):
        return z3().RealVal(str(value))
    return z3().ToReal(_term(value))


def no_greater(one: Whole, other: Whole) -> bool:
    """Whether a number is known to be no greater than another; goes both ways where neither is known."""
    if _path().must_hold(one.term <= other.term):
        return True
    if _path().must_hold(one.term >= other.term):
        return False
    return bool(one <= other)


def unknown(name: str) -> Whole:
    """Any whole number, by name."""
    return Whole(z3().Int(name))


@dataclass(slots=True)
class Path:
    """One way through a function: the choices made so far, and what is known because of them."""

    solver: Any
    planned: list[Any]
    waiting: list[list[Any]]
    chosen: list[Any] = field(default_factory=list)
    knows: list[Term] = field(default_factory=list)
    names: dict[tuple[str, ...], Term] = field(default_factory=dict)
    decided: dict[str, bool] = field(default_factory=dict)

    def named(self, what: str, kind: Callable[[str], Term], of: tuple[Term, ...]) -> tuple[Term, bool]:
        """The unknown that stands for this, and whether it is new: of the same numbers it is the same."""
        key = (what, *(z3().simplify(term, som=True, sort_sums=True).sexpr() for term in of))
        if key in self.names:
            return self.names[key], False
        self.names[key] = kind(f"{what}_{len(self.names) + 1}")
        return self.names[key], True

    def know(self, term: Term, *, plain: bool = True) -> None:
        """Remember what holds here; which ways are open is asked of what multiplies no unknowns."""
        self.knows.append(term)
        if plain:
            self.solver.add(term)

    def can_be(self, term: Term) -> bool:
        """Whether this may hold here; where the solver cannot tell, it may."""
        return str(self.solver.check(term)) != "unsat"

    def must_hold(self, term: Term) -> bool:
        return not self.can_be(z3().Not(term))

    def choose(self, term: Term, *, plain: bool = True) -> bool:
        """Which way to go; where unknowns are multiplied both are taken to be open, which loses none."""
        asked = z3().simplify(term, som=True, sort_sums=True).sexpr()
        if asked in self.decided:
            return self.decided[asked]
        if len(self.chosen) < len(self.planned):
            way = self.planned[len(self.chosen)]
        else:
            way = not plain or self.can_be(term)
            other = not plain or self.can_be(z3().Not(term))
            if way and other:
                self.waiting.append([*self.chosen, False])
            assert way or other, "nothing can hold here"
        self.chosen.append(way)
        self.decided[asked] = bool(way)
        self.know(term if way else z3().Not(term), plain=plain)
        return bool(way)

    def tell_apart(self, term: Term) -> int:
        """Every value a number can have here, one after the other."""
        if len(self.chosen) < len(self.planned):
            value = self.planned[len(self.chosen)]
        else:
            values = self._values(term)
            value = values[0]
            self.waiting.extend([*self.chosen, other] for other in values[1:])
        self.chosen.append(value)
        self.know(term == value)
        return int(value)

    def _values(self, term: Term) -> list[int]:
        values: list[int] = []
        self.solver.push()
        while str(self.solver.check()) == "sat":
            value = self.solver.model().eval(term, model_completion=True).as_long()
            values.append(value)
            if len(values) > MOST_CASES:
                raise Undecided("a number has too many cases to tell apart")
            self.solver.add(term != value)
        self.solver.pop()
        return sorted(values)


_PATHS: list[Path] = []


def _path() -> Path:
    assert _PATHS, "an unknown number is asked outside of `explore`"
    return _PATHS[-1]


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """Where one path led: what was known on it, and what the function gave back or raised."""

    knows: tuple[Term, ...]
    result: T
    raised: Exception | None = None


def explore(run: Callable[[], T], given: list[Term], seconds: int = 20) -> Iterator[Ended[Any]]:
    """Every path through a function, where these things are given.

    >>> stake = unknown("stake")
    >>> ends = explore(lambda: "much" if stake > 100 else "little", [stake.term > 0])
    >>> [(end.result, len(end.knows)) for end in ends]
    [('much', 2), ('little', 2)]
    """
    waiting: list[list[Any]] = [[]]
    followed = 0
    while waiting:
        followed += 1
        if followed > MOST_CASES:
            raise Undecided("a function has too many paths")
        solver = z3().Solver()
        solver.set("rlimit", seconds * Z3_STEPS_PER_SECOND)
        path = Path(solver, waiting.pop(), waiting)
        for term in given:
            path.know(term)
        _PATHS.append(path)
        ended: Ended[Any]
        try:
            result = run()
            ended = Ended(tuple(path.knows), result)
        except (AssertionError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            ended = Ended(tuple(path.knows), None, error)
        finally:
            _PATHS.pop()
        yield ended


def run_with(module: str, **names: Any) -> dict[str, Any]:
    """A module's own code, run once more with other things by these names.

    >>> run_with("lammer.game.money")["winnings"].__code__.co_filename.endswith("money.py")
    True
    """
    import_module(module)  # its dataclasses look for it among the modules there are
    spec = find_spec(module)
    assert spec is not None
    code = spec.loader.get_code(module)  # type: ignore[union-attr]
    held: dict[str, Any] = {"__name__": module}
    exec(code, held)  # noqa: S102 - the code is our own, by the name of its module
    held.update(names)
    return held


def is_whole(value: object, kinds: Any) -> bool:
    """`isinstance`, for code that asks whether an unknown number is an `int`: it is."""
    return isinstance(value, kinds) or (isinstance(value, Whole) and kinds is int)
