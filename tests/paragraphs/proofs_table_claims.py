"""Proofs that the table keeps the end of section 5: Insurance missed or misplaced, displays, rulings."""

from __future__ import annotations

from typing import Any

from lammer.table import events as e
from paragraphs.clause import Clause, proof
from paragraphs.pit import FINISH, NATURAL, NO_OUTCOME, Pit, cited, line, one, part

LOST = "KS KD 6H 3C 6S"
"""Player 6 insured at 5 to 2, the Banker draws to 9."""
FOUR, THIRD = "KS KD AH 4C", "2S"
"""Banker 4 insured at 3 to 2 against Player 1, and at 5 to 2 against Player 3."""


@proof
def table_missed_before(clause: Clause) -> None:
    """A Pit Manager offers it at the odds now on the table; it may win no more than the Original Bet."""
    pit = Pit(clause, seats="p1 1, p2 2")
    pit.begin("banker 100", f"{FOUR} {THIRD}", [("p2", 2, "banker 100")])
    pit.refused("p1", "place_insurance", "insurance_forgone", hand="banker", stake="40")
    offer = {"players": "p1", "hand": "banker"}
    for role in ("dealer", "pit_supervisor"):
        refused = pit.refused(role, "offer_missed_insurance", "not_your_role", **offer)
        assert refused.citation is not None
        cited(clause, refused.citation.paragraph)
    made = one(pit.does("pit_manager", "offer_missed_insurance", **offer), e.MissedInsuranceOffered)
    assert (made.players, made.cite) == (("p1",), clause.number)
    parts = (clause.number, clause.number.rpartition(".")[0])
    insure = {"hand": "banker"}
    pit.refused("p1", "place_insurance", "insurance_above_original_bet", parts, stake="40.01", **insure)
    pit.refused("p2", "place_insurance", "insurance_forgone", stake="10", box=2, **insure)
    assert one(pit.does("p1", "place_insurance", stake="40", **insure), e.InsurancePlaced).odds == "5:2"
    pit.deal("8S")
    assert pit.settle().winner == "player"
    assert (pit.money("p1"), pit.money("p2")) == (0, -100_00)


@proof
def table_missed_after(clause: Clause) -> None:
    """After the outcome the Original Bet goes back to those whose Insurance would have won."""
    missed = {"players": "p1", "hand": "player"}
    for settled in (True, False):
        pit = Pit(clause, seats="p1 1, p2 2")
        pit.begin("player 100, tie 10", LOST, [("p2", 2, "player 50")])
        if settled:
            pit.settle()
        pit.refused("pit_supervisor", "offer_missed_insurance", "not_your_role", **missed)
        returned = one(pit.does("pit_manager", "offer_missed_insurance", **missed), e.BetsReturned)
        assert returned.cite == clause.number
        if not settled:
            pit.settle()
        assert (pit.money("p1"), pit.money("p2"), pit.here.phase) == (-10_00, -50_00, "settled")

    won = Pit(clause)
    won.round("player 100", "KS KD 6H 3C 2S")
    won.refused("pit_manager", "offer_missed_insurance", "would_not_have_won", **missed)
    insured = Pit(clause)
    insured.begin("player 100", LOST[:11])
    insured.does("p1", "place_insurance", hand="player", stake="100")
    insured.deal(LOST[12:])
    insured.settle()
    nothing = ("nothing_to_insure", "would_not_have_won")  # He was offered it, took it, and has been paid.
    insured.refused("pit_manager", "offer_missed_insurance", nothing, **missed)
    private = Pit(clause, insurance=False)
    private.round("player 100", LOST)
    private.refused("pit_manager", "offer_missed_insurance", "insurance_not_offered_here", **missed)


@proof
def table_missed(clause: Clause) -> None:
    """Before the outcome it is offered, afterwards the bet is returned; before four cards, neither."""
    table_missed_before(part(clause, "1"))
    table_missed_after(part(clause, "2"))
    pit = Pit(clause)
    pit.begin("player 100", NO_OUTCOME)
    missed = {"players": "p1", "hand": "player"}
    pit.refused("pit_manager", "offer_missed_insurance", "no_round", clause.number, **missed)


def _misplaced(clause: Clause, right: str, cards: str) -> Pit:
    """The dealer has pushed p1's Insurance of 10, made after four cards, into the other hand's area."""
    pit = Pit(clause)
    pit.begin(f"{right} 100", cards)
    wrong = "banker" if right == "player" else "player"
    placed = one(
        pit.does("dealer", "place_insurance", player="p1", hand=wrong, stake="10"), e.InsurancePlaced
    )
    assert (placed.hand, placed.placed_by) == (wrong, "dealer")
    return pit


def _moved(pit: Pit, hand: str) -> None:
    where: dict[str, Any] = {"round": 1, "player": "p1", "window": "four_cards", "hand": hand}
    pit.refused("p1", "reposition_insurance", "not_your_role", **where)
    happened = pit.does("dealer", "reposition_insurance", **where)
    cited(pit.clause, *(event.cite for event in happened if isinstance(event, e.InsuranceRepositioned)))
    pit.refused("dealer", "reposition_insurance", "no_such_bet", **where)


@proof
def table_misplaced_p(clause: Clause) -> None:
    """The Player's, found in the Banker's area, pays at the odds of the window it was made in."""
    pit = _misplaced(clause, "player", "KS KD 6H 3C")
    _moved(pit, "player")
    pit.deal("6S")
    pit.settle()
    assert pit.money() == -100_00 + 25_00

    # Found only after the Player's third card, when Insurance on 7 would pay 4 to 1: it still pays 3 to 2.
    later = _misplaced(clause, "player", "KS KD 5H 4C")
    later.deal("2S")
    _moved(later, "player")
    later.deal("4D")
    later.settle()
    assert later.money() == -100_00 + 15_00


@proof
def table_misplaced_b(clause: Clause) -> None:
    """The Banker's, found in the Player's area."""
    pit = _misplaced(clause, "banker", FOUR)
    _moved(pit, "banker")
    pit.deal(f"{THIRD} 8S")
    pit.settle()
    assert pit.money() == -100_00 + 15_00


@proof
def table_misplaced(clause: Clause) -> None:
    """Whenever it is found, after settlement and after the next round began too."""
    for begun in (False, True):
        pit = _misplaced(clause, "player", "KS KD 6H 3C")
        pit.deal("6S")
        pit.settle()
        assert pit.money() == -100_00 - 10_00
        if begun:
            pit.does("dealer", "open_bets")
        where: dict[str, Any] = {"round": 1, "player": "p1", "window": "four_cards", "hand": "player"}
        corrected = one(pit.does("dealer", "reposition_insurance", **where), e.RoundCorrected)
        assert corrected.cites == (clause.number,)
        assert pit.money() == -100_00 + 25_00


@proof
def table_position(clause: Clause) -> None:
    """A bet is settled where its chips lie at the close, whoever put them there and whatever was meant."""
    pit = Pit(clause, seats="p1 1, p2 2")
    pit.does("dealer", "open_bets")
    pit.does("dealer", "place_bet", player="p1", bet="banker", stake="100")
    pit.bets("player 50", "p2", box=2)
    pit.bets("player 20", "p1", box=2)
    pit.does("dealer", "close_bets")
    pit.refused("dealer", "withdraw_bet", "bets_are_closed", player="p1", bet="banker")
    pit.refused("dealer", "place_bet", "bets_are_closed", player="p1", bet="player", stake="100")
    pit.deal(NATURAL)
    settled = pit.settle()
    assert [(each.player, each.box, each.bet, each.outcome) for each in settled.lines] == [
        ("p1", 1, "banker", "lost"),
        ("p2", 2, "player", "won"),
        ("p1", 2, "player", "won"),
    ]
    assert pit.money() == -100_00 + 20_00


@proof
def table_display(clause: Clause) -> None:
    """A display that is wrong is noted; what lies on the table decides."""
    pit = Pit(clause)
    pit.round("player 100", NATURAL)
    before = pit.accounts
    happened = pit.does("dealer", "note_wrong_display", what="the board showed Banker for round 1")
    assert [type(event) for event in happened] == [e.IrregularityNoted]
    assert one(happened, e.IrregularityNoted).cite == clause.number
    assert (pit.accounts, pit.table.results[1].winner) == (before, "player")


@proof
def table_void(clause: Clause) -> None:
    """A void round has no result, and every bet of it goes back: decided ones, and Insurance."""
    pair = "player_pair" if "player_pair" in clause.book.bets else "tiger_pair"
    pit = Pit(clause, seats="p1 1, p2 2")
    pit.begin(f"player 100, tie 10, {pair} 10", "KS KD 6H 3C", [("p2", 2, "banker 50"), ("p3", 2, "tie 5")])
    if clause.book.insurance is not None:
        pit.does("p1", "place_insurance", hand="player", stake="20")
    assert pair in pit.outcome().by
    void = one(pit.does("pit_supervisor", "void_round", cause="wrong_number_of_cards"), e.RoundVoided)
    assert (pit.accounts, pit.here.phase, pit.table.results) == ({}, "void", {})
    pit.refused("dealer", "settle", "no_round")
    pit.refused("dealer", "deal_card", "no_round", card="2S")
    if not clause.number.startswith("1."):
        assert clause.number in void.cites
    assert pit.round("player 100", "QS QD 8C 7D").round == 2


@proof
def table_staff(clause: Clause) -> None:
    """Staff place bets for a player who asks, and he answers for them; another player may not."""
    pit = Pit(clause)
    pit.does("dealer", "open_bets")
    bet = {"player": "p1", "bet": "player", "stake": "100"}
    pit.refused("p2", "place_bet", "not_your_bet", clause.number, **bet)
    placed = one(pit.does("mei as dealer", "place_bet", **bet), e.BetPlaced)
    assert (placed.player, placed.placed_by) == ("p1", "mei")
    more = one(pit.does("bob as pit_supervisor", "place_bet", **bet), e.BetIncreased)
    assert (more.player, more.placed_by) == ("p1", "bob")
    pit.refused("p2", "withdraw_bet", "not_your_bet", clause.number, player="p1", bet="player")
    pit.does("dealer", "close_bets")
    pit.deal("KS KD 7H 8C")
    pit.settle()
    assert pit.money() == -200_00


@proof
def table_unprovided(clause: Clause) -> None:
    """A Table Game Shift Manager rules, with a written reason and an effect from a closed list."""
    pit = Pit(clause, seats="p1 1, p2 2")
    top, matter = "table_game_shift_manager", {"reason": "a bird landed on the felt"}
    discretion = "unqualified" if clause.book.id.startswith("da-hu") else "reasonable"
    assert clause.book.irregularities["unprovided_matter"].steps[0].discretion == discretion
    pit.begin("player 100", NO_OUTCOME, [("p2", 2, "player 50")])
    for role in ("p1", "dealer", "pit_supervisor", "pit_manager"):
        pit.refused(role, "rule_on_matter", "not_your_role", clause.number, effect="void_round", **matter)
    pit.refused(top, "rule_on_matter", "reason_needed", clause.number, reason=" ", effect="void_round")
    happened = pit.does(top, "rule_on_matter", effect="return_bets", players="p2", **matter)
    ruled = one(happened, e.MatterRuled)
    assert (ruled.reason, ruled.effect, ruled.cite) == (matter["reason"], "return_bets", clause.number)
    assert (one(happened, e.BetsReturned).cite, pit.money("p2")) == (clause.number, 0)
    happened = pit.does(top, "rule_on_matter", effect="no_effect", **matter)
    assert [type(event) for event in happened] == [e.MatterRuled]
    pit.does("dealer", "interrupt", reason="the lights went out")
    pit.does(top, "rule_on_matter", effect="continue_round", **matter)
    pit.deal(FINISH)
    assert line(pit.settle(), "player").outcome == "won"
    pit.does(top, "rule_on_matter", effect="reopen_settlement", **matter)
    assert (pit.here.phase, pit.money("p1")) == ("dealing", -100_00)
    void = one(pit.does(top, "rule_on_matter", effect="void_round", **matter), e.RoundVoided)
    assert (clause.number in void.cites, pit.accounts) == (True, {})

    # What the document does not provide for is refused with this paragraph as the way.
    pit.begin("player 100", "QS 2C")
    for name, do in (("equipment_reset", "reset_equipment"), ("cut_card", "show_cut_card")):
        if name not in clause.book.irregularities:
            pit.refused("dealer", do, "no_such_rule", clause.number)
