"""What moves money that was settled: a settlement undone, or a round corrected to other pay. Nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from lammer.table import commands as c, events as e
from lammer.table.journal import EVENTS
from lammer.table.ledger import moves_settled_money
from lammer.table.records import PaidLine
from lammer.table.setup import Limits, SetUp
from support.at_table import Recorded

LINE = PaidLine(1, "p1", 1, "player", None, 100_00, "won", "1:1", 100_00, 0, "0", 200_00, ("4.1.2",))
SETUP = SetUp(
    "tiger-buffalo-commission-insurance@3",
    "A",
    limits={"original": Limits(1_00), "side": Limits(1_00)},
    shoe="read",
)
FOUR = replace(SETUP, rulebook="tiger-buffalo-noncommission@4")
LOST = ("KS", "KD", "6H", "3C", "6S")
BETS = (c.TakeSeat("p1", 1), c.PlaceBet("p1", 1, "player", 100_00), c.PlaceBet("p1", 1, "tie", 10_00))
TWO = c.CorrectCard("banker", 3, "2S", reason="the camera shows a two")


@pytest.mark.parametrize("name", EVENTS)
def test_of_all_events_only_a_settlement_undone_moves_it_by_itself(name: str) -> None:
    kind = EVENTS[name]
    event = kind(**{part.name: () for part in structs.fields(kind)})
    assert moves_settled_money([event]) == (name == "SettlementReopened")


def test_a_correction_moves_it_unless_the_same_is_posted_again() -> None:
    same = e.RoundCorrected(1, "x", False, (), (), "", 0, (LINE,), (LINE,), ())
    assert not moves_settled_money([same])
    others = (
        structs.replace(same, posted=(structs.replace(LINE, outcome="lost", returned=0),)),
        structs.replace(same, posted=()),
        structs.replace(same, reversed=()),
        structs.replace(same, posted=(structs.replace(LINE, given_back=True),)),
    )
    for other in others:
        assert moves_settled_money([other])
        assert moves_settled_money([same, e.BankFilled(1), other])
    assert not moves_settled_money([])


def settled(setup: SetUp = SETUP, *during: c.Command) -> Recorded:
    house = Recorded(setup)
    house.does(BETS[0])
    house.round(*BETS[1:], cards=LOST, during=during)
    return house


def test_everything_that_changes_the_pay_of_a_settled_round_moves_it() -> None:
    for command in (
        c.ReopenSettlement("camera"),
        c.VoidRound("wrong_number_of_cards"),
        TWO,
        c.OfferMissedInsurance(("p1",), "player"),
        c.RuleOnMatter("a bird", "reopen_settlement"),
        c.RuleOnMatter("a bird", "void_round"),
        c.RuleOnMatter("a bird", "return_bets", ("p1",)),
        c.RuleOnMatter("a bird", "resettle_round", player="KS 9H", banker="KD 7C"),
    ):
        assert moves_settled_money(settled().does(command)), command
    misplaced = settled(SETUP, c.PlaceInsurance("p1", 1, "banker", 10_00))
    assert moves_settled_money(misplaced.does(c.RepositionInsurance(1, "p1", 1, "four_cards", "player")))


def test_so_does_everything_that_changes_the_pay_of_an_earlier_one() -> None:
    for command in (
        replace(TWO, round=1),
        c.CorrectRound(1, "KS 6H", "KD 6C 3S"),
        c.OfferMissedInsurance(("p1",), "player", 1),
        c.RuleOnMatter("a bird", "void_round", round=1),
        c.RuleOnMatter("a bird", "return_bets", ("p1",), 1),
        c.RuleOnMatter("a bird", "resettle_round", round=1, player="KS 9H", banker="KD 7C"),
    ):
        house = settled()
        house.does(c.OpenBets())
        assert moves_settled_money(house.does(command)), command


def test_what_leaves_settled_money_alone_does_not() -> None:
    house = settled()
    for command in (
        c.RuleOnMatter("a bird", "no_effect"),
        c.NoteWrongDisplay("the board showed Banker"),
        c.ExposeCard("2S"),
    ):
        assert not moves_settled_money(house.does(command)), command
    house.does(c.OpenBets())
    assert not moves_settled_money(house.does(c.NoteLateError(1, "the burn card was dealt")))
    # A round that ends as before with another card: nothing is paid otherwise.
    other = settled()
    other.does(c.OpenBets())
    assert not moves_settled_money(other.does(replace(TWO, round=1, card="6D")))
    # Where every settlement stands, the record alone is put right.
    stands = settled(FOUR)
    stands.does(c.OpenBets())
    assert not moves_settled_money(stands.does(replace(TWO, round=1)))


def test_nor_does_anything_in_a_round_that_is_not_settled() -> None:
    for command in (
        c.VoidRound("wrong_number_of_cards"),
        c.RuleOnMatter("a bird", "void_round"),
        c.RuleOnMatter("a bird", "return_bets", ("p1",)),
        c.OfferMissedInsurance(("p1",), "player"),
        TWO,
        c.Settle(),
    ):
        house = Recorded(SETUP)
        house.does(BETS[0], c.OpenBets(), *BETS[1:], c.CloseBets(), *map(c.DealCard, LOST))
        assert not moves_settled_money(house.does(command)), command
