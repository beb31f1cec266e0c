"""How often a sign-in may be tried: the more fail, the longer the next one waits.

Attempts are counted by name and by address, in the database, so that a restart forgives nothing and several
processes count together. An attempt counts as failed from its beginning, in one step with the question
whether it may begin: so a thousand at once are no way round. While one has to wait nothing more is counted,
so nobody can make the wait longer than `LONGEST`; and where a person has come in before, the right password
is looked at also while others have to wait, unless too much failed there under their name: so strangers
elsewhere cannot keep the owner out, nor can whoever tries other names at the same address. But what fails is
answered alike for every name, known there or anywhere or nowhere: the answer tells nobody who has an account,
or who came in where. It knows no passwords, and names and addresses only as marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from time import monotonic
from typing import Final

from sqlalchemy import Connection, and_, delete, func, or_, select, text, tuple_, update

from lammer.floor.access.address_marks import AddressMarks, network
from lammer.floor.record.contract import Store
from lammer.floor.record.monotonic_clock import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    SKEW,
    MonotonicClock,
    Now,
    Ticks,
    utc_now,
)
from lammer.floor.record.people import attempts
from lammer.rulebook.refusal import Refused

FIRST: Final = 5 * SECOND
LONGEST: Final = 15 * MINUTE
FORGOTTEN: Final = HOUR
KNOWN: Final = 30 * DAY
FREE: Final = {"name": 5, "here": 5, "address": 20}
"""Failures before the first wait: of a name, of a name where it is known, of an address."""
MOST_ROWS: Final = 10_000
PRUNE_EVERY: Final = 256


class TooManyAttempts(Refused):
    """Not now; `seconds` is how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "too_many_attempts",
            "Too many sign-ins were tried; the next one may be made in {seconds} seconds."
            if seconds != 1
            else "Too many sign-ins were tried; the next one may be made in {seconds} second.",
            next_step="Wait, or ask an administrator for a sign-in link.",
            seconds=seconds,
        )
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Tally:
    """What is known of a name or an address: how many failed, when last, and until when it waits."""

    kind: str
    mark: str
    failures: int = 0
    last_at: int = 0
    until: int = 0

    def at(self, now: int) -> Tally:
        """As it counts now. What is long past is forgotten, what claims to be to come is not believed."""
        if now - self.last_at > FORGOTTEN or self.last_at > now + SKEW:
            return replace(self, failures=0, until=0)
        return self

    def wait(self, now: int) -> int:
        return max(0, min(self.until - now, LONGEST))

    def one_more(self, now: int) -> Tally:
        failures = self.failures + 1
        return replace(self, failures=failures, last_at=now, until=now + pause(failures - FREE[self.kind]))


def pause(beyond: int) -> int:
    """How long to wait after so many failures beyond the free ones.

    >>> [pause(beyond) // SECOND for beyond in (-1, 0, 1, 2, 7, 8, 900)]
    [0, 5, 10, 20, 640, 900, 900]
    """
    return 0 if beyond < 0 else min(LONGEST, FIRST << min(beyond, 20))


class Throttle:
    """Ask `must_wait` before a password is looked at, then say how it went. Blocks on the database."""

    def __init__(self, store: Store, now: Now = utc_now, *, ticks: Ticks = monotonic) -> None:
        self._store = store
        self._now = MonotonicClock(now, ticks)
        self._marks = AddressMarks(store)
        self._counted = count(1)

    def waiting(self, name: str, address: str) -> int:
        """Seconds until an attempt may be made; 0 if at once. Counts nothing."""
        now = self._now()
        with self._store.reading() as connection:
            counting = _counting(connection, self._keys(name, address), now)
        return _seconds(counting.wait(now))

    def must_wait(self, name: str, address: str) -> int:
        """Refuse, or let an attempt begin, which counts as failed until `succeeded` or `take_back` is called.

        Gives the seconds to state if the attempt fails. They are not 0 where others would have to wait, and
        this person may try because they came in from this address before. The answer must not show that.
        """
        keys, now = self._keys(name, address), self._now()
        with self._store.reading() as connection:
            counting = _counting(connection, keys, now)
        if counting.wait(now):
            raise TooManyAttempts(_seconds(counting.wait_for_all(now)))
        begun, stated_wait = self._store.write(lambda connection: self._begin(connection, keys)).result()
        if next(self._counted) % PRUNE_EVERY == 0:
            self._store.write(lambda connection: prune(connection, self._now())).result()
        if not begun:
            raise TooManyAttempts(_seconds(stated_wait))
        return _seconds(stated_wait)

    def succeeded(self, name: str, address: str, stated_wait: int = 0) -> None:
        """The name's failures are forgiven and it is known at this address; the address gets its one back.

        `stated_wait` is what `must_wait` gave: if it is not 0, nothing was counted for everybody.
        """
        keys = self._keys(name, address)

        def work(connection: Connection) -> None:
            now = self._now()
            counting = _counting(connection, keys, now, lock=True)
            kept = [Tally("here", keys["here"], 0, now, 0)]
            if counting.name_at_address is None:
                tally_of_address, tally_of_name = counting.everybody
                _make_rows(connection, kept)
                kept += [_one_less(tally_of_address), replace(tally_of_name, failures=0, until=0)]
            elif not stated_wait:
                kept += map(_one_less, counting.everybody)
            _keep(connection, kept)

        self._store.write(work).result()

    def mark_known(self, name: str, address: str) -> None:
        """Somebody came in by a link: what strangers do at this address no longer counts against them."""
        mine = Tally("here", self._keys(name, address)["here"], last_at=self._now())

        def work(connection: Connection) -> None:
            _make_rows(connection, [mine])
            _keep(connection, [mine])

        self._store.write(work).result()

    def take_back(self, name: str, address: str, stated_wait: int = 0) -> None:
        """The attempt came to nothing and is not held against anyone: the house was busy, say."""
        keys = self._keys(name, address)

        def work(connection: Connection) -> None:
            counting = _counting(connection, keys, self._now(), lock=True)
            _keep(connection, [_one_less(tally) for tally in counting.counted(stated_wait)])

        self._store.write(work).result()

    def _keys(self, name: str, address: str) -> dict[str, str]:
        typed, place = name.strip().casefold()[:200], network(address)
        return {
            "address": self._marks.mark("address", place),
            "here": self._marks.mark("here", typed, place),
            "name": self._marks.mark("name", typed),
        }

    def _begin(self, connection: Connection, keys: dict[str, str]) -> tuple[bool, int]:
        now = self._now()
        counting = _counting(connection, keys, now, lock=True)
        stated_wait = counting.wait_for_all(now)
        if counting.wait(now):
            return False, stated_wait
        _keep(connection, [tally.one_more(now) for tally in counting.counted(stated_wait)])
        return True, stated_wait


@dataclass(frozen=True, slots=True)
class _Counting:
    """What an attempt is counted on: for everybody by address and name, and by name where that is known."""

    everybody: tuple[Tally, Tally]
    name_at_address: Tally | None

    def counted(self, stated_wait: int) -> list[Tally]:
        """What an attempt counts on: not for everybody where others would have to wait."""
        everybody = [] if stated_wait else [*self.everybody]
        return everybody if self.name_at_address is None else [*everybody, self.name_at_address]

    def wait_for_all(self, now: int) -> int:
        """The wait as everybody is told it, known here or not."""
        return max(tally.wait(now) for tally in self.everybody)

    def wait(self, now: int) -> int:
        """How long nothing is looked at: who is known here waits for their own failures alone."""
        stated_wait = self.wait_for_all(now)
        return (
            stated_wait if self.name_at_address is None or not stated_wait else self.name_at_address.wait(now)
        )


def prune(connection: Connection, now: int) -> None:
    """Forget what no longer counts, and of each kind all but the most failed of `MOST_ROWS`."""
    known_here = attempts.c.kind == "here"
    over = or_(
        and_(attempts.c.last_at < now - FORGOTTEN, ~known_here),
        and_(attempts.c.last_at < now - KNOWN, known_here),
        attempts.c.last_at > now + SKEW,
    )
    key = tuple_(attempts.c.kind, attempts.c.mark)
    # Rows another process is counting on are passed over: they are not old, and nobody waits for anybody.
    old = select(attempts.c.kind, attempts.c.mark).where(over).with_for_update(skip_locked=True)
    connection.execute(delete(attempts).where(key.in_(old)))
    for kind in FREE:
        of_kind = attempts.c.kind == kind
        surplus = (connection.scalar(select(func.count()).where(of_kind)) or 0) - MOST_ROWS
        if surplus > 0:
            least = select(attempts.c.kind, attempts.c.mark).where(of_kind)
            least = least.order_by(attempts.c.failures, attempts.c.last_at).limit(surplus)
            connection.execute(delete(attempts).where(key.in_(least.with_for_update(skip_locked=True))))


def _counting(connection: Connection, keys: dict[str, str], now: int, *, lock: bool = False) -> _Counting:
    if lock:
        _make_rows(connection, [Tally(kind, keys[kind], last_at=now) for kind in ("address", "name")])
    query = select(attempts).where(tuple_(attempts.c.kind, attempts.c.mark).in_(list(keys.items())))
    query = query.order_by(attempts.c.kind)
    rows = connection.execute(query.with_for_update() if lock else query)
    tallies = {row.kind: Tally(*row) for row in rows}
    address, name = (tallies.get(kind, Tally(kind, keys[kind])).at(now) for kind in ("address", "name"))
    name_at_address = tallies.get("here")
    known = name_at_address is not None and -SKEW <= now - name_at_address.last_at <= KNOWN
    return _Counting(
        (address, name), name_at_address.at(now) if name_at_address is not None and known else None
    )


def _make_rows(connection: Connection, tallies: Sequence[Tally]) -> None:
    """Rows to be locked have to be there."""
    statement = text(
        "INSERT INTO attempts (kind, mark, failures, last_at, until)"
        " VALUES (:kind, :mark, 0, :at, 0) ON CONFLICT DO NOTHING"
    )
    connection.execute(
        statement, [{"kind": tally.kind, "mark": tally.mark, "at": tally.last_at} for tally in tallies]
    )


def _keep(connection: Connection, tallies: Sequence[Tally]) -> None:
    for tally in tallies:
        connection.execute(
            update(attempts)
            .where(attempts.c.kind == tally.kind, attempts.c.mark == tally.mark)
            .values(failures=tally.failures, last_at=tally.last_at, until=tally.until)
        )


def _one_less(tally: Tally) -> Tally:
    """An attempt taken back. It could only begin because nothing was to be waited for."""
    return replace(tally, failures=max(0, tally.failures - 1), until=0)


def _seconds(microseconds: int) -> int:
    return -(-microseconds // SECOND)
