"""Proofs that the table keeps sections 1 to 4: who is who, when bets are taken, squeezing, Insurance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lammer.table import commands as c, events as e
from lammer.table.setup import Limits
from paragraphs.clause import Clause, proof
from paragraphs.pit import FINISH, NATURAL, NO_OUTCOME, PRIVATE, Pit, line, none, one


@proof
def table_cut_card(clause: Clause) -> None:
    """The round in which it appears is the last of the shoe."""
    pit = Pit(clause)
    pit.begin("player 100", NO_OUTCOME)
    pit.does("dealer", "show_cut_card")
    pit.deal(FINISH)
    assert line(pit.settle(), "player").outcome == "won"
    # The definition says what the marker means; the irregularity is as good a reason.
    either = (clause.number, clause.book.irregularities["cut_card"].cite.paragraph)
    pit.refused("dealer", "open_bets", "shoe_is_over", either)
    pit.does("dealer", "end_shoe")
    pit.does("dealer", "prepare_shoe")
    pit.does("dealer", "open_bets")


@proof
def table_dealer(clause: Clause) -> None:
    """Who deals opens and closes the betting, draws and settles; a player does none of it."""
    pit = Pit(clause)
    pit.refused("p1", "open_bets", "not_your_role")
    pit.does("mei as dealer", "open_bets")
    pit.bets("player 100")
    pit.refused("p1", "close_bets", "not_your_role")
    pit.does("mei as dealer", "close_bets")
    for card in NATURAL.split():
        pit.refused("p1", "deal_card", "not_your_role", card=card)
        pit.does("mei as dealer", "deal_card", card=card)
    pit.refused("p1", "settle", "not_your_role")
    assert one(pit.does("mei as dealer", "settle"), e.RoundSettled).winner == "player"
    assert pit.money() == 100_00


@proof
def table_differential(clause: Clause) -> None:
    """What is on Banker against what is on Player in a box; side bets and other boxes do not count."""
    pit = Pit(clause, seats="p1 1, p2 2", differential="1000")
    pit.does("dealer", "open_bets")
    pit.bets("player 1000, tie 500")
    pit.refused("p1", "place_bet", "over_differential", bet="player", stake="0.01")
    pit.bets("banker 1000", "p2", box=2)
    pit.refused("p1", "place_bet", "over_differential", bet="banker", stake="2000.01")
    pit.bets("banker 2000")
    assert (pit.here.sides[1, "player"], pit.here.sides[1, "banker"]) == (1_000_00, 2_000_00)
    pit.refused("p1", "place_bet", "over_differential", bet="banker", stake="0.01")
    pit.bets("player 2000")
    pit.refused("p1", "place_bet", "over_differential", bet="player", stake="0.01")


@proof
def table_pit_employee(clause: Clause) -> None:
    """Dealer, Pit Supervisor and Pit Manager are positions: whoever acts in one has its powers, no more."""
    pit = Pit(clause)
    for name, role in (("ann", "dealer"), ("bob", "pit_supervisor"), ("eve", "pit_manager")):
        pit.does(f"{name} as {role}", "open_bets")
        pit.does(f"{name} as {role}", "place_bet", player="p1", bet="player", stake="10")
        assert pit.here.players() == ["p1"]
        pit.does(f"{name} as {role}", "close_bets")
        pit.deal(NO_OUTCOME)
        pit.does(f"{name} as {role}", "interrupt", reason="power failure")
        pit.refused("p1", "resolve_interruption", "not_your_role")
        pit.refused("ann as dealer", "resolve_interruption", "not_your_role")
        pit.does("ann as pit_supervisor", "resolve_interruption")
    for role in ("player", "dealer", "pit_supervisor"):
        pit.refused_call(f"bob as {role}", c.SetTable(pit.setup), "not_your_role")
    pit.call("bob as pit_manager", c.SetTable(pit.setup))


@proof
def table_player(clause: Clause) -> None:
    """Whoever has a bet in the round, for as long as they have one; nobody else is asked anything."""
    pit = Pit(clause, seats="p1 1, p2 2")
    pit.does("dealer", "open_bets")
    assert pit.here.players() == []
    pit.bets("tie 10", "p2", box=2)
    pit.bets("player 100", "p3", box=2)
    assert pit.here.players() == ["p2", "p3"]
    pit.does("p3", "withdraw_bet", bet="player", box=2)
    assert pit.here.players() == ["p2"]
    pit.does("dealer", "close_bets")
    pit.deal(NO_OUTCOME)
    offered = one(
        pit.does("pit_supervisor", "note_dealing_error", what="the shoe was lifted"), e.OptionsOffered
    )
    assert offered.players == ("p2",)
    pit.refused("p1", "choose_option", "no_options_asked", choice="return")


@proof
def table_reconstruction(clause: Clause) -> None:
    """Cards go back, in the order drawn, to where the rules send them; before that, nothing goes on."""
    pit = Pit(clause)
    pit.begin("player 100")
    for card, hand in (("KS", "banker"), ("KD", "player"), ("8H", "player"), ("7C", "banker")):
        assert not one(pit.deal(card, to=hand), e.CardDealt).proper
    assert (pit.hand("player"), pit.hand("banker")) == ("KD 8H", "KS 7C")
    rules = [clause.book.irregularities[name].cite.paragraph for name in ("excess_cards", "swapped_hands")]
    pit.refused("dealer", "settle", "cards_misplaced", (clause.number, *rules))
    pit.refused("dealer", "deal_card", ("cards_misplaced", "round_is_complete"), card="9C")
    done = one(pit.does("pit_supervisor", "reconstruct", irregularity="swapped_hands"), e.CardsReconstructed)
    assert (pit.hand("player"), pit.hand("banker"), done.carried) == ("KS 8H", "KD 7C", ())
    pit.refused("pit_supervisor", "reconstruct", "cards_in_order", irregularity="swapped_hands")
    assert line(pit.settle(), "player").returned == 200_00


@proof
def table_round_of_play(clause: Clause) -> None:
    """From the opening of bets to the last settlement: one round, and the table stays as it is."""
    pit = Pit(clause)
    assert one(pit.does("dealer", "open_bets"), e.BettingOpened).round == 1
    pit.bets("player 100")
    for _ in range(2):
        pit.refused("dealer", "open_bets", "round_under_way", clause.number)
        pit.refused("dealer", "prepare_shoe", "round_under_way", clause.number)
        pit.refused("dealer", "end_shoe", "round_under_way", clause.number)
        if pit.here.phase == "betting":
            pit.does("dealer", "close_bets")
    pit.refused_call("pit_manager", c.SetTable(pit.setup), "round_under_way", clause.number)
    pit.deal(NATURAL)
    pit.refused("dealer", "open_bets", "round_under_way", clause.number)
    pit.settle()
    assert pit.accounts == {"player:p1": 100_00, "bank": -100_00}
    assert one(pit.does("dealer", "open_bets"), e.BettingOpened).round == 2


@proof
def table_seated_player(clause: Clause) -> None:
    """Who sits at a box bets there: one seat a box, one box a player, no bet where nobody sits."""
    pit = Pit(clause)
    pit.refused("p2", "take_seat", "box_is_taken", clause.number, box=1)
    pit.refused("p1", "take_seat", "already_seated", clause.number, box=2)
    pit.refused("p2", "leave_seat", "not_seated", clause.number)
    pit.does("dealer", "open_bets")
    pit.refused("p2", "place_bet", "no_seated_player", clause.number, bet="player", stake="10", box=2)
    assert one(pit.does("p1", "place_bet", bet="player", stake="10"), e.BetPlaced).seated


@proof
def table_standing_player(clause: Clause) -> None:
    """Who bets in a seated player's box, once that player has bet."""
    pit = Pit(clause)
    pit.does("dealer", "open_bets")
    pit.refused("p2", "place_bet", "seated_player_first", clause.number, bet="banker", stake="10")
    pit.bets("tie 10")
    assert not one(pit.does("p2", "place_bet", bet="player", stake="50"), e.BetPlaced).seated
    pit.does("dealer", "close_bets")
    pit.deal(NATURAL)
    pit.settle()
    assert (pit.money("p1"), pit.money("p2")) == (-10_00, 50_00)


@proof
def table_open(clause: Clause) -> None:
    """No bet before the dealer's call."""
    pit = Pit(clause)
    pit.refused("p1", "place_bet", "no_round", clause.number, bet="player", stake="10")
    pit.refused("p1", "open_bets", "not_your_role", clause.number)
    pit.does("dealer", "open_bets")
    pit.bets("player 10")
    pit.does("dealer", "close_bets")
    pit.deal(NATURAL)
    pit.settle()
    pit.refused("p1", "place_bet", "no_round", clause.number, bet="player", stake="10")


@proof
def table_posted(clause: Clause) -> None:
    """Minimum and maximum Differential are in the set-up everyone sees; no table goes without."""
    pit = Pit(clause, minimum="50", differential="1000")
    shown = one(pit.events[:1], e.TableSet).setup
    assert (shown.limit(clause.book, "player").minimum, shown.differential) == (50_00, 1_000_00)
    assert (shown.limit(clause.book, "tie").minimum, pit.table.require_setup()) == (50_00, shown)
    for missing in (replace(shown, differential=0), replace(shown, limits={"original": Limits(0)})):
        pit.refused_call("pit_manager", c.SetTable(missing), "not_an_amount")
    pit.does("dealer", "open_bets")
    told = pit.refused("p1", "place_bet", "below_minimum", bet="player", stake="49.99")
    assert "50" in told.sentence
    pit.bets("player 50")
    told = pit.refused("p1", "place_bet", "over_differential", bet="player", stake="950.01")
    assert "1,000" in told.sentence or "1000" in told.sentence


@proof
def table_within(clause: Clause) -> None:
    """A bet beyond the maximum is refused, an increase that leads there too."""
    pit = Pit(clause, minimum="10", maximum="500")
    pit.does("dealer", "open_bets")
    pit.refused("p1", "place_bet", "above_maximum", clause.number, bet="player", stake="500.01")
    pit.bets("player 300")
    pit.refused("p1", "place_bet", "above_maximum", clause.number, bet="player", stake="200.01")
    pit.bets("player 200, tie 10")
    assert [bet.stake for bet in pit.here.bets.values()] == [500_00, 10_00]
    pit.refused("p1", "place_bet", "below_minimum", bet="banker", stake="9.99")


@proof
def table_share(clause: Clause) -> None:
    """What the seated player leaves of their box others may take up, and they have no say in it."""
    pit = Pit(clause, differential="1000")
    pit.does("dealer", "open_bets")
    pit.bets("player 400")
    pit.bets("player 350", "p2")
    pit.refused("p3", "place_bet", "over_differential", bet="player", stake="250.01")
    pit.bets("player 250", "p3")
    for other in ("p2", "p3"):
        pit.refused("p1", "withdraw_bet", "not_your_bet", bet="player", player=other)
    pit.does("dealer", "close_bets")
    pit.deal(NATURAL)
    pit.settle()
    assert (pit.money("p1"), pit.money("p2"), pit.money("p3")) == (400_00, 350_00, 250_00)


@proof
def table_close(clause: Clause) -> None:
    """After "No more Bets" none is placed, and no card comes before it."""
    pit = Pit(clause)
    pit.does("dealer", "open_bets")
    pit.bets("player 100")
    pit.refused("dealer", "deal_card", "bets_are_open", clause.number, card="KS")
    pit.refused("p1", "close_bets", "not_your_role", clause.number)
    pit.does("dealer", "close_bets")
    pit.refused("p1", "place_bet", "bets_are_closed", clause.number, bet="tie", stake="10")
    pit.refused("dealer", "place_bet", "bets_are_closed", clause.number, bet="tie", stake="10", player="p1")
    pit.deal(NATURAL)
    assert len(pit.settle().lines) == 1


def _squeeze(clause: Clause, entitled: str, other: str) -> None:
    """p1 sits with 100, p2 stands behind them with 200 and p3 with as much a moment later."""
    pit = Pit(clause, face_down=True)
    more = [("p2", 1, "player 200"), ("p3", 1, "player 200"), ("p1", 1, "tie 900")]
    pit.begin("player 100", more=more)
    for player in (other, "p3"):
        pit.refused(player, "request_squeeze", "no_squeeze_right", clause.number)
    asked = one(pit.does(entitled, "request_squeeze"), e.SqueezeRequested)
    assert (asked.player, asked.cite) == (entitled, clause.number)
    pit.refused("dealer", "answer_squeeze", "not_your_role", clause.number, consent=True)
    answered = one(pit.does("pit_supervisor", "answer_squeeze", consent=True), e.SqueezeAnswered)
    assert (answered.consent, answered.waives, answered.cite) == (True, False, clause.number)
    pit.deal(NATURAL)
    no_right = ("no_squeeze_right", "not_your_role")
    pit.refused(other, "open_card", no_right, clause.number, hand="player", place=1)
    assert one(pit.does(entitled, "open_card", hand="player", place=1), e.CardOpened).hand == "player"
    pit.open_all()
    assert pit.settle().winner == "player"

    # Permission is the House's to give, so without it even whoever may ask turns no card.
    pit.begin("player 100", NATURAL, more)
    pit.refused(entitled, "open_card", no_right, clause.number, hand="player", place=1)
    pit.does(entitled, "request_squeeze")
    pit.does("pit_supervisor", "answer_squeeze", consent=False)
    pit.refused(entitled, "open_card", no_right, clause.number, hand="player", place=1)

    face_up = Pit(clause)
    face_up.begin("player 100")
    face_up.refused("p1", "request_squeeze", "no_squeeze_right", clause.number)
    _recorded(clause, more, entitled, other)


def _recorded(clause: Clause, more: list[tuple[str, int, str]], entitled: str, other: str) -> None:
    """Staff record the request for the player; it covers the cards that are dealt after it, and no others."""
    pit = Pit(clause, face_down=True)
    pit.begin("player 100", "KS", more)
    pit.refused("dealer", "request_squeeze", "no_squeeze_right", clause.number, player=other)
    pit.refused(other, "request_squeeze", "not_your_bet", player=entitled)
    asked = one(pit.does("dealer", "request_squeeze", player=entitled), e.SqueezeRequested)
    assert (asked.player, asked.cite) == (entitled, clause.number)
    pit.does("pit_supervisor", "answer_squeeze", consent=True)
    pit.deal("KD 8H 7C")
    pit.refused(entitled, "open_card", "no_squeeze_right", clause.number, hand="player", place=1)
    for hand, place in (("player", 2), ("banker", 1), ("banker", 2)):
        pit.does(entitled, "open_card", hand=hand, place=place)
    pit.open_all()
    pit.settle()

    # Once no card is to come there is none to squeeze.
    late = Pit(clause, face_down=True)
    late.begin("player 100", NATURAL, more)
    late.open_all()
    late.refused("dealer", "request_squeeze", "no_squeeze_right", clause.number, player=entitled)

    # By the letter the highest bet is the largest of any kind: p1 has 900 on the tie.
    literal = Pit(clause, face_down=True, readings={"highest_bet": "largest_of_any_kind"})
    literal.begin("player 100", more=more)
    literal.refused("p2", "request_squeeze", "no_squeeze_right", clause.number)
    literal.does("p1", "request_squeeze")

    # Where nobody bet on a hand, the largest of the others counts.
    sides = Pit(clause, seats="p1 1, p2 2", face_down=True)
    sides.begin("tie 20", more=[("p2", 2, "tie 30")])
    sides.refused("p1", "request_squeeze", "no_squeeze_right", clause.number)
    sides.does("p2", "request_squeeze")


@proof
def table_squeeze_player(clause: Clause) -> None:
    """The highest bet on a hand, whoever holds it; of equal bets the first; side bets do not count."""
    _squeeze(clause, entitled="p2", other="p1")


@proof
def table_squeeze_seated(clause: Clause) -> None:
    """The highest bet of a player who sits, however much is bet by those who stand."""
    _squeeze(clause, entitled="p1", other="p2")


@proof
def table_waiver(clause: Clause) -> None:
    """The Banker's third card opened first, on request and by consent, ends Insurance for everyone."""
    for what in ("squeeze_banker_third_first", "expose_banker_third_first"):
        pit = _banker_one(clause, what)
        answered = one(pit.does("pit_supervisor", "answer_squeeze", consent=True), e.SqueezeAnswered)
        assert (answered.waives, answered.cite) == (True, clause.number)
        # Player 2 and an 8 make 0: Banker Insurance at 10 to 1 would be on offer now.
        assert none(pit.deal("8S", face_up=True), e.WindowOpened)
        for player, box in (("p1", 1), ("p2", 2)):
            insure: dict[str, Any] = {"hand": "banker", "stake": "10", "box": box}
            pit.refused(player, "place_insurance", "insurance_waived", clause.number, **insure)

        first = _banker_one(clause, what)
        first.does("pit_supervisor", "answer_squeeze", consent=True)
        first.deal("8S 9S")
        first.does("dealer", "open_card", hand="banker", place=3)
        first.does("dealer", "open_card", hand="player", place=3)
        first.settle()

        recorded = _banker_one(clause, what, by="dealer")
        recorded.does("pit_supervisor", "answer_squeeze", consent=True)
        recorded.deal("8S 9S")
        again = {"what": what, "player": "p1"}
        recorded.refused("dealer", "request_squeeze", "no_squeeze_right", clause.number, **again)

        declined = _banker_one(clause, what)
        declined.does("pit_supervisor", "answer_squeeze", consent=False)
        assert one(declined.deal("8S", face_up=True), e.WindowOpened).window == "third_card"
        declined.does("p2", "place_insurance", hand="banker", stake="10", box=2)

    # Where the Banker's third card is not certain before the Player's is seen, it cannot come first.
    for cards, code in (("KS KD 2H 3C", "no_squeeze_right"), ("", "cards_face_down")):
        unsure = Pit(clause, face_down=True)
        unsure.begin("banker 200", cards)
        unsure.open_all()
        unsure.refused("p1", "request_squeeze", code, clause.number, what="squeeze_banker_third_first")


def _banker_one(clause: Clause, what: str, by: str = "p1") -> Pit:
    """Player 2 and Banker 1 on the table; p1, whose bet is the highest, has asked, or the dealer for them."""
    pit = Pit(clause, seats="p1 1, p2 2", face_down=True)
    pit.begin("banker 200", "KS KD 2H AC", [("p2", 2, "banker 100")])
    pit.open_all()
    pit.refused("p2", "request_squeeze", "no_squeeze_right", what=what)
    pit.refused("dealer", "request_squeeze", "no_squeeze_right", what=what, player="p2")
    asked = one(pit.does(by, "request_squeeze", what=what, player="p1"), e.SqueezeRequested)
    assert (asked.player, asked.cite) == ("p1", clause.number)
    pit.refused("dealer", "answer_squeeze", "not_your_role", clause.number, consent=True)
    return pit


@proof
def table_private(clause: Clause) -> None:
    """A private table that asked is offered no Insurance, and neither is anyone who joins it."""
    offered = Pit(clause)
    assert one(offered.begin("player 100", "KS KD 6H 3C"), e.WindowOpened).offers[0].hand == "player"
    offered.does("p1", "place_insurance", hand="player", stake="10")

    # Only where the table is private, and only at the request of a player, who is named.
    pit = Pit(clause, **PRIVATE)
    without = pit.setup
    for public in (
        replace(without, private=False),
        replace(without, insurance_declined_by=""),
        replace(without, insurance_declined_by=" "),
        replace(without, private=False, insurance_declined_by=""),
    ):
        pit.refused_call("pit_manager", c.SetTable(public), "not_a_private_table", clause.number)
    asked = replace(without, insurance=True)
    pit.refused_call("pit_manager", c.SetTable(asked), "not_a_private_table", clause.number)
    shown = one(pit.events[:1], e.TableSet).setup
    assert (shown.private, shown.insurance, shown.insurance_declined_by) == (True, False, "p1")
    assert (clause.number in pit.table.notice, offered.table.notice) == (True, "")
    assert Pit(clause, private=True).table.notice == ""
    pit.does("p2", "take_seat", box=2)
    assert none(pit.begin("player 100", "KS KD 6H 3C", [("p2", 2, "player 50")]), e.WindowOpened)
    code = "insurance_not_offered_here"
    for player, box in (("p1", 1), ("p2", 2)):
        pit.refused(player, "place_insurance", code, clause.number, hand="player", stake="10", box=box)
        pit.refused(player, "announce_insurance", code, clause.number, hand="player", box=box)
    pit.deal("6S")
    settled = pit.settle()
    assert none(pit.events, e.InsurancePlaced)
    assert [each.outcome for each in settled.lines] == ["lost", "lost"]
    pit.refused("pit_manager", "offer_missed_insurance", code, clause.number, players="p1 p2", hand="player")
