"""Rules of other houses, counted: every word against rounds played out the plainest way."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest

from lammer.game.conclusive import standings
from lammer.lab.exact.choices import Choices, played_as
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.lab.exact.ways import paths, ways
from lammer.lab.simulation.lookups import ways_compiled
from lammer.lab.simulation.simulate import simulate
from lammer.rulebook.load import build
from lammer.rulebook.model import Cell, Rulebook
from lammer.rulebook.playing import drawing_in, played_by
from lammer.rulebook.refusal import Refused
from lammer.rulebook.standard import STANDARD
from support.plain_play import PlainRules, finishes, six_cards

THREE_BETS: list[dict[str, Any]] = [
    {"name": "player", "wins": {"hand": "player"}, "pays": "1:1", "tie_returns": True},
    {"name": "banker", "wins": {"hand": "banker"}, "pays": "1:1", "tie_returns": True},
    {"name": "tie", "wins": {"tie": True}, "pays": "8:1"},
]
POINTS = {rank: min(place, 10) % 10 for place, rank in enumerate("A23456789TJQK", start=1)}


def book_of(table: dict[str, Any], **cards: Any) -> Rulebook:
    """A private rulebook of three bets with this Table of Play."""
    values = {"rulebook": {"game": "tried"}, "table_of_play": table, "cards": cards, "bet": THREE_BETS}
    return build(deepcopy(values))


def every_cell(source: random.Random, words: tuple[str, ...]) -> dict[str, Any]:
    """A Table of Play whose every cell says one of these words, drawn by lot."""
    thirds: list[dict[str, Any]] = [{"player_stood": True}, *({"third": third} for third in range(10))]
    return {
        "player": [{"total": total, "does": source.choice(words)} for total in range(10)],
        "banker": [
            {"total": total, "does": source.choice(words), **third} for total in range(10) for third in thirds
        ],
    }


NATURALS: list[dict[str, Any]] = [
    {"none": True},
    {"total": [8, 9], "ends_drawing": False},
    {"total": [0, 7], "ends_drawing": False},
]


def some_shoes(source: random.Random, ranks: str) -> list[Composition]:
    """Small shoes of a few ranks, so that every order of six cards can be played out."""
    return [
        Composition.of({rank: source.randint(1, 6) for rank in source.sample(ranks, 4)} | {ranks[-1]: 4})
        for _ in range(2)
    ]


def plain_counts(shoe: Composition) -> Counter[int]:
    counts: Counter[int] = Counter()
    for rank, count in shoe.counts.items():
        counts[POINTS[rank]] += count
    return counts


def counted(book: Rulebook, shoe: Composition) -> Counter[tuple[int, int, int, int]]:
    found: Counter[tuple[int, int, int, int]] = Counter()
    for path, count in zip(paths(book), ways(book, shoe.by_points(book)), strict=True):
        found[path.final] += count
    return +found


@pytest.mark.parametrize("natural", NATURALS, ids=("none", "8 and 9 go on", "0 and 7 go on"))
@pytest.mark.parametrize("seed", range(4))
def test_naturals_that_end_nothing_are_counted_as_they_are_played(natural: dict[str, Any], seed: int) -> None:
    source = random.Random(f"naturals {seed} {natural}")
    table = {"natural": natural, **every_cell(source, ("draws", "stands"))}
    ranks = "A23456789JQK" if seed % 2 else "A23456789TJQK"
    book = book_of(table, decks={"fewest": 1, "most": 20, "ranks": " ".join(ranks)})
    for shoe in some_shoes(source, ranks):
        plain = finishes(PlainRules.of(table), plain_counts(shoe))
        assert counted(book, shoe) == plain
        kernel = ways_compiled(book, np.array(shoe.by_points(book)))
        assert kernel.tolist() == ways(book, shoe.by_points(book)), "and so does the kernel"


def test_the_same_cells_with_naturals_that_end_the_drawing_count_otherwise() -> None:
    """What makes the test above one that can fail."""
    source = random.Random(1)
    cells = every_cell(source, ("draws",))
    going_on = book_of({"natural": {"total": [8, 9], "ends_drawing": False}, **cells})
    ending = book_of({})
    shoe = Composition.of({"8": 5, "A": 4, "K": 6, "9": 2})
    assert counted(going_on, shoe) != counted(ending, shoe)


def test_a_deck_has_the_ranks_the_file_lists() -> None:
    book = book_of({}, decks={"fewest": 6, "most": 12, "ranks": "A 2 3 4 5 6 7 8 9 J Q K"})
    assert book.cards.deck == 48
    assert Composition.of_book(book).size == 8 * 48
    assert Composition.of_book(book).counts["T"] == 0
    assert Composition.of_book(book, 12).size == 12 * 48
    with pytest.raises(Refused) as refused:
        Composition.of({"T": 8, "9": 8}).by_points(book)
    assert refused.value.code == "impossible_shoe"


@pytest.mark.parametrize(("fewest", "most", "usual"), [(4, 10, 8), (6, 6, 6), (1, 2, 2), (12, 20, 12)])
def test_the_lab_takes_the_decks_of_the_rulebook(fewest: int, most: int, usual: int) -> None:
    book = book_of({}, decks={"fewest": fewest, "most": most})
    assert edges(book).shoe == Composition.of_decks(usual)
    assert edges(book).bets == edges(book, decks=usual).bets


def test_a_deck_without_a_rank_is_simulated_as_it_is_counted() -> None:
    ranks = "A23456789JQK"
    table = {"natural": {"none": True}, **every_cell(random.Random(7), ("draws", "stands"))}
    book = book_of(table, decks={"fewest": 1, "most": 8, "ranks": " ".join(ranks)})
    run = simulate(book, 400_000, seed=3, cut=300)
    assert run.exact.shoe.size == 8 * 48
    assert all(abs(score.z) < 4.5 for score in run.scores().values())


# Hands that may draw.


def optional_book(source: random.Random) -> tuple[dict[str, Any], Rulebook, list[Cell]]:
    """The usual game with some of its cells left open: two of the Player's and three of the Banker's."""
    table = deepcopy({**STANDARD["table_of_play"]})
    players, bankers = source.sample(range(8), 2), source.sample(range(8), 3)
    rows = [{"total": total, "does": "draws" if total < 6 else "stands"} for total in range(8)]
    for total in players:
        rows[total]["does"] = "may_draw"
    table["player"] = rows
    cells: list[Cell] = [("player", total, None) for total in players]
    plain = PlainRules.of({**STANDARD["table_of_play"]})
    table["banker"] = [
        {"total": total, "does": does, **({"player_stood": True} if third is None else {"third": third})}
        for (total, third), does in plain.banker.items()
    ]
    for total in bankers:
        third = source.choice([None, *range(10)])
        row = next(
            row
            for row in table["banker"]
            if row["total"] == total and row.get("third") == third and (third is None) == ("third" not in row)
        )
        row["does"] = "may_draw"
        cells.append(("banker", total, third))
    return table, book_of(table), cells


def subsets(cells: list[Cell]) -> list[frozenset[Cell]]:
    every = chain.from_iterable(combinations(cells, size) for size in range(len(cells) + 1))
    return [frozenset(chosen) for chosen in every]


@pytest.mark.parametrize("seed", range(4))
def test_every_choice_is_counted_as_it_is_played(seed: int) -> None:
    source = random.Random(f"choices {seed}")
    table, book, cells = optional_book(source)
    assert book.table_of_play.choices == frozenset(cells)
    (shoe, _) = some_shoes(source, "A23456789TJQK")
    for chosen in subsets(cells)[:: 3 if seed else 1]:
        plain = finishes(PlainRules.of(table, chosen), plain_counts(shoe))
        assert counted(drawing_in(book, chosen), shoe) == plain
        assert (
            Choices(book, shoe).edge("player", chosen)
            == edges(drawing_in(book, chosen), shoe).bet("player").edge
        )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("bet", ["player", "banker", "tie"])
def test_best_and_worst_are_what_trying_everything_finds(seed: int, bet: str) -> None:
    source = random.Random(f"best {seed}")
    _, book, cells = optional_book(source)
    choices = Choices(book, Composition.of({rank: source.randint(2, 20) for rank in POINTS}))
    tried = {chosen: choices.edge(bet, chosen) for chosen in subsets(cells)}
    assert choices.choose(bet, "best").edge == min(tried.values())
    assert choices.choose(bet, "worst").edge == max(tried.values())
    kept = {cell for cell in choices.named(bet, "always_draws").draws if cell[0] == "player"}
    of_banker = [edge for chosen, edge in tried.items() if {c for c in chosen if c[0] == "player"} == kept]
    assert choices.choose(bet, "best", ("banker",), "always_draws").edge == min(of_banker)
    assert played_as(book, f"worst:{bet}", choices.shoe).table_of_play.choices == frozenset()


@pytest.mark.parametrize("seed", range(3))
def test_what_is_conclusive_holds_whatever_a_hand_chooses(seed: int) -> None:
    """A bet is open exactly where two completions, over all choices, end differently."""
    source = random.Random(f"conclusive {seed}")
    table, book, cells = optional_book(source)
    rules = [PlainRules.of(table, chosen) for chosen in subsets(cells)]
    names = {value: next(rank for rank, points in POINTS.items() if points == value) for value in range(10)}
    for _ in range(25):
        seen = [source.randrange(10) for _ in range(4)]
        ends = {
            each.finish((*seen, fifth, sixth)) for each in rules for fifth in range(10) for sixth in range(10)
        }
        results = {(p > b) - (p < b) for p, b, _, _ in ends}
        cards = [f"{names[value]}{suit}" for value, suit in zip(seen, "SHDC", strict=True)]
        now = standings(book, [cards[0], cards[2]], [cards[1], cards[3]])  # type: ignore[list-item]
        expected = {"player": {1: "won", -1: "lost", 0: "returned"}, "tie": {1: "lost", -1: "lost", 0: "won"}}
        for bet, outcomes in expected.items():
            found = {outcomes[result] for result in results}
            assert now[bet] == (found.pop() if len(found) == 1 else "open"), (seen, bet)


def test_the_usual_play_is_what_nobody_has_to_name() -> None:
    table = deepcopy(STANDARD["table_of_play"])
    table["player"][0]["total"] = [0, 1, 2, 3, 4]
    table["player"].append({"total": 5, "does": "may_draw"})
    book = book_of(table)
    assert edges(book).bets == edges(book, play="always_draws").bets != edges(book, play="never_draws").bets
    named = book_of({**table, "play": [{"name": "stands_on_five", "draws": []}]})
    assert edges(named).bets == edges(named, play="never_draws").bets
    assert played_by(named, "always_draws").sha256 == named.sha256
    with pytest.raises(Refused) as refused:
        edges(named, play="draws_on_four")
    assert refused.value.code == "unknown_play"
    run = simulate(named, 200_000, play="always_draws", seed=5)
    assert run.exact.bets == edges(named, play="always_draws").bets
    assert all(abs(score.z) < 4.5 for score in run.scores().values())


def test_six_cards_are_dealt_in_every_order() -> None:
    """Of the plain play itself."""
    assert sum(count for _, count in six_cards({0: 3, 5: 2, 9: 3})) == 8 * 7 * 6 * 5 * 4 * 3


def test_a_tie_that_loses_insurance_is_counted_so() -> None:
    offer = {"hand": "player", "window": "third_card", "own": 7, "other": [0, 1, 2, 3, 4], "odds": "4:1"}
    worths = []
    on_ties: list[dict[str, Any]] = [{}, {"tie_loses": True}, {"tie_wins": True}]
    for tie in on_ties:
        values = {
            "rulebook": {"game": "tried"},
            "bet": THREE_BETS,
            "insurance": {"offer": [{**offer, **tie}]},
        }
        found = edges(build(deepcopy(values))).insurance
        assert len(found) == 5
        worths.append([-each.edge for each in found])
    back, lost, won = worths
    assert all(after < before < more for before, after, more in zip(back, lost, won, strict=True))
    # A tie that loses takes a unit where one that wins gives the odds.
    ties = [(before - after) for before, after in zip(back, lost, strict=True)]
    assert all(more - before == 4 * tie for more, before, tie in zip(won, back, ties, strict=True))
    assert all(isinstance(tie, Fraction) and 0 < tie < 1 for tie in ties)
