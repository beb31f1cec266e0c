"""A chain recomputed by itself, without the rest of what `verify` does."""

from __future__ import annotations

from lammer.floor.record.chain import first_break
from lammer.floor.record.checkpoints import walk
from lammer.floor.record.contract import Record


def check_chain(record: Record, table: str, after: int = 0) -> str | None:
    """Recompute a table's chain beyond an event that is trusted; what does not hold, in a sentence."""
    head = None
    if after:
        there = record.read(table, after - 1, 1)
        if not there or there[0].number != after:
            return f"table {table}, event {after}: the record does not have it"
        head = there[0].hash
    events = (event.stated for event in walk(record, table, after))
    number = first_break(table, events, after=after, head=head)
    if number is None:
        return None
    return f"table {table}, event {number}: it does not follow from what is before it"
