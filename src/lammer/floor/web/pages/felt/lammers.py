"""The Insurance a player is offered, as a page says it: odds, most, the exact chance, what it costs.

The chance is what `views` lets players see of it: nothing at a table that is set up without it, and the page
says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from lammer.floor.views.insurance_chances import chances_seen
from lammer.game.cards import Card
from lammer.game.insurance import offers
from lammer.game.money import show, winnings
from lammer.rulebook.betting import Offer
from lammer.rulebook.odds import Odds
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Outcome
from lammer.table.insuring import OfferTo, insurable_hands, offers_to
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips, write_count, write_list

CHIP_CHOICES: Final = 3
"""Chips to insure with, besides the most."""


@dataclass(frozen=True, slots=True)
class StakeChoice:
    """What may be staked: as a form sends it, as it is read, and what it would win."""

    stake: str
    label: str
    winnings: str


@dataclass(frozen=True, slots=True)
class Lammer:
    """One offer, to be shown: amounts as they may be staked, shares in percent, empty if not counted.

    `most` is what they can stake, in cents: what may be staked, and no more than they own where chips are
    counted; `amounts` are among what that leaves. `insured` is what the player has on it already;
    `taken_back`: they were waited for, and are no longer.
    """

    offer: OfferTo
    box_name: str
    most: int
    amounts: tuple[StakeChoice, ...]
    on_tie: Outcome
    tie_cite: str
    chance: str
    exact: str
    cost: str
    gains: bool
    announced: bool
    declined: bool
    taken_back: bool
    insured: str


def offered_lammers(
    table: Table,
    player: str,
    round_seen: dict[str, Any],
    language: Language,
    chips: tuple[int, ...],
    owned: int | None = None,
) -> tuple[Lammer, ...]:
    """What this player is offered now; `round_seen` is the round as they see it, `chips` are their rack's.

    `owned` is what they could stake, at this table and from their purse, in cents; None where nobody counts.
    """
    try:
        offered = offers_to(table, player)
    except Refused:
        return ()
    hands = tuple(tuple(round_seen["hands"][side]["cards"]) for side in ("player", "banker"))
    before = round_seen["window"] == "two_cards"
    if not offered or (not before and any("" in hand for hand in hands)):
        return ()
    worths = chances_seen(table, round_seen)
    players, bankers = ([Card(card) for card in hand if card] for hand in hands)
    # Offered late it may be at the odds of a situation that has passed, whose chances are not counted here.
    listed = [*offers(table.book, players[:2], bankers[:2]), *offers(table.book, players, bankers)]
    now = {offer.hand: offer for offer in offers(table.book, players, bankers)}
    this_round, even = table.round, table.reading("rounding") == "even_stakes_only"
    declined = this_round.declined if this_round is not None else set()
    taken_back = this_round.taken_back if this_round is not None else set()
    lammers = []
    for offer in offered:
        rule = next((candidate for candidate in reversed(listed) if _is_that(candidate, offer)), None)
        if rule is None or offer.most <= 0:
            continue
        worth = worths.get(offer.hand) if rule is now.get(offer.hand) else None
        insurance = table.book.insurance
        assert insurance is not None
        most = offer.most if owned is None else min(offer.most, max(0, owned))
        cite = (rule.tie_wins or rule.tie_loses or insurance.tie_returns).paragraph
        lammers.append(
            Lammer(
                offer,
                table.require_setup().box_name(offer.box),
                most,
                _amounts(most, chips, rule.odds, language, even=even),
                rule.on_tie,
                cite,
                percent(worth.won) if worth else "",
                _fraction(worth.won, language) if worth else "",
                hundredths(abs(worth.worth) * 100) if worth else "",
                bool(worth and worth.worth > 0),
                {"player": player, "box": offer.box, "hand": offer.hand} in round_seen["announced"],
                (player, offer.box, offer.hand) in declined,
                (player, offer.box, offer.hand) in taken_back,
                _insured(offer, player, round_seen, language),
            )
        )
    return tuple(lammers)


def _insured(offer: OfferTo, player: str, round_seen: dict[str, Any], language: Language) -> str:
    """What a player has on the Insurance of a hand in a box, as it is read; empty where nothing."""
    place = player, offer.box, offer.hand
    staked = sum(
        bet["stake"]
        for bet in round_seen["insurance"]
        if (bet["player"], bet["box"], bet["hand"]) == place and bet["window"] == round_seen["window"]
    )
    return write_chips(language, staked) if staked else ""


def _fraction(chance: Fraction, language: Language) -> str:
    return f"{write_count(language, chance.numerator)}/{write_count(language, chance.denominator)}"


def _is_that(listed: Offer, offer: OfferTo) -> bool:
    """Whether this is the offer of the document that a player is made."""
    return (listed.hand, str(listed.odds), listed.cite.paragraph) == (offer.hand, offer.odds, offer.cite)


def stakes_to_choose(most: int, chips: tuple[int, ...], odds: Odds, *, even: bool) -> tuple[int, ...]:
    """What a player may choose to stake, in cents: the largest chips of their rack, and the most there is.

    Where only stakes that pay whole cents are taken, no other is among them.

    >>> stakes_to_choose(75_00, (5, 10, 25, 50, 100, 500), Odds.parse("3:2"), even=False)
    (1000, 2500, 5000, 7500)
    >>> stakes_to_choose(3_33, (5, 10), Odds.parse("3:2"), even=True)
    (332,)
    """
    unit = odds.profit.denominator if even else 1
    largest = most - most % unit
    below = [chip * 100 for chip in chips if chip * 100 < largest and chip * 100 % unit == 0]
    return tuple(stake for stake in (*below[-CHIP_CHOICES:], largest) if stake)


def _amounts(
    most: int, chips: tuple[int, ...], odds: Odds, language: Language, *, even: bool
) -> tuple[StakeChoice, ...]:
    return tuple(
        StakeChoice(
            show(stake), write_chips(language, stake), write_chips(language, winnings(stake, odds)[0])
        )
        for stake in stakes_to_choose(most, chips, odds, even=even)
    )


@dataclass(frozen=True, slots=True)
class NoInsurance:
    """Why somebody cannot insure while others may, and the paragraph."""

    sentence: str
    cite: str


def why_no_insurance(table: Table, player: str, language: Language) -> NoInsurance | None:
    """Why this player is offered nothing in the open window."""
    this_round = table.round
    if this_round is None or this_round.window is None:
        return None
    if player in this_round.forgone:
        sentence, behaviour = say(language, "You let Insurance pass in this round."), "insurance_forgone"
    elif any(holder == player for holder, _ in insurable_hands(table, this_round)):
        sentence, behaviour = say(language, "You have insured all that may be insured."), "insurance_limit"
    else:
        names = {"player": say(language, "Player"), "banker": say(language, "Banker")}
        hands = write_list(language, [names[offer.hand] for offer in this_round.offers])
        sentence = say(language, "Only bets on {hands} can be insured now, and you have none.", hands=hands)
        behaviour = "insurance_right"
    return NoInsurance(sentence, table.paragraph(behaviour))


def percent(share: Fraction) -> str:
    """A share in percent, to two places.

    >>> percent(Fraction(4, 13))
    '30.77'
    """
    return hundredths(share * 100)


def hundredths(amount: Fraction) -> str:
    """An amount to two places, rounded half up.

    >>> hundredths(Fraction(1, 8)), hundredths(Fraction(20, 3))
    ('0.13', '6.67')
    """
    cents = (amount * 100 + Fraction(1, 2)).__floor__()
    return f"{cents // 100}.{cents % 100:02d}"
