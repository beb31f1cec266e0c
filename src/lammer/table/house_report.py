"""What the tables of a house took: by day, by shift, by table, by bet, by player and by dealer.

A projection of their journals and of nothing else. Money counts for the day on which it moved: a correction
for the day it was made, so that a day that is over never changes. Its dealer is who settled the round, where
that is in the report. Events know no shifts: whoever reads them says which day and shift a moment belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lammer.table import events as e
from lammer.table.journal import Entry
from lammer.table.report import Row, Takings, bet_name, money_posted, row_of

PARTS = ("day", "shift", "table", "bet", "player", "dealer")


@dataclass(slots=True)
class HouseReport:
    """The figures of a house; `parts` holds takings by what they are listed by, then by name."""

    total: Takings = field(default_factory=Takings)
    parts: dict[str, dict[str, Takings]] = field(default_factory=lambda: {part: {} for part in PARTS})
    rounds: int = 0
    _dealers: dict[tuple[str, int], str] = field(default_factory=dict)

    def take(self, table: str, day: str, shift: str, entry: Entry) -> None:
        """Count what an event of a table moved on a day, in a shift."""
        event = entry.event
        if isinstance(event, e.RoundSettled):
            self.rounds += 1
            self._dealers[table, event.round] = entry.by
        elif isinstance(event, e.SettlementReopened | e.RoundCorrected):
            undone = isinstance(event, e.SettlementReopened) or event.void
            self.rounds -= undone and (table, event.round) in self._dealers
        for number, lines, sign in money_posted(event):
            dealer = self._dealers.get((table, number), "")
            for line in lines:
                names = (day, shift, table, bet_name(line), line.player, dealer)
                self.total.add(line, sign)
                for part, name in zip(PARTS, names, strict=True):
                    self.parts[part].setdefault(name, Takings()).add(line, sign)

    def rows(self) -> list[Row]:
        """The same as rows of a table, the total first."""
        rows = [row_of("total", "", self.total)]
        for part, takings in self.parts.items():
            rows += [row_of(part, name, takings[name]) for name in sorted(takings)]
        return rows
