"""Insurance that went wrong: not offered, or put on the wrong side.

Not offered, it is offered as long as the hand is undecided, and afterwards the Original Bet goes back to
those it would have saved. On the wrong side, it is moved whenever that is found, after settlement too.
"""

from __future__ import annotations

from collections.abc import Iterator

from lammer.game.drawing import next_hand
from lammer.game.hands import Round as Played, finished
from lammer.game.insurance import judge_insurance, offers_of_round
from lammer.rulebook.betting import Offer
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import opposite
from lammer.table import commands as c, events as e
from lammer.table.corrections import not_void, past_round
from lammer.table.dealing import dealing, must_reconstruct
from lammer.table.ending import line, played, reopened, settled
from lammer.table.insuring import must_not_be_private, offer_for, shown
from lammer.table.records import Returned
from lammer.table.roles import irregularity, must_decide
from lammer.table.state import Insured, Past, Round, Table


def offer_missed_insurance(table: Table, call: c.Call, command: c.OfferMissedInsurance) -> Iterator[e.Event]:
    rule = irregularity(table, "missed_insurance")
    must_decide(table, call, rule.name, "offer_insurance")
    must_not_be_private(table)
    here = table.round
    if here is None or here.phase in ("betting", "void", "concluded") or len(here.cards) < 4:
        raise Refused("no_round", "No Insurance can have been missed now.", rule.cite)
    if here.phase == "dealing":
        dealing(table)
        if here.misplaced:
            raise must_reconstruct(table)
        if next_hand(table.book, *shown(here)) is not None:
            _must_have_missed(table, here, command)
            offer_for(table, here, command.hand)
            yield e.MissedInsuranceOffered(command.players, command.hand, rule.paragraph("offer_insurance"))
            return
    over = played(table, here)
    won = [
        offer
        for offer in offers_of_round(table.book, over)
        if offer.hand == command.hand
        and not (here.waived and offer.window == "third_card")
        and judge_insurance(table.book, offer, over).outcome == "won"
    ]
    if not won:
        raise Refused(
            "would_not_have_won",
            f"Insurance on the {command.hand.capitalize()} Hand would not have won.",
            rule.cite,
        )
    windows = {offer.window for offer in won}
    insured = {
        (bet.player, bet.box)
        for bet in here.insured.values()
        if bet.live and bet.hand == command.hand and bet.window in windows
    }
    returned = tuple(
        Returned(bet.key, bet.player, bet.stake)
        for bet in here.bets.values()
        if bet.player in command.players
        and table.book.bets[bet.bet].original == command.hand
        and (bet.player, bet.box) not in insured
    )
    if not returned:
        raise Refused(
            "nothing_to_insure", "None of them has an Original Bet on that hand without Insurance.", rule.cite
        )
    again = here.phase == "settled"
    if again:
        yield reopened(table, here, rule.name)
    yield e.BetsReturned(returned, rule.name, rule.paragraph("return_original_bet"))
    if again:
        gone = {back.key for back in returned}
        left = [bet for bet in here.live() if bet.key not in gone]
        yield settled(table, here.number, over, left)


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
    rule = irregularity(table, "misplaced_insurance")
    must_decide(table, call, rule.name, "reposition_insurance")
    here = table.round
    wrong = opposite(command.hand)
    cite = rule.cite.paragraph
    if here is not None and here.number == command.round and here.phase == "dealing":
        for bet in here.insured.values():
            if bet.live and (bet.player, bet.box, bet.window, bet.hand) == (
                command.player,
                command.box,
                command.window,
                wrong,
            ):
                offer = _offered_then(table, played(table, here), command, rule.cite)
                yield e.InsuranceRepositioned(bet.key, bet.player, command.hand, str(offer.odds), cite)
                return
        raise Refused("no_such_bet", f"{command.player} has no such Insurance bet.", rule.cite)
    past = _settled_round(table, command.round, rule.cite)
    over = finished(table.book, past.player, past.banker)
    for each in past.lines:
        if (each.player, each.box, each.window, each.bet) == (
            command.player,
            command.box,
            command.window,
            wrong,
        ):
            offer = _offered_then(table, over, command, rule.cite)
            bet = Insured(
                each.key, each.player, each.box, command.hand, command.window, each.stake, str(offer.odds)
            )
            right = line(bet, judge_insurance(table.book, offer, over))
            if here is not None and here.number == past.number:
                # So that a settlement reopened later finds the bet where it belongs.
                yield e.InsuranceRepositioned(each.key, each.player, command.hand, str(offer.odds), cite)
            yield e.RoundCorrected(
                past.number, rule.name, False, tuple(past.player), tuple(past.banker), over.winner,
                over.points, (each,), (right,), (cite,),
            )  # fmt: skip
            return
    raise Refused("no_such_bet", f"{command.player} had no such Insurance bet.", rule.cite)


def _offered_then(table: Table, over: Played, command: c.RepositionInsurance, cite: Citation) -> Offer:
    """The offer on the right hand in the window the bet was made in."""
    for offer in offers_of_round(table.book, over):
        if (offer.hand, offer.window) == (command.hand, command.window):
            return offer
    raise Refused("insurance_not_on_offer", "Nothing was on offer on that side.", cite)


def _settled_round(table: Table, number: int, cite: Citation) -> Past:
    here = table.round
    if here is not None and here.number == number and here.phase == "settled":
        return Past(
            number, tuple(here.values("player")), tuple(here.values("banker")), here.lines, void=False
        )
    return not_void(past_round(table, number, cite), cite)
