"""However long ago a round was played, it is corrected by the rules it was played by; memory stays flat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lammer import Refused
from lammer.table import commands as c
from lammer.table.setup import Limits, SetUp
from lammer.table.snapshot import freeze, thaw
from lammer.table.state import PAST_ROUNDS, Table
from support.at_table import BOOKS, TOP, Recorded, ask, only

COMMISSION = "tiger-buffalo-commission-insurance@3"
FOUR = "tiger-buffalo-noncommission@4"
OTHER = "da-hu-ying-xiong-noncommission-insurance@2"
LIMITS = {"original": Limits(1_00), "side": Limits(1_00)}
FIRST = SetUp(
    COMMISSION, "A", limits=LIMITS, shoe="read", readings={"extra_card_order": "strike_where_it_lay"}
)
BANKER_FIVE = ("KS", "KD", "6H", "3C", "2S")
"""Player 6 over a Banker who draws to 5."""
SEVEN = c.CorrectCard("banker", 3, "4S", 1, "the camera shows a four")
"""It was a 4: the Banker has 7."""
BETS = (
    c.TakeSeat("p1", 1),
    c.PlaceBet("p1", 1, "banker", 100_00),
    c.PlaceBet("p1", 1, "banker_pair", 10_00),
)


def long_ago(setup: SetUp = FIRST) -> Recorded:
    """Round 1 under the first set-up; then another rulebook, layout and readings, and 130 rounds."""
    house = Recorded(setup)
    bets = BETS if setup.rulebook != OTHER else BETS[:2]
    seat, *placed = bets
    house.does(seat)
    house.round(*placed, cards=BANKER_FIVE)
    house.rounds(3)
    house.changes(rulebook=OTHER, layout="B", readings={"players_options": "undecided_bets_only"})
    house.rounds(PAST_ROUNDS + 10)
    house.does(c.OpenBets())
    assert 1 not in house.table.past
    return house


def test_it_is_corrected_under_its_own_rulebook_layout_and_readings() -> None:
    house = long_ago()
    before = house.money()
    assert before == -110_00
    corrected = only(house.does(SEVEN))
    # Five per cent are taken, as in that rulebook; and the pair is none of the bets of the one now in play.
    assert (corrected.rulebook, corrected.cites) == (COMMISSION, ("5.20",))
    assert [(line.bet, line.outcome, line.commission) for line in corrected.posted] == [
        ("banker", "won", 5_00),
        ("banker_pair", "lost", 0),
    ]
    assert (corrected.winner, corrected.points, corrected.reason) == ("banker", 7, SEVEN.reason)
    assert house.money() == 95_00 - 10_00


def test_it_is_corrected_by_the_reading_of_its_day() -> None:
    lay = c.CorrectRound(1, "KS 6H 4S", "KD 3C 2S")
    for reading, winner in (("strike_where_it_lay", "player"), ("proper_order", "banker")):
        house = long_ago(replace(FIRST, readings={"extra_card_order": reading}))
        assert only(house.does(lay)).winner == winner


def test_it_is_corrected_again_and_again() -> None:
    house = long_ago()
    for _ in range(2):
        assert only(house.does(SEVEN)).winner == "banker"
        assert house.money() == 95_00 - 10_00
        with pytest.raises(Refused, match="nothing_to_correct"):
            house.does(SEVEN)
        house.does(c.CloseBets(), *map(c.DealCard, ("2S", "2D", "6H", "6C")), c.Settle(), c.OpenBets())
        assert only(house.does(replace(SEVEN, card="2S"))).winner == "player"
        assert house.money() == -110_00
    assert house.table.corrected == {1: 4}
    assert house.doubts() == []


def test_a_round_at_hand_is_recalled_after_it_has_been_corrected() -> None:
    house = Recorded(FIRST)
    house.does(BETS[0])
    house.round(*BETS[1:], cards=BANKER_FIVE)
    house.round()
    house.does(SEVEN)
    assert house.table.past[1].winner == "banker"
    house.rounds(PAST_ROUNDS)
    assert 1 not in house.table.past
    with pytest.raises(Refused, match="nothing_to_correct"):
        house.does(SEVEN)
    corrected = only(house.does(replace(SEVEN, card="2S")))
    assert [line.outcome for line in corrected.reversed] == ["won", "lost"]
    assert house.money() == -110_00
    assert house.doubts() == []


def test_a_round_that_was_reopened_is_recalled_as_it_was_settled_in_the_end() -> None:
    house = Recorded(FIRST)
    house.does(BETS[0])
    house.round(*BETS[1:], cards=BANKER_FIVE)
    house.does(replace(SEVEN, round=0))
    assert house.money() == 95_00 - 10_00
    house.rounds(PAST_ROUNDS + 2)
    corrected = only(house.does(replace(SEVEN, card="2S")))
    assert [line.outcome for line in corrected.reversed] == ["won", "lost"]
    assert house.money() == -110_00
    assert house.doubts() == []


def test_everything_else_that_has_no_deadline_reaches_it_too() -> None:
    """Insurance missed or misplaced, and a ruling."""
    insured = replace(FIRST, readings={})
    on_player = (c.TakeSeat("p1", 1), c.PlaceBet("p1", 1, "player", 100_00))
    lost = ("KS", "KD", "6H", "3C", "6S")
    misplaced = c.PlaceInsurance("p1", 1, "banker", 10_00)
    for during, command, money, again in (
        ((), c.OfferMissedInsurance(("p1",), "player", 1), 0, "nothing_to_insure"),
        (
            (misplaced,),
            c.RepositionInsurance(1, "p1", 1, "four_cards", "player"),
            -100_00 + 25_00,
            "no_such_bet",
        ),
        ((), c.RuleOnMatter("a bird", "void_round", round=1), 0, "not_settled"),
        ((), c.RuleOnMatter("a bird", "return_bets", ("p1",), round=1), 0, "no_such_bet"),
    ):
        house = Recorded(insured)
        house.does(on_player[0])
        house.round(on_player[1], cards=lost, during=during)
        house.changes(rulebook=FOUR)
        house.rounds(PAST_ROUNDS + 1)
        assert only(house.does(command)).rulebook == COMMISSION
        assert house.money() == money
        with pytest.raises(Refused, match=again):
            house.does(command)
        assert house.doubts() == []


def test_where_every_settlement_stands_the_record_alone_is_put_right() -> None:
    house = long_ago(replace(FIRST, rulebook=FOUR, readings={}))
    money = house.money()
    corrected = only(house.does(SEVEN))
    assert (corrected.reversed, corrected.posted, corrected.cites) == ((), (), ("5.15", "5.6"))
    assert (corrected.winner, corrected.points, corrected.rulebook) == ("player", 6, FOUR)
    assert house.money() == money
    with pytest.raises(Refused, match="nothing_to_correct"):
        house.does(SEVEN)
    for command in (
        c.CorrectRound(1, "KS 6H 4S", "KD 3C 2S"),
        c.RuleOnMatter("a bird", "void_round", round=1),
    ):
        with pytest.raises(Refused, match="next_round_began"):
            house.does(command)


def test_without_anyone_to_recall_it_is_refused() -> None:
    house = long_ago()
    house.table.recall = None
    for command in (
        SEVEN,
        c.CorrectRound(1, "KS 6H 4S", "KD 3C 2S"),
        c.NoteLateError(1, "the burn card was dealt"),
        c.OfferMissedInsurance(("p1",), "player", 1),
        c.RuleOnMatter("a bird", "void_round", round=1),
    ):
        with pytest.raises(Refused, match="not_settled"):
            house.does(command)


def test_what_never_was_is_not_recalled() -> None:
    """A void or concluded round, the one under way, and rounds nobody has played."""
    house = Recorded(FIRST)
    house.does(c.OpenBets(), c.CloseBets(), c.DealCard("KS"), c.VoidRound("wrong_number_of_cards"))
    high = replace(FIRST, high_limit=True, readings={})
    house.does(c.SetTable(high), c.TakeSeat("p1", 1), c.OpenBets(), c.PlaceBet("p1", 1, "player", 10_00))
    house.does(c.CloseBets(), c.ShowCutCard(), c.WithdrawBet("p1", 1, "player"), c.CloseWithdrawal())
    house.rounds(PAST_ROUNDS + 3)
    house.does(c.OpenBets())
    for number in (1, 2, house.table.rounds, house.table.rounds + 1, -1):
        with pytest.raises(Refused, match=r"not_settled|bets_are_open"):
            house.does(replace(SEVEN, round=number))


def test_a_table_that_was_away_recalls_it_once_it_is_told_how() -> None:
    house = long_ago()
    house.does(SEVEN)
    again = thaw(BOOKS, freeze(house.table))
    assert again == house.table
    back = replace(SEVEN, card="2S")
    with pytest.raises(Refused, match="not_settled"):
        ask(again, "boss", TOP, back)
    again.recall = house.recall
    assert ask(again, "boss", TOP, back) == house.does(back)
    assert again == house.table


def test_only_the_latest_rounds_are_kept_and_a_thousand_take_no_more_room() -> None:
    house = Recorded(FIRST)
    house.does(BETS[0])
    sizes = []
    for hundred in range(10):
        for played in range(100):
            if played % 8 == 0:
                house.does(c.EndShoe(), c.PrepareShoe())
            house.round(*BETS[1:], cards=BANKER_FIVE)
            house.journal.clear()
        if hundred >= 2:
            sizes.append(len(freeze(house.table)))
        assert len(house.table.past) <= PAST_ROUNDS
    assert house.table.rounds == 1000
    assert list(house.table.past) == list(range(1000 - PAST_ROUNDS, 1000))
    assert max(sizes) < min(sizes) * 1.02


def test_correcting_it_does_not_bring_it_back_into_memory() -> None:
    house = long_ago()
    kept = list(house.table.past)
    house.does(SEVEN, replace(SEVEN, card="2S"))
    assert list(house.table.past) == kept
    assert len(kept) == PAST_ROUNDS


def test_a_recalled_round_is_the_round_that_was_put_away() -> None:
    """What the record gives back is what the table would have kept, corrections and all."""
    house = Recorded(FIRST)
    house.does(BETS[0])
    for _ in range(3):
        house.round(*BETS[1:], cards=BANKER_FIVE)
    house.does(SEVEN, replace(SEVEN, round=2))
    house.does(c.OpenBets())
    table: Table = house.table
    for number, past in table.past.items():
        assert house.recall(number, table.corrected.get(number, 0)) == past
    assert house.recall(1, 0) != table.past[1]
