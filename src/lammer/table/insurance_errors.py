"""Insurance that went wrong: not offered, or put on the wrong side.

Not offered, it is offered as long as the hand is undecided, and afterwards the Original Bet goes back to
those it would have saved. On the wrong side, it is moved whenever that is found, after settlement too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lammer.game.drawing import FIRST_CARDS, next_hand
from lammer.game.hands import FinishedRound, finish_round
from lammer.game.insurance import judge_insurance, offers_of_round
from lammer.rulebook.betting import Offer
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import Side, Window, opposite
from lammer.table import commands as c, events as e
from lammer.table.corrections import (
    bets_of,
    must_not_be_final,
    return_for_good,
    round_corrected,
    settled_round,
)
from lammer.table.dealing import cards_misplaced, require_dealing
from lammer.table.ending import lines_to_judge, original_bets, round_result, settle_bets
from lammer.table.insuring import (
    insurance_not_on_offer,
    late_offer,
    must_not_be_private,
    situations,
    visible_hands,
)
from lammer.table.records import Returned
from lammer.table.roles import irregularity, must_decide
from lammer.table.state import OVER, Insured, Past, Placed, Round, Table


def offer_missed_insurance(table: Table, call: c.Call, command: c.OfferMissedInsurance) -> Iterator[e.Event]:
    this_round = table.round
    on_table = this_round is not None and command.round in (0, this_round.number)
    if this_round is None or not on_table or this_round.phase == "settled":
        yield from _return_after_settlement(table, call, command)
        return
    rule = irregularity(table, "missed_insurance")
    must_decide(table, call, rule.name, "offer_insurance")
    must_not_be_private(table)
    if this_round.phase != "dealing" or len(this_round.cards) < FIRST_CARDS:
        raise Refused("no_round", "No Insurance can have been missed now.", rule.cite)
    require_dealing(table)
    if this_round.misplaced:
        raise cards_misplaced(table)
    if next_hand(table.book, *visible_hands(this_round)) is None:
        result = round_result(table, this_round)
        windows = _winning_windows(table, result, command, rule.cite, this_round.waived)
        windows = _missed_windows(this_round, command, rule.cite, windows)
        _must_be_affected(table, this_round.bets.values(), command, rule.cite)
        insured = _insured_windows(this_round.live())
        returned = tuple(
            Returned(bet.key, bet.player, bet.stake)
            for bet in this_round.bets.values()
            if _would_have_been_saved(table, bet, command, windows, insured)
        )
        _must_return(returned, rule.cite)
        yield e.BetsReturned(returned, rule.name, rule.paragraph("return_original_bet"))
        return
    if table.is_over(this_round):
        raise Refused("round_is_over", "The round was settled; nobody insures any more.", rule.cite)
    _must_have_missed(table, this_round, command)
    listed = {
        offer.window
        for situation in situations(table, this_round)
        for offer in situation
        if offer.hand == command.hand
    }
    _missed_windows(this_round, command, rule.cite, listed)
    if late_offer(table, this_round, command.hand) is None:
        raise insurance_not_on_offer(table, command.hand)
    _must_be_affected(table, this_round.bets.values(), command, rule.cite)
    yield e.MissedInsuranceOffered(command.players, command.hand, rule.paragraph("offer_insurance"))


def _return_after_settlement(
    table: Table, call: c.Call, command: c.OfferMissedInsurance
) -> Iterator[e.Event]:
    """The Original Bets of a settled round that Insurance would have saved, however long ago it was."""
    cite = table.cite("missed_insurance")
    this_round = table.round
    past, rules = settled_round(
        table, command.round or (this_round.number if this_round is not None else 0), cite
    )
    rule = irregularity(rules, "missed_insurance")
    must_decide(rules, call, rule.name, "return_original_bet")
    must_not_be_private(rules)
    must_not_be_final(table, rules, past.number)
    result = finish_round(rules.book, past.player, past.banker)
    windows = _winning_windows(rules, result, command, rule.cite, past.waived)
    windows = _missed_windows(past, command, rule.cite, windows)
    placed = [bet for bet in bets_of(lines_to_judge(past.lines)) if isinstance(bet, Placed)]
    _must_be_affected(rules, placed, command, rule.cite)
    insured = _insured_windows(bets_of(past.lines))
    keys = {bet.key for bet in placed if _would_have_been_saved(rules, bet, command, windows, insured)}
    lines = [line for line in past.lines if line.key in keys]
    _must_return(lines, rule.cite)
    paragraph = rule.paragraph("return_original_bet")
    posted = return_for_good(lines, rules.book.cite(paragraph))
    yield round_corrected(
        rules, past, rule.name, (past.player, past.banker), posted, (paragraph,), reversed_lines=lines
    )


def _winning_windows(
    rules: Table, result: FinishedRound, command: c.OfferMissedInsurance, cite: Citation, waived: bool
) -> set[Window]:
    """The windows in which Insurance on the hand was listed and would have won."""
    won: set[Window] = {
        offer.window
        for offer in offers_of_round(rules.book, result)
        if offer.hand == command.hand
        # Which hand was shown first is not in the record, so nobody can say that it was to be offered then.
        and offer.window != "two_cards"
        and not (waived and offer.window == "third_card")
        and judge_insurance(rules.book, offer, result).outcome == "won"
    }
    if not won:
        raise Refused(
            "would_not_have_won",
            "Insurance on the {hand} Hand would not have won.",
            cite,
            hand=Term(command.hand.capitalize()),
        )
    return won


def _missed_windows(
    this_round: Round | Past, command: c.OfferMissedInsurance, cite: Citation, windows: set[Window]
) -> set[Window]:
    """Those of these windows that may have been missed.

    A virtual shoe's windows open by themselves: where the table knows that it offered the hand in all of
    them, the claim that nobody did is disproved.
    """
    if this_round.setup.shoe != "virtual":
        return windows
    missed = {window for window in windows if (window, command.hand) not in this_round.opened}
    if windows and not missed:
        raise Refused(
            "insurance_was_offered",
            "The table itself offered Insurance on the {hand} Hand.",
            cite,
            next_step="Who let it pass has forgone it.",
            hand=Term(command.hand.capitalize()),
        )
    return missed


def _must_be_affected(
    rules: Table, bets: Iterable[Placed], command: c.OfferMissedInsurance, cite: Citation
) -> None:
    """Refuse players who had no Original Bet on the hand: they have missed nothing."""
    bettors = {bet.player for bet in bets if rules.book.bets[bet.bet].original == command.hand}
    if not command.players or set(command.players) - bettors:
        raise Refused(
            "nothing_to_insure",
            "Not all of them had an Original Bet on the {hand} Hand.",
            cite,
            next_step="Name only those who had.",
            hand=Term(command.hand.capitalize()),
        )


def _insured_windows(bets: Iterable[Placed | Insured]) -> set[tuple[str, int, Side, Window]]:
    """What is insured among these bets: whose, in which box, which hand, in which window."""
    return {(bet.player, bet.box, bet.insures, bet.window) for bet in bets if isinstance(bet, Insured)}


def _would_have_been_saved(
    rules: Table,
    bet: Placed,
    command: c.OfferMissedInsurance,
    windows: set[Window],
    insured: set[tuple[str, int, Side, Window]],
) -> bool:
    """Whether a bet is an Original Bet its player meant to insure, in a window in which they did not."""
    return (
        bet.player in command.players
        and rules.book.bets[bet.bet].original == command.hand
        and any((bet.player, bet.box, command.hand, window) not in insured for window in windows)
    )


def _must_return(bets: Sequence[object], cite: Citation) -> None:
    if not bets:
        raise Refused(
            "nothing_to_insure", "None of them has an Original Bet on that hand without Insurance.", cite
        )


def _must_have_missed(table: Table, this_round: Round, command: c.OfferMissedInsurance) -> None:
    """Refuse to offer late what is open in the ordinary way."""
    still_open = this_round.window is not None and command.hand in {offer.hand for offer in this_round.offers}
    if still_open and any(player not in this_round.forgone for player in command.players):
        raise Refused(
            "insurance_is_open",
            "Insurance on that hand is open now; it was not missed.",
            table.cite("insurance_windows"),
            next_step="The player simply insures.",
        )


def reposition_insurance(table: Table, call: c.Call, command: c.RepositionInsurance) -> Iterator[e.Event]:
    this_round = table.round
    playing = this_round is not None and this_round.number == command.round and this_round.phase not in OVER
    wrong_place = (command.player, command.box, command.window, opposite(command.hand))
    if this_round is not None and playing:
        rule = irregularity(table, "misplaced_insurance")
        cite = must_decide(table, call, rule.name, "reposition_insurance").paragraph
        astray = [
            bet
            for bet in this_round.insured.values()
            if bet.live and (bet.player, bet.box, bet.window, bet.hand) == wrong_place
        ]
        if not astray:
            raise Refused(
                "no_such_bet", "{player} has no such Insurance bet.", rule.cite, player=command.player
            )
        offer = _offer_in_window(table, round_result(table, this_round), command, rule.cite)
        for bet in astray:
            yield e.InsuranceRepositioned(bet.key, bet.player, command.hand, str(offer.odds), cite)
        return
    past, rules = settled_round(table, command.round, table.cite("misplaced_insurance"))
    rule = irregularity(rules, "misplaced_insurance")
    cite = must_decide(rules, call, rule.name, "reposition_insurance").paragraph
    result = finish_round(rules.book, past.player, past.banker)
    lines = [
        line
        for line in lines_to_judge(past.lines)
        if (line.player, line.box, line.window, line.bet) == wrong_place
    ]
    if not lines:
        raise Refused("no_such_bet", "{player} had no such Insurance bet.", rule.cite, player=command.player)
    offer = _offer_in_window(rules, result, command, rule.cite)
    moved = [
        replace(bet, hand=command.hand, odds=str(offer.odds), astray=False)
        for bet in bets_of(lines)
        if isinstance(bet, Insured)
    ]
    posted = tuple(settle_bets(rules, result, moved, original_bets(rules, bets_of(past.lines))))
    if this_round is not None and this_round.number == past.number:
        # So that a settlement reopened later finds the bet where it belongs.
        for bet in moved:
            yield e.InsuranceRepositioned(bet.key, bet.player, command.hand, str(offer.odds), cite)
    yield round_corrected(
        rules, past, rule.name, (past.player, past.banker), posted, (cite,), reversed_lines=lines
    )


def _offer_in_window(
    rules: Table, result: FinishedRound, command: c.RepositionInsurance, cite: Citation
) -> Offer:
    """The offer on the right hand in the window the bet was made in."""
    for offer in offers_of_round(rules.book, result):
        if (offer.hand, offer.window) == (command.hand, command.window):
            return offer
    raise Refused("insurance_not_on_offer", "Nothing was on offer on that side.", cite)
