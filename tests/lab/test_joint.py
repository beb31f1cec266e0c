"""How bets of one round move together: against the edges, against plain enumeration, and worked by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations

import pytest

import lammer
from lammer import parse_cards
from lammer.game.bets import judge
from lammer.game.cards import Card
from lammer.game.hands import FinishedRound, finish_round
from lammer.game.insurance import judge_insurance
from lammer.lab.exact.analysis import unit_profit
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges, situations
from lammer.lab.exact.joint import InsuredAt, RoundMoments
from lammer.lab.exact.odds import deal_hands
from lammer.shelf import shipped_ids

SMALL = parse_cards("KS KH 3S 3H 4D 9C 9D 6S")
"""Eight cards with three pairs: 20,160 draws of six, each played out by the game itself."""


def dealt(book: lammer.Rulebook, six: tuple[Card, ...]) -> FinishedRound:
    """The round these cards make, as many of them as it takes."""
    return finish_round(book, *deal_hands(book, six))


def by_rank(cards: tuple[Card, ...] | list[Card]) -> Composition:
    return Composition.of(Counter(card[0] for card in cards))


@pytest.mark.parametrize("name", shipped_ids())
def test_edges_and_variances_are_those_of_the_analysis(name: str) -> None:
    book = lammer.rulebook(name)
    moments = RoundMoments(book, Composition.of_decks(8))
    analysis = edges(book)
    for bet in analysis.bets:
        assert moments.edge(bet.bet) == bet.edge
        assert moments.covariance(bet.bet, bet.bet) == bet.variance
    for insured in analysis.insurance:
        wager = InsuredAt(*insured.key, str(insured.pays))
        assert moments.edge(wager) == insured.edge
        assert moments.covariance(wager, wager) == insured.variance


def plain_covariances(name: str, bets: tuple[str, ...]) -> dict[tuple[str, str], Fraction]:
    """The same from every draw of six of the small shoe."""
    book = lammer.rulebook(name)
    found: Counter[tuple[Fraction, ...]] = Counter()
    for six in permutations(SMALL, 6):
        played = dealt(book, six)
        verdicts = [judge(book, book.bets[bet], played) for bet in bets]
        found[tuple(unit_profit(verdict.outcome, verdict.odds) for verdict in verdicts)] += 1
    size = sum(found.values())
    means = [Fraction(sum(many * row[i] for row, many in found.items())) / size for i in range(len(bets))]
    return {
        (bets[i], bets[j]): Fraction(sum(many * row[i] * row[j] for row, many in found.items())) / size
        - means[i] * means[j]
        for i, j in combinations_with_replacement(range(len(bets)), 2)
    }


@pytest.mark.parametrize(
    ("name", "bets"),
    [
        (
            "tiger-buffalo-noncommission@4",
            ("player", "banker", "tie", "player_pair", "banker_pair", "tiger_pair"),
        ),
        (
            "tiger-buffalo-commission-insurance@3",
            ("banker", "big_tiger", "small_tiger", "tiger_pair", "tiger_tie"),
        ),
    ],
)
def test_covariances_agree_with_playing_every_draw(name: str, bets: tuple[str, ...]) -> None:
    moments = RoundMoments(lammer.rulebook(name), by_rank(SMALL))
    for (one, other), expected in plain_covariances(name, bets).items():
        assert moments.covariance(one, other) == expected, (one, other)
        assert moments.covariance(other, one) == expected


def test_insurance_moves_with_the_bet_it_insures() -> None:
    book = lammer.rulebook("tiger-buffalo-noncommission-insurance@3")
    moments = RoundMoments(book, by_rank(SMALL))
    tried = 0
    for offer, player, banker, _ in situations(book):
        if offer.window != "four_cards":
            continue
        rows: Counter[tuple[Fraction, Fraction]] = Counter()
        for six in permutations(SMALL, 6):
            played = dealt(book, six)
            if (two_cards(book, played, "player"), two_cards(book, played, "banker")) != (player, banker):
                continue
            verdicts = judge_insurance(book, offer, played), judge(book, book.bets[offer.hand], played)
            insured, bet = (unit_profit(verdict.outcome, verdict.odds) for verdict in verdicts)
            rows[insured, bet] += 1
        size = sum(rows.values())
        if not size:
            continue
        means = [sum(many * row[i] for row, many in rows.items()) / Fraction(size) for i in (0, 1)]
        expected = (
            sum(many * row[0] * row[1] for row, many in rows.items()) / Fraction(size) - means[0] * means[1]
        )
        wager = InsuredAt(offer.hand, offer.window, player, banker, str(offer.odds))
        assert moments.edge(wager) == -means[0]
        assert moments.covariance(wager, offer.hand) == expected
        tried += 1
        if tried == 3:
            break
    assert tried


def two_cards(book: lammer.Rulebook, played: FinishedRound, side: str) -> int:
    hand = played.player if side == "player" else played.banker
    return sum(book.cards.points[card[0]] for card in hand.cards[:2]) % 10


def test_player_and_banker_worked_by_hand() -> None:
    """8 decks with commission: Player 44.6247%, Banker 45.8597% at 0.95, tie 9.5156%."""
    moments = RoundMoments(lammer.rulebook("tiger-buffalo-commission-insurance@3"), Composition.of_decks(8))
    draws = 4_998_398_275_503_360
    player, banker = (Fraction(won, draws) for won in (2_230_518_282_592_256, 2_292_252_566_437_888))
    means = player - banker, Fraction(95, 100) * banker - player
    expected = -player - Fraction(95, 100) * banker - means[0] * means[1]
    assert moments.covariance("player", "banker") == expected
    # One of each every round: the House's spread is far smaller than on either alone.
    both = sum(
        moments.covariance(one, other) for one in ("player", "banker") for other in ("player", "banker")
    )
    assert both < moments.covariance("banker", "banker") / 100


def test_what_is_not_on_offer_has_no_edge() -> None:
    moments = RoundMoments(lammer.rulebook("tiger-buffalo-noncommission@4"), Composition.of_decks(8))
    nowhere = InsuredAt("player", "four_cards", 7, 6, "2:1")
    assert moments.edge(nowhere) == 0
    assert moments.covariance(nowhere, nowhere) == 0
    with pytest.raises(KeyError):
        moments.edge("no_such_bet")
