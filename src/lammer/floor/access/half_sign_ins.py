"""Half sign-ins: somebody has shown a password or a link, and has still to show the second factor.

A half sign-in opens nothing. What the browser carries is kept only as its SHA-256; it is good for some
minutes and some tries, once. Each try gets a challenge of its own for a passkey, so that an answer to an
earlier one is of no use. A new password that came with a link waits here as its hash: a link alone changes
nothing about an account that has a second factor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, or_, select, update

from lammer.floor.access.accounts import (
    ACCOUNT,
    Account,
    account_of,
    account_row,
    end_all_but_newest,
    must_be_active,
    must_exist,
    replace_password,
)
from lammer.floor.access.passkeys import new_challenge
from lammer.floor.access.tokens import digest, new_token
from lammer.floor.record.contract import Rows
from lammer.floor.record.monotonic_clock import (
    MINUTE,
    SKEW,
    MonotonicClock,
    Now,
    Ticks,
    microseconds,
    utc_now,
)
from lammer.floor.record.people import accounts, half_sign_ins
from lammer.rulebook.refusal import Refused

GOOD_FOR: Final = 5 * MINUTE
MOST_TRIES: Final = 5
MOST: Final = 5
"""Half sign-ins an account may have; a further one ends the oldest."""


class FactorNeeded(Refused):
    """The password or link is right; the second factor is missing. `half` is what goes on with it."""

    def __init__(self, half: str) -> None:
        super().__init__(
            "second_factor_needed",
            "This account signs in with a second factor too.",
            next_step="Send the code of your app, or a recovery code, or sign in on the page.",
        )
        self.half = half


@dataclass(frozen=True, slots=True)
class Half:
    """Who is on the way in, and what a passkey has to sign."""

    account: Account
    challenge: bytes = field(repr=False)


class HalfSignIns:
    """Blocks on the database; an event loop asks from a worker thread."""

    def __init__(self, store: Rows, now: Now = utc_now, *, ticks: Ticks = monotonic) -> None:
        self._store = store
        self._wall = now
        self._now = MonotonicClock(now, ticks)

    def start(self, account: Account, password: str | None = None) -> str:
        """A token for somebody who has shown the first half; `password` is a new one's hash, which waits."""
        token, now = new_token(), self._now()

        def work(connection: Connection) -> None:
            must_be_active(must_exist(connection, account.name))
            over = or_(half_sign_ins.c.started <= now - GOOD_FOR, half_sign_ins.c.started > now + SKEW)
            old = select(half_sign_ins.c.digest).where(over).with_for_update(skip_locked=True)
            connection.execute(delete(half_sign_ins).where(half_sign_ins.c.digest.in_(old)))
            row = {"digest": digest(token), "account": account.name, "password": password, "started": now}
            connection.execute(insert(half_sign_ins).values(**row, tries=0, challenge=new_challenge()))
            end_all_but_newest(connection, half_sign_ins, half_sign_ins.c.started, account.name, MOST)

        self._store.write(work).result()
        return token

    def look(self, token: str) -> Half:
        """Who is on the way; it counts as no try. `half_sign_in_over` where it is too late."""
        query = select(half_sign_ins, *ACCOUNT).join(accounts, half_sign_ins.c.account == accounts.c.name)
        with self._store.reading() as connection:
            row = connection.execute(query.where(half_sign_ins.c.digest == (digest(token) or b""))).first()
        if row is None or row.tries >= MOST_TRIES or not self._good(row) or row.disabled_at is not None:
            raise half_sign_in_over()
        return Half(account_of(row), row.challenge)

    def take(self, token: str) -> Half:
        """Use a try up, and the challenge with it: the next try gets another."""
        key = digest(token) or b""

        def work(connection: Connection) -> Half | None:
            row = self._lock_row(connection, key)
            if row is None:
                return None
            if row.tries >= MOST_TRIES or not self._good(row):
                connection.execute(delete(half_sign_ins).where(half_sign_ins.c.digest == key))
                return None
            values = {"tries": row.tries + 1, "challenge": new_challenge()}
            connection.execute(update(half_sign_ins).where(half_sign_ins.c.digest == key).values(**values))
            return Half(account_of(account_row(connection, row.account)), row.challenge)

        half = self._store.write(work).result()
        if half is None:
            raise half_sign_in_over()
        return half

    def finish(self, token: str) -> bool:
        """The second factor was shown: it is used up, and a password that waited is the account's now.

        Whether there was one. Of two who finish at once one is refused.
        """
        key = digest(token) or b""

        def work(connection: Connection) -> Any:
            row = self._lock_row(connection, key)
            if row is not None:
                connection.execute(delete(half_sign_ins).where(half_sign_ins.c.digest == key))
                if row.password is not None:
                    replace_password(connection, row.account, row.password, at=microseconds(self._wall()))
            return row

        row = self._store.write(work).result()
        if row is None:
            raise half_sign_in_over()
        waited: bool = row.password is not None
        return waited

    def drop(self, token: str) -> None:
        """It goes no further."""
        gone = delete(half_sign_ins).where(half_sign_ins.c.digest == (digest(token) or b""))
        self._store.write(lambda connection: connection.execute(gone).rowcount).result()

    def _lock_row(self, connection: Connection, key: bytes) -> Any:
        """A half sign-in, held with its account until the transaction ends; the account first, always."""
        wanted = select(half_sign_ins).where(half_sign_ins.c.digest == key)
        row = connection.execute(wanted).first()
        if row is not None:
            account_row(connection, row.account)
            row = connection.execute(wanted.with_for_update()).first()
        return row

    def _good(self, row: Any) -> bool:
        started: int = row.started
        return -SKEW <= self._now() - started < GOOD_FOR


def half_sign_in_over() -> Refused:
    return Refused(
        "half_sign_in_over",
        "This sign-in took too long, or was tried too often.",
        next_step="Begin again with your name and password.",
    )
