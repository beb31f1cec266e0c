"""Second factors: what people show besides their password. An app that shows codes, passkeys, recovery codes.

The first factor that is set up comes with ten recovery codes, shown once. It ends every other session and
every link of the account: whoever came in without it comes in anew. Codes and signatures count once: which
time step was taken, how often a passkey has signed and which recovery codes are used is in the record, in the
transaction that takes them. Every call blocks on the database; an event loop asks from a worker thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from time import monotonic
from typing import Final, TypeVar

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from lammer.floor.access.accounts import Account, account_row, end_everything, must_exist, note_change
from lammer.floor.access.app_codes import (
    RECOVERY_CODES,
    new_recovery_code,
    new_secret,
    recovery_digest,
    step_at,
    step_of,
)
from lammer.floor.access.passkeys import (
    Party,
    credential_of,
    new_challenge,
    passkey_refused,
    verify_registration,
    verify_signature,
)
from lammer.floor.access.tokens import new_id
from lammer.floor.record.contract import Rows
from lammer.floor.record.monotonic_clock import (
    MINUTE,
    SKEW,
    MonotonicClock,
    Now,
    Ticks,
    microseconds,
    moment,
    utc_now,
)
from lammer.floor.record.people import (
    accounts,
    authenticators,
    challenges,
    passkeys,
    recovery_codes,
)
from lammer.rulebook.refusal import Refused

T = TypeVar("T")

MOST_PASSKEYS: Final = 10
LONGEST_TITLE: Final = 40
GOOD_FOR: Final = 5 * MINUTE
"""How long a challenge for a new passkey may be answered."""


class WrongFactor(Refused):
    """What was shown is not the second factor of the account. `account` is for the record alone."""

    def __init__(self, account: Account) -> None:
        super().__init__(
            "wrong_code",
            "This code is wrong, or was used already.",
            next_step="Wait for the next code of your app, or use a recovery code.",
        )
        self.account = account


class WrongPasskey(WrongFactor):
    """The same of a passkey."""

    def __init__(self, account: Account) -> None:
        refused = passkey_refused()
        Refused.__init__(self, refused.code, refused.sentence, next_step=refused.next_step)
        self.account = account


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey as its owner knows it."""

    id: str
    title: str
    made_at: datetime
    used_at: datetime | None
    credential: bytes


@dataclass(frozen=True, slots=True)
class HeldFactors:
    """What an account has: an app, passkeys, and how many recovery codes are left."""

    app: bool = False
    passkeys: tuple[Passkey, ...] = ()
    recovery_codes: int = 0

    @property
    def any(self) -> bool:
        """Whether it is asked for at a sign-in. Recovery codes alone are none.

        >>> HeldFactors(recovery_codes=3).any, HeldFactors(app=True).any
        (False, True)
        """
        return self.app or bool(self.passkeys)


class Factors:
    """`ended` is told whose other sessions are over; `count` is whether the house asks for any."""

    def __init__(
        self,
        store: Rows,
        now: Now = utc_now,
        *,
        ticks: Ticks = monotonic,
        ended: Callable[[str], None] = lambda _: None,
        count: bool = True,
    ) -> None:
        self._store = store
        self._wall = now
        self._now = MonotonicClock(now, ticks)
        self._ended = ended
        self.count = count

    def of(self, name: str) -> HeldFactors:
        """What an account has."""
        with self._store.reading() as connection:
            return held_factors(connection, name)

    def accounts_with_factor(self) -> frozenset[str]:
        """The names of all accounts that have a second factor."""
        with self._store.reading() as connection:
            return frozenset(connection.scalars(select(accounts.c.name).where(has_factor())))

    def begin_app(self, name: str) -> str:
        """A secret for an app, which counts once a first code was shown. Asked for again, it is another."""
        secret, at = new_secret(), microseconds(self._wall())

        def work(connection: Connection) -> str:
            account_row(connection, name)
            if held_factors(connection, name).app:
                raise Refused(
                    "second_factor_set",
                    "{name} has an authenticator app already.",
                    next_step="Remove that one first.",
                    name=name,
                )
            connection.execute(delete(authenticators).where(authenticators.c.account == name))
            row = {"account": name, "secret": secret, "made_at": at, "confirmed_at": None, "step": 0}
            connection.execute(insert(authenticators).values(**row))
            return secret

        return self._store.write(work).result()

    def waiting_app(self, name: str) -> str:
        """The secret that waits for its first code, if one does: for whoever has mistyped it."""
        waits = (authenticators.c.account == name) & authenticators.c.confirmed_at.is_(None)
        with self._store.reading() as connection:
            return connection.scalar(select(authenticators.c.secret).where(waits)) or ""

    def confirm_app(self, name: str, code: str, session: str) -> list[str]:
        """The first code: from now on the app is asked for. Recovery codes, if it is the first factor."""
        step, at = step_at(self._wall()), microseconds(self._wall())

        def work(connection: Connection) -> list[str]:
            account = must_exist(connection, name)
            of_this = authenticators.c.account == name
            waits = authenticators.c.confirmed_at.is_(None)
            row = connection.execute(select(authenticators).where(of_this, waits)).first()
            taken = None if row is None else step_of(row.secret, code, step, row.step)
            if taken is None:
                raise WrongFactor(account)
            codes = self._begin_first_factor(connection, name, session, at)
            connection.execute(update(authenticators).where(of_this).values(step=taken, confirmed_at=at))
            note_change(connection, name, "authenticator app set up", by=name, at=at)
            return codes

        return self._write_and_tell(name, work)

    def begin_passkey(self, name: str, session: str) -> bytes:
        """A challenge for a new passkey, good once and for some minutes, in this session alone."""
        challenge, now = new_challenge(), self._now()

        def work(connection: Connection) -> bytes:
            if len(held_factors(connection, name).passkeys) >= MOST_PASSKEYS:
                raise Refused(
                    "second_factor_set",
                    "An account has at most {most_passkeys} passkeys.",
                    next_step="Remove one first.",
                    most_passkeys=MOST_PASSKEYS,
                )
            over = or_(challenges.c.made_at <= now - GOOD_FOR, challenges.c.made_at > now + SKEW)
            connection.execute(delete(challenges).where(or_(over, challenges.c.session == session)))
            row = {"session": session, "challenge": challenge, "made_at": now}
            connection.execute(insert(challenges).values(**row))
            return challenge

        return self._store.write(work).result()

    def add_passkey(
        self, account: Account, session: str, party: Party, response: str, title: str
    ) -> list[str]:
        """A new passkey, by what the browser says. Recovery codes, if it is the first factor."""
        name = account.name
        new_passkey = verify_registration(party, self._challenge(session), response)
        at, shown = microseconds(self._wall()), "".join(filter(str.isprintable, title.strip()))

        def work(connection: Connection) -> list[str]:
            must_exist(connection, name)
            codes = self._begin_first_factor(connection, name, session, at)
            row = {"id": new_id(), "account": name, "title": shown[:LONGEST_TITLE], "made_at": at}
            connection.execute(insert(passkeys).values(**row, **asdict(new_passkey), used_at=None))
            note_change(connection, name, "passkey set up", by=name, at=at)
            return codes

        try:
            return self._write_and_tell(name, work)
        except IntegrityError:
            # The passkey is registered already; for which account is not told.
            raise passkey_refused() from None

    def new_recovery_codes(self, name: str) -> list[str]:
        """Ten new ones; those before are no good any more."""
        at = microseconds(self._wall())

        def work(connection: Connection) -> list[str]:
            must_exist(connection, name)
            if not held_factors(connection, name).any:
                raise no_second_factor(name)
            codes = _make_recovery_codes(connection, name, at)
            note_change(connection, name, "recovery codes made anew", by=name, at=at)
            return codes

        return self._store.write(work).result()

    def remove(self, name: str, which: str, session: str) -> None:
        """Take one's own app ("app") or one passkey, by its id, away. Other sessions end."""
        at = microseconds(self._wall())

        def work(connection: Connection) -> None:
            must_exist(connection, name)
            if which == "app":
                gone = delete(authenticators).where(authenticators.c.account == name)
            else:
                gone = delete(passkeys).where(passkeys.c.account == name, passkeys.c.id == which)
            if not connection.execute(gone).rowcount:
                raise no_second_factor(name)
            if not held_factors(connection, name).any:
                connection.execute(delete(recovery_codes).where(recovery_codes.c.account == name))
            end_everything(connection, name, but=session)
            what = "authenticator app" if which == "app" else "passkey"
            note_change(connection, name, f"{what} removed", by=name, at=at)

        self._write_and_tell(name, work)

    def take_code(self, account: Account, code: str) -> None:
        """A code of the app, or a recovery code; each counts once. `WrongFactor` if it is neither."""
        step, at, name = step_at(self._wall()), microseconds(self._wall()), account.name

        def work(connection: Connection) -> bool:
            account_row(connection, name)
            of_this = authenticators.c.account == name
            good = select(authenticators).where(of_this, authenticators.c.confirmed_at.is_not(None))
            row = connection.execute(good).first()
            taken = None if row is None else step_of(row.secret, code, step, row.step)
            if taken is not None:
                connection.execute(update(authenticators).where(of_this).values(step=taken))
                return True
            unused = (recovery_codes.c.account == name) & recovery_codes.c.used_at.is_(None)
            this = recovery_codes.c.digest == recovery_digest(name, code)
            used = connection.execute(update(recovery_codes).where(unused, this).values(used_at=at)).rowcount
            if used:
                note_change(connection, name, "recovery code used", by=name, at=at)
            return bool(used)

        if not self._store.write(work).result():
            raise WrongFactor(account)

    def take_passkey(self, account: Account, party: Party | None, challenge: bytes, response: str) -> None:
        """A passkey of the account that has signed this challenge. `WrongPasskey` if there is none."""
        try:
            if party is None:
                raise passkey_refused()
            which = credential_of(response)
            wanted = select(passkeys).where(
                passkeys.c.account == account.name, passkeys.c.credential == which
            )
            with self._store.reading() as connection:
                row = connection.execute(wanted).first()
            if row is None:
                raise passkey_refused()
            counter = verify_signature(party, challenge, response, row.public_key, row.counter)
        except Refused as refused:
            if refused.code != "passkey_refused":
                raise
            raise WrongPasskey(account) from None
        # Of two who come with the same count one is a copy, or the same answer sent twice.
        same = (passkeys.c.id == row.id) & (passkeys.c.counter == row.counter)
        values = {"counter": counter, "used_at": microseconds(self._wall())}
        statement = update(passkeys).where(same).values(**values)
        if not self._store.write(lambda connection: connection.execute(statement).rowcount).result():
            raise WrongPasskey(account)

    def _challenge(self, session: str) -> bytes:
        """The challenge a session was given; gone with the asking."""
        gone = delete(challenges).where(challenges.c.session == session)
        statement = gone.returning(challenges.c.challenge, challenges.c.made_at)
        row = self._store.write(lambda connection: connection.execute(statement).first()).result()
        if row is None or not -SKEW <= self._now() - row.made_at < GOOD_FOR:
            raise passkey_refused()
        challenge: bytes = row.challenge
        return challenge

    def _begin_first_factor(self, connection: Connection, name: str, session: str, at: int) -> list[str]:
        """What comes with the first factor: recovery codes, and an end to whoever came in without it."""
        if held_factors(connection, name).any:
            return []
        end_everything(connection, name, but=session)
        return _make_recovery_codes(connection, name, at)

    def _write_and_tell(self, name: str, work: Callable[[Connection], T]) -> T:
        result = self._store.write(work).result()
        self._ended(name)
        return result


def held_factors(connection: Connection, name: str) -> HeldFactors:
    """What an account has, in the caller's transaction."""
    app = select(authenticators.c.account).where(
        authenticators.c.account == name, authenticators.c.confirmed_at.is_not(None)
    )
    keys = select(passkeys).where(passkeys.c.account == name).order_by(passkeys.c.made_at, passkeys.c.id)
    left = select(func.count()).where(recovery_codes.c.account == name, recovery_codes.c.used_at.is_(None))
    return HeldFactors(
        connection.execute(app).first() is not None,
        tuple(
            Passkey(
                row.id,
                row.title,
                moment(row.made_at),
                None if row.used_at is None else moment(row.used_at),
                row.credential,
            )
            for row in connection.execute(keys)
        ),
        connection.scalar(left) or 0,
    )


def has_factor() -> ColumnElement[bool]:
    """Whether an account has a second factor: a column for queries over `accounts`."""
    app = exists().where(
        authenticators.c.account == accounts.c.name, authenticators.c.confirmed_at.is_not(None)
    )
    return or_(app, exists().where(passkeys.c.account == accounts.c.name))


def remove_all(connection: Connection, name: str) -> None:
    """An account has no second factor any more."""
    for table in (authenticators, passkeys, recovery_codes):
        connection.execute(delete(table).where(table.c.account == name))


def no_second_factor(name: str) -> Refused:
    return Refused(
        "no_second_factor",
        "{name} has no such second factor.",
        next_step="Look at the list again.",
        name=name,
    )


def _make_recovery_codes(connection: Connection, name: str, at: int) -> list[str]:
    connection.execute(delete(recovery_codes).where(recovery_codes.c.account == name))
    codes = [new_recovery_code() for _ in range(RECOVERY_CODES)]
    rows = [
        {"digest": recovery_digest(name, code), "account": name, "made_at": at, "used_at": None}
        for code in codes
    ]
    connection.execute(insert(recovery_codes), rows)
    return codes
