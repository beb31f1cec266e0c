"""Answers are kept for whoever asks again with the same key, and forgotten after an age; events never are.

What is old is looked for by a reader, in a pass over all answers now and then, and removed a few at a time
between the appends: no index has to be kept up with every bet, and nobody waits for it. Answers to what two
people agreed on stay: they say that it has happened.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select

from lammer.floor.approvals import CLIENT
from lammer.floor.steady import microseconds
from lammer.floor.store.contract import Store
from lammer.floor.store.schema import replies
from lammer.rulebook.refusal import Refused

EVERY: Final = 3600.0
"""Seconds between two passes."""
AT_ONCE: Final = 250
"""Answers removed in one transaction; the appends behind it wait a few milliseconds."""

log = logging.getLogger("lammer.floor")

_remove = delete(replies).where(replies.c.client == bindparam("of"), replies.c.key == bindparam("named"))


def forget(store: Store, before: datetime) -> int:
    """Remove the answers kept since before then; how many they were. Blocks: for a worker thread."""
    old = select(replies.c.client, replies.c.key).where(
        replies.c.written_at < microseconds(before), replies.c.client != CLIENT
    )
    count = 0
    with store.reading() as connection:
        found = connection.execute(old.execution_options(yield_per=AT_ONCE))
        for page in found.partitions(AT_ONCE):
            given = [{"of": client, "named": key} for client, key in page]
            store.write(partial(_removed, given)).result()
            count += len(given)
    return count


def _removed(given: Sequence[dict[str, str]], connection: Connection) -> None:
    connection.execute(_remove, given)


async def keep_forgetting(store: Store, age: timedelta, now: Callable[[], datetime]) -> None:
    """Forget what is older than that, now and then, until cancelled; never, where there is no age."""
    while age:
        try:
            if count := await asyncio.to_thread(forget, store, now() - age):
                log.info("%s answers older than %s were forgotten", count, age)
        except Refused as refused:
            log.warning("old answers are not forgotten: %s", refused.sentence)
        except Exception:
            log.exception("old answers are not forgotten")
        await asyncio.sleep(EVERY)
