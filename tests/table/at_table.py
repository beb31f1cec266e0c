"""A table brought to a moment by a few steps, and asked one thing more."""

from __future__ import annotations

from typing import Any

import lammer
from lammer.table import commands as c, events as e
from lammer.table.play import record
from lammer.table.script import START, Played, run
from lammer.table.state import Table

BOOKS = {book.id: book for book in lammer.shelf()}
BOOK = "tiger-buffalo-noncommission-insurance@3"


def script(*steps: dict[str, Any], **more: Any) -> Played:
    played = run(BOOKS, {"rulebook": BOOK, "layout": "A", "seats": {"p1": 1, "p2": 2}, "step": steps, **more})
    assert not [step.refused for step in played.steps if step.refused]
    return played


def bets() -> list[dict[str, Any]]:
    return [
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "100"},
        {"by": "p2", "do": "place_bet", "box": 2, "bet": "banker", "stake": "40"},
        {"by": "dealer", "do": "close_bets"},
    ]


def cards(written: str) -> dict[str, Any]:
    return {"by": "dealer", "do": "deal_cards", "cards": written}


def ask(table: Table, by: str, role: str, command: c.Command) -> tuple[e.Event, ...]:
    return record(table, c.Call(by, role, START, command))
