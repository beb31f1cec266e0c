"""Money as balanced postings, one set for each event, never edited.

Accounts: `bank` (the table's float), `cage` (where fills come from and credits go), `in_play` (stakes on the
felt), `commission`, `player:NAME` (what a player put in and got out), and `purse:NAME` (the other side of the
chips they brought here and took away). The sum of all accounts is zero after every event; a correction is a
reversal and a new posting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from lammer.table import events as e
from lammer.table.records import PaidLine, Returned


class Posting(NamedTuple):
    """An amount in cents on an account, and why. A tuple, because every bet makes two of them twice."""

    account: str
    amount: int
    why: str


def player(name: str) -> str:
    """The account of a player."""
    return f"player:{name}"


def purse(name: str) -> str:
    """The table's account of a player's purse: what went back into it, less what was brought from it.

    >>> [(p.account, p.amount) for p in postings(e.ChipsBrought("mei", 1_000_00))]
    [('purse:mei', -100000), ('player:mei', 100000)]
    """
    return f"purse:{name}"


def postings(event: e.Event) -> tuple[Posting, ...]:
    """What an event does to the accounts; always adding up to zero.

    >>> [(p.account, p.amount) for p in postings(e.BankFilled(5_000_00))]
    [('cage', -500000), ('bank', 500000)]
    """
    made = _POSTINGS.get(type(event))
    return made(event) if made else ()


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


def _moved(source: str, target: str, amount: int, why: str) -> tuple[Posting, ...]:
    return Posting(source, -amount, why), Posting(target, amount, why)


def _back(back: Returned) -> tuple[Posting, ...]:
    return _moved("in_play", player(back.player), back.amount, "stake returned")


def _lines(lines: Iterable[PaidLine], sign: int) -> tuple[Posting, ...]:
    """The postings of settled lines, or with sign -1 their reversal."""
    made: list[Posting] = []
    undo = "" if sign > 0 else "reversal: "
    for line in lines:
        made.append(Posting("in_play", -sign * line.stake, f"{undo}{line.outcome}"))
        if line.outcome == "lost":
            made.append(Posting("bank", sign * line.stake, f"{undo}loss"))
            continue
        made.append(Posting(player(line.player), sign * line.returned, f"{undo}{line.outcome}"))
        if line.profit or line.commission:
            made.append(Posting("bank", -sign * (line.profit + line.commission), f"{undo}win"))
        if line.commission:
            made.append(Posting("commission", sign * line.commission, f"{undo}commission"))
    return tuple(made)


def _stake(event: e.BetPlaced | e.BetIncreased | e.InsurancePlaced) -> tuple[Posting, ...]:
    return _moved(player(event.player), "in_play", event.stake, "stake")


def _stake_back(event: e.BetReduced | e.BetCut) -> tuple[Posting, ...]:
    return _moved("in_play", player(event.player), event.amount, "stake returned")


def _stakes_back(event: e.BetsReturned | e.RoundVoided) -> tuple[Posting, ...]:
    return tuple(posting for back in event.returned for posting in _back(back))


_POSTINGS: dict[type, Callable[[Any], tuple[Posting, ...]]] = {
    e.BankFilled: lambda event: _moved("cage", "bank", event.amount, "fill"),
    e.BankCredited: lambda event: _moved("bank", "cage", event.amount, "credit"),
    e.ChipsBrought: lambda event: _moved(
        purse(event.player), player(event.player), event.amount, "chips brought"
    ),
    e.ChipsTaken: lambda event: _moved(
        player(event.player), purse(event.player), event.amount, "chips taken"
    ),
    e.BetPlaced: _stake,
    e.BetIncreased: _stake,
    e.InsurancePlaced: _stake,
    e.BetReduced: _stake_back,
    e.BetCut: _stake_back,
    e.BetsReturned: _stakes_back,
    e.RoundVoided: _stakes_back,
    e.RoundSettled: lambda event: _lines(event.lines, 1),
    e.SettlementReopened: lambda event: _lines(event.reversed, -1),
    e.RoundCorrected: lambda event: (*_lines(event.reversed, -1), *_lines(event.posted, 1)),
}
