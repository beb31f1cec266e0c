"""The roads against two plain readings of how a pit fills them in, and against boards done by hand."""

from __future__ import annotations

import random
from itertools import groupby, pairwise

import pytest
from hypothesis import given, strategies as st

from lammer import deal, parse_cards, rulebook
from lammer.game.hands import Winner
from lammer.game.roads import Colour, Marks, Result, Roads, grid, next_marks, roads

LETTERS: dict[str, Winner] = {"B": "banker", "P": "player", "T": "tie"}
BACK = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}


def shoe(letters: str) -> list[Result]:
    return [Result(LETTERS[letter], False, False, 8) for letter in letters.replace(" ", "")]


def marks(made: Roads, road: str) -> str:
    found: tuple[Colour, ...] = getattr(made, road).marks
    return "".join(mark[0] for mark in found)


def by_looking_left(letters: str, back: int) -> str:
    """The textbook: stand on the new cell, look `back` columns left, compare that cell with the one above.

    Both there or both empty is red, one of them is blue. A new column gets the opposite of what its
    predecessor would have got, had the run gone on.
    """
    board: list[set[int]] = []
    last = ""
    found = ""
    for letter in letters:
        if letter == "T":
            continue
        new = letter != last
        last = letter
        row = (max(board[-1]) + 1 if board else 0) if new else len(board[-1])
        column = len(board) - 1
        if column - back >= 0:
            left = board[column - back]
            red = (row in left) == (row - 1 in left)
            found += "r" if red != new else "b"
        if new:
            board.append({0})
        else:
            board[-1].add(row)
    return found


def by_depths(letters: str, back: int) -> str:
    """Every prefix anew: the depths of its columns alone decide the mark of its last win."""
    wins = letters.replace("T", "")
    found = ""
    for end in range(1, len(wins) + 1):
        depths = [len(list(run)) for _, run in groupby(wins[:end])]
        here = depths.pop()
        if here == 1:
            if len(depths) > back:
                found += "r" if depths[-1] == depths[-1 - back] else "b"
        elif len(depths) >= back:
            # A win that takes its column from just as deep as the other to deeper breaks the likeness.
            found += "b" if here - 1 == depths[-back] else "r"
    return found


def random_shoes(count: int) -> list[str]:
    source = random.Random(20_240_601)
    made = []
    for _ in range(count):
        stay = source.choice((0.1, 0.3, 0.5, 0.7, 0.9))
        letters, side = "", "B"
        for _ in range(source.randrange(0, 90)):
            if source.random() < 0.1:
                letters += "T"
                continue
            if source.random() > stay:
                side = "P" if side == "B" else "B"
            letters += side
        made.append(letters)
    return made


@pytest.mark.parametrize("road", BACK)
def test_three_ways_to_a_derived_road_agree(road: str) -> None:
    for letters in random_shoes(4000):
        found = marks(roads(shoe(letters)), road)
        assert found == by_looking_left(letters, BACK[road]), letters
        assert found == by_depths(letters, BACK[road]), letters


def test_every_short_shoe_agrees() -> None:
    for length in range(13):
        for bits in range(2**length):
            letters = "".join("BP"[bits >> place & 1] for place in range(length))
            made = roads(shoe(letters))
            for road, back in BACK.items():
                assert marks(made, road) == by_looking_left(letters, back) == by_depths(letters, back)


@pytest.mark.parametrize(
    ("letters", "big_eye_boy", "small_road", "cockroach_pig"),
    [
        ("", "", "", ""),
        ("TTT", "", "", ""),
        ("BBBB", "", "", ""),
        # Columns 2 2 2: every second row is level (red), every new column follows equals.
        ("BB PP BB", "rrr", "r", ""),
        # Columns 3 1 2: shorter, so the top of the third is blue; its second row is one below a 1.
        ("BBB P BB", "bb", "r", ""),
        # One column four deep against one of two: below its end blue once, then red again.
        ("BB PPPP", "rbr", "", ""),
        # The chop: all columns one deep, so every road is red from the place where it begins.
        ("BPBPBPBP", "rrrrrr", "rrrrr", "rrrr"),
        # Ties change nothing.
        ("TBTBTPPTTBB", "rrr", "r", ""),
        # Columns 1 2 3 1 4, each road by hand.
        ("B PP BBB P BBBB", "bbrbbbbrr", "brbbrrb", "rrbr"),
    ],
)
def test_boards_done_by_hand(letters: str, big_eye_boy: str, small_road: str, cockroach_pig: str) -> None:
    made = roads(shoe(letters))
    assert marks(made, "big_eye_boy") == big_eye_boy
    assert marks(made, "small_road") == small_road
    assert marks(made, "cockroach_pig") == cockroach_pig


def test_a_bent_column_does_not_change_the_marks_of_its_neighbours() -> None:
    """Eight Bankers bend after six. Read off the bent board, the Players would differ from the seventh on."""
    made = roads(shoe("BBBBBBBB PPPPPPPPPP"))
    assert marks(made, "big_eye_boy") == "rrrrrrr" + "b" + "r"


def test_a_long_run_turns_right_at_the_bottom() -> None:
    made = roads(shoe("BBBBBBBBB PPPPPPP BBBBB"))
    first, second, third = grid(made.big_road)
    assert first == (*((0, row) for row in range(6)), (1, 5), (2, 5), (3, 5))
    assert second == (*((1, row) for row in range(5)), (2, 4), (3, 4))
    assert third == ((2, 0), (2, 1), (2, 2), (2, 3), (3, 3))


def test_a_tail_in_the_top_row_pushes_the_next_column_on() -> None:
    placed = grid(["BB", "PPP", "B"], rows=1)
    assert placed == (((0, 0), (1, 0)), ((2, 0), (3, 0), (4, 0)), ((5, 0),))


def test_a_column_beyond_the_tail_goes_all_the_way_down() -> None:
    placed = grid(["B" * 7, "P", "B" * 6])
    assert placed[2] == tuple((2, row) for row in range(6))


@given(st.lists(st.integers(1, 30), max_size=40), st.integers(1, 8))
def test_no_two_cells_share_a_place(depths: list[int], rows: int) -> None:
    placed = grid([range(depth) for depth in depths], rows)
    flat = [place for column in placed for place in column]
    assert [len(column) for column in placed] == depths
    assert len(set(flat)) == len(flat)
    assert all(0 <= row < rows for _, row in flat)
    for column in placed:
        for (x, y), step in pairwise(column):
            assert step in ((x, y + 1), (x + 1, y))
    starts = [column[0] for column in placed]
    assert starts == sorted(starts)
    assert all(row == 0 for _, row in starts)


def test_ties_before_the_first_win_are_kept_apart() -> None:
    made = roads(shoe("TT B T B P TT"))
    assert made.leading_ties == 2
    assert [[cell.ties for cell in column] for column in made.big_road] == [[1, 0], [2]]


def test_only_ties_leave_the_big_road_empty() -> None:
    made = roads(shoe("TTTTTTT"))
    assert (made.leading_ties, made.big_road, made.big_eye_boy.columns) == (7, (), ())
    assert [len(column) for column in made.bead_plate] == [6, 1]
    assert made.statistics.longest_tie == 7


def test_the_chop_is_one_long_red_run() -> None:
    made = roads(shoe("BP" * 10))
    assert len(made.big_road) == 20
    assert made.big_eye_boy.columns == (("red",) * 18,)
    assert (made.statistics.longest_banker, made.statistics.longest_player) == (1, 1)


def test_pairs_stand_on_their_own_round() -> None:
    results = [
        Result("banker", False, True, 7),
        Result("tie", True, True, 6),
        Result("player", True, False, 9),
    ]
    made = roads(results)
    (banker,), (player,) = made.big_road
    assert (banker.player_pair, banker.banker_pair, banker.ties) == (False, True, 1)
    assert (player.player_pair, player.banker_pair, player.ties) == (True, False, 0)
    assert (made.statistics.player_pairs, made.statistics.banker_pairs) == (2, 2)
    assert made.results == tuple(results)


def test_statistics_count_runs_through_ties() -> None:
    counted = roads(shoe("BBTTB PP T P B")).statistics
    assert (counted.rounds, counted.banker, counted.player, counted.tie) == (10, 4, 3, 3)
    assert (counted.longest_banker, counted.longest_player, counted.longest_tie) == (3, 3, 2)


def test_a_finished_round_gives_its_result() -> None:
    book = rulebook("tiger-buffalo-noncommission@4")
    assert Result.of(deal(book, parse_cards("9S 4D KH 4C"))) == Result("player", False, True, 9)
    assert Result.of(deal(book, parse_cards("3S 4D 4H 3C"))) == Result("tie", False, False, 7)


def test_asking_tells_what_then_happens() -> None:
    for letters in random_shoes(600):
        before = roads(shoe(letters))
        asked = next_marks(shoe(letters))
        for letter, said in (("B", asked.banker), ("P", asked.player)):
            after = roads(shoe(letters + letter))
            for road in BACK:
                new = getattr(after, road).marks[len(getattr(before, road).marks) :]
                told = getattr(said, road)
                assert new == (() if told is None else (told,)), (letters, letter, road)


def test_asking_at_the_start_tells_nothing() -> None:
    nothing = Marks(None, None, None)
    for letters in ("", "T", "B"):
        asked = next_marks(shoe(letters))
        assert (asked.banker, asked.player) == (nothing, nothing)


def test_once_begun_asking_banker_and_asking_player_are_opposites() -> None:
    for letters in random_shoes(300):
        asked = next_marks(shoe(letters))
        for road, back in BACK.items():
            banker, player = getattr(asked.banker, road), getattr(asked.player, road)
            if len(roads(shoe(letters)).big_road) > back:
                assert {banker, player} == {"red", "blue"}, letters
