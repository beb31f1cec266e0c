"""The virtual dealer: runs the rounds of an auto-dealt table on a clock, by the same commands as any dealer.

It has no rights of its own and decides nothing: where the rules need a person, it waits for one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from lammer.floor.record.registry import Listed
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.tables.gateway import CommandGateway
from lammer.floor.views.durable_view import DurableView
from lammer.game.drawing import FIRST_CARDS, open_choice, third_card_decisions
from lammer.rulebook.playing import played_by
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side
from lammer.table.insuring import is_awaited, shown_first
from lammer.table.state import OVER, Round, Table

log = logging.getLogger("lammer.floor")

NAME: Final = "virtual dealer"
WAITING_SECONDS: Final = 1.0
"""Seconds between looks at a table that waits for a person."""
MOST_CARDS: Final = 6
"""Cards a round may take; with fewer left in the shoe no other is begun."""


Pause = Callable[[asyncio.Event, float], Awaitable[None]]


async def pause(over: asyncio.Event, seconds: float) -> None:
    """Wait so long, unless it is over before."""
    try:
        async with asyncio.timeout(seconds):
            await over.wait()
    except TimeoutError:
        return


class VirtualDealer:
    """The dealer of one table; told to finish, it ends the round it is in without a pause and stops.

    `pause` is how it lets time pass; tests hand in their own.
    """

    def __init__(
        self, gateway: CommandGateway, listed: Listed, waiting: float = WAITING_SECONDS, pause: Pause = pause
    ) -> None:
        assert listed.pace is not None, "people deal at this table"
        self.gateway, self.house = gateway, gateway.house
        self.name, self.pace = listed.id, listed.pace
        self.waiting, self.pause = waiting, pause
        self.finishing = asyncio.Event()
        self._everybody_answered = asyncio.Event()
        """Ends the time for Insurance: nobody is left who may insure and has not said no."""
        self._bet_on = 0
        """The round whose betting time was given; one whose opening was not answered for gets it too."""
        self._over = 0
        """The last round seen to be over; if it goes on after all, a person has reopened it."""
        self._waited_at: tuple[int, int] = (0, 0)
        """The round, and its number of cards, whose time for Insurance was given: it is given once."""

    @property
    def table(self) -> Table:
        return self.house.tables.view(self.name).table

    @property
    def stopped(self) -> bool:
        """Whether gaming is stopped here, until a person ends that."""
        return self.house.switch.of(self.name) is not None

    @property
    def this_round(self) -> Round | None:
        """The round under way."""
        this_round = self.table.round
        return None if this_round is None or this_round.phase in OVER else this_round

    def finish(self) -> None:
        """End the round, without further pauses, and stop."""
        self.finishing.set()
        self._everybody_answered.set()

    async def run(self) -> None:
        """Deal round after round until told to finish."""
        while not (self.finishing.is_set() and (self.this_round is None or self._needs_a_person())):
            try:
                if self._needs_a_person():
                    # Afterwards everybody gets their time again: nobody could use it meanwhile.
                    self._waited_at = (0, 0)
                    if self.stopped:
                        self._bet_on = 0
                    await self._pause(self.waiting)
                else:
                    await self._next()
            except Refused as refused:
                log.info(
                    "table %s: the virtual dealer was refused and tries again: %s", self.name, refused.code
                )
                await asyncio.sleep(self.waiting)
            except Exception:
                log.exception("table %s: the virtual dealer failed and tries again", self.name)
                await asyncio.sleep(self.waiting)

    def _needs_a_person(self) -> bool:
        """Whether somebody acts first: ends a stop, sets it up, opens it, reads a shoe, resolves an error."""
        table, this_round = self.table, self.this_round
        if self.stopped:
            return True
        if table.setup is None or table.setup.shoe == "read" or table.closed:
            return True
        if this_round is None:
            return False
        reopened = this_round.number == self._over
        asked = this_round.options is not None or this_round.reported is not None
        return this_round.interrupted or asked or this_round.misplaced or reopened

    async def _next(self) -> None:
        """The next thing a dealer does, and the time it takes."""
        table, this_round, pace = self.table, self.this_round, self.pace
        if this_round is None:
            self._over = table.rounds
            shoe = table.shoe
            if shoe is not None and (table.last_of_shoe or shoe.left < MOST_CARDS):
                await self._do("end_shoe")
            if self.table.shoe is None and not await self._bring_shoe():
                return
            await self._do("open_bets")
        elif this_round.phase == "betting" and this_round.number != self._bet_on:
            self._bet_on = this_round.number
            await self._pause(pace.betting)
        elif this_round.phase == "betting":
            await self._do("close_bets")
        elif this_round.withdrawal:
            await self._pause(pace.window)
            await self._do("close_withdrawal")
        elif (hidden := self._to_open(this_round)) is not None:
            await self._wait_for_insurance(this_round)
            if this_round.squeeze is not None or this_round.squeezer:
                # Whoever asked to squeeze gets their time, and may open the card themselves.
                await self._pause(pace.window)
            if hidden == self._to_open(this_round):
                await self._do("open_card", hand=hidden[0], place=hidden[1])
                await self._pause(pace.card)
        elif (choice := self._to_choose(this_round)) is not None:
            await self._do("choose_drawing", hand=choice[0], draws=choice[1])
        elif table.next_hand() is not None:
            await self._wait_for_insurance(this_round)
            await self._do("deal_card")
            await self._pause(pace.card)
        else:
            await self._do("settle")
            self._over = this_round.number
            await self._pause(pace.between)

    async def _bring_shoe(self) -> bool:
        """A new shoe; with somebody seated a shared one, once the time to add to it is over."""
        if self.table.shuffle is None and self.table.seats and self.table.require_setup().shoe == "virtual":
            await self._do("begin_shuffle")
        shuffle = self.table.shuffle
        if shuffle is not None:
            open_for = (shuffle.closes - self.house.clock.now()).total_seconds()
            if open_for > 0:
                await self._pause(open_for)
            if self.finishing.is_set():
                return False
        await self._do("prepare_shoe")
        return True

    async def _wait_for_insurance(self, this_round: Round) -> None:
        """The time for Insurance, as long as somebody may take it and has not said no.

        Whoever said that they will insure and has not is not waited for longer, nor is whoever says so once
        that time is over.
        """
        if not is_awaited(self.table):
            return
        moment = this_round.number, len(this_round.cards)
        if moment != self._waited_at:
            self._waited_at = moment
            if not self.finishing.is_set():
                self._everybody_answered.clear()
            self.house.live.listeners.append(self._hear)
            try:
                await self.pause(self._everybody_answered, self.pace.window)
            finally:
                self.house.live.listeners.remove(self._hear)
        for player, box, hand in sorted(this_round.announced):
            await self._do("decline_insurance", player=player, box=box, hand=hand)

    def _hear(self, view: DurableView, events: tuple[RevealedEvent, ...]) -> None:
        """Somebody insured or said no: the next card need not wait for nobody."""
        if view.id == self.name and not is_awaited(view.table):
            self._everybody_answered.set()

    def _to_open(self, this_round: Round) -> tuple[str, int] | None:
        """The face-down card to be opened next: all of the first four once they lie, then the third ones.

        The Player's comes first, unless the Banker's third was asked for and granted before the Player's, or
        Insurance is offered with one hand shown: then it is the hand with the highest bet.
        """
        if len(this_round.cards) < FIRST_CARDS:
            return None
        third_first = "banker" if this_round.banker_third_first else "player"
        first = shown_first(self.table, this_round)
        hidden = sorted(
            (laid.place > 2, laid.hand != (third_first if laid.place > 2 else first), laid.place, laid.hand)
            for laid in this_round.cards
            if not laid.face_up
        )
        if not hidden:
            return None
        third = this_round.banker_third_first and hidden[0][2:] == (3, "player")
        if third and self.table.next_hand() is not None:
            return None
        return hidden[0][3], hidden[0][2]

    def _to_choose(self, this_round: Round) -> tuple[Side, bool] | None:
        """The hand that has to say whether it draws, and what the play of this table says there."""
        hands = this_round.values("player"), this_round.values("banker")
        waiting = open_choice(self.table.book, *hands)
        if waiting is None:
            return None
        played = played_by(self.table.book, self.table.require_setup().play)
        decisions = {decision.hand: decision.draws for decision in third_card_decisions(played, *hands)}
        return waiting[0], decisions[waiting[0]]

    async def _do(self, do: str, **fields: object) -> None:
        # Never handed on: whoever holds the table has a dealer of its own.
        await self.gateway.ask(self.name, CommandRequest(NAME, "dealer", do, fields), source="house")

    async def _pause(self, seconds: float) -> None:
        """Wait, unless the house closes."""
        await self.pause(self.finishing, seconds)
