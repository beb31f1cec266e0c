"""Every problem of a bad file at once, with file, row, paragraph and what was expected."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import lammer
from lammer import DefectiveRulebook, load
from lammer.rulebook.problems import Problem
from lammer.rulebook.vocabulary import MUST_BE_READ, READINGS
from lammer.shelf import shipped_ids

DOCUMENTS = Path(lammer.__file__).parent / "rulebook" / "documents"
TEXT = (DOCUMENTS / "tiger-buffalo-noncommission-insurance@3.toml").read_text("utf-8")


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(DefectiveRulebook) as caught:
        load(text, "mine.toml")
    return caught.value.problems


def row_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_every_problem_is_reported_at_once() -> None:
    text = (
        TEXT.replace('odds = "8:1"', "odds = 8.5", 1)
        .replace('{ hand = "banker", total = 6, cards = 3 }', '{ hand = "dragon", total = 6, cards = 3 }', 1)
        .replace('defined  = "1.38"', "defined  = 1.38", 1)
        .replace("fewest = 4, most = 10", "fewest = 4, most = 2", 1)
        .replace('name = "cut_card"', 'name = "cut_crad"', 1)
        .replace('name  = "cut_card"', 'name  = "cut_crad"', 1)
        .replace('right       = "player"', 'right       = "dealer"', 1)
    )
    found = problems(text)
    by_place = {problem.where: problem for problem in found}
    assert len(found) == 7
    assert "a row for the irregularity cut_card" in {problem.expected for problem in found}
    assert {problem.file for problem in found} == {"mine.toml"}
    odds = by_place["bet[3].pays[1].odds"]
    assert (odds.row, odds.paragraph) == (row_of(text, "odds = 8.5"), "4.1.2")
    assert 'odds such as "50:1"' in odds.expected
    assert "8.5" in odds.found
    assert by_place["bet[7].wins.hand"].row == row_of(text, 'hand = "dragon"')
    assert by_place["bet[18].defined"].found == "1.38"
    assert "from 4 to 100" in by_place["cards.decks.most"].expected
    assert by_place["squeeze.right"].paragraph == "3.9"
    assert by_place["irregularity[13].name"].paragraph == "5.7"


def test_problems_of_one_place_come_in_the_order_they_are_found() -> None:
    """With a hash to order them, two runs of `check` would differ."""
    text = TEXT.replace("natural = { total = [8, 9]", "natural = { total = [9]", 1)
    assert text != TEXT
    found = [problem.expected for problem in problems(text) if problem.where == "table_of_play.banker"]
    assert found == [f"one rule for Banker 8 against a third card of {third}" for third in range(10)]


def test_not_toml_at_all() -> None:
    (problem,) = problems("[rulebook\ngame = 1")
    assert (problem.row, problem.expected) == (1, "a TOML document")


def test_a_path_is_not_taken_for_a_rulebook() -> None:
    (problem,) = problems("rules/mine.toml")
    assert problem.found == "the path 'rules/mine.toml'"
    assert "`lammer.rulebook` takes the path" in problem.expected


def test_an_empty_file_lists_what_it_lacks() -> None:
    """All of it where somebody approved it; the least there can be where nobody did."""
    assert {problem.where.partition(".")[0] for problem in problems("")} == {"rulebook", "bet"}
    approved = problems("rulebook = { approved_by = 'a regulator' }")
    missing = {problem.where.partition(".")[0] for problem in approved}
    assert {
        "rulebook",
        "cards",
        "table_of_play",
        "bet",
        "layouts",
        "squeeze",
        "paragraph",
        "reading",
    } <= missing


REMOVED = '\n[[paragraph]]\nnumber = "5.20"\n'
CASES: dict[str, tuple[Callable[[str], str], str]] = {
    "float odds": (lambda t: t.replace('odds = "50:1"', "odds = 50.0", 1), "odds such as"),
    "odds of nothing": (lambda t: t.replace('odds = "50:1"', 'odds = "50:0"', 1), "odds such as"),
    "unknown key": (lambda t: t.replace("[squeeze]", "[squeeze]\nluck = 7", 1), "only the keys"),
    "a bet twice": (lambda t: t.replace('name     = "tiger"', 'name     = "tie"', 1), "one bet of this name"),
    "gap in the Table of Play": (
        lambda t: t.replace("third = [8], does", "third = [9], does", 1),
        "in one row only",
    ),
    "a cell no rule covers": (
        lambda t: t.replace('  { total = 7, does = "stands"', '  # { total = 7, does = "stands"', 1),
        "one rule for Banker 7 against a third card of 0",
    ),
    "a win no line pays": (
        lambda t: t.replace(
            "total = [1, 2, 3, 4, 5, 7, 8, 9], odds", "total = [1, 2, 3, 4, 5, 7, 8], odds", 1
        ),
        "one line of the pay table for winning on 9",
    ),
    "two lines pay one win": (
        lambda t: t.replace(
            "total = [1, 2, 3, 4, 5, 7, 8, 9], odds", "total = [1, 2, 3, 4, 5, 6, 7, 8, 9], odds", 1
        ),
        "one line of the pay table for winning on 6",
    ),
    "a layout that is not there": (
        lambda t: t.replace('layouts = "CFHI"', 'layouts = "CFHZ"', 1),
        "layouts of the appendix",
    ),
    "a paragraph that is not there": (
        lambda t: t.replace('cite = "4.1.13"', 'cite = "4.1.99"', 1),
        "a paragraph of this document's index",
    ),
    "a paragraph nobody answers for": (
        lambda t: t.replace('behaviour = ["wrong_display", "card_recorded_wrongly"]\n', "", 1),
        "either a behaviour that answers or a reason",
    ),
    "a paragraph left out": (
        lambda t: re.sub(r'\[\[paragraph\]\]\nnumber = "5\.20"\n.*\n.*\n.*\n', "", t),
        "paragraph 5.20 in the index too",
    ),
    "an irregularity without its row": (
        lambda t: re.sub(r'\[\[irregularity\]\]\nname  = "wrong_display"\n(?:.+\n)+', "", t),
        "a row for the irregularity wrong_display",
    ),
    "two rules for one Insurance": (
        lambda t: t.replace("own = [1], other = [1]", "own = [1, 2], other = [1]", 1),
        "one rule for Banker 2 against 1",
    ),
    "Insurance with no card to come": (
        lambda t: t.replace("own = [7], other = [0, 1, 2, 3, 4, 5], odds", "own = [7], other = [6], odds", 1),
        "a card still to come",
    ),
    "a reading the code needs": (
        lambda t: t.replace('name     = "rounding"', 'name     = "round_off"', 1),
        "a reading named rounding",
    ),
    "a reading nobody can follow": (
        lambda t: t.replace('choice   = "down_to_the_cent"', 'choice   = "up"', 1),
        "choices among",
    ),
    "no offset": (lambda t: t.replace("08:00:00+08:00", "08:00:00", 1), "an offset"),
    "no such time zone": (lambda t: t.replace("Asia/Singapore", "Asia/Atlantis", 1), "a time zone"),
    "supersedes a later version": (
        lambda t: t.replace('insurance@2"', 'insurance@9"', 1),
        "an earlier version of this game",
    ),
    "a total a pair does not turn on": (
        lambda t: t.replace('{ tier = "single", odds', '{ tier = "single", total = 6, odds', 1),
        "a line without total",
    ),
    "a number of cards a tie does not turn on": (
        lambda t: t.replace('[{ odds = "8:1"', '[{ cards = 3, odds = "8:1"', 1),
        "a line without cards",
    ),
    "a tie that returns a tie bet": (
        lambda t: t.replace('name     = "tie"\n', 'name     = "tie"\ntie_returns = "3.17"\n', 1),
        "a bet on a hand",
    ),
    "an irregularity nobody knows": (
        lambda t: t.replace('name  = "wrong_display"', 'name  = "decks"', 1),
        "an irregularity the table knows",
    ),
    "a stranger in the dealing order": (
        lambda t: t.replace('["player", "banker", "player"', '["player", "dragon", "player"', 1),
        "player and banker only",
    ),
    "another offset than the time zone's": (
        lambda t: t.replace("08:00:00+08:00", "08:00:00-05:00", 1),
        "the offset of Asia/Singapore",
    ),
    "a role that is not there": (
        lambda t: t.replace('[[role]]\nname = "pit_manager"', '[[role]]\nname = "player"', 1),
        "one role of this name",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_defects_are_named(case: str) -> None:
    change, expected = CASES[case]
    text = change(TEXT)
    assert text != TEXT, "the case must change something"
    assert any(expected in problem.expected for problem in problems(text)), case


def test_form_and_wholeness_are_reported_together() -> None:
    text = TEXT.replace('odds = "8:1"', "odds = 8.5", 1).replace("third = [8], does", "third = [9], does", 1)
    assert {problem.where.partition("[")[0] for problem in problems(text)} == {"bet", "table_of_play.banker"}


def test_rows_are_found_behind_comments() -> None:
    text = TEXT.replace("offer = [\n", "offer = [\n  # a comment\n\n", 1).replace(
        'odds = "3:2"', "odds = 1.5", 1
    )
    (problem,) = [problem for problem in problems(text) if "odds such as" in problem.expected]
    assert problem.row == row_of(text, "odds = 1.5")


def test_the_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    file = tmp_path / "crlf.toml"
    file.write_bytes(TEXT.replace("\n", "\r\n").encode())
    assert lammer.rulebook(str(file)).sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


def test_commission_and_odds_must_agree() -> None:
    text = (DOCUMENTS / "tiger-buffalo-commission-insurance@3.toml").read_text("utf-8")
    (problem,) = problems(text.replace('"0.95:1"', '"0.96:1"', 1))
    assert (problem.where, problem.found) == ("bet[2].pays[1]", "0.96:1")


@pytest.mark.parametrize("name", shipped_ids())
def test_shipped_documents_are_whole_and_proved(name: str) -> None:
    book = lammer.rulebook(name)
    assert book.id == name
    assert all(paragraph.sha256 for paragraph in book.paragraphs.values())
    assert all(reading.cites for reading in book.readings.values())


def test_a_reading_left_out_is_read_the_usual_way() -> None:
    """Every reading the code acts on, but the three a rulebook must have, can be missing from a file."""
    text = TEXT
    for name in READINGS.keys() - set(MUST_BE_READ):
        text = re.sub(rf'\[\[reading\]\]\nname     = "{name}"\n(?:.+\n)+', "", text)
    book = load(text)
    assert set(MUST_BE_READ) <= book.readings.keys()
    assert READINGS.keys() & book.readings.keys() == set(MUST_BE_READ)
    assert {name: book.reading(name) for name in READINGS} == {name: READINGS[name][0] for name in READINGS}


@pytest.mark.parametrize("name", shipped_ids())
def test_shipped_documents_choose_what_holds_anyway(name: str) -> None:
    """A document's choice is the usual one, and it lists every other the code can follow."""
    book = lammer.rulebook(name)
    for each in READINGS.keys() & book.readings.keys():
        reading = book.readings[each]
        assert (reading.choice, *reading.alternatives) == READINGS[each]
    insured = {"insurance_forgone", "squeeze_order", "missed_insurance_odds", "insurance_of_another_card"}
    of_version_3 = {"extra_card_order", "undeterminable_card"}
    absent = {"insurance_without_window"}
    absent |= set() if book.insurance else insured
    absent |= set() if "broke_table_of_play" in book.irregularities else of_version_3
    absent |= {"twin_pair"} if name == "tiger-buffalo-noncommission-insurance@1" else set()
    assert READINGS.keys() - book.readings.keys() == absent


def test_the_title_page_is_the_first_paragraph_and_may_be_left_out() -> None:
    assert next(iter(load(TEXT).paragraphs)) == "title"
    assert "title" not in load(re.sub(r'\[\[paragraph\]\]\nnumber = "title"\n(?:.+\n)+', "", TEXT)).paragraphs
