"""Which events of a round go into the evidence somebody gets: those they may see whole, and no secret ones.

What opens an event opens all of it, who recorded it included. So a player gets what they see whole: what they
did themselves, and what the house's own dealer did that names nobody else. Staff and auditors get all. While
cards may lie face down, or the order of the shoe is in use, what would give them away is given to nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lammer.floor.record.log.evidence import shoe_ended
from lammer.floor.record.past import shoe_began
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.hashes import secret_from
from lammer.floor.views.viewing import Viewer, event_seen

HOUSE: Final = "house"
"""Who deals where nobody does."""
_EVERYTHING: Final = Viewer("", "auditor")


def seen_whole(event: RevealedEvent, viewer: Viewer) -> bool:
    """Whether this viewer sees every word of an event."""
    if viewer.reads_all:
        return True
    everything = event_seen(event, _EVERYTHING) or {}
    by = everything.pop("by", "")
    everything.pop("role", None)
    return by in {viewer.name, HOUSE} and event_seen(event, viewer) == everything


def evidence_events(view: DurableView, events: Sequence[RevealedEvent], viewer: Viewer) -> list[int]:
    """The numbers of the events that may be opened for this viewer; none while all of them are secret."""
    until = secret_from(view.store, view.id, view.table, view.number)
    wanted = [event.number for event in events if event.number < until and seen_whole(event, viewer)]
    ended = shoe_ended(view.store, view.id, events[-1].number)
    began = shoe_began(view.store, view.id, events[0].number)
    if ended is not None and began and ended.number < until:
        (start,) = view.store.read(view.id, began - 1, 1)
        # What bound the shoe is public once it has ended; who asked for it may still be somebody's name.
        shoe = (start, ended)
        wanted += [one.number for one in shoe if viewer.reads_all or b'"by":"house"' in one.body]
    return wanted
