"""Insurance: on which hand it is offered, at which odds, the most that may be staked, what it pays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lammer.academy.dice import Dice
from lammer.academy.grading import normal_odds
from lammer.academy.items import Choice, Item, cited
from lammer.academy.rounds import Hands, at_a_decision, finished_where, hands_where
from lammer.game.bets import Verdict
from lammer.game.drawing import next_hand
from lammer.game.hands import FinishedRound, total
from lammer.game.insurance import insurance_of, judge_insurance, limit, offers, offers_of_round
from lammer.game.money import Amount, show
from lammer.game.settlement import amounts
from lammer.rulebook.betting import Offer
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.vocabulary import opposite
from lammer.rulebook.wording import HANDS, MOMENTS

_ON_OFFER: Final = (
    Choice("player", Phrase("On Player only")),
    Choice("banker", Phrase("On Banker only")),
    Choice("both", Phrase("On Player and on Banker")),
    Choice("none", Phrase("On neither")),
)
_ORIGINALS: Final = (50_00, 100_00, 250_00, 500_00, 1_000_00, 2_500_00, 4_000_00)
_MAXIMUMS: Final = (1_000_00, 3_000_00, 5_000_00, 10_000_00)


def insurance_item(book: Rulebook, dice: Dice, seed: int) -> Item:
    """One of the four questions about Insurance."""
    make: tuple[Callable[[Rulebook, Dice, int], Item], ...] = (_offer, _odds, _limit, _pays)
    return dice.pick(make)(book, dice, seed)


def _offer(book: Rulebook, dice: Dice, seed: int) -> Item:
    hands = at_a_decision(book, dice) if dice.one_in(2) else _insurable(book, dice)
    on_offer = offers(book, *hands)
    names = {offer.hand for offer in on_offer}
    answer = "both" if len(names) == 2 else next(iter(names), "none")
    rules = insurance_of(book)
    drawing = next_hand(book, *hands) is not None
    because = Phrase(
        "Player has {player}, Banker {banker}, and a card is still to come: the pay table is asked.",
        **_points(book, hands),
    )
    if not drawing:
        because = Phrase("No card is to come, so there is nothing to insure against.")
    first = [offer.cite for offer in on_offer] or [rules.windows if drawing else rules.still_to_draw]
    return Item(
        "insurance",
        "offer",
        book.id,
        seed,
        Phrase("On which hand is Insurance offered now?"),
        "choice",
        answer,
        because,
        cited(*first, rules.windows, rules.still_to_draw),
        _ON_OFFER,
        hands,
    )


def _odds(book: Rulebook, dice: Dice, seed: int) -> Item:
    hands = _insurable(book, dice)
    if not offers(book, *hands):
        return _offer(book, dice, seed)
    offer = dice.pick(offers(book, *hands))
    return Item(
        "insurance",
        "odds",
        book.id,
        seed,
        Phrase("Insurance on {hand}: at which odds?", hand=HANDS[offer.hand]),
        "odds",
        normal_odds(offer.odds.profit),
        _listed(book, offer, hands),
        cited(offer.cite),
        (),
        hands,
        facts={"hand": offer.hand},
    )


def _limit(book: Rulebook, dice: Dice, seed: int) -> Item:
    hands = _insurable(book, dice)
    if not offers(book, *hands):
        return _offer(book, dice, seed)
    offer = dice.pick(offers(book, *hands))
    original, maximum = dice.pick(_ORIGINALS), dice.pick(_MAXIMUMS)
    original = min(original, maximum)
    most = limit(book, offer, original, maximum)
    return Item(
        "insurance",
        "limit",
        book.id,
        seed,
        Phrase(
            "Original Bet on {hand} {original}, the table's maximum Differential {maximum}: "
            "the most that may be staked on Insurance?",
            hand=HANDS[offer.hand],
            original=Amount(original),
            maximum=Amount(maximum),
        ),
        "money",
        show(most.most),
        Phrase("At {odds} no more than {most} may be staked.", odds=offer.odds, most=Amount(most.most)),
        cited(most.cite, offer.cite),
        (),
        hands,
        facts={"hand": offer.hand, "original": show(original), "maximum": show(maximum)},
    )


def _pays(book: Rulebook, dice: Dice, seed: int) -> Item:
    winning = dice.below(4)

    def holds(played: FinishedRound) -> bool:
        judged = [judge_insurance(book, offer, played).outcome for offer in offers_of_round(book, played)]
        return bool(judged) and (not winning or "won" in judged)

    cards, played = finished_where(book, dice, holds)
    found = tuple(offers_of_round(book, played))
    if not found:
        return _odds(book, dice, seed)
    offer = dice.pick(found)
    verdict = judge_insurance(book, offer, played)
    stake = dice.pick((10_00, 25_00, 50_00, 75_00, 150_00)) * dice.between(1, 6)
    if book.reading("rounding") == "even_stakes_only":
        stake += -stake % offer.odds.profit.denominator
    profit = amounts(stake, verdict)[0]
    return Item(
        "insurance",
        "pays",
        book.id,
        seed,
        Phrase(
            "{stake} Insurance on {hand}, taken {moment}: what is paid besides the stake?",
            stake=Amount(stake),
            hand=HANDS[offer.hand],
            moment=MOMENTS[offer.window],
        ),
        "money",
        show(profit),
        _verdict_words(verdict, offer),
        cited(*verdict.cites),
        (),
        (played.player.cards, played.banker.cards),
        facts={
            "cards": " ".join(cards),
            "hand": offer.hand,
            "window": offer.window,
            "stake": show(stake),
        },
    )


def _insurable(book: Rulebook, dice: Dice) -> Hands:
    """Hands on which something is on offer, where dealing a while finds some."""
    return hands_where(book, dice, lambda dealt: bool(offers(book, *dealt)))


def _points(book: Rulebook, hands: Hands) -> dict[str, int]:
    return {"player": total(book, hands[0]), "banker": total(book, hands[1])}


def _listed(book: Rulebook, offer: Offer, hands: Hands) -> Phrase:
    points = _points(book, hands)
    return Phrase(
        "{hand} has {own} against {other}: {odds}.",
        hand=HANDS[offer.hand],
        own=points[offer.hand],
        other=points[opposite(offer.hand)],
        odds=offer.odds,
    )


def _verdict_words(verdict: Verdict, offer: Offer) -> Phrase:
    if verdict.outcome == "won":
        return Phrase("It wins at {odds}.", odds=offer.odds)
    if verdict.outcome == "returned":
        return Phrase("It goes back: nothing is paid.")
    return Phrase("The insured hand won, so Insurance loses.")
