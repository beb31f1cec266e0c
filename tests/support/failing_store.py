"""A store that fails when it is told to, in each of the ways a database can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lammer.floor.record.contract import Append, Conflict, Fenced, OnAppended, Store, StoreUnavailable

Fault = Callable[[Append], Exception]

FAULTS: dict[str, Fault] = {
    "gone": lambda _: StoreUnavailable("it does not answer"),
    "conflict": lambda append: Conflict(append.table, append.after, append.after + 1),
    "fault of ours": lambda _: ZeroDivisionError("a bug"),
}
FENCED: Fault = lambda append: Fenced(append.table, 1, 2)  # noqa: E731


class Failing:
    """Everything as in the store behind it, but for the next appends."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.faults: list[Fault] = []
        self.silent = 0
        self.asked = 0
        self.read_events = 0

    def hand_in(self, append: Append, callback: OnAppended) -> None:
        self.asked += 1
        if self.faults:
            fault = self.faults.pop(0)(append)
            # In the order in which appends were handed in, as the writer does it.
            self.store.write(lambda _: None).add_done_callback(lambda _: callback(fault))
        elif self.silent:
            self.silent -= 1
            self.store.hand_in(append, lambda _: callback(StoreUnavailable("the line broke")))
        else:
            self.store.hand_in(append, callback)

    def read(self, table: str, after: int = 0, limit: int = 1000) -> Any:
        found = self.store.read(table, after, limit)
        self.read_events += len(found)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)
