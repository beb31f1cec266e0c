"""The exact counts against plain enumeration, and against every published figure."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import product
from pathlib import Path

import pytest

import lammer
from lammer import PlacedBet, Refused, deal, parse_cards, settle
from lammer.game.cards import Card
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import Analysis, edges, percent
from lammer.lab.exact.odds import mid_round_odds
from lammer.lab.exact.ways import draws, paths, ways
from lammer.rulebook.vocabulary import RANKS
from lammer.shelf import shipped_ids
from support import brute_force
from support.counted_pairs import pair_tiers

BOOK = "tiger-buffalo-noncommission-insurance@3"
PUBLISHED = tomllib.loads((Path(__file__).parents[1] / "exact" / "eight_decks.toml").read_text("utf-8"))
VALUES = ("KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")


def plain_finals(counts: list[int]) -> Counter[tuple[int, int, int, int]]:
    """Every ordered draw of six point values, played out by the brute force."""
    found: Counter[tuple[int, int, int, int]] = Counter()
    values = [value for value, count in enumerate(counts) if count]
    for six in product(values, repeat=6):
        left = Counter(dict(enumerate(counts)))
        weight = 1
        for value in six:
            weight *= left[value]
            left[value] -= 1
        if not weight:
            continue
        for length in (4, 5, 6):
            try:
                player, banker = brute_force.play([VALUES[value] for value in six[:length]])
            except ValueError:
                continue
            totals = brute_force.points(player), brute_force.points(banker)
            found[(*totals, len(player), len(banker))] += weight
            break
    return found


@pytest.mark.parametrize("seed", range(12))
def test_counts_agree_with_plain_enumeration_on_small_shoes(seed: int) -> None:
    source = random.Random(seed)
    counts = [0] * 10
    for value in source.sample(range(10), 4):
        counts[value] = source.randint(1, 5)
    if sum(counts) < 6:
        counts[0] += 6
    book = lammer.rulebook(BOOK)
    found: Counter[tuple[int, int, int, int]] = Counter()
    for path, count in zip(paths(book), ways(book, counts), strict=True):
        found[path.final] += count
    assert {final: count for final, count in found.items() if count} == dict(plain_finals(counts))


@pytest.mark.parametrize("decks", range(4, 11))
def test_every_draw_is_counted_once(decks: int) -> None:
    book = lammer.rulebook(BOOK)
    shoe = Composition.of_decks(decks)
    counts = shoe.by_points(book)
    assert sum(ways(book, counts)) == draws(counts) == sum(pair_tiers(shoe.ranks).values())
    for bet in edges(book, shoe).bets:
        assert sum(outcome.combinations for outcome in bet.outcomes) == draws(counts), bet.bet


def test_pairs_agree_with_plain_enumeration() -> None:
    source = random.Random(4)
    ranks = [source.randint(0, 3) for _ in RANKS]
    found: Counter[tuple[int, int]] = Counter()
    rest = (sum(ranks) - 4) * (sum(ranks) - 5)
    for four in product(range(13), repeat=4):
        left, weight = list(ranks), 1
        for rank in four:
            weight *= left[rank]
            left[rank] -= 1
        if weight:
            p = four[0] if four[0] == four[2] else -1
            b = four[1] if four[1] == four[3] else -1
            found[p, b] += weight * rest
    assert {key: count for key, count in pair_tiers(ranks).items() if count} == dict(found)


CASES = [
    (row["rulebook"], bet, percent) for row in PUBLISHED["edge"] for bet, percent in row["percent"].items()
]


@pytest.mark.parametrize(("name", "bet", "published"), CASES, ids=[f"{name}-{bet}" for name, bet, _ in CASES])
def test_published_edges(name: str, bet: str, published: str) -> None:
    edge = edges(lammer.rulebook(name)).bet(bet).edge
    places = len(published.partition(".")[2])
    assert Decimal(percent(edge, places)) == Decimal(published)


def test_a_small_shoe_worked_by_hand() -> None:
    """Three kings and three nines: 720 draws. King and nine make 9, two nines 8, two kings 0.

    One hand is always a natural, since four kings there are not, so no third card is ever drawn. The Player
    is paired in 12 of the 30 ways to be dealt. The hands tie when both hold a king and a nine: 18 of
    30 for the Player, then 8 of 12 for the Banker, two fifths of all.
    """
    book = lammer.rulebook(BOOK)
    made = edges(book, Composition.of({"K": 3, "9": 3}))
    assert made.combinations == 720
    pair = made.bet("player_pair")
    assert [(o.outcome, o.combinations) for o in pair.outcomes] == [("won", 288), ("lost", 432)]
    tie = made.bet("tie")
    assert [(o.outcome, o.combinations) for o in tie.outcomes] == [("won", 288), ("lost", 432)]


Situation = tuple[str, str, int, int]


@lru_cache
def insured_by_hand() -> dict[Situation, tuple[Fraction, Fraction, Fraction]]:
    """How often each situation comes up with eight decks, its edge and variance, round by round.

    Offers and settlements are the brute force's own; the four games that insure do it alike, and every round
    is weighed by the ordered draws of six cards that begin with it.
    """
    sums: dict[Situation, list[Fraction]] = {}
    for points in brute_force.point_rounds():
        cards = [VALUES[value] for value in points]
        offers = brute_force.insurance_offers(BOOK, cards)
        weight = _weight(points) if offers else 0
        for hand, window in offers:
            outcome, won, _ = brute_force.settle_insurance(BOOK, hand, window, cards, 1)
            profit = won if outcome == "won" else Fraction(-1 if outcome == "lost" else 0)
            found = sums.setdefault((hand, window, *_shown(points, window)), [Fraction(0)] * 3)
            for power in range(3):
                found[power] += weight * profit**power
    every = draws([128] + [32] * 9)
    return {
        situation: (all_ / every, -first / all_, second / all_ - (first / all_) ** 2)
        for situation, (all_, first, second) in sums.items()
    }


def _weight(points: tuple[int, ...]) -> int:
    """Ordered draws of six from eight decks that begin so, either hand's first two cards in either order."""
    left = [128] + [32] * 9
    weight = (1 + (points[0] != points[2])) * (1 + (points[1] != points[3]))
    for value in points:
        weight *= left[value]
        left[value] -= 1
    for place in range(len(points), 6):
        weight *= 416 - place
    return weight


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", shipped_ids())
def test_insurance_agrees_with_settling_every_round(name: str) -> None:
    made = edges(lammer.rulebook(name)).insurance
    found = {(i.hand, i.window, i.player, i.banker): (i.occurs, i.edge, i.variance) for i in made}
    assert len(found) == len(made)
    assert found == ({} if name == brute_force.NONCOMMISSION_4 else insured_by_hand())


def _shown(points: tuple[int, ...], window: str) -> tuple[int, int]:
    player = points[0] + points[2] + (points[4] if window == "third_card" else 0)
    return player % 10, (points[1] + points[3]) % 10


def test_other_odds_move_the_edge() -> None:
    book = lammer.rulebook(BOOK)
    before, after = edges(book), edges(book, pays={"small_tiger": "23:1"})
    assert before.bet("small_tiger").edge > after.bet("small_tiger").edge
    assert before.bet("tie") == after.bet("tie")
    for pays in ({"dragon": "2:1"}, {"tie": "nine"}, {"tiger_pair": "5:1"}):
        with pytest.raises(Refused):
            edges(book, pays=pays)


@pytest.mark.parametrize("shoe", ["A=1", "A=-1", "A=5,A=6", "X=3", "", "A=2,2=3"])
def test_impossible_shoes_are_refused(shoe: str) -> None:
    with pytest.raises(Refused, match="impossible_shoe"):
        Composition.parse(shoe)


def test_a_rulebook_of_your_own_is_analysed_too() -> None:
    book = lammer.rulebook(str(Path(__file__).parents[2] / "docs/guides/da-hu-nine-bets.toml"))
    assert 0 < edges(book).bet("lucky_eight").edge < 1


def test_from_here_adds_up_and_agrees_with_the_start() -> None:
    book = lammer.rulebook(BOOK)
    shoe = Composition.of_decks(8)
    now = mid_round_odds(book, parse_cards("QS 3D 6H AC"), shoe)
    assert all(each.won + each.lost + each.returned == 1 for each in now.bets)
    (offer,) = now.insurance
    # One card to come from 412: the Player's 6 loses to a Banker of 7, 8 or 9, which 3, 4 and 5 make of 4.
    assert offer.worth == Fraction(31 + 32 + 32, 412) * Fraction(5, 2) - Fraction(412 - 95 - 32, 412)
    done = mid_round_odds(book, parse_cards("QS 3D 6H AC 5D"), shoe)
    settled = settle(book, "A", parse_cards("QS 3D 6H AC 5D"), [PlacedBet("p", 1, "banker", 100)])
    assert {each.bet: each.won for each in done.bets}["banker"] == 1
    assert settled.net == {"p": 100}
    assert deal(book, [Card("QS"), Card("3D"), Card("6H"), Card("AC"), Card("5D")]).winner == "banker"


def test_the_mean_of_from_here_is_the_edge_from_the_start() -> None:
    """Averaged over the first card, the worth of a bet from there is what it is worth from the start."""
    book = lammer.rulebook("da-hu-ying-xiong-noncommission-insurance@2")
    shoe = Composition.of({"K": 4, "6": 3, "9": 2})
    made: Analysis = edges(book, shoe)
    mean = Fraction(0)
    for rank, count in shoe.counts.items():
        if count:
            now = mid_round_odds(book, parse_cards(f"{rank}S"), shoe)
            mean += Fraction(count, shoe.size) * next(each.worth for each in now.bets if each.bet == "banker")
    assert -mean == made.bet("banker").edge
    (start,) = (each for each in mid_round_odds(book, (), shoe).bets if each.bet == "banker")
    assert start.worth == mean


def test_a_bet_that_is_not_there_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(Refused) as refused:
        edges(lammer.rulebook(BOOK), layout="M").bet("big_tiger")
    assert refused.value.code == "unknown_bet"
    assert refused.value.next_step.startswith("It has player, banker, tie")


def test_no_more_of_a_card_are_taken_out_than_full_decks_hold() -> None:
    shoe = Composition.of_decks(8)
    assert shoe.without(["9H"] * 8).counts["9"] == 24
    with pytest.raises(Refused) as refused:
        shoe.without(["9H"] * 9)
    assert refused.value.code == "impossible_card"
    # Of a shoe given by counts only the ranks are known.
    assert Composition.of({"9": 20}).without(["9H"] * 9).size == 11


def test_a_round_ends_from_the_last_cards_of_a_shoe() -> None:
    """Six cards are enough for one round, so four on the table and two in the shoe are too."""
    book = lammer.rulebook(BOOK)
    shoe = Composition.of({"K": 4, "4": 1, "9": 1})
    now = mid_round_odds(book, parse_cards("KS KD KH KC"), shoe)
    chances = {each.bet: each.won for each in now.bets}
    # Neither hand has anything: the Player draws 4 or 9, and the Banker the other one.
    assert (chances["player"], chances["banker"], chances["tie"]) == (
        Fraction(1, 2),
        Fraction(1, 2),
        Fraction(0),
    )
    with pytest.raises(Refused, match="does not hold so many of 9"):
        mid_round_odds(book, parse_cards("9S 9D KH KC"), shoe)
