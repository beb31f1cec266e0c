"""Insurance: what is on offer, how much may be bet, what it comes to.

An offer stands on a listed situation while the Table of Play still calls for a card. There are three
windows: after two cards, with one hand shown and nothing of the other; after four cards; and after the
Player's third card when the Banker must draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from lammer.game.bets import Verdict
from lammer.game.cards import Card
from lammer.game.drawing import FIRST_CARDS, third_card_decisions
from lammer.game.hands import FinishedRound, total
from lammer.game.money import show
from lammer.rulebook.betting import Insurance, Offer, ShareOfOriginal
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Window, opposite


class Limit(Struct, frozen=True):
    """The most Insurance may be bet, in cents, why, and under which code more is refused."""

    most: int
    because: str
    code: str
    cite: Citation


def insurance_of(book: Rulebook) -> Insurance:
    """The document's Insurance, or `no_insurance_here`."""
    if book.insurance is None:
        raise Refused(
            "no_insurance_here",
            "{game} has no Insurance.",
            book.bets_cite,
            next_step="Choose a rulebook with Insurance Plus.",
            game=book.title,
        )
    return book.insurance


def window(book: Rulebook, player: Sequence[Card], banker: Sequence[Card]) -> Window | None:
    """The window these hands stand in, or None where no card is to come.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> window(book, ["QS", "6H"], ["3D", "AC"]), window(book, ["QS", "6H"], ["3D", "4C"])
    ('four_cards', None)
    >>> window(book, ["QS", "6H"], [])
    'two_cards'
    """
    if sorted((len(player), len(banker))) == [0, 2]:
        return "two_cards"
    if len(banker) != 2 or len(player) + len(banker) < FIRST_CARDS:
        return None
    decisions = third_card_decisions(book, player, banker)
    if len(player) == 2:
        return "four_cards" if any(decision.draws for decision in decisions) else None
    return "third_card" if decisions[1].draws else None


def offers(book: Rulebook, player: Sequence[Card], banker: Sequence[Card]) -> tuple[Offer, ...]:
    """What is on offer now, with these cards exposed and no more.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> [(o.hand, str(o.odds), o.cite.paragraph) for o in offers(book, ["QS", "6H"], ["3D", "AC"])]
    [('player', '5:2', '4.1.14')]
    """
    now = window(book, player, banker) if book.insurance else None
    if book.insurance is None or now is None:
        return ()
    points = [total(book, cards) if cards else None for cards in (player, banker)]
    return _offers_in(book, now, *points)


@lru_cache(maxsize=8192)
def _offers_in(book: Rulebook, window: Window, player: int | None, banker: int | None) -> tuple[Offer, ...]:
    """What the pay table lists for these totals in an open window; None is a hand without cards."""
    points = {"player": player, "banker": banker}
    return tuple(
        offer
        for offer in insurance_of(book).offers
        if offer.window == window
        and points[offer.hand] in offer.own
        and (window == "two_cards" or points[opposite(offer.hand)] in offer.other)
    )


def offers_of_round(book: Rulebook, played: FinishedRound) -> Iterator[Offer]:
    """Everything that was on offer at some moment of a finished round, whichever hand was shown first."""
    player, banker = played.player.cards, played.banker.cards
    yield from offers(book, player[:2], ())
    yield from offers(book, (), banker[:2])
    yield from offers(book, player[:2], banker[:2])
    if len(player) == 3:
        yield from offers(book, player, banker[:2])


def must_insure_once(book: Rulebook, player: str, window: Window, others: Iterable[Window | None]) -> None:
    """Refuse a second window on one Original Bet where the rulebook lets it be insured once a round."""
    once = book.insurance.once if book.insurance else None
    if once is not None and any(other != window for other in others):
        raise Refused(
            "insured_before",
            "{player} has insured that bet in this round already, and it may be insured once.",
            once,
            player=player,
        )


def limit(book: Rulebook, offer: Offer, original: int, maximum: int | None) -> Limit:
    """The most that may be bet on an offer, given the Original Bet and the table's maximum.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> nine = [offer for offer in book.insurance.offers if 9 in offer.own][0]
    >>> limit(book, nine, original=500_000, maximum=1_000_000).most
    250000
    """
    insurance = insurance_of(book)
    least = Limit(
        original,
        f"the Original Bet of {show(original)}",
        "insurance_above_original_bet",
        insurance.original_bet,
    )
    for of_original in insurance.shares_of_original:
        if of_original.limits(offer):
            least = _least(least, _limit_of_original(of_original, offer, original))
    for share in insurance.shares:
        if share.odds.profit != offer.odds.profit:
            continue
        if maximum is None:
            raise Refused(
                "maximum_not_given",
                "Insurance at {odds} is limited by the table's maximum, which is not given.",
                share.cite,
                next_step='Give the table\'s maximum, for example "maximum": "10000".',
                odds=offer.odds.spoken,
            )
        most = int(maximum * share.share)
        if most < least.most:
            percent = share.share * 100
            because = f"{percent}% of the maximum of {show(maximum)}"
            least = Limit(most, because, "insurance_above_share_of_maximum", share.cite)
    return least


def _limit_of_original(limit: ShareOfOriginal, offer: Offer, original: int) -> Limit:
    """The most that may be bet where the Original Bet limits the stake, or what it may win."""
    percent = limit.share * 100
    if limit.what == "stake":
        most = int(original * limit.share)
        because = f"{percent}% of the Original Bet of {show(original)}"
    else:
        most = int(original * limit.share / offer.odds.profit)
        because = f"what would win {percent}% of the Original Bet of {show(original)}"
    return Limit(most, because, "insurance_above_share_of_original", limit.cite)


def _least(one: Limit, other: Limit) -> Limit:
    return other if other.most < one.most else one


def judge_insurance(book: Rulebook, offer: Offer, played: FinishedRound) -> Verdict:
    """What an Insurance bet on this offer comes to on this round.

    >>> from lammer import rulebook
    >>> from lammer.game.cards import parse_cards
    >>> from lammer.game.drawing import deal
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> played = deal(book, parse_cards("QS 3D 6H AC 5D"))
    >>> [judge_insurance(book, offer, played).outcome for offer in offers_of_round(book, played)]
    ['won']
    """
    insurance = insurance_of(book)
    if played.winner == opposite(offer.hand):
        return Verdict("won", offer.odds, None, (offer.cite, insurance.right))
    if played.winner == "tie":
        if offer.tie_wins is not None:
            return Verdict("won", offer.odds, None, (offer.cite, offer.tie_wins))
        if offer.tie_loses is not None:
            return Verdict("lost", None, None, (offer.tie_loses, offer.cite))
        return Verdict("returned", None, None, (insurance.tie_returns, book.tie))
    return Verdict("lost", None, None, (insurance.right, offer.cite))
