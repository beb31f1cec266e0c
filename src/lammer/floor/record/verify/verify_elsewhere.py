"""Tables verified by several processes, each of which opens the record for itself.

No table needs another to be verified, and deciding anew is work for a processor: so a whole house takes as
long as its tables shared out among the cores. What a process finds comes back as it would be found here.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from typing import Final

from lammer.floor.record.contract import Record
from lammer.floor.record.log.log_check import LogCheck
from lammer.floor.record.log.log_secrets import LogSecrets
from lammer.floor.record.store.opening import open_record
from lammer.floor.record.verify.verify_table import PurseCheck, VerifiedTable, verify_one
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.shelf import books_by_id

LARGE: Final = 100_000
"""Events; below, a process of its own takes longer to start than it saves."""


Books = Callable[[Record], Mapping[str, Rulebook]]
"""Finds the rulebooks of a record; a function of a module, since another process calls it."""


def shipped(_: Record) -> Mapping[str, Rulebook]:
    """The rulebooks that ship."""
    return books_by_id()


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where another process finds what it verifies: the record, and the rulebooks it was played under."""

    record: str
    books: Books = shipped
    processes: int = os.cpu_count() or 1
    large: int = LARGE

    def is_worth_it(self, heads: Mapping[str, int], tables: Collection[str]) -> bool:
        """Whether there is enough to share out.

        >>> house, heads = Elsewhere("house.sqlite", processes=2), {"t1": 80_000, "t2": 30_000}
        >>> house.is_worth_it(heads, ["t1", "t2"]), house.is_worth_it(heads, ["t1"])
        (True, False)
        """
        events = sum(heads.get(table, 0) for table in tables)
        return min(self.processes, len(tables)) > 1 and events >= self.large

    def verify(
        self, tables: Collection[str], since: datetime | None, money: PurseCheck, log: LogCheck
    ) -> tuple[VerifiedTable, ...]:
        """These tables, the largest first, in as many processes as there are cores; told in their order.

        What each moved is added to `money`, and what the log of the house says wrongly of it to `log`.
        """
        longest_first = sorted(tables, key=lambda table: -money.heads.get(table, 0))
        with ProcessPoolExecutor(
            min(self.processes, len(tables)),
            get_context("spawn"),
            _open,
            (self.record, self.books, log.secrets),
        ) as pool:
            asked = {table: pool.submit(_verify, table, since, money.heads) for table in longest_first}
            found = {table: answer.result() for table, answer in asked.items()}
        for table in tables:
            _, moved, doubts = found[table]
            money.moved.update(moved)
            log.wrong += doubts
        return tuple(found[table][0] for table in tables)


_opened: dict[str, tuple[Record, Mapping[str, Rulebook], LogSecrets | None]] = {}
"""What this process reads, opened once."""


def _open(where: str, books: Books, secrets: LogSecrets | None) -> None:
    record = open_record(where).as_it_lies()
    _opened["house"] = record, books(record), secrets


def _verify(
    table: str, since: datetime | None, heads: dict[str, int]
) -> tuple[VerifiedTable, Counter[str], list[Phrase]]:
    """A table, what it moved between purses and itself, and what the log says wrongly of it."""
    record, books, secrets = _opened["house"]
    money, log = PurseCheck({}, heads), LogCheck.of(record, secrets)
    log.wrong.clear()  # What is wrong with its runs alone was found by whoever asked.
    verified = verify_one(record, books, table, since, money, log)
    return verified, money.moved, log.wrong
