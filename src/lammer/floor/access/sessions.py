"""Sessions: who is in. Kept by the house, so that they can be ended by the house.

What the browser carries is kept only as its SHA-256. A session ends when nothing was asked for `idle`, in any
case after `absolute`, and when somebody revokes it. Looking one up costs microseconds: within a second it
is remembered (see `tokens.Recent`), and when it was last seen is written at most once a minute, for all
sessions together. What a session may do is not decided here.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, or_, select, update

from lammer.floor.access.accounts import (
    ACCOUNT,
    Account,
    account_of,
    canonical,
    end_all_but_newest,
    must_be_active,
    must_exist,
    note_change,
)
from lammer.floor.access.address_marks import AddressMarks
from lammer.floor.access.factors import has_factor, held_factors
from lammer.floor.access.half_sign_ins import half_sign_in_over
from lammer.floor.access.tokens import FRESH_SECONDS, Recent, digest, new_id, new_token
from lammer.floor.record.contract import Store, StoreUnavailable
from lammer.floor.record.monotonic_clock import (
    MINUTE,
    SECOND,
    SKEW,
    MonotonicClock,
    Now,
    Ticks,
    moment,
    span,
    utc_now,
)
from lammer.floor.record.people import accounts, sessions

IDLE: Final = timedelta(minutes=30)
ABSOLUTE: Final = timedelta(hours=12)
MOST: Final = 20
"""Sessions an account may have; a further one ends the oldest."""
PAGE: Final = 500

_log = logging.getLogger("lammer.floor.access.sessions")


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is in. `id` names it without giving it away; `seen` is as last read, `address` a mark.

    `factor` is whether the account has a second factor.
    """

    id: str
    account: Account
    csrf: str = field(repr=False)
    started: datetime
    seen: datetime
    address: str = ""
    factor: bool = False

    def allows(self, csrf: str | None) -> bool:
        """Whether a form came from our own page. Takes as long for a wrong one as for the right one."""
        sent = (csrf or "").encode("utf-8", "surrogatepass")
        return bool(self.csrf) and hmac.compare_digest(self.csrf.encode(), sent)


@dataclass(frozen=True, slots=True)
class _KnownSession:
    session: Session
    started: int
    seen: int


class Sessions:
    """`find` and `fresh` may be called from an event loop; the rest blocks on the writer."""

    def __init__(
        self,
        store: Store,
        now: Now = utc_now,
        idle: timedelta = IDLE,
        absolute: timedelta = ABSOLUTE,
        *,
        ticks: Ticks = monotonic,
    ) -> None:
        assert timedelta(0) < idle <= absolute, "a session is idle before it is over"
        self._store = store
        self._now = MonotonicClock(now, ticks)
        self._idle, self._absolute = span(idle), span(absolute)
        self._every = min(MINUTE, self._idle // 4)
        self._marks = AddressMarks(store)
        self._recent: Recent[bytes, _KnownSession] = Recent(ticks)
        self._last_seen: dict[bytes, int] = {}
        self._next = self._now() + self._every

    def start(self, account: Account, address: str, *, without_factor: bool = False) -> tuple[str, Session]:
        """Let somebody in who has shown who they are: the token for the cookie, and the session.

        `without_factor` says that no second factor was asked for; if there is one by now, it has to be.
        """
        token, id_, now = new_token(), new_id(), self._now()
        kept, mark = digest(token), self._marks.address(address)
        assert kept is not None, "a token of ours is one"

        def work(connection: Connection) -> tuple[Account, bool]:
            current = must_exist(connection, account.name)
            must_be_active(current)
            factor = held_factors(connection, current.name).any
            if factor and without_factor:
                raise half_sign_in_over()
            values = {"digest": kept, "id": id_, "account": current.name, "address": mark}
            connection.execute(insert(sessions).values(**values, started=now, seen=now))
            end_all_but_newest(connection, sessions, sessions.c.started, current.name, MOST)
            return current, factor

        current, factor = self._store.write(work).result()
        return token, Session(id_, current, _csrf(token), moment(now), moment(now), mark, factor)

    def find(self, token: str) -> Session | None:
        """Whose request this is, or None. Reads the database where `fresh` knows nothing."""
        key = digest(token)
        if key is None:
            return None
        known = self._recent.get(key) or self._load(key, token)
        return None if known is None else self._use(key, known)

    def fresh(self, token: str) -> Session | None:
        """As `find`, but only what was looked up within the last second; never touches the database.

        It was held against the clock and marked as seen when it was looked up; that is not done again. What
        would be over within that second is not remembered.
        """
        key = digest(token)
        known = None if key is None else self._recent.get(key)
        return None if known is None else known.session

    def revoke(self, id: str, *, by: str = "") -> bool:  # noqa: A002 (what it is called everywhere)
        """End one session, by its id; whether there was one. That somebody else did it is written down."""

        def work(connection: Connection) -> list[bytes]:
            name = connection.scalar(select(sessions.c.account).where(sessions.c.id == id))
            ended = _remove(connection, sessions.c.id == id)
            if by and name is not None:
                note_change(connection, name, "session ended", by=by, at=self._now())
            return ended

        keys = self._store.write(work).result()
        for key in keys:
            self._recent.drop(key)
            self._last_seen.pop(key, None)
        return bool(keys)

    def forget(self, name: str) -> None:
        """Look an account's sessions up anew, since it has changed. Give it to `Accounts.follow`."""
        self._recent.drop_where(lambda known: known.session.account.name == name)

    def list(self, name: str | None = None) -> tuple[Session, ...]:
        """Who is in, those seen last first. Without what only their holders know."""
        query = _WITH_ACCOUNTS.order_by(sessions.c.seen.desc())
        if name is not None:
            query = query.where(sessions.c.account == (canonical(name) or ""))
        now = self._now()
        with self._store.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(
            _session(row, "", max(row.seen, self._last_seen.get(row.digest, 0)))
            for row in rows
            if row.disabled_at is None and not self._is_over(row.started, row.seen, now)
        )

    def good(self) -> set[str]:
        """The ids of all sessions that are not over: those of disabled accounts are gone already. Cheap."""
        now = self._now()
        columns = (sessions.c.id, sessions.c.digest, sessions.c.started, sessions.c.seen)
        with self._store.reading() as connection:
            rows = connection.execute(select(*columns)).all()
        return {
            id_
            for id_, key, started, seen in rows
            if not self._is_over(started, max(seen, self._last_seen.get(key, 0)), now)
        }

    def flush(self) -> None:
        """Write down when sessions were last seen, and remove those that are over. For an orderly stop."""
        for written in self._write_back(self._now()):
            written.result()

    def _use(self, key: bytes, known: _KnownSession) -> Session | None:
        now = self._now()
        if self._is_over(known.started, max(known.seen, self._last_seen.get(key, 0)), now):
            self._recent.drop(key)
            self._last_seen.pop(key, None)
            self._write_aside(lambda connection: _remove(connection, sessions.c.digest == key))
            return None
        self._last_seen[key] = now
        if now >= self._next:
            self._next = now + self._every
            self._write_back(now)
        return known.session

    def _load(self, key: bytes, token: str) -> _KnownSession | None:
        begun, seen_here = self._recent.begin(), self._last_seen.get(key, 0)
        with self._store.reading() as connection:
            row = connection.execute(_WITH_ACCOUNTS.where(sessions.c.digest == key)).first()
        if row is None or row.disabled_at is not None:
            return None
        seen = max(row.seen, seen_here)
        known = _KnownSession(_session(row, _csrf(token), seen), row.started, seen)
        if not self._is_over(row.started, seen, self._now() + round(FRESH_SECONDS * SECOND)):
            self._recent.put(key, known, begun)
        return known

    def _is_over(self, started: int, seen: int, now: int) -> bool:
        return now - started >= self._absolute or now - seen >= self._idle or seen > now + SKEW

    def _write_back(self, now: int) -> tuple[Future[Any], ...]:
        seen = dict(self._last_seen)
        over = or_(
            sessions.c.started <= now - self._absolute,
            sessions.c.seen <= now - self._idle,
            sessions.c.seen > now + SKEW,
        )
        old = sessions.c.digest.in_(select(sessions.c.digest).where(over).with_for_update(skip_locked=True))
        written = self._write_aside(
            lambda connection: _mark_seen(connection, seen), lambda: self._drop_written(seen)
        )
        return (*written, *self._write_aside(lambda connection: _remove(connection, old)))

    def _drop_written(self, seen: Mapping[bytes, int]) -> None:
        for key, at in seen.items():
            if self._last_seen.get(key) == at:
                self._last_seen.pop(key, None)

    def _write_aside(
        self, work: Callable[[Connection], Any], then: Callable[[], None] | None = None
    ) -> tuple[Future[Any], ...]:
        """Write something nobody waits for: if it fails, it is tried again when its time comes round."""

        def done(future: Future[Any]) -> None:
            if future.exception() is not None:
                _log.warning("sessions could not be written: %s", type(future.exception()).__name__)
            elif then is not None:
                then()

        try:
            future = self._store.write(work)
        except StoreUnavailable:
            return ()
        future.add_done_callback(done)
        return (future,)


_WITH_ACCOUNTS: Final = select(sessions, *ACCOUNT, has_factor().label("factor")).join(
    accounts, sessions.c.account == accounts.c.name
)


def _session(row: Any, csrf: str, seen: int) -> Session:
    factor = bool(row.factor)
    return Session(row.id, account_of(row), csrf, moment(row.started), moment(seen), row.address, factor)


def _csrf(token: str) -> str:
    """Follows from the token, which never leaves the cookie; so nothing more has to be kept."""
    return hmac.new(token.encode(), b"lammer: this form is from our own page", sha256).hexdigest()


def _remove(connection: Connection, which: ColumnElement[bool]) -> list[bytes]:
    return list(connection.scalars(delete(sessions).where(which).returning(sessions.c.digest)))


def _mark_seen(connection: Connection, seen: Mapping[bytes, int]) -> None:
    """Rows that somebody is just removing are passed over."""
    keys = sorted(seen)
    statement = update(sessions).where(
        sessions.c.digest == bindparam("of"), sessions.c.seen < bindparam("at")
    )
    for start in range(0, len(keys), PAGE):
        some = select(sessions.c.digest).where(sessions.c.digest.in_(keys[start : start + PAGE]))
        there = connection.scalars(some.with_for_update(skip_locked=True)).all()
        if there:
            connection.execute(
                statement.values(seen=bindparam("at")), [{"of": key, "at": seen[key]} for key in there]
            )
