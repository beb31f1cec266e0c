"""What is asked again, and when; tests as a trainer sets them."""

from __future__ import annotations

import pytest

import lammer
from lammer import Refused
from lammer.academy.asking import item_about, make_item
from lammer.academy.exams import Composition, grade_test, items_of_test, must_be_test
from lammer.academy.repetition import (
    SECONDS_BETWEEN,
    Memory,
    after_answer,
    by_paragraph,
    first_due,
    next_item,
    reviewed,
)

BOOK = lammer.rulebook("tiger-buffalo-noncommission-insurance@3")


def test_right_answers_come_back_ever_later_and_a_wrong_one_at_once_again() -> None:
    memory, now, waits = Memory("drawing", "3.15"), 0, []
    for _ in range(len(SECONDS_BETWEEN) + 2):
        memory = reviewed(memory, True, now)
        waits.append(memory.due - now)
        now = memory.due
    assert waits == [*SECONDS_BETWEEN[1:], *[SECONDS_BETWEEN[-1]] * 3]
    memory = reviewed(memory, False, now)
    assert (memory.step, memory.due - now) == (0, SECONDS_BETWEEN[0])


def test_what_went_wrong_is_asked_before_what_went_right() -> None:
    known = [Memory("totals", "1.25", step=1, due=1), Memory("drawing", "3.15", step=0, due=9)]
    assert first_due(known, ("totals", "drawing"), 10) == known[1]
    assert first_due(known, ("totals", "drawing"), 5) == known[0]
    assert first_due(known, ("totals", "drawing"), 0) is None
    assert first_due(known, ("cases",), 10) is None


def test_the_next_item_is_about_the_paragraph_that_is_due() -> None:
    item = make_item(BOOK, "cases", 3)
    known = after_answer({}, item, False, 100)
    again = next_item(BOOK, ("cases", "totals"), known, 100 + SECONDS_BETWEEN[0], 5000)
    assert (again.kind, again.paragraph) == ("cases", item.paragraph)
    assert again.seed != item.seed
    assert next_item(BOOK, ("totals",), known, 10_000, 1).kind == "totals"


def test_a_paragraph_no_item_is_about_leaves_any_item_of_the_kind() -> None:
    assert item_about(BOOK, "totals", "99.9", 4) == make_item(BOOK, "totals", 4)


def test_paragraphs_come_in_the_order_of_the_document() -> None:
    known = [Memory("cases", "5.10"), Memory("cases", "5.9"), Memory("totals", "1.25")]
    assert [memory.paragraph for memory in by_paragraph(known)] == ["1.25", "5.9", "5.10"]


def test_a_test_is_passed_at_its_mark_and_not_below() -> None:
    composition = Composition({"totals": 4}, 0, 75)
    items = items_of_test(BOOK, composition, 8)
    answers = [item.answer for item in items]
    assert grade_test(items, [*answers[:3], "?"], 75).passed
    short = grade_test(items, answers[:2], 75)
    assert (short.right, short.asked, short.passed) == (2, 4, False)
    assert set(short.missed) == {item.paragraph for item in items[2:]}
    assert items == items_of_test(BOOK, composition, 8)


@pytest.mark.parametrize(
    "composition",
    [
        Composition({}, 10, 80),
        Composition({"totals": 201}, 10, 80),
        Composition({"totals": 1}, 241, 80),
        Composition({"totals": 1}, 10, 0),
        Composition({"totals": -1, "chips": 3}, 10, 80),
        Composition({"dice": 1}, 10, 80),
    ],
)
def test_a_test_that_cannot_be_set(composition: Composition) -> None:
    with pytest.raises(Refused):
        must_be_test(BOOK, composition)
