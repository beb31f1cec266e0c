"""Which hashes may be told, and to whom: only where every event they cover is one the reader sees whole.

Whoever knows an event but for one card can try all fifty-two until the hash comes out; and every later hash
is made of that one. So where cards may lie face down the hashes of a shoe are told when it has ended. In the
same way a player could find out who placed another's bet, by trying the names of the staff: they see no event
of others whole, and a hash covers all that came before it. So hashes are for those who read everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lammer.floor.record.contract import Record
from lammer.floor.record.past import shoe_began
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import Viewer
from lammer.table.state import Table

ALL: Final = 2**53
"""Beyond the number of every event."""


def secret_from(record: Record, name: str, table: Table, last: int) -> int:
    """The first event whose hash is not told yet; `ALL` where none is secret. `last` is the newest event."""
    if table.setup is None or table.shoe is None:
        return ALL
    lies = table.round is not None and any(not laid.face_up for laid in table.round.cards)
    if not (table.setup.face_down or lies or table.carried):
        return ALL
    return shoe_began(record, name, last)


def hashes(view: DurableView, numbers: Sequence[int], viewer: Viewer) -> dict[int, str]:
    """The hashes of these events, as far as this viewer may be told them. Most of them follow each other."""
    if not viewer.reads_all:
        return {}
    until = secret_from(view.store, view.id, view.table, view.number)
    wanted = [number for number in numbers if number < until]
    if not wanted:
        return {}
    page = view.store.read(view.id, wanted[0] - 1, len(wanted))
    known = {stored.number: stored.hash.hex() for stored in page}
    for number in wanted:
        if number not in known:
            known[number] = view.store.read(view.id, number - 1, 1)[0].hash.hex()
    return {number: known[number] for number in wanted}
