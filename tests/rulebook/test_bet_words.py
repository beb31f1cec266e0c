"""What a bet may turn on, as a file says it: slips are named, every word is shown, every change is told."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from lammer import DefectiveRulebook, load
from lammer.cli.show import bet_json
from lammer.lab.exact.side_by_side import changes_sheet
from lammer.lab.reporting.report_rules import bets_of
from lammer.rulebook.conditions import Finish
from lammer.rulebook.diff import diff
from lammer.rulebook.finishes import finishes, finishes_with_pairs
from lammer.rulebook.load import build
from lammer.rulebook.wording import condition_words, pay_case, pays_words
from support.bet_words import SUITS, TOTALS, book_of, text_of
from support.terminal import Terminal

HEAD = """
[rulebook]
game = "words"

[[bet]]
name = "player"
wins = { hand = "player" }
pays = "1:1"

[[bet]]
name = "banker"
wins = { hand = "banker" }
pays = "1:1"
"""


def problems(wins: str, pays: str) -> list[str]:
    """What is said of a bet: where, what was expected, what was found."""
    try:
        load(HEAD + f'\n[[bet]]\nname = "mine"\nwins = {{ {wins} }}\npays = [{pays}]\n', "mine.toml")
    except DefectiveRulebook as defective:
        return [f"{each.where}: {each.expected}: {each.found}" for each in defective.problems]
    return []


SLIPS = {
    "a margin no line is for": (
        'hand = "player"',
        '{ by = [1, 2, 3], odds = "1:1" }, { by = [5, 6, 7, 8, 9], odds = "2:1" }',
        "one line of the pay table for winning on 4 by 4 with 3 of 6 cards: no rule applies",
    ),
    "a margin two lines are for": (
        'hand = "player"',
        '{ by = [1, 2, 3, 4], odds = "1:1" }, { by = [4, 5, 6, 7, 8, 9], odds = "2:1" }',
        "two rules apply, rows 1 and 2; the same in 11 other ways to end",
    ),
    "a natural two lines are for": (
        'hand = "player"',
        '{ natural = true, odds = "2:1" }, { odds = "1:1" }',
        "a natural: two rules apply",
    ),
    "a tie nobody said what becomes of": (
        'any = [{ hand = "player" }, { tie = true }]',
        '{ by = [1, 2, 3, 4, 5, 6, 7, 8, 9], odds = "1:1" }',
        "a tie on 0 with 6 cards: no rule applies",
    ),
    "the winner's cards in a tie": (
        'any = [{ hand = "player" }, { tie = true }]',
        '{ cards = 2, odds = "1:1" }, { cards = 3, odds = "2:1" }',
        "a tie on 0 with 6 cards: no rule applies",
    ),
    "a sum no line is for": (
        "sum = [0, 1, 2]",
        '{ sum = 0, odds = "50:1" }, { sum = 2, odds = "5:1" }',
        "winning on 1 by 1",
    ),
    "suits no line is for": (
        'pair = "player"',
        '{ when = { pair = "player", suits = "same" }, odds = "25:1" }, '
        '{ when = { pair = "player", suits = "mixed" }, odds = "5:1" }',
        "no rule applies",
    ),
    "a condition that never holds": (
        "tie = true, sum = 1",
        '{ odds = "8:1" }',
        "a round in which this holds",
    ),
    "a line that is never reached": (
        'hand = "player", total = 9',
        '{ by = [1, 2, 3, 4, 5, 6, 7, 8, 9], odds = "8:1" }, { by = 0, odds = "9:1" }',
        "a win this line is for: none",
    ),
    "nothing paid at all": ('hand = "player"', "{ returns = true }", "a line that pays: none"),
    "two ends for one line": (
        'hand = "player"',
        '{ odds = "1:1", loses = true }',
        "one of odds, returns = true",
    ),
    "a margin only a win has": ("tie = true, by = 2", '{ odds = "1:1" }', "by only beside hand: 2"),
    "a total of nobody": ("sum = 7, total = 6", '{ odds = "1:1" }', "total only beside hand / tie / has: 6"),
    "suits of nothing": (
        'hand = "player", suits = "same"',
        '{ odds = "1:1" }',
        "suits only beside pair: 'same'",
    ),
    "a return that is none": ('hand = "player"', "{ returns = false }", "returns = true: False"),
    "commission of nothing": (
        'hand = "player"',
        '{ total = 1, returns = true, commission = { rate = "5%", of = "1:1", cite = "title" } }, '
        '{ total = [2, 3, 4, 5, 6, 7, 8, 9], odds = "1:1" }',
        "commission only where odds are paid",
    ),
    "a hand that wins and ties": ('hand = "player", tie = true', '{ odds = "1:1" }', "one of hand, tie, has"),
    "a hand that has nothing": (
        'has = "player"',
        '{ odds = "1:1" }',
        "a total, a number of cards or a natural",
    ),
    "a kind of pair nobody knows": (
        'pair = "player", suits = "red"',
        '{ odds = "1:1" }',
        "one of same, one_colour",
    ),
    "a word nobody knows": ('hand = "player", luck = 7', '{ odds = "1:1" }', "luck"),
    "any of nothing": ("any = []", '{ odds = "1:1" }', "at least one row"),
    "a margin of a tie": ("tie = true", '{ by = 0, odds = "8:1" }', "a line without by"),
    "a sum of a pair": ('pair = "player"', '{ sum = 0, odds = "8:1" }', "a line without sum"),
    "a tier of both pairs": ('pair = "both"', '{ tier = "twin", odds = "8:1" }', "a line without tier"),
    "too deep to read": (
        "not = { " * 7 + 'hand = "player"' + " }" * 7,
        '{ odds = "1:1" }',
        "at most 6 conditions inside one another",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named(slip: str) -> None:
    wins, pays, expected = SLIPS[slip]
    assert any(expected in problem for problem in problems(wins, pays)), problems(wins, pays)


@pytest.mark.parametrize(
    ("wins", "pays"),
    [
        ("tie = true, by = 2", '{ odds = "1:1" }'),
        ('hand = "player", tie = true', '{ odds = "1:1" }'),
        ('hand = "player", suits = "same"', '{ odds = "1:1" }'),
        ('hand = "player"', '{ odds = "1:1", loses = true }'),
        ('hand = "player"', '{ by = [1, 2, 3], odds = "1:1" }'),
        ('hand = "player"', ""),
    ],
)
def test_one_slip_is_told_once(wins: str, pays: str) -> None:
    assert len(problems(wins, pays)) == 1, problems(wins, pays)


@pytest.mark.parametrize("pays", ["0.95", "2"])
def test_odds_as_a_number_are_told_as_text(pays: str) -> None:
    text = HEAD + f'\n[[bet]]\nname = "mine"\nwins = {{ hand = "player" }}\npays = {pays}\n'
    with pytest.raises(DefectiveRulebook) as defective:
        load(text, "mine.toml")
    assert [each.expected for each in defective.value.problems] == [f'odds as a string: write "{pays}:1"']


def test_what_no_round_can_show_needs_no_line() -> None:
    """A pair makes an even total, so no natural nine begins with one; and a tie of naturals is on 8 or 9."""
    nine = '{ when = { pair = "player", hand = "player", total = 9, cards = 2 }, odds = "99:1" }'
    even = '{ when = { not = { hand = "player", total = 9, cards = 2 } }, odds = "2:1" }'
    assert problems('pair = "player"', even) == []
    assert any("a win this line is for" in each for each in problems('pair = "player"', f"{even}, {nine}"))
    assert (
        problems("tie = true, natural = true", '{ total = 8, odds = "1:1" }, { total = 9, odds = "2:1" }')
        == []
    )


def test_the_finishes_checked_are_those_a_table_of_play_reaches() -> None:
    """A few told apart by hand; that they are all the lab counts is compared in tests/lab."""
    book = book_of(TOTALS, SUITS)
    reached = {finish[:4] for finish in finishes(book)}
    assert (9, 8, 2, 2) in reached
    assert not {(5, 8, 3, 2), (9, 9, 2, 3), (6, 0, 2, 2)} & reached, "a natural ends it; nobody stands on 0"
    paired = set(finishes_with_pairs(book, suits=True))
    naturals = book.table_of_play.natural
    assert Finish(8, 8, 2, 2, "same", "mixed", True, naturals) in paired
    assert not any(each.player == 9 and each.player_cards == 2 and each.player_pair for each in paired)


# What is printed


LINES = '{ total = [1, 2, 3, 4, 5, 6, 8, 9], odds = "1:1" }, { total = 7, cards = 2, odds = "1:1" }'
PUSH = "{ total = 7, cards = 3, returns = true }"
BIG = '{ total = 7, cards = 3, odds = "2:1" }'


def ez(line: str) -> str:
    """A small rulebook whose Banker pays in three lines, the last of them this."""
    plain = 'wins = { hand = "banker" }\npays = "1:1"'
    assert plain in HEAD
    return HEAD.replace(plain, f'wins = {{ hand = "banker" }}\npays = [{LINES}, {line}]')


def test_a_line_is_shown_with_all_that_chooses_it(lammer: Terminal, tmp_path: Any) -> None:
    """One with a total and a number of cards once lost one in show, diff, compare and the report."""
    book, other = load(ez(PUSH)), load(ez(BIG))
    said = "on 1-6, 8-9 1:1, on 7 with 2 cards 1:1, on 7 with 3 cards stake returned"
    assert pays_words(book.bets["banker"]) == said
    assert [line["for"] for line in bet_json(book.bets["banker"])["pays"]][1:] == [
        "on 7 with 2 cards",
        "on 7 with 3 cards",
    ]
    (change,) = diff(book, other)
    assert change.sentence == f"pays {said} -> {said.replace('stake returned', '2:1')}"
    assert changes_sheet(book, other).rows[0][2] == change.sentence
    lines = said.replace(", on 7", "; on 7")
    assert any(lines in row for row in bets_of(book).rows)
    files = [tmp_path / "one.toml", tmp_path / "two.toml"]
    for file, line in zip(files, (PUSH, BIG), strict=True):
        file.write_text(ez(line))
    shown, compared = lammer("rulebook", "show", str(files[0])), lammer("rulebook", "diff", *map(str, files))
    assert "on 7 with 3 cards stake returned" in " ".join(shown.out.split())
    assert "on 7 with 3 cards 2:1" in " ".join(compared.out.split())


def test_no_two_lines_of_a_bet_are_called_alike() -> None:
    """All that chooses a line is in its words, or two of them would read the same."""
    for bet in book_of(TOTALS, SUITS).bets.values():
        cases = [str(pay_case(pay)) for pay in bet.pays]
        assert len(set(cases)) == len(cases), (bet.name, cases)


def test_no_two_conditions_are_called_alike() -> None:
    said = {name: str(condition_words(bet.wins)) for name, bet in book_of(TOTALS, SUITS).bets.items()}
    alike = {"perfect_pair", "player_pair_by_suits"}  # one word apart from the plain ones, and shown so
    assert alike <= said.keys()
    assert len(set(said.values())) == len(said), said


# Every single change is refused or told


OTHER_WORDS = {"player": "banker", "banker": "either", "either": "both", "both": "player"}
OTHER_SUITS = {"same": "mixed", "one_colour": "mixed", "mixed": "same"}


def changes(node: Any, where: str = "") -> Iterator[tuple[Any, Any, Any, str]]:
    """Every single change of a value of a bet: container, key, the new value, where."""
    entries = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
    for key, value in entries:
        at = f"{where}.{key}"
        if key in ("name", "title"):
            continue
        if isinstance(value, bool):
            yield node, key, not value, at
        elif isinstance(value, int):
            yield node, key, value + 1, at
        elif isinstance(value, str) and ":" in value:
            yield node, key, f"{int(value.split('.')[0].split(':')[0]) + 1}:1", at
        elif isinstance(value, str) and value in OTHER_WORDS:
            yield node, key, OTHER_WORDS[value], at
        elif isinstance(value, str) and value in OTHER_SUITS:
            yield node, key, OTHER_SUITS[value], at
        elif isinstance(value, dict | list):
            if isinstance(value, list) and len(value) > 1:
                yield node, key, value[1:], at
            yield from changes(value, at)
        elif isinstance(value, str):
            yield node, key, "twin" if value != "twin" else "single", at


@pytest.mark.parametrize("name", [*book_of(TOTALS, SUITS).bets])
def test_no_change_of_a_bet_goes_untold(name: str) -> None:
    text = text_of(TOTALS, SUITS)
    book = book_of(TOTALS, SUITS)
    values = tomllib.loads(text)
    bet = next(bet for bet in values["bet"] if bet["name"] == name)
    tried = 0
    for container, key, new, where in changes(bet):
        old = container[key]
        container[key] = new
        tried += 1
        try:
            told = diff(book, build(copy.deepcopy(values)))
            assert [change.subject for change in told] == [book.bets[name].title], (where, new)
        except DefectiveRulebook:
            pass
        finally:
            container[key] = old
    assert tried > 1


def test_what_a_pay_line_is_not_for_reads_after_its_odds() -> None:
    seven = '{ hand = "banker", total = 7, cards = 3 }'
    lines = f'{{ when = {{ not = {seven} }}, odds = "1:1" }}, {{ when = {seven}, odds = "2:1" }}'
    bet = load(HEAD + f'\n[[bet]]\nname = "mine"\nwins = {{ hand = "banker" }}\npays = [{lines}]\n').bets[
        "mine"
    ]
    assert (
        pays_words(bet) == "1:1 unless Banker wins on 7 with 3 cards, when Banker wins on 7 with 3 cards 2:1"
    )


def test_a_bare_number_and_too_large_odds_are_no_wrong_form() -> None:
    for pays, expected in (
        ("40", 'odds as a string: write "40:1"'),
        ('"9999999:1"', "odds of at most 999999"),
    ):
        with pytest.raises(DefectiveRulebook) as refused:
            load(HEAD + f'\n[[bet]]\nname = "tie"\nwins = {{ tie = true }}\npays = {pays}\n')
        (problem,) = refused.value.problems
        assert problem.expected.startswith(expected)
