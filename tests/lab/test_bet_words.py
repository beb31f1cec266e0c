"""Every word a bet may use, counted, dealt and valued as by playing small shoes out card by card.

The shoes are small and odd, with suits, so that every kind of pair, tie, natural and third card comes up.
What a bet comes to on a round is the plain reading's to say (`support/plain_bets.py`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, product
from math import perm

import numpy as np
import pytest

import lammer
from lammer import Card, parse_cards
from lammer.game.bets import judge
from lammer.game.hands import finish_round
from lammer.lab.counting.count import count
from lammer.lab.counting.valuing import pays_of, worths
from lammer.lab.counting.walking import walk
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import Analysis, edges
from lammer.lab.exact.joint import RoundMoments
from lammer.lab.exact.odds import mid_round_odds
from lammer.lab.simulation.insured import NO_INSURANCE
from lammer.lab.simulation.simulate import simulate
from lammer.lab.simulation.streams import Block, deal_block, deal_of
from lammer.rulebook.vocabulary import RANKS, SUITS
from support import brute_force, plain_bets, plain_streams
from support.bet_words import SUITS as SUITED, TOTALS, bets_of, book_of

Round = tuple[brute_force.Hand, brute_force.Hand]
SHOES = (
    "9H 9H 9S 4D 4C KS KS",
    "AS AS AH 7D 7D 7S KH KC",
    "3H 3H 3D 3D 3C 5S 5S 8C",
    "KS KS QH QH QD 2C 2C 6D 6D 6D 6D",
)


def shoe_of(cards: str) -> Composition:
    """A shoe of these cards, suits and all."""
    many = Counter(parse_cards(cards))
    suits = tuple(tuple(many[Card(rank + suit)] for suit in SUITS) for rank in RANKS)
    return Composition(tuple(map(sum, suits)), suits)


@cache
def rounds(cards: str) -> tuple[tuple[Round, int], ...]:
    """Every round a shoe can deal, and in how many ordered draws of six."""
    return tuple(_rounds(Counter(parse_cards(cards))))


def _rounds(shoe: Counter[Card]) -> Iterator[tuple[Round, int]]:
    size, known = shoe.total(), list(shoe)
    for first in product(known, repeat=4):
        if any(first.count(card) > shoe[card] for card in set(first)):
            continue
        for more in range(3):
            ended = False
            for last in product(known, repeat=more):
                dealt = first + last
                ways = 1
                for place, card in enumerate(dealt):
                    ways *= shoe[card] - dealt[:place].count(card)
                try:
                    played = brute_force.play(dealt)
                except ValueError:
                    continue
                ended = True
                if ways:
                    yield played, ways * perm(size - len(dealt), 6 - len(dealt))
            if ended and more == 0:
                break


def counted(cards: str, *files: str) -> dict[str, Counter[tuple[str, Fraction]]]:
    """For each bet in how many draws what became of it, by the plain reading."""
    found: dict[str, Counter[tuple[str, Fraction]]] = {name: Counter() for name in bets_of(*files)}
    for played, ways in rounds(cards):
        for name, bet in bets_of(*files).items():
            found[name][plain_bets.settle(bet, *played)] += ways
    return found


def analysed(analysis: Analysis) -> dict[str, Counter[tuple[str, Fraction]]]:
    found: dict[str, Counter[tuple[str, Fraction]]] = {}
    for bet in analysis.bets:
        found[bet.bet] = Counter()
        for each in bet.outcomes:
            found[bet.bet][each.outcome, each.profit] += each.combinations
    return found


@pytest.mark.parametrize("files", [(TOTALS,), (TOTALS, SUITED)], ids=["totals", "suits"])
@pytest.mark.parametrize("cards", SHOES)
def test_exact_counts_are_those_of_playing_a_shoe_out(cards: str, files: tuple[str, ...]) -> None:
    found = counted(cards, *files)
    assert sum(ways for _, ways in rounds(cards)) == perm(len(cards.split()), 6), "every draw was played"
    assert analysed(edges(book_of(*files), shoe_of(cards))) == found


def test_the_shoes_show_every_outcome_of_every_bet() -> None:
    """Else the test above could pass without ever meeting a line of a pay table."""
    seen: dict[str, set[Fraction]] = {}
    for cards in SHOES:
        for name, outcomes in counted(cards, TOTALS, SUITED).items():
            seen.setdefault(name, set()).update(profit for _, profit in outcomes)
    lines = {
        name: {
            Fraction(line["odds"].split(":")[0]) if "odds" in line else Fraction(-("loses" in line))
            for line in bet["pays"]
        }
        for name, bet in bets_of(TOTALS, SUITED).items()
    }
    missed = {name: lines[name] - seen[name] for name in lines if lines[name] - seen[name]}
    # A sum of nothing but noughts, or of eighteen, and a few margins want other cards; full decks have them.
    assert missed.keys() <= {"sums", "by_margin", "natural_tie", "tie_by_total", "both_mixed", "any_and_not"}
    for name, profits in missed.items():
        full = {each.profit for each in edges(book_of(TOTALS, SUITED), decks=1).bet(name).outcomes}
        assert profits <= full, name


@pytest.mark.parametrize("cards", SHOES[:2])
def test_a_round_is_judged_as_it_reads(cards: str) -> None:
    book, bets = book_of(TOTALS, SUITED), bets_of(TOTALS, SUITED)
    for (player, banker), _ in rounds(cards):
        played = finish_round(book, parse_cards(player), parse_cards(banker))
        for name, bet in bets.items():
            verdict = judge(book, book.bets[name], played)
            profit = verdict.odds.profit if verdict.odds else Fraction(-(verdict.outcome == "lost"))
            assert (verdict.outcome, profit) == plain_bets.settle(bet, player, banker), (name, player, banker)


def test_how_bets_move_together_is_that_of_playing_a_shoe_out() -> None:
    book, bets, cards = book_of(TOTALS, SUITED), bets_of(TOTALS, SUITED), SHOES[1]
    moments = RoundMoments(book, shoe_of(cards))
    chosen = ("banker", "by_margin", "pairs_by_tier", "perfect_pair", "pair_and_win", "suited_pair_or_tie")
    draws = sum(ways for _, ways in rounds(cards))
    profits = {
        name: [(plain_bets.settle(bets[name], *played)[1], ways) for played, ways in rounds(cards)]
        for name in chosen
    }
    means = {name: sum(profit * ways for profit, ways in each) / draws for name, each in profits.items()}
    for one, other in [*combinations(chosen, 2), *((name, name) for name in chosen)]:
        both = sum(a * b * ways for (a, ways), (b, _) in zip(profits[one], profits[other], strict=True))
        assert moments.edge(one) == -means[one]
        assert moments.covariance(one, other) == both / draws - means[one] * means[other], (one, other)


@pytest.mark.parametrize("seen", ["KS QH QD", "KS QH QD KS", "2C 6D KS 6D KS"])
def test_chances_from_here_are_those_of_every_way_to_go_on(seen: str) -> None:
    book, bets, cards = book_of(TOTALS, SUITED), bets_of(TOTALS, SUITED), SHOES[3]
    on_table = parse_cards(seen)
    sums: dict[str, Counter[str]] = {name: Counter() for name in bets}
    every = 0
    for (player, banker), ways in rounds(cards):
        order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        if tuple(order[: len(on_table)]) == tuple(on_table):
            every += ways
            for name, bet in bets.items():
                sums[name][plain_bets.settle(bet, player, banker)[0]] += ways
    assert every
    for chances in mid_round_odds(book, on_table, shoe_of(cards)).bets:
        found = (chances.won, chances.lost, chances.returned)
        wanted = tuple(Fraction(sums[chances.bet][key], every) for key in ("won", "lost", "returned"))
        assert found == wanted, chances.bet


def cards_in_order(shoe: Composition) -> dict[str, int]:
    return {
        rank + suit: count
        for rank, suits in zip(RANKS, shoe.by_suits, strict=True)
        for suit, count in zip(SUITS, suits, strict=True)
    }


@pytest.mark.parametrize("cards", [SHOES[3], ""], ids=["small", "six decks"])
def test_the_kernel_deals_what_plain_streams_deal(cards: str) -> None:
    """The same cards round by round, suits and all: every bet, and the house's win on a mix, to the cent."""
    book, bets = book_of(TOTALS, SUITED), bets_of(TOTALS, SUITED)
    shoe = shoe_of(cards) if cards else Composition.of_decks(6)
    many = 3_000
    mix = {"perfect_pair": 5, "banker": 100, "pair_and_win": 3, "pairs_by_tier": 1}
    text = ",".join(f"{name}={stake}" for name, stake in mix.items())
    made = simulate(book, many, shoe=shoe, cut=6, seed=11, mix=text)
    dealt = list(islice(plain_streams.rounds(11, 0, cards_in_order(shoe), 6), many))
    found: dict[str, Counter[tuple[str, Fraction]]] = {name: Counter() for name in bets}
    won = [Fraction(0)] * (many // 1_000)
    for number, each in enumerate(dealt):
        hands = brute_force.play(each.cards)
        for name, bet in bets.items():
            settled = plain_bets.settle(bet, *hands)
            found[name][settled] += 1
            won[number // 1_000] -= settled[1] * mix.get(name, 0) * 100
    assert analysed(made.dealt) == found
    assert [Fraction(int(win), made.mix.part) for win in made.tally.wins[0]] == won


def test_telling_suits_apart_deals_the_same_ranks() -> None:
    """The plain loop and the detailed one walk the same streams: keys and pairs come to the same."""
    shoe = Composition.of_decks(8)
    plain, detailed = (
        deal_block(deal_of(book_of(*files), shoe, 14, 5), Block(0, (20_000, 7_000)))
        for files in ((TOTALS,), (TOTALS, SUITED))
    )
    assert np.array_equal(plain.keys, detailed.keys)
    assert np.array_equal(plain.pairs, detailed.pairs)
    assert plain.both.size == 0, "nothing more is counted where nobody asks"
    assert detailed.both.sum() == 27_000


def test_a_million_rounds_lie_where_the_exact_says() -> None:
    made = simulate(book_of(TOTALS, SUITED), 1_000_000, seed=3)
    assert max(abs(score.z) for score in made.scores().values()) < 4.5


def test_valuing_compiled_is_as_exact_as_a_float_can_be() -> None:
    """Random shoes of 52 counts, some with cards quite gone; a float is a whole ratio rounded once."""
    book, source = book_of(TOTALS, SUITED), random.Random(8)
    states = np.array([[source.choice((0, 1, 2, 6)) for _ in range(52)] for _ in range(6)], np.int16)
    pays = pays_of(book)
    values = worths(pays, states)
    for row, state in enumerate(states.tolist()):
        suits = tuple(tuple(state[4 * rank : 4 * rank + 4]) for rank in range(13))
        made = edges(book, Composition(tuple(map(sum, suits)), suits))
        for bet, name in enumerate(pays.bets):
            assert values[row, bet] == pytest.approx(float(-made.bet(name).edge), rel=1e-14, abs=1e-15), name


def test_walking_keeps_every_card() -> None:
    """States of 52 cards are those of the plain streams, before every round."""
    shoe = Composition.of_decks(1)
    deal = deal_of(book_of(TOTALS, SUITED), shoe, 6, 21)
    walked = walk(21, 4, 1, deal.cards, deal.last, deal.uses, NO_INSURANCE, deal.points)
    streamed = plain_streams.rounds(21, 4, cards_in_order(shoe), 6)
    order = list(cards_in_order(shoe))
    for state, each in zip(walked.states, streamed, strict=False):
        assert [each.shoe[card] for card in order] == state.tolist()


def test_counting_through_shoes_values_bets_on_suits() -> None:
    exposed = count(book_of(TOTALS, SUITED), bets=("perfect_pair", "pair_and_win", "sums"), shoes=16)
    assert [line.bet for line in exposed.bets] == ["perfect_pair", "pair_and_win", "sums"]
    assert all(0 <= line.worth_betting <= 1 and line.profit_per_100 >= 0 for line in exposed.bets)
    assert exposed.bets[0].worth_betting > 0


def test_a_rulebook_without_the_words_is_dealt_as_before() -> None:
    deal = deal_of(lammer.rulebook("tiger-buffalo-noncommission@4"), Composition.of_decks(8), 14, 1)
    assert deal.points is None
    assert set(deal.cards[:32]) == {16}, "an ace is one point and the first rank, and no suit is kept"
