"""Events and state as bytes, the same on every machine: what is written down, compared and replayed.

An `Entry` is an event with who caused it and when. `encode` and `decode` undo each other, to the byte.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, is_dataclass
from datetime import datetime
from typing import Any, Final, get_args

import msgspec

from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table.commands import Call, Interrupt
from lammer.table.events import Event
from lammer.table.fold import evolve
from lammer.table.play import record
from lammer.table.records import field_names
from lammer.table.state import OVER, Table

EVENTS: dict[str, type] = {kind.__name__: kind for kind in get_args(Event)}


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as it is written down."""

    number: int
    at: datetime
    by: str
    role: str
    event: Event


def entries(table: Table, call: Call, number: int) -> tuple[Entry, ...]:
    """Decide, fold, and hand out the entries to write down; `number` is that of the first."""
    events = record(table, call)
    return tuple(
        Entry(number + offset, call.at, call.by, call.role, event) for offset, event in enumerate(events)
    )


def encode(entry: Entry) -> bytes:
    """One line of the journal."""
    return msgspec.json.encode(
        {
            "number": entry.number,
            "at": entry.at.isoformat(),
            "by": entry.by,
            "role": entry.role,
            "event": type(entry.event).__name__,
            **msgspec.to_builtins(entry.event),
        }
    )


class _Head(msgspec.Struct):
    """What stands before the fields of the event in its line."""

    number: int
    at: str
    by: str
    role: str
    event: str


_decode_head = msgspec.json.Decoder(_Head).decode
_DECODE: Final[dict[str, Callable[[bytes], Any]]] = {
    name: msgspec.json.Decoder(kind).decode for name, kind in EVENTS.items()
}


def decode(line: bytes) -> Entry:
    """A line of the journal read back; anything else is `malformed_input`."""
    try:
        head = _decode_head(line)
        event: Event = _DECODE[head.event](line)
        return Entry(head.number, datetime.fromisoformat(head.at), head.by, head.role, event)
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise Refused("malformed_input", "This is not a line of a journal: {error}.", error=error) from None


def replay(books: Mapping[str, Rulebook], lines: Iterable[Entry]) -> Table:
    """The table the events add up to."""
    table = Table(books)
    for entry in lines:
        evolve(table, entry.event)
    return table


def come_back(table: Table, at: datetime, number: int) -> tuple[Entry, ...]:
    """After our own stop: a round that was under way comes back interrupted and waits for a person.

    `number` is that of the next entry; between rounds there is nothing to say.
    """
    this_round = table.round
    if this_round is None or this_round.phase in OVER or this_round.interrupted:
        return ()
    call = Call("system", "dealer", at, Interrupt("the system stopped"))
    return entries(table, call, number)


def snapshot(table: Table) -> bytes:
    """The whole state as JSON to look at and to compare, in one order; the rulebooks by their ids alone.

    It says more than it has to and cannot be read back: that is what `freeze` and `thaw` are for.
    """
    return msgspec.json.encode(_to_plain(table))


_HANDED_IN = ("books", "recall")
"""What a table is handed in and is no part of its state."""


def _to_plain(value: Any) -> Any:
    if is_dataclass(value) or isinstance(value, msgspec.Struct):
        parts = {
            name: getattr(value, name, None) for name in field_names(type(value)) if name not in _HANDED_IN
        }
        return {
            name: _to_plain(part) for name, part in parts.items() if not isinstance(part, Rulebook | Layout)
        }
    if isinstance(value, Counter):
        return sorted((str(key), count) for key, count in value.items() if count)
    if isinstance(value, Mapping):
        return [[_to_plain(key), _to_plain(item)] for key, item in value.items()]
    if isinstance(value, set | frozenset):
        return sorted(str(item) for item in value)
    if isinstance(value, list | tuple | deque):
        return [_to_plain(item) for item in value]
    return value
