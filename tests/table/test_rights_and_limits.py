"""What nobody may do, and money that must not go astray: cases a review brought to light."""

from __future__ import annotations

from typing import Any

import pytest

from lammer import Refused
from lammer.table import commands as c, events as e
from support.at_table import ask, bets, cards, script

COMMISSION = "tiger-buffalo-commission-insurance@3"


def opened(*places: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"by": "dealer", "do": "open_card", "hand": hand, "place": place} for hand, place in places]


FOUR = opened(("player", 1), ("player", 2), ("banker", 1), ("banker", 2))


def test_waived_insurance_was_not_missed() -> None:
    asked = {"by": "p1", "do": "request_squeeze", "what": "squeeze_banker_third_first"}
    consent = {"by": "pit_supervisor", "do": "answer_squeeze", "consent": True}
    thirds = opened(("banker", 3), ("player", 3))
    table = script(
        *bets(), cards("KS AD 3H KC"), *FOUR, asked, consent, cards("2D 7C"), *thirds, face_down=True
    ).table
    with pytest.raises(Refused, match="would_not_have_won"):
        ask(table, "m", "pit_manager", c.OfferMissedInsurance(("p1",), "player"))


def test_missed_insurance_is_judged_on_cards_that_can_be_seen() -> None:
    hidden = script(*bets(), cards("QS 3D 6H AC"), face_down=True).table
    with pytest.raises(Refused, match="cards_face_down"):
        ask(hidden, "m", "pit_manager", c.OfferMissedInsurance(("p1",), "player"))
    third = script(*bets(), cards("QS 3D 6H AC"), *FOUR, cards("5D"), face_down=True).table
    assert third.round is not None
    assert third.round.forgone == {"p1"}
    ask(third, "m", "pit_manager", c.OfferMissedInsurance(("p1",), "player"))
    with pytest.raises(Refused, match="late_insurance_above_original_bet"):
        ask(third, "p1", "player", c.PlaceInsurance("p1", 1, "player", 40_01))
    (placed,) = ask(third, "p1", "player", c.PlaceInsurance("p1", 1, "player", 40_00))
    assert isinstance(placed, e.InsurancePlaced)


def test_what_was_offered_late_lasts_until_the_next_card() -> None:
    table = script(*bets(), cards("KS QD 5H 4C 2D")).table
    ask(table, "m", "pit_manager", c.OfferMissedInsurance(("p1",), "player"))
    ask(table, "d", "dealer", c.DealCard("KC"))
    with pytest.raises(Refused, match="window_not_open"):
        ask(table, "p1", "player", c.PlaceInsurance("p1", 1, "player", 1_00))
    now = script(*bets(), cards("QS 3D 6H AC")).table
    with pytest.raises(Refused, match="insurance_is_open"):
        ask(now, "m", "pit_manager", c.OfferMissedInsurance(("p1",), "player"))


def test_insurance_on_the_wrong_side_counts_towards_the_limit() -> None:
    table = script(*bets(), cards("QS 3D 6H AC")).table
    ask(table, "p1", "player", c.PlaceInsurance("p1", 1, "player", 100_00))
    with pytest.raises(Refused, match="insurance_above_original_bet"):
        ask(table, "d", "dealer", c.PlaceInsurance("p1", 1, "banker", 1_00))


def test_pro_rata_keeps_to_the_minimum_of_the_bet_that_is_cut() -> None:
    table = script(
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "150"},
        {"by": "p3", "do": "place_bet", "box": 1, "bet": "player", "stake": "110"},
        {"by": "p4", "do": "place_bet", "box": 1, "bet": "banker", "stake": "10"},
        {"by": "dealer", "do": "close_bets"},
        limits={"differential": "100", "player": {"minimum": "100"}, "banker": {"minimum": "10"}},
        readings={"limits_mode": "advisory"},
    ).table
    assert table.round is not None
    assert [bet.stake for bet in table.round.bets.values()] == [100_00, 100_00, 10_00]


@pytest.mark.parametrize("mode", ["strict", "advisory"])
def test_a_withdrawal_after_the_cut_card_leaves_no_box_beyond_the_differential(mode: str) -> None:
    table = script(
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "banker", "stake": "300"},
        {"by": "p3", "do": "place_bet", "box": 1, "bet": "player", "stake": "600"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "tie", "stake": "10"},
        {"by": "dealer", "do": "close_bets"},
        {"by": "dealer", "do": "show_cut_card"},
        {"by": "p1", "do": "withdraw_bet", "box": 1, "bet": "banker"},
        {"by": "dealer", "do": "close_withdrawal"},
        limits={"minimum": "10", "differential": "300"},
        readings={"limits_mode": mode},
        high_limit=True,
    ).table
    assert table.round is not None
    assert table.round.sides[1, "player"] == 300_00
    assert table.accounts["player:p3"] == -300_00


def test_withdrawing_keeps_stakes_even() -> None:
    table = script(
        {"by": "dealer", "do": "open_bets"}, rulebook=COMMISSION, readings={"rounding": "even_stakes_only"}
    ).table
    ask(table, "p1", "player", c.PlaceBet("p1", 1, "banker", 20_20))
    with pytest.raises(Refused, match="does_not_pay_evenly"):
        ask(table, "p1", "player", c.WithdrawBet("p1", 1, "banker", 1))


def test_only_people_of_the_table_open_cards() -> None:
    table = script(*bets(), cards("QS 3D"), face_down=True).table
    with pytest.raises(Refused, match="not_your_role"):
        ask(table, "x", "cleaner", c.OpenCard("player", 1))


def test_excess_cards_are_the_houses_to_judge_whatever_they_are_called() -> None:
    table = script(*bets(), cards("KS QD 7H 6C")).table
    ask(table, "d", "dealer", c.DealCard("2D", to="player"))
    with pytest.raises(Refused, match="cards_misplaced"):
        ask(table, "d", "dealer", c.Reconstruct("swapped_hands"))
    with pytest.raises(Refused, match="not_your_role"):
        ask(table, "d", "dealer", c.Reconstruct("excess_cards"))
    ask(table, "s", "pit_supervisor", c.Reconstruct("excess_cards"))
    assert list(table.carried) == ["2D"]


def test_a_void_needs_its_cause() -> None:
    table = script({"by": "dealer", "do": "open_bets"}, entropy="c0ffee" * 8).table
    causes: tuple[c.VoidCause, ...] = ("wrong_number_of_cards", "shoe_ran_dry")
    for cause in causes:
        with pytest.raises(Refused, match=r"cards_in_order|shoe_in_use"):
            ask(table, "s", "pit_supervisor", c.VoidRound(cause))


def test_a_card_face_up_gives_its_options_once() -> None:
    table = script(*bets(), face_down=True).table
    ask(table, "d", "dealer", c.DealCard("KS", face_up=True))
    events = ask(table, "d", "dealer", c.NoteFaceUp())
    assert any(isinstance(event, e.OptionsOffered) for event in events)
    ask(table, "d", "dealer", c.CloseOptions())
    with pytest.raises(Refused, match="no_such_card"):
        ask(table, "d", "dealer", c.NoteFaceUp())


def test_the_bankers_third_comes_first_only_before_the_players_is_seen() -> None:
    request = c.RequestSqueeze("expose_banker_third_first")
    natural = script(*bets(), cards("9S AD KH KC"), *FOUR, face_down=True).table
    with pytest.raises(Refused, match="no_squeeze_right"):
        ask(natural, "p1", "player", request)
    seen = script(
        *bets(), cards("KS AD 3H KC"), *FOUR, cards("2D"), *opened(("player", 3)), face_down=True
    ).table
    with pytest.raises(Refused, match="no_squeeze_right"):
        ask(seen, "p1", "player", request)


def test_third_cards_wait_for_the_first_four_to_be_opened() -> None:
    table = script(*bets(), cards("KS AD 3H KC"), face_down=True).table
    with pytest.raises(Refused, match="cards_face_down"):
        ask(table, "d", "dealer", c.DealCard("2D"))
    # Drawn all the same it is out of its turn, due or not: which of the two it is nobody can see yet.
    (dealt,) = ask(table, "d", "dealer", c.DealCard("2D", to="player"))
    assert isinstance(dealt, e.CardDealt)
    assert not dealt.proper
    assert table.round is not None
    assert table.round.misplaced


def test_betting_rests_while_a_round_is_interrupted() -> None:
    table = script(
        {"by": "dealer", "do": "open_bets"}, {"by": "dealer", "do": "interrupt", "reason": "power"}
    ).table
    with pytest.raises(Refused, match="round_is_interrupted"):
        ask(table, "p1", "player", c.PlaceBet("p1", 1, "player", 100_00))
    with pytest.raises(Refused, match="round_is_interrupted"):
        ask(table, "d", "dealer", c.CloseBets())


def test_the_bank_gives_no_more_than_it_holds() -> None:
    table = script({"by": "pit_supervisor", "do": "fill_bank", "amount": "100"}).table
    with pytest.raises(Refused, match="not_an_amount"):
        ask(table, "s", "pit_supervisor", c.CreditBank(100_01))
    ask(table, "s", "pit_supervisor", c.CreditBank(100_00))
    assert table.accounts == {"cage": 0, "bank": 0}


def test_nobody_sits_at_a_box_that_is_no_more() -> None:
    table = script().table
    with pytest.raises(Refused, match="box_is_taken"):
        ask(
            table,
            "m",
            "pit_manager",
            c.SetTable(
                table.require_setup().__class__(table.require_setup().rulebook, "A", boxes=1, shoe="read")
            ),
        )


def test_a_virtual_shoe_was_not_misread() -> None:
    table = script(
        {"by": "dealer", "do": "open_bets"}, {"by": "dealer", "do": "close_bets"}, entropy="c0ffee" * 8
    ).table
    while table.next_hand() is not None:
        ask(table, "d", "dealer", c.DealCard())
    ask(table, "d", "dealer", c.Settle())
    ask(table, "d", "dealer", c.OpenBets())
    past = table.past[1]
    player, banker = " ".join(past.player), " ".join(past.banker)
    assert (player, banker) == ("3C 3S", "9D 8D")
    claims = (
        ("AS AS AS", "AS AS"),
        (player, f"{banker} 2S"),
        (f"{player} 2S", banker),
        ("3S 3C", banker),
        (banker, player),
    )
    for claim in claims:
        with pytest.raises(Refused, match="card_comes_from_shoe"):
            ask(table, "s", "pit_supervisor", c.CorrectRound(1, *claim))
    with pytest.raises(Refused, match="follows_table_of_play"):
        ask(table, "s", "pit_supervisor", c.CorrectRound(1, player, banker))
    with pytest.raises(Refused, match="card_comes_from_shoe"):
        ask(table, "s", "pit_supervisor", c.CorrectCard("player", 1, "4C", 1, "misread"))
    ruling = c.RuleOnMatter("misread", "resettle_round", round=1, player="KS 9H", banker="KD 7C")
    with pytest.raises(Refused, match="card_comes_from_shoe"):
        ask(table, "g", "table_game_shift_manager", ruling)


def test_a_round_is_not_void_because_a_dealer_says_so() -> None:
    """That it cannot be put right voids a round with a wrong number of cards: a Pit Supervisor's to say."""
    table = script(*bets(), cards("KS")).table
    for card in ("2D", "3C"):
        ask(table, "d", "dealer", c.DealCard(card, to="player"))
    for who in ("dealer", "player"):
        with pytest.raises(Refused, match="not_your_role"):
            ask(table, "d", who, c.Reconstruct("swapped_hands", possible=False))
    happened = ask(table, "s", "pit_supervisor", c.Reconstruct("swapped_hands", possible=False))
    assert [type(event) for event in happened] == [e.IrregularityNoted, e.RoundVoided]


def test_cards_that_stay_where_they_lie_are_the_dealers_to_say() -> None:
    """Each hand has a number of cards it may have: nothing is void, and the players choose."""
    table = script(*bets(), cards("KS")).table
    ask(table, "d", "dealer", c.DealCard("2D", to="player"))
    happened = ask(table, "d", "dealer", c.Reconstruct("swapped_hands", possible=False))
    assert [type(event) for event in happened] == [e.IrregularityNoted, e.CardsStand, e.OptionsOffered]


def test_nobody_says_that_a_virtual_shoe_dealt_something_else() -> None:
    """Its cards are what its commitment says: no value is found out, no set is wrong, none come together."""
    table = script(*bets(), {"by": "dealer", "do": "deal_card"}, entropy="07" * 16).table
    refused: tuple[c.Command, ...] = (
        c.JudgeDamagedCard("player", 1, "9H"),
        c.JudgeDamagedCard("player", 1, ""),
        c.VoidRound("foreign_card"),
        c.VoidRound("wrong_deck"),
        c.VoidRound("unshuffled_cards"),
        c.OrderSimultaneous(("9H", "8H")),
    )
    for command in refused:
        with pytest.raises(Refused, match="card_comes_from_shoe"):
            ask(table, "s", "table_game_shift_manager", command)


def test_a_virtual_shoe_deals_what_the_table_of_play_calls_for_and_nothing_else() -> None:
    """None to another hand, none face up at will, none beside the hands; a test table may be told."""
    entropy = "07" * 16
    table = script(*bets(), entropy=entropy).table
    told: tuple[c.Command, ...] = (
        c.DealCard(to="banker"),
        c.DealCard(to="player"),
        c.DealCard(face_up=False),
        c.DealCard(face_up=True),
        c.DealCard(card="KS"),
        c.ExposeCard("KS"),
    )
    for command in told:
        with pytest.raises(Refused, match="card_comes_from_shoe"):
            ask(table, "d", "table_game_shift_manager", command)
    ask(table, "d", "dealer", c.DealCard())
    tested = script(*bets(), entropy=entropy, test=True).table
    (dealt,) = ask(tested, "d", "dealer", c.DealCard(to="banker"))
    assert isinstance(dealt, e.CardDealt)
    assert not dealt.proper
    for command in (c.DealCard(card="KS", to="player"), c.ExposeCard("KS")):
        with pytest.raises(Refused, match="card_comes_from_shoe"):
            ask(tested, "d", "table_game_shift_manager", command)


def test_a_virtual_shoe_lays_its_cards_where_the_table_put_them() -> None:
    table = script(*bets(), {"by": "dealer", "do": "deal_card"}, entropy="07" * 16).table
    for command in (c.NoteSwappedCards((1,)), c.CorrectCard("player", 1, "9H", reason="misread")):
        with pytest.raises(Refused, match="card_comes_from_shoe"):
            ask(table, "s", "table_game_shift_manager", command)
