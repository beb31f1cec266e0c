"""What readers see of a table: its state and its events as far as the record holds them.

A view moves by what was read from the record, or by what the record says it has written; nothing that is
merely decided can reach it, and whoever decides does so on a copy. Pages, streams and downloads are given
views and never see the table that decides. Only `live_table` may make and move one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from lammer.floor.record.contract import Appended, Record, StoredEvent
from lammer.floor.record.past import ReadBack, recall_round
from lammer.floor.record.revealed import RevealedEvent, reveal
from lammer.rulebook.model import Rulebook
from lammer.table.fold import evolve
from lammer.table.snapshot import freeze, thaw
from lammer.table.state import Table

_MAKER: Final = object()


class DurableView:
    """A table on disk: its state after event `number`, which happened `at`.

    `stopped` says that nothing can be decided there at the moment. It is made by `unread_view` alone:

    >>> DurableView(None, "t1", None, {})
    Traceback (most recent call last):
    TypeError: A view is made by unread_view and read from the record.
    """

    __slots__ = ("__weakref__", "at", "books", "id", "number", "stopped", "store", "table")

    def __init__(self, maker: object, name: str, store: Record, books: Mapping[str, Rulebook]) -> None:
        if maker is not _MAKER:
            raise TypeError("A view is made by unread_view and read from the record.")
        self.id, self.store, self.books = name, store, books
        self.table, self.number = Table(books), 0
        self.at: datetime | None = None
        self.stopped = True

    async def recall(self, number: int) -> None:
        """Have an earlier round at hand, if the table no longer keeps it."""
        await have_at_hand(self, self.table, number)


def unread_view(name: str, store: Record, books: Mapping[str, Rulebook]) -> DurableView:
    """The view of a table nothing was read of yet."""
    return DurableView(_MAKER, name, store, books)


def show_what_was_read(view: DurableView, back: ReadBack) -> None:
    """Show a table as it was read from the record."""
    view.table, view.number, view.at = back.table, back.number, back.at


def show_rows(view: DurableView, page: Sequence[StoredEvent]) -> tuple[RevealedEvent, ...]:
    """Show what was read from the record after the last event shown."""
    shown = []
    for stored in page:
        assert stored.number == view.number + 1, f"event {stored.number} is not the next of table {view.id}"
        entry = view.store.seals.open(view.id, stored.body)
        evolve(view.table, entry.event)
        view.number, view.at = stored.number, entry.at
        shown.append(reveal(view.table, entry))
    return tuple(shown)


def show_written(view: DurableView, appended: Appended, events: Sequence[RevealedEvent]) -> None:
    """Show what the record has just written."""
    expected = (view.id, view.number + 1, view.number + len(events))
    assert (appended.table, appended.first, appended.last) == expected, (
        f"table {view.id} is not at {appended}"
    )
    for revealed in events:
        evolve(view.table, revealed.entry.event)
    view.number, view.at = appended.last, events[-1].entry.at


def copy_of(view: DurableView) -> Table:
    """A table to decide on, which begins where the record stands and shares nothing with the view."""
    return thaw(view.books, freeze(view.table))


async def have_at_hand(view: DurableView, table: Table, number: int) -> None:
    """Have an earlier round of the record at hand for a table that no longer keeps it."""
    if number in table.past or not 0 < number < table.rounds:
        return
    while True:
        counted = table.corrected.get(number, 0)
        past_round = await asyncio.to_thread(
            recall_round, view.store, view.books, view.id, view.number, number, counted
        )
        if table.corrected.get(number, 0) == counted:
            break
    table.recall = lambda wanted, _: past_round if wanted == number else None
