"""What a call would do, before it is done: tried on a copy of the table, in money and for each player.

Whoever has to agree to a correction sees what it changes to the cent. The copy is thrown away; the table and
its record do not know that anybody asked.
"""

from __future__ import annotations

from dataclasses import dataclass

from lammer.rulebook.refusal import Refused
from lammer.table.commands import Call
from lammer.table.events import Event
from lammer.table.ledger import player as account_of
from lammer.table.play import record
from lammer.table.snapshot import freeze, thaw
from lammer.table.state import Table

_PLAYER = account_of("")


@dataclass(frozen=True, slots=True)
class MoneyChange:
    """What a player's money at the table would be, in cents."""

    player: str
    before: int
    after: int

    @property
    def by(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Preview:
    """The events that would follow and the money they move; or why the table would refuse."""

    events: tuple[Event, ...] = ()
    changes: tuple[MoneyChange, ...] = ()
    house: int = 0
    refused: Refused | None = None


def preview(table: Table, call: Call) -> Preview:
    """What would come of a call.

    >>> from datetime import UTC, datetime
    >>> from lammer import rulebook
    >>> from lammer.table.commands import VoidRound
    >>> from lammer.table.script import run
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> steps = [{"by": "dealer", "do": "open_bets"},
    ...          {"by": "p1", "do": "place_bet", "box": 1, "bet": "tie", "stake": "50"}]
    >>> script = {"rulebook": book.id, "layout": "A", "seats": {"p1": 1}, "step": steps}
    >>> table = run({book.id: book}, script).table
    >>> asked = Call("wei", "pit_supervisor", datetime.now(UTC), VoidRound("wrong_deck"))
    >>> [(change.player, change.by) for change in preview(table, asked).changes], table.round.phase
    ([('p1', 5000)], 'betting')
    """
    copy = thaw(table.books, freeze(table))
    copy.recall = table.recall
    try:
        events = record(copy, call)
    except Refused as refused:
        return Preview(refused=refused)
    names = [name for name in copy.accounts if name.startswith(_PLAYER)]
    changes = tuple(
        MoneyChange(name.removeprefix(_PLAYER), table.accounts.get(name, 0), copy.accounts[name])
        for name in sorted(names)
        if copy.accounts[name] != table.accounts.get(name, 0)
    )
    return Preview(events, changes, house_win(copy) - house_win(table))


def house_win(table: Table) -> int:
    """What the House has won at this table, commission counted in and fills counted out."""
    return sum(table.accounts.get(name, 0) for name in ("bank", "cage", "commission"))
