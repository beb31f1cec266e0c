"""What holds of a table's money after everything that moved it; asked before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lammer.table import events as e
from lammer.table.state import OVER, Table

_MOVES_MONEY: Final = frozenset((
    e.RoundSettled, e.RoundVoided, e.RoundConcluded, e.RoundCorrected, e.SettlementReopened, e.BetsReturned,
))  # fmt: skip


def must_balance(table: Table, events: Sequence[e.Event]) -> None:
    """No cent comes from nowhere, and between rounds none is left on the felt.

    >>> must_balance(Table({}, accounts={"bank": 5, "cage": -5}), [e.RoundVoided(1, "", (), ())])
    """
    if not _MOVES_MONEY.isdisjoint(map(type, events)):
        accounts, this_round = table.accounts, table.round
        assert sum(accounts.values()) == 0, "the accounts do not balance"
        if this_round is None or this_round.phase in OVER:
            assert accounts.get("in_play", 0) == 0, "chips are left on the felt"
