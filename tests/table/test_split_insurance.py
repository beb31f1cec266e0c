"""Insurance of which only a part could have been staked: two lines, and one again (reading 28)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lammer.table import commands as c, events as e
from lammer.table.records import PaidLine
from lammer.table.setup import Limits, SetUp
from support.at_table import Recorded, only

SETUP = SetUp(
    "tiger-buffalo-commission-insurance@3",
    "A",
    limits={"original": Limits(1_00), "side": Limits(1_00)},
    shoe="read",
)
SIX = c.CorrectCard("player", 3, "6D", 1, "the camera shows a six")
"""Player 5 against Banker 4 pays 3 to 2; with a 6 it was Player 8: 10 to 1, on 2,500 at most."""
THREE = replace(SIX, card="3D", reason="a three after all")
CARDS = ("2S", "KD", "KH", "4C", "3D")
Money = tuple[str, int, int, int]


def insured(*stakes: int, last: str = "5D", settled: bool = True, **setup: object) -> Recorded:
    """8,000 on Player, insured in these parts after the third card; the Banker draws."""
    house = Recorded(replace(SETUP, **setup))  # type: ignore[arg-type]
    house.does(c.TakeSeat("p1", 1), c.OpenBets(), c.PlaceBet("p1", 1, "player", 8000_00), c.CloseBets())
    house.does(*map(c.DealCard, CARDS))
    house.does(*(c.PlaceInsurance("p1", 1, "player", stake) for stake in stakes))
    if settled:
        house.does(c.DealCard(last), c.Settle())
    return house


def insurance(lines: tuple[PaidLine, ...]) -> list[Money]:
    """Outcome, stake, profit and what came back, line by line."""
    return [(line.outcome, line.stake, line.profit, line.returned) for line in lines if line.window]


def test_what_could_not_have_been_staked_goes_back_on_a_line_of_its_own() -> None:
    house = insured(8000_00)
    assert house.money() == -8000_00 + 12_000_00
    house.does(c.OpenBets())
    corrected = only(house.does(SIX))
    assert insurance(corrected.reversed) == [("won", 8000_00, 12_000_00, 20_000_00)]
    assert insurance(corrected.posted) == [
        ("won", 2500_00, 25_000_00, 27_500_00),
        ("returned", 5500_00, 0, 5500_00),
    ]
    won, back = (line for line in corrected.posted if line.window)
    assert (won.key, won.insured_at) == (back.key, back.insured_at)
    assert (won.pays, won.insured_at, back.pays) == ("10:1", "3:2", None)
    assert back.cites == ("3.12.2",)
    assert house.money() == -8000_00 + 25_000_00


def test_a_second_correction_brings_it_back_to_one_line_at_full_stake() -> None:
    house = insured(8000_00)
    house.does(c.OpenBets())
    first = house.money()
    for _ in range(2):
        house.does(SIX)
        corrected = only(house.does(THREE))
        assert insurance(corrected.reversed) == [
            ("won", 2500_00, 25_000_00, 27_500_00),
            ("returned", 5500_00, 0, 5500_00),
        ]
        assert insurance(corrected.posted) == [("won", 8000_00, 12_000_00, 20_000_00)]
        assert house.money() == first
    assert house.doubts() == []


def test_before_the_next_round_it_is_settled_anew_in_two_lines_and_in_one() -> None:
    house = insured(8000_00)
    first = house.money()
    for command, money in ((SIX, -8000_00 + 25_000_00), (THREE, first)):
        happened = house.does(replace(command, round=0))
        assert [type(event) for event in happened] == [e.SettlementReopened, e.CardCorrected, e.RoundSettled]
        assert house.money() == money
    assert house.doubts() == []


def test_lost_or_tied_the_part_that_could_not_be_staked_goes_back_all_the_same() -> None:
    for last, outcome, back in (("2D", "lost", 5500_00), ("4D", "returned", 5500_00 + 2500_00)):
        house = insured(8000_00, last=last)
        house.does(c.OpenBets())
        corrected = only(house.does(SIX))
        lines = insurance(corrected.posted)
        assert [line[:2] for line in lines] == [(outcome, 2500_00), ("returned", 5500_00)]
        assert sum(line[-1] for line in lines) == back
        assert house.doubts() == []


def test_several_bets_share_what_could_have_been_staked_in_the_order_they_were_made() -> None:
    house = insured(1000_00, 2000_00, 500_00)
    house.does(c.OpenBets())
    corrected = only(house.does(SIX))
    assert insurance(corrected.posted) == [
        ("won", 1000_00, 10_000_00, 11_000_00),
        ("won", 1500_00, 15_000_00, 16_500_00),
        ("returned", 500_00, 0, 500_00),
        ("returned", 500_00, 0, 500_00),
    ]
    keys = [line.key for line in corrected.posted if line.window]
    assert len(set(keys)) == 3
    assert insurance(only(house.does(THREE)).posted) == [
        ("won", 1000_00, 1500_00, 2500_00),
        ("won", 2000_00, 3000_00, 5000_00),
        ("won", 500_00, 750_00, 1250_00),
    ]
    assert house.doubts() == []


def test_all_of_it_goes_back_where_nothing_could_have_been_offered() -> None:
    house = insured(8000_00)
    house.does(c.OpenBets())
    # With a 2 the Player had 4, which nobody can insure.
    corrected = only(house.does(replace(SIX, card="2D")))
    assert insurance(corrected.posted) == [("returned", 8000_00, 0, 8000_00)]
    assert house.money() == -8000_00
    assert insurance(only(house.does(THREE)).posted) == [("won", 8000_00, 12_000_00, 20_000_00)]
    assert house.doubts() == []


def test_read_at_fixed_odds_it_stays_what_was_taken() -> None:
    house = insured(8000_00, readings={"insurance_of_another_card": "as_taken"})
    house.does(c.OpenBets())
    assert insurance(only(house.does(SIX)).posted) == [("won", 8000_00, 12_000_00, 20_000_00)]
    assert house.doubts() == []


@pytest.mark.parametrize("judge", [False, True])
def test_no_refusal_offers_less_than_nothing(judge: bool) -> None:
    """8,000 lie where 2,500 could have been staked: no more may be bet, and not less than no more."""
    house = insured(8000_00, settled=False)
    house.does(c.JudgeDamagedCard("player", 3, "6D") if judge else replace(SIX, round=0))
    with pytest.raises(Exception, match="insurance_above_share_of_maximum") as caught:
        house.does(c.PlaceInsurance("p1", 1, "player", 1_00), by="p1", role="player")
    assert "Up to 0.00 more may be bet." in str(caught.value)
    house.does(c.DealCard("5D"), c.Settle())
    assert house.money() == -8000_00 + 25_000_00
    assert house.doubts() == []


def test_late_insurance_offers_nothing_rather_than_less() -> None:
    """Late Insurance taken at 3 to 2 may win too much at 4 to 1 by itself: what is left is nothing."""
    house = Recorded(SETUP)
    house.does(c.TakeSeat("p1", 1), c.OpenBets(), c.PlaceBet("p1", 1, "player", 1000_00), c.CloseBets())
    house.does(c.LeaveSeat("p1"), *map(c.DealCard, ("2S", "KD", "3H", "4C")))
    late = c.OfferMissedInsurance(("p1",), "player")
    house.does(late, c.PlaceInsurance("p1", 1, "player", 666_66), c.DealCard("2H"), late)
    with pytest.raises(Exception, match="late_insurance_above_original_bet") as caught:
        house.does(c.PlaceInsurance("p1", 1, "player", 1_00), by="p1", role="player")
    assert "Up to 0.00 more may be bet." in str(caught.value)
