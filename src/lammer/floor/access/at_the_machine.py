"""What whoever keeps the machine does about people: see who has an account, let one in, put one out.

For an administrator who is locked out, or must not get in any more. It goes past the sign-in page and not
past the books: every change is written down under the name the machine knows its user by.
"""

from __future__ import annotations

import os
import pwd
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from lammer.floor.access.accounts import (
    Account,
    Accounts,
    account_of,
    end_everything,
    must_exist,
    note_change,
)
from lammer.floor.access.factors import HeldFactors, has_factor, held_factors
from lammer.floor.access.grants import must_be_reason, note_removed_at_machine, take_factor_away
from lammer.floor.access.links import Links
from lammer.floor.record.contract import Record, Rows
from lammer.floor.record.monotonic_clock import Now, microseconds, moment, utc_now
from lammer.floor.record.people import accounts, sessions
from lammer.floor.record.purses import Purses
from lammer.game.money import show
from lammer.rulebook.refusal import Refused


@dataclass(frozen=True, slots=True)
class KnownAccount(Account):
    """An account in a line; `sessions` are those on the books, of which some may just have ended."""

    password: bool
    sessions: int
    seen: datetime | None
    second_factor: bool


@dataclass(frozen=True, slots=True)
class Revoked:
    """What was taken away."""

    sessions: int
    links: int
    password: bool


def machine_user() -> str:
    """Who runs this, as the machine knows them. No account can be called that.

    >>> machine_user().startswith("machine:")
    True
    """
    number = os.getuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        name = str(number)
    return f"machine:{name}"


def known_accounts(record: Record | Rows) -> list[KnownAccount]:
    """Everybody with an account."""
    many, seen = func.count(sessions.c.id).label("many"), func.max(sessions.c.seen).label("seen")
    query = select(accounts, has_factor().label("factor"), many, seen)
    query = query.outerjoin(sessions, sessions.c.account == accounts.c.name)
    with record.reading() as connection:
        rows = connection.execute(query.group_by(accounts.c.name).order_by(accounts.c.name)).all()
    return [
        KnownAccount(
            **asdict(account_of(row)),
            password=row.password is not None,
            sessions=row.many,
            seen=None if row.seen is None else moment(row.seen),
            second_factor=bool(row.factor),
        )
        for row in rows
    ]


def make(store: Rows, name: str, title: str, role: str, *, by: str) -> str:
    """A new account of any role, and its link's token. At the machine nobody has to agree."""
    account = Accounts(store).create(name, title, role, by=by)
    return Links(store).make(account.name, by=by)


def issue_chips(store: Rows, name: str, cents: int, reason: str, *, chips: int, by: str) -> int:
    """Put chips into a player's purse, or with less than 0 redeem some; what the purse holds then, in cents.

    A purse that is not there yet is opened as the house would, with `chips` cents.
    """
    if not chips:
        raise Refused(
            "chips_not_counted",
            "Chips are not counted in this house; there are no purses.",
            next_step="Set LAMMER_CHIPS to what a new purse holds.",
        )
    if not reason.strip():
        raise Refused("reason_needed", "Money is not made without a reason.", next_step="Say why.")
    if not cents:
        raise Refused("not_an_amount", "0.00 is not an amount.")

    def work(connection: Connection) -> int:
        account = must_exist(connection, name)
        purse = Purses(store, chips).issue(connection, account.name, cents)
        change = f"{show(abs(cents))} of chips {'issued' if cents > 0 else 'redeemed'}: {reason.strip()}"
        note_change(connection, account.name, change, by=by, at=microseconds(utc_now()))
        return purse

    return store.write(work).result()


def revoke(store: Rows, name: str, *, by: str, now: Now = utc_now) -> Revoked:
    """Sessions, links and the password of an account are gone; it stays, and a new link lets its owner in."""

    def work(connection: Connection) -> Revoked:
        account = must_exist(connection, name)
        had = connection.scalar(select(accounts.c.password).where(accounts.c.name == account.name))
        ended, links = end_everything(connection, account.name)
        connection.execute(update(accounts).where(accounts.c.name == account.name).values(password=None))
        change = "sessions, links and password revoked"
        note_change(connection, account.name, change, by=by, at=microseconds(now()))
        return Revoked(ended, links, had is not None)

    return store.write(work).result()


def factor_of(record: Record | Rows, name: str) -> HeldFactors:
    """What an account has for a second factor."""
    with record.reading() as connection:
        return held_factors(connection, must_exist(connection, name).name)


def remove_factor(store: Rows, name: str, reason: str, *, by: str) -> None:
    """Somebody's second factor is gone, and their sessions with it; all who decide are told."""
    reason_line, at = must_be_reason(reason), microseconds(utc_now())

    def work(connection: Connection) -> None:
        account = must_exist(connection, name)
        note_removed_at_machine(connection, account, reason_line, by=by, at=at)
        take_factor_away(connection, account.name, reason_line, by=by, at=at)

    store.write(work).result()
