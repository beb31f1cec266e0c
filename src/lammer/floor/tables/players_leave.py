"""The leave staff need to bet and choose for a player who could do it themselves.

The rules let staff place bets at a player's request. Who asked whom at the table nobody can read back from a
record; so a player with a login says once, at each table, that staff may act for them. Somebody without a
login has nobody else to do it, and their request is the dealer's word, as it is at any table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic
from types import MappingProxyType
from typing import Final

from sqlalchemy import select

from lammer.floor.access.accounts import canonical
from lammer.floor.access.tokens import Recent
from lammer.floor.record.contract import Record
from lammer.floor.record.monotonic_clock import Ticks
from lammer.floor.record.people import accounts
from lammer.floor.record.store.lookups import BatchedLookup
from lammer.floor.tables.command_request import CommandRequest
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c
from lammer.table.decoding import COMMANDS
from lammer.table.state import Table

NEEDS_LEAVE: Final[Mapping[type, str]] = MappingProxyType(
    {
        c.PlaceBet: "it stakes the player's chips",
        c.PlaceInsurance: "it stakes the player's chips",
        c.WithdrawBet: "it takes a bet from the felt that the player wants there",
        c.AnnounceInsurance: "it says what the player will do, and the next card waits for it",
        c.RequestSqueeze: "it asks in the player's name, and may cost everybody Insurance",
        c.ChooseOption: "it is the player's one answer",
        c.BringChips: "it takes chips out of the player's purse",
        c.TakeChips: "it takes the player's chips from the table",
    }
)
"""What stakes for a player or decides for them, and how."""

NEEDS_NONE: Final[Mapping[type, str]] = MappingProxyType(
    {
        c.TakeSeat: "a seat stakes nothing",
        c.LeaveSeat: "that somebody has gone is to be seen, and the bets play on",
        c.DeclineInsurance: "the table waits for whoever announced it, and somebody has to end the waiting",
        c.AllowStaffBets: "the player alone gives it",
        c.AddEntropy: "it stakes nothing, and what the player added nobody else changes",
    }
)
"""The other commands staff or players give in a player's name, and why staff may without being allowed."""

_NAMES: Final = frozenset(do for do, kind in COMMANDS.items() if kind in NEEDS_LEAVE)


class PlayerLogins:
    """Which players could act for themselves.

    What was looked up within the last second is believed, as with sessions (see `tokens.Recent`): a login
    made here counts at once, one made in another process a second later. Whoever is looked up again takes
    along everybody asked about since, so that a busy table costs one look a second.
    """

    def __init__(self, store: Record, ticks: Ticks = monotonic) -> None:
        self._store = store
        self._names = BatchedLookup(self._with_login)
        self._recent: Recent[str, bool] = Recent(ticks)
        self._asked: set[str] = set()

    def forget(self, name: str) -> None:
        """Look again: the account of that name is new or no longer what it was."""
        self._recent.drop(name)

    def known(self, table: Table | None, asked: CommandRequest) -> bool | None:
        """Whether a request of staff is for a player with a login; None where that has to be looked up.

        Whoever has allowed it at the table signed in to do so and is not looked up, nor is what can be no
        account's name.
        """
        player = asked.fields.get("player")
        if asked.role == "player" or asked.do not in _NAMES or not isinstance(player, str):
            return False
        if table is not None and player in table.staff_bets:
            return True
        has_login = self._recent.get(player)
        if has_login is None and canonical(player) != player:
            return False
        self._asked.add(player)
        return has_login

    async def look_up(self, asked: CommandRequest) -> bool:
        """The same, by the record."""
        return await self._names.find(asked.fields["player"]) is not None

    def _with_login(self, waiting: Iterable[str]) -> dict[str, bool]:
        asked, self._asked = self._asked, set()
        names, begun = asked.union(waiting), self._recent.begin()
        query = select(accounts.c.name).where(
            accounts.c.name.in_(names),
            accounts.c.role == "player",
            accounts.c.disabled_at.is_(None),
        )
        with self._store.reading() as connection:
            with_login = {row.name: True for row in connection.execute(query)}
        for name in names:
            self._recent.put(name, name in with_login, begun)
        return with_login


def must_have_leave(table: Table, name: str, command: c.Command, *, has_login: bool) -> None:
    """Refuse what staff ask for a player with a login who has not allowed it at this table.

    >>> from lammer import rulebook
    >>> from lammer.table.script import run
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> table = run({book.id: book}, {"rulebook": book.id, "layout": "A"}).table
    >>> bet = c.PlaceBet("mei", 1, "tie", 50_00)
    >>> must_have_leave(table, "t1", bet, has_login=False)
    >>> must_have_leave(table, "t1", bet, has_login=True)
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused needs_players_leave: mei has not allowed staff to bet ...
    """
    if not has_login or type(command) not in NEEDS_LEAVE or table.setup is None:
        return
    player = getattr(command, "player")  # noqa: B009 (each of them has one)
    if player not in table.staff_bets:
        raise Refused(
            "needs_players_leave",
            "{player} has not allowed staff to bet for them at table {name}.",
            table.cite("bet_by_staff"),
            next_step="They allow it on their table page, or place it themselves.",
            player=player,
            name=name,
        )
