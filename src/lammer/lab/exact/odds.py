"""From here: the exact chances of every open bet and the worth of each Insurance offer, mid-round.

Given the cards that have been seen, the rest of the round is drawn from what the shoe has left, and every
case is counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lammer.game.bets import Verdict, judge
from lammer.game.cards import Card
from lammer.game.drawing import FIRST_CARDS, deal, next_hand
from lammer.game.hands import finish_round, total
from lammer.game.insurance import judge_insurance, offers
from lammer.lab.exact.analysis import BetEdge
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges, situations
from lammer.lab.exact.pairs import asks_suits
from lammer.lab.exact.ways import Path, paths
from lammer.rulebook.betting import Offer
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import RANKS, SUITS, Side

Hands = tuple[tuple[Card, ...], tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely a bet is to win, to lose and to come back, and what a unit on it is worth from here."""

    bet: str
    won: Fraction
    lost: Fraction
    returned: Fraction
    worth: Fraction


@dataclass(frozen=True, slots=True)
class OfferWorth:
    """An Insurance offer on the table now, and what a unit on it is worth."""

    offer: Offer
    worth: Fraction


@dataclass(frozen=True, slots=True)
class MidRoundOdds:
    """The chances of every bet and the worth of every Insurance offer, mid-round."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    bets: tuple[Chances, ...]
    insurance: tuple[OfferWorth, ...]


def deal_hands(book: Rulebook, cards: Sequence[Card]) -> Hands:
    """The cards of the round, in shoe order, as hands; what lies beyond its end is not looked at."""
    hands: dict[Side, list[Card]] = {"player": [], "banker": []}
    for card in cards:
        side = next_hand(book, hands["player"], hands["banker"])
        if side is None:
            break
        hands[side].append(card)
    return tuple(hands["player"]), tuple(hands["banker"])


def mid_round_odds(book: Rulebook, cards: Sequence[Card], shoe: Composition) -> MidRoundOdds:
    """Chances and worths with these cards on the table and this shoe, the seen cards still counted in it.

    >>> from lammer import parse_cards, rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> odds = mid_round_odds(book, parse_cards("6S KD 7H 2C"), Composition.of_decks(8))
    >>> [(chances.bet, chances.won + chances.lost) for chances in odds.bets][2]
    ('tie', Fraction(1, 1))
    """
    if not cards:
        # Nothing is known yet: these are the edges, which need no playing out.
        return MidRoundOdds((), (), tuple(map(_before_the_round, edges(book, shoe).bets)), ())
    player, banker = deal_hands(book, cards)
    if len(player) + len(banker) < len(cards):
        deal(book, cards)  # It refuses them, and says under which paragraph the round was over.
    # The shoe held six cards or more, so what the cards on the table leave is enough to end the round.
    ranks = shoe.left(cards)
    left = [[count] for count in ranks.values()]
    if asks_suits(book):
        left = [list(suits) for suits in shoe.suits_left(cards)]
    finishes: dict[Hands, Fraction] = {}
    _finish(book, player, banker, left, Fraction(1), finishes)
    rounds = [(finish_round(book, *hands), chance) for hands, chance in finishes.items()]
    bets = [
        Chances(bet.name, **_chances((judge(book, bet, round_), chance) for round_, chance in rounds))
        for bet in book.bets.values()
    ]
    worths = []
    for offer in offers(book, player, banker):
        chances = _chances((judge_insurance(book, offer, round_), chance) for round_, chance in rounds)
        worths.append(OfferWorth(offer, chances["worth"]))
    return MidRoundOdds(player, banker, tuple(bets), tuple(worths))


def one_hand_shown(
    book: Rulebook, hand: Side, cards: Sequence[Card], shoe: Composition
) -> tuple[Chances, ...]:
    """Insurance of a hand with its first two cards shown and nothing of the other: one for each offer.

    The other hand's cards and the third ones are counted from what the shoe has left.

    >>> from lammer import parse_cards
    >>> from lammer.shelf import rulebook
    >>> book = rulebook("examples/macau-style-insurance.toml")
    >>> (nine,) = one_hand_shown(book, "player", parse_cards("9S KD"), Composition.of_decks(8))
    >>> nine.lost + nine.won, round(float(nine.worth), 4)
    (Fraction(1, 1), 0.0336)
    """
    own = total(book, cards)
    left: Counter[int] = Counter()
    for rank, count in shoe.left(cards).items():
        left[book.cards.points[rank] % 10] += count
    found = []
    for offer in offers(book, *((cards, ()) if hand == "player" else ((), cards))):
        places = next(
            places
            for listed, player, banker, places in situations(book)
            if listed is offer and (player, banker)[hand == "banker"] == own
        )
        counts = [sum(_ways_of(path, hand, left) for path in _at(book, part)) for part in places]
        won, lost, returned = (Fraction(count, sum(counts)) for count in counts)
        name = f"{hand} insurance"
        found.append(Chances(name, won, lost, returned, won * offer.odds.profit - lost))
    return tuple(found)


def _at(book: Rulebook, places: Iterable[int]) -> Iterator[Path]:
    every = paths(book)
    return (every[place] for place in places)


def _ways_of(path: Path, shown: Side, left: Counter[int]) -> int:
    """In how many ordered draws of four cards, the other hand's two and the third ones, this path is gone."""
    other, rest, ways = path.banker if shown == "player" else path.player, Counter(left), 1
    for third in (path.third, path.fourth):
        if third is not None:
            ways *= rest[third]
            rest[third] -= 1
    ways *= sum(rest[one] * (rest[(other - one) % 10] - (2 * one % 10 == other)) for one in range(10))
    unseen = rest.total() - 2
    return ways * math.prod(range(unseen, unseen - (path.third is None) - (path.fourth is None), -1))


def _before_the_round(bet: BetEdge) -> Chances:
    return Chances(bet.bet, bet.share("won"), bet.share("lost"), bet.share("returned"), -bet.edge)


def _chances(verdicts: Iterable[tuple[Verdict, Fraction]]) -> dict[str, Fraction]:
    """From what may become of a unit and how likely each is: how it ends, and what it is worth."""
    sums = dict.fromkeys(("won", "lost", "returned", "worth"), Fraction(0))
    for verdict, chance in verdicts:
        sums[verdict.outcome] += chance
        if verdict.odds is not None:
            sums["worth"] += chance * verdict.odds.profit
    sums["worth"] -= sums["lost"]
    return sums


def _finish(
    book: Rulebook,
    player: tuple[Card, ...],
    banker: tuple[Card, ...],
    left: list[list[int]],
    chance: Fraction,
    finishes: dict[Hands, Fraction],
) -> None:
    """Add up the chance of every way to finish; `left` has the cards of each rank, by suit if asked."""
    side = next_hand(book, player, banker)
    if side is None:
        key = (player, banker)
        finishes[key] = finishes.get(key, Fraction(0)) + chance
        return
    size = sum(map(sum, left))
    for rank, suit, count in _next_cards(player if side == "player" else banker, len(player + banker), left):
        card = Card(RANKS[rank] + SUITS[suit])
        left[rank][suit] -= 1
        hands = ((*player, card), banker) if side == "player" else (player, (*banker, card))
        _finish(book, *hands, left, chance * Fraction(count, size), finishes)
        left[rank][suit] += 1


def _next_cards(
    hand: tuple[Card, ...], dealt: int, left: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int, int]]:
    """What may come next as rank, suit and how many; suits together where no pair can turn on them."""
    for rank, suits in enumerate(left):
        told_apart = dealt < FIRST_CARDS - 1 or (dealt < FIRST_CARDS and hand[0][0] == RANKS[rank])
        if told_apart:
            yield from ((rank, suit, count) for suit, count in enumerate(suits) if count)
        elif any(suits):
            yield rank, next(suit for suit, count in enumerate(suits) if count), sum(suits)
