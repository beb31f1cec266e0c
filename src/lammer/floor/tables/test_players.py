"""Test players: seats and bets at auto-dealt tables, so that a newcomer to a house finds something to see.

They ask the gateway like anybody, stake their own purse within the limits of the table, and know nothing but
what every player sees. They have no accounts, so nobody can sign in as one of them; whoever opens the house
decides whether there are any, and a house that is no demonstration has none.
"""

from __future__ import annotations

import asyncio
import logging
import random
from typing import Any, Final

from lammer.floor.record.registry import Listed
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.tables.gateway import CommandGateway
from lammer.floor.tables.virtual_dealer import Pause, pause
from lammer.game.money import show
from lammer.rulebook.refusal import Refused
from lammer.table.insuring import offers_to
from lammer.table.state import Table

log = logging.getLogger("lammer.floor")

NAME: Final = "Test player"
"""What every name of one begins with; no account has such a name, and pages know them by it."""
LOOKING_SECONDS: Final = 1.0
"""Seconds between looks at the table."""
KEPT_FREE: Final = 2
"""Boxes they leave free."""
SIDE_BETS: Final = 0.4
"""How often one puts a side bet down besides."""
INSURES: Final = 0.5
"""How often one insures where it may."""


def is_test_player(player: str) -> bool:
    """Whether a name is a test player's.

    >>> is_test_player("Test player 1 at da-hu-1"), is_test_player("mei")
    (True, False)
    """
    return player.startswith(f"{NAME} ")


class TestPlayers:
    """The test players of one table.

    They sit at its last boxes, so that the first are free. `pause` is how they let time pass; tests hand in
    their own, and a `chance` that repeats.
    """

    __test__ = False
    """No test, whatever a test runner thinks of the name."""

    def __init__(
        self,
        gateway: CommandGateway,
        listed: Listed,
        number: int,
        chance: random.Random | None = None,
        pause: Pause = pause,
    ) -> None:
        self.gateway, self.name, self.number = gateway, listed.id, number
        self.chance, self.pause = chance or random.Random(), pause  # noqa: S311 (play money of nobody)
        self.finishing = asyncio.Event()
        self._bet_on = 0
        """The round they have bet on."""
        self._insured_at = (0, 0)
        """The round, and its number of cards, at which they were last offered Insurance."""

    @property
    def table(self) -> Table:
        return self.gateway.house.tables.view(self.name).table

    async def run(self) -> None:
        """Look at the table every second and play along, until cancelled."""
        while not self.finishing.is_set():
            try:
                await self.look()
            except Refused as refused:
                log.info("table %s: a test player was refused: %s", self.name, refused.code)
            except Exception:
                log.exception("table %s: the test players failed and try again", self.name)
            await self.pause(self.finishing, LOOKING_SECONDS)

    async def look(self) -> None:
        """Do what is to be done now: sit down, bet once a round, insure or say no."""
        table, this_round = self.table, self.table.round
        if table.setup is None or table.closed or self.gateway.closing:
            return
        await self._sit_down(table)
        if this_round is None:
            return
        if this_round.phase == "betting" and this_round.number != self._bet_on:
            self._bet_on = this_round.number
            await self._bet(table)
        elif this_round.window and (this_round.number, len(this_round.cards)) != self._insured_at:
            self._insured_at = this_round.number, len(this_round.cards)
            await self._insure(table)

    async def _sit_down(self, table: Table) -> None:
        """Take the last boxes, as long as some stay free for people."""
        for number in range(1, self.number + 1):
            player = f"{NAME} {number} at {self.name}"
            free = [box for box in range(table.box_count, 0, -1) if box not in table.boxes]
            if player not in table.seats and len(free) > KEPT_FREE:
                await self._ask(player, "take_seat", box=free[0])
                table = self.table

    async def _bet(self, table: Table) -> None:
        for player, box in self._seated(table):
            chosen = [self.chance.choice(("player", "banker"))]
            others = [
                bet.name for bet in table.book.offered(table.layout) if bet.name not in ("player", "banker")
            ]
            if others and self.chance.random() < SIDE_BETS:
                chosen.append(self.chance.choice(others))
            for bet in chosen:
                least = table.require_setup().limit(table.book, bet).minimum
                await self._ask(
                    player, "place_bet", box=box, bet=bet, stake=show(least * self.chance.choice((1, 2, 5)))
                )

    async def _insure(self, table: Table) -> None:
        for player, _ in self._seated(table):
            for offer in offers_to(table, player):
                if offer.most > 0 and self.chance.random() < INSURES:
                    await self._ask(
                        player, "place_insurance", box=offer.box, hand=offer.hand, stake=show(offer.most)
                    )
                else:
                    await self._ask(player, "decline_insurance", box=offer.box, hand=offer.hand)

    def _seated(self, table: Table) -> list[tuple[str, int]]:
        return [(player, box) for player, box in table.seats.items() if is_test_player(player)]

    async def _ask(self, player: str, do: str, **fields: Any) -> None:
        """Ask like any player; what is refused is left alone."""
        try:
            await self.gateway.ask(self.name, CommandRequest(player, "player", do, fields), source="house")
        except Refused as refused:
            log.debug("table %s: a test player was refused %s: %s", self.name, do, refused.code)
