"""How a round ends: settled, void, or concluded without play; and what an interruption does to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lammer.game.bets import Verdict, judge
from lammer.game.drawing import FIRST_CARDS, next_hand
from lammer.game.hands import Round as Played, finished
from lammer.game.insurance import judge_insurance, offers_of_round
from lammer.game.settlement import amounts
from lammer.rulebook.betting import Offer
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side, Window, opposite
from lammer.table import commands as c, events as e
from lammer.table.dealing import dealing, must_reconstruct
from lammer.table.records import PaidLine, Returned
from lammer.table.roles import irregularity, must_be, must_decide
from lammer.table.seating import shoe_ended
from lammer.table.state import Insured, Placed, Round, Table


def played(table: Table, here: Round) -> Played:
    """The hands on the table as a finished round."""
    return finished(table.book, here.values("player"), here.values("banker"))


def settle(table: Table, call: c.Call, command: c.Settle) -> Iterator[e.Event]:
    here = dealing(table)
    must_be(call, "dealer", table.cite("bet_pays"))
    if here.misplaced:
        raise must_reconstruct(table)
    if len(here.cards) >= FIRST_CARDS and any(not laid.face_up for laid in here.cards):
        raise _not_over(table, "a card is still face down")
    side = next_hand(table.book, here.values("player"), here.values("banker"))
    if side is not None:
        raise _not_over(table, f"the {side.capitalize()} Hand needs a card")
    yield settled(table, here.number, played(table, here), here.live())


def _not_over(table: Table, needs: str) -> Refused:
    cite = table.book.table_of_play.natural_cite
    return Refused("round_not_complete", f"The round is not over: {needs}.", cite)


def settled(table: Table, number: int, over: Played, bets: Iterable[Placed | Insured]) -> e.RoundSettled:
    """The settlement of these bets on this round."""
    player, banker = tuple(over.player.cards), tuple(over.banker.cards)
    return e.RoundSettled(number, player, banker, over.winner, over.points, tuple(paid(table, over, bets)))


def paid(table: Table, over: Played, bets: Iterable[Placed | Insured]) -> Iterator[PaidLine]:
    """The lines of these bets on this round."""
    on_offer = {(offer.hand, offer.window): offer for offer in offers_of_round(table.book, over)}
    for bet in bets:
        if isinstance(bet, Placed):
            verdict = judge(table.book, table.book.bets[bet.bet], over, table.set.readings)
            yield line(bet, verdict)
        else:
            offer = _offer(table, bet, on_offer)
            assert table.book.insurance is not None
            gone = Verdict("returned", None, None, (table.book.insurance.windows,))
            yield line(bet, judge_insurance(table.book, offer, over) if offer is not None else gone)


def _offer(table: Table, bet: Insured, on_offer: dict[tuple[Side, Window], Offer]) -> Offer | None:
    """The offer an Insurance bet stands on; None where the cards, put right, never had that window.

    Misplaced and not yet found, a bet is settled where it lies, at the odds it was taken at.
    """
    found = on_offer.get((bet.hand, bet.window))
    if found is not None:
        return found
    across = on_offer.get((opposite(bet.hand), bet.window))
    if across is None or str(across.odds) != bet.odds:
        return None
    return replace(across, hand=bet.hand)


def line(bet: Placed | Insured, verdict: Verdict) -> PaidLine:
    """One bet as a line of the record."""
    profit, commission, remainder, returned = amounts(bet.stake, verdict)
    return PaidLine(
        bet.key,
        bet.player,
        bet.box,
        bet.bet if isinstance(bet, Placed) else bet.hand,
        None if isinstance(bet, Placed) else bet.window,
        bet.stake,
        verdict.outcome,
        verdict.odds.text if verdict.odds else None,
        profit,
        commission,
        str(remainder) if remainder else "0",
        returned,
        tuple([cite.paragraph for cite in verdict.cites]),
        "" if isinstance(bet, Placed) else bet.odds,
    )


def voided(table: Table, here: Round, cause: str, cite: str) -> e.RoundVoided:
    """The round made void: every bet goes back, decided ones too."""
    returned = tuple(Returned(bet.key, bet.player, bet.stake) for bet in here.live())
    return e.RoundVoided(here.number, cause, returned, (cite, irregularity(table, "void").cite.paragraph))


def interrupt(table: Table, call: c.Call, command: c.Interrupt) -> Iterator[e.Event]:
    here = table.under_way()
    must_be(call, "dealer", table.cite("technical_interruption"))
    if here.interrupted:
        raise Refused(
            "round_is_interrupted", "The round is interrupted already.", table.cite("technical_interruption")
        )
    yield e.RoundInterrupted(here.number, command.reason, table.paragraph("technical_interruption"))


def resolve_interruption(table: Table, call: c.Call, command: c.ResolveInterruption) -> Iterator[e.Event]:
    here = table.under_way()
    must_be(call, "pit_supervisor", table.cite("technical_interruption"))
    if not here.interrupted:
        raise Refused(
            "not_interrupted", "The round is not interrupted.", table.cite("technical_interruption")
        )
    rule = irregularity(table, "technical_interruption")
    outcome = table.outcome()
    if outcome.established:
        yield e.InterruptionResolved(here.number, outcome.by, rule.paragraph("conclude_round"))
    else:
        yield voided(table, here, "technical_interruption", rule.paragraph("void_round"))


def void_round(table: Table, call: c.Call, command: c.VoidRound) -> Iterator[e.Event]:
    must_decide(table, call, command.cause, "void_round")
    rule = irregularity(table, command.cause)
    must_be(call, "pit_supervisor", rule.cite)
    here = table.round
    _must_be_so(table, command.cause)
    if here is not None and here.phase == "settled":
        # Found before the next round began: the settlement is reopened and the round voided.
        yield reopened(table, here, command.cause)
    else:
        here = table.under_way()
    yield e.IrregularityNoted(command.cause, "", rule.cite.paragraph)
    yield voided(table, here, command.cause, rule.cite.paragraph)
    if (
        command.cause in ("foreign_card", "wrong_deck", "unshuffled_cards", "shoe_ran_dry")
        and table.shoe is not None
    ):
        yield shoe_ended(table)


def _must_be_so(table: Table, cause: str) -> None:
    """Refuse a cause the table itself knows not to hold."""
    here, shoe, rule = table.round, table.shoe, irregularity(table, cause)
    virtual = shoe is not None and shoe.kind == "virtual"
    if cause == "wrong_number_of_cards" and here is not None and here.phase != "settled":
        # A reader does not see where a card fell; a virtual shoe's cards lie where the table put them.
        in_order = not here.cards or (virtual and not here.misplaced)
        if in_order:
            raise Refused("cards_in_order", "No hand has a wrong number of cards.", rule.cite)
    if virtual and cause in ("foreign_card", "wrong_deck", "unshuffled_cards"):
        raise Refused(
            "card_comes_from_shoe",
            "A virtual shoe is a whole set, shuffled and bound to its order before the first card.",
            rule.cite,
            next_step="Interrupt the round, or have the matter ruled on.",
        )
    if cause == "shoe_ran_dry" and shoe is not None and virtual and shoe.left:
        raise Refused("shoe_in_use", f"The shoe has {shoe.left} cards left.", rule.cite)


def reopened(table: Table, here: Round, reason: str) -> e.SettlementReopened:
    """The settlement undone: what is found before the next round begins is dealt with as in the round."""
    return e.SettlementReopened(here.number, reason, here.lines, table.paragraph("late_noticed_error"))
