"""Stops of gaming, kept in the record: of the whole house, or of one table; who began each and who ended it.

Every one stays there after it was ended. What a stop means for a table is none of this module's business: it
says which ones stand. Every call blocks on the database, so an event loop asks from a worker thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, Table as SqlTable, insert, select, text, update

from lammer.floor.record.contract import Record, Rows
from lammer.floor.record.monotonic_clock import microseconds, moment
from lammer.floor.record.row_journal import number_for
from lammer.floor.record.schema import metadata, numbers, texts
from lammer.rulebook.refusal import Refused

NOTICE: Final = "\tstops"
"""What other processes hear in place of a table's name when stops changed; no table can be called that."""
LONGEST_REASON: Final = 300

stops: Final = SqlTable(
    "stops",
    metadata,
    *numbers("number", key=True),
    *texts("table_id", "reason", "by", "role"),
    *numbers("at"),
    *texts("cause", "ended_by", "ended_role"),
    *numbers("ended_at", optional=True),
)


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of one table, or of all where `table` is empty; `ended_at` is None while it stands.

    `cause` is the hash of the program it was made for, where the house itself made it.
    """

    number: int
    table: str
    reason: str
    by: str
    role: str
    at: datetime
    cause: str = ""
    ended_by: str = ""
    ended_role: str = ""
    ended_at: datetime | None = None


class Stops:
    """The stops of a house."""

    def __init__(self, record: Record | Rows) -> None:
        self.record = record

    def standing(self) -> list[Stop]:
        """Those that were not ended, in the order they were made."""
        query = select(stops).where(stops.c.ended_at.is_(None)).order_by(stops.c.number)
        return self._read(query)

    def latest(self, limit: int = 100) -> list[Stop]:
        """All there were, the newest first."""
        return self._read(select(stops).order_by(stops.c.number.desc()).limit(limit))

    def of_cause(self, cause: str) -> list[Stop]:
        """Those the house made for this program, also where they were ended."""
        return self._read(select(stops).where(stops.c.cause == cause).order_by(stops.c.number))

    def _read(self, query: Any) -> list[Stop]:
        with self.record.reading() as connection:
            return [_stop(row) for row in connection.execute(query)]


def begin_stop(
    store: Rows, table: str, reason: str, *, by: str, role: str, at: datetime, cause: str = ""
) -> Stop:
    """Write a stop down; where one stands already, that one is told. `table` is empty for all of them."""
    line = must_be_reason(reason)

    def work(connection: Connection) -> Stop:
        # Two who press at the same moment, in two processes, come one after the other.
        number = number_for(connection, stops)
        standing = stops.c.ended_at.is_(None) & (stops.c.table_id == table)
        known = connection.execute(select(stops).where(standing).order_by(stops.c.number)).first()
        if known is not None:
            return _stop(known)
        values = {"table_id": table, "reason": line, "by": by, "role": role, "at": microseconds(at)}
        ended = {"ended_by": "", "ended_role": "", "ended_at": None}
        connection.execute(insert(stops).values(number=number, cause=cause, **values, **ended))
        _tell(connection)
        return _must_be_there(connection, number)

    return store.write(work).result()


def end_stop(store: Rows, number: int, *, by: str, role: str, at: datetime) -> Stop:
    """Write down that a stop is over; one that was over before stays as it was ended first."""

    def work(connection: Connection) -> Stop:
        number_for(connection, stops)
        stop = _must_be_there(connection, number)
        if stop.ended_at is not None:
            return stop
        values = {"ended_by": by, "ended_role": role, "ended_at": microseconds(at)}
        connection.execute(update(stops).where(stops.c.number == number).values(**values))
        _tell(connection)
        return _must_be_there(connection, number)

    return store.write(work).result()


def must_be_reason(reason: str) -> str:
    """Why somebody stops gaming, in a line.

    >>> must_be_reason(" fire alarm ")
    'fire alarm'
    """
    line = " ".join(reason.split())
    if not line or len(line) > LONGEST_REASON or not line.isprintable():
        raise Refused(
            "reason_needed",
            "Gaming is not stopped without a reason of at most {most} letters.",
            next_step="Say why.",
            most=LONGEST_REASON,
        )
    return line


def _must_be_there(connection: Connection, number: int) -> Stop:
    row = connection.execute(select(stops).where(stops.c.number == number)).first()
    if row is None:
        raise Refused(
            "unknown_stop",
            "There is no stop {number}.",
            next_step="The page of stops lists them.",
            number=number,
        )
    return _stop(row)


def _tell(connection: Connection) -> None:
    """Tell every process of the house, once it is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_notify('lammer_events', :payload)"), {"payload": f"0 {NOTICE}"})


def _stop(row: Row[Any]) -> Stop:
    return Stop(
        row.number,
        row.table_id,
        row.reason,
        row.by,
        row.role,
        moment(row.at),
        row.cause,
        row.ended_by,
        row.ended_role,
        None if row.ended_at is None else moment(row.ended_at),
    )
