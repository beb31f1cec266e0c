"""Counting: worths against the authority, tags against every tag there is, the same figures from everyone."""

from __future__ import annotations

import itertools
import math
import random
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lammer
from lammer.game.cards import Card
from lammer.lab.counting.count import Habits, Span, count, spans
from lammer.lab.counting.exposure import SystemLine
from lammer.lab.counting.systems import LARGEST, best_system, parse_tags, system_of
from lammer.lab.counting.valuing import pays_of, worths
from lammer.lab.counting.walking import BURN_BY_FIRST, walk
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.lab.exact.odds import deal_hands, mid_round_odds
from lammer.lab.exact.removal import effects_of_removal
from lammer.lab.simulation.insured import WINDOWS, insure_arrays
from lammer.lab.simulation.lookups import lookups, shoe_bytes
from lammer.lab.simulation.work import Threads
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS, SIDES
from support.counted_pairs import pair_tiers

BOOKS = lammer.shelf()


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_every_bet_is_worth_what_the_authority_says(book: Rulebook) -> None:
    source = random.Random(book.id)
    shoes = [[source.randint(0, most) for _ in RANKS] for most in (1, 2, 4, 9, 32, 40) for _ in range(5)]
    shoes = [shoe for shoe in shoes if sum(shoe) >= 6] + [[40] * 13, [32] * 13, [0] * 11 + [3, 3]]
    pays = pays_of(book)
    made = worths(pays, np.array(shoes, np.int16))
    for shoe, row in zip(shoes, made, strict=True):
        exact = edges(book, Composition(tuple(shoe)))
        for name, worth in zip(pays.bets, row, strict=True):
            edge = exact.bet(name).edge
            assert worth == pytest.approx(float(-edge), rel=1e-15, abs=1e-18), (name, shoe)
            assert (worth > 0) == (edge < 0)
            assert (worth == 0) == (edge == 0)


def test_pairs_are_counted_as_the_authority_counts_them() -> None:
    book = lammer.rulebook("da-hu-ying-xiong-noncommission-insurance@2")
    source = random.Random(5)
    points = lookups(book).points.tolist()
    for _ in range(50):
        shoe = [source.randint(0, 9) for _ in RANKS]
        by_code = [0] * 6
        for (i, j), ways in pair_tiers(shoe).items():
            both = i >= 0 and j >= 0
            code = (i >= 0) + 2 * (j >= 0)
            if both:
                code = 5 if i == j else 4 if points[i] == points[j] else 3
            by_code[code] += ways
        pays = pays_of(book, ("tiger_pair",))
        ends = pays.weights.shape[1] - 6
        expected = sum(w * int(p) for w, p in zip(by_code, pays.weights[0, ends:], strict=True))
        total = sum(by_code) * int(pays.denominators[0])
        made = worths(pays, np.array([shoe], np.int16))[0, 0]
        assert made == pytest.approx(float(Fraction(expected, total)), rel=1e-15, abs=1e-18)


def test_insurance_on_the_way_is_worth_what_the_cards_say() -> None:
    """One shoe walked by hand: every offer valued card by card, in fractions."""
    book = lammer.rulebook("tiger-buffalo-noncommission-insurance@3")
    shoe = Composition.of_decks(1)
    cards = shoe_bytes(book, shoe)
    insure = insure_arrays(book)
    seed = 9
    found: dict[Any, list[Any]] = {
        (hand, window): [0, 0, Fraction(0)] for hand in SIDES for window in WINDOWS
    }
    walked = walk(seed, 0, 12, cards, 52 - 12, lookups(book).uses, insure)
    for number in range(12):
        states = walked.states[walked.starts[number] : walked.starts[number + 1]]
        assert states[0].tolist() == [4] * 13
        order = _order(seed, number, shoe)
        gone = 0
        for state in states:
            left = Composition(tuple(52 // 13 - order[:gone].count(rank) for rank in RANKS))
            assert state.tolist() == list(left.ranks)
            gone += _offers_by_hand(book, [Card(f"{rank}S") for rank in order[gone:]], left, found)
    for h, hand in enumerate(SIDES):
        for w, window in enumerate(WINDOWS):
            offers, taken, worth = found[hand, window]
            seen = walked.insurance[:, h, w].sum(axis=0)
            assert (seen[0], seen[1]) == (offers, taken)
            assert seen[2] == pytest.approx(float(worth), rel=1e-12)
    assert sum(row[1] for row in found.values()) > 5


def _order(seed: int, stream: int, shoe: Composition) -> str:
    """The ranks of a stream's first shoe, shuffled again in plain Python."""
    mask = (1 << 64) - 1

    def mixed(z: int) -> int:
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    start = (seed + (2 * stream + 1) * 0x9E3779B97F4A7C15) & mask
    a, b = mixed(start), mixed((start + 0x9E3779B97F4A7C15) & mask)
    s = [a & 0xFFFFFFFF, a >> 32, b & 0xFFFFFFFF, b >> 32]

    def word() -> int:
        def turned(x: int, by: int) -> int:
            return ((x << by) | (x >> (32 - by))) & 0xFFFFFFFF

        x = (turned((s[0] + s[3]) & 0xFFFFFFFF, 7) + s[0]) & 0xFFFFFFFF
        t = (s[1] << 9) & 0xFFFFFFFF
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = turned(s[3], 11)
        return x

    deck = [rank for rank, many in zip(RANKS, shoe.ranks, strict=True) for _ in range(many)]
    for place in range(0, len(deck) - 1, 2):
        left = len(deck) - place
        both = left * (left - 1)
        while True:
            x = word()
            first, rest = divmod(x * left, 1 << 32)
            second, rest = divmod(rest * (left - 1), 1 << 32)
            if rest >= (1 << 32) % both:
                break
        deck[place], deck[place + first] = deck[place + first], deck[place]
        deck[place + 1], deck[place + 1 + second] = deck[place + 1 + second], deck[place + 1]
    return "".join(deck)


def _offers_by_hand(book: Rulebook, cards: list[Card], left: Composition, found: dict[Any, list[Any]]) -> int:
    """Value what is on offer after four cards and after five; give back how many cards the round takes."""
    player, banker = deal_hands(book, cards[:6])
    uses = len(player) + len(banker)
    for window, seen in zip(WINDOWS[:2], (4, 5), strict=True):
        if window == "third_card" and len(player) < 3:
            break
        now = mid_round_odds(book, cards[:seen], left)
        for each in now.insurance:
            row = found[each.offer.hand, window]
            row[0] += 1
            if each.worth > 0:
                row[1] += 1
                row[2] += each.worth
    return uses


@pytest.mark.parametrize(("burn", "more_rounds"), [(5, 0), (BURN_BY_FIRST, 0), (0, 2), (3, 1)])
def test_burnt_cards_and_rounds_after_the_cut_card_are_walked_as_by_hand(burn: int, more_rounds: int) -> None:
    """Cards burnt unseen are gone, and yet among those a counter reckons with."""
    book, shoe, seed, cut = (
        lammer.rulebook("tiger-buffalo-noncommission-insurance@3"),
        Composition.of_decks(1),
        4,
        24,
    )
    found: dict[Any, list[Any]] = {
        (hand, window): [0, 0, Fraction(0)] for hand in SIDES for window in WINDOWS
    }
    walked = walk(
        seed,
        0,
        6,
        shoe_bytes(book, shoe),
        52 - cut,
        lookups(book).uses,
        insure_arrays(book),
        None,
        burn,
        more_rounds,
    )
    for number in range(6):
        order = _order(seed, number, shoe)
        known, at = "", burn
        if burn == BURN_BY_FIRST:
            known, at = order[0], 1 + (book.cards.points[order[0]] % 10 or 10)
        expected = []
        more = more_rounds
        while at <= 52 - cut or more:
            more -= at > 52 - cut
            left = Composition(tuple(4 - known.count(rank) for rank in RANKS))
            expected.append(list(left.ranks))
            uses = _offers_by_hand(book, [Card(f"{rank}S") for rank in order[at : at + 6]], left, found)
            known, at = known + order[at : at + uses], at + uses
        assert walked.states[walked.starts[number] : walked.starts[number + 1]].tolist() == expected
    for h, hand in enumerate(SIDES):
        for w, window in enumerate(WINDOWS):
            seen = walked.insurance[:, h, w].sum(axis=0)
            assert (seen[0], seen[1]) == tuple(found[hand, window][:2])
            assert seen[2] == pytest.approx(float(found[hand, window][2]), rel=1e-12)


# Counting as the literature does it

DRAGON = lammer.rulebook(str(Path(__file__).parents[2] / "examples" / "ez-baccarat.toml"))
PUBLISHED = tomllib.loads((Path(__file__).parents[1] / "exact" / "counting.toml").read_text("utf-8"))["play"]


@pytest.mark.parametrize("play", PUBLISHED, ids=[play["what"] for play in PUBLISHED])
def test_published_counts_make_what_was_published(play: dict[str, Any]) -> None:
    """Under the conventions that stand beside the figure, within what so many shoes leave to chance."""
    habits = Habits(parse_tags(play["tags"]), play["from"], BURN_BY_FIRST, play["rounds_after_cut"])
    made = count(DRAGON, bets=(play["bet"],), shoes=play["shoes"], cut=play["cut"], habits=habits)
    rounds = made.states / made.shoes
    (line,) = made.systems
    error = line.error_per_100 * rounds / 100
    assert line.profit_per_100 * rounds / 100 == pytest.approx(play["units_per_shoe"], abs=3 * error)
    assert error < 0.03 * play["units_per_shoe"] * 2
    assert (line.bet_from, line.tags) == (play["from"], habits.tags)


def test_the_best_tags_follow_as_closely_as_tags_of_ones_own() -> None:
    effects = effects_of_removal(BOOKS[0])["tie"]
    best = best_system(effects)
    assert best is not None
    own = system_of(best.tags, effects)
    assert own.correlation == pytest.approx(best.correlation, abs=1e-9)
    shifted = system_of(tuple(tag + 1 for tag in best.tags), effects)
    assert shifted.correlation == pytest.approx(best.correlation, abs=1e-9), (
        "a tag more on every card tells nothing"
    )


def test_a_spread_bets_below_the_count_too() -> None:
    """One unit below, five from it on: what a unit always makes, and four times what the count makes."""
    tags = (0, 0, 0, -1, -1, -1, -1, 2, 2, 0, 0, 0, 0)

    def line(spread: tuple[int, int], bet_from: int) -> SystemLine:
        chosen = Habits(tags, bet_from, spread=spread)
        return count(DRAGON, bets=("dragon_7",), shoes=40, habits=chosen).systems[0]

    always, good, both = line((0, 1), -60), line((0, 1), 4), line((1, 5), 4)
    assert both.profit_per_100 == pytest.approx(always.profit_per_100 + 4 * good.profit_per_100, rel=1e-9)
    assert always.bets_on == 1
    assert always.profit_per_100 < 0 < good.profit_per_100


def test_the_desirability_of_a_bet_made_every_round_is_its_edge_over_its_deviation() -> None:
    habits = Habits((0, 0, 0, -1, -1, -1, -1, 2, 2, 0, 0, 0, 0), -60)
    line = count(DRAGON, bets=("dragon_7",), shoes=40, habits=habits).systems[0]
    bet = edges(DRAGON).bet("dragon_7")
    worth = line.profit_per_100 / 100
    second = float(bet.variance + bet.edge**2)
    assert line.desirability == pytest.approx(1000 * worth / math.sqrt(second - worth**2), rel=1e-9)


def test_both_sides_of_a_pair_are_bet_on_one_count() -> None:
    book = lammer.rulebook("tiger-buffalo-commission-insurance@3")
    made = count(book, bets=("player",), shoes=60, habits=Habits(bet_from=12, pairs=(("player", "banker"),)))
    lines = {line.bet: line for line in made.bets}
    pair, player, banker = (lines[name] for name in ("player / banker", "player", "banker"))
    # The two are never both worth betting, so the better of them is whichever is.
    assert pair.worth_betting == pytest.approx(player.worth_betting + banker.worth_betting, rel=1e-12)
    assert pair.profit_per_100 == pytest.approx(player.profit_per_100 + banker.profit_per_100, rel=1e-9)
    systems = {line.bet: line for line in made.systems}
    both = systems["player / banker"]
    assert (both.bet_from, both.other_from, both.tags) == (12, 12, systems["player"].tags)
    assert both.bets_on > systems["player"].bets_on


def test_the_tags_are_the_best_of_all_tags() -> None:
    """Against every balanced tag there is, for effects of a few kinds of rank."""
    source = random.Random(3)
    kinds = ("A2", "3456", "789", "TJQK")
    for _ in range(6):
        of_kind = [source.uniform(-1, 1) for _ in kinds]
        effects = {
            rank: Fraction(value).limit_denominator(10**6)
            for ranks, value in zip(kinds, of_kind, strict=True)
            for rank in ranks
        }
        system = best_system(effects)
        assert system is not None
        assert sum(system.tags) == 0
        helps = [-float(effects[rank]) for rank in RANKS]
        mean = sum(helps) / 13
        helps = [value - mean for value in helps]
        best = 0.0
        for tags in itertools.product(range(-LARGEST, LARGEST + 1), repeat=4):
            full = [tag for ranks, tag in zip(kinds, tags, strict=True) for _ in ranks]
            if any(full) and sum(full) == 0:
                length = math.sqrt(sum(t * t for t in full) * sum(h * h for h in helps))
                best = max(best, sum(t * h for t, h in zip(full, helps, strict=True)) / length)
        assert system.correlation == pytest.approx(best, rel=1e-9)


def test_a_bet_no_single_card_moves_has_no_system() -> None:
    exposed = count(lammer.rulebook("tiger-buffalo-noncommission@4"), bets=("player_pair",), shoes=8)
    assert exposed.systems == ()
    assert set(exposed.effects["player_pair"].values()) == {Fraction(0)}
    assert exposed.bets[0].worth_betting > 0


def test_everyone_finds_the_same_figures() -> None:
    book = lammer.rulebook("da-hu-ying-xiong-noncommission-insurance@2")
    one = count(book, shoes=130, seed=4, workers=Threads(1))
    two = count(book, shoes=130, seed=4, workers=Threads(2))
    assert one == two
    assert one != count(book, shoes=130, seed=5)
    assert one.shoes == 130
    assert {line.bet for line in one.insurance} == set(SIDES)


def test_the_cut_card_ends_a_shoe() -> None:
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    deep = count(book, bets=("tie",), shoes=40, cut=6)
    shallow = count(book, bets=("tie",), shoes=40, cut=208)
    assert deep.states > 1.9 * shallow.states
    assert shallow.bets[0].profit_per_100 <= deep.bets[0].profit_per_100


class Stopped:
    """Somebody presses Ctrl-C after a few spans."""

    def share(self, do: Callable[[Any], Any], blocks: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        for block in itertools.islice(blocks, 5):
            yield block, do(block)
        raise KeyboardInterrupt


def test_an_interrupted_count_hands_over_what_it_has() -> None:
    exposed = count(BOOKS[0], bets=("tie",), shoes=200, workers=Stopped())
    assert (exposed.shoes, exposed.asked, exposed.stopped) == (5, 200, "interrupted")
    assert "5 shoes of 200 asked for (interrupted)" in exposed.description


def test_spans_depend_on_the_number_of_shoes_alone() -> None:
    short, long = list(spans(10_000)), list(spans(1_000_000))
    assert short[0] == Span(0, 0, 78)
    assert sum(span.shoes for span in short) == 10_000
    assert long[1] == Span(1, 1024, 1024), "many shoes lie in no larger spans than these"
    assert sum(span.shoes for span in long) == 1_000_000


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"bets": ("dragon",)}, "unknown_bet"),
        ({"shoes": 0}, "impossible_run"),
        ({"shoes": 10**9}, "impossible_run"),
        ({"cut": 3}, "impossible_run"),
        ({"seed": -1}, "impossible_run"),
        ({"decks": 0}, "impossible_shoe"),
        ({"habits": Habits(rounds_after_cut=2)}, "impossible_run"),
        ({"habits": Habits(burn=53)}, "impossible_run"),
        ({"habits": Habits(spread=(5, 1))}, "impossible_run"),
        ({"habits": Habits(spread=(1, 2), pairs=(("player", "banker"),))}, "impossible_run"),
        ({"habits": Habits(pairs=(("player", "dragon"),))}, "unknown_bet"),
    ],
)
def test_what_cannot_be_counted_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused, match=code):
        count(BOOKS[0], **{"shoes": 8, **change})
