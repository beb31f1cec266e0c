"""Calling the pit, closing a table and opening it again: what the house does around the rounds.

No document says how. A call can be made at every moment and stands until somebody of the pit answers it. A
table closes between rounds, and gives back everything that is not the house's; asked to in a round, it closes
by itself when that is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.ledger import player as account_of, purse as purse_of
from lammer.table.roles import is_in_a_round, must_be, must_be_between_rounds
from lammer.table.seating import shoe_ended, shoe_is_unplayed
from lammer.table.state import Table

LONGEST: Final = 300
"""Characters of a reason or an answer."""
WHILE_CLOSED: Final = (c.SetTable, c.FillBank, c.CreditBank, c.AnswerPitCall, c.OpenTable)
"""What can be done at a closed table."""


def call_pit(table: Table, call: c.Call, command: c.CallPit) -> Iterator[e.Event]:
    must_be(call, "dealer", None)
    reason = _in_words(command.reason)
    if not reason:
        raise Refused(
            "reason_needed", "The pit is called for a reason.", next_step="Choose a reason, or type one."
        )
    if all(reason != known.reason for known in table.pit_calls.values()):
        yield e.PitCalled(table.calls + 1, reason, call.by, call.at)


def answer_pit_call(table: Table, call: c.Call, command: c.AnswerPitCall) -> Iterator[e.Event]:
    must_be(call, "pit_supervisor", None)
    answer = _in_words(command.answer)
    if command.call not in table.pit_calls:
        raise Refused(
            "no_such_call",
            "Call {call} was answered already, or nobody made it.",
            next_step="Look at the table again.",
            call=command.call,
        )
    yield e.PitCallAnswered(command.call, answer)


def _in_words(text: str) -> str:
    words = " ".join(text.split())
    if len(words) > LONGEST:
        raise Refused("malformed_input", "At most {most} characters are written down of it.", most=LONGEST)
    return words


def must_not_be_closed(table: Table, command: c.Command) -> None:
    """Refuse at a closed table everything but what opens it, or counts its bank.

    >>> must_not_be_closed(Table({}, closed=True), c.FillBank(100_00))
    >>> must_not_be_closed(Table({}, closed=True), c.OpenBets())
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused table_closed: This table is closed. ...
    """
    if table.closed and not isinstance(command, WHILE_CLOSED):
        raise Refused("table_closed", "This table is closed.", next_step="Open the table again first.")


def _must_run_tables(call: c.Call) -> None:
    """Refuse whoever neither manages the pit nor puts up the tables of the house."""
    if call.role != "administrator":
        must_be(call, "pit_manager", None)


def close_table(table: Table, call: c.Call, command: c.CloseTable) -> Iterator[e.Event]:
    _must_run_tables(call)
    reason = _in_words(command.reason)
    if command.after_round and is_in_a_round(table):
        if table.closing_reason != reason:
            yield e.ClosingAnnounced(reason)
        return
    must_be_between_rounds(table)
    yield from _closed(table, reason)


def closed_after_round(table: Table) -> tuple[e.Event, ...]:
    """How a table closes that was to close after its round; nothing where the round is not over yet."""
    if table.closing_reason is None or is_in_a_round(table):
        return ()
    return tuple(_closed(table, table.closing_reason))


def keep_table_open(table: Table, call: c.Call, command: c.KeepTableOpen) -> Iterator[e.Event]:
    _must_run_tables(call)
    if table.closing_reason is None:
        raise Refused("table_stays_open", "This table does not close after its round.")
    yield e.ClosingTakenBack()


def _closed(table: Table, reason: str) -> Iterator[e.Event]:
    """Everything that is not the house's is given back, and then the table is closed."""
    if table.shoe is not None:
        yield shoe_ended(table, reason, unplayed=shoe_is_unplayed(table, table.shoe))
    for player in sorted(table.seats):
        yield e.SeatLeft(player, table.seats[player])
    for player in players_with_chips(table):
        yield e.ChipsTaken(player, table.accounts[account_of(player)])
    yield e.TableClosed(reason)


def players_with_chips(table: Table) -> list[str]:
    """Whose chips lie at a table, where chips are counted: only what was brought out of a purse is.

    >>> table = Table({}, accounts={"purse:mei": -1_000_00, "player:mei": 900_00, "player:li": 50_00})
    >>> players_with_chips(table)
    ['mei']
    """
    names = (account.removeprefix("player:") for account in table.accounts if account.startswith("player:"))
    return sorted(
        name for name in names if purse_of(name) in table.accounts and table.accounts[account_of(name)] > 0
    )


def open_table(table: Table, call: c.Call, command: c.OpenTable) -> Iterator[e.Event]:
    _must_run_tables(call)
    if not table.closed:
        raise Refused("table_is_open", "This table is open.")
    yield e.TableOpened()
