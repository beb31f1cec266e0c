"""The wall of the pit: every table with its state and its age, its day in figures, and what needs a person.

Win stands beside what the House was to expect, and how far the two are apart as chance goes. Everything is
of the gaming day, by the table's own clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial

from lammer.floor.record.registry import Listed
from lammer.floor.tables.approvals import Proposal
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.expected_win import UNUSUAL, VERY_UNUSUAL
from lammer.floor.views.play_today import DayPlay
from lammer.floor.web.pages.dealer.dealer_view import phase_name
from lammer.floor.web.pages.dealer.pit_calls import ShownCall, calls_at
from lammer.floor.web.pages.pit import pit_view
from lammer.floor.web.pages.site.frame import Say
from lammer.floor.web.pages.site.moments import age
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import MINUS
from lammer.wording.titles import title_of


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that needs a person, and for how long; no age where nobody wrote down when it began."""

    name: str
    words: str
    age: str


@dataclass(frozen=True, slots=True)
class Today:
    """A table's gaming day: amounts in cents, the rest as it is read."""

    rounds: int
    rounds_in_hour: int
    drop: int
    average_bet: int | None
    win: int
    expected: int
    apart: str
    unusual: str

    @property
    def lost(self) -> bool:
        """Whether the House has lost more than it won."""
        return self.win < 0


@dataclass(frozen=True, slots=True)
class WallTable:
    """A table on the wall; `unplayed` counts the shoes that were ended although nobody had played them.

    `today` is None while the record cannot be read.
    """

    listed: Listed
    game: str
    layout: str
    round: int
    phase: str
    phase_name: str
    state_age: str
    calls: Sequence[ShownCall]
    alerts: Sequence[Alert]
    dealer: str
    seated: int
    boxes: int
    waiting: int
    unplayed: int
    closes: bool
    today: Today | None

    @property
    def urgency(self) -> int:
        names = {alert.name for alert in self.alerts}
        if self.calls or {"stopped", "interrupted", "gaming_stopped"} & names:
            return 0
        return 1 if self.waiting else 2 if names else 3


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """A request that waits, in a line: at which table, what, since when."""

    id: str
    table: str
    title: str
    asked: str
    by: str
    age: str


def wall(
    tables: Iterable[tuple[Listed, DurableView, DayPlay | None]],
    waiting: Iterable[Proposal],
    now: datetime,
    language: Language,
    *,
    chips_counted: bool,
    stopped: Collection[str] = (),
) -> list[WallTable]:
    """Every table, those that need a person first, otherwise in the order of the house."""
    counts = Counter(proposal.table for proposal in waiting)
    unsorted = [
        _wall_table(
            listed,
            view,
            day,
            counts[listed.id],
            now,
            language,
            chips_counted,
            gaming=listed.id not in stopped,
        )
        for listed, view, day in tables
    ]
    return sorted(unsorted, key=lambda table: table.urgency)


def _wall_table(
    listed: Listed,
    view: DurableView,
    day: DayPlay | None,
    waiting: int,
    now: datetime,
    language: Language,
    chips_counted: bool,
    *,
    gaming: bool,
) -> WallTable:
    table, this_round, t = view.table, view.table.round, partial(say, language)
    up = table.setup is not None
    phase: str = this_round.phase if this_round is not None else "waiting" if up else "not_set_up"
    if table.closed:
        phase = "closed"
    insuring = this_round is not None and this_round.window is not None and phase == "dealing"
    # Where nothing has happened today, the table has stood so since its last event.
    since = day.figures.state_since if day is not None and day.figures.state_since else view.at
    began: Mapping[str, datetime] = day.figures.alerts if day is not None else {}
    troubles = pit_view.troubles(t, view)
    if not gaming:
        troubles = {"gaming_stopped": t("gaming is stopped"), **troubles}
    return WallTable(
        listed,
        title_of(language, table.book) if up else "",
        table.require_setup().layout if up else "",
        this_round.number if this_round is not None else 0,
        "insurance" if insuring else phase,
        t("Insurance") if insuring else phase_name(t, phase),
        age(t, now - since) if since is not None else "",
        calls_at(table, now, language),
        [
            Alert(name, words, age(t, now - began[name]) if name in began else "")
            for name, words in troubles.items()
        ],
        "" if listed.pace is not None or day is None else day.figures.dealer,
        len(table.seats),
        table.box_count if up else 0,
        waiting,
        table.unplayed,
        table.closing_reason is not None,
        today(day, now, t, chips_counted=chips_counted) if day is not None else None,
    )


def today(day: DayPlay, now: datetime, t: Say, *, chips_counted: bool) -> Today:
    """The figures of a gaming day. Drop is the chips brought; where chips are not counted, the stakes."""
    figures = day.figures
    off = day.expected.deviations(figures.win)
    return Today(
        figures.rounds,
        figures.rounds_in_the_hour(now),
        figures.brought if chips_counted else figures.staked,
        figures.average_bet,
        figures.win,
        day.expected.cents,
        signed(off) if off is not None else "–",
        how_unusual(t, off),
    )


def signed(off: Decimal) -> str:
    """A number of standard deviations with its sign.

    >>> signed(Decimal("1.3")), signed(Decimal("-2.0")), signed(Decimal("0.0"))
    ('+1.3', '−2.0', '0.0')
    """
    return f"+{off}" if off > 0 else str(off).replace("-", MINUS)


def how_unusual(t: Say, off: Decimal | None) -> str:
    """Whether chance alone often leads so far; nothing while it does.

    >>> how_unusual(partial(say, "en"), Decimal("-2.4")), how_unusual(partial(say, "en"), Decimal("1.9"))
    ('unusual', '')
    """
    if off is None or abs(off) < UNUSUAL:
        return ""
    return t("very unusual") if abs(off) >= VERY_UNUSUAL else t("unusual")


def waiting_lines(
    waiting: Iterable[Proposal], listed: Mapping[str, Listed], now: datetime, language: Language
) -> list[WaitingLine]:
    """What waits at any table of the house, the oldest first."""
    t = partial(say, language)
    return [
        WaitingLine(
            proposal.id,
            proposal.table,
            listed[proposal.table].title,
            pit_view.asked_title(proposal, language),
            proposal.by,
            age(t, now - proposal.asked_at),
        )
        for proposal in waiting
        if proposal.table in listed
    ]
