"""How a round ends: settled, void, or concluded without play; and what an interruption does to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from lammer.game.bets import Verdict, finish_of, judge, lost_verdict, verdicts_on
from lammer.game.conclusive import Standing
from lammer.game.drawing import FIRST_CARDS, must_have_chosen, next_hand
from lammer.game.hands import FinishedRound, finish_round
from lammer.game.insurance import insurance_of, judge_insurance, limit, offers_of_round
from lammer.game.settlement import amounts
from lammer.rulebook.betting import Offer
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side, Window
from lammer.table import commands as c, events as e
from lammer.table.dealing import cards_misplaced, must_have_noted_face_up, require_dealing
from lammer.table.insuring import NOTHING, late_stake
from lammer.table.records import PaidLine, Returned
from lammer.table.roles import irregularity, must_be, must_decide
from lammer.table.seating import shoe_ended
from lammer.table.state import Insured, Placed, Round, Table


def round_result(table: Table, this_round: Round) -> FinishedRound:
    """The hands on the table as a finished round."""
    return finish_round(table.book, this_round.values("player"), this_round.values("banker"))


def settle(table: Table, call: c.Call, command: c.Settle) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    must_be(call, "dealer", table.cite("bet_pays"))
    if this_round.misplaced:
        raise cards_misplaced(table)
    if len(this_round.cards) >= FIRST_CARDS and any(not laid.face_up for laid in this_round.cards):
        raise _round_not_complete(table, "a card is still face down")
    side = next_hand(table.book, this_round.values("player"), this_round.values("banker"))
    must_have_chosen(table.book, this_round.values("player"), this_round.values("banker"))
    if side is not None:
        raise _round_not_complete(table, f"the {side.capitalize()} Hand needs a card")
    must_have_noted_face_up(table, this_round)
    yield round_settled(table, this_round, round_result(table, this_round))


def _round_not_complete(table: Table, needs: str) -> Refused:
    cite = table.book.table_of_play.natural_cite
    return Refused("round_not_complete", "The round is not over: {needs}.", cite, needs=needs)


def round_settled(table: Table, this_round: Round, result: FinishedRound) -> e.RoundSettled:
    """The settlement of a round's bets on these hands."""
    player, banker = tuple(result.player.cards), tuple(result.banker.cards)
    lines = tuple(settle_bets(table, result, this_round.live()))
    return e.RoundSettled(this_round.number, player, banker, result.winner, result.points, lines)


def settle_bets(
    rules: Table, result: FinishedRound, bets: Iterable[Placed | Insured], originals: Originals | None = None
) -> Iterator[PaidLine]:
    """The lines of these bets on this round; `originals` where not all Original Bets are among them."""
    bets = list(bets)
    on_offer = {(offer.hand, offer.window): offer for offer in offers_of_round(rules.book, result)}
    staked = InsuranceStakes(lambda: original_bets(rules, bets) if originals is None else originals)
    verdicts = verdicts_on(rules.book, finish_of(rules.book, result, rules.require_setup().readings))
    for bet in bets:
        if isinstance(bet, Placed):
            yield paid_line(bet, verdicts[bet.bet])
        else:
            yield from _settle_insurance(rules, result, bet, on_offer, staked)


Originals = Mapping[tuple[str, int, Side], int]
"""What each player has on each hand in each box."""


def original_bets(rules: Table, bets: Iterable[Placed | Insured]) -> Originals:
    """The Original Bets among these."""
    originals: Counter[tuple[str, int, Side]] = Counter()
    for bet in bets:
        if isinstance(bet, Placed) and (side := rules.book.bets[bet.bet].original) is not None:
            originals[bet.player, bet.box, side] += bet.stake
    return originals


class InsuranceStakes:
    """What of the Insurance of a round has been settled so far, against what could have been staked."""

    def __init__(self, originals: Callable[[], Originals]) -> None:
        self._originals = originals
        self.in_window: Counter[tuple[str, int, Side, Window]] = Counter()
        self.late: dict[tuple[str, int, Side], Fraction] = {}

    @cached_property
    def originals(self) -> Originals:
        """The Original Bets; asked for only where a card was another."""
        return self._originals()

    def take(self, rules: Table, bet: Insured, offer: Offer) -> tuple[int, Citation]:
        """How much of a bet could have been staked on this offer, and the paragraph that limits it."""
        key = (bet.player, bet.box, offer.hand)
        original = self.originals.get(key, 0)
        most = limit(rules.book, offer, original, rules.require_setup().differential)
        free = most.most - self.in_window[*key, bet.window]
        if bet.late:
            free = min(free, late_stake(original - self.late.get(key, NOTHING), offer.odds))
        return max(0, min(bet.stake, free)), most.cite

    def add(self, bet: Insured, offer: Offer, stake: int) -> None:
        key = (bet.player, bet.box, offer.hand)
        self.in_window[*key, bet.window] += stake
        if bet.late:
            self.late[key] = self.late.get(key, NOTHING) + stake * offer.odds.profit


def _settle_insurance(
    rules: Table,
    result: FinishedRound,
    bet: Insured,
    on_offer: Mapping[tuple[Side, Window], Offer],
    staked: InsuranceStakes,
) -> Iterator[PaidLine]:
    """The lines of an Insurance bet: two where only a part of it could have been staked as the cards were."""
    insurance = insurance_of(rules.book)
    offer = on_offer.get((bet.insures, bet.window))
    if offer is None or str(offer.odds) != bet.odds:
        if rules.reading("insurance_of_another_card") == "as_taken":
            yield paid_line(bet, _judge_insurance_bet(rules, result, bet, _offer_taken(rules, bet, offer)))
            return
        if offer is None:
            yield paid_line(bet, Verdict("returned", None, None, (insurance.windows,)))
            return
    stake, cite = bet.stake, insurance.original_bet
    if str(offer.odds) != bet.odds:
        stake, cite = staked.take(rules, bet, offer)
    staked.add(bet, offer, stake)
    if stake == bet.stake:
        yield paid_line(bet, _judge_insurance_bet(rules, result, bet, offer))
        return
    if stake:
        yield paid_line(replace(bet, stake=stake), _judge_insurance_bet(rules, result, bet, offer))
    yield paid_line(replace(bet, stake=bet.stake - stake), Verdict("returned", None, None, (cite,)))


def _judge_insurance_bet(rules: Table, result: FinishedRound, bet: Insured, offer: Offer) -> Verdict:
    """What an Insurance bet comes to. Astray and not yet found, it counts for the hand the chips lie with."""
    return judge_insurance(rules.book, replace(offer, hand=bet.hand) if bet.astray else offer, result)


def _offer_taken(rules: Table, bet: Insured, current_offer: Offer | None) -> Offer:
    """The offer a bet was taken on, at its fixed odds, whatever the cards turned out to be."""
    taken_offer = next(
        offer
        for offer in insurance_of(rules.book).offers
        if (offer.hand, offer.window, str(offer.odds)) == (bet.insures, bet.window, bet.odds)
    )
    return replace(
        taken_offer,
        tie_wins=current_offer.tie_wins if current_offer is not None else None,
        tie_loses=current_offer.tie_loses if current_offer is not None else None,
    )


_NOT_INSURED = ("", False, False, False)


def paid_line(bet: Placed | Insured, verdict: Verdict) -> PaidLine:
    """One bet as a line of the record."""
    profit, commission, remainder, returned = amounts(bet.stake, verdict)
    if isinstance(bet, Placed):
        name, window, insured = bet.bet, None, _NOT_INSURED
    else:
        name, window, insured = bet.hand, bet.window, (bet.odds, bet.late, False, bet.astray)
    return PaidLine(
        bet.key,
        bet.player,
        bet.box,
        name,
        window,
        bet.stake,
        verdict.outcome,
        verdict.odds.text if verdict.odds else None,
        profit,
        commission,
        str(remainder) if remainder else "0",
        returned,
        tuple([cite.paragraph for cite in verdict.cites]),
        *insured,
    )


def is_side_bet(rules: Table, bet: Placed) -> bool:
    """Whether a bet is a side bet: on anything but a hand."""
    return rules.book.bets[bet.bet].original is None


def judge_decided(rules: Table, bet: Placed, standing: Standing, result: FinishedRound) -> Verdict:
    """The verdict on a bet that is decided already: these hands need not be what the round would end on."""
    offered = rules.book.bets[bet.bet]
    if standing == "lost":
        return lost_verdict(offered)
    return judge(rules.book, offered, result, rules.require_setup().readings)


def round_voided(table: Table, this_round: Round, cause: str, cite: str) -> e.RoundVoided:
    """The round made void: every bet goes back, decided ones too."""
    returned = tuple(Returned(bet.key, bet.player, bet.stake) for bet in this_round.live())
    return e.RoundVoided(
        this_round.number, cause, returned, (cite, irregularity(table, "void").cite.paragraph)
    )


def interrupt(table: Table, call: c.Call, command: c.Interrupt) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_be(call, "dealer", table.cite("technical_interruption"))
    if this_round.interrupted:
        raise Refused(
            "round_is_interrupted", "The round is interrupted already.", table.cite("technical_interruption")
        )
    yield e.RoundInterrupted(this_round.number, command.reason, table.paragraph("technical_interruption"))


def resolve_interruption(table: Table, call: c.Call, command: c.ResolveInterruption) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_be(call, "pit_supervisor", table.cite("technical_interruption"))
    if not this_round.interrupted:
        raise Refused(
            "not_interrupted", "The round is not interrupted.", table.cite("technical_interruption")
        )
    rule = irregularity(table, "technical_interruption")
    outcome = table.outcome()
    if outcome.established:
        yield e.InterruptionResolved(this_round.number, outcome.by, rule.paragraph("conclude_round"))
    else:
        yield round_voided(table, this_round, "technical_interruption", rule.paragraph("void_round"))


def void_round(table: Table, call: c.Call, command: c.VoidRound) -> Iterator[e.Event]:
    must_decide(table, call, command.cause, "void_round")
    rule = irregularity(table, command.cause)
    must_be(call, "pit_supervisor", rule.cite)
    this_round = table.round
    _must_be_possible(table, command.cause)
    if this_round is not None and this_round.phase == "settled":
        # Found before the next round began: the settlement is reopened and the round voided.
        yield settlement_reopened(table, this_round, command.cause, rule.cite.paragraph)
    else:
        this_round = table.require_round()
    yield e.IrregularityNoted(command.cause, "", rule.cite.paragraph)
    yield round_voided(table, this_round, command.cause, rule.cite.paragraph)
    if command.cause != "wrong_number_of_cards" and table.shoe is not None:
        yield shoe_ended(table)


def _must_be_possible(table: Table, cause: str) -> None:
    """Refuse a cause the table itself knows not to hold."""
    this_round, shoe, rule = table.round, table.shoe, irregularity(table, cause)
    virtual = shoe is not None and shoe.kind == "virtual"
    if cause == "wrong_number_of_cards":
        # A reader does not see where a card fell; a virtual shoe's cards lie where the table put them.
        if this_round is not None and (
            not this_round.cards or (this_round.setup.shoe == "virtual" and not this_round.misplaced)
        ):
            raise Refused("cards_in_order", "No hand has a wrong number of cards.", rule.cite)
    elif this_round is not None and table.is_over(this_round):
        raise Refused(
            "round_is_over",
            "Round {round} is settled and over; this voids only a round under way.",
            rule.cite,
            next_step="The next round is voided if the fault is still there.",
            round=this_round.number,
        )
    if virtual and cause in ("foreign_card", "wrong_deck", "unshuffled_cards"):
        raise Refused(
            "card_comes_from_shoe",
            "A virtual shoe is a whole set, shuffled and bound to its order before the first card.",
            rule.cite,
            next_step="Interrupt the round, or have the matter ruled on.",
        )
    if cause == "shoe_ran_dry":
        _must_lack_cards(table, rule.cite)


def _must_lack_cards(table: Table, cite: Citation) -> None:
    """Refuse unless fewer cards are left than the round surely still needs."""
    this_round, shoe = table.round, table.shoe
    if this_round is None or shoe is None:
        return
    left = shoe.left + len(table.carried)
    if left < _cards_needed(table, this_round):
        return
    if not _cards_needed(table, this_round):
        raise Refused(
            "shoe_in_use", "The round needs no further card.", cite, next_step="Complete the round."
        )
    raise Refused(
        "shoe_in_use",
        "The round can be completed: the shoe has {left} cards left.",
        cite,
        next_step="Complete the round.",
        left=left,
    )


def _cards_needed(table: Table, this_round: Round) -> int:
    """How many cards the round needs at least, by the cards that are open."""
    if len(this_round.cards) < FIRST_CARDS:
        return FIRST_CARDS - len(this_round.cards)
    return int(table.due(table.cards_in_order(this_round)) is not None)


def settlement_reopened(table: Table, this_round: Round, reason: str, paragraph: str) -> e.SettlementReopened:
    """The settlement undone, under the paragraph that asks for it, so that it can be put right."""
    return e.SettlementReopened(this_round.number, reason, tuple(lines_to_judge(this_round.lines)), paragraph)


def lines_to_judge(lines: Iterable[PaidLine]) -> Iterator[PaidLine]:
    """The lines a correction judges anew: all but those of bets that were given back."""
    return (line for line in lines if not line.given_back)
