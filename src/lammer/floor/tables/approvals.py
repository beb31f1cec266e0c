"""Two people where it matters: what one has asked for waits here until another agrees or declines.

What waits is kept in the record, so that a stop does not lose it. An agreement is written down before it is
asked of the table, so that nobody can decline what is already happening; and it is asked under a key of its
own, so that it happens once whatever happens in between.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Connection, Insert, Row, exists, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from lammer.floor.record.chain import SIZE, genesis
from lammer.floor.record.contract import Key, KeyReused, Store, is_name
from lammer.floor.record.monotonic_clock import microseconds, moment
from lammer.floor.record.people import accounts
from lammer.floor.record.schema import CLIENT_OF_TWO, proposals, replies
from lammer.floor.tables.command_request import CommandRequest
from lammer.rulebook.refusal import Refused

Stands = Literal["waiting", "agreed", "declined"]

MOST_LISTED: Final = 200

_NOW_ANOTHER: Final = exists().where(
    accounts.c.name == proposals.c.by,
    or_(accounts.c.disabled_at.is_not(None), accounts.c.role != proposals.c.role),
)
"""Whoever asked has another role by now, or is disabled."""
_HAPPENED: Final = exists().where(replies.c.client == CLIENT_OF_TWO, replies.c.key == proposals.c.id)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something one person asked for, and what a second said."""

    id: str
    table: str
    by: str
    role: str
    do: str
    fields: Mapping[str, Any]
    asked_at: datetime
    stands: Stands
    second: str
    stood: str = ""

    @property
    def asked(self) -> CommandRequest:
        return CommandRequest(self.by, self.role, self.do, self.fields, self.id, CLIENT_OF_TWO)


class Approvals:
    """What waits for a second person. Blocks on the database; an event loop asks from a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def propose(
        self, table: str, asked: CommandRequest, key: Key | None, at: datetime, stood: str = ""
    ) -> Proposal:
        """Write down what was asked for; it waits. Asked again under the same key it is the same proposal.

        `stood` says how things stood: agreed to after the table has moved on, it is not what was asked for.
        """
        number = secrets.token_hex(8)
        if key is not None:
            number = hashlib.sha256(f"{key.client}\0{key.key}".encode()).hexdigest()[:16]
        row = {
            "id": number,
            "table_id": table,
            "by": asked.by,
            "role": asked.role,
            "do": asked.do,
            "fields": msgspec.json.encode(asked.fields, order="deterministic").decode(),
            "asked_at": microseconds(at),
            "stands": "waiting",
            "second": "",
            "decided_at": 0,
            "stood": stood,
        }

        def work(connection: Connection) -> bool:
            there = connection.execute(select(proposals).where(proposals.c.id == number)).first()
            if there is None:
                connection.execute(insert(proposals).values(row))
                return True
            same = ("table_id", "by", "do", "fields")
            return all(getattr(there, name) == row[name] for name in same)

        if not self.store.write(work).result():
            assert key is not None, "numbers drawn at random do not meet"
            raise KeyReused(key)
        return self.find(table, number)

    def find(self, table: str, number: str) -> Proposal:
        """A proposal of this table, or `unknown_proposal`."""
        wanted = select(proposals).where(proposals.c.id == number, proposals.c.table_id == table)
        row = None
        if is_name(number):
            with self.store.reading() as connection:
                row = connection.execute(wanted).first()
        if row is None:
            raise Refused(
                "unknown_proposal",
                "Nothing of number {number} waits at this table.",
                number=repr(number[:40]),
            )
        return _proposal(row)

    def of_table(self, table: str, *, waiting_only: bool = False) -> list[Proposal]:
        """What was asked for at a table, the newest first."""
        wanted = select(proposals).where(proposals.c.table_id == table)
        if waiting_only:
            wanted = wanted.where(proposals.c.stands == "waiting")
        newest = wanted.order_by(proposals.c.asked_at.desc(), proposals.c.id).limit(MOST_LISTED)
        with self.store.reading() as connection:
            return [_proposal(row) for row in connection.execute(newest)]

    def waiting(self) -> list[Proposal]:
        """What waits for a second person anywhere in the house, the oldest first."""
        wanted = select(proposals).where(proposals.c.stands == "waiting")
        oldest = wanted.order_by(proposals.c.asked_at, proposals.c.id).limit(MOST_LISTED)
        with self.store.reading() as connection:
            return [_proposal(row) for row in connection.execute(oldest)]

    def must_still_be(self, proposal: Proposal) -> None:
        """Refuse what was asked for by somebody who could not ask for it any more: two are needed, now."""
        wanted = select(proposals.c.id).where(proposals.c.id == proposal.id, _NOW_ANOTHER)
        with self.store.reading() as connection:
            if connection.execute(wanted).first() is not None:
                raise Refused(
                    "not_your_role",
                    "{by} asked for this and no longer has the right to.",
                    next_step="Decline it, and let somebody else ask anew.",
                    by=proposal.by,
                )

    def claim(self, proposal: Proposal, second: str, at: datetime) -> None:
        """The second person agrees; the first word counts. Said again by the same person it stays so."""
        standing = proposals.c.stands == "waiting"
        again = (proposals.c.stands == "agreed") & (proposals.c.second == second)
        self._decide(proposal, standing | again, stands="agreed", second=second, decided_at=microseconds(at))

    def decline(self, proposal: Proposal, second: str, at: datetime) -> None:
        """Somebody says no; what has happened cannot be declined any more, and what is declined not happen.

        Its key is used up: an agreement that was thought to be lost and is only slow finds it taken.
        """
        standing = (proposals.c.stands == "waiting") & ~_HAPPENED
        taken = {
            "client": CLIENT_OF_TWO,
            "key": proposal.id,
            "digest": bytes(SIZE),
            "table_id": proposal.table,
            "first": 1,
            "last": 0,
            "hash": genesis(proposal.table),
            "reply": msgspec.json.encode({"waiting": proposal.id, "table": proposal.table, "events": []}),
            "written_at": microseconds(at),
        }
        values = {"stands": "declined", "second": second, "decided_at": microseconds(at)}
        self._decide(proposal, standing, insert(replies).values(taken), **values)

    def reopen(self, proposal: Proposal) -> None:
        """The table refused what was agreed to; it waits again."""
        standing = (proposals.c.stands == "agreed") & ~_HAPPENED
        self._decide(proposal, standing, stands="waiting", second="", decided_at=0)

    def reopen_abandoned(self, now: datetime, seconds: float) -> int:
        """What was agreed to so long ago and never asked of the table waits again; how many there were."""
        before = microseconds(now - timedelta(seconds=seconds))
        old = (proposals.c.stands == "agreed") & (proposals.c.decided_at < before) & ~_HAPPENED
        statement = update(proposals).where(old).values(stands="waiting", second="", decided_at=0)
        return self.store.write(lambda connection: connection.execute(statement).rowcount).result()

    def _decide(self, proposal: Proposal, standing: Any, also: Insert | None = None, **values: Any) -> None:
        statement = update(proposals).where(proposals.c.id == proposal.id, standing).values(**values)

        def work(connection: Connection) -> bool:
            decided = connection.execute(statement).rowcount > 0
            if decided and also is not None:
                connection.execute(also)
            return decided

        try:
            decided = self.store.write(work).result()
        except IntegrityError:
            decided = False  # The agreement is being carried out at this moment.
        if not decided:
            raise Refused(
                "unknown_proposal",
                "Somebody has already said yes or no to this.",
                next_step="Look at the table again.",
            )


def must_be_another(proposal: Proposal, second: str) -> None:
    """Refuse a person's agreement with themselves."""
    if proposal.by == second:
        raise Refused(
            "same_person",
            "{second} asked for this and cannot agree to it too.",
            next_step="Another person with the same authority has to agree.",
            second=second,
        )


def _proposal(row: Row[Any]) -> Proposal:
    return Proposal(
        row.id,
        row.table_id,
        row.by,
        row.role,
        row.do,
        msgspec.json.decode(row.fields),
        moment(row.asked_at),
        row.stands,
        row.second,
        row.stood,
    )
