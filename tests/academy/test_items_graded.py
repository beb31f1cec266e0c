"""Generated items against judges who share nothing with them: one right answer each, and it is theirs.

`LAMMER_ACADEMY_ITEMS` says how many items in all (`make soak`: a hundred thousand). The judges are brute
force and the second table (`tests/support/item_judges.py`).
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import pairwise

import pytest

import lammer
from lammer import Refused
from lammer.academy.asking import KINDS, kinds_of, make_item
from lammer.academy.cases import CASES
from lammer.academy.dice import Dice
from lammer.academy.grading import grade, normal_form
from lammer.academy.items import Item
from lammer.game.chips import WORTHS, chips_for
from lammer.rulebook.behaviours import IRREGULARITIES
from lammer.wording.phrases import in_words
from support.brute_force import points
from support.item_judges import JUDGES, right_answers

ITEMS = int(os.environ.get("LAMMER_ACADEMY_ITEMS", "4000"))
BOOKS = {book.id: book for book in lammer.shelf()}
PAIRS = [(book.id, kind.name) for book in BOOKS.values() for kind in kinds_of(book)]
PARTS = 4
"""Parts each kind of each rulebook is cut into, so that several cores share them."""
NOT_PLAYED = {
    "excess_differential": "asked as a kind of its own",
    "void": "what voids a round is asked in the cases that do",
}
"""Irregularities without a case, and why."""


def items_of(book: str, kind: str, part: int) -> list[Item]:
    count = -(-ITEMS // (len(PAIRS) * PARTS))
    return [make_item(BOOKS[book], kind, seed) for seed in range(part * count, (part + 1) * count)]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(("book", "kind"), PAIRS)
def test_every_item_has_one_right_answer_and_it_is_the_judges(book: str, kind: str, part: int) -> None:
    for item in items_of(book, kind, part):
        right = right_answers(item)
        assert right == {item.answer}, f"seed {item.seed}: {item.question} {item.facts}"
        must_be_whole(item)


def must_be_whole(item: Item) -> None:
    """The right answer is taken as such, every other is not, and each choice is one."""
    assert grade(item, item.answer)
    names = [choice.name for choice in item.choices]
    assert len(set(names)) == len(names)
    for number, name in enumerate(names, start=1):
        assert grade(item, name) == grade(item, str(number)) == (name == item.answer)
    assert bool(names) == (item.form == "choice")
    wrong = {"points": str((int(item.answer) + 1) % 10)} if item.form == "points" else {}
    wrong |= {"money": f"1{item.answer}", "odds": f"1{item.answer}", "chips": f"{item.answer} 1x1"}
    if item.form in wrong:
        assert not grade(item, wrong[item.form])
    assert item.cites
    assert all(cite.rulebook == item.rulebook for cite in item.cites)
    assert all(cite.paragraph in BOOKS[item.rulebook].paragraphs for cite in item.cites)


def test_every_question_of_every_kind_is_judged() -> None:
    found = {
        (item.kind, item.asked)
        for book, kind in PAIRS
        for item in (make_item(BOOKS[book], kind, seed) for seed in range(40))
    }
    assert found == JUDGES.keys()


def test_every_irregularity_is_a_case_or_says_why_not() -> None:
    assert CASES.keys() | NOT_PLAYED.keys() == IRREGULARITIES
    assert not CASES.keys() & NOT_PLAYED.keys()


def test_every_case_of_a_rulebook_comes_up() -> None:
    for book in BOOKS.values():
        found = Counter(make_item(book, "cases", seed).facts["irregularity"] for seed in range(400))
        assert found.keys() == CASES.keys() & book.irregularities.keys()


def test_answers_of_a_question_are_different_words_in_every_language() -> None:
    for book, kind in PAIRS:
        for seed in range(30):
            item = make_item(BOOKS[book], kind, seed)
            for language in ("en", "zh"):
                words = [in_words(language, choice.words) for choice in item.choices]
                assert len(set(words)) == len(words)


def test_the_same_seed_makes_the_same_item() -> None:
    for book, kind in PAIRS:
        assert make_item(BOOKS[book], kind, 3) == make_item(BOOKS[book], kind, 3)


def test_a_rulebook_is_not_asked_what_it_has_no_rule_for() -> None:
    book = BOOKS["tiger-buffalo-noncommission@4"]
    assert "insurance" not in {kind.name for kind in kinds_of(book)}
    with pytest.raises(Refused, match="unknown_kind"):
        make_item(book, "insurance", 1)
    assert {kind.name for kind in kinds_of(BOOKS["tiger-buffalo-commission-insurance@3"])} == KINDS.keys()


def test_the_largest_chips_first_are_the_fewest_by_trying_every_way() -> None:
    """Every amount up to 250 dollars: no fewer chips pay it, and no other chips as few.

    From 25 on every chip divides the next, so what holds below holds above.
    """
    assert all(larger % worth == 0 for worth, larger in pairwise(WORTHS[3:]))
    least: list[tuple[int, set[tuple[int, ...]]]] = [(0, {(0,) * len(WORTHS)})]
    for amount in range(1, 251):
        ways: dict[int, set[tuple[int, ...]]] = {}
        for place, worth in enumerate(WORTHS):
            if worth <= amount:
                count, before = least[amount - worth]
                more = {(*way[:place], way[place] + 1, *way[place + 1 :]) for way in before}
                ways.setdefault(count + 1, set()).update(more)
        best = min(ways)
        least.append((best, ways[best]))
        piles = dict(chips_for(amount * 100)[0])
        assert ways[best] == {tuple(piles.get(worth, 0) for worth in WORTHS)}


@pytest.mark.parametrize("name", ["below_minimum", "walked_away", "misplaced_bet"])
def test_a_bet_that_is_settled_does_not_go_back_on_a_tie(name: str) -> None:
    """In no round of these cases do both hands come to the same: there the bet would go back as well."""
    for book in BOOKS.values():
        for seed in range(60):
            case = CASES[name](book, Dice("no tie", seed)) if name in book.irregularities else None
            if case is not None and case.do == "settle":
                player, banker = (points(hand) for hand in case.table.hands)
                assert player != banker, f"{book.id}, {seed}"


def test_a_rulebook_whose_cases_cannot_be_played_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in CASES:
        monkeypatch.setitem(CASES, name, lambda book, dice: None)
    with pytest.raises(Refused, match="unknown_kind"):
        make_item(BOOKS["tiger-buffalo-noncommission@4"], "cases", 1)


def test_where_chips_do_not_pay_an_item_in_chips_stays_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lammer.academy.pay_items.can_pay", lambda cents: False)
    assert make_item(BOOKS["tiger-buffalo-noncommission@4"], "chips", 1).kind == "chips"


def test_chinese_sentences_follow_each_other_without_a_comma() -> None:
    for book, kind in PAIRS:
        for seed in range(30):
            assert "。，" not in in_words("zh", make_item(BOOKS[book], kind, seed).because)


@pytest.mark.parametrize(
    ("form", "written", "normal"),
    [
        ("payouts", "1,250.5", "1250.50"),
        ("payouts", "0", "0.00"),
        ("chips", "1x25, 2x100", "2x100 1x25"),
        ("chips", "1x100 1x100", "2x100"),
    ],
)
def test_answers_are_read_however_they_are_written(form: str, written: str, normal: str) -> None:
    book = BOOKS["tiger-buffalo-noncommission@4"]
    items = (make_item(book, form, seed) for seed in range(50))
    item = next(item for item in items if item.form in ("money", "chips"))
    assert normal_form(item, written) == normal


@pytest.mark.parametrize("written", ["", "x", "-1", "12", "1x3", "½", "9" * 300])
def test_what_is_no_answer_is_refused_and_not_wrong(written: str) -> None:
    item = make_item(BOOKS["tiger-buffalo-noncommission@4"], "drawing", 1)
    with pytest.raises(Refused, match="not_an_answer"):
        grade(item, written)
