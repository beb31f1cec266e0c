"""Products of unknown numbers, taken for unknown numbers themselves, of which only their order is known.

A solver is quick with sums and slow with products. Most of what is asked about shares of unknown amounts
follows from the order of the products alone: of two bets the greater has no smaller share. `in_order` puts a
name in the place of each product and says of the names what holds of all products whatsoever; what cannot
hold of the names cannot hold of the products. That it does hold of all of them is a problem of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from lammer.proof.solving import Term, all_of, z3


@dataclass(frozen=True, slots=True)
class Product:
    """One unknown times another, and the name that stands for what comes of it."""

    name: Term
    factors: tuple[Term, Term]


_KNOWN: Final[dict[tuple[int, int, int], Term]] = {}
"""What is known of two products of one factor, by z3's numbers of them, which stay while it is kept here."""


def in_order(assertions: Sequence[Term]) -> list[Term] | None:
    """These assertions with a name for every product of two unknowns, and what is known of the names.

    None where nothing is multiplied, or something else than two real unknowns is.

    >>> x, y = z3().Reals("x y")
    >>> said = in_order([x >= 0, y >= 0, x * y < 0])
    >>> said[:3], str(z3().Solver().check(*said))
    ([x >= 0, y >= 0, Not(0 <= x*y)], 'unsat')
    >>> in_order([x + y > 0]) is None
    True
    """
    s = z3()
    spread = [s.simplify(term, som=True, sort_sums=True) for term in assertions]
    products: dict[str, Product] = {}
    names: list[tuple[Term, Term]] = []
    for term in _multiplied(spread):
        times = [part for part in term.children() if _is_plain(part)]
        factors = {_name(part): part for part in term.children() if not _is_plain(part)}
        if len(factors) != 2 or len(times) + 2 != term.num_args() or "" in factors or not s.is_real(term):
            return None
        name = "*".join(sorted(factors))
        one, other = (factors[each] for each in sorted(factors))
        product = products.setdefault(name, Product(s.Real(name), (one, other)))
        names.append((term, times[0] * product.name if times else product.name))
    if not products:
        return None
    return [*(s.substitute(term, *names) for term in spread), *_known(list(products.values()))]


def _multiplied(terms: Sequence[Term]) -> Iterator[Term]:
    """Every product of two or more unknowns in these, once."""
    s = z3()
    waiting, seen = list(reversed(terms)), set()
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        parts = term.children()
        if s.is_mul(term) and sum(not _is_plain(part) for part in parts) > 1:
            yield term
        else:
            waiting.extend(reversed(parts))


def _is_plain(term: Term) -> bool:
    return bool(z3().is_rational_value(term) or z3().is_int_value(term))


def _name(term: Term) -> str:
    """The name of an unknown number, nothing where a term is more than that."""
    s = z3()
    if s.is_to_real(term):
        term = term.arg(0)
    return str(term) if s.is_const(term) and term.decl().kind() == s.Z3_OP_UNINTERPRETED else ""


def _known(products: Sequence[Product]) -> Iterator[Term]:
    """What holds of all products: times the same number, what is no smaller comes to no less."""
    by_factor: dict[int, tuple[Term, list[tuple[Term, Term]]]] = {}
    zero, one = z3().RealVal(0), z3().RealVal(1)
    for product in products:
        for factor, other in (product.factors, product.factors[::-1]):
            rows = by_factor.setdefault(factor.get_id(), (factor, [(zero, zero), (one, factor)]))[1]
            rows.append((other, product.name))
    for factor, rows in by_factor.values():
        for first, second in list(combinations(rows, 2))[1:]:  # nothing and one lie as they do
            key = factor.get_id(), first[1].get_id(), second[1].get_id()
            if key not in _KNOWN:
                _KNOWN[key] = same_factor(factor, first, second)
            yield _KNOWN[key]


def same_factor(factor: Term, one: tuple[Term, Term], other: tuple[Term, Term]) -> Term:
    """How two products of one factor lie to each other, each as the other factor and what it comes to."""
    s = z3()
    (small, small_product), (great, great_product) = one, other
    up, down = small_product <= great_product, small_product >= great_product
    return all_of(
        s.Implies(all_of(factor >= 0, small <= great), up),
        s.Implies(all_of(factor >= 0, small >= great), down),
        s.Implies(all_of(factor <= 0, small <= great), down),
        s.Implies(all_of(factor <= 0, small >= great), up),
    )
