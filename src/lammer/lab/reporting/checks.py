"""Checks worked out beside the figures of a report, each of which can fail.

They ask the same question another way: sums that must come out whole, a burnt card that must change nothing,
and a small shoe played out card by card. They find slips in counting; what a bet pays is taken from the
rulebook on both sides and is proved elsewhere, by the tests against the approved texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import perm, prod

from lammer.game.bets import judge
from lammer.game.cards import Card
from lammer.game.drawing import next_hand
from lammer.game.hands import FinishedRound, finish_round, total
from lammer.game.insurance import judge_insurance, offers
from lammer.lab.exact.analysis import Analysis
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.lab.exact.pairs import asks_suits
from lammer.lab.exact.removal import Effects, unbalanced
from lammer.lab.exact.ways import ways
from lammer.rulebook.betting import Bet, Offer
from lammer.rulebook.conditions import EVERY_CARDS, EVERY_MARGIN, EVERY_TOTAL, HandWins, Tied
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.vocabulary import RANKS, SUITS, Side, Window

SMALL = {"A": 2, "6": 2, "7": 2, "K": 2}
"""A shoe small enough to play out whole, with pairs, ties, naturals and third cards in it."""

Situation = tuple[Side, Window, int | None, int | None]


@dataclass(frozen=True, slots=True)
class Check:
    """What was asked, whether it held, and what was looked at or found wrong."""

    rulebook: str
    asked: str
    passed: bool
    found: str
    asked_here: bool = True
    """False where the rulebook has nothing this can be asked of."""


def checks(
    book: Rulebook, analyses: Mapping[int, Analysis], effects: Effects, decks: int
) -> tuple[Check, ...]:
    """Everything that can be asked of the analyses of one rulebook, by number of decks.

    >>> from lammer import rulebook
    >>> from lammer.lab.exact.removal import effects_of_removal
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> results = checks(book, {8: edges(book)}, effects_of_removal(book), 8)
    >>> [check.passed for check in results]
    [True, True, True, True, True]
    """
    shoes = Phrase("{shoes} shoes", shoes=len(analyses))
    on_decks = Phrase("{bets} bets on {decks} decks", bets=len(effects), decks=decks)
    small = " ".join(f"{count}×{rank}" for rank, count in SMALL.items())
    burnt = unbalanced(effects, Composition.of_book(book, decks))
    mirrored = _mirrored_bets(book)
    one_loses = Phrase("What one hand's bet loses the other's wins, and what both return wins the Tie")
    if mirrored and any(pay.odds is None for bet in mirrored for pay in bet.pays):
        one_loses = Phrase(
            "What one hand's bet loses the other's wins or, where a winning line returns the stake, gets back"
        )
    answers = (
        ("The ways a round can go add up to every ordered draw of six", _wrong_ways(book, analyses), shoes),
        ("The outcomes of each bet add up to every ordered draw of six", _wrong_outcomes(analyses), shoes),
        (
            one_loses,
            _not_mirrored(mirrored, analyses),
            shoes if mirrored else Phrase("no Player, Banker and Tie that mirror each other"),
        ),
        ("A card burnt unseen changes no edge", burnt, on_decks),
        (
            "A small shoe played out card by card gives the same edges, bet by bet and offer by offer",
            _wrong_when_played_out(book),
            small,
        ),
    )
    return tuple(
        Check(
            book.id,
            asked,
            not wrong,
            _wrong(wrong) if wrong else looked_at,
            asked_here=bool(mirrored) or asked is not one_loses,
        )
        for asked, wrong, looked_at in answers
    )


def _wrong(what: list[str]) -> Phrase:
    return Phrase("wrong: {what}", what=", ".join(what[:8]))


def _wrong_ways(book: Rulebook, analyses: Mapping[int, Analysis]) -> list[str]:
    wrong = []
    for decks, analysis in analyses.items():
        every = perm(analysis.shoe.size, 6)
        if sum(ways(book, analysis.shoe.by_points(book))) != every or analysis.combinations != every:
            wrong.append(f"{decks} decks")
    return wrong


def _wrong_outcomes(analyses: Mapping[int, Analysis]) -> list[str]:
    return [
        f"{bet.bet} on {decks} decks"
        for decks, analysis in analyses.items()
        for bet in analysis.bets
        if sum(outcome.combinations for outcome in bet.outcomes) != perm(analysis.shoe.size, 6)
    ]


def _mirrored_bets(book: Rulebook) -> tuple[Bet, ...]:
    """Player, Banker and Tie where each is won however its hand wins and the two are returned on a tie."""
    whole = [bet for bet in book.bets.values() if all(pay.outcome != "lost" for pay in bet.pays)]
    original = {bet.original: bet for bet in whole if bet.original and bet.tie_returns and _on_any(bet)}
    ties = [bet for bet in whole if bet.wins == Tied(EVERY_TOTAL) and all(pay.odds for pay in bet.pays)]
    return (original["player"], original["banker"], ties[0]) if len(original) == 2 and ties else ()


def _not_mirrored(mirrored: Sequence[Bet], analyses: Mapping[int, Analysis]) -> list[str]:
    """Where a hand's win, paid or returned, is not what the other hand's bet loses.

    Of what a bet returns, the ties are left out: the Tie says how many they are.
    """
    wrong = []
    for decks, analysis in analyses.items():
        if not mirrored:
            continue
        player, banker, tie = (analysis.bet(bet.name) for bet in mirrored)
        crossed = all(
            one.share("lost") == other.share("won") + other.share("returned") - tie.share("won")
            for one, other in ((player, banker), (banker, player))
        )
        # Where every winning line pays, nothing but a tie returns a stake.
        returned = all(
            edge.share("returned") == tie.share("won")
            for edge, bet in zip((player, banker), mirrored, strict=False)
            if all(pay.odds for pay in bet.pays)
        )
        if not (crossed and returned):
            wrong.append(f"{decks} decks")
    return wrong


def _on_any(bet: Bet) -> bool:
    """Whether a bet on a hand wins however that hand does."""
    totals, margins = EVERY_TOTAL - {0}, EVERY_MARGIN - {0}
    return isinstance(bet.wins, HandWins) and bet.wins == HandWins(
        bet.wins.hands, totals, EVERY_CARDS, margins
    )


def _wrong_when_played_out(book: Rulebook) -> list[str]:
    """Each ordered draw of six from the small shoe, dealt and judged one at a time."""
    lost = dict.fromkeys(book.bets, Fraction(0))
    insured: dict[Situation, tuple[int, Fraction]] = {}
    every = 0
    shoe = Composition.of(SMALL)
    for six, weight in _every_six(shoe, suits=asks_suits(book)):
        every += weight
        round_, offered = _play(book, six)
        for bet in book.bets.values():
            verdict = judge(book, bet, round_)
            lost[bet.name] += weight * _loss(verdict.outcome, verdict.odds.profit if verdict.odds else None)
        for situation, offer in offered.items():
            outcome = judge_insurance(book, offer, round_).outcome
            times, sums = insured.get(situation, (0, Fraction(0)))
            insured[situation] = (times + weight, sums + weight * _loss(outcome, offer.odds.profit))
    analysis = edges(book, shoe)
    wrong = [bet.bet for bet in analysis.bets if bet.edge != lost[bet.bet] / every]
    counted = {situation.key: (situation.occurs, situation.edge) for situation in analysis.insurance}
    dealt = {key: (Fraction(times, every), sums / times) for key, (times, sums) in insured.items()}
    differ = [key for key in {**counted, **dealt} if counted.get(key) != dealt.get(key)]
    return wrong + [
        f"insurance {hand} {player} to {banker}, {window}" for hand, window, player, banker in differ
    ]


def _every_six(shoe: Composition, *, suits: bool) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every ordered draw of six, and how often it comes; by ranks alone unless a bet asks for suits."""
    if suits:
        cards = [
            Card(rank + suit)
            for rank, of_rank in zip(RANKS, shoe.by_suits, strict=True)
            for suit, count in zip(SUITS, of_rank, strict=True)
            for _ in range(count)
        ]
        for six in permutations(cards, 6):
            yield six, 1
        return
    of_ranks = {Card(f"{rank}S"): count for rank, count in shoe.counts.items() if count}
    for six in product(of_ranks, repeat=6):
        weight = prod(perm(count, six.count(card)) for card, count in of_ranks.items())
        if weight:
            yield six, weight


def _play(book: Rulebook, six: Iterable[Card]) -> tuple[FinishedRound, dict[Situation, Offer]]:
    """A round from these cards, and the Insurance that was on offer on the way."""
    hands: dict[Side, list[Card]] = {"player": [], "banker": []}
    offered: dict[Situation, Offer] = {}
    for card in six:
        side = next_hand(book, hands["player"], hands["banker"])
        if side is None:
            break
        hands[side].append(card)
        for offer in offers(book, hands["player"], hands["banker"]):
            if offer.window == "two_cards":
                continue
            so_far = finish_round(book, hands["player"], hands["banker"])
            offered[offer.hand, offer.window, so_far.player.points, so_far.banker.points] = offer
    player, banker = hands["player"][:2], hands["banker"][:2]
    # Either hand may have been shown first.
    offered.update({("player", o.window, total(book, player), None): o for o in offers(book, player, ())})
    offered.update({("banker", o.window, None, total(book, banker)): o for o in offers(book, (), banker)})
    return finish_round(book, hands["player"], hands["banker"]), offered


def _loss(outcome: str, profit: Fraction | None) -> Fraction:
    """What the bettor loses of a unit."""
    if outcome == "won":
        assert profit is not None
        return -profit
    return Fraction(int(outcome == "lost"))
