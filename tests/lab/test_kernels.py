"""The compiled loops against the authority, and against the streams played in plain Python."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from importlib import resources
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import lammer
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges, judge_counts
from lammer.lab.exact.ways import draws, paths, ways
from lammer.lab.simulation.kernels import KEYS, shuffle
from lammer.lab.simulation.lookups import lookups, path_counts, tier_counts, ways_compiled
from lammer.lab.simulation.streams import Block, deal_block, deal_of
from lammer.rulebook.load import load
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import RANKS
from lammer.shelf import shipped_ids
from support import brute_force, plain_streams

GUIDES = Path(__file__).parents[2] / "docs/guides"
OWN = sorted(path for path in GUIDES.glob("*.toml") if "[rulebook]" in path.read_text("utf-8"))
BOOKS = [*shipped_ids(), *(str(path) for path in OWN), "another table of play"]
SHOES = 300


def book_of(name: str) -> Rulebook:
    """A rulebook; in the last one the Player stands on 5."""
    if name != BOOKS[-1]:
        return lammer.rulebook(name)
    document = resources.files("lammer.rulebook") / "documents/tiger-buffalo-noncommission@4.toml"
    text = document.read_text("utf-8")
    changed = text.replace(
        '{ total = [0, 1, 2, 3, 4, 5], does = "draws"', '{ total = [0, 1, 2, 3, 4], does = "draws"'
    ).replace('{ total = [6, 7], does = "stands"', '{ total = [5, 6, 7], does = "stands"')
    assert changed != text
    return load(changed, "another.toml")


def some_shoes(source: random.Random) -> list[list[int]]:
    """Point counts of all kinds: full decks, depleted ones, a handful of values, six cards."""
    shoes = [[16 * decks] + [4 * decks] * 9 for decks in range(1, 11)]
    while len(shoes) < SHOES:
        kind = len(shoes) % 4
        if kind == 0:
            decks = source.randint(1, 10)
            counts = [source.randint(0, 16 * decks)] + [source.randint(0, 4 * decks) for _ in range(9)]
        elif kind == 1:
            counts = [0] * 10
            for value in source.sample(range(10), source.randint(1, 4)):
                counts[value] = source.randint(1, 160)
        elif kind == 2:
            counts = [0] * 10
            for _ in range(source.randint(6, 14)):
                counts[source.randrange(10)] += 1
        else:
            full = [value for value in range(10) for _ in range(160 if value == 0 else 40)]
            left = Counter(source.sample(full, source.randint(6, len(full))))
            counts = [left[value] for value in range(10)]
        if sum(counts) >= 6:
            shoes.append(counts)
    return shoes


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", BOOKS, ids=[Path(name).name for name in BOOKS])
def test_joint_counts_agree_with_the_authority(name: str) -> None:
    """Draw for draw, on shoes of every kind; each rulebook has shoes of its own."""
    book = book_of(name)
    for counts in some_shoes(random.Random(name)):
        found = ways_compiled(book, np.array(counts)).tolist()
        assert found == ways(book, counts), counts
        assert sum(found) == draws(counts)


def test_joint_counts_reach_twenty_decks() -> None:
    """Twice what the documents allow, all of it and all of one value: no sum runs over."""
    book = lammer.rulebook(BOOKS[0])
    for counts in ([320] + [80] * 9, [1040] + [0] * 9, [0] * 9 + [1040], [520] + [0] * 8 + [520]):
        assert ways_compiled(book, np.array(counts)).tolist() == ways(book, counts)


def test_generators_give_their_published_numbers() -> None:
    """The plain ones, against the vectors the authors' code gives for these states."""
    mixed = list(islice(plain_streams.splitmix64(1477776061723855037), 3))
    assert mixed == [1985237415132408290, 2979275885539914483, 13511426838097143398]
    turned = list(islice(plain_streams.xoshiro128pp([1, 2, 3, 4]), 5))
    assert turned == [641, 1573767, 3222811527, 3517856514, 836907274]


FULL = {decks: Composition.of_decks(decks) for decks in (1, 8, 10)}
STREAMS = [
    (FULL[8], 14, 1, 0, 400),
    (FULL[8], 14, 2**64 - 1, 7, 400),
    (FULL[8], 210, 3, 12_345, 300),
    (FULL[8], 416, 4, 1, 200),
    (FULL[8], 15, 5, 2, 300),
    (FULL[10], 6, 6, 3, 400),
    (FULL[8].without("9H"), 14, 7, 4, 300),
    (FULL[1].without("AS KS QS"), 7, 8, 5, 200),
    (Composition.of({"A": 3, "9": 4, "K": 2}), 6, 9, 6, 200),
    (Composition.of({"T": 5, "6": 2}), 6, 10, 8, 200),
    (Composition.of({"5": 6}), 6, 11, 9, 50),
]


@pytest.mark.parametrize(("shoe", "cut", "seed", "stream", "count"), STREAMS)
def test_a_stream_is_the_same_cards_in_plain_python(
    shoe: Composition, cut: int, seed: int, stream: int, count: int
) -> None:
    """Key by key and pair by pair, with odd shoes and odd cuts."""
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    played = list(islice(plain_streams.rounds(seed, stream, shoe.counts, cut), count))
    made = deal_block(deal_of(book, shoe, cut, seed), Block(stream, (count,)))
    assert made.rounds == count == made.keys.sum() == made.pairs.sum()
    assert {key: n for key, n in enumerate(made.keys.tolist()) if n} == Counter(each.key for each in played)
    assert {code: n for code, n in enumerate(made.pairs.tolist()) if n} == Counter(
        each.pairs for each in played
    )


def test_a_key_has_the_path_its_cards_go() -> None:
    """Every key of every round of some shoes, against hands dealt by the brute force."""
    book = lammer.rulebook("tiger-buffalo-noncommission@4")
    made, known = lookups(book), paths(book)
    seen = set()
    for each in islice(plain_streams.rounds(5, 0, FULL[8].counts, 14), 4_000):
        player, banker = brute_force.play(each.cards)
        final = brute_force.points(player), brute_force.points(banker), len(player), len(banker)
        assert known[made.path_of_key[each.key]].final == final
        assert made.uses[each.key // 10] == len(each.cards)
        seen.add(each.key)
    assert len(seen) > 2_500


@pytest.mark.parametrize("name", shipped_ids())
def test_what_was_counted_is_judged_as_it_would_be_settled(name: str) -> None:
    """Each bet's edge over a few hundred rounds, against the brute force settling every one of them."""
    book, shoe, rounds, stake = lammer.rulebook(name), FULL[8], 400, 20
    tally = deal_block(deal_of(book, shoe, 14, 21), Block(3, (rounds,)))
    made = judge_counts(book, shoe, path_counts(book, tally.keys), tier_counts(book, tally.pairs), rounds)
    played = list(islice(plain_streams.rounds(21, 3, shoe.counts, 14), rounds))
    for bet in made.bets:
        won = Fraction(0)
        for each in played:
            outcome, exact, _ = brute_force.settle_bet(name, bet.bet, each.cards, stake)
            won += exact if outcome == "won" else -stake if outcome == "lost" else 0
        assert -won == bet.edge * rounds * stake, bet.bet
    assert {each.bet for each in made.bets} == {each.bet for each in edges(book).bets}


def test_every_order_of_a_small_shoe_is_as_likely_as_any_other() -> None:
    """Six cards can lie in 720 ways; the spread of their counts is what chance gives, at 719 degrees."""
    shoe, state = np.arange(16, dtype=np.uint8), np.array([1, 2, 3, 4], np.uint32)
    times, found = 180_000, Counter[bytes]()
    for _ in range(times):
        shuffle(shoe, 6, 6, state)
        found[shoe[:6].tobytes()] += 1
    expected = times / 720
    spread = sum((count - expected) ** 2 / expected for count in found.values())
    assert len(found) == 720
    assert 719 - 4 * (2 * 719) ** 0.5 < spread < 719 + 4 * (2 * 719) ** 0.5


def test_a_shoe_stays_what_it_is() -> None:
    """Whatever the shuffles, no card is lost, and the byte to spare behind an odd shoe is never dealt."""
    state = np.array([5, 6, 7, 8], np.uint32)
    for size in (6, 7, 51, 415, 416, 519):
        shoe = np.zeros(size + 8, np.uint8)
        shoe[:size] = np.arange(size) % 250 + 1
        before = sorted(shoe[:size].tolist())
        for end in (1, 2, 5, size - 1, size):
            shuffle(shoe, size, end, state)
            assert sorted(shoe[:size].tolist()) == before
            assert not shoe[size:].any()


def test_keys_are_counted_within_bounds() -> None:
    book = lammer.rulebook(BOOKS[0])
    made = lookups(book)
    assert made.path_of_key.size == KEYS
    assert set(made.uses.tolist()) == {4, 5, 6}
    assert made.points.tolist() == [brute_force.value(f"{rank}S") for rank in RANKS]
