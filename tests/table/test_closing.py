"""The pit called to a table, and a table that closes and opens again."""

from __future__ import annotations

import pytest

from lammer import Refused
from lammer.table import commands as c, events as e
from lammer.table.script import START
from lammer.table.state import Table
from support.at_table import ask, bets, cards, script

SETTLE = {"by": "dealer", "do": "settle"}


def test_a_call_stands_until_the_pit_answers_it() -> None:
    table = script(*bets(), {"by": "dealer", "do": "interrupt", "reason": "the lights went out"}).table
    (called,) = ask(table, "dora", "dealer", c.CallPit("  a player\n fell ill "))
    assert called == e.PitCalled(1, "a player fell ill", "dora", START)
    assert ask(table, "dora", "dealer", c.CallPit("a player fell ill")) == (), "once is enough"
    ask(table, "dora", "dealer", c.CallPit("a dispute"))
    assert [(call.number, call.reason) for call in table.pit_calls.values()] == [
        (1, "a player fell ill"),
        (2, "a dispute"),
    ]
    with pytest.raises(Refused, match="not_your_role"):
        ask(table, "dora", "dealer", c.AnswerPitCall(1))
    ask(table, "sue", "pit_supervisor", c.AnswerPitCall(1, "taken care of"))
    with pytest.raises(Refused, match="no_such_call"):
        ask(table, "sue", "pit_supervisor", c.AnswerPitCall(1))
    assert list(table.pit_calls) == [2]
    # What was answered may be called for again, under a number of its own.
    (again,) = ask(table, "dora", "dealer", c.CallPit("a player fell ill"))
    assert isinstance(again, e.PitCalled)
    assert again.call == 3


@pytest.mark.parametrize(
    ("role", "reason", "code"),
    [
        ("player", "help", "not_your_role"),
        ("dealer", " \n", "reason_needed"),
        ("dealer", "x" * 301, "malformed"),
    ],
)
def test_who_may_not_call_the_pit(role: str, reason: str, code: str) -> None:
    table = script().table
    with pytest.raises(Refused, match=code):
        ask(table, "somebody", role, c.CallPit(reason))
    assert not table.pit_calls


def settled() -> Table:
    """Two players who brought chips, and a round that is settled: p1 won 100, p2 lost 40."""
    brought = [{"by": player, "do": "bring_chips", "amount": "1000"} for player in ("p1", "p2")]
    return script(*brought, *bets(), cards("KS KD 8H 7C"), SETTLE).table


def test_closing_gives_everything_back() -> None:
    table = settled()
    with pytest.raises(Refused, match="not_your_role"):
        ask(table, "sue", "pit_supervisor", c.CloseTable())
    events = ask(table, "max", "pit_manager", c.CloseTable("the night is over"))
    kinds = [type(event).__name__ for event in events]
    assert kinds == ["ShoeEnded", "SeatLeft", "SeatLeft", "ChipsTaken", "ChipsTaken", "TableClosed"]
    assert events[-1] == e.TableClosed("the night is over")
    assert not table.seats
    assert table.shoe is None
    owned = {name: cents for name, cents in table.accounts.items() if name.startswith("player:")}
    assert owned == {"player:p1": 0, "player:p2": 0}
    assert sum(table.accounts.values()) == 0
    assert table.accounts["purse:p1"] + table.accounts["purse:p2"] == -table.accounts["bank"]
    for command in (
        c.OpenBets(),
        c.TakeSeat("p1", 1),
        c.BringChips("p1", 100),
        c.PrepareShoe(),
        c.CloseTable(),
    ):
        with pytest.raises(Refused, match="table_closed"):
            ask(table, "max", "pit_manager", command)
    ask(table, "max", "pit_manager", c.FillBank(100_00))
    ask(table, "max", "pit_manager", c.OpenTable())
    with pytest.raises(Refused, match="table_is_open"):
        ask(table, "max", "pit_manager", c.OpenTable())
    ask(table, "dora", "dealer", c.PrepareShoe())
    ask(table, "dora", "dealer", c.OpenBets())


def test_no_table_closes_in_a_round() -> None:
    table = script(*bets()).table
    with pytest.raises(Refused, match="round_under_way"):
        ask(table, "max", "pit_manager", c.CloseTable())


def test_chips_nobody_brought_are_not_taken_away() -> None:
    """In a house that counts no chips there are no purses they could go into."""
    table = script(*bets(), cards("KS KD 8H 7C"), SETTLE).table
    before = dict(table.accounts)
    assert before["player:p1"] > 0
    ask(table, "max", "pit_manager", c.CloseTable())
    assert table.accounts == before


def test_a_table_closes_by_itself_after_its_round() -> None:
    """As `close_table` after the round would have closed it, in the same step as the settlement."""
    by_hand = settled()
    at_once = ask(by_hand, "max", "pit_manager", c.CloseTable("the night is over"))
    brought = [{"by": player, "do": "bring_chips", "amount": "1000"} for player in ("p1", "p2")]
    table = script(*brought, *bets(), cards("KS KD 8H 7C")).table
    with pytest.raises(Refused, match="not_your_role"):
        ask(table, "sue", "pit_supervisor", c.CloseTable(after_round=True))
    after = c.CloseTable(" the night\nis over ", after_round=True)
    assert ask(table, "max", "pit_manager", after) == (e.ClosingAnnounced("the night is over"),)
    assert ask(table, "max", "pit_manager", after) == (), "once is enough"
    events = ask(table, "dora", "dealer", c.Settle())
    assert isinstance(events[0], e.RoundSettled)
    assert events[1:] == at_once
    assert table.closing_reason is None
    assert table.accounts == by_hand.accounts


def test_that_it_closes_is_taken_back() -> None:
    table = script(*bets(), cards("KS KD 8H 7C")).table
    with pytest.raises(Refused, match="table_stays_open"):
        ask(table, "max", "pit_manager", c.KeepTableOpen())
    ask(table, "max", "pit_manager", c.CloseTable(after_round=True))
    with pytest.raises(Refused, match="not_your_role"):
        ask(table, "dora", "dealer", c.KeepTableOpen())
    assert ask(table, "max", "pit_manager", c.KeepTableOpen()) == (e.ClosingTakenBack(),)
    assert [type(event) for event in ask(table, "dora", "dealer", c.Settle())] == [e.RoundSettled]
    assert not table.closed


@pytest.mark.parametrize("ends", ["void", "between"])
def test_it_closes_however_the_round_ended_and_at_once_between_rounds(ends: str) -> None:
    table = script(*bets()).table if ends == "void" else settled()
    closes = ask(table, "max", "pit_manager", c.CloseTable(after_round=True))
    if ends == "void":
        closes = ask(table, "sue", "pit_supervisor", c.VoidRound("wrong_deck"))
    assert isinstance(closes[-1], e.TableClosed)
    assert table.closed
