"""Insurance that went wrong: not offered, or put on the wrong side.

Not offered, it is offered as long as the hand is undecided, and afterwards the Original Bet goes back to
those it would have saved. On the wrong side, it is moved whenever that is found, after settlement too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lammer.game.drawing import FIRST_CARDS, next_hand
from lammer.game.hands import Round as Played, finish_round
from lammer.game.insurance import judge_insurance, offers_of_round
from lammer.rulebook.betting import Offer
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import Side, Window, opposite
from lammer.table import commands as c, events as e
from lammer.table.corrections import (
    bets_of,
    corrected,
    given_back,
    must_not_stand,
    settled_round,
)
from lammer.table.dealing import dealing, must_reconstruct
from lammer.table.ending import judged_lines, original_bets, paid, played
from lammer.table.insuring import late_offer, must_not_be_private, not_on_offer, shown, situations
from lammer.table.records import Returned
from lammer.table.roles import irregularity, must_decide
from lammer.table.state import OVER, Insured, Past, Placed, Round, Table


def offer_missed_insurance(table: Table, call: c.Call, command: c.OfferMissedInsurance) -> Iterator[e.Event]:
    here = table.round
    on_table = here is not None and command.round in (0, here.number)
    if here is None or not on_table or here.phase == "settled":
        yield from _return_after_settlement(table, call, command)
        return
    rule = irregularity(table, "missed_insurance")
    must_decide(table, call, rule.name, "offer_insurance")
    must_not_be_private(table)
    if here.phase != "dealing" or len(here.cards) < FIRST_CARDS:
        raise Refused("no_round", "No Insurance can have been missed now.", rule.cite)
    dealing(table)
    if here.misplaced:
        raise must_reconstruct(table)
    if next_hand(table.book, *shown(here)) is None:
        result = played(table, here)
        saved = _saved(table, result, command, rule.cite, here.waived)
        saved = _not_offered(here, command, rule.cite, saved)
        _must_be_affected(table, here.bets.values(), command, rule.cite)
        insured = _insured(here.live())
        returned = tuple(
            Returned(bet.key, bet.player, bet.stake)
            for bet in here.bets.values()
            if _would_have_been_saved(table, bet, command, saved, insured)
        )
        _must_return(returned, rule.cite)
        yield e.BetsReturned(returned, rule.name, rule.paragraph("return_original_bet"))
        return
    if table.is_over(here):
        raise Refused("round_is_over", "The round was settled; nobody insures any more.", rule.cite)
    _must_have_missed(table, here, command)
    listed = {
        offer.window for each in situations(table, here) for offer in each if offer.hand == command.hand
    }
    _not_offered(here, command, rule.cite, listed)
    if late_offer(table, here, command.hand) is None:
        raise not_on_offer(table, command.hand)
    _must_be_affected(table, here.bets.values(), command, rule.cite)
    yield e.MissedInsuranceOffered(command.players, command.hand, rule.paragraph("offer_insurance"))


def _return_after_settlement(
    table: Table, call: c.Call, command: c.OfferMissedInsurance
) -> Iterator[e.Event]:
    """The Original Bets of a settled round that Insurance would have saved, however long ago it was."""
    cite = table.cite("missed_insurance")
    here = table.round
    past, rules = settled_round(table, command.round or (here.number if here is not None else 0), cite)
    rule = irregularity(rules, "missed_insurance")
    must_decide(rules, call, rule.name, "return_original_bet")
    must_not_be_private(rules)
    must_not_stand(table, rules, past.number)
    result = finish_round(rules.book, past.player, past.banker)
    saved = _saved(rules, result, command, rule.cite, past.waived)
    saved = _not_offered(past, command, rule.cite, saved)
    placed = [bet for bet in bets_of(judged_lines(past.lines)) if isinstance(bet, Placed)]
    _must_be_affected(rules, placed, command, rule.cite)
    insured = _insured(bets_of(past.lines))
    keys = {bet.key for bet in placed if _would_have_been_saved(rules, bet, command, saved, insured)}
    lines = [each for each in past.lines if each.key in keys]
    _must_return(lines, rule.cite)
    paragraph = rule.paragraph("return_original_bet")
    posted = given_back(lines, rules.book.cite(paragraph))
    yield corrected(
        rules, past, rule.name, (past.player, past.banker), posted, (paragraph,), reversed_lines=lines
    )


def _saved(
    rules: Table, result: Played, command: c.OfferMissedInsurance, cite: Citation, waived: bool
) -> set[Window]:
    """The windows in which Insurance on the hand was listed and would have won."""
    won = {
        offer.window
        for offer in offers_of_round(rules.book, result)
        if offer.hand == command.hand
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


def _not_offered(
    here: Round | Past, command: c.OfferMissedInsurance, cite: Citation, windows: set[Window]
) -> set[Window]:
    """Those of these windows that may have been missed.

    A virtual shoe's windows open by themselves: where the table knows that it offered the hand in all of
    them, the claim that nobody did is disproved.
    """
    if here.setup.shoe != "virtual":
        return windows
    missed = {window for window in windows if (window, command.hand) not in here.opened}
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
    held = {bet.player for bet in bets if rules.book.bets[bet.bet].original == command.hand}
    if not command.players or set(command.players) - held:
        raise Refused(
            "nothing_to_insure",
            "Not all of them had an Original Bet on the {hand} Hand.",
            cite,
            next_step="Name only those who had.",
            hand=Term(command.hand.capitalize()),
        )


def _insured(bets: Iterable[Placed | Insured]) -> set[tuple[str, int, Side, Window]]:
    """What is insured among these bets: whose, in which box, which hand, in which window."""
    return {(bet.player, bet.box, bet.insures, bet.window) for bet in bets if isinstance(bet, Insured)}


def _would_have_been_saved(
    rules: Table,
    bet: Placed,
    command: c.OfferMissedInsurance,
    saved: set[Window],
    insured: set[tuple[str, int, Side, Window]],
) -> bool:
    """Whether a bet is an Original Bet its player meant to insure, in a window in which they did not."""
    return (
        bet.player in command.players
        and rules.book.bets[bet.bet].original == command.hand
        and any((bet.player, bet.box, command.hand, window) not in insured for window in saved)
    )


def _must_return(bets: Sequence[object], cite: Citation) -> None:
    if not bets:
        raise Refused(
            "nothing_to_insure", "None of them has an Original Bet on that hand without Insurance.", cite
        )


def _must_have_missed(table: Table, here: Round, command: c.OfferMissedInsurance) -> None:
    """Refuse to offer late what is open in the ordinary way."""
    still_open = here.window is not None and command.hand in {offer.hand for offer in here.offers}
    if still_open and any(player not in here.forgone for player in command.players):
        raise Refused(
            "insurance_is_open",
            "Insurance on that hand is open now; it was not missed.",
            table.cite("insurance_windows"),
            next_step="The player simply insures.",
        )


def reposition_insurance(table: Table, call: c.Call, command: c.RepositionInsurance) -> Iterator[e.Event]:
    here = table.round
    playing = here is not None and here.number == command.round and here.phase not in OVER
    wrong = (command.player, command.box, command.window, opposite(command.hand))
    if here is not None and playing:
        rule = irregularity(table, "misplaced_insurance")
        cite = must_decide(table, call, rule.name, "reposition_insurance").paragraph
        astray = [
            bet
            for bet in here.insured.values()
            if bet.live and (bet.player, bet.box, bet.window, bet.hand) == wrong
        ]
        if not astray:
            raise Refused(
                "no_such_bet", "{player} has no such Insurance bet.", rule.cite, player=command.player
            )
        offer = _offered_then(table, played(table, here), command, rule.cite)
        for bet in astray:
            yield e.InsuranceRepositioned(bet.key, bet.player, command.hand, str(offer.odds), cite)
        return
    past, rules = settled_round(table, command.round, table.cite("misplaced_insurance"))
    rule = irregularity(rules, "misplaced_insurance")
    cite = must_decide(rules, call, rule.name, "reposition_insurance").paragraph
    result = finish_round(rules.book, past.player, past.banker)
    lines = [
        each for each in judged_lines(past.lines) if (each.player, each.box, each.window, each.bet) == wrong
    ]
    if not lines:
        raise Refused("no_such_bet", "{player} had no such Insurance bet.", rule.cite, player=command.player)
    offer = _offered_then(rules, result, command, rule.cite)
    moved = [
        replace(bet, hand=command.hand, odds=str(offer.odds), astray=False)
        for bet in bets_of(lines)
        if isinstance(bet, Insured)
    ]
    posted = tuple(paid(rules, result, moved, original_bets(rules, bets_of(past.lines))))
    if here is not None and here.number == past.number:
        # So that a settlement reopened later finds the bet where it belongs.
        for bet in moved:
            yield e.InsuranceRepositioned(bet.key, bet.player, command.hand, str(offer.odds), cite)
    yield corrected(rules, past, rule.name, (past.player, past.banker), posted, (cite,), reversed_lines=lines)


def _offered_then(rules: Table, result: Played, command: c.RepositionInsurance, cite: Citation) -> Offer:
    """The offer on the right hand in the window the bet was made in."""
    for offer in offers_of_round(rules.book, result):
        if (offer.hand, offer.window) == (command.hand, command.window):
            return offer
    raise Refused("insurance_not_on_offer", "Nothing was on offer on that side.", cite)
