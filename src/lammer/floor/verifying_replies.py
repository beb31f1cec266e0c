"""Kept answers against the events: what a client hears who asks again must be what happened.

An answer names the events it was about and the hash of the last; both are looked up. What it tells of each
event is compared field by field, but for what the asker was not shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, and_, select

from lammer.floor.chain import genesis
from lammer.floor.store.contract import Record
from lammer.floor.store.schema import events, replies

PAGE: Final = 1_000
NOT_SHOWN: Final = frozenset(
    (
        "card",
        "order",
        "salt",
        "laid",
        "carried",
        "detail",
        "placed_by",
        "lines",
        "reversed",
        "posted",
        "returned",
    )
)
"""Fields an asker may see less of than is recorded."""


class _Answer(msgspec.Struct):
    table: str
    events: list[dict[str, Any]]
    version: int | None = None
    waiting: str = ""


def check_replies(record: Record, tables: Collection[str] = ()) -> Iterator[str]:
    """Everything that does not hold of the answers kept for these tables, or for all."""
    last = and_(events.c.table_id == replies.c.table_id, events.c.number == replies.c.last)
    query = select(replies, events.c.body, events.c.hash.label("there")).join_from(
        replies, events, last, isouter=True
    )
    if tables:
        query = query.where(replies.c.table_id.in_(tables))
    with record.reading() as connection:
        for kept in connection.execute(query.execution_options(yield_per=PAGE)):
            doubt = _doubt(connection, kept)
            if doubt is not None:
                yield f"table {kept.table_id}, the answer {kept.key!r} to {kept.client}: {doubt}"


def _doubt(connection: Connection, kept: Row[Any]) -> str | None:
    """What is wrong with one answer."""
    there = kept.there if kept.last else genesis(kept.table_id)
    if there != kept.hash or not kept.last - kept.first + 1 >= 0:
        return f"the record has another event {kept.last}, or none"
    try:
        told = msgspec.json.decode(kept.reply, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return "it cannot be read"
    if told.table != kept.table_id or (told.version is None) != bool(told.waiting):
        return "it is of something else"
    if told.version is not None and told.version != kept.last:
        return f"it tells of version {told.version}, and event {kept.last} was the last"
    bodies = {kept.last: kept.body} if kept.first <= kept.last else {}
    if kept.first < kept.last:
        span = events.c.number.between(kept.first, kept.last)
        found = select(events.c.number, events.c.body).where(events.c.table_id == kept.table_id, span)
        bodies = {row.number: row.body for row in connection.execute(found)}
    for event in told.events:
        number = event.get("number")
        if number not in bodies or not _same(event, bodies[number]):
            return f"it tells of event {number} otherwise than the record"
    return None


def _same(told: dict[str, Any], body: bytes) -> bool:
    """Whether an event as it was told is the one recorded, as far as it was told."""
    try:
        recorded = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return all(
        recorded[name] == value for name, value in told.items() if name in recorded and name not in NOT_SHOWN
    )
