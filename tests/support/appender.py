"""A process that writes until it is killed. `test_kill.py` runs it; it gives each order to a child.

An order is a place and the first request to make. The child says its process number, then, as each request is
acknowledged, the request's number and where its event lies. It always has several requests on
the way, over several tables; what it is not sure of it asks again with the same key. Every fifth request
brings a cent from a purse to its table.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future
from hashlib import sha256
from itertools import count

from sqlalchemy import Connection

from lammer.floor.record.contract import Append, Appended, Conflict, Key, Store
from lammer.floor.record.purses import Purses, Transfer
from lammer.floor.record.store.opening import open_store

TABLES = 3
PIPELINE = 24


IN_PURSE = 10_000_000
"""Cents in the purse at first: more than there are requests."""


def asked(number: int, after: int) -> Append:
    """The request of a number, the same in every life."""
    body = b"request %d" % number
    key = Key("client", f"request-{number}", sha256(body).digest())
    return Append(f"t{number % TABLES}", after, (body,), key, body, beside=cent() if brings(number) else None)


def brings(number: int) -> bool:
    return number % 5 == 0


def cent() -> Callable[[Connection], None]:
    """A cent leaves the purse, in the transaction of its request."""
    return Purses(None, IN_PURSE).beside(Transfer("p1", 1, 1))  # type: ignore[arg-type]


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def acknowledged(number: int, told: Appended) -> None:
    say(number, told.table, told.last, int(told.repeat))


def again(store: Store, number: int) -> bool:
    """Make a request that may have been made before; whether it was."""
    while True:
        try:
            told = store.append(asked(number, store.head(f"t{number % TABLES}").number)).result(30)
        except Conflict:
            continue  # The last write of the life before came through only now.
        acknowledged(number, told)
        return told.repeat


def live(where: str, first: int) -> None:
    store = open_store(where)
    numbers = count(first)
    known = True
    while known:
        known = bool(sum(again(store, next(numbers)) for _ in range(TABLES)))
    heads = {table: store.head(table).number for table in (f"t{n}" for n in range(TABLES))}
    waiting: list[tuple[int, Future[Appended]]] = []
    for number in numbers:
        table = f"t{number % TABLES}"
        waiting.append((number, store.append(asked(number, heads[table]))))
        heads[table] += 1
        if len(waiting) >= PIPELINE:
            done, future = waiting.pop(0)
            acknowledged(done, future.result(30))


def main() -> None:
    for order in sys.stdin:
        where, first = order.rsplit(maxsplit=1)
        child = os.fork()
        if child == 0:
            say("pid", os.getpid())
            try:
                live(where, int(first))
            finally:
                os._exit(1)
        os.waitpid(child, 0)
        say("dead")


if __name__ == "__main__":
    main()
