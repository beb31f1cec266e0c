"""Proofs that the table keeps section 5 on limits, people, interruptions and what voids a round."""

from __future__ import annotations

from lammer.table import events as e
from paragraphs.clause import Clause, proof
from paragraphs.pit import NATURAL, NO_OUTCOME, Pit, line, none, one

ADVISORY = {"limits_mode": "advisory"}


def _whole_shoe() -> list[str]:
    """Four decks as rounds of four cards, each over with a natural; the last of them is an 8-8 tie."""
    of = {rank: [f"{rank}{suit}" for suit in "SHDC" for _ in range(4)] for rank in "A23456789TJQK"}
    hands = [
        *zip(of["A"], of["T"], of["7"], of["J"], strict=True),
        *zip(of["8"], of["9"], of["Q"], of["K"], strict=True),
        *zip(*(of["4"][place::4] for place in range(4)), strict=True),
        *zip(of["3"], of["2"], of["5"], of["6"], strict=True),
    ]
    return [" ".join(cards) for cards in hands]


ROUNDS = _whole_shoe()


@proof
def table_diff(clause: Clause) -> None:
    """An excess is refused before the close; who stands gives way to who sits, the latest first."""
    pit = Pit(clause, seats="p1 1, p2 2", differential="1000")
    pit.does("dealer", "open_bets")
    pit.bets("banker 400")
    pit.bets("banker 300", "p3")
    pit.bets("banker 300", "p4")
    pit.refused("p5", "place_bet", "over_differential", clause.number, bet="banker", stake="1")
    pit.refused("p1", "place_bet", "over_differential", clause.number, bet="banker", stake="600.01")
    happened = pit.does("p1", "place_bet", bet="banker", stake="350")
    gave = [event for event in happened if isinstance(event, e.BetReduced)]
    assert [(each.player, each.amount, each.cite) for each in gave] == [
        ("p4", 300_00, clause.number),
        ("p3", 50_00, clause.number),
    ]
    assert (pit.money("p1"), pit.money("p3"), pit.money("p4")) == (-750_00, -250_00, 0)

    recorded = Pit(clause, differential="1000", readings=ADVISORY)
    recorded.does("dealer", "open_bets")
    recorded.bets("player 700, banker 100")
    placed = one(recorded.does("p2", "place_bet", bet="player", stake="600"), e.BetPlaced)
    assert placed.warning == "over_differential"
    recorded.refused("dealer", "refuse_excess", "not_your_role", clause.number)
    rejected = one(recorded.does("pit_supervisor", "refuse_excess"), e.BetReduced)
    assert (rejected.player, rejected.amount, rejected.cite) == ("p2", 200_00, clause.number)
    recorded.refused("pit_supervisor", "refuse_excess", "within_differential", clause.number)


@proof
def table_diff_cut(clause: Clause) -> None:
    """Not refused, the heavier side plays pro rata, and no bet is cut below the minimum."""
    pit = Pit(clause, differential="1000", minimum="50", readings=ADVISORY)
    pit.does("dealer", "open_bets")
    pit.bets("player 900, banker 200")
    pit.bets("player 600", "p2")
    closed = pit.does("dealer", "close_bets")
    cuts = [event for event in closed if isinstance(event, e.BetCut)]
    assert [(cut.player, cut.played, cut.amount, cut.cite) for cut in cuts] == [
        ("p1", 720_00, 180_00, clause.number),
        ("p2", 480_00, 120_00, clause.number),
    ]
    pit.deal(NATURAL)
    pit.settle()
    assert (pit.money("p1"), pit.money("p2")) == (720_00 - 200_00, 480_00)

    context = Pit(clause, differential="1000", minimum="100", readings=ADVISORY)
    context.begin("player 1500", NATURAL, [("p2", 1, "player 110")])
    context.settle()
    assert (context.money("p1"), context.money("p2")) == (900_00, 100_00)


@proof
def table_diff_exempt(clause: Clause) -> None:
    """In a box that is cut, a bet below the minimum plays whole; the others are cut the deeper."""
    pit = Pit(clause, differential="1000", minimum="100", readings=ADVISORY)
    pit.begin("player 1500", NATURAL, [("p2", 1, "player 110"), ("p3", 1, "player 40")])
    assert [event.player for event in pit.events if isinstance(event, e.BetCut)] == ["p1", "p2"]
    pit.settle()
    assert (pit.money("p1"), pit.money("p2"), pit.money("p3")) == (860_00, 100_00, 40_00)


@proof
def table_min(clause: Clause) -> None:
    """The minimum is named; the player may increase or withdraw until the close."""
    strict = Pit(clause, minimum="50")
    strict.does("dealer", "open_bets")
    told = strict.refused("p1", "place_bet", "below_minimum", clause.number, bet="player", stake="49.99")
    assert "50" in told.next_step
    strict.bets("player 80")
    strict.refused("p1", "withdraw_bet", "below_minimum", clause.number, bet="player", stake="40")

    pit = Pit(clause, minimum="50", readings=ADVISORY)
    pit.does("dealer", "open_bets")
    for bet in ("player", "banker"):
        placed = one(pit.does("p1", "place_bet", bet=bet, stake="30"), e.BetPlaced)
        assert placed.warning == "below_minimum"
    assert one(pit.does("p1", "place_bet", bet="player", stake="20"), e.BetIncreased).warning == ""
    assert one(pit.does("p1", "withdraw_bet", bet="banker"), e.BetReduced).cite == clause.number
    assert one(pit.does("dealer", "close_bets"), e.BettingClosed).below_minimum == ()
    assert pit.money() == -50_00


@proof
def table_min_stands(clause: Clause) -> None:
    """Closed on, a bet below the minimum wins or loses like any other."""
    pit = Pit(clause, minimum="50", readings=ADVISORY)
    pit.does("dealer", "open_bets")
    pit.bets("player 30, tie 5")
    closed = one(pit.does("dealer", "close_bets"), e.BettingClosed)
    assert [pit.here.bets[key].stake for key in closed.below_minimum] == [30_00, 5_00]
    pit.deal(NATURAL)
    pit.settle()
    assert pit.money() == 30_00 - 5_00


@proof
def table_forgone(clause: Clause) -> None:
    """Who lets the next card come without insuring, or walks away, has forgone Insurance for the round."""
    four, third = "KS KD AH 4C", "2S"  # Banker 4 against 1, then against 3, a card still to come.
    pit = Pit(clause, seats="p1 1, p2 2")
    assert one(
        pit.begin("banker 100", four, [("p2", 2, "banker 100"), ("p3", 2, "banker 100")]), e.WindowOpened
    )
    pit.does("p2", "place_insurance", hand="banker", stake="10", box=2)
    passed = one(pit.deal(third), e.WindowPassed)
    assert (passed.forgone, passed.cite) == (("p1", "p3"), clause.number)
    for player, box in (("p1", 1), ("p3", 2)):
        insure = {"hand": "banker", "stake": "10", "box": box}
        pit.refused(player, "place_insurance", "insurance_forgone", clause.number, **insure)
    pit.does("p2", "place_insurance", hand="banker", stake="10", box=2)

    literal = Pit(clause, readings={"insurance_forgone": "window"})
    literal.begin("banker 100", f"{four} {third}")
    literal.does("p1", "place_insurance", hand="banker", stake="10")

    gone = Pit(clause)
    gone.begin("banker 100")
    gone.does("p1", "leave_seat")
    gone.deal(four)
    gone.refused(
        "dealer",
        "place_insurance",
        "insurance_forgone",
        clause.number,
        player="p1",
        hand="banker",
        stake="10",
    )


@proof
def table_walked(clause: Clause) -> None:
    """The bets of a player who walked away are settled all the same."""
    for cards, result in ((NATURAL, 100_00), ("KS KD 7H 8C", -100_00)):
        pit = Pit(clause)
        pit.begin("player 100")
        assert one(pit.does("p1", "leave_seat"), e.WalkedAway).cite == clause.number
        pit.deal(cards)
        assert len(pit.settle().lines) == 1
        assert pit.money() == result


@proof
def table_tech(clause: Clause) -> None:
    """Interrupted, a round waits for a Pit Supervisor; what then happens is for the rules to say."""
    pit = Pit(clause)
    pit.begin("player 100", NO_OUTCOME)
    noted = one(pit.does("dealer", "interrupt", reason="power failure"), e.RoundInterrupted)
    assert (noted.reason, noted.cite) == ("power failure", clause.number)
    pit.refused("dealer", "deal_card", "round_is_interrupted", clause.number, card="8H")
    pit.refused("dealer", "settle", "round_is_interrupted", clause.number)
    pit.refused("dealer", "interrupt", "round_is_interrupted", clause.number, reason="again")
    pit.refused("dealer", "resolve_interruption", "not_your_role", clause.number)
    pit.does("pit_supervisor", "resolve_interruption")
    assert pit.here.phase == "void"


@proof
def table_tech_conclude(clause: Clause) -> None:
    """Once a bet is decided play goes on, and the record says which bet decided it."""
    pit = Pit(clause)
    pit.begin("player 100", "KS KD 6H 3C")
    pit.does("dealer", "interrupt", reason="power failure")
    resolved = one(pit.does("pit_supervisor", "resolve_interruption"), e.InterruptionResolved)
    assert resolved.cite == clause.number
    assert resolved.decided_by == pit.outcome().by != ()
    pit.deal("2S")
    assert line(pit.settle(), "player").outcome == "won"
    assert pit.money() == 100_00


@proof
def table_tech_void(clause: Clause) -> None:
    """With no bet decided the round is void; a card that lies face down decides nothing."""
    open_table, hidden = Pit(clause), Pit(clause, face_down=True)
    open_table.begin("player 100, tie 10", NO_OUTCOME)
    hidden.begin("player 100, tie 10", NATURAL)
    for pit in (open_table, hidden):
        assert not pit.outcome().established
        pit.does("dealer", "interrupt", reason="power failure")
        assert clause.number in one(pit.does("pit_supervisor", "resolve_interruption"), e.RoundVoided).cites
        assert (pit.here.phase, pit.accounts) == ("void", {})


def _voided(clause: Clause, cause: str, shoe_goes: bool = True) -> Pit:
    """Round 1 settled, then round 2 found faulty and void. Only the round under way is void."""
    pit = Pit(clause)
    pit.round("player 100", NATURAL)
    fault = clause.book.irregularities[cause].cite.paragraph
    if shoe_goes:
        pit.refused("pit_supervisor", "void_round", "round_is_over", fault, cause=cause)
    pit.begin("player 50, tie 5", "QS QD 6C 3D")
    _is_void(pit, cause, 55_00, shoe_goes)
    assert (pit.here.number, pit.money(), list(pit.table.results)) == (2, 100_00, [1])
    assert clause.number in (fault, fault.rpartition(".")[0])

    # Read as if the round were still on until the next begins, a settled one is reopened and voided.
    settled = Pit(clause, readings={"after_settlement": "as_if_under_way"})
    settled.round("player 100", NATURAL)
    _is_void(settled, cause, 100_00, shoe_goes)
    assert (settled.accounts, settled.table.results) == ({}, {})
    return pit


def _is_void(pit: Pit, cause: str, staked: int, shoe_goes: bool) -> None:
    """A Pit Supervisor voids the round on the table for that fault, and every stake goes back."""
    settled, number = pit.here.phase == "settled", pit.here.number
    pit.refused("dealer", "void_round", "not_your_role", cause=cause)
    happened = pit.does("pit_supervisor", "void_round", cause=cause)
    void = one(happened, e.RoundVoided)
    assert (void.round, void.cause, sum(back.amount for back in void.returned)) == (number, cause, staked)
    assert (pit.here.phase, none(happened, e.SettlementReopened)) == ("void", not settled)
    assert none(happened, e.ShoeEnded) != shoe_goes
    fault = pit.book.irregularities[cause].cite.paragraph
    assert one(happened, e.IrregularityNoted).cite == fault
    assert fault in void.cites


@proof
def table_void_head_4(clause: Clause) -> None:
    """Each of the five faults voids the round."""
    for cause in ("foreign_card", "wrong_deck", "unshuffled_cards"):
        _voided(clause, cause)
    _voided(clause, "wrong_number_of_cards", shoe_goes=False)
    dry = _dealt_out(clause, complete=False)
    _is_void(dry, "shoe_ran_dry", 10_00, shoe_goes=True)
    assert (dry.money(), len(dry.table.results)) == (0, 51)


@proof
def table_void_head(clause: Clause) -> None:
    """Each of the five faults voids the round, and what happened in earlier rounds stands."""
    table_void_head_4(clause)
    assert clause.book.irregularities["earlier_rounds"].cite.paragraph == clause.number


@proof
def table_earlier(clause: Clause) -> None:
    """Once the next round has begun no earlier outcome or settlement can be touched, by whomever."""
    pit = Pit(clause)
    pit.round("player 100", "KS KD 6H 5C 4S")
    pit.does("dealer", "open_bets")
    fix = {"round": 1, "player": "KS 6H", "banker": "KD 6C 3S"}
    for role in ("pit_supervisor", "pit_manager", "table_game_shift_manager"):
        pit.refused(role, "correct_round", "next_round_began", clause.number, **fix)
        pit.refused(role, "reopen_settlement", "not_settled", reason="a card too many")
    top = "table_game_shift_manager"
    pit.refused(top, "rule_on_matter", "not_settled", reason="a card too many", effect="reopen_settlement")
    pit.does(top, "rule_on_matter", reason="a card too many", effect="void_round")
    assert (pit.here.number, pit.here.phase, pit.money(), list(pit.table.results)) == (
        2,
        "void",
        -100_00,
        [1],
    )


@proof
def table_foreign(clause: Clause) -> None:
    """A card that cannot be of the set is not dealt, and voids the round."""
    pit = Pit(clause, decks=4)
    pit.begin("player 100", "KS KS KS KS")
    pit.refused("dealer", "deal_card", "impossible_card", clause.number, card="KS")
    happened = pit.does("pit_supervisor", "void_round", cause="foreign_card")
    assert clause.number in one(happened, e.RoundVoided).cites
    assert (pit.accounts, pit.table.shoe) == ({}, None)
    _voided(clause, "foreign_card")
    _never_of_a_virtual_shoe(clause, "foreign_card")


def _never_of_a_virtual_shoe(clause: Clause, cause: str) -> None:
    """A shoe that the table shuffled is a whole set, and bound to its order."""
    pit = Pit(clause, entropy="5eed" * 8)
    pit.begin("player 100")
    for cards in range(3):
        pit.refused("pit_supervisor", "void_round", "card_comes_from_shoe", clause.number, cause=cause)
        if cards < 2:
            pit.does("dealer", "deal_card")


@proof
def table_deck(clause: Clause) -> None:
    """Cards short or over void the round, and that shoe is played no further."""
    _voided(clause, "wrong_deck").refused("dealer", "open_bets", "no_shoe")
    _never_of_a_virtual_shoe(clause, "wrong_deck")


@proof
def table_number(clause: Clause) -> None:
    """A hand with a wrong number of cards that cannot be put right voids the round, settled or not."""
    _voided(clause, "wrong_number_of_cards", shoe_goes=False)
    pit = Pit(clause)
    pit.begin("player 100, tie 10", NATURAL)
    pit.deal("5S", to="banker")
    pit.refused("dealer", "settle", "cards_misplaced")
    happened = pit.does("pit_supervisor", "reconstruct", irregularity="excess_cards", possible=False)
    void = one(happened, e.RoundVoided)
    assert (void.cause, clause.number in void.cites, pit.accounts) == ("wrong_number_of_cards", True, {})

    # Found after settlement, before the next round: the money is reversed and the round void all the same.
    settled = Pit(clause)
    settled.round("player 100", NATURAL)
    _is_void(settled, "wrong_number_of_cards", 100_00, shoe_goes=False)
    assert (settled.accounts, settled.table.results) == ({}, {})
    settled.begin("player 100")
    wrong = {"cause": "wrong_number_of_cards"}
    settled.refused("pit_supervisor", "void_round", "cards_in_order", clause.number, **wrong)

    # A virtual shoe's cards lie where the table put them, during the round and afterwards.
    virtual = Pit(clause, entropy="5eed" * 8)
    virtual.begin("player 10")
    virtual.does("dealer", "deal_card")
    virtual.refused("pit_supervisor", "void_round", "cards_in_order", clause.number, **wrong)
    while virtual.table.next_hand() is not None:
        virtual.does("dealer", "deal_card")
    virtual.settle()
    virtual.refused("pit_supervisor", "void_round", "cards_in_order", clause.number, **wrong)


@proof
def table_dry(clause: Clause) -> None:
    """When no card is left for the round, none is dealt and the round is void; not a moment before."""
    dry = {"cause": "shoe_ran_dry"}
    for cards in ("", NO_OUTCOME, "QS QD 6C 3D", NATURAL):
        full = Pit(clause)
        full.begin("player 100", cards)
        full.refused("pit_supervisor", "void_round", "shoe_in_use", clause.number, **dry)
    full.settle()
    full.refused("pit_supervisor", "void_round", "round_is_over", clause.number, **dry)

    whole = _dealt_out(clause, complete=True)
    whole.refused("pit_supervisor", "void_round", "shoe_in_use", clause.number, **dry)
    assert whole.settle().winner == "tie"
    short = _dealt_out(clause, complete=False)
    short.refused("dealer", "deal_card", "shoe_ran_dry", clause.number, card="2S")
    _is_void(short, "shoe_ran_dry", 10_00, shoe_goes=True)
    assert (short.money(), short.table.shoe, len(short.table.results)) == (0, None, 51)

    pit = Pit(clause, decks=4, entropy="5eed" * 8)
    clause.refused("shoe_ran_dry", lambda: _until_dry(pit))
    before = pit.money() + 10_00
    assert (
        clause.number
        in one(pit.does("pit_supervisor", "void_round", cause="shoe_ran_dry"), e.RoundVoided).cites
    )
    assert (pit.money(), pit.table.shoe, len(pit.table.results)) == (before, None, pit.here.number - 1)


def _dealt_out(clause: Clause, complete: bool) -> Pit:
    """A read shoe dealt to its last card: 51 rounds of four cards, then four that make a round or do not."""
    pit = Pit(clause, decks=4)
    for cards in ROUNDS[:-1]:
        pit.begin("", cards)
        pit.settle()
    pit.begin("player 10", ROUNDS[-1] if complete else "3C 5C 2C 6C")
    assert pit.table.shoe is not None
    assert (pit.table.shoe.left, pit.table.next_hand()) == (0, None if complete else "player")
    return pit


def _until_dry(pit: Pit) -> None:
    while True:
        pit.begin("player 10")
        while pit.table.next_hand() is not None:
            pit.does("dealer", "deal_card")
        pit.settle()


@proof
def table_unshuffled(clause: Clause) -> None:
    """Unshuffled cards void the round, and a new shoe is needed."""
    _never_of_a_virtual_shoe(clause, "unshuffled_cards")
    pit = _voided(clause, "unshuffled_cards")
    pit.refused("dealer", "open_bets", "no_shoe")
    pit.does("dealer", "prepare_shoe")
    assert pit.round("player 100", NATURAL).round == 3


@proof
def table_late_bet(clause: Clause) -> None:
    """After the close nothing is placed, increased or withdrawn, by a player or for them."""
    pit = Pit(clause)
    pit.begin("player 100")
    closed = (clause.number, "3.8")  # 3.8 too says that no bet is placed; of withdrawal only this one speaks.
    for by in ("p1", "dealer"):
        pit.refused(by, "place_bet", "bets_are_closed", closed, player="p1", bet="tie", stake="10")
        pit.refused(by, "place_bet", "bets_are_closed", closed, player="p1", bet="player", stake="10")
        for part in ("40", "100"):
            pit.refused(
                by, "withdraw_bet", "bets_are_closed", clause.number, player="p1", bet="player", stake=part
            )
    pit.deal(NATURAL)
    pit.settle()
    assert pit.money() == 100_00
