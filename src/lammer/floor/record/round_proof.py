"""The proof that nothing of a round was changed since: its hashes, and the signed checkpoint above them.

Each event's hash is worked out again from its bytes and the hash before it, from the opening of the round up
to the event the first later checkpoint states; that checkpoint's signature is checked. So whoever kept the
checkpoint elsewhere, or the public key, need not believe the house. What the settlement ought to have been is
asked of `verifying`, which works a whole table out anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from lammer.floor.record import chain
from lammer.floor.record.chain import Sealed, Stated, first_break, from_line
from lammer.floor.record.checkpoints import walk
from lammer.floor.record.contract import Record
from lammer.rulebook.refusal import Refused

FAR: Final = 50_000
"""Events between a round and its checkpoint that are gone through on a page; beyond, a verification is."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found: `broken` is an event that does not follow, `wrong` what ails the checkpoint."""

    first: int
    last: int
    broken: int | None = None
    sealed: Sealed | None = None
    stated: int = 0
    joined: bool = False
    wrong: str = ""

    @property
    def holds(self) -> bool:
        return self.broken is None and not self.wrong


def prove(record: Record, table: str, first: int, last: int, trusted: Collection[bytes]) -> Proof:
    """Go through the events `first` to `last` of a table and on to the checkpoint that covers them."""
    record = record.as_it_lies()
    try:
        sealed = _covering(record, table, last)
    except Refused as refused:
        return Proof(first, last, wrong=refused.sentence)
    stated = _version(sealed, table) if sealed else 0
    joined = sealed is not None and stated - first <= FAR
    before = record.read(table, first - 2, 1)[0].hash if first > 1 else None
    head = b""

    def events() -> Iterator[Stated]:
        nonlocal head
        for each in walk(record, table, first - 1, stated if joined else last):
            yield each.stated
            head = each.hash

    broken = first_break(table, events(), after=first - 1, head=before)
    wrong = ""
    if sealed is not None:
        said = chain.problem(sealed)
        if said is None and sealed.key not in trusted:
            said = "it is signed by a key that is not trusted"
        if said is None and joined and broken is None and head != _hash(sealed, table):
            said = f"the record has another event {stated}"
        wrong = f"checkpoint {sealed.checkpoint.number}: {said}" if said else ""
    return Proof(first, last, broken, sealed, stated, joined, wrong)


def _covering(record: Record, table: str, last: int) -> Sealed | None:
    """The first checkpoint that states the table beyond that event, by halving; None while there is none."""
    line = record.latest_checkpoint()
    if line is None:
        return None
    found = from_line(line)
    if _version(found, table) < last:
        return None
    low, high = 1, found.checkpoint.number
    while low < high:
        middle = (low + high) // 2
        here = from_line(record.checkpoints(middle - 1, 1)[0])
        if _version(here, table) >= last:
            found, high = here, middle
        else:
            low = middle + 1
    return found


def _version(sealed: Sealed, table: str) -> int:
    return next((head.version for head in sealed.checkpoint.heads if head.table == table), 0)


def _hash(sealed: Sealed, table: str) -> bytes:
    return next(head.hash for head in sealed.checkpoint.heads if head.table == table)
