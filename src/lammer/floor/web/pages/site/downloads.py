"""Files to take away: names that say which table and which round, and events written a page at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final, Literal
from urllib.parse import quote

from lammer.floor.record.exports import Selection, export
from lammer.floor.record.past import PAGE, story
from lammer.floor.views.finding import REACH
from lammer.floor.views.shown_record import ShownRecord
from lammer.rulebook.refusal import Refused

Kind = Literal["csv", "jsonl", "json"]
KINDS: Final[dict[str, Kind]] = {"csv": "csv", "jsonl": "jsonl", "json": "json"}
MEDIA: Final = {
    "csv": "text/csv",
    "jsonl": "application/x-ndjson",
    "json": "application/json",
}


def file_headers(*parts: str, kind: str) -> dict[str, str]:
    """What goes with a file so that a browser keeps it under a name that says what it is.

    >>> file_headers("t 1", "round-12", kind="csv")["Content-Disposition"]
    'attachment; filename="t-1-round-12.csv"'
    """
    name = "-".join(parts)
    plain = "".join(
        character if character.isascii() and (character.isalnum() or character in "-_") else "-"
        for character in name
    )
    disposition = f'attachment; filename="{plain}.{kind}"'
    if not name.isascii():
        disposition += f"; filename*=UTF-8''{quote(f'{name}.{kind}', safe='')}"
    return {
        "Content-Disposition": disposition,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }


@dataclass(frozen=True, slots=True)
class EventSpan:
    """Events of a table to be written out: after one event, up to another; of one round, or of all."""

    record: ShownRecord
    table: str
    after: int
    last: int
    round: int | None = None


def round_span(record: ShownRecord, table: str, number: int, last: int, corrections: int) -> EventSpan:
    """The events of a round, and what was said of it later; it was corrected so many times."""
    events, _ = story(record, table, last, number, 0, REACH, corrections)
    if not events:
        raise no_round(table, number)
    return EventSpan(record, table, events[0].number - 1, events[-1].number, number)


async def write_events(spans: Sequence[EventSpan], kind: Kind) -> AsyncIterator[bytes]:
    """A page at a time, so that a long record needs no more memory than a short one."""
    begun = False
    if kind == "json":
        yield b"[\n"
    for span in spans:
        after = span.after
        while after < span.last:
            part = Selection(
                (span.table,), (after + 1, min(after + PAGE, span.last)), (span.round, span.round)
            )
            out = StringIO()
            await asyncio.to_thread(export, span.record, out, "csv" if kind == "csv" else "jsonl", part)
            yield _joined(out.getvalue(), kind, begun).encode()
            begun, after = begun or bool(out.getvalue()), after + PAGE
    if kind == "json":
        yield b"\n]\n"


def _joined(text: str, kind: Kind, begun: bool) -> str:
    """A piece of the file so that it follows on what was written before."""
    if kind == "csv":
        return text.partition("\n")[2] if begun else text
    if kind == "json":
        # A comma stands before every event but the very first.
        text = text.rstrip("\n").replace("\n", ",\n")
        return f",\n{text}" if text and begun else text
    return text


def no_round(table: str, number: int) -> Refused:
    """That there is no such round at a table."""
    return Refused(
        "unknown_round",
        "Table {table} has no round {number}, or nothing more of it.",
        next_step="Look for it by its time.",
        table=table,
        number=number,
    )
