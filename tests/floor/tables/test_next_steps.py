"""The steps of a round, tried: at every moment the table takes exactly those that are called lawful."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from lammer import rulebook
from lammer.floor.tables.next_steps import hand_of_next_card, in_the_way, lawful, next_of
from lammer.floor.tables.preview import house_win, preview
from lammer.table import commands as c
from lammer.table.decoding import command_of
from lammer.table.journal import snapshot
from lammer.table.play import record
from lammer.table.script import run
from lammer.table.state import Table

BOOK = rulebook("tiger-buffalo-noncommission-insurance@3")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def calling(role: str = "dealer") -> Any:
    return lambda command: c.Call("mei", role, NOON, command)


def table_of(**script: Any) -> Table:
    made = {"rulebook": BOOK.id, "layout": "C", "limits": {"minimum": "50"}, "seats": {"p1": 1}}
    return run({BOOK.id: BOOK}, made | script).table


def do(table: Table, name: str, by: str = "dealer", **fields: Any) -> None:
    role = by if by in ("dealer", "pit_supervisor") else "player"
    record(table, c.Call(by, role, NOON, command_of(name, fields)))


def follow(table: Table, name: str, **fields: Any) -> None:
    """Take the step, having seen that it is the one that comes next."""
    steps = lawful(table, calling())
    step = next_of(table, steps)
    assert step is not None
    assert step.do == name
    do(table, name, **(dict(step.fields) | fields))


def test_a_whole_round_by_the_next_step_alone() -> None:
    table = table_of()
    follow(table, "open_bets")
    do(table, "place_bet", by="p1", player="p1", box=1, bet="banker", stake="100")
    follow(table, "close_bets")
    for card in ("QS", "3D", "6H", "AC", "5D"):
        follow(table, "deal_card", card=card)
    follow(table, "settle")
    follow(table, "open_bets")


def test_a_face_down_table_opens_its_cards_before_it_goes_on() -> None:
    table = table_of(entropy="07" * 16, face_down=True)
    follow(table, "open_bets")
    follow(table, "close_bets")
    for _ in range(4):
        follow(table, "deal_card")
    for _ in range(4):
        follow(table, "open_card")
    step = next_of(table, lawful(table, calling()))
    assert step is not None
    assert step.do in ("deal_card", "settle")


def test_why_not_gives_nothing_away_of_what_lies_face_down() -> None:
    """A natural needs no further card and a two does; while they lie face down both look the same."""
    found = []
    for cards in ("9S KD KH QC", "2S 3D KH 2C"):
        table = table_of(face_down=True)
        do(table, "open_bets")
        do(table, "close_bets")
        for card in cards.split():
            do(table, "deal_card", card=card)
        found.append([(step.do, step.fields, str(step.refused)) for step in lawful(table, calling())])
        assert hand_of_next_card(table) is None
    assert found[0] == found[1]
    told = {step: refused for step, _, refused in found[0]}
    assert "cards_face_down" in told["deal_card"]
    assert "a card is still face down" in told["settle"]


def test_an_unlawful_step_says_why_not_and_under_which_paragraph() -> None:
    table = table_of()
    do(table, "open_bets")
    refused = {step.do: step.refused for step in lawful(table, calling())}
    assert refused["close_bets"] is None
    told = refused["deal_card"]
    assert told is not None
    assert (told.code, told.next_step) == ("bets_are_open", "Close it first.")
    assert told.citation is not None
    assert told.citation.paragraph == "3.8"


def test_trying_changes_nothing() -> None:
    table = table_of(entropy="00" * 16)
    before = snapshot(table)
    lawful(table, calling())
    assert snapshot(table) == before


def test_a_shoe_that_had_its_last_round_is_ended_next() -> None:
    table = table_of()
    do(table, "open_bets")
    do(table, "close_bets")
    do(table, "show_cut_card")
    for card in ("8S", "KD", "KH", "QC"):
        do(table, "deal_card", card=card)
    follow(table, "settle")
    follow(table, "end_shoe")
    follow(table, "prepare_shoe")
    follow(table, "open_bets")


@pytest.mark.parametrize(("role", "do_it"), [("dealer", False), ("pit_supervisor", True)])
def test_an_interruption_waits_for_whoever_may_resolve_it(role: str, do_it: bool) -> None:
    table = table_of()
    do(table, "open_bets")
    do(table, "interrupt", reason="power")
    steps = lawful(table, calling(role))
    waits = in_the_way(table, steps)
    assert (next_of(table, steps) is not None) is do_it
    assert do_it or (waits is not None and waits.do == "resolve_interruption")


def test_misplaced_cards_are_put_right_next_under_their_own_paragraph() -> None:
    table = table_of()
    do(table, "open_bets")
    do(table, "place_bet", by="p1", player="p1", box=1, bet="banker", stake="100")
    do(table, "close_bets")
    do(table, "deal_card", card="QS")
    assert hand_of_next_card(table) == "banker"
    do(table, "deal_card", card="3D", to="player")
    assert hand_of_next_card(table) is None
    follow(table, "reconstruct")
    follow(table, "close_options")


def test_cards_that_were_carried_over_are_tried_first() -> None:
    table = table_of()
    table.carried.append("9H")
    do(table, "open_bets")
    do(table, "close_bets")
    follow(table, "deal_card", card="9H")


def test_what_a_call_would_do_is_told_in_money_and_not_done() -> None:
    table = table_of(bank="1000")
    do(table, "open_bets")
    do(table, "place_bet", by="p1", player="p1", box=1, bet="player", stake="100")
    do(table, "close_bets")
    for card in ("8S", "KD", "KH", "QC"):
        do(table, "deal_card", card=card)
    before = snapshot(table)
    seen = preview(table, calling()(c.Settle()))
    assert [(change.player, change.by) for change in seen.changes] == [("p1", 200_00)]
    assert (seen.house, house_win(table)) == (-100_00, 0)
    assert snapshot(table) == before
    refused = preview(table, calling()(c.OpenBets())).refused
    assert refused is not None
    assert refused.code == "round_under_way"
