"""Two people where it matters: what one has asked for waits here until another agrees or declines.

What waits is kept in the record, so that a stop does not lose it. Agreed to, it is asked of the table under
a key of its own, so that it happens once whatever happens in between.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Row, Table as SqlTable, Text, insert, select, update

from lammer.floor.asking import Asked
from lammer.floor.store.contract import Store
from lammer.floor.store.schema import metadata
from lammer.rulebook.refusal import Refused

Stands = Literal["waiting", "agreed", "declined"]

proposals: Final = SqlTable(
    "proposals",
    metadata,
    Column("id", Text, primary_key=True, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("do", Text, nullable=False),
    Column("fields", Text, nullable=False),
    Column("asked_at", BigInteger, nullable=False),
    Column("stands", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("decided_at", BigInteger, nullable=False),
)


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

    @property
    def asked(self) -> Asked:
        return Asked(self.by, self.role, self.do, self.fields, f"proposal {self.id}")


class Approvals:
    """What waits for a second person."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def propose(self, table: str, asked: Asked, at: datetime) -> Proposal:
        """Write down what was asked for; it waits."""
        number = secrets.token_hex(8)
        row = {
            "id": number,
            "table_id": table,
            "by": asked.by,
            "role": asked.role,
            "do": asked.do,
            "fields": msgspec.json.encode(asked.fields).decode(),
            "asked_at": _micros(at),
            "stands": "waiting",
            "second": "",
            "decided_at": 0,
        }
        self.store.write(
            lambda connection: connection.execute(insert(proposals).values(row)).rowcount
        ).result()
        return self.find(table, number)

    def find(self, table: str, number: str) -> Proposal:
        """A proposal of this table, or `unknown_proposal`."""
        wanted = select(proposals).where(proposals.c.id == number, proposals.c.table_id == table)
        with self.store.reading() as connection:
            row = connection.execute(wanted).first()
        if row is None:
            raise Refused("unknown_proposal", f"Nothing of number {number[:40]!r} waits at this table.")
        return _proposal(row)

    def of_table(self, table: str, *, waiting_only: bool = False) -> list[Proposal]:
        """What was asked for at a table, the newest first."""
        wanted = select(proposals).where(proposals.c.table_id == table)
        if waiting_only:
            wanted = wanted.where(proposals.c.stands == "waiting")
        with self.store.reading() as connection:
            rows = connection.execute(wanted.order_by(proposals.c.asked_at.desc()).limit(200))
            return [_proposal(row) for row in rows]

    def decide(self, proposal: Proposal, second: str, stands: Stands, at: datetime) -> None:
        """Write down what the second person said; the first word counts."""

        def work(connection: Connection) -> int:
            statement = (
                update(proposals)
                .where(proposals.c.id == proposal.id, proposals.c.stands == "waiting")
                .values(stands=stands, second=second, decided_at=_micros(at))
            )
            return connection.execute(statement).rowcount

        if not self.store.write(work).result():
            raise Refused(
                "unknown_proposal",
                "Somebody has already said yes or no to this.",
                next_step="Look at the table again.",
            )


def must_be_another(proposal: Proposal, second: str) -> None:
    """Refuse a person's agreement with himself, and with what no longer waits."""
    if proposal.by == second:
        raise Refused(
            "same_person",
            f"{second} asked for this and cannot agree to it too.",
            next_step="Another person with the same authority has to agree.",
        )
    if proposal.stands != "waiting":
        raise Refused("unknown_proposal", f"This was {proposal.stands} already, by {proposal.second}.")


def _micros(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000)


def _proposal(row: Row[Any]) -> Proposal:
    return Proposal(
        row.id,
        row.table_id,
        row.by,
        row.role,
        row.do,
        msgspec.json.decode(row.fields),
        datetime.fromtimestamp(row.asked_at / 1_000_000, UTC),
        row.stands,
        row.second,
    )
