"""An answer that tells less than the record is no change of it; one that tells something else is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.record.verify.verify_replies import _same
from lammer.floor.views.viewing import Viewer, event_seen
from lammer.table import events as e
from lammer.table.journal import Entry, encode

DAMAGED = e.RoundCorrected(
    7, "damaged_cards", True, ("9H", "KD"), ("2C", "3S"), "", 0, (), (), ("5.13",), "torn", "any@1"
)
CHOSEN = e.OptionChosen("mei", "return", "5.10", "anna")


SUE = Viewer("sue", "pit_supervisor")


def recorded_and_told(event: e.Event, viewer: Viewer) -> tuple[bytes, dict[str, Any]]:
    """An event as it lies in the record, and as an answer kept beside it tells of it."""
    entry = Entry(9, datetime(2026, 11, 16, 12, tzinfo=UTC), "sue", "pit_supervisor", event)
    seen = event_seen(RevealedEvent(entry), viewer)
    return encode(entry), msgspec.json.decode(msgspec.json.encode(seen))


@pytest.mark.parametrize("event", [DAMAGED, CHOSEN], ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("viewer", [SUE, Viewer("lin", "player")])
def test_what_was_told_less_of_is_as_it_was_recorded(event: e.Event, viewer: Viewer) -> None:
    recorded, told = recorded_and_told(event, viewer)
    assert _same(told, recorded)


@pytest.mark.parametrize("field", ["round", "because", "points", "reason"])
def test_what_was_told_otherwise_is_noticed(field: str) -> None:
    recorded, told = recorded_and_told(DAMAGED, SUE)
    assert not _same(told | {field: "something else"}, recorded)
