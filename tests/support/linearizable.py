"""Whether requests that overlapped could have happened one after the other: a checker of histories.

Wing and Gong's search, with what was tried remembered: of the requests that had begun before any other that
is left ended, one is taken next if it can happen in the state reached, until all are taken. One that nobody
answered may happen at any time after it was sent, or never. It knows nothing of what is checked: `step` says
what a request does to a state, or None where it cannot have been answered so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, TypeVar

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Request:
    """Something asked: when it was sent, when its answer was there (never: `inf`), what it came to."""

    begun: float
    ended: float
    what: Any


def linearizable(history: Sequence[Request], first: S, step: Callable[[S, Any], S | None]) -> bool:
    """Whether there is an order of the requests in which each happens between its begin and its end.

    A register, written and read. A read that began after the write was answered has to see it:

    >>> register = lambda held, what: what[1] if what[0] == "write" else held if held == what[1] else None
    >>> write = Request(0.0, 1.0, ("write", 7))
    >>> linearizable([write, Request(0.5, 2.0, ("read", 0))], 0, register)
    True
    >>> linearizable([write, Request(1.5, 2.0, ("read", 0))], 0, register)
    False

    What nobody answered may have happened or not, but not both:

    >>> lost = Request(0.0, inf, ("write", 7))
    >>> reads = [Request(3.0, 4.0, ("read", 7)), Request(5.0, 6.0, ("read", 0))]
    >>> [linearizable([lost, read], 0, register) for read in reads], linearizable([lost, *reads], 0, register)
    ([True, True], False)
    """
    asked = sorted(history, key=lambda request: request.begun)
    seen: set[tuple[int, int, S]] = set()
    reached = [(0, 0, first)]
    while reached:
        low, taken, state = reached.pop()
        while taken & 1:  # All before `low` are taken, and of those after it the ones with a bit.
            low, taken = low + 1, taken >> 1
        if (low, taken, state) in seen:
            continue
        seen.add((low, taken, state))
        could = _could_be_next(asked, low, taken)
        if all(asked[place].ended == inf for place in could):
            return True
        for place in could:
            then = step(state, asked[place].what)
            if then is not None:
                reached.append((low, taken | 1 << (place - low), then))
    return False


def _could_be_next(asked: Sequence[Request], low: int, taken: int) -> list[int]:
    """The requests that are left and began before any other that is left had ended."""
    could: list[int] = []
    first_end = inf
    for place in range(low, len(asked)):
        if taken >> (place - low) & 1:
            continue
        if asked[place].begun > first_end:
            break
        first_end = min(first_end, asked[place].ended)
        could.append(place)
    return could
