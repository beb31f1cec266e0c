"""One-time sign-in links: how somebody comes in who has no password yet, or has forgotten it.

A link is good once and for some hours. Only its SHA-256 is kept, so it can be shown when it is made and never
again. It may set a new password as it is redeemed. There is no default password anywhere: the first start
makes an administrator who comes in by a link.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, or_, select
from sqlalchemy.exc import IntegrityError

from lammer.floor.access.accounts import (
    ACCOUNT,
    ACCOUNT_ROLES,
    Account,
    Accounts,
    account_of,
    account_row,
    add,
    end_all_but_newest,
    must_be_active,
    must_exist,
    new_account,
    note_change,
    replace_password,
)
from lammer.floor.access.factors import held_factors
from lammer.floor.access.tokens import digest, new_token
from lammer.floor.record.contract import Rows, Store
from lammer.floor.record.monotonic_clock import HOUR, SKEW, MonotonicClock, Now, Ticks, microseconds, utc_now
from lammer.floor.record.people import accounts, sign_in_links
from lammer.rulebook.refusal import Refused
from lammer.table.roles import title

HOURS: Final = 24.0
LONGEST_HOURS: Final = 7 * 24
MOST: Final = 5
"""Links an account may have open; a further one ends the oldest."""
FIRST: Final = "administrator"
STARTING: Final = "first start"


@dataclass(frozen=True, slots=True)
class UsedLink:
    """Whose link was used up; `waits` is the hash of a new password that waits for the second factor."""

    account: Account
    waits: str | None = field(default=None, repr=False)


class Links:
    """Blocks on the database; an event loop asks from a worker thread. `keeper` takes new passwords."""

    def __init__(
        self, store: Rows, now: Now = utc_now, *, keeper: Accounts | None = None, ticks: Ticks = monotonic
    ) -> None:
        self._store = store
        self._wall = now
        self._now = MonotonicClock(now, ticks)
        self._keeper = keeper

    def make(self, name: str, hours: float = HOURS, *, by: str = "") -> str:
        """A token that lets the account in once. This is the only time it can be seen."""
        if not 0 < hours <= LONGEST_HOURS:
            raise Refused(
                "malformed_input",
                "A link is good for at most {longest_hours} hours.",
                longest_hours=LONGEST_HOURS,
            )
        return self._store.write(lambda connection: self.enter(connection, name, hours, by=by)).result()

    def enter(self, connection: Connection, name: str, hours: float, *, by: str) -> str:
        """Make a link in the caller's transaction."""
        account = must_exist(connection, name)
        must_be_active(account)
        token, now = new_token(), self._now()
        _sweep(connection, now)
        values = {"digest": digest(token), "account": account.name, "made_at": now}
        connection.execute(insert(sign_in_links).values(**values, until=now + round(hours * HOUR)))
        end_all_but_newest(connection, sign_in_links, sign_in_links.c.made_at, account.name, MOST)
        note_change(connection, account.name, "link made", by=by, at=microseconds(self._wall()))
        return token

    def look(self, token: str) -> Account | None:
        """Whose link this is if it is good; it stays so. For the page that asks for a new password."""
        row = self._row(token)
        good = row is not None and row.disabled_at is None and self._good(row.linked_at, row.until)
        return account_of(row) if good else None

    def take(self, token: str, password: str | None = None, *, factors: bool = False) -> UsedLink:
        """Let somebody in by their link, which is used up by it; of two at once one is refused.

        With a new password every session and other link of the account ends. One that is too weak is refused
        before the link is used up. Where second `factors` count, an account that has one keeps its password
        for now.
        """
        row, kept = self._row(token), None
        if row is None:
            raise _not_valid()
        if password is not None:
            assert self._keeper is not None, "new passwords need somebody who keeps them"
            kept = self._keeper.keep(row.name, password, row.title)
        taken = self._store.write(
            lambda connection: self._use(connection, row.name, token, kept, factors)
        ).result()
        if taken is None:
            raise _not_valid()
        if kept is not None and taken.waits is None and self._keeper is not None:
            self._keeper.tell_changed(taken.account.name)
        return taken

    def _row(self, token: str) -> Any:
        query = select(*ACCOUNT, sign_in_links.c.made_at.label("linked_at"), sign_in_links.c.until)
        query = query.join(sign_in_links, sign_in_links.c.account == accounts.c.name)
        with self._store.reading() as connection:
            return connection.execute(query.where(sign_in_links.c.digest == (digest(token) or b""))).first()

    def _use(
        self, connection: Connection, name: str, token: str, kept: str | None, factors: bool
    ) -> UsedLink | None:
        """Take a link out; what is no good is removed as well, so that nothing can bring it back."""
        row = account_row(connection, name)
        used = delete(sign_in_links).where(sign_in_links.c.digest == digest(token))
        link = connection.execute(used.returning(sign_in_links.c.made_at, sign_in_links.c.until)).first()
        _sweep(connection, self._now())
        if link is None or not self._good(link.made_at, link.until) or row.disabled_at is not None:
            return None
        if kept is not None and factors and held_factors(connection, name).any:
            return UsedLink(account_of(row), kept)
        if kept is not None:
            replace_password(connection, name, kept, at=microseconds(self._wall()))
        return UsedLink(account_of(row))

    def _good(self, made_at: int, until: int) -> bool:
        now = self._now()
        return made_at <= now + SKEW and now < until


def first_links(store: Store, now: Now = utc_now, *, demo: bool = False) -> list[tuple[str, str, str]]:
    """Links to be printed at a start, as (name, role, token).

    A house without accounts gets an administrator and, with `demo`, an account for every other role. As long
    as no administrator has chosen a password each start gives a new link, so that losing one locks nobody
    out; with `demo` the same goes for the other first accounts.
    """
    links = Links(store, now)

    def work(connection: Connection) -> list[tuple[str, str, str]]:
        if connection.execute(select(accounts).limit(1)).first() is None:
            for role in ACCOUNT_ROLES if demo else (FIRST,):
                account = new_account(role, title(role), role)
                add(connection, account, by=STARTING, at=microseconds(now()))
        return [
            (row.name, row.role, links.enter(connection, row.name, HOURS, by=STARTING))
            for row in _without_password(connection, demo=demo)
        ]

    try:
        return store.write(work).result()
    except IntegrityError:
        # Another process started at the same moment and made the accounts; now they are there.
        return store.write(work).result()


def _without_password(connection: Connection, *, demo: bool) -> list[Any]:
    query = select(accounts).where(accounts.c.disabled_at.is_(None)).order_by(accounts.c.name)
    rows = connection.execute(query.with_for_update()).all()
    locked_out = not any(row.role == FIRST and row.password is not None for row in rows)
    wanted = [row for row in rows if row.password is None and row.made_by == STARTING]
    return [row for row in wanted if (locked_out if row.role == FIRST else demo)]


def _not_valid() -> Refused:
    return Refused(
        "link_not_valid",
        "This sign-in link was used already, is too old, or never was one.",
        next_step="Ask an administrator for a new one.",
    )


def _sweep(connection: Connection, now: int) -> None:
    over = or_(sign_in_links.c.until <= now, sign_in_links.c.made_at > now + SKEW)
    old = select(sign_in_links.c.digest).where(over).with_for_update(skip_locked=True)
    connection.execute(delete(sign_in_links).where(sign_in_links.c.digest.in_(old)))
