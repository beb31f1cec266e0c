"""Each table's play of the gaming day, kept up: a look reads only what happened since the last one.

The first look of a day begins where the day does, found by halving; nothing before it is read but the set-up
the first round was played under. A gaming day goes from six in the morning to six, by the table's clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from threading import Lock

from lammer.floor.record.past import PAGE, set_up_of
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.expected_win import ExactChances, Expectation
from lammer.floor.views.finding import first_since
from lammer.floor.views.gaming_day import day_start, gaming_day, zone_of
from lammer.rulebook.model import Rulebook
from lammer.table import events as e
from lammer.table.journal import Entry, decode
from lammer.table.play_figures import PlayFigures, terms_of


@dataclass(slots=True)
class DayPlay:
    """A table's gaming day so far: its figures up to event `number`, and what was to be expected of them."""

    day: date
    number: int
    figures: PlayFigures
    expected: Expectation = Expectation()  # noqa: RUF009 (it never changes)
    worked_out: int = 0


class PlayToday:
    """The figures of every table looked at. It blocks on the database: ask from a worker thread."""

    def __init__(self, books: Mapping[str, Rulebook]) -> None:
        self._chances = ExactChances(books)
        self._days: dict[str, DayPlay] = {}
        self._locks: dict[str, Lock] = {}

    def of(self, view: DurableView, now: datetime) -> DayPlay:
        """What a table has played since its gaming day began, as far as the record holds it.

        Whoever asks gets figures of their own that nobody changes any more.
        """
        with self._locks.setdefault(view.id, Lock()):
            today = self._today(view, now)
            until = view.number
            while today.number < until:
                page = view.store.read(view.id, today.number, min(PAGE, until - today.number))
                if not page:
                    break
                for stored in page:
                    _take(view, today.figures, decode(stored.body))
                    today.number = stored.number
            if today.worked_out != today.figures.changes:
                today.expected = self._chances.expect(today.figures)
                today.worked_out = today.figures.changes
            return replace(today, figures=today.figures.as_they_stand())

    def _today(self, view: DurableView, now: datetime) -> DayPlay:
        zone = zone_of(view)
        day = gaming_day(now, zone)
        known = self._days.get(view.id)
        # A view that has gone back was read anew from another record: nothing known of it holds.
        if known is None or known.day != day or known.number > view.number:
            first = first_since(view.store, view.id, day_start(day, zone))
            known = self._days[view.id] = DayPlay(day, first - 1, PlayFigures(view.books))
        return known


def _take(view: DurableView, figures: PlayFigures, entry: Entry) -> None:
    """Fold the next event; before the first round, say what it is played by."""
    if figures.terms is None and isinstance(entry.event, e.BettingOpened):
        figures.terms = terms_of(set_up_of(view.store, view.id, entry.number, entry.event.set_up))
    figures.take(entry)
