"""What a table has played: a round worked by hand, corrections taken out, Insurance by its situation."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from lammer import shelf
from lammer.table import commands as c
from lammer.table.house_report import HouseReport
from lammer.table.journal import Entry
from lammer.table.per_rulebook import rulebooks_of, under_rulebook
from lammer.table.play_figures import InsuredHand, PlayFigures, Terms
from lammer.table.report import report
from lammer.table.script import START, run
from lammer.table.setup import Limits, SetUp
from support.at_table import BOOK, BOOKS, Recorded, bets, cards, script

TERMS = Terms(BOOK, 8)
ALL_BOOKS = {book.id: book for book in shelf()}
SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios").glob("*.toml"))
SETTLE = {"by": "dealer", "do": "settle"}
LIMITS = {"original": Limits(10_00), "side": Limits(10_00)}


def figures_of(journal: list[Entry]) -> PlayFigures:
    figures = PlayFigures(BOOKS)
    for entry in journal:
        figures.take(entry)
    return figures


def test_a_round_worked_by_hand() -> None:
    """Player 8 over Banker 7: 100 on Player are paid, 40 on Banker are taken."""
    figures = figures_of(script(*bets(), cards("KS KD 8H 7C"), SETTLE).journal)
    assert (figures.rounds, figures.bets, figures.staked, figures.win) == (1, 2, 140_00, -60_00)
    assert figures.average_bet == 70_00
    assert figures.exposure == {(TERMS, "player"): 100_00, (TERMS, "banker"): 40_00}
    # Both orders of two wagers count, each with itself once.
    assert figures.products == {
        (TERMS, "player", "player"): 100_00**2,
        (TERMS, "banker", "player"): 2 * 100_00 * 40_00,
        (TERMS, "banker", "banker"): 40_00**2,
    }


def test_a_table_that_played_nothing_has_no_average() -> None:
    figures = figures_of(script().journal)
    assert (figures.rounds, figures.average_bet, figures.win) == (0, None, 0)


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_win_is_that_of_the_report_after_every_event(file: Path) -> None:
    """Reopened, corrected whole or in part, found void or undone: the wall never says another win."""
    scenario = tomllib.loads(file.read_text("utf-8"))
    journal = run(ALL_BOOKS, under_rulebook(scenario, next(iter(rulebooks_of(scenario))))).journal
    figures, house = PlayFigures(ALL_BOOKS), HouseReport()
    for entry in journal:
        figures.take(entry)
        house.take("t1", "2026-11-16", "Day", entry)
        assert figures.win == house.total.win, entry.event
        assert figures.staked == sum(figures.exposure.values())


def test_insurance_is_known_by_what_lay_open() -> None:
    insure = {"by": "p1", "do": "place_insurance", "box": 1, "hand": "player", "stake": "30"}
    played = script(*bets(), cards("QS 3D 6H AC"), insure, cards("5D"), SETTLE)
    wagers = {wager for _, wager in figures_of(played.journal).exposure}
    assert wagers == {"player", "banker", InsuredHand("player", "four_cards", 6, 4, "5:2")}


def test_a_correction_takes_out_what_its_round_put_in() -> None:
    at = Recorded(SetUp(BOOK, "A", shoe="read", limits=LIMITS))
    at.does(c.TakeSeat("p1", 1))
    bet = c.PlaceBet("p1", 1, "player", 100_00)
    # Player 8 over Banker 7, until the Banker's 7 turns out to have been a 9: what was won is lost.
    first, _ = at.round(bet), at.does(c.OpenBets())
    before = figures_of(at.journal)
    assert (before.rounds, before.staked, before.win) == (1, 100_00, -100_00)
    at.does(c.CorrectCard("banker", 2, "9C", first, "misread"))
    after = figures_of(at.journal)
    assert (after.rounds, after.staked, after.win) == (1, 100_00, 100_00)
    assert (after.exposure, after.products) == (before.exposure, before.products)


def test_a_round_found_void_counts_for_nothing() -> None:
    at = Recorded(SetUp(BOOK, "A", shoe="read", limits=LIMITS))
    at.does(c.TakeSeat("p1", 1))
    number = at.round(c.PlaceBet("p1", 1, "player", 100_00), cards=("7S", "2D", "KH", "3C", "4D"))
    # The Banker had to draw, and really got no third card.
    at.does(c.OpenBets(), c.CorrectRound(number, "7S KH", "2D 3C"))
    figures = figures_of(at.journal)
    assert (figures.rounds, figures.bets, figures.staked, figures.win) == (0, 0, 0, 0)
    assert not any(figures.exposure.values())


def test_a_settlement_reopened_leaves_nothing_behind() -> None:
    at = Recorded(SetUp(BOOK, "A", shoe="read", limits=LIMITS))
    at.does(c.TakeSeat("p1", 1))
    at.round(c.PlaceBet("p1", 1, "player", 100_00))
    at.does(c.ReopenSettlement("the card was another"))
    figures = figures_of(at.journal)
    assert (figures.rounds, figures.bets, figures.staked, figures.win) == (0, 0, 0, 0)
    assert not any(figures.exposure.values())
    assert not any(figures.products.values())


def test_state_dealer_alerts_and_the_last_hour() -> None:
    steps: list[dict[str, Any]] = [*bets(), cards("KS KD 8H 7C"), SETTLE]
    steps += [*bets(), {"by": "dealer", "do": "interrupt", "reason": "power"}]
    journal = script(*steps).journal
    moved = [structs.replace(entry, at=START + entry.number * timedelta(minutes=10)) for entry in journal]
    figures = figures_of(moved)
    closed = next(entry for entry in reversed(moved) if type(entry.event).__name__ == "BettingClosed")
    assert figures.state_since == closed.at
    assert figures.alerts == {"interrupted": moved[-1].at}
    assert figures.dealer == "dealer"
    settled = next(entry for entry in moved if type(entry.event).__name__ == "RoundSettled")
    assert figures.rounds_in_the_hour(settled.at) == 1
    assert figures.rounds_in_the_hour(settled.at + timedelta(minutes=61)) == 0


def test_the_house_report_adds_up_to_the_tables_own() -> None:
    journals = {
        "t1": script(*bets(), cards("KS KD 8H 7C"), SETTLE).journal,
        "t2": script(*bets(), cards("KS KD 7H 8C"), SETTLE).journal,
    }
    house = HouseReport()
    for table, journal in journals.items():
        for entry in journal:
            house.take(table, "2026-11-16", "Day", entry)
    assert house.rounds == 2
    own = {table: report(journal).total for table, journal in journals.items()}
    assert house.parts["table"] == own
    assert house.total.win == sum(takings.win for takings in own.values())
    for part, takings in house.parts.items():
        assert sum(one.turnover for one in takings.values()) == house.total.turnover, part
    assert set(house.parts["player"]) == {"p1", "p2"}
    assert set(house.parts["dealer"]) == {"dealer"}
    assert house.rows()[0][:2] == ("total", "")
