"""A table to train at: the real one, set up for one case, asked step by step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import msgspec

from lammer.academy.items import CaseStep, ShownStake
from lammer.game.cards import Card
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES, SIDES, Side
from lammer.table import commands as c
from lammer.table.decoding import COMMANDS
from lammer.table.events import Event
from lammer.table.play import decide, record
from lammer.table.setup import SetUp
from lammer.table.state import Table

STAFF: Final = ROLES[1:]
MOST_AUTHORITY: Final = ROLES[-1]
PLAYERS: Final = ("p1", "p2", "p3")
_REASON: Final = "training"


class TrainingTable:
    """A table under one rulebook, and everything that was asked of it."""

    def __init__(self, book: Rulebook, setup: SetUp) -> None:
        self.book, self.setup = book, setup
        self.table = Table({book.id: book})
        self.steps: list[CaseStep] = []
        self._at = book.in_force_from + timedelta(days=1)
        self._record(MOST_AUTHORITY, c.SetTable(setup, _REASON))

    def _record(self, by: str, command: c.Command) -> tuple[Event, ...]:
        self._at += timedelta(seconds=1)
        return record(self.table, c.Call(by, by if by in ROLES else "player", self._at, command))

    def ask(self, by: str, do: str, **fields: Any) -> tuple[Event, ...]:
        """Ask something of the table; `by` is a role or a player's name."""
        events = self._record(by, _command(do, fields))
        self.steps.append(CaseStep(by, by if by in ROLES else "player", do, fields))
        return events

    def would(self, by: str, do: str, **fields: Any) -> tuple[Event, ...] | Refused:
        """What would happen if this was asked now; nothing changes."""
        role = by if by in ROLES else "player"
        try:
            return decide(self.table, c.Call(by, role, self._at + timedelta(seconds=1), _command(do, fields)))
        except Refused as refused:
            return refused

    def begin(self, bets: Sequence[tuple[str, int, str, int]], seats: Sequence[str] = PLAYERS[:2]) -> None:
        """Sit players down from box 1 on, bring a shoe, open the bets and lay these: who, box, bet, cents."""
        for box, player in enumerate(seats, start=1):
            self.ask(player, "take_seat", player=player, box=box)
        self.ask("dealer", "prepare_shoe")
        self.open_with(bets)

    def open_with(self, bets: Sequence[tuple[str, int, str, int]]) -> None:
        """Open the bets and lay these."""
        self.ask("dealer", "open_bets")
        for player, box, bet, stake in bets:
            self.ask(player, "place_bet", player=player, box=box, bet=bet, stake=stake)

    def deal(self, cards: Sequence[Card], to: Side | None = None) -> None:
        """Deal these cards, each to its proper hand or all to one."""
        for card in cards:
            self.ask("dealer", "deal_card", card=card, **({"to": to} if to else {}))

    @property
    def hands(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """The cards on the felt as anybody sees them; one that lies face down is empty."""
        this_round = self.table.round
        if this_round is None:
            return (), ()
        player, banker = (tuple(card or Card("") for card in this_round.exposed(side)) for side in SIDES)
        return player, banker

    @property
    def stakes(self) -> tuple[ShownStake, ...]:
        """The Original Bets on the felt."""
        this_round = self.table.round
        if this_round is None:
            return ()
        return tuple(
            ShownStake(bet.player, bet.seated, side, bet.stake)
            for bet in this_round.bets.values()
            if (side := self.book.bets[bet.bet].original) is not None
        )


def _command(do: str, fields: dict[str, Any]) -> c.Command:
    command: c.Command = msgspec.convert(fields, COMMANDS[do])
    return command
