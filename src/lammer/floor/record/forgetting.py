"""Answers are kept for whoever asks again with the same key, and forgotten after an age; events never are.

An age is time the house was open, by its steady clock, and never what a calendar says: a clock set a week
ahead must not make anybody's bet count twice. Each pass writes a mark into the record: how long the house has
served in all, and how far every table had come. An answer goes when a mark that lies the age back shows that
its table had come as far already. Of several processes one counts; what nobody counted makes answers last
longer, never shorter.

What is old is looked for by a reader and removed a few at a time between the appends: no index has to be kept
up with every bet, and nobody waits for it. Answers to what two people agreed on stay: they say that it has
happened.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

import msgspec
from sqlalchemy import Connection, Table as SqlTable, bindparam, delete, insert, select, text

from lammer.floor.record import row_journal
from lammer.floor.record.contract import Store
from lammer.floor.record.monotonic_clock import SECOND, span
from lammer.floor.record.people import next_number
from lammer.floor.record.schema import CLIENT_OF_TWO, metadata, numbers, replies, texts
from lammer.floor.record.store.reading import TABLES
from lammer.rulebook.refusal import Refused

PASS_SECONDS: Final = 3600.0
"""Seconds between two passes."""
AT_ONCE: Final = 250
"""Answers removed in one transaction; the appends behind it wait a few milliseconds."""

log = logging.getLogger("lammer.floor")

served: Final = SqlTable(
    "served",
    metadata,
    *numbers("number", key=True),
    *numbers("microseconds"),
    *texts("heads"),
)
"""The marks: how long the house had been open in all, and the number of every table's last event then."""

# An answer without events has `first` one beyond its `last`: it counts as old once a later event is old.
_OLD: Final = {
    "sqlite": "SELECT r.client, r.key FROM replies AS r"
    " JOIN json_each((SELECT heads FROM served WHERE number = :mark)) AS h ON h.key = r.table_id"
    " WHERE r.client <> :stays AND r.last <= h.value AND r.first <= h.value",
    "postgresql": "SELECT r.client, r.key FROM replies AS r"
    " JOIN json_each_text((SELECT heads FROM served WHERE number = :mark)::json) AS h ON h.key = r.table_id"
    " WHERE r.client <> :stays AND r.last <= h.value::bigint AND r.first <= h.value::bigint",
}

_remove = delete(replies).where(replies.c.client == bindparam("of"), replies.c.key == bindparam("named"))


@dataclass(slots=True)
class Forgetting:
    """Marks the time served, and forgets what is old. Blocks: for a worker thread, one call at a time."""

    store: Store
    age: timedelta
    steady: Callable[[], float]
    _last_mark: int | None = None
    _at: float = 0.0
    _done: int = 0

    def mark(self) -> None:
        """Write down how long the house was open until now, unless another process does."""
        now = self.steady()
        since = now - self._at
        self._last_mark = self.store.write(partial(self._write_mark, since)).result()
        self._at = now

    def _write_mark(self, since: float, connection: Connection) -> int:
        number = next_number(connection, served)
        last = number - 1
        if last and self._last_mark != last:
            # The last mark is another process's, or this one has just begun: it counts from the next look on.
            return last
        total = connection.scalar(select(served.c.microseconds).where(served.c.number == last)) or 0
        heads = {row.table_id: row.number for row in connection.execute(text(TABLES))}
        values = {
            "number": number,
            "microseconds": total + (round(since * SECOND) if self._last_mark is not None else 0),
            "heads": msgspec.json.encode(heads, order="deterministic").decode(),
        }
        connection.execute(insert(served).values(values))
        return number

    def forget(self) -> int:
        """Remove the answers that were given before the newest mark of that age; how many they were."""
        mark = self._old_enough()
        if mark is None or mark == self._done:
            return 0
        self.store.write(partial(_note_forgotten, mark)).result()
        count = 0
        with self.store.reading() as connection:
            old = text(_OLD[connection.dialect.name])
            paged = connection.execution_options(yield_per=AT_ONCE)
            for page in paged.execute(old, {"mark": mark, "stays": CLIENT_OF_TWO}).partitions(AT_ONCE):
                keys = [{"of": client, "named": key} for client, key in page]
                self.store.write(partial(_remove_answers, keys)).result()
                count += len(keys)
        before = delete(served).where(served.c.number < mark)  # Earlier marks say nothing more.
        self.store.write(lambda connection: connection.execute(before).rowcount).result()
        self._done = mark
        return count

    def _old_enough(self) -> int | None:
        """The newest mark that lies the age back."""
        with self.store.reading() as connection:
            newest = select(served.c.microseconds).order_by(served.c.number.desc()).limit(1)
            total = connection.scalar(newest)
            if total is None:
                return None
            then = select(served.c.number).where(served.c.microseconds <= total - span(self.age))
            return connection.scalar(then.order_by(served.c.number.desc()).limit(1))


def _note_forgotten(mark: int, connection: Connection) -> None:
    """Answers of events up to there may be missing from now on; whatever else is missing was removed."""
    heads = connection.execute(select(served.c.heads).where(served.c.number == mark)).scalar_one()
    body = row_journal.Body(heads=msgspec.json.decode(heads, type=dict[str, int]))
    row_journal.append(connection, row_journal.FORGOTTEN, body)


def _remove_answers(keys: Sequence[dict[str, str]], connection: Connection) -> None:
    connection.execute(_remove, keys)


async def keep_forgetting(store: Store, age: timedelta, steady: Callable[[], float]) -> None:
    """Mark and forget, now and then, until cancelled; only mark, where there is no age.

    The last mark is made at the end: a house that is open for an hour every day counts its hours too.
    """
    forgetting = Forgetting(store, age, steady)
    try:
        while True:
            await _run_logged(forgetting.mark)
            if age and (count := await _run_logged(forgetting.forget)):
                log.info("%s answers older than %s of serving were deleted", count, age)
            await asyncio.sleep(PASS_SECONDS)
    except asyncio.CancelledError:
        await _run_logged(forgetting.mark)
        raise


async def _run_logged(work: Callable[[], int | None]) -> int:
    try:
        return await asyncio.to_thread(work) or 0
    except Refused as refused:
        log.warning("old answers could not be deleted: %s", refused.sentence)
    except Exception:
        log.exception("old answers could not be deleted")
    return 0
