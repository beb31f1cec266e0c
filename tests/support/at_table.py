"""A table brought to a moment by a few steps, and asked one thing more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import lammer
from lammer.rulebook.phrase import Phrase
from lammer.table import commands as c, events as e
from lammer.table.journal import Entry, entries
from lammer.table.play import record
from lammer.table.recall import recall_from
from lammer.table.script import START, ScriptRun, run
from lammer.table.setup import SetUp
from lammer.table.state import Recall, Table
from lammer.table.verify import verify

BOOKS = {book.id: book for book in lammer.shelf()}
BOOK = "tiger-buffalo-noncommission-insurance@3"


def script(*steps: dict[str, Any], **more: Any) -> ScriptRun:
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


TOP = "table_game_shift_manager"
NATURAL = ("KS", "KD", "8H", "7C")
"""Player 8 over Banker 7, with no pair."""


class Recorded:
    """A table that keeps its record, and recalls from it the rounds it no longer holds."""

    def __init__(self, setup: SetUp) -> None:
        self.journal: list[Entry] = []
        self.table = Table(BOOKS, recall=self.recall)
        self.does(c.SetTable(setup))
        self.does(c.PrepareShoe())

    @property
    def recall(self) -> Recall:
        return recalling(self.journal)

    def does(self, *commands: c.Command, by: str = "boss", role: str = TOP) -> tuple[e.Event, ...]:
        """What the last of these commands led to."""
        for command in commands:
            made = entries(self.table, c.Call(by, role, START, command), len(self.journal) + 1)
            self.journal.extend(made)
        return tuple(entry.event for entry in made)

    def round(
        self, *bets: c.Command, cards: Sequence[str] = NATURAL, during: Sequence[c.Command] = ()
    ) -> int:
        """A whole round; `during` happens before its last card."""
        deal = [c.DealCard(card) for card in cards]
        self.does(c.OpenBets(), *bets, c.CloseBets(), *deal[:-1], *during, deal[-1], c.Settle())
        return self.table.rounds

    def rounds(self, number: int) -> None:
        """So many rounds in which nobody bets, with a new shoe whenever one has no more of these cards."""
        for played in range(number):
            if played % 8 == 0:
                self.does(c.EndShoe(), c.PrepareShoe())
            self.round()

    def changes(self, **setup: Any) -> None:
        """Another set-up, with nobody seated."""
        for player in list(self.table.seats):
            self.does(c.LeaveSeat(player))
        self.does(c.SetTable(replace(self.table.require_setup(), **setup)))

    def money(self, player: str = "p1") -> int:
        return self.table.accounts.get(f"player:{player}", 0)

    def doubts(self) -> list[Phrase]:
        """What does not hold in the record."""
        return doubts(self.journal)


def recalling(journal: list[Entry]) -> Recall:
    return recall_from(BOOKS, lambda: (entry.event for entry in journal))


def doubts(journal: list[Entry]) -> list[Phrase]:
    """What does not hold in a record, which is all there is to recall rounds from."""
    return verify(BOOKS, journal, recall=recalling(journal))[1]


def only(events: Sequence[e.Event]) -> e.RoundCorrected:
    """The one correction there was, and nothing else that moves money."""
    (corrected,) = [event for event in events if isinstance(event, e.RoundCorrected)]
    return corrected
