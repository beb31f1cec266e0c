"""People for the tests of the door, a clock that can be moved, and all rows of a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from lammer.floor.access.accounts import Account, Accounts
from lammer.floor.access.passwords import Passwords
from lammer.floor.record.contract import Record, Store
from lammer.floor.record.schema import full_metadata

GOOD = "seven lucky tigers"
BETTER = "eight lucky buffaloes"
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.1"


class Clock:
    """Stands still until moved, in either direction. `ticks` is the machine's running time: it stands too."""

    def __init__(self) -> None:
        self.wall = datetime(2026, 7, 1, 12, tzinfo=UTC)
        self.running = 1000.0

    def __call__(self) -> datetime:
        return self.wall

    def ticks(self) -> float:
        return self.running

    def go(self, **length: float) -> None:
        """Time passes."""
        passed = timedelta(**length)
        self.wall += passed
        self.running += passed.total_seconds()

    def jump(self, **length: float) -> None:
        """Somebody sets the clock."""
        self.wall += timedelta(**length)


def quick(rounds: int = 1) -> Passwords:
    return Passwords(rounds=rounds, kibibytes=8)


def accounts(store: Store, clock: Clock | None = None) -> Accounts:
    return Accounts(store, clock or Clock(), quick())


def anna(store: Store, role: str = "dealer", password: str | None = GOOD) -> Account:
    return accounts(store).create("anna", "Anna W.", role, by="test", password=password)


def everything(record: Record) -> list[Any]:
    """Every value of every row of every table."""
    with record.reading() as connection:
        return [
            value
            for table in full_metadata().sorted_tables
            for row in connection.execute(select(table))
            for value in row
        ]
