"""Turns at a table: which process decides for it. Where several share a database, exactly one may write.

A turn ends when its time runs out and somebody else takes the table, never by itself; the number of the
turn (`epoch`) then grows, and appends of the turn before are refused by the database. Time is the
database's own, so that the clocks of the machines need not agree.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, TextClause, text

NOW: Final = {
    "sqlite": "CAST(unixepoch('subsec') * 1000000 AS INTEGER)",
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
}

_TAKE: Final = """
INSERT INTO leases (table_id, owner, epoch, until) VALUES (:table, :owner, 1, {now} + :time)
ON CONFLICT (table_id) DO UPDATE
SET owner = excluded.owner, epoch = leases.epoch + 1, until = excluded.until
WHERE leases.until < {now} OR leases.owner = excluded.owner
RETURNING epoch
"""
_RENEW: Final = """
UPDATE leases SET until = {now} + :time WHERE owner = :owner AND until > 0 RETURNING table_id, epoch
"""
_RELEASE: Final = """
UPDATE leases SET until = 0 WHERE table_id = :table AND owner = :owner AND epoch = :epoch
"""


def take(connection: Connection, table: str, owner: str, seconds: float) -> int | None:
    """A new turn, or None while another's lasts. Taking again what one holds begins a new turn too."""
    values = {"table": table, "owner": owner, "time": _microseconds(seconds)}
    epoch: int | None = connection.execute(_with_clock(connection, _TAKE), values).scalar_one_or_none()
    return epoch


def renew(connection: Connection, owner: str, seconds: float) -> dict[str, int]:
    """Every turn the owner still has, longer by so much from now. What is missing was lost."""
    values = {"owner": owner, "time": _microseconds(seconds)}
    return {row.table_id: row.epoch for row in connection.execute(_with_clock(connection, _RENEW), values)}


def release(connection: Connection, table: str, owner: str, epoch: int) -> None:
    """End one's turn; who takes the table next need not wait."""
    values = {"table": table, "owner": owner, "epoch": epoch}
    connection.execute(text(_RELEASE), values)


def _with_clock(connection: Connection, statement: str) -> TextClause:
    return text(statement.format(now=NOW[connection.dialect.name]))


def _microseconds(seconds: float) -> int:
    return round(seconds * 1_000_000)
