"""One truth of a round: how it stands, how it stood before, why, and who agreed, for whoever may know."""

from __future__ import annotations

from typing import Any

from lammer.floor.views.round_truth import RoundTruth, read_round
from lammer.floor.views.viewing import Viewer
from lammer.table import events as e
from lammer.table.journal import Entry
from support.at_table import bets, cards, script

AUDITOR = Viewer("auditor", "auditor")
SETTLE = {"by": "dealer", "do": "settle"}
NINE_TO_SEVEN = "9S 2D KH 5C"
"""Player 9, Banker 7."""
MISREAD = {"by": "pit_supervisor", "do": "correct_card", "hand": "banker", "place": 2, "card": "7C",
           "reason": "seen on the film"}  # fmt: skip
"""The Banker's second card was a seven: 9 to 9."""


def truth_of(journal: list[Entry], number: int = 1, viewer: Viewer = AUDITOR) -> RoundTruth:
    """A round as its events and the later corrections of it tell it."""
    inside, entries = False, []
    for entry in journal:
        if isinstance(entry.event, e.BettingOpened):
            inside = entry.event.round == number
        corrects = isinstance(entry.event, e.RoundCorrected) and entry.event.round == number
        if inside or corrects:
            entries.append(entry)
    return read_round(entries, viewer)


def played(*more: dict[str, Any]) -> list[Entry]:
    return list(script(*bets(), cards(NINE_TO_SEVEN), SETTLE, *more).journal)


def test_a_round_nobody_touched_stands_as_it_was_settled() -> None:
    truth = truth_of(played())
    assert truth.outcome.result == ("settled", "player", 9)
    assert (truth.bets, truth.staked, truth.won) == (2, 140_00, -60_00)
    assert truth.outcome.natural
    assert (truth.changes, truth.corrected) == ([], False)


def test_a_later_correction_tells_before_after_why_and_who() -> None:
    journal = played({"by": "dealer", "do": "open_bets"}, MISREAD | {"round": 1})
    truth = truth_of(journal)
    (change,) = truth.changes
    assert truth.corrected
    assert change.corrects
    assert (change.before.result, change.after.result) == (("settled", "player", 9), ("settled", "tie", 9))
    assert truth.outcome == change.after
    assert change.after.banker == ("2D", "7C")
    assert (change.because, change.reason) == ("card_recorded_wrongly", "seen on the film")
    assert change.cites
    assert change.by == ("pit_supervisor",)
    # Player lost a win of 100, Banker got a lost 40 back; the House is even.
    assert (change.moved("p1"), change.moved("p2"), change.moved()) == (-100_00, 40_00, -60_00)
    assert (truth.staked, truth.won) == (140_00, 0)
    assert truth_of(journal, 2).changes == [], "it is told of the round it corrects alone"


def test_a_settlement_taken_back_is_told_until_and_after_it_is_put_right() -> None:
    reopen = {"by": "pit_supervisor", "do": "reopen_settlement", "reason": "a card was misread"}
    (change,) = truth_of(played(reopen)).changes
    assert change.open
    assert change.after.result == ("reopened", "", None)
    (change,) = truth_of(played(MISREAD | {"round": 0})).changes
    assert not change.open
    assert (change.before.winner, change.after.winner) == ("player", "tie")
    assert change.moved("p2") == 40_00


def test_a_settlement_made_void_gives_everything_back() -> None:
    void = {"by": "table_game_shift_manager", "do": "rule_on_matter", "effect": "void_round",
            "reason": "the shoe fell"}  # fmt: skip
    truth = truth_of(played(void))
    (change,) = truth.changes
    assert truth.state == "void"
    assert (truth.staked, truth.won) == (0, 0)
    assert change.before.result == ("settled", "player", 9)
    assert change.moved("p1") == -100_00


def test_a_round_void_under_way_was_never_corrected() -> None:
    void = {"by": "pit_supervisor", "do": "void_round", "cause": "foreign_card"}
    truth = truth_of(list(script(*bets(), void).journal))
    (change,) = truth.changes
    assert (truth.state, truth.corrected, change.corrects) == ("void", False, False)
    assert change.because == "foreign_card"
    assert "foreign_card" in truth.irregularities
    assert set(change.cites) <= truth.cites


def test_a_player_reads_their_own_lines_and_no_names_of_the_staff() -> None:
    journal = played({"by": "dealer", "do": "open_bets"}, MISREAD | {"round": 1})
    truth = truth_of(journal, viewer=Viewer("p2", "player"))
    (change,) = truth.changes
    assert {line.player for line in (*change.before.lines, *change.after.lines)} == {"p2"}
    assert (change.before.gain_of(), change.after.gain_of()) == (-40_00, 0)
    assert change.by == ()


def test_a_bet_that_was_withdrawn_is_not_counted() -> None:
    opened, first, second, closed = bets()
    withdrawn = {"by": "p2", "do": "withdraw_bet", "box": 2, "bet": "banker"}
    steps = [opened, first, second, withdrawn, closed, cards(NINE_TO_SEVEN), SETTLE]
    truth = truth_of(list(script(*steps).journal))
    assert (truth.bets, truth.staked, truth.players) == (1, 100_00, {"p1", "p2"})
    assert truth.largest == 200_00, "what the winning bet got back"
