"""Who deals and supervises: everybody of the staff, who is in, and at which table each last did something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from lammer.floor.access.accounts import Account
from lammer.floor.access.sessions import Session
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import STAFF
from lammer.rulebook.vocabulary import ROLES
from lammer.table.journal import decode

LOOKED_AT: Final = 200
"""Events of a table that are looked at: about its last ten rounds."""


@dataclass(frozen=True, slots=True)
class LastAct:
    """Something a person did: at which table, and when."""

    table: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StaffMember:
    """One of the staff; `seen` is when a page of theirs last asked for something, None if they are not in."""

    account: Account
    seen: datetime | None
    acted: LastAct | None

    @property
    def other_name(self) -> str:
        """What they sign in with, where that is not how they are called."""
        return "" if self.account.title == self.account.name else self.account.name


def last_acts(tables: Iterable[DurableView]) -> dict[str, LastAct]:
    """What each person last did at any of these tables. Blocks on the database."""
    acts: dict[str, LastAct] = {}
    for view in tables:
        for stored in view.store.read(view.id, max(0, view.number - LOOKED_AT), LOOKED_AT):
            entry = decode(stored.body)
            known = acts.get(entry.by)
            if entry.role in STAFF and (known is None or known.at <= entry.at):
                acts[entry.by] = LastAct(view.id, entry.at)
    return acts


def staff_members(
    accounts: Iterable[Account], sessions: Iterable[Session], acts: Mapping[str, LastAct]
) -> list[StaffMember]:
    """The staff, those with the most authority first.

    >>> [member.account.name for member in staff_members([Account("mei", "Mei", "dealer", True),
    ...                                           Account("ada", "Ada", "pit_manager", True),
    ...                                           Account("bo", "Bo", "player", True)], [], {})]
    ['ada', 'mei']
    """
    seen: dict[str, datetime] = {}
    for session in sessions:
        name = session.account.name
        seen[name] = max(seen.get(name, session.seen), session.seen)
    members = [
        StaffMember(account, seen.get(account.name), acts.get(account.name))
        for account in accounts
        if account.role in STAFF
    ]
    return sorted(members, key=lambda member: (-ROLES.index(member.account.role), member.account.name))
