"""What a table can be asked at any moment: offers, notices, consequences, drawings, its shoe."""

from __future__ import annotations

import hashlib
from xml.etree import ElementTree as ET

import pytest

from lammer import Refused
from lammer.game.cards import DECK
from lammer.table import commands as c, events as e
from lammer.table.insuring import OfferTo, offers_to
from lammer.table.irregularities import consequences
from lammer.table.journal import come_back, replay
from lammer.table.report import report
from lammer.table.script import START
from lammer.table.state import Table
from support.at_table import BOOK, BOOKS, ask, bets, cards, script


def test_offers_are_for_those_who_hold_the_hand() -> None:
    table = script(*bets(), cards("QS 3D 6H AC")).table
    assert offers_to(table, "p1") == (OfferTo(1, "player", "5:2", 100_00, "4.1.14"),)
    assert offers_to(table, "p2") == ()
    ask(table, "p1", "player", c.PlaceInsurance("p1", 1, "player", 30_00))
    assert offers_to(table, "p1")[0].most == 70_00


def test_an_offer_let_pass_is_not_made_again() -> None:
    table = script(*bets(), cards("KS QD 5H 4C 2D")).table
    assert table.round is not None
    assert table.round.forgone == {"p1"}
    assert offers_to(table, "p1") == ()
    with pytest.raises(Refused, match="insurance_forgone"):
        ask(table, "p1", "player", c.PlaceInsurance("p1", 1, "player", 10_00))
    other = script(*bets(), cards("KS QD 5H 4C 2D"), readings={"insurance_forgone": "window"}).table
    assert offers_to(other, "p1") == (OfferTo(1, "player", "4:1", 100_00, "4.1.14"),)


def test_a_private_table_shows_its_notice() -> None:
    asked = {"private": True, "insurance": False, "insurance_declined_by": "p1"}
    table = script(*bets(), cards("QS 3D 6H AC"), **asked).table
    assert table.notice == f"No Insurance is offered at this table ({BOOK}, 4.2.2)."
    assert offers_to(table, "p1") == ()
    assert script().table.notice == ""
    assert script(private=True).table.notice == ""


def test_a_test_table_shows_its_notice() -> None:
    assert script(test=True).table.notice == "This is a test table."


def test_rules_that_are_not_in_force_are_shown_with_their_reason() -> None:
    old = "tiger-buffalo-noncommission-insurance@1"
    by = {
        "set_by": "table_game_shift_manager",
        "reason": "a training evening",
        "at": START,
    }
    table = script({"by": "dealer", "do": "open_bets"}, rulebook=old, **by).table
    assert table.notice == f"{old} is not in force (title page): a training evening."


def test_the_table_says_what_would_follow() -> None:
    table = script(*bets()).table
    assert consequences(table)["technical_interruption"] == "void"
    assert consequences(table)["excess_cards"] == "options"
    after = script(*bets(), cards("QS 3D 6H")).table
    assert after.outcome().by == ("player_pair", "big_tiger", "small_tiger", "big_buffalo", "player_char_siu")
    assert consequences(after)["technical_interruption"] == "conclude"
    assert consequences(after)["swapped_hands"] == "no options"
    assert consequences(after)["simultaneous_cards"] == "options"


def test_a_virtual_shoe_is_bound_before_and_revealed_after() -> None:
    played = script({"by": "dealer", "do": "end_shoe", "reason": "to see it"}, entropy="c0ffee" * 8)
    prepared, ended = (entry.event for entry in played.journal[-2:])
    assert isinstance(prepared, e.ShoePrepared)
    assert isinstance(ended, e.ShoeEnded)
    shown = f"{ended.salt}:{' '.join(ended.order)}"
    assert hashlib.sha256(shown.encode()).hexdigest() == prepared.commitment
    assert sorted(ended.order) == sorted(card for card in DECK for _ in range(8))
    assert script(entropy="c0ffee" * 8).table.shoe == script(entropy="c0ffee" * 8).table.shoe
    with pytest.raises(Refused, match="malformed_input"):
        ask(
            script({"by": "dealer", "do": "end_shoe", "reason": "to see it"}, entropy="c0ffee" * 8).table,
            "d",
            "dealer",
            c.PrepareShoe("00"),
        )


def test_the_cut_card_of_a_virtual_shoe_comes_by_itself() -> None:
    played = script(entropy="c0ffee" * 8, cut=410)
    table = played.table
    rounds = 0
    while not table.last_of_shoe:
        rounds += 1
        ask(table, "d", "dealer", c.OpenBets())
        ask(table, "d", "dealer", c.CloseBets())
        while table.next_hand() is not None:
            ask(table, "d", "dealer", c.DealCard())
        ask(table, "d", "dealer", c.Settle())
    assert 1 <= rounds <= 2
    with pytest.raises(Refused, match="shoe_is_over"):
        ask(table, "d", "dealer", c.OpenBets())
    ask(table, "d", "dealer", c.EndShoe())
    ask(table, "d", "dealer", c.PrepareShoe("ab" * 16))
    ask(table, "d", "dealer", c.OpenBets())


def test_a_notebook_shows_table_and_round() -> None:
    table = script(*bets(), cards("QS 3D 6H AC"), face_down=False).table
    assert "100" in "".join(ET.fromstring(table._repr_svg_()).itertext())
    assert table.round is not None
    assert "Player 6" in table.round._repr_svg_()
    hidden = script(*bets(), cards("QS 3D 6H AC"), face_down=True).table
    assert hidden.round is not None
    assert "Ace" not in hidden.round._repr_svg_()


def test_a_player_who_walked_away_leaves_his_seat_with_the_next_round() -> None:
    table = script(
        *bets(), {"by": "p1", "do": "leave_seat"}, cards("QS 3D 9H 4C"), {"by": "dealer", "do": "settle"}
    ).table
    assert table.accounts["player:p1"] == 100_00
    assert table.seats == {"p1": 1, "p2": 2}
    ask(table, "d", "dealer", c.OpenBets())
    assert table.seats == {"p2": 2}


def test_only_the_squeezer_opens_cards() -> None:
    table = script(*bets(), cards("QS"), face_down=True).table
    with pytest.raises(Refused, match="no_squeeze_right"):
        ask(table, "p1", "player", c.OpenCard("player", 1))
    with pytest.raises(Refused, match="no_squeeze_right"):
        ask(table, "p2", "player", c.RequestSqueeze())
    ask(table, "p1", "player", c.RequestSqueeze())
    ask(table, "s", "pit_supervisor", c.AnswerSqueeze(True))
    for card in ("3D", "6H", "AC"):
        ask(table, "d", "dealer", c.DealCard(card))
    # It was asked for once the first card lay there: that one is the dealer's to open.
    with pytest.raises(Refused, match="no_squeeze_right"):
        ask(table, "p1", "player", c.OpenCard("player", 1))
    ask(table, "p1", "player", c.OpenCard("player", 2))
    with pytest.raises(Refused, match="no_squeeze_right"):
        ask(table, "p2", "player", c.OpenCard("banker", 1))
    ask(table, "p1", "player", c.OpenCard("banker", 1))
    ask(table, "d", "dealer", c.OpenCard("player", 1))


def test_nothing_happens_at_a_table_that_is_not_set_up() -> None:
    with pytest.raises(Refused, match="table_not_set_up"):
        ask(Table(BOOKS), "d", "dealer", c.OpenBets())


def test_stakes_that_do_not_pay_evenly_are_refused_where_the_table_asks_for_that() -> None:
    table = script({"by": "dealer", "do": "open_bets"}, readings={"rounding": "even_stakes_only"}).table
    with pytest.raises(Refused, match="does_not_pay_evenly"):
        ask(table, "p1", "player", c.PlaceBet("p1", 1, "banker", 10_01))
    ask(table, "p1", "player", c.PlaceBet("p1", 1, "banker", 10_02))


def test_standing_bets_go_back_when_the_seated_player_withdraws() -> None:
    table = script(
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "100"},
        {"by": "p3", "do": "place_bet", "box": 1, "bet": "tie", "stake": "10"},
        {"by": "p1", "do": "withdraw_bet", "box": 1, "bet": "player"},
    ).table
    assert table.accounts == {"player:p1": 0, "player:p3": 0, "in_play": 0}


def test_rounds_under_other_rules_are_closed() -> None:
    settled = script(*bets(), cards("QS 3D 9H 4C"), {"by": "dealer", "do": "settle"}).table
    for player in ("p1", "p2"):
        ask(settled, player, "player", c.LeaveSeat(player))
    other = settled.require_setup().__class__("da-hu-ying-xiong-noncommission-insurance@2", "A", shoe="read")
    ask(settled, "m", "pit_manager", c.SetTable(other))
    with pytest.raises(Refused, match="not_settled"):
        ask(settled, "s", "pit_supervisor", c.ReopenSettlement("camera"))


def test_the_roads_begin_anew_with_a_shoe() -> None:
    table = script(*bets(), cards("QS 3D 9H 4C"), {"by": "dealer", "do": "settle"}).table
    assert table.roads().statistics.player == 1
    ask(table, "d", "dealer", c.EndShoe())
    ask(table, "d", "dealer", c.PrepareShoe())
    assert table.roads().statistics.rounds == 0


def test_a_round_under_way_comes_back_interrupted() -> None:
    played = script(*bets(), cards("QS 3D"))
    again = replay(BOOKS, played.journal)
    (entry,) = come_back(again, START, len(played.journal) + 1)
    assert isinstance(entry.event, e.RoundInterrupted)
    with pytest.raises(Refused, match="round_is_interrupted"):
        ask(again, "d", "dealer", c.DealCard("6H"))
    events = ask(again, "s", "pit_supervisor", c.ResolveInterruption())
    assert isinstance(events[0], e.RoundVoided), "nothing was decided yet"
    assert come_back(again, START, 1) == ()


def test_a_correction_counts_for_the_shoe_of_its_round() -> None:
    fix = {"do": "correct_round", "round": 1, "player": "QS 5H", "banker": "3D 4C"}
    after = [{"by": "dealer", "do": do} for do in ("settle", "end_shoe", "prepare_shoe", "open_bets")]
    played = script(*bets(), cards("QS 3D 9H 4C"), *after, {"by": "pit_supervisor", **fix})
    made = report(played.journal)
    assert made.by_shoe.keys() == {1}
    assert made.by_shoe[1].win == 0


def test_a_bet_of_ones_own_never_gives_way() -> None:
    limits = {"minimum": "10", "differential": "300"}
    table = script(
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "banker", "stake": "100"},
        {"by": "p3", "do": "place_bet", "box": 1, "bet": "banker", "stake": "200"},
        limits=limits,
    ).table
    ask(table, "g", "table_game_shift_manager", c.RuleOnMatter("asked", "return_bets", ("p1",)))
    ask(table, "p1", "player", c.LeaveSeat("p1"))
    ask(table, "p3", "player", c.TakeSeat("p3", 1))
    with pytest.raises(Refused, match="over_differential"):
        ask(table, "p3", "player", c.PlaceBet("p3", 1, "banker", 300_00))
    ask(table, "p3", "player", c.PlaceBet("p3", 1, "banker", 100_00))
    assert table.accounts["in_play"] == 300_00
    assert table.round is not None
    assert [bet.stake for bet in table.round.live()] == [300_00]


def test_an_insurance_window_that_never_was_returns_the_stake() -> None:
    played = script(
        *bets(),
        cards("KS 2D 5H 2C 4H"),
        {"by": "p1", "do": "place_insurance", "box": 1, "hand": "player", "stake": "50"},
        cards("KD"),
        {"by": "dealer", "do": "settle"},
        {"by": "dealer", "do": "open_bets"},
        {
            "by": "pit_supervisor",
            "do": "correct_round",
            "round": 1,
            "player": "KS 6H 4H",
            "banker": "2D 2C KD",
        },
        readings={"insurance_forgone": "window"},
    )
    corrected = played.journal[-1].event
    assert isinstance(corrected, e.RoundCorrected)
    insurance = [line for line in corrected.posted if line.window]
    assert [(line.outcome, line.returned) for line in insurance] == [("returned", 50_00)]
