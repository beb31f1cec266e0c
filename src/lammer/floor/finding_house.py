"""Finding rounds in a whole house, where nobody knows at which table it was.

Each table is gone through backwards, all of them together no further than one table would be; what is shown
ends at the latest moment any of them was followed back to, so that no round is left out in between.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from lammer.floor.finding import REACH, Found, Wanted, rounds
from lammer.floor.store.contract import Record
from lammer.table.journal import decode

LEAST: Final = 2_000
"""Events of each table that are gone through, however many tables there are."""


def house_rounds(
    record: Record, tables: Collection[str], wanted: Wanted, *, limit: int = 50
) -> tuple[list[tuple[str, Found]], datetime | None]:
    """Rounds of these tables, the newest first; and the moment before which to go on, None at the end."""
    reach = max(LEAST, REACH // max(1, len(tables)))
    found: list[tuple[str, Found]] = []
    until: list[datetime] = []
    for table in tables:
        made, go_on = rounds(record, table, wanted, limit=limit, reach=reach)
        found += [(table, each) for each in made]
        if go_on is not None:
            until.append(decode(record.read(table, go_on - 1, 1)[0].body).at)
    found.sort(key=lambda each: (each[1].at, each[0]), reverse=True)
    since = max(until, default=None)
    if since is not None:
        found = [each for each in found if each[1].at >= since]
    if len(found) > limit:
        # Rounds opened at the very same moment stay together: the next page begins before them.
        since = found[limit - 1][1].at
        found = [each for each in found if each[1].at >= since]
    return found, since
