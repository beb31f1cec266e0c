"""Money as balanced postings, one set for each event, never edited.

Accounts: `bank` (the table's float), `cage` (where fills come from and credits go), `in_play` (stakes on the
felt), `commission`, `player:NAME` (what a player put in and got out), and `purse:NAME` (the other side of the
chips they brought here and took away). The sum of all accounts is zero after every event; a correction is a
reversal and a new posting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from lammer.table import events as e
from lammer.table.records import PaidLine, Returned


class Posting(Struct, frozen=True):
    """An amount in cents on an account, and why."""

    account: str
    amount: int
    why: str


def player(name: str) -> str:
    """The account of a player."""
    return f"player:{name}"


def purse(name: str) -> str:
    """The table's account of a player's purse: what went back into it, less what was brought from it.

    >>> [(posting.account, posting.amount) for posting in postings(e.ChipsBrought("mei", 1_000_00))]
    [('purse:mei', -100000), ('player:mei', 100000)]
    """
    return f"purse:{name}"


def postings(event: e.Event) -> tuple[Posting, ...]:
    """What an event does to the accounts; always adding up to zero.

    >>> [(posting.account, posting.amount) for posting in postings(e.BankFilled(5_000_00))]
    [('cage', -500000), ('bank', 500000)]
    """
    make_postings = _POSTINGS.get(type(event))
    return make_postings(event) if make_postings else ()


def moves_settled_money(events: Iterable[e.Event]) -> bool:
    """Whether money that was settled would be moved: a settlement undone, or a round corrected to other pay.

    >>> moves_settled_money([e.BankFilled(5_000_00)])
    False
    """
    return any(
        isinstance(event, e.SettlementReopened)
        or (isinstance(event, e.RoundCorrected) and event.reversed != event.posted)
        for event in events
    )


def _move(source: str, target: str, amount: int, why: str) -> tuple[Posting, ...]:
    return Posting(source, -amount, why), Posting(target, amount, why)


def _return_stake(returned: Returned) -> tuple[Posting, ...]:
    return _move("in_play", player(returned.player), returned.amount, "stake returned")


def _line_postings(lines: Iterable[PaidLine], sign: int) -> tuple[Posting, ...]:
    """The postings of settled lines, or with sign -1 their reversal."""
    line_postings: list[Posting] = []
    undo = "" if sign > 0 else "reversal: "
    for line in lines:
        line_postings.append(Posting("in_play", -sign * line.stake, f"{undo}{line.outcome}"))
        if line.outcome == "lost":
            line_postings.append(Posting("bank", sign * line.stake, f"{undo}loss"))
            continue
        line_postings.append(Posting(player(line.player), sign * line.returned, f"{undo}{line.outcome}"))
        if line.profit or line.commission:
            line_postings.append(Posting("bank", -sign * (line.profit + line.commission), f"{undo}win"))
        if line.commission:
            line_postings.append(Posting("commission", sign * line.commission, f"{undo}commission"))
    return tuple(line_postings)


def _stake(event: e.BetPlaced | e.BetIncreased | e.InsurancePlaced) -> tuple[Posting, ...]:
    return _move(player(event.player), "in_play", event.stake, "stake")


def _stake_back(event: e.BetReduced | e.BetCut) -> tuple[Posting, ...]:
    return _move("in_play", player(event.player), event.amount, "stake returned")


def _stakes_back(event: e.BetsReturned | e.RoundVoided) -> tuple[Posting, ...]:
    return tuple(posting for returned in event.returned for posting in _return_stake(returned))


_POSTINGS: dict[type, Callable[[Any], tuple[Posting, ...]]] = {
    e.BankFilled: lambda event: _move("cage", "bank", event.amount, "fill"),
    e.BankCredited: lambda event: _move("bank", "cage", event.amount, "credit"),
    e.ChipsBrought: lambda event: _move(
        purse(event.player), player(event.player), event.amount, "chips brought"
    ),
    e.ChipsTaken: lambda event: _move(player(event.player), purse(event.player), event.amount, "chips taken"),
    e.BetPlaced: _stake,
    e.BetIncreased: _stake,
    e.InsurancePlaced: _stake,
    e.BetReduced: _stake_back,
    e.BetCut: _stake_back,
    e.BetsReturned: _stakes_back,
    e.RoundVoided: _stakes_back,
    e.RoundSettled: lambda event: _line_postings(event.lines, 1),
    e.SettlementReopened: lambda event: _line_postings(event.reversed, -1),
    e.RoundCorrected: lambda event: (*_line_postings(event.reversed, -1), *_line_postings(event.posted, 1)),
}
