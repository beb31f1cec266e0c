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
from lammer.floor.record.chain import SealedCheckpoint, StatedEvent, first_break, from_line
from lammer.floor.record.checkpoints import NOT_TRUSTED, walk
from lammer.floor.record.contract import Record
from lammer.floor.record.findings import at_checkpoint
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused

FAR: Final = 50_000
"""Events between a round and its checkpoint that are gone through on a page; beyond, a verification is."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found: `broken` is an event that does not follow, `wrong` what ails the checkpoint."""

    first: int
    last: int
    broken: int | None = None
    sealed: SealedCheckpoint | None = None
    stated: int = 0
    joined: bool = False
    wrong: Phrase | None = None

    @property
    def holds(self) -> bool:
        return self.broken is None and not self.wrong


def prove(record: Record, table: str, first: int, last: int, trusted: Collection[bytes]) -> Proof:
    """Go through the events `first` to `last` of a table and on to the checkpoint that covers them."""
    record = record.as_it_lies()
    try:
        sealed = _covering_checkpoint(record, table, last)
    except Refused as refused:
        return Proof(first, last, wrong=Phrase(refused.message, **refused.values))
    stated, stated_hash = _head(sealed, table) if sealed else (0, b"")
    joined = sealed is not None and stated - first <= FAR
    before = record.read(table, first - 2, 1)[0].hash if first > 1 else None
    head = b""

    def events() -> Iterator[StatedEvent]:
        nonlocal head
        for stored in walk(record, table, first - 1, stated if joined else last):
            yield stored.stated
            head = stored.hash

    broken = first_break(table, events(), after=first - 1, head=before)
    wrong = None
    if sealed is not None:
        complaint = chain.problem(sealed)
        if complaint is None and sealed.key not in trusted:
            complaint = NOT_TRUSTED
        if complaint is None and joined and broken is None and head != stated_hash:
            complaint = Phrase("the record has another event {number}", number=stated)
        wrong = at_checkpoint(sealed.checkpoint.number, complaint) if complaint else None
    return Proof(first, last, broken, sealed, stated, joined, wrong)


def _covering_checkpoint(record: Record, table: str, last: int) -> SealedCheckpoint | None:
    """The first checkpoint that states the table beyond that event, by halving; None while there is none."""
    line = record.latest_checkpoint()
    if line is None:
        return None
    covering = from_line(line)
    if _head(covering, table)[0] < last:
        return None
    low, high = 1, covering.checkpoint.number
    while low < high:
        middle = (low + high) // 2
        sealed = from_line(record.checkpoints(middle - 1, 1)[0])
        if _head(sealed, table)[0] >= last:
            covering, high = sealed, middle
        else:
            low = middle + 1
    return covering


def _head(sealed: SealedCheckpoint, table: str) -> tuple[int, bytes]:
    """How far a checkpoint states a table, and with which hash; 0 where it does not."""
    return next(
        ((head.version, head.hash) for head in sealed.checkpoint.heads if head.table == table), (0, b"")
    )
