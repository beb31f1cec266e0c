"""When a bet wins, loses or comes back, and which line of its pay table is for it.

The vocabulary of winning conditions is the rulebook's; here each of its words gets its meaning on a
finished round. No stakes, no players: those are settlement's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lammer.game.hands import Round
from lammer.rulebook.betting import Bet, Commission, HandWins, Pay, Tied
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.vocabulary import Outcome

Readings = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a bet, at which odds, and the paragraphs that say so."""

    outcome: Outcome
    odds: Odds | None
    commission: Commission | None
    cites: tuple[Citation, ...]


def pair_tier(book: Rulebook, player: str, banker: str, readings: Readings | None = None) -> str:
    """How many hands are paired, from the rank each is paired in (empty when it is not).

    >>> from lammer import rulebook
    >>> book = rulebook("da-hu-ying-xiong-noncommission-insurance@2")
    >>> pair_tier(book, "K", "Q"), pair_tier(book, "K", "K"), pair_tier(book, "", "K")
    ('double', 'twin', 'single')
    >>> pair_tier(book, "K", "Q", {"twin_pair": "same_value"})
    'twin'
    """
    if not (player and banker):
        return "single" if player or banker else ""
    if player == banker:
        return "twin"
    if "twin_pair" in book.readings and book.reading("twin_pair", readings) == "same_value":
        points = book.cards.points
        return "twin" if points[player] % 10 == points[banker] % 10 else "double"
    return "double"


def judge(book: Rulebook, bet: Bet, played: Round, readings: Readings | None = None) -> Verdict:
    """What this bet comes to on this round.

    >>> from lammer import rulebook
    >>> from lammer.game.cards import parse_cards
    >>> from lammer.game.drawing import deal
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> verdict = judge(book, book.bets["banker"], deal(book, parse_cards("2S 6D 2H KC 3D")))
    >>> verdict.outcome, verdict.cites[0].paragraph
    ('lost', '3.13')
    """
    wins = bet.wins
    player, banker = played.player, played.banker
    if isinstance(wins, HandWins):
        if player.points == banker.points:
            return _tie_verdict(bet)
        margin = player.points - banker.points
        side, hand = ("player", player) if margin > 0 else ("banker", banker)
        if (
            side in wins.hands
            and hand.points in wins.totals
            and len(hand.cards) in wins.cards
            and abs(margin) in wins.by
        ):
            return _won_verdict(bet, _pay(bet, hand.points, len(hand.cards), played.cards_dealt, ""))
    elif isinstance(wins, Tied):
        if player.points == banker.points and player.points in wins.totals:
            return _won_verdict(bet, _pay(bet, player.points, 0, played.cards_dealt, ""))
    elif (len(wins.hands) == 2 or "player" in wins.hands) and player.pair:
        tier = pair_tier(book, player.pair, banker.pair, readings) if len(wins.hands) == 2 else ""
        return _won_verdict(bet, _pay(bet, 0, 0, 0, tier))
    elif "banker" in wins.hands and banker.pair:
        return _won_verdict(bet, _pay(bet, 0, 0, 0, "single" if len(wins.hands) == 2 else ""))
    return lost_verdict(bet)


def _pay(bet: Bet, total: int, cards: int, dealt: int, tier: str) -> Pay:
    """The one line that applies; `check` proved there is exactly one."""
    for pay in bet.pays:
        if pay.applies(total, cards, dealt, tier):
            return pay
    raise AssertionError(f"no line of {bet.name}'s pay table applies; check should have refused it")


def _won_verdict(bet: Bet, pay: Pay) -> Verdict:
    if pay.commission is None:
        return Verdict("won", pay.odds, None, (*pay.cites, bet.defined))
    return Verdict("won", pay.odds, pay.commission, (*pay.cites, pay.commission.cite, bet.defined))


def lost_verdict(bet: Bet) -> Verdict:
    """A bet that has lost, with the paragraphs that say what it takes to win it."""
    return Verdict("lost", None, None, (bet.defined, bet.pays[0].cites[0]))


def _tie_verdict(bet: Bet) -> Verdict:
    if bet.tie_returns is None:
        return lost_verdict(bet)
    return Verdict("returned", None, None, (bet.tie_returns,))
