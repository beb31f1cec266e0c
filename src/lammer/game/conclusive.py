"""Which bets are already decided, whatever cards follow.

Irregularities turn on one question: has an outcome been established? This module answers it for any
part of a round, from the cards that are face up and the rules alone. A card that lies face down shows
nothing and so establishes nothing. What is left in the shoe is not asked: every rank may still come.
It knows nothing of players or money.

How: per hand, the two-card totals (and pairs, of suits where a bet asks) the exposed cards leave possible;
per pair of totals, the final totals the Table of Play can lead to; per final total, one bit for each bet and
outcome. Or-ing the bits of every completion leaves a decided bet with a single one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, get_args

from lammer.game.bets import Readings, judge_finish, pair_suits, pair_tier
from lammer.game.cards import Card
from lammer.game.drawing import banker_draws, player_draws
from lammer.rulebook.betting import TurnsOn
from lammer.rulebook.conditions import Finish
from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import PAIR_SUITS, SUITS

Standing = Literal["won", "lost", "returned", "open"]
Final4 = tuple[int, int, int, int]
"""Player total, Banker total, number of Player cards, number of Banker cards."""

_OUTCOMES: Final[tuple[Standing, ...]] = ("won", "lost", "returned")
_STANDING: Final[dict[int, Standing]] = {1: "won", 2: "lost", 4: "returned"}


Pair = tuple[str, str]
"""The rank a hand is paired in and of which suits; both empty where it is not paired."""
_UNPAIRED: Final[Pair] = ("", "")


class _Tables:
    """What one rulebook leads to, worked out once and remembered."""

    def __init__(self, book: Rulebook, readings: Readings) -> None:
        self.book = book
        self.readings = readings
        self.names = tuple(book.bets)
        self.points = {rank: book.cards.points[rank] % 10 for rank in book.cards.ranks}
        self.values = sorted(set(self.points.values()))
        self.by_suit = any(bet.asks_suits for bet in book.bets.values())
        bets = tuple(enumerate(book.bets.values()))
        self.bets = {
            kind: tuple((index, bet) for index, bet in bets if bet.turns_on == kind)
            for kind in get_args(TurnsOn)
        }
        self.possible = 1 << 3 * len(bets)  # set beside the bets of any finish, should no bet turn on totals
        self.finals: dict[tuple[TurnsOn, Final4, Pair, Pair], int] = {}
        self.pairs: dict[tuple[Pair, Pair], int] = {}
        self.cells: dict[tuple[TurnsOn, int, int, int | None, int | None, Pair, Pair], int] = {}
        self.hands: dict[tuple[str, str], tuple[tuple[int, Pair], ...]] = {}

    def two_cards(self, first: str, second: str) -> tuple[tuple[int, Pair], ...]:
        """The totals two cards can come to, with the pair they are; '' is an unseen card.

        Suits are told apart only where a bet of the rulebook asks for them.
        """
        key = (first, second) if self.by_suit else (first[:1], second[:1])
        if key not in self.hands:
            every = [
                rank + suit
                for rank in self.book.cards.ranks
                for suit in (SUITS if self.by_suit else SUITS[:1])
            ]
            self.hands[key] = tuple(
                {
                    ((self.points[one[0]] + self.points[two[0]]) % 10, self._pair_of(one, two))
                    for one in ([key[0]] if first else every)
                    for two in ([key[1]] if second else every)
                }
            )
        return self.hands[key]

    def _pair_of(self, one: str, two: str) -> Pair:
        if one[0] != two[0]:
            return _UNPAIRED
        return one[0], pair_suits([Card(one), Card(two)]) if self.by_suit else PAIR_SUITS[0]

    def cell(self, player: int, banker: int, third: int | None, fourth: int | None) -> int:
        """The bits of every way to finish from these two-card totals, 0 where the rules allow none."""
        return self._cell("totals", player, banker, third, fourth, _UNPAIRED, _UNPAIRED)

    def mixed_cell(
        self, player: int, banker: int, third: int | None, fourth: int | None, pairs: tuple[Pair, Pair]
    ) -> int:
        """The same for bets that turn on totals and pairs together."""
        return self._cell("both", player, banker, third, fourth, *pairs)

    def _cell(
        self,
        kind: TurnsOn,
        player: int,
        banker: int,
        third: int | None,
        fourth: int | None,
        one: Pair,
        other: Pair,
    ) -> int:
        key = (kind, player, banker, third, fourth, one, other)
        if key not in self.cells:
            bits = 0
            for final in self._completions(player, banker, third, fourth):
                bits |= self._final_bits(kind, final, one, other) | self.possible
            self.cells[key] = bits
        return self.cells[key]

    def _completions(
        self, player: int, banker: int, third: int | None, fourth: int | None
    ) -> Iterator[Final4]:
        """Every finish; where a hand may draw, both what it comes to with a card and without."""
        first = player_draws(self.book, player, banker)
        drawn: list[int | None] = []
        if first.draws or first.optional:
            drawn += self.values if third is None else (third,)
        if third is None and (first.optional or not first.draws):
            drawn.append(None)
        for card in drawn:
            player_total, cards = (player, 2) if card is None else ((player + card) % 10, 3)
            then = banker_draws(self.book, player, banker, card)
            if fourth is None and (then.optional or not then.draws):
                yield player_total, banker, cards, 2
            if then.draws or then.optional:
                for last in self.values if fourth is None else (fourth,):
                    yield player_total, (banker + last) % 10, cards, 3

    def _final_bits(self, kind: TurnsOn, final: Final4, one: Pair, other: Pair) -> int:
        key = (kind, final, one, other)
        if key not in self.finals:
            self.finals[key] = self._bits(kind, final, one, other)
        return self.finals[key]

    def pair(self, player: Pair, banker: Pair) -> int:
        """The bits of the bets that turn on pairs alone."""
        key = (player, banker)
        if key not in self.pairs:
            self.pairs[key] = self._bits("pairs", (0, 0, 2, 2), player, banker)
        return self.pairs[key]

    def _bits(self, kind: TurnsOn, final: Final4, one: Pair, other: Pair) -> int:
        ranks = one[0], other[0]
        twins = all(ranks) and pair_tier(self.book, *ranks, self.readings) == "twin"
        finish = Finish(*final, one[1], other[1], twins, self.book.table_of_play.natural)
        bits = 0
        for index, bet in self.bets[kind]:
            bits |= 1 << (3 * index + _OUTCOMES.index(judge_finish(bet, finish).outcome))
        return bits


@lru_cache(maxsize=64)
def _tables(book: Rulebook, readings: tuple[tuple[str, str], ...]) -> _Tables:
    return _Tables(book, dict(readings))


def standings(
    book: Rulebook,
    player: Sequence[Card | None],
    banker: Sequence[Card | None],
    readings: Readings | None = None,
) -> dict[str, Standing]:
    """How every bet of the rulebook stands with these cards face up.

    Cards are given by their place in the hand; None is a card that is face down or not there.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> now = standings(book, player=["QS", "6H"], banker=["3D", "AC"])
    >>> now["player"], now["player_pair"], now["small_buffalo"], now["big_buffalo"]
    ('open', 'lost', 'open', 'lost')
    """
    book.must_allow(readings or {})
    tables = _tables(book, tuple(sorted(readings.items())) if readings else ())
    p1, p2, p3 = _seen(book, player)
    b1, b2, b3 = _seen(book, banker)
    third = tables.points[p3[0]] if p3 else None
    fourth = tables.points[b3[0]] if b3 else None
    bits = 0
    for player_total, player_pair in tables.two_cards(p1, p2):
        for banker_total, banker_pair in tables.two_cards(b1, b2):
            finishes = tables.cell(player_total, banker_total, third, fourth)
            if finishes:
                bits |= finishes | tables.pair(player_pair, banker_pair)
                if tables.bets["both"]:
                    pairs = player_pair, banker_pair
                    bits |= tables.mixed_cell(player_total, banker_total, third, fourth, pairs)
    if not bits:
        raise Refused(
            "no_completion",
            "No round dealt by the Table of Play shows these cards in these places.",
            book.table_of_play.natural_cite,
            next_step="Treat it as cards dealt in excess or to the wrong hand.",
        )
    return {name: _STANDING.get(bits >> (3 * index) & 7, "open") for index, name in enumerate(tables.names)}


def _seen(book: Rulebook, cards: Sequence[Card | None]) -> tuple[str, str, str]:
    if len(cards) > 3:
        raise Refused("no_completion", "A hand has three cards at most.", book.table_of_play.natural_cite)
    first, second, third = [str(card or "") for card in cards] + [""] * (3 - len(cards))
    return first, second, third


def established(
    book: Rulebook,
    layout: Layout,
    bet_standings: Mapping[str, Standing],
    placed: Collection[str] = (),
    readings: Readings | None = None,
) -> tuple[str, ...]:
    """The bets that establish an outcome, under the reading chosen; none of them: no outcome stands.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> now = standings(book, player=["QS", "6H"], banker=["3D"])
    >>> established(book, book.layout("A"), now)
    ('player_pair', 'big_tiger', 'small_tiger', 'big_buffalo', 'player_char_siu')
    >>> established(book, book.layout("A"), now, readings={"outcome_established": "player_and_banker_only"})
    ()
    """
    book.must_allow(readings or {})
    reading = book.reading("outcome_established", readings)
    decided = [bet for bet in book.offered(layout) if bet_standings[bet.name] in ("won", "lost")]
    if reading == "bets_placed":
        decided = [bet for bet in decided if bet.name in placed]
    elif reading == "player_and_banker_only":
        decided = [bet for bet in decided if bet.original]
    return tuple(bet.name for bet in decided)
