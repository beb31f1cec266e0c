"""Proofs that the table keeps the end of section 5: Insurance missed or misplaced, displays, rulings."""

from __future__ import annotations

from typing import Any

from lammer.table import events as e
from paragraphs.clause import Clause, proof
from paragraphs.pit import FINISH, NATURAL, NO_OUTCOME, PRIVATE, Events, Pit, cited, line, one, part

LOST = "KS KD 6H 3C 6S"
"""Player 6 insured at 5 to 2, the Banker draws to 9."""
FOUR, THIRD = "KS KD AH 4C", "2S"
"""Banker 4 insured at 3 to 2 against Player 1, and at 5 to 2 against Player 3."""


@proof
def table_missed_before(clause: Clause) -> None:
    """A Pit Manager offers it at the odds now on the table; all of it wins no more than the Original Bet."""
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
    above, insure = "late_insurance_above_original_bet", {"hand": "banker"}
    pit.refused("p1", "place_insurance", above, clause.number, stake="40.01", **insure)
    pit.refused("p2", "place_insurance", "insurance_forgone", stake="10", box=2, **insure)
    assert one(pit.does("p1", "place_insurance", stake="40", **insure), e.InsurancePlaced).odds == "5:2"
    told = pit.refused("p1", "place_insurance", above, clause.number, stake="0.01", **insure)
    assert "-" not in told.next_step
    pit.deal("8S")
    assert pit.settle().winner == "player"
    assert (pit.money("p1"), pit.money("p2")) == (0, -100_00)
    _both_windows(clause)
    _not_listed_now(clause)


def _both_windows(clause: Clause) -> None:
    """Who came back is not asked in either window; what the first may win counts in the second."""
    pit = Pit(clause)
    pit.begin("player 1000")
    pit.does("p1", "leave_seat")
    above, offer = "late_insurance_above_original_bet", {"players": "p1", "hand": "player"}
    # Player 5 against Banker 4, at 3 to 2; then 7 against 4, at 4 to 1.
    for cards, most, beyond in (("2S KD 3H 4C", "400", "266.67"), ("2H", "100", "0.01")):
        pit.deal(cards)
        pit.refused("p1", "place_insurance", "insurance_forgone", hand="player", stake="1")
        pit.does("pit_manager", "offer_missed_insurance", **offer)
        placed = one(pit.does("p1", "place_insurance", hand="player", stake=most), e.InsurancePlaced)
        assert placed.late
        pit.refused("p1", "place_insurance", above, clause.number, hand="player", stake=beyond)
    # The offer ends with the next card, and the two together win the Original Bet and no more.
    pit.deal("5D")
    pit.refused("p1", "place_insurance", "window_not_open", hand="player", stake="1")
    pit.settle()
    assert pit.money() == -1000_00 + 600_00 + 400_00


def _not_listed_now(clause: Clause) -> None:
    """Player 5 against Banker 4 was missed; with a seven the Player has 2, which nobody can insure."""
    for cards, reading, odds in (
        ("7H", "now_or_missed", "3:2"),
        ("7H", "missed_only", "3:2"),
        ("7H", "now_only", ""),
        ("2H", "now_or_missed", "4:1"),
        ("2H", "missed_only", "3:2"),
        ("2H", "now_only", "4:1"),
    ):
        pit = Pit(clause, readings={"missed_insurance_odds": reading})
        pit.begin("player 100", "2S KD 3H 4C")
        missed: dict[str, Any] = {"players": "p1", "hand": "player"}
        pit.refused("pit_manager", "offer_missed_insurance", "insurance_is_open", **missed)
        pit.deal(cards)
        if not odds:
            pit.refused("pit_manager", "offer_missed_insurance", "insurance_not_on_offer", **missed)
            continue
        offer = one(pit.does("pit_manager", "offer_missed_insurance", **missed), e.MissedInsuranceOffered)
        assert (offer.hand, offer.cite) == ("player", clause.number)
        placed = one(pit.does("p1", "place_insurance", hand="player", stake="10"), e.InsurancePlaced)
        # A bet at the odds of a situation that has passed belongs to the window it had.
        assert (placed.odds, placed.window) == (odds, "four_cards" if odds == "3:2" else "third_card")


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
        happened = pit.does("pit_manager", "offer_missed_insurance", **missed)
        if settled:
            _went_back(clause, happened)
        else:
            assert one(happened, e.BetsReturned).cite == clause.number
            pit.settle()
        assert (pit.money("p1"), pit.money("p2"), pit.here.phase) == (-10_00, -50_00, "settled")
        again = ("nothing_to_insure", "would_not_have_won")
        pit.refused("pit_manager", "offer_missed_insurance", again, **missed)

    # No deadline is stated: the next round, and the round after, do not stand in the way.
    for later in (1, 2):
        past = Pit(clause)
        past.round("player 100", LOST)
        for _ in range(later):
            past.round("tie 10", "QS QD 8C 7D")
        happened = past.does("pit_manager", "offer_missed_insurance", round=1, **missed)
        _went_back(clause, happened)
        assert past.money() == -10_00 * later
        past.refused("pit_manager", "offer_missed_insurance", "nothing_to_insure", round=1, **missed)

    # Having insured in one window does not stand in the way of the other.
    for second in (False, True):
        windows = Pit(clause)
        windows.begin("player 100", "2S KD 3H 4C")
        windows.does("p1", "place_insurance", hand="player", stake="1")
        windows.deal("2H")
        if second:
            windows.does("p1", "place_insurance", hand="player", stake="1")
        windows.deal("5D")
        windows.settle()
        if second:
            windows.refused("pit_manager", "offer_missed_insurance", "nothing_to_insure", **missed)
        else:
            _went_back(clause, windows.does("pit_manager", "offer_missed_insurance", **missed))
        assert windows.money() == (-100_00 + 1_50 + 4_00 if second else 1_50)

    won = Pit(clause)
    won.round("player 100", "KS KD 6H 3C 2S")
    won.refused("pit_manager", "offer_missed_insurance", "would_not_have_won", **missed)
    insured = Pit(clause)
    insured.begin("player 100", LOST[:11])
    insured.does("p1", "place_insurance", hand="player", stake="100")
    insured.deal(LOST[12:])
    insured.settle()
    nothing = (
        "nothing_to_insure",
        "would_not_have_won",
    )  # They were offered it, took it, and have been paid.
    insured.refused("pit_manager", "offer_missed_insurance", nothing, **missed)
    private = Pit(clause, **PRIVATE)
    private.round("player 100", LOST)
    private.refused("pit_manager", "offer_missed_insurance", "insurance_not_offered_here", **missed)


def _went_back(clause: Clause, happened: Events) -> None:
    """One correction: p1's bet of 100 on Player is reversed, and posted as returned for good."""
    corrected = one(happened, e.RoundCorrected)
    assert len(happened) == 1
    assert (corrected.because, corrected.void, corrected.cites) == (
        "missed_insurance",
        False,
        (clause.number,),
    )
    (was,), (now,) = corrected.reversed, corrected.posted
    assert (was.player, was.bet, was.outcome, was.returned) == ("p1", "player", "lost", 0)
    assert (now.key, now.stake, now.outcome, now.returned) == (was.key, was.stake, "returned", 100_00)
    assert (now.given_back, now.cites) == (True, (clause.number,))


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
    """Staff place bets for a player who asks, and the player answers for them; another player may not."""
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
    if "equipment_reset" not in clause.book.irregularities:
        pit.refused("dealer", "reset_equipment", "no_such_rule", clause.number)
    if "damaged_cards" not in clause.book.irregularities:
        torn: dict[str, Any] = {"hand": "player", "place": 1, "card": "KH"}
        pit.refused("pit_supervisor", "judge_damaged_card", "no_such_rule", clause.number, **torn)
    if "cut_card" not in clause.book.irregularities:
        # A house may use a cut card as its own procedure: it is recorded, under no paragraph.
        shown = one(pit.does("dealer", "show_cut_card"), e.CutCardShown)
        assert (shown.withdrawal, shown.cite) == (False, "")
