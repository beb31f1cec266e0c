"""Finding rounds in a whole house, where nobody knows at which table it was.

Each table is gone through backwards, all of them together no further than one table would be; what is shown
ends at the latest moment any of them was followed back to, so that no round is left out in between.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Final

from lammer.floor.finding import REACH, Found, Wanted, rounds
from lammer.floor.store.contract import Record
from lammer.table.journal import decode

LEAST: Final = 500
"""Events of each table that are gone through, however many tables there are."""


def house_rounds(
    record: Record, tables: Collection[str], wanted: Wanted, *, limit: int = 50
) -> tuple[list[tuple[str, Found]], datetime | None]:
    """Rounds of these tables, the newest first; and the moment before which to go on, None at the end."""
    reach = max(LEAST, REACH // max(1, len(tables)))
    found: list[tuple[str, Found]] = []
    ends: list[datetime] = []
    for table in tables:
        if len(found) >= limit and wanted.number is None:
            # What is older than enough others need not be looked for; the next page begins there.
            found.sort(key=_newest, reverse=True)
            ends.append(found[limit - 1][1].at)
            wanted = replace(wanted, since=max(ends[-1], wanted.since or ends[-1]))
        made, go_on = rounds(record, table, wanted, limit=limit, reach=reach)
        found += [(table, each) for each in made]
        if go_on is not None:
            ends.append(decode(record.read(table, go_on - 1, 1)[0].body).at)
    found.sort(key=_newest, reverse=True)
    if len(found) > limit and wanted.number is None:
        ends.append(found[limit - 1][1].at)
    since = max(ends, default=None)
    # Rounds opened at the very same moment stay together: the next page begins before them.
    return [each for each in found if since is None or each[1].at >= since], since


def _newest(found: tuple[str, Found]) -> tuple[datetime, str]:
    return found[1].at, found[0]
