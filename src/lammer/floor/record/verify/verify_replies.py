"""Kept answers against the events: what a client hears who asks again must be what happened.

An answer names the events it was about and the hash of the last; both are looked up. What it tells of each
event is compared field by field, but for what the asker was not shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, and_, select

from lammer.floor.record.chain import answer, genesis
from lammer.floor.record.contract import Record
from lammer.floor.record.findings import at_event
from lammer.floor.record.schema import CLIENT_OF_TWO, events, proposals, replies
from lammer.rulebook.phrase import Phrase

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
        "recorded_by",
        "lines",
        "reversed",
        "posted",
        "returned",
    )
)
"""Fields an asker may see less of than is recorded."""
CARDS_NOT_SHOWN: Final = {"RoundCorrected": frozenset(("player", "banker"))}
"""The same of one kind of event, where the field of that name is something else in others: a round that was
void before it was dealt to its end is told without its cards.
"""


NAMES: Final = frozenset(("player", "players", "forgone", "continuing"))
"""Fields whose names of other players are left out of what a player is told."""


class _Answer(msgspec.Struct):
    table: str
    events: list[dict[str, Any]]
    version: int | None = None
    waiting: str = ""


def check_replies(
    record: Record, tables: Collection[str] = (), forgotten: Mapping[str, int] | None = None
) -> Iterator[Phrase]:
    """Everything that does not hold of the answers kept for these tables, or for all.

    `forgotten` says up to which event of a table answers may be missing; without it, any may.
    """
    last = and_(events.c.table_id == replies.c.table_id, events.c.number == replies.c.last)
    query = select(replies, events.c.body, events.c.answer, events.c.hash.label("there")).join_from(
        replies, events, last, isouter=True
    )
    if tables:
        query = query.where(replies.c.table_id.in_(tables))
    with record.reading() as connection:
        for kept in connection.execute(query.execution_options(yield_per=PAGE)):
            doubt = _doubt(connection, kept)
            if doubt is not None:
                yield Phrase(
                    "table {table}, the answer {key} to {client}: {doubt}",
                    table=kept.table_id,
                    key=repr(kept.key),
                    client=kept.client,
                    doubt=doubt,
                )
        if forgotten is not None:
            yield from _missing(connection, forgotten)
            yield from _two_people(connection)


def _missing(connection: Connection, forgotten: Mapping[str, int]) -> Iterator[Phrase]:
    """Events that were answered, and whose answer is neither there nor forgotten."""
    answering = (replies.c.table_id == events.c.table_id) & (replies.c.last == events.c.number)
    query = (
        select(events.c.table_id, events.c.number)
        .join_from(events, replies, answering & (replies.c.first <= replies.c.last), isouter=True)
        .where(events.c.answer.is_not(None), replies.c.client.is_(None))
    )
    for table, number in connection.execute(query.execution_options(yield_per=PAGE)):
        if number > forgotten.get(table, 0):
            yield at_event(table, number, Phrase("the answer that was given with it is gone"))


def _two_people(connection: Connection) -> Iterator[Phrase]:
    """What was declined has used up its key, or it could be agreed to after all."""
    taken = (replies.c.client == CLIENT_OF_TWO) & (replies.c.key == proposals.c.id)
    query = (
        select(proposals.c.id, proposals.c.table_id)
        .join_from(proposals, replies, taken, isouter=True)
        .where(proposals.c.stands == "declined", replies.c.client.is_(None))
    )
    for number, table in connection.execute(query):
        yield Phrase(
            "table {table}, what was declined as {number}: its key is free again", table=table, number=number
        )


def _doubt(connection: Connection, kept: Row[Any]) -> Phrase | None:
    """What is wrong with one answer."""
    there = kept.there if kept.last else genesis(kept.table_id)
    if there != kept.hash or not kept.last - kept.first + 1 >= 0:
        return Phrase("the record has another event {number}, or none", number=kept.last)
    try:
        reply = msgspec.json.decode(kept.reply, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Phrase("it cannot be read")
    if reply.table != kept.table_id or (reply.version is None) != bool(reply.waiting):
        return Phrase("it is of something else")
    if reply.version is not None and reply.version != kept.last:
        return Phrase(
            "it tells of version {version}, and event {number} was the last",
            version=reply.version,
            number=kept.last,
        )
    bodies = {kept.last: kept.body} if kept.first <= kept.last else {}
    if kept.first < kept.last:
        span = events.c.number.between(kept.first, kept.last)
        query = select(events.c.number, events.c.body).where(events.c.table_id == kept.table_id, span)
        bodies = {row.number: row.body for row in connection.execute(query)}
    for event in reply.events:
        number = event.get("number")
        if number not in bodies or not _same(event, bodies[number]):
            return Phrase("it tells of event {number} otherwise than the record", number=number)
    if bodies and kept.answer is not None:
        digest = answer(kept.client, kept.key, kept.digest, kept.first, kept.reply)
        if digest != kept.answer:
            return Phrase("it is not the one that was given with event {number}", number=kept.last)
    return None


def _same(shown: dict[str, Any], body: bytes) -> bool:
    """Whether an event as it was told is the one recorded, as far as it was told."""
    try:
        recorded = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    hidden = NOT_SHOWN | CARDS_NOT_SHOWN.get(str(shown.get("event")), frozenset())
    return all(
        recorded[name] == value or (name in NAMES and _left_out(value, recorded[name]))
        for name, value in shown.items()
        if name in recorded and name not in hidden
    )


def _left_out(shown: object, recorded: object) -> bool:
    """Whether names are told as they are recorded, or not at all.

    >>> _left_out("", "ben"), _left_out(["anna", ""], ["anna", "ben"]), _left_out("carl", "ben")
    (True, True, False)
    """
    if isinstance(shown, list) and isinstance(recorded, list):
        return len(shown) == len(recorded) and all(map(_left_out, shown, recorded))
    return shown in ("", recorded)
