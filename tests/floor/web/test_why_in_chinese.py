"""What a settlement stands on and what went wrong are said in Chinese, whatever document a table plays by."""

from __future__ import annotations

import re

import pytest

import lammer
from lammer.floor.web.pages.felt.why import meanings
from lammer.wording.events import EventWriter

BOOKS = (
    "tiger-buffalo-commission-insurance@3",
    "tiger-buffalo-noncommission-insurance@3",
    "tiger-buffalo-noncommission@4",
    "tiger-buffalo-noncommission-insurance@1",
    "da-hu-ying-xiong-noncommission-insurance@2",
)

SETTLES = frozenset(
    ("winner", "bet_wins", "bet_pays", "commission", "tie_returns", "insurance_pays", "insurance_windows",
     "insurance_right", "insurance_on_tie")
)  # fmt: skip
"""What a paragraph does that a settlement may cite."""


@pytest.mark.parametrize("name", BOOKS)
def test_every_paragraph_a_settlement_may_cite_is_said(name: str) -> None:
    book = lammer.rulebook(name)
    may = [number for number, each in book.paragraphs.items() if SETTLES & set(each.behaviours)]
    assert len(may) > 10
    told = meanings(book, may, "zh")
    assert set(may) == set(told)
    assert not [gist for gist, _ in told.values() if re.search(r"[A-Za-z]{2,}", gist)]
    assert meanings(book, may, "en").keys() == told.keys()


@pytest.mark.parametrize("name", BOOKS)
def test_a_paragraph_on_when_a_bet_wins_is_known_as_such(name: str) -> None:
    book = lammer.rulebook(name)
    for number, (_, wins) in meanings(book, book.paragraphs, "en").items():
        assert wins == ("bet_wins" in book.paragraphs[number].behaviours)


@pytest.mark.parametrize("name", BOOKS)
def test_every_irregularity_is_named(name: str) -> None:
    book = lammer.rulebook(name)
    writer = EventWriter("zh", book)
    for each in book.irregularities:
        told = writer.sentence({"event": "IrregularityNoted", "name": each, "detail": ""})
        assert not re.search(r"[A-Za-z]{2,}", told), told
