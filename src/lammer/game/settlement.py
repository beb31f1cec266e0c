"""Cards + bets + Insurance -> cited lines of money.

Everything is checked before anything is settled: the readings, the layout, the decks, the cards, every
bet, every Insurance. Then each bet becomes one line; nothing is added up that a line does not show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from lammer.game.bets import Readings, Verdict, finish_of, verdicts_on
from lammer.game.cards import Card
from lammer.game.drawing import deal
from lammer.game.hands import FinishedRound
from lammer.game.insurance import insurance_of, judge_insurance, limit, must_insure_once, offers_of_round
from lammer.game.money import LARGEST, NOTHING, Amount, winnings
from lammer.game.shoe import must_allow_decks, must_fit
from lammer.rulebook.betting import Offer, Pay
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.playing import chosen_by
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import Outcome, Side, Window

SETTLEMENT_READINGS = ("twin_pair", "rounding")


class PlacedBet(Struct, frozen=True):
    """A bet on the layout, its stake in cents."""

    player: str
    box: int
    bet: str
    stake: int


class PlacedInsurance(Struct, frozen=True):
    """An Insurance bet, its stake in cents."""

    player: str
    box: int
    hand: Side
    window: Window
    stake: int


class Line(Struct, frozen=True):
    """What one bet came to.

    `profit` is what the player wins on top of the stake, after commission. `returned` is everything
    that goes back to them, stake and profit, so that `returned - stake` is their gain or loss on this line.
    `remainder` is the fraction of a cent that rounding down cut off the profit.
    """

    player: str
    box: int
    bet: str
    window: Window | None
    stake: int
    outcome: Outcome
    odds: Odds | None
    profit: int
    commission: int
    remainder: Fraction
    returned: int
    cites: tuple[Citation, ...]

    @property
    def net(self) -> int:
        return self.returned - self.stake


class Settlement(Struct, frozen=True):
    """A settled round: the rulebook it stands on, the readings chosen, the cards, the lines, each gain."""

    rulebook: str
    sha256: str
    readings: Mapping[str, str]
    result_cite: str
    round: FinishedRound
    lines: tuple[Line, ...]
    net: Mapping[str, int]


def settle(
    book: Rulebook,
    layout: str,
    cards: Sequence[Card],
    bets: Sequence[PlacedBet],
    insurance: Sequence[PlacedInsurance] = (),
    *,
    decks: int | None = None,
    maximum: int | None = None,
    readings: Readings | None = None,
    choices: Mapping[Side, bool] | None = None,
) -> Settlement:
    """Settle one complete round; where a hand may draw, `choices` say whether it did.

    >>> from lammer import rulebook
    >>> from lammer.game.cards import parse_cards
    >>> settled = settle(
    ...     rulebook("tiger-buffalo-noncommission-insurance@3"),
    ...     "C",
    ...     parse_cards("QS 3D 6H AC 5D"),
    ...     [PlacedBet("p1", 1, "player", 100_00)],
    ...     [PlacedInsurance("p1", 1, "player", "four_cards", 50_00)],
    ... )
    >>> [(line.bet, line.outcome, line.net) for line in settled.lines], dict(settled.net)
    ([('player', 'lost', -10000), ('player', 'won', 12500)], {'p1': 2500})
    """
    book = chosen_by(book, choices or {})
    readings = readings or {}
    must_bear_on_settlement(book, readings)
    felt = book.layout(layout)
    decks = book.cards.usual_decks if decks is None else decks
    must_allow_decks(book, decks)
    must_fit(book, decks, cards)
    played = deal(book, cards)
    for placed in bets:
        _must_be_on_offer(book, felt, placed, readings)
    insured = _insurance_offers(book, felt, played, bets, insurance, maximum, readings)
    verdicts = verdicts_on(book, finish_of(book, played, readings))
    lines = [
        line_for(placed.player, placed.box, placed.bet, None, placed.stake, verdicts[placed.bet])
        for placed in bets
    ]
    lines += [
        line_for(
            placed.player,
            placed.box,
            placed.hand,
            placed.window,
            placed.stake,
            judge_insurance(book, offer, played),
        )
        for placed, offer in zip(insurance, insured, strict=True)
    ]
    net: dict[str, int] = {}
    for line in lines:
        net[line.player] = net.get(line.player, 0) + line.returned - line.stake
    result_cite = (book.tie if played.winner == "tie" else book.winner).paragraph
    return Settlement(book.id, book.sha256, readings, result_cite, played, tuple(lines), net)


def must_bear_on_settlement(book: Rulebook, readings: Readings) -> None:
    """Refuse a reading the rulebook does not list, or one that settling a round does not turn on."""
    book.must_allow(readings)
    for name in readings:
        if name not in SETTLEMENT_READINGS:
            raise Refused(
                "unknown_reading",
                "The reading {name} does not bear on settling a round.",
                book.readings[name].cites[0],
                next_step="Those that do: {readings}.",
                name=name,
                readings=", ".join(SETTLEMENT_READINGS),
            )


def amounts(stake: int, verdict: Verdict) -> tuple[int, int, Fraction, int]:
    """What a verdict makes of a stake: profit, commission, the fraction cut off, and all that is returned."""
    odds = verdict.odds
    if odds is None:
        return 0, 0, NOTHING, stake if verdict.outcome == "returned" else 0
    profit, remainder = winnings(stake, odds)
    commission = 0
    if verdict.commission is not None:
        commission = winnings(stake, verdict.commission.of)[0] - profit
    return profit, commission, remainder, stake + profit


def line_for(player: str, box: int, bet: str, window: Window | None, stake: int, verdict: Verdict) -> Line:
    """One bet turned into money by its verdict."""
    profit, commission, remainder, returned = amounts(stake, verdict)
    return Line(
        player,
        box,
        bet,
        window,
        stake,
        verdict.outcome,
        verdict.odds,
        profit,
        commission,
        remainder,
        returned,
        verdict.cites,
    )


def _must_be_on_offer(book: Rulebook, felt: Layout, placed: PlacedBet, readings: Readings) -> None:
    bet = book.offer(felt, placed.bet)
    _must_be_placed(book, felt, placed)
    must_pay_evenly(book, placed.stake, bet.pays, bet.title, readings)


def must_name_player(name: str) -> None:
    """Refuse what is no name to pay to: empty, with spaces around it, or with characters nobody can see."""
    if not name or name != name.strip() or not name.isprintable():
        raise Refused(
            "not_a_player",
            "{name} is not a player's name.",
            next_step="A name is text that can be printed, without spaces around it.",
            name=repr(name[:40]),
        )


def _must_be_placed(book: Rulebook, felt: Layout, placed: PlacedBet | PlacedInsurance) -> None:
    must_name_player(placed.player)
    if not 1 <= placed.box <= felt.most:
        raise Refused(
            "no_such_box",
            "Layout {layout} has boxes 1 to {most}, not {box}.",
            book.boxes_cite,
            layout=felt.appendix,
            most=felt.most,
            box=placed.box,
        )
    if not isinstance(placed.stake, int) or not 0 < placed.stake <= LARGEST:
        raise Refused(
            "not_an_amount",
            "{player}'s stake is {stake} cents.",
            player=placed.player,
            stake=repr(placed.stake),
        )


def must_pay_evenly(
    book: Rulebook, stake: int, pays: Sequence[Pay | Offer], title: str, readings: Readings
) -> None:
    """Refuse a stake whose winnings would not be whole cents, where the reading chosen asks for that."""
    if book.reading("rounding", readings) != "even_stakes_only":
        return
    for odds in filter(None, (pay.odds for pay in pays)):
        if winnings(stake, odds)[1]:
            raise Refused(
                "does_not_pay_evenly",
                "{title} at {odds} on {stake} does not come out in whole cents.",
                book.readings["rounding"].cites[0],
                next_step="Bet a multiple of {multiple}.",
                title=title,
                odds=odds.spoken,
                stake=Amount(stake),
                multiple=Amount(odds.profit.denominator),
            )


_MOMENTS: Final[Mapping[Window, str]] = {
    "two_cards": "before the other hand is shown",
    "four_cards": "after four cards",
    "third_card": "after the Player's third card",
}


def _insurance_offers(
    book: Rulebook,
    felt: Layout,
    played: FinishedRound,
    bets: Sequence[PlacedBet],
    insurance: Sequence[PlacedInsurance],
    maximum: int | None,
    readings: Readings,
) -> list[Offer]:
    """The offer each Insurance bet was made on, once all of them are found to be within the rules."""
    if not insurance:
        return []
    rules = insurance_of(book)
    on_offer = {(offer.hand, offer.window): offer for offer in offers_of_round(book, played)}
    originals = _originals(book, bets)
    staked: dict[tuple[str, int, Side, Window], int] = {}
    chosen = []
    for placed in insurance:
        _must_be_placed(book, felt, placed)
        offer = on_offer.get((placed.hand, placed.window))
        hand = f"{placed.hand.capitalize()} Hand"
        moment = _MOMENTS[placed.window]
        if offer is None:
            raise Refused(
                "insurance_not_on_offer",
                "Insurance on the {hand} was not on offer {moment}.",
                rules.windows,
                next_step="On offer in this round: {offers}."
                if on_offer
                else "In this round no Insurance was on offer at any time.",
                hand=Term(hand),
                moment=Term(moment),
                offers=_list_offers(on_offer.values()),
            )
        original = originals.get((placed.player, placed.box, placed.hand), 0)
        if not original:
            raise Refused(
                "nothing_to_insure",
                "{player} has no Original Bet on the {hand} in box {box}.",
                rules.right,
                next_step="Only an Original Bet on that hand in that box can be insured.",
                player=placed.player,
                hand=Term(hand),
                box=placed.box,
            )
        place = placed.player, placed.box, placed.hand
        must_insure_once(
            book, placed.player, placed.window, [window for *other, window in staked if (*other,) == place]
        )
        key = (*place, placed.window)
        staked[key] = staked.get(key, 0) + placed.stake
        # More than the Original Bet is too much whatever the maximum is, so that it need not be known.
        most = limit(book, offer, original, original * LARGEST if staked[key] > original else maximum)
        if staked[key] > most.most:
            raise Refused(
                most.code,
                "{player} bets {staked} Insurance {moment}, more than {because}.",
                most.cite,
                next_step="Up to {most} may be bet.",
                player=placed.player,
                staked=Amount(staked[key]),
                moment=Term(moment),
                because=most.because,
                most=Amount(most.most),
            )
        must_pay_evenly(book, placed.stake, (offer,), "Insurance", readings)
        chosen.append(offer)
    return chosen


def _originals(book: Rulebook, bets: Sequence[PlacedBet]) -> dict[tuple[str, int, Side], int]:
    """The Original Bet of each player in each box on each hand."""
    originals: dict[tuple[str, int, Side], int] = {}
    for placed in bets:
        side = book.bets[placed.bet].original
        if side is not None:
            key = (placed.player, placed.box, side)
            originals[key] = originals.get(key, 0) + placed.stake
    return originals


def _list_offers(offers: Iterable[Offer]) -> str:
    return ", ".join(f"{offer.hand} / {offer.window} at {offer.odds.spoken}" for offer in offers)
