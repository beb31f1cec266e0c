"""Proofs that the table keeps section 5 on the cut card, cards gone astray, and the players' options."""

from __future__ import annotations

from typing import Any

from lammer.table import events as e
from paragraphs.clause import Clause, proof
from paragraphs.pit import FINISH, NATURAL, NO_OUTCOME, Events, Pit, cited, line, none, one, options

TWO = [("p2", 2, "player 50")]
OUTCOME = "KS KD 6H 3C"
"""Player 6, Banker 3 and a card to come: no pair, so that a bet of every rulebook is decided."""


def _pit(clause: Clause, **setup: Any) -> Pit:
    return Pit(clause, seats="p1 1, p2 2", **setup)


@proof
def table_cut(clause: Clause) -> None:
    """The cut card is removed and the round goes on; bets stay where they are."""
    for before, after, high_limit in ((NO_OUTCOME, FINISH, True), ("", NATURAL, False)):
        pit = Pit(clause, high_limit=high_limit)
        pit.begin("player 100", before)
        shown = one(pit.does("dealer", "show_cut_card"), e.CutCardShown)
        assert (shown.withdrawal, shown.cite) == (False, clause.number)
        pit.refused("p1", "withdraw_bet", "bets_are_closed", bet="player")
        pit.deal(after)
        assert line(pit.settle(), "player").outcome == "won"
        assert (pit.money(), len(pit.here.cards)) == (100_00, 4)


@proof
def table_cut_first(clause: Clause) -> None:
    """First of the round in a high-limit area, it lets players withdraw; with no bet left, that was all."""
    pit = _pit(clause, high_limit=True)
    pit.begin("player 100, tie 10", more=TWO)
    shown = one(pit.does("dealer", "show_cut_card"), e.CutCardShown)
    assert (shown.first, shown.withdrawal, shown.cite) == (True, True, clause.number)
    pit.refused("dealer", "deal_card", "withdrawal_is_open", clause.number, card="KS")
    pit.refused("p1", "place_bet", "bets_are_closed", bet="player", stake="10")
    for bet in ("player", "tie"):
        assert one(pit.does("p1", "withdraw_bet", bet=bet), e.BetReduced).cite == clause.number
    assert none(pit.does("dealer", "close_withdrawal"), e.RoundConcluded)
    pit.deal(NATURAL)
    pit.settle()
    assert (pit.money("p1"), pit.money("p2")) == (0, 50_00)

    empty = Pit(clause, high_limit=True)
    empty.begin("player 100")
    empty.does("dealer", "show_cut_card")
    empty.does("p1", "withdraw_bet", bet="player")
    assert one(empty.does("dealer", "close_withdrawal"), e.RoundConcluded).cite == clause.number
    assert (empty.here.phase, empty.accounts, empty.table.results) == ("concluded", {}, {})
    empty.refused("dealer", "deal_card", "no_round", card="KS")


@proof
def table_cut_dealt(clause: Clause) -> None:
    """Once a card is dealt nothing is withdrawn any more."""
    pit = Pit(clause, high_limit=True)
    pit.begin("player 100")
    pit.does("dealer", "show_cut_card")
    pit.does("dealer", "close_withdrawal")
    pit.deal("KS")
    pit.refused("p1", "withdraw_bet", "bets_are_closed", clause.number, bet="player")
    pit.deal("KD 8H 7C")
    pit.refused("p1", "withdraw_bet", "bets_are_closed", clause.number, bet="player")
    pit.settle()
    assert pit.money() == 100_00


@proof
def table_cut_missed(clause: Clause) -> None:
    """A withdrawal that was due and not offered gives everyone their options, while no outcome stands."""
    pit = _pit(clause, high_limit=True)
    pit.begin("player 100", NO_OUTCOME, TWO)
    options(clause, pit.does("dealer", "missed_withdrawal"), "p1", "p2")
    pit.does("p1", "choose_option", choice="return")
    pit.does("dealer", "close_options")
    assert (pit.money("p1"), pit.money("p2")) == (0, -50_00)

    late = _pit(clause, high_limit=True)
    late.begin("player 100", OUTCOME, TWO)
    happened = late.does("dealer", "missed_withdrawal")
    assert one(happened, e.IrregularityNoted).cite == clause.number
    assert none(happened, e.OptionsOffered)

    elsewhere, given = Pit(clause), Pit(clause, high_limit=True)
    for never in (elsewhere, given):
        never.begin("player 100")
        never.does("dealer", "show_cut_card")
        if never is given:
            never.does("dealer", "close_withdrawal")
        never.deal(NO_OUTCOME)
        never.refused("dealer", "missed_withdrawal", "no_withdrawal", clause.number)


def _excess(clause: Clause, discretion: str) -> None:
    steps = clause.book.irregularities["excess_cards"].steps
    assert {step.discretion for step in steps} == {discretion}

    over = Pit(clause)
    over.begin("player 100", NATURAL)
    over.deal("5S", to="banker")
    over.refused("dealer", "settle", "cards_misplaced")
    fix = {"irregularity": "excess_cards"}
    over.refused("dealer", "reconstruct", "not_your_role", clause.number, **fix)
    over.refused("p1", "reconstruct", "not_your_role", clause.number, **fix)
    happened = over.does("pit_supervisor", "reconstruct", **fix)
    done = one(happened, e.CardsReconstructed)
    assert (done.carried, done.cite, over.hand("banker")) == (("5S",), clause.number, "KD 7C")
    assert none(happened, e.OptionsOffered)
    assert line(over.settle(), "player").outcome == "won"
    over.begin("player 100")
    over.refused("dealer", "deal_card", "impossible_card", clause.number, card="9S")
    assert one(over.deal("5S"), e.CardDealt).carried
    assert not one(over.deal("9S"), e.CardDealt).carried

    # The Player stands on 6, so a card drawn for that hand is the Banker's, who draws on 3.
    within = Pit(clause)
    within.begin("player 100", OUTCOME)
    within.deal("4S", to="player")
    done = one(within.does("pit_supervisor", "reconstruct", **fix), e.CardsReconstructed)
    assert (within.hand("player"), within.hand("banker"), done.carried) == ("KS 6H", "KD 3C 4S", ())
    assert line(within.settle(), "player").outcome == "lost"


@proof
def table_excess_r(clause: Clause) -> None:
    """Excess cards go where the rules send them, or into the next round, at reasonable discretion."""
    _excess(clause, "reasonable")


@proof
def table_excess_a(clause: Clause) -> None:
    """The same, at the House's absolute discretion."""
    _excess(clause, "absolute")


@proof
def table_excess_options(clause: Clause) -> None:
    """Everyone has their options while no outcome stands; face-down cards establish none."""
    for face_down in (True, False):
        pit = _pit(clause, face_down=face_down)
        pit.begin("player 100", NATURAL, TWO)
        pit.deal("5S", to="banker")
        happened = pit.does("pit_supervisor", "reconstruct", irregularity="excess_cards")
        if face_down:
            options(clause, happened, "p1", "p2")
        else:
            assert none(happened, e.OptionsOffered)


def _swapped(clause: Clause, cards: str, **setup: Any) -> Pit:
    """Every card dealt to the other side."""
    pit = _pit(clause, **setup)
    pit.begin("player 100", more=TWO)
    for card, wrong in zip(cards.split(), ("banker", "player") * 2, strict=False):
        assert not one(pit.deal(card, to=wrong), e.CardDealt).proper
    pit.refused("dealer", "deal_card", ("cards_misplaced", "round_is_complete"), card="9S")
    return pit


def _put_right(pit: Pit, possible: bool = True) -> Events:
    return pit.does("pit_supervisor", "reconstruct", irregularity="swapped_hands", possible=possible)


@proof
def table_swap(clause: Clause) -> None:
    """Put right before play goes on; options unless that was done and an outcome stands."""
    early = _swapped(clause, NO_OUTCOME)
    happened = _put_right(early)
    assert one(happened, e.CardsReconstructed).cite == clause.number
    options(clause, happened, "p1", "p2")
    early.refused("dealer", "deal_card", "options_are_open", card="8H")
    early.does("dealer", "close_options")
    early.deal(FINISH)
    assert (early.settle().winner, early.money("p1"), early.money("p2")) == ("player", 100_00, 50_00)

    late = _swapped(clause, OUTCOME)
    assert none(_put_right(late), e.OptionsOffered)
    assert (late.hand("player"), late.hand("banker")) == ("KS 6H", "KD 3C")
    late.deal("2S")
    assert late.settle().winner == "player"

    # Cards that cannot be put right give the options whether or not an outcome stands; nothing voids the
    # round, since each hand has the number of cards it should have.
    for cards in (NO_OUTCOME, NATURAL):
        stuck = _swapped(clause, cards)
        happened = _put_right(stuck, possible=False)
        assert none(happened, e.RoundVoided)
        options(clause, happened, "p1", "p2")
        stuck.does("dealer", "close_options")
        if cards == NATURAL:
            stuck.settle()


@proof
def table_swap_area(clause: Clause) -> None:
    """Cards laid in the other hand's area."""
    pit = _swapped(clause, NO_OUTCOME)
    assert (pit.hand("player"), pit.hand("banker")) == ("2D", "KS")
    happened = _put_right(pit)
    cited(clause, one(happened, e.CardsReconstructed).cite)
    options(clause, happened, "p1", "p2", under=clause.number.rpartition(".")[0])
    assert (pit.hand("player"), pit.hand("banker")) == ("KS", "2D")


@proof
def table_swap_person(clause: Clause) -> None:
    """Cards given to the person who takes the other hand, exposed or not."""
    for turned in (False, True):
        pit = _swapped(clause, NATURAL, face_down=True)
        if turned:
            pit.open_all()
        happened = _put_right(pit)
        cited(clause, one(happened, e.CardsReconstructed).cite)
        assert (pit.hand("player"), pit.hand("banker")) == ("KS 8H", "KD 7C")
        if turned:
            assert none(happened, e.OptionsOffered)
        else:
            options(clause, happened, "p1", "p2", under=clause.number.rpartition(".")[0])


@proof
def table_faceup(clause: Clause) -> None:
    """Dealt face up where cards lie face down, the round goes on; options while no outcome stands."""
    pit = _pit(clause, face_down=True)
    pit.begin("player 100", NO_OUTCOME[:2], TWO, face_up=True)
    # No further card until it is noted, or the options would lapse before anybody gave them.
    pit.refused("dealer", "deal_card", "face_up_not_noted", clause.number, card=NO_OUTCOME[3:])
    pit.refused("p1", "note_face_up", "not_your_role", clause.number)
    happened = pit.does("dealer", "note_face_up")
    assert one(happened, e.IrregularityNoted).cite == clause.number
    options(clause, happened, "p1", "p2")
    pit.does("p2", "choose_option", choice="return", player="p2")
    pit.does("dealer", "close_options")
    pit.refused("dealer", "note_face_up", "no_such_card", clause.number)
    # A second one is another error, and gives the choice again to those who still have a bet.
    pit.deal(NO_OUTCOME[3:], face_up=True)
    pit.refused("dealer", "deal_card", "face_up_not_noted", clause.number, card=FINISH[:2])
    options(clause, pit.does("dealer", "note_face_up"), "p1")
    pit.does("dealer", "close_options")
    pit.deal(FINISH)
    pit.open_all()
    assert pit.settle().winner == "player"
    assert (pit.money("p1"), pit.money("p2")) == (100_00, 0)

    # The last card of the round too is noted before anything is paid; then an outcome stands.
    late = _pit(clause, face_down=True)
    late.begin("player 100", OUTCOME, TWO)
    late.open_all()
    late.deal("2S", face_up=True)
    late.refused("dealer", "settle", "face_up_not_noted", clause.number)
    happened = late.does("dealer", "note_face_up")
    assert one(happened, e.IrregularityNoted).cite == clause.number
    assert none(happened, e.OptionsOffered)
    assert late.settle().winner == "player"

    turned = Pit(clause, face_down=True)
    turned.begin("player 100", NO_OUTCOME)
    turned.open_all()
    turned.refused("dealer", "note_face_up", "no_such_card", clause.number)

    usual = Pit(clause)
    usual.begin("player 100", NO_OUTCOME)
    usual.refused("dealer", "note_face_up", "card_is_face_up", clause.number)


@proof
def table_simul(clause: Clause) -> None:
    """Of cards drawn together a Pit Supervisor says which comes first."""
    for order, hands in (("KS 2D", ("KS", "2D")), ("2D KS", ("2D", "KS"))):
        pit = Pit(clause)
        pit.begin("player 100")
        pit.refused("dealer", "order_simultaneous", "not_your_role", clause.number, order=order)
        pit.refused("pit_supervisor", "order_simultaneous", "too_few_cards", clause.number, order="KS")
        happened = pit.does("pit_supervisor", "order_simultaneous", order=order)
        assert one(happened, e.IrregularityNoted).cite == clause.number
        assert (pit.hand("player"), pit.hand("banker")) == hands


@proof
def table_simul_options(clause: Clause) -> None:
    """The options are due whether or not an outcome stands, and whether or not the order can be told."""
    for before, together in (("", "KS 2D"), ("KS KD 6H", "3C 2S")):
        for known in (False, True):
            for reading in ("always", "order_unknown"):
                pit = _pit(clause, readings={"simultaneous_cards": reading})
                pit.begin("player 100", before, TWO)
                happened = pit.does("pit_supervisor", "order_simultaneous", order=together, order_known=known)
                assert pit.outcome().established == bool(before)
                if known and reading == "order_unknown":
                    assert none(happened, e.OptionsOffered)
                else:
                    options(clause, happened, "p1", "p2")
    usual = _pit(clause)
    usual.begin("player 100", "", TWO)
    told: dict[str, Any] = {"order": "KS 2D", "order_known": True}
    options(clause, usual.does("pit_supervisor", "order_simultaneous", **told), "p1", "p2")


@proof
def table_simul_replace(clause: Clause) -> None:
    """A Pit Supervisor may have the cards replaced; the next round waits for the new shoe."""
    for replaced in (False, True):
        pit = Pit(clause)
        pit.begin("player 100")
        asked: dict[str, Any] = {"order": "KS 2D", "replace_shoe": replaced}
        pit.refused("dealer", "order_simultaneous", "not_your_role", **asked)
        happened = pit.does("pit_supervisor", "order_simultaneous", **asked)
        cited(clause, *(event.cite for event in happened if isinstance(event, e.IrregularityNoted)))
        pit.does("dealer", "close_options")
        pit.deal(FINISH)
        pit.settle()
        if replaced:
            pit.refused("dealer", "open_bets", "shoe_is_over")
            pit.does("dealer", "end_shoe")
            pit.does("dealer", "prepare_shoe")
        pit.does("dealer", "open_bets")


@proof
def table_reset(clause: Clause) -> None:
    """A shoe or shuffler reset after the close gives the options while no outcome stands."""
    pit = _pit(clause)
    pit.does("dealer", "open_bets")
    pit.bets("player 100")
    pit.refused("dealer", "reset_equipment", "bets_are_open")
    pit.bets("player 50", "p2", box=2)
    pit.does("dealer", "close_bets")
    options(clause, pit.does("dealer", "reset_equipment"), "p1", "p2")

    late = _pit(clause)
    late.begin("player 100", OUTCOME, TWO)
    happened = late.does("dealer", "reset_equipment")
    assert one(happened, e.IrregularityNoted).cite == clause.number
    assert none(happened, e.OptionsOffered)
    late.deal("2S")
    assert late.settle().winner == "player"
