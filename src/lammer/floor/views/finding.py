"""Finding rounds in a record: by number, time and player, by what they came to and what happened in them.

Neither the time of a table's events nor their round ever goes back, so that a round or a moment is found by
halving, however long the record is. Rounds that were void, corrected or irregular are known by their marks.
Anything else has to be looked for event by event; then a search stops after so many events and says where to
go on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

import msgspec

from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.past import PAGE, backwards, story
from lammer.floor.views.round_marks import ANY, RoundMarks
from lammer.floor.views.round_truth import RoundTruth, read_round
from lammer.floor.views.viewing import Viewer
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import Entry, decode

REACH: Final = 50_000
"""Events one search goes through before it asks to be told to go on."""
LEAST: Final = 500
"""Events of each table that are gone through, however many tables there are."""
AUDITING: Final = Viewer("", "auditor")
"""Rounds are looked for by those who read everything, or by a player for themselves."""
_OPENING: Final = b'"event":"BettingOpened"'


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """What is looked for at a table; everything that is not said is not restricted.

    `points` is the winning total, `amount` the least that one bet staked or got back, in cents. A
    `paragraph` stands for those under it too. `irregularity` is a name, or `ANY`.
    """

    number: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    player: str = ""
    winner: str = ""
    points: int | None = None
    natural: bool = False
    void: bool = False
    corrected: bool = False
    irregularity: str = ""
    paragraph: str = ""
    amount: int | None = None

    @property
    def is_marked(self) -> bool:
        """Whether marks say which rounds to look at."""
        return self.void or self.corrected or bool(self.irregularity)

    def fits(self, truth: RoundTruth) -> bool:
        """Whether a round is one that is looked for; its number and its time are not asked here."""
        outcome = truth.outcome
        return (
            (not self.player or self.player in truth.players)
            and self.winner in ("", outcome.winner)
            and self.points in (None, outcome.points)
            and (not self.natural or outcome.natural)
            and (not self.void or outcome.state == "void")
            and (not self.corrected or truth.corrected)
            and self._is_irregular(truth.irregularities)
            and (not self.paragraph or any(map(self._cites, truth.cites)))
            and (self.amount is None or truth.largest >= self.amount)
        )

    def _is_irregular(self, names: Collection[str]) -> bool:
        if not self.irregularity:
            return True
        return bool(names) if self.irregularity == ANY else self.irregularity in names

    def _cites(self, cite: str) -> bool:
        return cite == self.paragraph or cite.startswith(f"{self.paragraph}.")


def first_since(record: Record, table: str, moment: datetime) -> int:
    """The number of the first event at that moment or later; one more than the last where there is none."""
    before, last = 0, record.head(table).number
    while before < last:
        middle = (before + last) // 2
        (stored,) = record.read(table, middle, 1)
        if decode(stored.body).at >= moment:
            last = middle
        else:
            before = middle + 1
    return before + 1


def round_entries(record: Record, table: str, number: int, marks: RoundMarks) -> list[Entry]:
    """The events of a round, and the corrections of it however late; nothing where there is no such round."""
    last = record.head(table).number
    events, _ = story(record, table, last, number, 0, REACH, marks.count(record, table, number))
    return [revealed.entry for revealed in events]


def rounds(
    record: Record,
    table: str,
    wanted: RoundQuery,
    *,
    below: int | None = None,
    limit: int = 50,
    reach: int | None = None,
    marks: RoundMarks | None = None,
    viewer: Viewer = AUDITING,
) -> tuple[list[RoundTruth], int | None]:
    """Rounds of a table, the newest first, and the event below which to go on; None when that was all.

    A round counts for the time at which it was opened.
    """
    marks = marks or RoundMarks()
    if wanted.number is not None:
        entries = round_entries(record, table, wanted.number, marks)
        found = [read_round(entries, viewer)] if entries else []
        return [truth for truth in found if wanted.fits(truth)], None
    end = record.head(table).number + 1
    if below is not None:
        end = min(end, below)
    if wanted.until is not None:
        end = min(end, first_since(record, table, wanted.until))
    first = first_since(record, table, wanted.since) if wanted.since is not None else 1
    walk = _marked if wanted.is_marked else _backwards
    truths: list[RoundTruth] = []
    for gone, opened, entries in walk(record, table, wanted, marks, first, end):
        truth = read_round(entries, viewer) if entries else None
        if truth is not None and wanted.fits(truth):
            truths.append(truth)
        if len(truths) >= limit or gone >= (reach or REACH):
            return truths, opened if opened > first else None
    return truths, None


Walked = tuple[int, int, list[Entry]]
"""How many events were gone through, a round's opening, and its events if it may be one that is wanted."""


def _backwards(
    record: Record, table: str, wanted: RoundQuery, marks: RoundMarks, first: int, end: int
) -> Iterator[Walked]:
    """Every round opened between these events, the newest first."""
    inside: list[StoredEvent] = []
    goes_beyond = wanted.until is not None
    named = b'"player":' + msgspec.json.encode(wanted.player) if wanted.player else b""
    for gone, stored in enumerate(backwards(record, table, end - 1), 1):
        if stored.number < first:
            return
        inside.append(stored)
        if _OPENING not in stored.body:
            continue
        entries = []
        if any(named in event.body for event in inside):
            opening = decode(stored.body).event
            assert isinstance(opening, e.BettingOpened)
            if goes_beyond:
                # The newest may have gone on beyond that moment.
                entries = round_entries(record, table, opening.round, marks)
            else:
                later = marks.corrections(record, table, opening.round, inside[0].number)
                entries = [*(decode(event.body) for event in reversed(inside)), *later]
        goes_beyond = False
        inside.clear()
        yield gone, stored.number, entries


def _marked(
    record: Record, table: str, wanted: RoundQuery, marks: RoundMarks, first: int, end: int
) -> Iterator[Walked]:
    """The rounds between these events that are marked as looked for; the others are not read."""
    with marks.current(record, table) as current:
        numbers = current.rounds(wanted.void, wanted.corrected, wanted.irregularity)
        spans = [(number, *current.span(number)) for number in sorted(numbers, reverse=True)]
    gone = 0
    for number, opened, last in spans:
        if first <= opened < end:
            entries = [decode(stored.body) for stored in record.read(table, opened - 1, last - opened + 1)]
            gone += len(entries)
            yield gone, opened, [*entries, *marks.corrections(record, table, number, last)]


@dataclass(slots=True)
class SetUps:
    """Under which rulebook a table was played when: every set-up of a table, read once and then kept up."""

    known: dict[str, tuple[int, list[tuple[int, str]]]] = field(default_factory=dict)

    def rulebook(self, record: Record, table: str, number: int) -> str:
        """The id of the rulebook a table was set to at an event; empty before the first set-up."""
        until, set_ups = self.known.get(table, (0, []))
        set_ups = list(set_ups)
        while until < number and (page := record.read(table, until, PAGE)):
            for stored in page:
                if b'"event":"TableSet"' in stored.body:
                    event = decode(stored.body).event
                    if isinstance(event, e.TableSet):
                        set_ups.append((stored.number, event.setup.rulebook))
            until = page[-1].number
        self.known[table] = (until, set_ups)
        return next((book for at, book in reversed(set_ups) if at <= number), "")


def house_rounds(
    record: Record,
    tables: Collection[str],
    wanted: RoundQuery,
    *,
    limit: int = 50,
    marks: RoundMarks | None = None,
    viewer: Viewer = AUDITING,
    unread: list[str] | None = None,
) -> tuple[list[tuple[str, RoundTruth]], datetime | None]:
    """Rounds of these tables, the newest first; and the moment before which to go on, None at the end.

    For whoever does not know at which table it was. Each table is gone through backwards, all of them
    together no further than one table would be; what is shown ends at the latest moment any of them was
    followed back to, so that no round is left out in between. A table whose record cannot be read is put into
    `unread`, where that is given, and the others are shown.
    """
    marks = marks or RoundMarks()
    reach = max(LEAST, REACH // max(1, len(tables)))
    table_rounds: list[tuple[str, RoundTruth]] = []
    ends: list[datetime] = []
    for table in tables:
        if len(table_rounds) >= limit and wanted.number is None:
            # What is older than enough others need not be looked for; the next page begins there.
            table_rounds.sort(key=_newest, reverse=True)
            ends.append(table_rounds[limit - 1][1].at)
            wanted = replace(wanted, since=max(ends[-1], wanted.since or ends[-1]))
        try:
            summaries, go_on = rounds(
                record, table, wanted, limit=limit, reach=reach, marks=marks, viewer=viewer
            )
        except Refused:
            if unread is None:
                raise
            unread.append(table)
            continue
        table_rounds += [(table, round_) for round_ in summaries]
        if go_on is not None:
            ends.append(decode(record.read(table, go_on - 1, 1)[0].body).at)
    table_rounds.sort(key=_newest, reverse=True)
    if len(table_rounds) > limit and wanted.number is None:
        ends.append(table_rounds[limit - 1][1].at)
    since = max(ends, default=None)
    # Rounds opened at the very same moment stay together: the next page begins before them.
    return [(table, round_) for table, round_ in table_rounds if since is None or round_.at >= since], since


def _newest(table_round: tuple[str, RoundTruth]) -> tuple[datetime, str]:
    return table_round[1].at, table_round[0]
