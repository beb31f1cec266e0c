"""Which side bets won in each round of the shoe, whether anybody had bet on them: for marks on the roads.

Worked out from the cards of settled rounds, which everybody has seen. What the roads show anyway, a tie and
the pair of one hand, is no hit.
"""

from __future__ import annotations

from functools import lru_cache

from lammer.game.bets import judge
from lammer.game.cards import Card
from lammer.game.hands import finish_round
from lammer.rulebook.betting import Bet
from lammer.rulebook.conditions import EVERY_SUITS, Paired, Tied
from lammer.rulebook.model import Layout, Rulebook
from lammer.table.setup import SetUp
from lammer.table.state import Table

Cards = tuple[Card, ...]


def marked_bets(book: Rulebook, layout: Layout) -> tuple[Bet, ...]:
    """The side bets of a layout that get a mark of their own, in its order.

    >>> from lammer import rulebook
    >>> book = rulebook("da-hu-ying-xiong-noncommission-insurance@2")
    >>> [bet.name for bet in marked_bets(book, book.layout("A"))]
    ['tiger_tie', 'tiger', 'big_tiger', 'small_tiger', 'tiger_pair']
    """
    return tuple(bet for bet in book.offered(layout) if not bet.original and not _on_roads_anyway(bet))


def _on_roads_anyway(bet: Bet) -> bool:
    if isinstance(bet.wins, Tied):
        return len(bet.wins.totals) == 10 and bet.wins.natural is None
    if not isinstance(bet.wins, Paired):
        return False
    return bet.wins.suits == EVERY_SUITS and len(bet.wins.hands) == 1


def side_hits(table: Table) -> list[tuple[str, ...]]:
    """The names of the marked bets that won, for each round on the roads in order."""
    offered = {bet.name for bet in marked_bets(table.book, table.layout)}
    hits: list[tuple[str, ...]] = []
    for number in sorted(table.results):
        played = _cards_of(table, number)
        if played is None:
            hits.append(())
            continue
        setup, player, banker = played
        readings = tuple(sorted(setup.readings.items()))
        won = _won(table.books[setup.rulebook], setup.layout, readings, player, banker)
        hits.append(tuple(name for name in won if name in offered))
    return hits


def _cards_of(table: Table, number: int) -> tuple[SetUp, Cards, Cards] | None:
    """A settled round's cards and the set-up it was played under, as far back as the table remembers."""
    past = table.past.get(number)
    if past is not None:
        return past.setup, past.player, past.banker
    this_round = table.round
    if this_round is None or this_round.number != number:
        return None
    return table.require_setup(), tuple(this_round.values("player")), tuple(this_round.values("banker"))


@lru_cache(maxsize=4096)
def _won(
    book: Rulebook, layout: str, readings: tuple[tuple[str, str], ...], player: Cards, banker: Cards
) -> tuple[str, ...]:
    played, read = finish_round(book, player, banker), dict(readings)
    return tuple(
        bet.name
        for bet in marked_bets(book, book.layout(layout))
        if judge(book, bet, played, read).outcome == "won"
    )
