"""Finding rounds in a record: by number, by time, by player; each told in a line.

Neither the time of a table's events nor their round ever goes back, so that a round or a moment is found by
halving, however long the record is. Only a player has to be looked for event by event; then a search stops
after so many events and says where to go on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from lammer.floor.record.contract import Record
from lammer.floor.record.past import PAGE, backwards, story
from lammer.floor.views.viewing import names_open_cards
from lammer.table import events as e
from lammer.table.journal import Entry, decode
from lammer.table.records import PaidLine

REACH: Final = 50_000
"""Events one search goes through before it asks to be told to go on."""
LEAST: Final = 500
"""Events of each table that are gone through, however many tables there are."""


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """What is looked for at a table; everything that is not said is not restricted."""

    number: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    player: str = ""


@dataclass(slots=True)
class RoundSummary:
    """A round in a line: when, how it ended, who played, what was staked and what the House won."""

    number: int
    opened: int
    at: datetime
    state: str = "under way"
    winner: str = ""
    points: int | None = None
    player: tuple[str, ...] = ()
    banker: tuple[str, ...] = ()
    players: set[str] = field(default_factory=set)
    bets: int = 0
    staked: int = 0
    won: int = 0
    corrected: bool = False


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


def rounds(
    record: Record,
    table: str,
    wanted: RoundQuery,
    *,
    below: int | None = None,
    limit: int = 50,
    reach: int | None = None,
) -> tuple[list[RoundSummary], int | None]:
    """Rounds of a table, the newest first, and the event below which to go on; None when that was all.

    A round counts for the time at which it was opened.
    """
    last = record.head(table).number
    if wanted.number is not None:
        entries = [revealed.entry for revealed in story(record, table, last, wanted.number, 0, REACH)[0]]
        return ([summary(entries)] if entries else []), None
    end = last + 1 if below is None else below
    if wanted.until is not None:
        end = min(end, first_since(record, table, wanted.until))
    first = first_since(record, table, wanted.since) if wanted.since is not None else 1
    summaries, go_on = _backwards(record, table, wanted.player, first, end, limit, reach or REACH)
    if summaries and wanted.until is not None:
        # The newest may have gone on beyond that moment.
        whole = story(record, table, last, summaries[0].number, 0, REACH)[0]
        summaries[0] = summary(revealed.entry for revealed in whole)
    return summaries, go_on


def _backwards(
    record: Record, table: str, player: str, first: int, end: int, limit: int, reach: int
) -> tuple[list[RoundSummary], int | None]:
    summaries: list[RoundSummary] = []
    corrected: set[int] = set()
    inside: list[Entry] = []
    for gone, stored in enumerate(backwards(record, table, end - 1), 1):
        if stored.number < first:
            break
        entry = decode(stored.body)
        inside.append(entry)
        if isinstance(entry.event, e.RoundCorrected):
            corrected.add(entry.event.round)
        if not isinstance(entry.event, e.BettingOpened):
            continue
        round_ = summary(reversed(inside))
        round_.corrected = round_.corrected or round_.number in corrected
        inside.clear()
        if not player or player in round_.players:
            summaries.append(round_)
        if len(summaries) >= limit or gone >= reach:
            return summaries, entry.number if entry.number > first else None
    return summaries, None


def summary(all_entries: Iterable[Entry]) -> RoundSummary:
    """A round in a line, from its events; the first of them opened it."""
    entries = iter(all_entries)
    first = next(entries)
    assert isinstance(first.event, e.BettingOpened), "a round begins with its opening"
    round_ = RoundSummary(first.event.round, first.number, first.at)
    for entry in entries:
        event = entry.event
        match event:
            case e.BetPlaced() | e.InsurancePlaced():
                round_.players.add(event.player)
                round_.bets += 1
            case e.RoundSettled():
                round_.state, round_.winner, round_.points = "settled", event.winner, event.points
                round_.player, round_.banker = event.player, event.banker
                round_.staked, round_.won = _money(event.lines)
            case e.SettlementReopened():
                round_.state, round_.corrected = "reopened", True
            case e.RoundVoided():
                round_.state, round_.staked, round_.won = "void", 0, 0
            case e.RoundConcluded():
                round_.state = "concluded"
            case e.RoundCorrected() if event.round == round_.number:
                round_.corrected = True
                round_.state = "void" if event.void else "settled"
                round_.winner, round_.points = event.winner, event.points
                if names_open_cards(event.because):
                    round_.player, round_.banker = event.player, event.banker
                round_.staked += _money(event.posted)[0] - _money(event.reversed)[0]
                round_.won += _money(event.posted)[1] - _money(event.reversed)[1]
            case _:
                pass
    return round_


def _money(lines: Iterable[PaidLine]) -> tuple[int, int]:
    """What was staked and what the House won of it."""
    kept = list(lines)
    return sum(line.stake for line in kept), sum(line.stake - line.returned for line in kept)


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
    record: Record, tables: Collection[str], wanted: RoundQuery, *, limit: int = 50
) -> tuple[list[tuple[str, RoundSummary]], datetime | None]:
    """Rounds of these tables, the newest first; and the moment before which to go on, None at the end.

    For whoever does not know at which table it was. Each table is gone through backwards, all of them
    together no further than one table would be; what is shown ends at the latest moment any of them was
    followed back to, so that no round is left out in between.
    """
    reach = max(LEAST, REACH // max(1, len(tables)))
    table_rounds: list[tuple[str, RoundSummary]] = []
    ends: list[datetime] = []
    for table in tables:
        if len(table_rounds) >= limit and wanted.number is None:
            # What is older than enough others need not be looked for; the next page begins there.
            table_rounds.sort(key=_newest, reverse=True)
            ends.append(table_rounds[limit - 1][1].at)
            wanted = replace(wanted, since=max(ends[-1], wanted.since or ends[-1]))
        summaries, go_on = rounds(record, table, wanted, limit=limit, reach=reach)
        table_rounds += [(table, round_) for round_ in summaries]
        if go_on is not None:
            ends.append(decode(record.read(table, go_on - 1, 1)[0].body).at)
    table_rounds.sort(key=_newest, reverse=True)
    if len(table_rounds) > limit and wanted.number is None:
        ends.append(table_rounds[limit - 1][1].at)
    since = max(ends, default=None)
    # Rounds opened at the very same moment stay together: the next page begins before them.
    return [(table, round_) for table, round_ in table_rounds if since is None or round_.at >= since], since


def _newest(table_round: tuple[str, RoundSummary]) -> tuple[datetime, str]:
    return table_round[1].at, table_round[0]
