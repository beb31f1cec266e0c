"""The figures of the report against plain enumeration, plain convolution and the settlement itself."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb

import pytest

import lammer
from lammer import PlacedBet, parse_cards, settle
from lammer.build import build_hash
from lammer.game.bets import judge
from lammer.game.cards import Card
from lammer.game.hands import finish_round
from lammer.lab import edges
from lammer.lab.exact.analysis import unit_profit
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.odds import deal_hands
from lammer.lab.exact.rounding import effects_of_rounding
from lammer.lab.exact.stretch import Stretch
from lammer.lab.exact.together import win_together
from lammer.lab.reporting.report_figures import Terms, joint_liability_sheet, parse_limits
from lammer.rulebook.refusal import Refused
from lammer.shelf import shipped_ids

SMALL = parse_cards("KS KH 5S 5H 5D AC 9C 6S")
"""Eight cards with pairs and three of a rank: 20,160 draws of six, each played out by the game itself."""
TIGER = lammer.rulebook("tiger-buffalo-noncommission-insurance@3")


# Bets that win together


@pytest.mark.parametrize("name", ["tiger-buffalo-noncommission@4", "tiger-buffalo-commission-insurance@3"])
def test_bets_together_agree_with_playing_every_draw(name: str) -> None:
    book = lammer.rulebook(name)
    played: Counter[tuple[Fraction, ...]] = Counter()
    for six in permutations(SMALL, 6):
        round_ = finish_round(book, *deal_hands(book, six))
        verdicts = [judge(book, bet, round_) for bet in book.bets.values()]
        played[tuple(unit_profit(verdict.outcome, verdict.odds) for verdict in verdicts)] += 1
    together = win_together(book, Composition.of(Counter(card[0] for card in SMALL)))
    assert together.rows == played
    assert len(played) > 20, "the small shoe has a variety of rounds"


@pytest.mark.parametrize("name", shipped_ids())
def test_bets_together_have_the_edges_of_each(name: str) -> None:
    book = lammer.rulebook(name)
    together, analysis = win_together(book, Composition.of_decks(8)), edges(book)
    assert together.draws == analysis.combinations
    for place, bet in enumerate(together.names):
        mean = sum((row[place] * count for row, count in together.rows.items()), Fraction(0)) / together.draws
        assert -mean == analysis.bet(bet).edge


def test_the_most_a_round_can_cost_is_what_the_settlement_pays() -> None:
    """Player 1 against 0 with four fives: Wu Dalang, both pairs, the twin pair and Player."""
    together = win_together(TIGER, Composition.of_decks(8))
    worst = together.payouts(dict.fromkeys(TIGER.bets, 100_00))[0]
    assert set(worst.bets) == {"player", "player_pair", "banker_pair", "tiger_pair", "wu_dalang"}
    cards = [Card(card) for card in ["5S", "5H", "5D", "5C", "AS", "KS"]]
    paid = 0
    for name, bet in TIGER.bets.items():
        line = settle(TIGER, min(bet.layouts), cards, [PlacedBet("p", 1, name, 100_00)]).lines[0]
        paid += max(line.net, 0)
    assert worst.paid == paid == 27_300_00


def test_limits_decide_which_payout_is_the_most() -> None:
    together = win_together(TIGER, Composition.of_decks(8))
    terms = Terms(limits={"original": 10_000_00, "side": 1_00})
    first = joint_liability_sheet(TIGER, together, terms).rows[0]
    assert "Wu Dalang" in str(first[1])
    assert first[2] == f"{10_000 + 11 + 11 + 100 + 150}.00", "Player, two pairs, the twin pair, Wu Dalang"
    only = Terms(limits={"tie": 50_00})
    assert joint_liability_sheet(TIGER, together, only).rows[0][1:3] == ("Tie", "400.00")
    assert len(joint_liability_sheet(TIGER, together, only).rows) == 1, "a tie, or nothing is paid"


def test_limits_of_bets_nobody_knows_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        parse_limits([TIGER], {"dragon": 1_00})
    assert (refused.value.code, "side" in refused.value.next_step) == ("unknown_bet", True)


def test_what_the_house_wins_of_a_mix_is_the_sum_of_its_edges() -> None:
    stakes = {"banker": 100_00, "tiger_pair": 5_00, "tie": 3}
    wins = win_together(TIGER, Composition.of_decks(8)).wins_of(stakes)
    analysis = edges(TIGER)
    mean = sum((analysis.bet(name).edge * cents for name, cents in stakes.items()), Fraction(0))
    assert Stretch.of(wins, 1000).mean == 1000 * mean


# Many rounds


def test_percentiles_agree_with_adding_round_to_round() -> None:
    """Forty rounds of a bet with four outcomes, its distribution built a round at a time in whole numbers."""
    draws = {Fraction(-1): 70, Fraction(0): 10, Fraction(3, 2): 15, Fraction(20): 5}
    sums: Counter[Fraction] = Counter({Fraction(0): 1})
    for _ in range(40):
        more: Counter[Fraction] = Counter()
        for sum_, ways in sums.items():
            for value, count in draws.items():
                more[sum_ + value] += ways * count
        sums = more
    every, below, expected = 100**40, 0, {}
    asked = [1, 5, 25, 50, 75, 95, 99]
    for sum_ in sorted(sums):
        below += sums[sum_]
        for percent in asked:
            if percent not in expected and 100 * below >= percent * every:
                expected[percent] = sum_
    stretch = Stretch.of(draws, 40)
    assert stretch.percentiles(asked) == [expected[percent] for percent in asked]
    lost = Fraction(sum(ways for sum_, ways in sums.items() if sum_ < 0), every)
    assert stretch.share_below(Fraction(0)) == pytest.approx(float(lost), abs=1e-10)


def test_a_rare_bet_has_its_lumps_and_no_bell_curve() -> None:
    rounds, win = 1000, 150
    stretch = Stretch.of({Fraction(win): 5, Fraction(-1): 995}, rounds)
    share = Fraction(5, 1000)
    below = Fraction(0)
    for hits in range(rounds + 1):
        below += comb(rounds, hits) * share**hits * (1 - share) ** (rounds - hits)
        if below >= Fraction(25, 1000):
            break
    assert stretch.percentiles([2.5]) == [hits * win - (rounds - hits)]
    # Were it normal, the same share would lie between two sums there can be.
    assert (stretch.percentiles([2.5])[0] + rounds) % (win + 1) == 0


def test_very_long_stretches_lie_where_a_bell_curve_puts_them() -> None:
    """Ten million rounds have more sums than the grid has points."""
    stretch = Stretch.of({Fraction(-95): 4585, Fraction(100): 4462, Fraction(0): 953}, 10_000_000)
    deviation = float(stretch.variance) ** 0.5
    low, middle, high = (float(win - stretch.mean) for win in stretch.percentiles([5, 50, 95]))
    assert middle == pytest.approx(0, abs=0.002 * deviation)
    assert high == pytest.approx(1.6449 * deviation, rel=0.002)
    assert low == pytest.approx(-1.6449 * deviation, rel=0.002)


# Rounding


def test_the_stake_cut_most_costs_what_the_settlement_cuts() -> None:
    """Banker less 5% and Player, on a dollar and a cent: the edge from what is really paid."""
    book = lammer.rulebook("tiger-buffalo-commission-insurance@3")
    analysis = edges(book)
    by_bet = {each.bet: each for each in effects_of_rounding(analysis, 1_00)}
    for bet, cards in (("banker", "KS 9S KH KD"), ("player", "9S KS KH KD")):
        worst = by_bet[bet].worst
        paid = settle(book, "A", parse_cards(cards), [PlacedBet("p", 1, bet, worst)]).lines[0].net
        exact = analysis.bet(bet)
        edge = exact.share("lost") - exact.share("won") * Fraction(paid, worst)
        assert by_bet[bet].edge == edge
    assert (by_bet["banker"].evenly, by_bet["player"].evenly) == (20, 1)
    assert not by_bet["player"].more
    others = (settle(book, "A", parse_cards("KS 9S KH KD"), [PlacedBet("p", 1, "banker", stake)]) for stake in
              range(1_00, 1_20))  # fmt: skip
    cuts = [Fraction(each.lines[0].remainder, each.lines[0].stake) for each in others]
    assert cuts.index(max(cuts)) == by_bet["banker"].worst - 1_00


def test_a_build_is_known_by_every_file_of_it() -> None:
    assert build_hash() == build_hash.__wrapped__()
