"""Who deals and supervises: everybody of the staff, who is in, and at which table each last did something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from lammer.floor.access.accounts import Account
from lammer.floor.access.sessions import Session
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import STAFF
from lammer.rulebook.vocabulary import ROLES
from lammer.table.journal import decode

LOOKED_AT: Final = 200
"""Events of a table that are looked at: about its last ten rounds."""


@dataclass(frozen=True, slots=True)
class Acted:
    """Something a person did: at which table, and when as the table's clock says."""

    table: str
    at: datetime

    @property
    def day_and_time(self) -> str:
        return f"{self.at:%d.%m. %H:%M}"


@dataclass(frozen=True, slots=True)
class OnStaff:
    """One of the staff; `seen` is when a page of theirs last asked for something, None if they are not in."""

    name: str
    title: str
    role: str
    active: bool
    seen: datetime | None
    acted: Acted | None

    @property
    def other_name(self) -> str:
        """What they sign in with, where that is not how they are called."""
        return "" if self.title == self.name else self.name


def last_acts(tables: Iterable[DurableView]) -> dict[str, Acted]:
    """What each person last did at any of these tables. Blocks on the database."""
    found: dict[str, Acted] = {}
    for view in tables:
        zone = zone_of(view)
        for each in view.store.read(view.id, max(0, view.number - LOOKED_AT), LOOKED_AT):
            entry = decode(each.body)
            known = found.get(entry.by)
            if entry.role in STAFF and (known is None or known.at <= entry.at):
                found[entry.by] = Acted(view.id, entry.at.astimezone(zone))
    return found


def zone_of(view: DurableView) -> ZoneInfo:
    """The clock a table goes by: its document's."""
    return ZoneInfo(view.table.book.time_zone if view.table.setup is not None else "UTC")


def on_staff(
    accounts: Iterable[Account], sessions: Iterable[Session], acts: Mapping[str, Acted]
) -> list[OnStaff]:
    """The staff, those with the most authority first.

    >>> [each.name for each in on_staff([Account("mei", "Mei", "dealer", True),
    ...                                  Account("ada", "Ada", "pit_manager", True),
    ...                                  Account("bo", "Bo", "player", True)], [], {})]
    ['ada', 'mei']
    """
    seen: dict[str, datetime] = {}
    for session in sessions:
        name = session.account.name
        seen[name] = max(seen.get(name, session.seen), session.seen)
    made = [
        OnStaff(each.name, each.title, each.role, each.active, seen.get(each.name), acts.get(each.name))
        for each in accounts
        if each.role in STAFF
    ]
    return sorted(made, key=lambda one: (-ROLES.index(one.role), one.name))
