"""Keys for machines: a shoe reader or a display board, each let in at one table for one purpose.

A key is shown when it is made and kept only as its SHA-256. It does not expire; it is revoked, and a revoked
one stays on the list. Looking one up costs microseconds, as a session does.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any, Final, Literal, get_args

from sqlalchemy import Connection, insert, select, update

from lammer.floor.access.tokens import Recent, digest, new_id, new_token
from lammer.floor.record.contract import Store, must_be_name
from lammer.floor.record.monotonic_clock import Now, Ticks, microseconds, moment, utc_now
from lammer.floor.record.people import api_keys
from lammer.rulebook.refusal import Refused

Purpose = Literal["shoe_reader", "display_board"]
PURPOSES: Final[tuple[Purpose, ...]] = get_args(Purpose)
PREFIX: Final = "lammer_"
"""So that a key left lying about can be recognised by those who search for such things."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A machine's key, without its secret."""

    id: str
    table: str
    purpose: Purpose
    made_at: datetime
    made_by: str
    revoked_at: datetime | None = None
    revoked_by: str = ""

    def serves(self, table: str, purpose: Purpose) -> bool:
        """Whether it is for this, and was not revoked."""
        return self.revoked_at is None and (self.table, self.purpose) == (table, purpose)


class ApiKeys:
    """`find` and `fresh` may be called from an event loop; the rest blocks on the writer."""

    def __init__(self, store: Store, now: Now = utc_now, *, ticks: Ticks = monotonic) -> None:
        self._store = store
        self._now = now
        self._recent: Recent[bytes, ApiKey] = Recent(ticks)

    def make(self, table: str, purpose: Purpose, by: str) -> tuple[str, str]:
        """A new key: its id, and the key itself, which can be seen only now."""
        must_be_name("A table", table)
        if purpose not in PURPOSES:
            raise Refused(
                "unknown_purpose",
                "No key is made for {purpose}.",
                next_step="Keys are for {purposes}.",
                purpose=repr(str(purpose)[:40]),
                purposes=" or ".join(PURPOSES),
            )
        id_, key = new_id(), PREFIX + new_token()
        values = {"id": id_, "digest": digest(key), "table_id": table, "purpose": purpose, "made_by": by}
        statement = insert(api_keys).values(**values, made_at=microseconds(self._now()))
        self._store.write(lambda connection: connection.execute(statement).rowcount).result()
        return id_, key

    def find(self, key: str) -> ApiKey | None:
        """What a key is for, or None if it is none or was revoked."""
        kept = digest(key)
        return None if kept is None else self._recent.get(kept) or self._load(kept)

    def fresh(self, key: str) -> ApiKey | None:
        """As `find`, but only what was looked up within the last second; never touches the database."""
        kept = digest(key)
        return None if kept is None else self._recent.get(kept)

    def revoke(self, id: str, *, by: str = "") -> bool:  # noqa: A002 (what it is called everywhere)
        """End a key, by its id; whether there was one to end."""
        at = microseconds(self._now())

        def work(connection: Connection) -> bytes | None:
            unrevoked = update(api_keys).where(api_keys.c.id == id, api_keys.c.revoked_at.is_(None))
            ended = unrevoked.values(revoked_at=at, revoked_by=by).returning(api_keys.c.digest)
            return connection.scalars(ended).one_or_none()

        ended = self._store.write(work).result()
        if ended is not None:
            self._recent.drop(ended)
        return ended is not None

    def good(self) -> set[str]:
        """The ids of all keys that were not revoked. Cheap."""
        with self._store.reading() as connection:
            return set(connection.scalars(select(api_keys.c.id).where(api_keys.c.revoked_at.is_(None))))

    def list(self) -> tuple[ApiKey, ...]:
        """Every key there ever was, oldest first."""
        query = select(api_keys).order_by(api_keys.c.made_at, api_keys.c.id)
        with self._store.reading() as connection:
            return tuple(map(_key, connection.execute(query)))

    def _load(self, kept: bytes) -> ApiKey | None:
        begun = self._recent.begin()
        query = select(api_keys).where(api_keys.c.digest == kept, api_keys.c.revoked_at.is_(None))
        with self._store.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        api_key = _key(row)
        self._recent.put(kept, api_key, begun)
        return api_key


def _key(row: Any) -> ApiKey:
    revoked_at = None if row.revoked_at is None else moment(row.revoked_at)
    return ApiKey(
        row.id, row.table_id, row.purpose, moment(row.made_at), row.made_by, revoked_at, row.revoked_by or ""
    )
