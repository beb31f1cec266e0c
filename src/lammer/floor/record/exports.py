"""Events written out for people and other programs, as JSON lines or as a sheet.

By table, by number, by round and by the time at which things happened; a shift is a span of time. An exported
line carries the event's hash and, in JSON, its body to the byte, so that a chain can be recomputed from it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TextIO

import msgspec

from lammer.floor.record.checkpoints import walk
from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.monotonic_clock import moment
from lammer.floor.record.past import backwards


@dataclass(frozen=True, slots=True)
class Selection:
    """Which events to export; everything that is not said is not restricted. Both ends are included."""

    tables: tuple[str, ...] = ()
    numbers: tuple[int | None, int | None] = (None, None)
    rounds: tuple[int | None, int | None] = (None, None)
    times: tuple[datetime | None, datetime | None] = (None, None)


COLUMNS: Final = ("table", "number", "round", "at", "by", "role", "event", "details", "hash", "written_at")
OPENS: Final = {"BettingOpened", "SettlementReopened"}
ENDS: Final = {"RoundSettled", "RoundVoided", "RoundConcluded"}


def export(
    record: Record, out: TextIO, form: Literal["jsonl", "csv"], selection: Selection | None = None
) -> int:
    """Write the chosen events, one a line; gives their number. Times are those at which things happened."""
    chosen = selection or Selection()
    sheet = csv.writer(out, lineterminator="\n")
    if form == "csv":
        sheet.writerow(COLUMNS)
    written = 0
    for table in chosen.tables or record.tables():
        for event, round_, entry in _select_events(record, table, chosen):
            if form == "jsonl":
                line = {
                    "table": table,
                    "number": event.number,
                    "round": round_,
                    "hash": event.hash.hex(),
                    **({} if event.answer is None else {"answer": event.answer.hex()}),
                    "written_at": moment(event.written_at).isoformat(),
                    "entry": msgspec.Raw(event.body),
                }
                out.write(msgspec.json.encode(line).decode() + "\n")
            else:
                sheet.writerow(_cells(table, event, round_, entry))
            written += 1
    return written


def _select_events(
    record: Record, table: str, chosen: Selection
) -> Iterator[tuple[StoredEvent, int | None, dict[str, Any]]]:
    """The events of a table that were asked for, each with its round: the one it names, or that under way."""
    first, last = chosen.numbers
    after = max(0, (first or 1) - 1)
    under_way = _under_way(record, table, after)
    for event in walk(record, table, after, last):
        entry: dict[str, Any] = msgspec.json.decode(event.body)
        round_ = entry.get("round", under_way)
        if entry["event"] in OPENS:
            under_way = round_
        elif entry["event"] in ENDS:
            under_way = None
        in_round = chosen.rounds == (None, None) or (round_ is not None and _within(round_, chosen.rounds))
        if in_round and _within(datetime.fromisoformat(entry["at"]), chosen.times):
            yield event, round_, entry


def _under_way(record: Record, table: str, after: int) -> int | None:
    """The round that was open after an event, found by looking back."""
    for event in backwards(record, table, after):
        entry = msgspec.json.decode(event.body)
        if entry["event"] in OPENS:
            return int(entry["round"])
        if entry["event"] in ENDS:
            return None
    return None


def _within(value: Any, ends: tuple[Any, Any]) -> bool:
    first, last = ends
    return (first is None or value >= first) and (last is None or value <= last)


def _cells(table: str, event: StoredEvent, round_: int | None, entry: dict[str, Any]) -> list[object]:
    details = {key: value for key, value in entry.items() if key not in COLUMNS}
    cells = (
        table,
        event.number,
        "" if round_ is None else round_,
        entry["at"],
        entry["by"],
        entry["role"],
        entry["event"],
        msgspec.json.encode(details).decode(),
        event.hash.hex(),
        moment(event.written_at).isoformat(),
    )
    # A spreadsheet takes what begins like a formula for one; names are chosen by players.
    return [
        f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" and cell else cell for cell in cells
    ]
