"""What a verification finds: phrases that begin with the place in the record they are about."""

from __future__ import annotations

from lammer.rulebook.phrase import Phrase


def at_event(table: str, number: int, doubt: Phrase) -> Phrase:
    """What is wrong at an event of a table.

    >>> at_event("t1", 7, Phrase("the record has another one"))
    'table t1, event 7: the record has another one'
    """
    return Phrase("table {table}, event {number}: {doubt}", table=table, number=number, doubt=doubt)


def at_checkpoint(number: int, doubt: Phrase) -> Phrase:
    """What is wrong with a checkpoint."""
    return Phrase("checkpoint {number}: {doubt}", number=number, doubt=doubt)


def at_line(number: int, doubt: Phrase) -> Phrase:
    """What is wrong at a line of the journal."""
    return Phrase("the journal, line {number}: {doubt}", number=number, doubt=doubt)
