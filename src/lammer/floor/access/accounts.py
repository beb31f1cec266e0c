"""Accounts: who may come in, and as what. One person, one account, one role.

A role is the rulebook's word for somebody at a table, or auditor (reads everything, changes nothing) or
administrator (accounts and set-up, no game actions). What a role may do is not decided here. Passwords
are compared and hashed in the caller's thread, never in the writer's; every call but `follow` blocks on the
database, so an event loop asks from a worker thread.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from lammer.floor.access.passwords import Passwords, must_be_strong
from lammer.floor.record.contract import Rows, StoreUnavailable
from lammer.floor.record.monotonic_clock import Now, microseconds, moment, utc_now
from lammer.floor.record.people import (
    account_changes,
    accounts,
    half_sign_ins,
    next_number,
    sessions,
    sign_in_links,
)
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES

ACCOUNT_ROLES: Final = (*ROLES, "auditor", "administrator")
LONGEST_TITLE: Final = 80
ACCOUNT: Final = (accounts.c.name, accounts.c.title, accounts.c.role, accounts.c.disabled_at)
"""The columns `account_of` needs; nobody else has use for the password."""
NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")

_log = logging.getLogger("lammer.floor.access.accounts")


@dataclass(frozen=True, slots=True)
class Account:
    """A person of the house: their name at the sign-in, title and role, and whether they may come in."""

    name: str
    title: str
    role: str
    active: bool


@dataclass(frozen=True, slots=True)
class AccountChange:
    """One line of the book of changes: who did what to which account."""

    number: int
    at: datetime
    by: str
    account: str
    what: str


class SignInFailed(Refused):
    """The name or the password is wrong, and nobody is told which. `account` is for the record alone."""

    def __init__(self, account: Account | None) -> None:
        super().__init__(
            "sign_in_failed",
            "The name or the password is wrong.",
            next_step="Try again, or ask an administrator for a sign-in link.",
        )
        self.account = account


class Accounts:
    """`words` are those of the house's own name, which no password is made of."""

    def __init__(
        self,
        store: Rows,
        now: Now = utc_now,
        passwords: Passwords | None = None,
        words: Collection[str] = (),
    ) -> None:
        self._store = store
        self._words = tuple(words)
        self._now = now
        self._passwords = passwords or Passwords()
        self._followers: list[Callable[[str], None]] = []

    def follow(self, callback: Callable[[str], None]) -> None:
        """Be told the name of every account that was made or changed here."""
        self._followers.append(callback)

    def create(self, name: str, title: str, role: str, *, by: str, password: str | None = None) -> Account:
        """A new account; without a password it is entered by a link first."""
        account = new_account(name, title, role)
        kept = None if password is None else self.keep(account.name, password, account.title)
        at = microseconds(self._now())
        try:
            self._store.write(lambda connection: add(connection, account, by=by, at=at, kept=kept)).result()
        except IntegrityError:
            raise account_exists(account.name) from None
        self.tell_changed(account.name)
        return account

    def keep(self, name: str, password: str, title: str = "") -> str:
        """A password as it is kept, if it is strong enough. Slow."""
        must_be_strong(password, name, (*title.split(), *self._words))
        return self._passwords.hash(password)

    @property
    def comparing_takes(self) -> float:
        """Seconds a comparison took a while ago."""
        return self._passwords.takes

    def check(self, name: str, password: str) -> Account:
        """Whose password this is. The same is done, as slowly, for a name that does not exist."""
        account, kept = self._look(name)
        matches = self._passwords.matches(kept, password)
        if account is None or kept is None or not matches:
            raise SignInFailed(account)
        must_be_active(account)
        if self._passwords.stale(kept):
            self._renew(account.name, kept, self._passwords.hash(password))
        return account

    def has_password(self, name: str) -> bool:
        """Whether somebody has chosen a password, or comes in by links alone."""
        return self._look(name)[1] is not None

    def confirm(self, name: str, password: str) -> Account:
        """The password of somebody who is in, once more. Who has none has come in by a link alone."""
        account, kept = self._look(name)
        if account is not None and kept is None:
            return account
        return self.check(name, password)

    def set_password(self, name: str, new: str, *, old: str) -> Account:
        """Change a password by the old one; every session and link of the account ends.

        Without the old one, a link is the way: `Links.take` takes a new password.
        """
        account, was = self._look(name)
        if not self._passwords.matches(was, old) or account is None:
            raise SignInFailed(account)
        must_be_active(account)
        kept = self.keep(account.name, new, account.title)
        at = microseconds(self._now())

        def work(connection: Connection) -> None:
            row = account_row(connection, account.name)
            if row is None or row.password != was:
                raise SignInFailed(account)
            replace_password(connection, account.name, kept, at=at)

        self._change(account.name, work)
        return account

    def disable(self, name: str, *, by: str) -> Account:
        """Nobody comes in by this account any more, and whoever is in is out."""

        def work(connection: Connection) -> None:
            account, administrators = with_administrators(connection, name)
            if account.active:
                _must_leave_one(administrators, account)
                at = microseconds(self._now())
                _set(connection, account.name, disabled_at=at)
                end_everything(connection, account.name)
                note_change(connection, account.name, "disabled", by=by, at=at)

        return self._change(name, work)

    def enable(self, name: str, *, by: str) -> Account:
        """Let a disabled account in again; nothing that ended comes back."""

        at = microseconds(self._now())
        return self._change(name, lambda connection: set_active(connection, name, by=by, at=at))

    def change_role(self, name: str, role: str, *, by: str) -> Account:
        """Another role; the person signs in anew to take it up."""
        must_be_role(role)
        at = microseconds(self._now())
        return self._change(name, lambda connection: set_role(connection, name, role, by=by, at=at))

    def find(self, name: str) -> Account | None:
        """The account of that name, if there is one."""
        return self._look(name)[0]

    def get(self, name: str) -> Account:
        account, _ = self._look(name)
        if account is None:
            raise _no_such_account()
        return account

    def list(self) -> tuple[Account, ...]:
        with self._store.reading() as connection:
            return tuple(map(account_of, connection.execute(select(*ACCOUNT).order_by(accounts.c.name))))

    def changes(self, after: int = 0, limit: int = 100) -> tuple[AccountChange, ...]:
        """Who did what to which account, oldest first; for auditors."""
        query = select(account_changes).where(account_changes.c.number > after)
        query = query.order_by(account_changes.c.number).limit(min(limit, 1000))
        with self._store.reading() as connection:
            return tuple(
                AccountChange(row.number, moment(row.at), row.made_by, row.account, row.what)
                for row in connection.execute(query)
            )

    def last_change(self) -> int:
        """The number of the last line of that book; 0 before the first."""
        with self._store.reading() as connection:
            return int(connection.scalar(select(func.max(account_changes.c.number))) or 0)

    def _look(self, name: str) -> tuple[Account | None, str | None]:
        """An account and its password as kept. What can be no name is looked for too: it takes as long."""
        query = select(accounts).where(accounts.c.name == (canonical(name) or ""))
        with self._store.reading() as connection:
            row = connection.execute(query).first()
        return (None, None) if row is None else (account_of(row), row.password)

    def _change(self, name: str, work: Callable[[Connection], None]) -> Account:
        called = canonical(name) or ""

        def change_and_read(connection: Connection) -> Account:
            work(connection)
            return account_of(account_row(connection, called))

        account = self._store.write(change_and_read).result()
        self.tell_changed(account.name)
        return account

    def tell_changed(self, name: str) -> None:
        """Tell whoever follows that an account is new or no longer what it was."""
        for callback in self._followers:
            callback(name)

    def _renew(self, name: str, was: str, kept: str) -> None:
        """Keep a password with today's strength. Nobody waits; if it fails, the next sign-in does it."""
        statement = update(accounts).where(accounts.c.name == name, accounts.c.password == was)
        try:
            self._store.write(lambda connection: connection.execute(statement.values(password=kept)).rowcount)
        except StoreUnavailable:
            _log.warning(
                "a password could not be hashed anew with today's strength; the next sign-in tries again"
            )


def canonical(name: str) -> str | None:
    """A name as it is kept; None for what can be none.

    >>> canonical(" Anna.W "), canonical("anna\\x00"), canonical("")
    ('anna.w', None, None)
    """
    plain = name.strip().lower()
    return plain if NAME.fullmatch(plain) else None


def new_account(name: str, title: str, role: str) -> Account:
    """An account that could be made, or why not."""
    must_be_role(role)
    called = canonical(name)
    if called is None:
        raise Refused(
            "malformed_input",
            "An account's name is up to 40 letters a to z, digits, dots, dashes and underscores.",
            next_step="The title may be written in any script.",
        )
    shown = title.strip() or called
    if len(shown) > LONGEST_TITLE or not shown.isprintable():
        raise Refused(
            "malformed_input",
            "A title is printable text of at most {longest_title} letters.",
            longest_title=LONGEST_TITLE,
        )
    return Account(called, shown, role, active=True)


def must_be_role(role: str) -> None:
    if role not in ACCOUNT_ROLES:
        raise Refused(
            "unknown_role",
            "{role} is no role of this house.",
            next_step="Roles are {roles}.",
            role=repr(role[:40]),
            roles=", ".join(ACCOUNT_ROLES),
        )


def must_be_active(account: Account) -> None:
    if not account.active:
        raise Refused(
            "account_disabled",
            "The account {account} is disabled.",
            next_step="Ask an administrator.",
            account=account.name,
        )


def account_of(row: Any) -> Account:
    return Account(row.name, row.title, row.role, row.disabled_at is None)


def account_row(connection: Connection, name: str) -> Any:
    """An account's row, held until the transaction ends: sessions and links are made on what it says."""
    return connection.execute(select(accounts).where(accounts.c.name == name).with_for_update()).first()


def add(connection: Connection, account: Account, *, by: str, at: int, kept: str | None = None) -> None:
    connection.execute(
        insert(accounts).values(
            name=account.name,
            title=account.title,
            role=account.role,
            password=kept,
            made_at=at,
            made_by=by,
            disabled_at=None,
        )
    )
    note_change(connection, account.name, f"created as {account.role}", by=by, at=at)


def set_role(connection: Connection, name: str, role: str, *, by: str, at: int) -> None:
    """Another role, in the caller's transaction; sessions and links of the account end."""
    account, administrators = with_administrators(connection, name)
    if account.role != role:
        _must_leave_one(administrators, account)
        _set(connection, account.name, role=role)
        end_everything(connection, account.name)
        note_change(connection, account.name, f"role {account.role} to {role}", by=by, at=at)


def set_active(connection: Connection, name: str, *, by: str, at: int) -> None:
    """Let a disabled account in again, in the caller's transaction."""
    account = must_exist(connection, name)
    if not account.active:
        _set(connection, account.name, disabled_at=None)
        note_change(connection, account.name, "enabled", by=by, at=at)


def replace_password(connection: Connection, name: str, kept: str, *, at: int) -> None:
    _set(connection, name, password=kept)
    end_everything(connection, name)
    note_change(connection, name, "password changed", by=name, at=at)


def end_everything(connection: Connection, name: str, *, but: str = "") -> tuple[int, int]:
    """Sessions and links of an account are over, and so is whoever is on the way in.

    How many sessions and links there were; the session of the id `but` goes on.
    """
    others = delete(sessions).where(sessions.c.account == name, sessions.c.id != but)
    ended = connection.execute(others).rowcount
    links = connection.execute(delete(sign_in_links).where(sign_in_links.c.account == name)).rowcount
    connection.execute(delete(half_sign_ins).where(half_sign_ins.c.account == name))
    return ended, links


def end_all_but_newest(connection: Connection, kept: Table, since: Column[int], name: str, most: int) -> None:
    """Of what an account may have `most` of, sessions or links, all but the newest are over."""
    of_account = kept.c.account == name
    newest = select(kept.c.digest).where(of_account).order_by(since.desc()).limit(most)
    connection.execute(delete(kept).where(of_account, kept.c.digest.not_in(newest)))


def note_change(connection: Connection, account: str, what: str, *, by: str, at: int) -> None:
    """Write a change down, last in its transaction: it keeps others from the book until that ends."""
    number = next_number(connection, account_changes)
    connection.execute(
        insert(account_changes).values(number=number, at=at, made_by=by, account=account, what=what)
    )


def _set(connection: Connection, name: str, **values: object) -> None:
    connection.execute(update(accounts).where(accounts.c.name == name).values(**values))


def must_exist(connection: Connection, name: str) -> Account:
    row = account_row(connection, canonical(name) or "")
    if row is None:
        raise _no_such_account()
    return account_of(row)


def _no_such_account() -> Refused:
    return Refused("no_such_account", "There is no account of that name.", next_step="Look at the list.")


def account_exists(name: str) -> Refused:
    return Refused(
        "account_exists",
        "There is an account {account} already.",
        next_step="Choose another name.",
        account=name,
    )


def with_administrators(connection: Connection, name: str) -> tuple[Account, set[str]]:
    """An account and the names of those who are administrators now.

    All held, in order: two administrators who disable each other at the same moment are not both obeyed.
    """
    called = canonical(name) or ""
    administers = (accounts.c.role == "administrator") & accounts.c.disabled_at.is_(None)
    query = select(*ACCOUNT).where(or_(accounts.c.name == called, administers)).order_by(accounts.c.name)
    by_name = {row.name: account_of(row) for row in connection.execute(query.with_for_update())}
    if called not in by_name:
        raise _no_such_account()
    administrators = {
        account.name for account in by_name.values() if account.role == "administrator" and account.active
    }
    return by_name[called], administrators


def _must_leave_one(administrators: set[str], account: Account) -> None:
    """A house whose last administrator is gone can let nobody in again."""
    if administrators == {account.name}:
        raise Refused(
            "last_administrator",
            "{account} is the house's last administrator.",
            next_step="Make another one first.",
            account=account.name,
        )
