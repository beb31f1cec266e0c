"""Which heads of tables may be told to whoever keeps the checkpoint file, and which when a shoe has ended.

A hash covers the card that lies face down, and whoever knows the rest of an event can try all fifty-two. So a
checkpoint is written to the file when every shoe whose hidden cards it covers has ended. The record has it at
once, and so has the log, which is blinded.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, or_, select, text

from lammer.floor.record.chain import SealedCheckpoint
from lammer.floor.record.contract import Record
from lammer.floor.record.past import shoe_began
from lammer.floor.record.schema import events

ENDS: Final = (b'"event":"ShoePrepared"', b'"event":"ShoeEnded"')
"""With these nothing of the shoe before is hidden any more."""
HIDES: Final = (b'"face_up":false', b'"carried":["', b'"simultaneous_cards"')
"""What stands in an event that names a card nobody sees."""


class ToldHeads:
    """Follows the tables of a record: from which event on a shoe in use hides something."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._looked: dict[str, tuple[int, int]] = {}
        """For each table up to which event it was looked at, and the first that hides; 0 where none does."""

    def may_be_told(self, sealed: SealedCheckpoint) -> bool:
        """Whether no hash of this checkpoint covers a card of a shoe in use that was dealt face down."""
        heads = sealed.checkpoint.heads
        with self._record.reading() as connection:
            hidden = {head.table: self._hidden_from(connection, head.table) for head in heads}
        return not any(0 < hidden[head.table] <= head.version for head in heads)

    def _hidden_from(self, connection: Connection, table: str) -> int:
        last = connection.scalar(select(func.max(events.c.number)).where(events.c.table_id == table)) or 0
        if table not in self._looked:
            # What was before the shoe in use is told, however much it is.
            self._looked[table] = max(0, shoe_began(self._record, table, last) - 1), 0
        upto, hidden = self._looked[table]
        if last > upto:
            ended = _numbers(connection, table, upto, ENDS, func.max)
            if ended:
                hidden = 0
            hidden = hidden or _numbers(connection, table, max(upto, ended), HIDES, func.min)
            self._looked[table] = last, hidden
        return hidden


def _numbers(connection: Connection, table: str, after: int, marks: tuple[bytes, ...], which: Any) -> int:
    """The first or the last event after that one which has one of these marks; 0 where none has."""
    asked = select(which(events.c.number)).where(
        events.c.table_id == table, events.c.number > after, or_(*(_has(connection, mark) for mark in marks))
    )
    return connection.scalar(asked) or 0


def _has(connection: Connection, mark: bytes) -> ColumnElement[bool]:
    if connection.dialect.name == "sqlite":
        return func.instr(events.c.body, mark) > 0
    return text(f"position('\\x{mark.hex()}'::bytea in events.body) > 0")  # type: ignore[return-value]
