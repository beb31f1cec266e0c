"""When a bet wins, loses or comes back, and which line of its pay table is for it.

What a condition means is the rulebook's; here a round with its cards becomes the `Finish` that conditions
ask. No stakes, no players: those are settlement's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from lammer.game.cards import Card
from lammer.game.hands import FinishedRound
from lammer.rulebook.betting import Bet, Commission, Pay
from lammer.rulebook.citation import Citation
from lammer.rulebook.conditions import Finish
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.vocabulary import Outcome

Readings = Mapping[str, str]
_RED: Final = "HD"


class Verdict(Struct, frozen=True):
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


def judge(book: Rulebook, bet: Bet, played: FinishedRound, readings: Readings | None = None) -> Verdict:
    """What this bet comes to on this round.

    >>> from lammer import rulebook
    >>> from lammer.game.cards import parse_cards
    >>> from lammer.game.drawing import deal
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> verdict = judge(book, book.bets["banker"], deal(book, parse_cards("2S 6D 2H KC 3D")))
    >>> verdict.outcome, verdict.cites[0].paragraph
    ('lost', '3.13')
    """
    return judge_finish(bet, finish_of(book, played, readings))


def judge_finish(bet: Bet, finish: Finish) -> Verdict:
    """What this bet comes to on a round that finished so."""
    if bet.wins.holds(finish):
        return _line_verdict(bet, _pay(bet, finish))
    return _tie_verdict(bet) if finish.player == finish.banker else lost_verdict(bet)


class _Verdicts(dict[str, Verdict]):
    """The verdicts on one finish, each judged when it is first asked for."""

    def __init__(self, book: Rulebook, finish: Finish) -> None:
        super().__init__()
        self._bets, self._finish = book.bets, finish

    def __missing__(self, name: str) -> Verdict:
        self[name] = verdict = judge_finish(self._bets[name], self._finish)
        return verdict


@lru_cache(maxsize=4096)
def verdicts_on(book: Rulebook, finish: Finish) -> Mapping[str, Verdict]:
    """What every bet of a rulebook comes to on a round that finished so, by name; kept for the next one.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> verdicts = verdicts_on(book, Finish(6, 9, 3, 2))
    >>> verdicts["banker"].outcome, verdicts["tie"].outcome
    ('won', 'lost')
    """
    return _Verdicts(book, finish)


def finish_of(book: Rulebook, played: FinishedRound, readings: Readings | None = None) -> Finish:
    """How a round finished, as conditions ask for it.

    >>> from lammer import rulebook
    >>> from lammer.game.cards import parse_cards
    >>> from lammer.game.drawing import deal
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> finish_of(book, deal(book, parse_cards("4S KD 4H KC")))[:7]
    (8, 0, 2, 2, 'mixed', 'mixed', False)
    """
    player, banker = played.player, played.banker
    ranks = player.pair, banker.pair
    return Finish(
        player.points,
        banker.points,
        len(player.cards),
        len(banker.cards),
        pair_suits(player.cards) if ranks[0] else "",
        pair_suits(banker.cards) if ranks[1] else "",
        bool(ranks[0] and ranks[1]) and pair_tier(book, *ranks, readings) == "twin",
        book.table_of_play.natural,
    )


def pair_suits(cards: Sequence[Card]) -> str:
    """Of which suits a pair is: one suit, two of one colour, or two colours.

    >>> [pair_suits(cards.split()) for cards in ("9H 9H", "9H 9D", "9H 9S")]
    ['same', 'one_colour', 'mixed']
    """
    first, second = cards[0][1], cards[1][1]
    if first == second:
        return "same"
    return "one_colour" if (first in _RED) == (second in _RED) else "mixed"


def _pay(bet: Bet, finish: Finish) -> Pay:
    """The one line that applies; `check` proved there is exactly one."""
    if len(bet.pays) == 1:
        return bet.pays[0]
    tier = bet.tier(finish)
    for pay in bet.pays:
        if pay.applies(finish, tier):
            return pay
    raise AssertionError(f"no line of {bet.name}'s pay table applies; check should have refused it")


def _line_verdict(bet: Bet, pay: Pay) -> Verdict:
    if pay.commission is None:
        return Verdict(pay.outcome, pay.odds, None, (*pay.cites, bet.defined))
    return Verdict(pay.outcome, pay.odds, pay.commission, (*pay.cites, pay.commission.cite, bet.defined))


def lost_verdict(bet: Bet) -> Verdict:
    """A bet that has lost, with the paragraphs that say what it takes to win it."""
    return Verdict("lost", None, None, (bet.defined, bet.pays[0].cites[0]))


def _tie_verdict(bet: Bet) -> Verdict:
    if bet.tie_returns is None:
        return lost_verdict(bet)
    return Verdict("returned", None, None, (bet.tie_returns,))
