"""Proofs that the record follows the cards on the table: cards recorded wrongly, seen too early, swapped."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lammer.table import commands as c, events as e
from paragraphs.clause import Clause, proof
from paragraphs.pit import FINISH, NATURAL, NO_OUTCOME, Pit, line, none, one, options

TWO = [("p2", 2, "player 50")]
WHY = {"reason": "the camera shows another card"}
TIED: dict[str, Any] = {"hand": "banker", "place": 2, "card": "8C"}
"""The Banker's 7 of the natural was an 8, and the round a tie."""
FIVE: dict[str, Any] = {"round": 1, "hand": "player", "place": 2, "card": "5H", **WHY}
"""The Player's 8 was a 5: no whole round, against a Banker who stands on 7."""


def _refusals(pit: Pit, **where: Any) -> None:
    """What nobody puts right: a card as it was recorded, one that is not there, one that is none."""
    house = "pit_supervisor"
    pit.refused(house, "correct_card", "nothing_to_correct", **{**TIED, **WHY, **where, "card": "7C"})
    pit.refused(house, "correct_card", "no_such_card", **{**TIED, **WHY, **where, "place": 3})
    pit.refused(house, "correct_card", "not_a_card", **{**TIED, **WHY, **where, "card": "1X"})


@proof
def table_card_slip(clause: Clause) -> None:
    """A slip of the last card is the dealer's to mend, without a reason; the card that lies there decides."""
    pit = Pit(clause, seats="p1 1, p2 2")
    pit.begin("player 100", NATURAL, TWO)
    pit.refused("p1", "correct_card", "not_your_role", clause.number, **TIED)
    _refusals(pit)
    happened = pit.does("dealer", "correct_card", **TIED)
    mended = one(happened, e.CardCorrected)
    assert (mended.card, mended.proper, mended.reason, mended.cite) == ("8C", True, "", clause.number)
    assert none(happened, e.OptionsOffered)
    assert none(happened, e.IrregularityNoted)
    assert (pit.hand("player"), pit.hand("banker")) == ("KS 8H", "KD 8C")
    assert pit.settle().winner == "tie"
    assert (pit.money("p1"), pit.money("p2")) == (0, 0)

    # The set can hold no fifth of it, once it has come four times from four decks.
    full = Pit(clause, decks=4)
    full.begin("player 100", "KS KS KS KS")
    full.deal("2D")
    full.refused("dealer", "correct_card", "impossible_card", hand="player", place=3, card="KS")

    # What was shown and was another card may come again.
    again = Pit(clause, decks=4)
    again.begin("player 100", "KS KS KS KS")
    again.does("dealer", "correct_card", hand="banker", place=2, card="QS")
    again.deal("KS")


@proof
def table_card_later(clause: Clause) -> None:
    """Any other card of the round is for the House, with a reason; what then lies wrong is put right."""
    pit = Pit(clause)
    pit.begin("player 100", "KS KD 6H 3C 2S")
    seven: dict[str, Any] = {"hand": "banker", "place": 2, "card": "7C"}
    pit.refused("dealer", "correct_card", "not_your_role", clause.number, **seven, **WHY)
    pit.refused("pit_supervisor", "correct_card", "reason_needed", clause.number, **seven)
    pit.refused("pit_supervisor", "correct_card", "reason_needed", clause.number, **seven, reason=" ")
    happened = pit.does("pit_supervisor", "correct_card", **seven, **WHY)
    mended = one(happened, e.CardCorrected)
    assert (mended.proper, mended.reason, mended.cite) == (False, WHY["reason"], clause.number)
    # The Banker stands on 7, so the card drawn is one too many.
    pit.refused("dealer", "settle", "cards_misplaced")
    pit.does("pit_supervisor", "reconstruct", irregularity="excess_cards")
    assert (pit.hand("banker"), list(pit.table.carried)) == ("KD 7C", ["2S"])
    assert pit.settle().winner == "banker"

    waiting = Pit(clause)
    waiting.begin("player 100", NO_OUTCOME)
    waiting.does("dealer", "interrupt", reason="power failure")
    last: dict[str, Any] = {"hand": "banker", "place": 1, "card": "3D"}
    waiting.refused("pit_supervisor", "correct_card", "round_is_interrupted", **last, **WHY)
    asked = Pit(clause)
    asked.begin("player 100", NO_OUTCOME)
    asked.does("pit_supervisor", "note_dealing_error", what="a card touched the discard rack")
    asked.refused("pit_supervisor", "correct_card", "options_are_open", **last, **WHY)


@proof
def table_card_insured(clause: Clause) -> None:
    """Once somebody insured or will insure on the last card it is no slip; the window is judged anew."""
    for announced in (True, False):
        pit = Pit(clause)
        pit.begin("player 100", "KS KD 6H 3C")
        if announced:
            pit.does("p1", "announce_insurance", hand="player")
        else:
            pit.does("p1", "place_insurance", hand="player", stake="10")
        natural: dict[str, Any] = {"hand": "banker", "place": 2, "card": "9C"}
        pit.refused("dealer", "correct_card", "not_your_role", clause.number, **natural)
        happened = pit.does("pit_supervisor", "correct_card", **natural, **WHY)
        passed = one(happened, e.WindowPassed)
        assert (passed.forgone, passed.cite, pit.here.announced) == ((), clause.number, set())
        pit.settle()
        assert pit.money() == -100_00

    # Nobody insured: the dealer mends it, and the window is what the cards open, at their odds.
    open_anew = Pit(clause)
    open_anew.begin("player 100", "KS KD 6H 9C")
    for card, odds in (("3C", "5:2"), ("9C", "")):
        happened = open_anew.does("dealer", "correct_card", hand="banker", place=2, card=card)
        if odds:
            assert one(happened, e.WindowOpened).offers[0].odds == odds
    assert open_anew.here.window is None
    assert open_anew.here.forgone == set()


@proof
def table_card_settled(clause: Clause) -> None:
    """Found after settlement: reversed, and settled anew by the cards as they lay, without any options."""
    pit = Pit(clause, seats="p1 1, p2 2")
    pit.round("player 100, tie 10", NATURAL, TWO)
    assert pit.money() == 90_00
    pit.refused("dealer", "correct_card", "not_your_role", clause.number, **TIED, **WHY)
    pit.refused("pit_supervisor", "correct_card", "reason_needed", clause.number, **TIED)
    _refusals(pit)
    happened = pit.does("pit_supervisor", "correct_card", **TIED, **WHY)
    assert [type(event) for event in happened] == [e.SettlementReopened, e.CardCorrected, e.RoundSettled]
    reopened = one(happened, e.SettlementReopened)
    assert (reopened.reason, reopened.cite) == (WHY["reason"], clause.number)
    assert len(reopened.reversed) == 3
    assert (pit.here.phase, pit.table.results[1].winner) == ("settled", "tie")
    assert (pit.money("p1"), pit.money("p2")) == (80_00, 0)

    # With that card another is due: the round waits for it, and nobody chooses anything.
    short = Pit(clause)
    short.round("player 100", "KS KD 6H 7C")
    three: dict[str, Any] = {"hand": "banker", "place": 2, "card": "3C"}
    happened = short.does("pit_supervisor", "correct_card", **three, **WHY)
    assert none(happened, e.RoundSettled)
    assert none(happened, e.WindowOpened)
    assert (short.here.phase, short.money()) == ("dealing", -100_00)
    assert none(short.deal("2S"), e.OptionsOffered)
    assert short.settle().winner == "player"

    void = Pit(clause)
    void.begin("player 100", NATURAL)
    void.does("pit_supervisor", "void_round", cause="wrong_number_of_cards")
    over = ("no_round", "not_settled")
    void.refused("pit_supervisor", "correct_card", over, **TIED, **WHY)
    void.does("dealer", "open_bets")
    void.refused("pit_supervisor", "correct_card", over, **TIED, **WHY, round=1)


def _played(clause: Clause) -> Pit:
    """Round 1 settled, Player 8 over Banker 7; round 2 under way, with 50 of p1 on Player."""
    pit = Pit(clause)
    pit.round("player 100, tie 10", NATURAL)
    pit.begin("player 50", NO_OUTCOME)
    pit.refused("dealer", "correct_card", "not_your_role", clause.number, **TIED, **WHY, round=1)
    pit.refused("pit_supervisor", "correct_card", "reason_needed", clause.number, **TIED, round=1)
    pit.refused("pit_supervisor", "correct_card", "not_settled", clause.number, **TIED, **WHY, round=3)
    _refusals(pit, round=1)
    return pit


def _ends(pit: Pit, money: int) -> None:
    """The round that is under way is not touched."""
    assert (pit.here.number, pit.here.phase, pit.money()) == (2, "dealing", money - 50_00)
    pit.deal(FINISH)
    pit.settle()
    assert (pit.money(), list(pit.table.results)) == (money + 50_00, [1, 2])


@proof
def table_card_earlier(clause: Clause) -> None:
    """Found once the next round began: that round is resettled by the cards as they lay."""
    pit = _played(clause)
    # With a 5 there the Player had to draw; nobody can say which card that would have been.
    told = pit.refused("pit_supervisor", "correct_card", "breaks_table_of_play", clause.number, **FIVE)
    provided = "broke_table_of_play" in clause.book.irregularities
    assert told.next_step.startswith("Correct the round" if provided else "A Table Game Shift Manager")
    happened = pit.does("pit_supervisor", "correct_card", **TIED, **WHY, round=1)
    corrected = one(happened, e.RoundCorrected)
    assert len(happened) == 1
    assert (corrected.because, corrected.void, corrected.reason) == (
        "card_recorded_wrongly",
        False,
        WHY["reason"],
    )
    assert (corrected.cites, corrected.rulebook) == ((clause.number,), clause.book.id)
    assert (corrected.player, corrected.banker, corrected.winner) == (("KS", "8H"), ("KD", "8C"), "tie")
    assert [each.outcome for each in corrected.reversed] == ["won", "lost"]
    assert (line(corrected, "player").outcome, line(corrected, "tie").outcome) == ("returned", "won")
    assert [past.winner for past in pit.table.past.values()] == ["tie"]

    # It can be put right again, and as often as it has to be.
    pit.does("pit_supervisor", "correct_card", **{**TIED, **WHY, "card": "7C", "round": 1})
    assert pit.table.results[1].winner == "player"
    _ends(pit, 90_00)


@proof
def table_card_stands(clause: Clause) -> None:
    """Found once the next round began: the record is put right, and its outcome and money stand."""
    stands = clause.book.irregularities["earlier_rounds"].cite.paragraph
    pit = _played(clause)
    for fields, hands in (
        (FIVE, (("KS", "5H"), ("KD", "7C"))),
        ({**TIED, **WHY, "round": 1}, (("KS", "5H"), ("KD", "8C"))),
    ):
        happened = pit.does("pit_supervisor", "correct_card", **fields)
        corrected = one(happened, e.RoundCorrected)
        assert (corrected.because, corrected.reason) == ("card_recorded_wrongly", WHY["reason"])
        assert corrected.cites == (clause.number, stands)
        assert (corrected.reversed, corrected.posted) == ((), ())
        past = pit.table.past[1]
        assert ((past.player, past.banker), past.winner, past.points) == (hands, "player", 8)
        assert pit.table.results[1].winner == "player"
    _ends(pit, 90_00)


@proof
def table_card_virtual(clause: Clause) -> None:
    """A virtual shoe knows what it dealt: no claim about another card is believed, at any time."""
    pit = Pit(clause, entropy="5eed" * 8)
    claim: dict[str, Any] = {"hand": "player", "place": 1, "card": "9H", **WHY}
    other = {**claim, "card": "8H"}
    pit.begin("player 10")
    pit.does("dealer", "deal_card")
    top = "table_game_shift_manager"
    for fields in (claim, other):
        pit.refused(top, "correct_card", "card_comes_from_shoe", clause.number, **fields)
    while pit.table.next_hand() is not None:
        pit.does("dealer", "deal_card")
    pit.settle()
    pit.refused(top, "correct_card", "card_comes_from_shoe", clause.number, **claim)
    pit.does("dealer", "open_bets")
    pit.refused(top, "correct_card", "card_comes_from_shoe", clause.number, **claim, round=1)


@proof
def table_exposed(clause: Clause) -> None:
    """A card that was seen and belongs to no hand is the next out of the shoe, in this round or the next."""
    pit = Pit(clause)
    pit.refused("p1", "expose_card", "not_your_role", clause.number, card="KS")
    happened = pit.does("dealer", "expose_card", card="KS")
    assert [type(event) for event in happened] == [e.IrregularityNoted, e.CardExposed]
    assert {event.cite for event in happened if isinstance(event, e.CardExposed)} == {clause.number}
    assert one(happened, e.IrregularityNoted).cite == clause.number
    pit.does("dealer", "expose_card", card="KD")
    pit.begin("player 100")
    pit.refused("dealer", "deal_card", "impossible_card", clause.number, card="KD")
    assert one(pit.deal("KS"), e.CardDealt).carried
    assert one(pit.deal("KD"), e.CardDealt).carried
    assert not one(pit.deal("8H"), e.CardDealt).carried
    pit.deal("7C")
    assert pit.settle().winner == "player"

    # While bets are open it closes them: nobody bets on a card that everybody has seen.
    betting = Pit(clause, differential="1000", readings={"limits_mode": "advisory"})
    betting.does("dealer", "open_bets")
    betting.bets("player 2000")
    happened = betting.does("dealer", "expose_card", card="9S")
    assert one(happened, e.BettingClosed).round == 1
    assert one(happened, e.BetCut).played == 1000_00
    betting.refused("p1", "place_bet", "bets_are_closed", bet="player", stake="10")
    betting.refused("p1", "withdraw_bet", "bets_are_closed", bet="player")

    # The set holds no fifth of it, and a virtual shoe shows no card before it is dealt.
    full = Pit(clause, decks=4)
    for _ in range(4):
        full.does("dealer", "expose_card", card="KS")
    full.refused("dealer", "expose_card", "impossible_card", card="KS")
    virtual = Pit(clause, entropy="5eed" * 8)
    virtual.refused("dealer", "expose_card", "card_comes_from_shoe", clause.number, card="KS")


@proof
def table_exposed_options(clause: Clause) -> None:
    """A card seen in a round gives the options while no outcome stands, and never once it was settled."""
    for begun in (False, True):
        pit = Pit(clause, seats="p1 1, p2 2")
        pit.does("dealer", "open_bets")
        pit.bets("player 100")
        pit.bets("player 50", "p2", box=2)
        if begun:
            pit.does("dealer", "close_bets")
            pit.deal(NO_OUTCOME)
        options(clause, pit.does("dealer", "expose_card", card="8H"), "p1", "p2")
        pit.refused("dealer", "expose_card", "options_are_open", card="8D")
        pit.does("p2", "choose_option", choice="return")
        pit.does("dealer", "close_options")
        assert (pit.money("p2"), list(pit.table.carried)) == (0, ["8H"])

    decided = Pit(clause)
    decided.begin("player 100", NATURAL)
    assert none(decided.does("dealer", "expose_card", card="8D"), e.OptionsOffered)
    decided.settle()
    decided.does("pit_supervisor", "reopen_settlement", reason="a fifth card")
    assert none(decided.does("dealer", "expose_card", card="8S"), e.OptionsOffered)
    assert list(decided.table.carried) == ["8D", "8S"]


@proof
def table_swap_noted(clause: Clause) -> None:
    """Cards recorded as if they lay properly: where they really lie is noted, and then they are put right."""
    pit = Pit(clause, seats="p1 1, p2 2")
    pit.begin("player 100", NO_OUTCOME, TWO)
    pit.refused("p1", "note_swapped_cards", "not_your_role", clause.number, player=[1], banker=[1])
    pit.refused("dealer", "note_swapped_cards", "no_such_card", clause.number, player=[2], banker=[])
    pit.refused("dealer", "note_swapped_cards", "no_such_card", clause.number, player=[], banker=[])
    found = one(pit.does("dealer", "note_swapped_cards", player=[1], banker=[1]), e.CardsFound)
    assert (found.proper, found.cite) == (False, clause.number)
    assert (pit.hand("player"), pit.hand("banker")) == ("2D", "KS")
    pit.refused("dealer", "deal_card", "cards_misplaced", card="8H")
    happened = pit.does("dealer", "reconstruct", irregularity="swapped_hands")
    options(clause, happened, "p1", "p2")
    assert (pit.hand("player"), pit.hand("banker")) == ("KS", "2D")
    pit.does("dealer", "close_options")
    pit.deal(FINISH)
    assert pit.settle().winner == "player"

    # Noted twice they lie as the rules send them, in the order they were drawn.
    twice = Pit(clause)
    twice.begin("player 100", NO_OUTCOME)
    for proper in (False, True):
        told = one(twice.does("dealer", "note_swapped_cards", player=[1], banker=[1]), e.CardsFound)
        assert told.proper == proper
    twice.deal(FINISH)
    assert twice.settle().winner == "player"

    virtual = Pit(clause, entropy="5eed" * 8)
    virtual.begin("player 10")
    virtual.does("dealer", "deal_card")
    claim: dict[str, Any] = {"player": [1], "banker": []}
    virtual.refused("dealer", "note_swapped_cards", "card_comes_from_shoe", clause.number, **claim)


@proof
def table_announce(clause: Clause) -> None:
    """Who told the dealer in time is waited for: no card is drawn until they insure, or say they will not."""
    pit = Pit(clause, seats="p1 1, p2 2")
    told: dict[str, Any] = {"hand": "player"}
    pit.begin("player 100", "KS KD 6H", [("p2", 2, "player 50"), ("p2", 2, "tie 5")])
    pit.refused("p1", "announce_insurance", "window_not_open", **told)
    pit.deal("3C")
    pit.refused("p1", "announce_insurance", "insurance_not_on_offer", hand="banker")
    pit.refused("p1", "announce_insurance", "nothing_to_insure", **told, box=2)
    pit.refused("p1", "announce_insurance", "not_your_bet", **told, box=2, player="p2")
    pit.refused("dealer", "decline_insurance", "nothing_announced", clause.number, **told, box=1, player="p1")
    no = one(pit.does("p1", "decline_insurance", **told), e.InsuranceDeclined)
    assert (no.player, no.box, no.cite) == ("p1", 1, clause.number)
    said = one(pit.does("p1", "announce_insurance", **told), e.InsuranceAnnounced)
    assert (said.player, said.box, said.hand, said.cite) == ("p1", 1, "player", clause.number)
    pit.refused("p1", "announce_insurance", "insurance_announced", clause.number, **told)
    by_staff = one(pit.does("dealer", "announce_insurance", **told, box=2, player="p2"), e.InsuranceAnnounced)
    assert by_staff.player == "p2"
    for step in ("p1", "p2"):
        pit.refused("dealer", "deal_card", "insurance_announced", clause.number, card="2S")
        pit.refused("dealer", "expose_card", "insurance_announced", clause.number, card="2S")
        both: dict[str, Any] = {"order": "2S 3S"}
        pit.refused("pit_supervisor", "order_simultaneous", "insurance_announced", clause.number, **both)
        if step == "p1":
            pit.does("p1", "place_insurance", **told, stake="10")
        else:
            gone = one(pit.does("p2", "decline_insurance", **told, box=2), e.InsuranceDeclined)
            assert (gone.player, gone.cite) == ("p2", clause.number)
    passed = one(pit.deal("6S"), e.WindowPassed)
    assert (passed.forgone, passed.cite) == (("p2",), clause.number)
    pit.settle()
    assert (pit.money("p1"), pit.money("p2")) == (-100_00 + 25_00, -55_00)

    # Who has forgone it announces nothing; a window that ends otherwise ends what was announced.
    late = Pit(clause, seats="p1 1, p2 2")
    late.begin("banker 100", "KS KD AH 4C", [("p2", 2, "banker 100")])
    late.does("p2", "place_insurance", hand="banker", stake="10", box=2)
    late.deal("2S")
    late.refused("p1", "announce_insurance", "insurance_forgone", clause.number, hand="banker")
    late.does("p2", "announce_insurance", hand="banker", box=2)
    late.does("pit_supervisor", "void_round", cause="wrong_number_of_cards")
    assert late.here.announced == set()


@proof
def table_house(clause: Clause) -> None:
    """The House is a Pit Supervisor or above, or whom the set-up names; what others decide stays theirs."""
    usual = Pit(clause)
    assert usual.setup.house_role == "pit_supervisor"
    for nobody in ("dealer", "player", "cleaner", ""):
        setup = replace(usual.setup, house_role=nobody)
        usual.refused_call("pit_manager", c.SetTable(setup), "not_your_role")
    for role, below in (
        ("pit_supervisor", "dealer"),
        ("pit_manager", "pit_supervisor"),
        ("table_game_shift_manager", "pit_manager"),
    ):
        pit = Pit(clause, house_role=role, differential="1000", readings={"limits_mode": "advisory"})
        pit.does("dealer", "open_bets")
        pit.bets("player 1100")
        pit.refused(below, "refuse_excess", "not_your_role")
        pit.does(role, "refuse_excess")
        pit.does("dealer", "close_bets")
        pit.deal(NATURAL)
        pit.deal("5S", to="banker")
        pit.refused(below, "reconstruct", "not_your_role", irregularity="excess_cards")
        pit.does(role, "reconstruct", irregularity="excess_cards")
        if "damaged_cards" in clause.book.irregularities:
            pit.refused(below, "judge_damaged_card", "not_your_role", hand="banker", place=2, card="7D")
            pit.does(role, "judge_damaged_card", hand="banker", place=2, card="7D")
        pit.settle()
        pit.refused(below, "correct_card", "not_your_role", **TIED, **WHY)
        pit.does(role, "correct_card", **TIED, **WHY)
        if "broke_table_of_play" in clause.book.irregularities:
            pit.does("dealer", "open_bets")
            lay: dict[str, Any] = {"round": 1, "player": "KS 8H", "banker": "KD 8C 2S"}
            pit.refused(below, "correct_round", "not_your_role", **lay)
            pit.does(role, "correct_round", **lay)
            pit.does("dealer", "close_bets")
        else:
            pit.begin("player 100")
        # A void is a Pit Supervisor's to declare, whoever speaks for the House.
        pit.does("dealer", "deal_card", card="5S")
        pit.does("pit_supervisor", "void_round", cause="wrong_deck")


@proof
def table_boxes_named(clause: Clause) -> None:
    """Boxes are marked for each player: by their numbers, or as the table names them, each once."""
    pit = Pit(clause, seats="p1 1, p2 4", boxes=4, box_names=("6", "5", "3", "2"))
    appendix = clause.book.layout("A").cite.paragraph
    assert [pit.setup.box_name(box) for box in range(1, 5)] == ["6", "5", "3", "2"]
    assert Pit(clause).setup.box_name(2) == "2"
    for names in (("6", "5", "3"), ("6", "5", "3", "3"), ("6", "5", "3", " "), ("6", "5", "4", "3", "2")):
        wrong = replace(pit.setup, box_names=names)
        pit.refused_call("pit_manager", c.SetTable(wrong), "no_such_box", appendix)
    # Whatever they are called, a call counts them from 1.
    pit.refused("p3", "take_seat", "no_such_box", clause.number, box=6)
    pit.begin("player 100", NATURAL, [("p2", 4, "banker 50")])
    assert [(each.player, each.box) for each in pit.settle().lines] == [("p1", 1), ("p2", 4)]
