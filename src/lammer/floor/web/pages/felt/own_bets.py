"""A player's own bets taken back or made again, as commands of the table: undo, clear, rebet, double, saved.

What is undone is read from the events of the round, not remembered by a browser, so it works from any page
and with scripts off.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from lammer.floor.record.past import PAGE
from lammer.floor.record.purses import transfer
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.openings import OpenedAt
from lammer.game.money import show
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.decoding import command_of
from lammer.table.journal import Entry, decode
from lammer.table.play import decide
from lammer.table.state import OVER, Table

Asking = tuple[str, dict[str, Any]]
"""A command by its name, and its fields."""
MOST_SAVED: Final = 20
"""Bets in one set somebody saved."""


def round_of_bets(table: Table) -> int:
    """The round a bet is meant for: the one at the table, and once that is over the one that comes next."""
    return table.rounds + (table.round is None or table.round.phase in OVER)


def undo_command(entries: Iterable[Entry], player: str) -> Asking:
    """The command that takes back what a player put down last in the round of these entries."""
    places: dict[int, tuple[int, str]] = {}
    down: list[tuple[int, int]] = []
    for entry in entries:
        event = entry.event
        if isinstance(event, e.BetPlaced) and event.player == player:
            places[event.key] = event.box, event.bet
            down.append((event.key, event.stake))
        elif isinstance(event, e.BetIncreased) and event.player == player:
            down.append((event.key, event.stake))
        elif isinstance(event, e.BetReduced | e.BetCut) and event.player == player:
            down = _less(down, event.key, event.amount)
    if not down:
        raise Refused(
            "no_such_bet",
            "You have no bet in this round.",
            next_step="Undo takes chips off the felt; what was cleared it does not put back.",
        )
    key, stake = down[-1]
    box, bet = places[key]
    return "withdraw_bet", {"box": box, "bet": bet, "stake": show(stake)}


def _less(down: list[tuple[int, int]], key: int, amount: int) -> list[tuple[int, int]]:
    """What is left of a pile when so much of one bet is taken away, the latest chips first."""
    left: list[tuple[int, int]] = []
    for bet_key, stake in reversed(down):
        taken = min(stake, amount) if bet_key == key else 0
        amount -= taken
        if stake > taken:
            left.append((bet_key, stake - taken))
    return left[::-1]


async def round_so_far(view: DurableView, opened: OpenedAt | None) -> list[Entry]:
    """The events of the round at a table since its betting opened."""
    if opened is None:
        return []
    entries: list[Entry] = []
    after = opened.number
    while stored_events := await asyncio.to_thread(view.store.read, view.id, after, PAGE):
        entries += [decode(stored.body) for stored in stored_events]
        after = stored_events[-1].number
    return entries


def clear_commands(table: Table, player: str) -> list[Asking]:
    """The commands that take back every bet of a player."""
    this_round = table.require_round()
    mine = [bet for bet in this_round.bets.values() if bet.player == player]
    if not mine:
        raise nothing_down()
    return [("withdraw_bet", {"box": bet.box, "bet": bet.bet}) for bet in mine]


def double_commands(table: Table, player: str) -> list[Asking]:
    """The commands that put the same again on every bet of a player."""
    mine = [bet for bet in table.require_round().bets.values() if bet.player == player]
    if not mine:
        raise nothing_down()
    return [("place_bet", {"box": bet.box, "bet": bet.bet, "stake": show(bet.stake)}) for bet in mine]


def last_stakes(table: Table, player: str) -> list[tuple[int, str, int]]:
    """Box, bet and stake of everything a player had on the felt in the last round they played to its end."""
    for number in sorted(table.past, reverse=True):
        mine = [line for line in table.past[number].lines if line.player == player and line.window is None]
        if mine:
            return [(line.box, line.bet, line.stake) for line in mine]
    return []


def rebet_commands(table: Table, player: str, box: int) -> list[Asking]:
    """The commands that bring a player's bets to what they were in their last round, adding what is missing.

    Asked twice it does nothing more. Bets of one box go into the box they play now.
    """
    this_round = table.require_round()
    before = last_stakes(table, player)
    if not before:
        raise Refused(
            "no_such_bet",
            "You have not played a round here that could be made again.",
            next_step="While betting is open, choose a chip and a bet.",
        )
    moved = len({place for place, _, _ in before}) == 1
    commands: list[Asking] = []
    for place, bet, stake in before:
        at = box if moved else place
        key = this_round.by_place.get((player, at, bet))
        missing = stake - (this_round.bets[key].stake if key is not None else 0)
        if missing > 0:
            commands.append(("place_bet", {"box": at, "bet": bet, "stake": show(missing)}))
    return commands


def saved_commands(written: str, box: int) -> list[Asking]:
    """The commands that put saved bets into a box: each a bet and its stake, as a form sends them.

    >>> saved_commands("banker:100 tie:5.50", box=2)[1]
    ('place_bet', {'box': 2, 'bet': 'tie', 'stake': '5.50'})
    """
    parts = [part.partition(":") for part in written.split()]
    if not parts or len(parts) > MOST_SAVED or not all(bet and stake for bet, _, stake in parts):
        raise Refused(
            "malformed_input",
            "These are no saved bets: {written}.",
            next_step="Save the bets again.",
            written=repr(written[:40]),
        )
    return [("place_bet", {"box": box, "bet": bet, "stake": stake}) for bet, _, stake in parts]


def must_take_all(
    table: Table, player: str, role: str, asked: Sequence[Asking], purse: int | None, at: datetime
) -> None:
    """Refuse several bets, before the first is put down, where one of them would be refused now.

    So nobody has half of what they meant to bet. `purse` is in cents; None where chips are not counted. The
    Differential is left to the table: whether a bet breaks it may hang on the bets before it.
    """
    bets = [command_of(do, {"player": player} | fields) for do, fields in asked]
    for bet in bets:
        try:
            decide(table, c.Call(player, role, at, bet))
        except Refused as refused:
            if refused.code != "over_differential":
                raise
    staked = sum(bet.stake for bet in bets if isinstance(bet, c.PlaceBet))
    if purse is not None and staked:
        transfer(table, c.PlaceBet(player, 0, "", staked), purse)


def nothing_down() -> Refused:
    """The refusal where a player has nothing on the felt."""
    return Refused(
        "no_such_bet",
        "You have no bet in this round.",
        next_step="While betting is open, choose a chip and a bet.",
    )
