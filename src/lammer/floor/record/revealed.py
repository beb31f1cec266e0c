"""Events as they become known: each with the card that lies open because of it.

An event names only the place of a card that was turned; whoever reads it wants to know the card.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from lammer.table import events as e
from lammer.table.journal import Entry
from lammer.table.state import Table

HIDDEN: Final = ""
"""What stands in place of a card that lies face down."""


@dataclass(slots=True)
class RevealedEvent:
    """An event, and the card that lies open because of it: events name only its place.

    Most events look the same to everyone who reads all, and to everyone else; they are written once for each.
    """

    entry: Entry
    card: str = HIDDEN
    written: dict[bool, bytes] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return self.entry.number


def reveal(table: Table, entry: Entry) -> RevealedEvent:
    """An event just folded into the table, with its card."""
    event = entry.event
    if isinstance(event, e.CardOpened | e.CardDetermined | e.CardCorrected) and table.round is not None:
        laid = table.round.hand(event.hand)[event.place - 1]
        return RevealedEvent(entry, laid.card if laid.face_up else HIDDEN)
    return RevealedEvent(entry)
