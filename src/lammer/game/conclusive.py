"""Which bets are already decided, whatever cards follow.

Irregularities turn on one question: has an outcome been established? This module answers it for any
part of a round, from the cards that are face up and the rules alone. A card that lies face down shows
nothing and so establishes nothing. What is left in the shoe is not asked: every rank may still come.
It knows nothing of players or money.

How: per hand, the two-card totals (and pairs) the exposed cards leave possible; per pair of totals, the
final totals the Table of Play can lead to; per final total, one bit for each bet and outcome. Or-ing
the bits of every completion leaves a decided bet with a single one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal

from lammer.game.bets import Readings, judge
from lammer.game.cards import Card
from lammer.game.drawing import banker_draws, player_draws
from lammer.game.hands import Hand, Round
from lammer.rulebook.betting import Paired
from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.refusal import Refused

Standing = Literal["won", "lost", "returned", "open"]
Final4 = tuple[int, int, int, int]
"""Player total, Banker total, number of Player cards, number of Banker cards."""

_OUTCOMES: Final[tuple[Standing, ...]] = ("won", "lost", "returned")
_STANDING: Final[dict[int, Standing]] = {1: "won", 2: "lost", 4: "returned"}


class _Tables:
    """What one rulebook leads to, worked out once and remembered."""

    def __init__(self, book: Rulebook, readings: Readings) -> None:
        self.book = book
        self.readings = readings
        self.names = tuple(book.bets)
        self.points = {rank: book.cards.points[rank] % 10 for rank in book.cards.ranks}
        self.values = sorted(set(self.points.values()))
        self.finals: dict[Final4, int] = {}
        self.pairs: dict[tuple[str, str], int] = {}
        self.cells: dict[tuple[int, int, int | None, int | None], int] = {}
        self.hands: dict[tuple[str, str], tuple[tuple[int, str], ...]] = {}

    def two_cards(self, first: str, second: str) -> tuple[tuple[int, str], ...]:
        """The totals two cards can come to, with the rank they are paired in; '' is an unseen card."""
        key = (first, second)
        if key not in self.hands:
            self.hands[key] = tuple(
                {
                    ((self.points[one] + self.points[two]) % 10, one if one == two else "")
                    for one in first or self.book.cards.ranks
                    for two in second or self.book.cards.ranks
                }
            )
        return self.hands[key]

    def cell(self, player: int, banker: int, third: int | None, fourth: int | None) -> int:
        """The bits of every way to finish from these two-card totals, 0 where the rules allow none."""
        key = (player, banker, third, fourth)
        if key not in self.cells:
            bits = 0
            for final in self._completions(player, banker, third, fourth):
                bits |= self._final_bits(final)
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

    def _final_bits(self, final: Final4) -> int:
        """The bits of the bets that turn on totals and numbers of cards."""
        if final not in self.finals:
            player_total, banker_total, player_cards, banker_cards = final
            played = Round(_hand(player_total, player_cards), _hand(banker_total, banker_cards), ())
            self.finals[final] = self._bits(played, paired=False)
        return self.finals[final]

    def pair(self, player: str, banker: str) -> int:
        """The bits of the pair bets."""
        key = (player, banker)
        if key not in self.pairs:
            self.pairs[key] = self._bits(Round(_hand(0, 2, player), _hand(0, 2, banker), ()), paired=True)
        return self.pairs[key]

    def _bits(self, played: Round, *, paired: bool) -> int:
        bits = 0
        for index, bet in enumerate(self.book.bets.values()):
            if isinstance(bet.wins, Paired) == paired:
                outcome = judge(self.book, bet, played, self.readings).outcome
                bits |= 1 << (3 * index + _OUTCOMES.index(outcome))
        return bits


def _hand(points: int, cards: int, pair: str = "") -> Hand:
    """A stand-in hand with this total, number of cards and pair, for judging bets by."""
    first, second = (pair, pair) if pair else ("A", "2")
    return Hand((Card(f"{first}S"), Card(f"{second}H"), Card("3D"))[:cards], points)


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
    p1, p2, p3 = _ranks(book, player)
    b1, b2, b3 = _ranks(book, banker)
    third = tables.points[p3] if p3 else None
    fourth = tables.points[b3] if b3 else None
    bits = 0
    for player_total, player_pair in tables.two_cards(p1, p2):
        for banker_total, banker_pair in tables.two_cards(b1, b2):
            finishes = tables.cell(player_total, banker_total, third, fourth)
            if finishes:
                bits |= finishes | tables.pair(player_pair, banker_pair)
    if not bits:
        raise Refused(
            "no_completion",
            "No round dealt by the Table of Play shows these cards in these places.",
            book.table_of_play.natural_cite,
            next_step="Treat it as cards dealt in excess or to the wrong hand.",
        )
    return {name: _STANDING.get(bits >> (3 * index) & 7, "open") for index, name in enumerate(tables.names)}


def _ranks(book: Rulebook, cards: Sequence[Card | None]) -> tuple[str, str, str]:
    if len(cards) > 3:
        raise Refused("no_completion", "A hand has three cards at most.", book.table_of_play.natural_cite)
    first, second, third = [card[0] if card else "" for card in cards] + [""] * (3 - len(cards))
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
