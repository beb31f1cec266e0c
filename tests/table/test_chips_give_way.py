"""Before the close an excess gives way chip by chip, the latest first: an increase is as late as itself."""

from __future__ import annotations

from typing import Any

import pytest

from lammer import Refused
from lammer.table import commands as c, events as e
from lammer.table.state import Table
from support.at_table import ask, script

LIMITS = {"minimum": "10", "differential": "1000"}


def betting(*placed: tuple[str, str, str], **more: Any) -> Table:
    """p1 sits at box 1, the others stand behind them; each with the bet and stake, in that order."""
    steps = [{"by": by, "do": "place_bet", "box": 1, "bet": bet, "stake": stake} for by, bet, stake in placed]
    return script({"by": "dealer", "do": "open_bets"}, *steps, **{"limits": LIMITS, **more}).table


def gave_way(events: tuple[e.Event, ...]) -> list[tuple[str, int]]:
    return [(event.player, event.amount) for event in events if isinstance(event, e.BetReduced)]


def chips(table: Table, player: str, bet: str = "player") -> list[tuple[int, int]]:
    assert table.round is not None
    return table.round.bets[table.round.by_place[player, 1, bet]].chips


def seats(table: Table, stake: int) -> list[tuple[str, int]]:
    """Who gives way when the seated player bets so much more."""
    return gave_way(ask(table, "p1", "player", c.PlaceBet("p1", 1, "player", stake)))


STANDING = (
    ("p1", "player", "100"),
    ("p3", "player", "300"),
    ("p4", "player", "300"),
    ("p3", "player", "300"),
)


def test_an_increase_gives_way_before_a_bet_that_was_placed_between() -> None:
    table = betting(*STANDING)
    assert chips(table, "p3") == [(2, 300_00), (4, 300_00)]
    assert seats(table, 200_00) == [("p3", 200_00)]
    assert chips(table, "p3") == [(2, 300_00), (4, 100_00)]
    assert seats(table, 300_00) == [("p3", 100_00), ("p4", 200_00)]
    assert seats(table, 200_00) == [("p4", 100_00), ("p3", 100_00)]
    assert chips(table, "p3") == [(2, 200_00)]


def test_the_order_is_that_of_the_whole_round_whatever_the_bets_are_called() -> None:
    """Chips on Banker or on a side bet take their turn too, and are not asked."""
    table = betting(STANDING[0], ("p3", "tie", "50"), STANDING[1], ("p4", "banker", "10"), STANDING[2])
    assert [chips(table, "p3", "tie"), chips(table, "p3"), chips(table, "p4")] == [
        [(2, 50_00)],
        [(3, 300_00)],
        [(5, 300_00)],
    ]
    assert seats(table, 410_00) == [("p4", 100_00)]


def test_who_takes_chips_back_takes_the_latest_of_that_bet() -> None:
    table = betting(*STANDING)
    ask(table, "p3", "player", c.WithdrawBet("p3", 1, "player", 350_00))
    assert chips(table, "p3") == [(2, 250_00)]
    # What they put down again is the latest, however early the bet was.
    ask(table, "p3", "player", c.PlaceBet("p3", 1, "player", 350_00))
    assert chips(table, "p3") == [(2, 250_00), (5, 350_00)]
    assert seats(table, 350_00) == [("p3", 350_00)]
    assert seats(table, 1_00) == [("p4", 1_00)]


def test_a_bet_taken_back_whole_and_placed_anew_is_as_late_as_that() -> None:
    table = betting(*STANDING[:3])
    ask(table, "p3", "player", c.WithdrawBet("p3", 1, "player"))
    ask(table, "p3", "player", c.PlaceBet("p3", 1, "player", 300_00))
    assert seats(table, 301_00) == [("p3", 1_00)]


def test_a_bet_that_would_be_left_below_its_minimum_goes_altogether() -> None:
    table = betting(*STANDING[:3], limits={**LIMITS, "minimum": "100"})
    # 300 are free; of p4's 300 at most 200 may go, and 250 would leave 50.
    assert seats(table, 550_00) == [("p4", 300_00)]
    assert table.round is not None
    assert table.round.sides[1, "player"] == 100_00 + 300_00 + 550_00


def test_a_seated_player_finds_no_more_room_than_others_leave() -> None:
    table = betting(*STANDING)
    with pytest.raises(Refused, match="over_differential"):
        ask(table, "p1", "player", c.PlaceBet("p1", 1, "player", 900_01))
    assert seats(table, 900_00) == [("p3", 600_00), ("p4", 300_00)]


def test_at_an_advisory_table_the_house_takes_chips_in_the_same_order() -> None:
    table = betting(*STANDING, ("p1", "player", "200"), readings={"limits_mode": "advisory"})
    assert gave_way(ask(table, "s", "pit_supervisor", c.RefuseExcess())) == [("p3", 200_00)]
    assert chips(table, "p3") == [(2, 300_00), (4, 100_00)]


def test_a_withdrawal_from_the_lighter_side_lets_the_latest_chips_go_at_the_close() -> None:
    table = betting(*STANDING, ("p1", "banker", "400"), ("p4", "player", "200"))
    ask(table, "p1", "player", c.WithdrawBet("p1", 1, "banker"))
    assert gave_way(ask(table, "d", "dealer", c.CloseBets())) == [("p4", 200_00)]


def test_a_cut_after_the_close_takes_from_every_bet_and_from_its_latest_chips() -> None:
    table = betting(*STANDING, ("p1", "player", "200"), readings={"limits_mode": "advisory"})
    ask(table, "d", "dealer", c.CloseBets())
    assert chips(table, "p3") == [(2, 300_00), (4, 200_00)]
    assert chips(table, "p1") == [(1, 100_00), (5, 150_00)]
    assert chips(table, "p4") == [(3, 250_00)]
