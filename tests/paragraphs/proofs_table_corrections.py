"""Proofs that the table keeps section 5 on damaged cards, rounds put right, and the players' options."""

from __future__ import annotations

from typing import Any

from lammer.table import events as e
from paragraphs.clause import Clause, proof
from paragraphs.pit import FINISH, NATURAL, NO_OUTCOME, Events, Pit, cited, line, none, one, options, part

TWO = [("p2", 2, "player 50")]
EXCESS = {"irregularity": "excess_cards"}


def _pit(clause: Clause, cards: str, bets: str = "player 100", **setup: Any) -> Pit:
    """p1 with these bets in box 1, p2 with Player 50 in box 2, and these cards on the table."""
    pit = Pit(clause, seats="p1 1, p2 2", **setup)
    pit.begin(bets, cards, TWO)
    return pit


@proof
def table_damaged_find(clause: Clause) -> None:
    """The House finds out what a damaged card is, and the round is decided by it."""
    pit = _pit(clause, "KS KD 9H 7C")
    card: dict[str, Any] = {"hand": "player", "place": 2}
    pit.refused("dealer", "judge_damaged_card", "not_your_role", card="6H", **card)
    pit.refused("pit_supervisor", "judge_damaged_card", "not_a_card", card="1X", **card)
    found = one(pit.does("pit_supervisor", "judge_damaged_card", card="6H", **card), e.CardDetermined)
    cited(clause, found.cite)
    assert pit.hand("player") == "KS 6H"
    assert pit.settle().winner == "banker"
    assert pit.money() == -100_00


@proof
def table_damaged_void(clause: Clause) -> None:
    """If it cannot be found out, the round is void."""
    pit = _pit(clause, NATURAL, "player 100, tie 10")
    happened = pit.does("pit_supervisor", "judge_damaged_card", hand="player", place=2)
    cited(clause, *one(happened, e.RoundVoided).cites)
    assert (pit.here.phase, pit.accounts) == ("void", {})


@proof
def table_damaged(clause: Clause) -> None:
    """Either of the two, and only for a card that was drawn."""
    table_damaged_find(part(clause, "1"))
    table_damaged_void(part(clause, "2"))
    pit = _pit(clause, NATURAL)
    unseen = {"hand": "player", "place": 3, "card": "6H"}
    pit.refused("pit_supervisor", "judge_damaged_card", "no_such_card", clause.number, **unseen)
    happened = pit.does("pit_supervisor", "judge_damaged_card", hand="banker", place=2, card="7C")
    assert one(happened, e.IrregularityNoted).cite == clause.number


@proof
def table_late_error(clause: Clause) -> None:
    """An error noticed only after the next round began leaves that round as it is."""
    pit = Pit(clause)
    pit.round("player 100", NATURAL)
    late = {"round": 1, "what": "the burn card was dealt"}
    pit.refused("dealer", "note_late_error", "not_settled", clause.number, **late)
    pit.begin("player 50", NO_OUTCOME)
    happened = pit.does("dealer", "note_late_error", **late)
    assert one(happened, e.IrregularityNoted).cite == clause.number
    assert none(happened, e.OptionsOffered)
    assert (pit.here.number, pit.here.phase, pit.money()) == (2, "dealing", 50_00)
    pit.deal(FINISH)
    assert pit.settle().winner == "player"
    assert (pit.money(), list(pit.table.results)) == (150_00, [1, 2])


def _later(clause: Clause, cards: str, bets: str = "player 100", **setup: Any) -> Pit:
    """Round 1 settled as recorded; round 2, in which p1 has 50 on Player, under way."""
    pit = Pit(clause, **setup)
    pit.round(bets, cards)
    pit.refused("pit_supervisor", "correct_round", "not_settled", round=1, player="KS 6H", banker="KD 6C 3S")
    pit.begin("player 50", NO_OUTCOME)
    return pit


def _correct(pit: Pit, player: str, banker: str, **more: Any) -> e.RoundCorrected:
    cards = {"round": 1, "player": player, "banker": banker, **more}
    pit.refused("dealer", "correct_round", "not_your_role", **cards)
    corrected = one(pit.does("pit_supervisor", "correct_round", **cards), e.RoundCorrected)
    assert corrected.reversed
    assert (pit.here.number, pit.here.phase, list(pit.table.carried)) == (2, "dealing", [])
    return corrected


@proof
def table_broke(clause: Clause) -> None:
    """An earlier round is put right by reversal and reposting; later rounds are not touched."""
    pit = _later(clause, "KS KD 6H 5C 4S")
    fine = {"round": 1, "player": "KS 6H", "banker": "KD 5C 4S"}
    pit.refused("pit_supervisor", "correct_round", "follows_table_of_play", clause.number, **fine)
    pit.refused("pit_supervisor", "correct_round", "not_settled", clause.number, **{**fine, "round": 2})
    assert pit.money() == -100_00 - 50_00
    assert clause.number in _correct(pit, "KS 6H", "KD 6C 3S").cites
    assert pit.money() == -50_00
    pit.deal(FINISH)
    pit.settle()
    assert (pit.money(), pit.accounts["bank"]) == (50_00, -50_00)


@proof
def table_broke_missing(clause: Clause) -> None:
    """A third card that was due and not dealt voids that round, the Player's or the Banker's."""
    for recorded, player, banker in (
        ("KS KD 2H 7C 2D", "KS 2H", "KD 7C"),
        ("KS KD 2H 5C 5D 4S", "KS 2H 5D", "KD 5C"),
    ):
        pit = _later(clause, recorded)
        corrected = _correct(pit, player, banker)
        assert (corrected.void, clause.number in corrected.cites) == (True, True)
        assert line(corrected, "player").outcome == "returned"
        assert (pit.money(), pit.table.results) == (-50_00, {})


@proof
def table_broke_extra(clause: Clause) -> None:
    """An extra card is struck out and the round stays valid; what was drawn after it moves up."""
    pit = _later(clause, "KS KD 6H 5C 4S")
    corrected = _correct(pit, "KS 6H", "KD 6C 3S")
    assert (corrected.void, clause.number in corrected.cites) == (False, True)
    assert (corrected.player, corrected.banker, corrected.winner) == (("KS", "6H"), ("KD", "6C"), "tie")
    assert line(corrected, "player").outcome == "returned"

    # A hand may even have been given a fourth card.
    fourth = _later(clause, "KS KD 2H 7C 2D")
    corrected = _correct(fourth, "KS 2H 2D 9C", "KD 7C")
    assert (corrected.player, corrected.winner) == (("KS", "2H", "2D"), "banker")

    # The Player stands on 6; the 4 dealt all the same is the Banker's, who is brought to 7.
    for reading, winner, money in (
        ("proper_order", "banker", -100_00),
        ("strike_where_it_lay", "player", 100_00),
    ):
        moved = _later(clause, "KS KD 6H 3C 2S", readings={"extra_card_order": reading})
        assert moved.money() == 100_00 - 50_00
        assert _correct(moved, "KS 6H 4S", "KD 3C 2S").winner == winner
        assert moved.money() == money - 50_00


@proof
def table_broke_discretion(clause: Clause) -> None:
    """Whether it can be put right is the House's to judge; if not, the round is void."""
    steps = clause.book.irregularities["broke_table_of_play"].steps
    (judged,) = [step for step in steps if step.cite.paragraph == clause.number]
    assert (judged.by, judged.discretion) == ("house", "reasonable")
    pit = _later(clause, "KS KD 6H 5C 4S")
    corrected = _correct(pit, "KS 6H", "KD 6C 3S", rectifiable=False)
    assert (corrected.void, clause.number in corrected.cites) == (True, True)
    assert (pit.money(), pit.table.results) == (-50_00, {})


@proof
def table_broke_side(clause: Clause) -> None:
    """Side bets that the cards properly dealt had decided keep their result, won or lost."""
    won = _later(clause, "KS KD KH 7C 2D", "player 100, player_pair 10, tie 10")
    corrected = _correct(won, "KS KH", "KD 7C")
    assert clause.number in corrected.cites
    kept = [line(corrected, bet).outcome for bet in ("player", "player_pair", "tie")]
    assert kept == ["returned", "won", "returned"]
    assert won.money() == 110_00 - 50_00

    # With the Player's third card, properly dealt, Big Buffalo is lost; the Banker's was left out.
    lost = _later(clause, "KS KD 2H 5C 5D 4S", "player 100, player_pair 10, big_buffalo 10")
    assert _correct(lost, "KS 2H 5D", "KD 5C").void
    assert lost.money() == -20_00 - 50_00

    # The Banker stood on 6 against a 6 or a 7: with a third card due, two cards could not win on it.
    for third in ("6H", "7H"):
        six = _later(clause, f"2S TD 3H 6C {third} KC", "player 100, small_tiger 10, big_tiger 10")
        corrected = _correct(six, f"2S 3H {third}", "TD 6C")
        assert (corrected.void, clause.number in corrected.cites) == (True, True)
        kept = [line(corrected, bet).outcome for bet in ("player", "small_tiger", "big_tiger")]
        assert kept == ["returned", "lost", "returned"]
        assert six.money() == -10_00 - 50_00

    # Struck out, the extra card changes nothing for a pair.
    struck = _later(clause, "KS KD KH 7C 2D", "player 100, player_pair 10")
    corrected = _correct(struck, "KS KH 2D", "KD 7C 9S")
    assert [line(corrected, bet).outcome for bet in ("player", "player_pair")] == ["lost", "won"]


def _error(pit: Pit, **more: Any) -> Events:
    return pit.does("pit_supervisor", "note_dealing_error", what="a card touched the discard rack", **more)


@proof
def table_error(clause: Clause) -> None:
    """Any other dealing error gives every player their options, one answer each, outcome or not."""
    for cards in ("", NO_OUTCOME, NATURAL):
        pit = _pit(clause, cards)
        pit.refused("dealer", "note_dealing_error", "reason_needed", clause.number, what=" ")
        # A dealer's word stops the round; it takes somebody above to give the players a choice.
        reported = pit.does("dealer", "note_dealing_error", what="a card touched the discard rack")
        assert one(reported, e.ErrorReported).cite == clause.number
        pit.refused("dealer", "settle", "error_to_be_confirmed", clause.number)
        pit.refused("p1", "choose_option", "no_options_asked", clause.number, choice="return")
        pit.refused("dealer", "confirm_error", "not_your_role", clause.number, confirmed=True)
        rejected = pit.does("pit_supervisor", "confirm_error", confirmed=False)
        assert one(rejected, e.ErrorRejected).cite == clause.number
        pit.does("dealer", "note_dealing_error", what="a card touched the discard rack")
        happened = pit.does("pit_supervisor", "confirm_error", confirmed=True)
        assert one(happened, e.IrregularityNoted).cite == clause.number
        options(clause, happened, "p1", "p2")
        pit.refused("dealer", "settle", "options_are_open", clause.number)
        pit.refused("p1", "choose_option", "not_your_bet", player="p2", choice="return")
        pit.does("p1", "choose_option", choice="continue")
        pit.refused("p1", "choose_option", "one_answer_each", clause.number, choice="return")
        closed = one(pit.does("dealer", "close_options"), e.OptionsClosed)
        assert closed.continuing == ("p1", "p2")
        pit.refused("p2", "choose_option", "no_options_asked", clause.number, choice="return")

    # Once settled the round is over: whoever knows the result has nothing to choose any more.
    settled = _pit(clause, NATURAL)
    settled.settle()
    settled.refused("dealer", "reopen_settlement", "not_your_role", clause.number, reason="a fifth card")
    settled.refused("pit_supervisor", "reopen_settlement", "reason_needed", clause.number, reason=" ")
    settled.does("pit_supervisor", "reopen_settlement", reason="a fifth card")
    happened = _error(settled)
    assert one(happened, e.IrregularityNoted).cite == clause.number
    assert none(happened, e.OptionsOffered)
    settled.refused("p1", "choose_option", "no_options_asked", clause.number, choice="return")
    settled.settle()
    assert (settled.money("p1"), settled.money("p2")) == (100_00, 50_00)

    still_on = _pit(clause, NATURAL, readings={"after_settlement": "as_if_under_way"})
    still_on.settle()
    still_on.does("pit_supervisor", "reopen_settlement", reason="a fifth card")
    options(clause, _error(still_on), "p1", "p2")
    still_on.does("p1", "choose_option", choice="return")
    still_on.does("dealer", "close_options")
    still_on.settle()
    assert (still_on.money("p1"), still_on.money("p2")) == (0, 50_00)


@proof
def table_error_continue(clause: Clause) -> None:
    """Who goes on with their hand accepts the cards that follow."""
    pit = _pit(clause, NO_OUTCOME)
    _error(pit)
    chosen = one(pit.does("p1", "choose_option", choice="continue"), e.OptionChosen)
    assert (chosen.choice, chosen.cite) == ("continue", clause.number)
    pit.does("dealer", "close_options")
    pit.refused("p1", "choose_option", "no_options_asked", choice="return")
    pit.refused("p1", "withdraw_bet", "bets_are_closed", bet="player")
    pit.deal(FINISH)
    pit.settle()
    assert (pit.money("p1"), pit.money("p2")) == (100_00, 50_00)


@proof
def table_error_reconstructed(clause: Clause) -> None:
    """Where the cards were put into order, who continues does so with the hand as it is then."""
    noted = _pit(clause, NO_OUTCOME)
    _error(noted, reconstructable=True)
    astray = _pit(clause, "")
    astray.deal("KS 2D", to="player")
    astray.does("pit_supervisor", "reconstruct", **EXCESS)
    for pit in (noted, astray):
        chosen = one(pit.does("p1", "choose_option", choice="continue"), e.OptionChosen)
        assert (pit.hand("player"), pit.hand("banker"), chosen.cite) == ("KS", "2D", clause.number)
        pit.does("dealer", "close_options")
        pit.deal(FINISH)
        assert line(pit.settle(), "player").outcome == "won"


@proof
def table_error_return(clause: Clause) -> None:
    """Who wants their bets back gets all of them, decided ones too; the others play on."""
    pair = "player_pair" if "player_pair" in clause.book.bets else "tiger_pair"
    for reading, money in (("all_bets_of_the_round", 0), ("undecided_bets_only", -10_00)):
        pit = _pit(clause, "KS KD 6H 3C", f"player 100, {pair} 10", readings={"players_options": reading})
        assert pair in pit.outcome().by
        _error(pit)
        assert one(pit.does("p1", "choose_option", choice="return"), e.OptionChosen).cite == clause.number
        assert one(pit.does("dealer", "close_options"), e.BetsReturned).cite == clause.number
        assert pit.money() == money
        pit.deal("2S")
        pit.settle()
        assert (pit.money("p1"), pit.money("p2")) == (money, 50_00)
