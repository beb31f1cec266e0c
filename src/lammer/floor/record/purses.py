"""Purses: a player's money is one, wherever they play, and is kept in the record.

Chips are brought from the purse to a table and taken back into it. The purse changes in the transaction that
files the table's event (`Append.beside`), so both happen or neither does, in whichever process. A bet is paid
with the chips at its table and touches no purse, but for one that goes beyond them. Amounts are whole cents.
Every call blocks on the database, so an event loop asks from a worker thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from sqlalchemy import CheckConstraint, Connection, Table as SqlTable, func, select, update

from lammer.floor.record.contract import Record, Rows, must_be_name
from lammer.floor.record.schema import events as filed, insert_into, metadata, numbers, texts
from lammer.game.money import Amount, show
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.ledger import player as account_of
from lammer.table.state import Table

LEAST_BROUGHT: Final = 1_000_00
"""Cents that a stake beyond the chips at a table brings along at least, so that few bets touch the purse."""
LARGEST_PURSE: Final = 10**17
"""Cents: no purse is filled beyond that, and both databases can count so far."""

purses: Final = SqlTable(
    "purses",
    metadata,
    *texts("player", key=True),
    *numbers("balance", "issued"),
    CheckConstraint("balance >= 0", name="not_overdrawn"),
)
"""What is in each purse now, and all that the house ever put into it."""

Beside = Callable[[Connection], None]


class PurseMoved(Refused):
    """The purse holds less than it did when this was decided, but enough: decided anew, it can be done."""

    def __init__(self, player: str) -> None:
        super().__init__(
            "table_moved_on",
            "Chips of {player} were moved meanwhile.",
            next_step="Look at the table again and repeat the request.",
            player=player,
        )


@dataclass(frozen=True, slots=True)
class Transfer:
    """Chips that move with what was decided: to the table (`amount` above 0) or back into the purse.

    At least `needed` of them have to; where a purse no longer has `amount` but that, it is decided anew.
    """

    player: str
    amount: int
    needed: int

    def with_bet(self, events: Sequence[e.Event]) -> tuple[e.Event, ...]:
        """What was decided, and before it the chips it is paid with, where nobody asked to bring them.

        >>> bet = e.BetPlaced(1, "mei", 1, "tie", 80_00, True, "mei")
        >>> [type(event).__name__ for event in Transfer("mei", 1_000_00, 50_00).with_bet([bet])]
        ['ChipsBrought', 'BetPlaced']
        """
        if any(isinstance(event, e.ChipsBrought | e.ChipsTaken) for event in events):
            return tuple(events)
        return e.ChipsBrought(self.player, self.amount), *events


def transfer(table: Table, asked: c.Command, purse: int) -> Transfer | None:
    """The chips that have to move for what is asked, with so much in the player's purse; or `Refused`.

    >>> table = Table({}, accounts={"player:mei": 30_00})
    >>> transfer(table, c.PlaceBet("mei", 1, "tie", 25_00), purse=5_000_00) is None
    True
    >>> transfer(table, c.PlaceBet("mei", 1, "tie", 80_00), purse=5_000_00)
    Transfer(player='mei', amount=100000, needed=5000)
    >>> transfer(table, c.PlaceBet("mei", 1, "tie", 80_00), purse=40_00)
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused not_enough_chips: mei has 30.00 at this table and 40.00 in ...
    """
    match asked:
        case c.BringChips():
            must_be_in_purse(asked.player, asked.amount, purse)
            return Transfer(asked.player, asked.amount, asked.amount)
        case c.PlaceBet() | c.PlaceInsurance() if (needed := missing(table, asked)) > 0:
            if needed > purse:
                has = table.accounts.get(account_of(asked.player), 0)
                raise Refused(
                    "not_enough_chips",
                    "{player} has {has} at this table and {purse} in the purse, and stakes {stake}.",
                    next_step="Stake less, or take chips away from another table first.",
                    player=asked.player,
                    has=Amount(has),
                    purse=Amount(purse),
                    stake=Amount(asked.stake),
                )
            return Transfer(asked.player, min(max(needed, LEAST_BROUGHT), purse), needed)
        case _:
            return None


def chips_back(events: Sequence[e.Event]) -> tuple[Transfer, ...]:
    """The chips that go back into purses with what was decided: one player's, or all that lie at the table.

    >>> chips_back([e.ChipsTaken("mei", 80_00), e.TableClosed()])
    (Transfer(player='mei', amount=-8000, needed=-8000),)
    """
    return tuple(
        Transfer(event.player, -event.amount, -event.amount)
        for event in events
        if isinstance(event, e.ChipsTaken)
    )


def missing(table: Table, asked: c.Command) -> int:
    """The cents a command needs from the purse; 0 or less where the chips at the table are enough.

    >>> missing(Table({}, accounts={"player:mei": 30_00}), c.PlaceBet("mei", 1, "tie", 80_00))
    5000
    """
    match asked:
        case c.PlaceBet() | c.PlaceInsurance():
            return asked.stake - table.accounts.get(account_of(asked.player), 0)
        case c.BringChips():
            return asked.amount
        case _:
            return 0


def must_be_in_purse(player: str, amount: int, purse: int) -> None:
    """Refuse to bring more than a purse holds."""
    if amount > purse:
        raise Refused(
            "not_enough_chips",
            "{player} has {purse} in the purse, not {amount}.",
            next_step="Bring less, or take chips away from another table first.",
            player=player,
            purse=Amount(purse),
            amount=Amount(amount),
        )


def must_be_counted(asked: c.Command) -> None:
    """Refuse to move chips in a house that counts none."""
    if isinstance(asked, c.BringChips | c.TakeChips):
        raise Refused(
            "chips_not_counted",
            "Chips are not counted in this house; everybody bets without them.",
            next_step="Place the bet.",
        )


class Purses:
    """The purses of a house; each is opened with `first` cents when it is first needed. 0: there are none."""

    def __init__(self, record: Record | Rows, first: int) -> None:
        self.record, self.first = record, first

    @property
    def counted(self) -> bool:
        """Whether chips are counted in this house."""
        return self.first > 0

    def holds(self, player: str) -> int:
        """What is in a purse now; what it will be opened with, where it was not needed yet."""
        with self.record.reading() as connection:
            balance = connection.scalar(select(purses.c.balance).where(purses.c.player == player))
        return self.first if balance is None else balance

    def holds_at(self, player: str, tables: Sequence[str]) -> tuple[int, tuple[int, ...]]:
        """What is in a purse, and the last event of each of these tables at that same moment; 0 for none."""
        numbers_then = [
            select(func.max(filed.c.number)).where(filed.c.table_id == table).scalar_subquery()
            for table in tables
        ]
        balance_then = select(purses.c.balance).where(purses.c.player == player).scalar_subquery()
        # One statement: on both databases all of it sees one state.
        with self.record.reading() as connection:
            balance, *found = connection.execute(select(balance_then, *numbers_then)).one()
        return self.first if balance is None else balance, tuple(number or 0 for number in found)

    def beside(self, *transfers: Transfer) -> Beside:
        """The purses' half of transfers, to be done in the transaction that files the table's half."""

        def work(connection: Connection) -> None:
            # Always in the same order, so that two transactions never wait for each other.
            for moved in sorted(transfers, key=attrgetter("player")):
                open_purse(connection, moved.player, self.first)
                if take_from(connection, moved.player, moved.amount):
                    continue
                of_player = purses.c.player == moved.player
                there = connection.scalar(select(purses.c.balance).where(of_player)) or 0
                must_be_in_purse(moved.player, moved.needed, there)
                raise PurseMoved(moved.player)

        return work

    def issue(self, connection: Connection, player: str, cents: int) -> int:
        """Put chips into a purse, or with less than 0 redeem some; what it holds then.

        It is done in the caller's transaction.
        """
        open_purse(connection, player, self.first)
        of_player = purses.c.player == player
        added = {"balance": purses.c.balance + cents, "issued": purses.c.issued + cents}
        fits = (purses.c.balance >= -cents) & (purses.c.balance <= LARGEST_PURSE - cents)
        done = connection.execute(update(purses).where(of_player, fits).values(added)).rowcount
        held = connection.scalar(select(purses.c.balance).where(of_player)) or 0
        if not done and cents > 0:
            raise Refused(
                "amount_too_large",
                "The purse of {player} would hold more than can be counted.",
                player=player,
            )
        if not done:
            raise Refused(
                "not_enough_chips",
                "{player} has {held} in the purse, not {owed}.",
                next_step="Redeem less; chips at tables are taken away from there first.",
                player=player,
                held=Amount(held),
                owed=Amount(-cents),
            )
        return held


def open_purse(connection: Connection, player: str, first: int) -> None:
    """Have a purse for a player, with what a purse begins with."""
    must_be_name("A player", player)
    row = {"player": player, "balance": first, "issued": first}
    connection.execute(insert_into(connection, purses).values(row).on_conflict_do_nothing())


def take_from(connection: Connection, player: str, cents: int) -> bool:
    """Take so much from a purse (less than 0: put it in), if it is there."""
    enough = (purses.c.player == player) & (purses.c.balance >= cents)
    taken = update(purses).where(enough).values(balance=purses.c.balance - cents)
    return connection.execute(taken).rowcount == 1


def check_purses(held: Mapping[str, tuple[int, int]], moved: Mapping[str, int]) -> list[Phrase]:
    """Each purse against what was put into it and what the tables say of it; what does not hold.

    `held` are balance and issued of each purse, `moved` what all tables together say went back into it.

    >>> check_purses({"mei": (900, 1_000), "li": (1_000, 1_000)}, {"mei": -100, "li": -250})
    ['the purse of li: it holds 10.00; by what was issued and the tables it is 7.50']
    >>> check_purses({}, {"mei": -100})
    ['the purse of mei: it is not there, and chips were moved between it and a table']
    """
    wrong = []
    for player in sorted(held.keys() | {player for player, cents in moved.items() if cents}):
        if player not in held:
            wrong.append(
                Phrase(
                    "the purse of {player}: it is not there, and chips were moved between it and a table",
                    player=player,
                )
            )
            continue
        balance, issued = held[player]
        expected = issued + moved.get(player, 0)
        if balance != expected:
            wrong.append(
                Phrase(
                    "the purse of {player}: it holds {balance};"
                    " by what was issued and the tables it is {expected}",
                    player=player,
                    balance=show(balance),
                    expected=show(expected),
                )
            )
    return wrong
