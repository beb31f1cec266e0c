"""Two people where authority is given: roles that decide, and ways into accounts that have one.

One administrator who could make a pit manager, or a link for one, could agree with themselves at every table.
So what gives somebody a deciding role, or a way in to whoever has one, waits until a second person agrees; it
then happens at once and is told to all who decide. So does what takes anybody's second factor away. The
second person is another administrator; where there is none, a Table Game Shift Manager. What is done at the
machine itself (the first start, `lammer accounts`) waits for nobody: whoever keeps the machine could change
the record anyhow. It is written down as well.

What waits is kept with what waits at the tables, under a name no table can have.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Connection, and_, insert, select, update
from sqlalchemy.exc import IntegrityError

from lammer.floor.access.accounts import (
    Account,
    Accounts,
    account_exists,
    account_row,
    add,
    end_everything,
    must_be_active,
    must_be_role,
    must_exist,
    new_account,
    note_change,
    set_active,
    set_role,
    with_administrators,
)
from lammer.floor.access.factors import held_factors, no_second_factor, remove_all
from lammer.floor.access.links import HOURS, Links
from lammer.floor.record.contract import Store, is_name
from lammer.floor.record.monotonic_clock import Now, microseconds, moment, utc_now
from lammer.floor.record.people import accounts
from lammer.floor.record.schema import proposals
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES

ADMINISTRATOR: Final = "administrator"
STANDS_IN: Final = "table_game_shift_manager"
"""Who agrees where a house has one administrator."""
AGREES: Final = (ADMINISTRATOR, STANDS_IN)
DECIDING: Final = frozenset((*ROLES[ROLES.index("pit_supervisor") :], ADMINISTRATOR))
"""Roles whose word counts where two people are needed."""
BOOK: Final = "@accounts"
"""In place of a table; no table can be called that."""
DONE: Final = "done"
SHOWN: Final = timedelta(days=7)
MOST_SHOWN: Final = 20

LONGEST_REASON: Final = 200

Action = Literal["create", "role", "link", "enable", "factor"]


@dataclass(frozen=True, slots=True)
class Grant:
    """Something one person asked for about an account, and what a second said."""

    id: str
    does: Action
    account: str
    role: str
    by: str
    asked_at: datetime
    stands: str
    second: str
    decided_at: datetime | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Granted:
    """What came of it: the account, a token where a link was made, or what waits."""

    account: Account | None = None
    token: str = ""
    waits: Grant | None = None


class Grants:
    """Blocks on the database; an event loop asks from a worker thread."""

    def __init__(self, store: Store, of: Accounts, links: Links, now: Now = utc_now) -> None:
        self._store, self._accounts, self._links, self._now = store, of, links, now

    def create(self, name: str, title: str, role: str, *, by: Account) -> Granted:
        """A new account with its first link."""
        account = new_account(name, title, role)
        if role not in DECIDING:
            new = self._accounts.create(name, title, role, by=by.name)
            return Granted(new, self._links.make(new.name, by=by.name))
        with self._store.reading() as connection:
            if connection.scalar(select(accounts.c.name).where(accounts.c.name == account.name)):
                raise account_exists(account.name)
        return self._wait("create", account, by)

    def create_all(self, people: Sequence[Account], *, by: Account) -> list[Granted]:
        """Accounts for all of them with their first links, or for nobody; who decides waits as ever."""
        new = [new_account(person.name, person.title, person.role) for person in people]
        at = microseconds(self._now())

        def work(connection: Connection) -> list[tuple[str, str]]:
            granted = []
            for account in new:
                if account_row(connection, account.name) is not None:
                    raise account_exists(account.name)
                if account.role in DECIDING:
                    granted.append(("", self._ask(connection, "create", account, by, at)))
                else:
                    add(connection, account, by=by.name, at=at)
                    granted.append((self._links.enter(connection, account.name, HOURS, by=by.name), ""))
            return granted

        try:
            granted = self._store.write(work).result()
        except IntegrityError:
            # Somebody else made one of them in the same moment.
            known = {account.name for account in self._accounts.list()}
            raise account_exists(next((one.name for one in new if one.name in known), new[0].name)) from None
        for account in new:
            self._accounts.tell_changed(account.name)
        return [
            Granted(waits=self.find(number)) if number else Granted(account, token)
            for account, (token, number) in zip(new, granted, strict=True)
        ]

    def change_role(self, name: str, role: str, *, by: Account) -> Granted:
        """Another role; one that decides waits for a second person."""
        must_be_role(role)
        account = self._accounts.get(name)
        if role == account.role:
            return Granted(account)
        if role not in DECIDING:
            return Granted(self._accounts.change_role(name, role, by=by.name))
        return self._wait("role", Account(account.name, account.title, role, account.active), by)

    def link(self, name: str, *, by: Account) -> Granted:
        """A link; for whoever decides it waits for a second person."""

        def work(connection: Connection) -> Granted:
            account = must_exist(connection, name)
            must_be_active(account)
            if account.role in DECIDING:
                return Granted(account)
            return Granted(account, self._links.enter(connection, account.name, HOURS, by=by.name))

        granted = self._store.write(work).result()
        assert granted.account is not None, "there is an account or a refusal"
        return granted if granted.token else self._wait("link", granted.account, by)

    def enable(self, name: str, *, by: Account) -> Granted:
        """Let a disabled account in again; one that decides waits for a second person."""
        account = self._accounts.get(name)
        if account.role in DECIDING and not account.active:
            return self._wait("enable", account, by)
        return Granted(self._accounts.enable(name, by=by.name))

    def remove_factor(self, name: str, reason: str, *, by: Account) -> Granted:
        """Take somebody's second factor away, who has lost it. It waits for a second person, for any role."""
        reason_line, account = must_be_reason(reason), self._accounts.get(name)
        with self._store.reading() as connection:
            _must_have_factor(connection, account.name)
        return self._wait("factor", account, by, reason_line)

    def agree(self, number: str, second: Account) -> Granted:
        """A second person agrees, and it happens."""
        at = microseconds(self._now())

        def work(connection: Connection) -> Granted:
            row = self._waiting(connection, number)
            if row.by == second.name:
                raise Refused(
                    "same_person",
                    "{second} asked for this and cannot agree to it too.",
                    next_step="Another person with the same authority has to agree.",
                    second=second.name,
                )
            self._must_be_two(connection, row.by, second.name)
            granted = self._do(connection, row, f"{row.by} and {second.name}", at)
            _decide(connection, number, DONE, second.name, at)
            return granted

        granted = self._store.write(work).result()
        assert granted.account is not None, "what is agreed to is about an account"
        self._accounts.tell_changed(granted.account.name)
        return granted

    def decline(self, number: str, second: Account) -> Grant:
        """Whoever could agree, or asked for it, says no."""
        at = microseconds(self._now())

        def work(connection: Connection) -> None:
            row = self._waiting(connection, number)
            if row.by != second.name:
                self._must_be_two(connection, row.by, second.name, still=False)
            note_change(connection, _fields(row)["name"], f"{row.do} declined", by=second.name, at=at)
            _decide(connection, number, "declined", second.name, at)

        self._store.write(work).result()
        return self.find(number)

    def find(self, number: str) -> Grant:
        found = self._list(proposals.c.id == number) if is_name(number) else []
        if not found:
            raise _unknown()
        return found[0]

    def waiting(self) -> list[Grant]:
        """What waits, the newest first."""
        return self._list(proposals.c.stands == "waiting")

    def notices(self) -> list[Grant]:
        """What was agreed to within the last days, the newest first: for all who decide."""
        since = microseconds(self._now() - SHOWN)
        return self._list(and_(proposals.c.stands == DONE, proposals.c.decided_at >= since))

    def _list(self, which: Any) -> list[Grant]:
        query = select(proposals).where(proposals.c.table_id == BOOK, which)
        query = query.order_by(proposals.c.asked_at.desc(), proposals.c.id).limit(MOST_SHOWN)
        with self._store.reading() as connection:
            return [_grant(row) for row in connection.execute(query)]

    def _wait(self, action: Action, account: Account, by: Account, reason: str = "") -> Granted:
        """Write down what is asked for; asked again while it waits, it is the same."""
        at = microseconds(self._now())
        number = self._store.write(
            lambda connection: self._ask(connection, action, account, by, at, reason)
        ).result()
        return Granted(waits=self.find(number))

    def _ask(
        self, connection: Connection, action: Action, account: Account, by: Account, at: int, reason: str = ""
    ) -> str:
        """The same in the caller's transaction; the number it waits under."""
        fields = {"name": account.name, "title": account.title, "role": account.role}
        fields |= {"reason": reason} if reason else {}
        written = msgspec.json.encode(fields, order="deterministic").decode()
        same = select(proposals.c.id).where(
            proposals.c.table_id == BOOK,
            proposals.c.stands == "waiting",
            proposals.c.by == by.name,
            proposals.c.do == action,
            proposals.c.fields == written,
        )
        there = connection.scalar(same)
        if there is not None:
            return str(there)
        number = secrets.token_hex(8)
        row = {"id": number, "table_id": BOOK, "by": by.name, "role": by.role, "do": action}
        row |= {"fields": written, "stands": "waiting", "second": "", "stood": ""}
        connection.execute(insert(proposals).values(**row, asked_at=at, decided_at=0))
        what = f"removal of the second factor asked for: {reason}"
        if action != "factor":
            what = f"{action} asked for as {account.role}"
        note_change(connection, account.name, what, by=by.name, at=at)
        return number

    def _waiting(self, connection: Connection, number: str) -> Any:
        wanted = select(proposals).where(
            proposals.c.id == number, proposals.c.table_id == BOOK, proposals.c.stands == "waiting"
        )
        row = connection.execute(wanted.with_for_update()).first() if is_name(number) else None
        if row is None:
            raise _unknown()
        return row

    def _must_be_two(self, connection: Connection, first: str, second: str, *, still: bool = True) -> None:
        """Refuse unless the second may agree to what the first asked, who `still` is an administrator."""
        who, administrators = with_administrators(connection, second)
        if still and first not in administrators:
            raise Refused(
                "not_your_role",
                "{first} asked for this and no longer has the right to.",
                next_step="Decline it, and let somebody else ask anew.",
                first=first,
            )
        others = administrators - {first}
        if not (second in others or (who.active and who.role == STANDS_IN and not others)):
            raise Refused(
                "not_your_role",
                "A second administrator agrees to this; a Table Game Shift Manager where there is none.",
                next_step="Ask one of them.",
            )

    def _do(self, connection: Connection, row: Any, by: str, at: int) -> Granted:
        fields = _fields(row)
        name, role = fields["name"], fields["role"]
        match row.do:
            case "create":
                if account_row(connection, name) is not None:
                    raise account_exists(name)
                account = new_account(name, fields["title"], role)
                add(connection, account, by=by, at=at)
                return Granted(account, self._links.enter(connection, name, HOURS, by=by))
            case "link":
                account = must_exist(connection, name)
                if account.role != role:
                    raise Refused(
                        "unknown_proposal",
                        "{name} has another role now.",
                        next_step="Ask for it again.",
                        name=name,
                    )
                return Granted(account, self._links.enter(connection, name, HOURS, by=by))
            case "factor":
                take_factor_away(connection, name, fields["reason"], by=by, at=at)
            case "role":
                set_role(connection, name, role, by=by, at=at)
            case _:
                set_active(connection, name, by=by, at=at)
        return Granted(must_exist(connection, name))


def take_factor_away(connection: Connection, name: str, reason: str, *, by: str, at: int) -> None:
    """An account has no second factor any more, in the caller's transaction; sessions and links end."""
    account = must_exist(connection, name)
    _must_have_factor(connection, account.name)
    remove_all(connection, account.name)
    end_everything(connection, account.name)
    note_change(connection, account.name, f"second factor removed: {reason}", by=by, at=at)


def _must_have_factor(connection: Connection, name: str) -> None:
    if not held_factors(connection, name).any:
        raise no_second_factor(name)


def note_removed_at_machine(
    connection: Connection, account: Account, reason: str, *, by: str, at: int
) -> None:
    """Tell all who decide that a second factor was taken away at the machine, where nobody agreed."""
    fields = {"name": account.name, "title": account.title, "role": account.role, "reason": reason}
    row = {"id": secrets.token_hex(8), "table_id": BOOK, "by": by, "role": "", "do": "factor", "second": ""}
    row |= {"fields": msgspec.json.encode(fields, order="deterministic").decode(), "stands": DONE}
    connection.execute(insert(proposals).values(**row, stood="", asked_at=at, decided_at=at))


def must_be_reason(reason: str) -> str:
    """Why a second factor is taken away, in a line.

    >>> must_be_reason("  The phone fell into the harbour. ")
    'The phone fell into the harbour.'
    """
    line = reason.strip()
    if not line or len(line) > LONGEST_REASON or not line.isprintable():
        raise Refused(
            "reason_needed",
            "Say why the second factor is taken away, in one line.",
            next_step="At most {longest_reason} letters.",
            longest_reason=LONGEST_REASON,
        )
    return line


def _decide(connection: Connection, number: str, stands: str, second: str, at: int) -> None:
    values = {"stands": stands, "second": second, "decided_at": at}
    connection.execute(update(proposals).where(proposals.c.id == number).values(**values))


def _unknown() -> Refused:
    return Refused(
        "unknown_proposal",
        "Nothing of that number waits for a second person.",
        next_step="Look at the list again.",
    )


def _fields(row: Any) -> dict[str, str]:
    fields: dict[str, str] = msgspec.json.decode(row.fields)
    return fields


def _grant(row: Any) -> Grant:
    fields = _fields(row)
    decided = moment(row.decided_at) if row.decided_at else None
    return Grant(
        row.id, row.do, fields["name"], fields["role"], row.by, moment(row.asked_at), row.stands, row.second,
        decided, fields.get("reason", ""),
    )  # fmt: skip
