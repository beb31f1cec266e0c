"""What every page says while gaming is stopped, the program is another, or witnesses of the log are behind.

Everybody reads that gaming is stopped; staff and whoever reads everything also why, by whom and at which
tables. Of the program and of witnesses only supervisors, auditors and administrators are told.
"""

from __future__ import annotations

from dataclasses import dataclass

from lammer.floor.record.stops import Stop
from lammer.floor.web.api.stops import PROGRAM_READERS, READERS
from lammer.floor.web.context import AppContext


@dataclass(frozen=True, slots=True)
class Stopped:
    """The stop that holds where a page is about; other stopped tables; differences of the program."""

    table: str = ""
    here: Stop | None = None
    elsewhere: tuple[tuple[str, str], ...] = ()
    differences: int = 0
    told_why: bool = False
    seen: int = 0
    """Witnesses that have seen the log lately, where they are fewer than have to."""
    quorum: int = 0

    @property
    def house(self) -> bool:
        """Whether all gaming is stopped."""
        return self.here is not None and not self.here.table


def stopped_at(context: AppContext, table: str, role: str) -> Stopped:
    """What a reader of that role is told, on a page about that table or, with no name, about none."""
    switch, told_why = context.house.switch, role in READERS
    listed = context.house.tables.listed
    table = table if table in listed else ""
    here, elsewhere = switch.of(table), tuple[tuple[str, str], ...]()
    if told_why and not table and here is None:
        names = sorted(switch.standing)
        elsewhere = tuple((name, listed[name].title if name in listed else name) for name in names)
    differences = len(context.house.program.differences) if role in PROGRAM_READERS else 0
    seen = quorum = 0
    witnesses = context.witnesses
    if witnesses is not None and witnesses.behind and role in PROGRAM_READERS:
        seen, quorum = witnesses.up_to_date(), witnesses.quorum
    return Stopped(table, here, elsewhere, differences, told_why, seen, quorum)
