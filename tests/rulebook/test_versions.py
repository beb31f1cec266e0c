"""Which rulebook is in force, and what changed from one to another."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

import lammer
from lammer import Refused, shelf
from lammer.rulebook.diff import Change, diff, moved_paragraphs
from lammer.rulebook.force import in_force, standing, superseded_by

GAME = "tiger-buffalo-noncommission-insurance"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("game", "moment", "expected"),
    [
        (GAME, "2024-05-14T08:00+08:00", f"{GAME}@1"),
        (GAME, "2025-11-21T07:59:59+08:00", f"{GAME}@1"),
        (GAME, "2025-11-21T08:00+08:00", f"{GAME}@3"),
        (GAME, "2025-11-21T00:00+00:00", f"{GAME}@3"),
        ("tiger-buffalo-noncommission", "2025-08-08T08:00+08:00", "tiger-buffalo-noncommission@4"),
        (
            "tiger-buffalo-commission-insurance",
            "2026-01-01T00:00+00:00",
            "tiger-buffalo-commission-insurance@3",
        ),
        (
            "da-hu-ying-xiong-noncommission-insurance",
            "2023-11-07T08:00+08:00",
            "da-hu-ying-xiong-noncommission-insurance@2",
        ),
    ],
)
def test_in_force(game: str, moment: str, expected: str) -> None:
    assert in_force(shelf(), game, at(moment)).rulebook.id == expected


def test_a_missing_version_between_is_said() -> None:
    assert "version 2" in in_force(shelf(), GAME, at("2025-06-01T12:00+08:00")).caveat
    assert not in_force(shelf(), GAME, at("2026-06-01T12:00+08:00")).caveat


@pytest.mark.parametrize("game", sorted({book.game for book in shelf()}))
def test_before_the_first_version_the_texts_do_not_tell(game: str) -> None:
    with pytest.raises(Refused) as caught:
        in_force(shelf(), game, at("2023-01-01T00:00+08:00"))
    assert caught.value.code == "texts_do_not_tell"


def test_no_such_game() -> None:
    with pytest.raises(Refused, match="unknown_rulebook"):
        in_force(shelf(), "snap", at("2026-01-01T00:00+00:00"))


def test_superseded_rulebooks_load_and_say_so() -> None:
    old = lammer.rulebook(f"{GAME}@1")
    later = superseded_by(shelf(), old)
    assert later is not None
    assert later.id == f"{GAME}@3"
    assert standing(shelf(), old, at("2026-01-01T00:00+00:00")) == f"superseded by {GAME}@3"
    assert [superseded_by(shelf(), book) for book in shelf() if book is not old] == [None] * 4


def by_kind(changes: tuple[Change, ...]) -> dict[str, dict[str, tuple[str, str]]]:
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for change in changes:
        found.setdefault(change.kind, {})[change.subject] = (change.before, change.after)
    return found


def test_from_version_1_to_3() -> None:
    changes = by_kind(diff(lammer.rulebook(f"{GAME}@1"), lammer.rulebook(f"{GAME}@3")))
    assert len(changes["bet added"]) == 7
    assert changes["bet added"]["Tiger Pair"] == ("", "1.35, 4.1.9")
    assert list(changes["layout added"]) == [f"Layout {letter}" for letter in "LMNOPQ"]
    assert changes["squeeze right widened"] == {"squeeze": ("3.9", "3.9")}
    added = {after for _, after in changes["irregularity added"].values()}
    assert added == {"5.7", "5.7.1", "5.7.2", "5.7.3", "5.12", "5.13", "5.15", "5.18"}
    excess = changes["irregularity changed"]["Cards drawn in excess or exposed"]
    assert excess == ("5.7", "5.8")
    assert changes["irregularity changed"]["Cards dealt to the wrong area or the wrong person"] == (
        "5.8",
        "5.9",
    )
    assert changes["bet changed"]["Wu Dalang"] == ("1.30, 4.1.6", "1.38, 4.1.11")
    assert "insurance changed" not in changes
    assert "table of play changed" not in changes


def test_a_rulebook_does_not_differ_from_itself() -> None:
    for book in shelf():
        assert diff(book, book) == ()
        assert moved_paragraphs(book, book) == ()


def test_commission_shows_in_the_pay_table() -> None:
    changes = diff(lammer.rulebook(f"{GAME}@3"), lammer.rulebook("tiger-buffalo-commission-insurance@3"))
    banker = [change for change in changes if change.kind == "bet changed"]
    assert [change.subject for change in banker] == ["Banker"]
    assert "1:2" in banker[0].sentence
    assert "0.95:1" in banker[0].sentence


def test_the_other_way_round_everything_is_removed() -> None:
    there = diff(lammer.rulebook(f"{GAME}@1"), lammer.rulebook(f"{GAME}@3"))
    back = diff(lammer.rulebook(f"{GAME}@3"), lammer.rulebook(f"{GAME}@1"))
    for kind in ("bet", "layout", "irregularity"):
        added = [change.subject for change in there if change.kind == f"{kind} added"]
        assert added == [change.subject for change in back if change.kind == f"{kind} removed"]


def test_another_kind_of_discretion_is_a_change() -> None:
    book = lammer.rulebook("da-hu-ying-xiong-noncommission-insurance@2")
    rule = book.irregularities["excess_cards"]
    absolute = [step for step in rule.steps if step.discretion == "absolute"]
    steps = tuple(
        replace(step, discretion="unqualified") if step in absolute else step for step in rule.steps
    )
    assert absolute
    other = replace(book, irregularities={**book.irregularities, rule.name: replace(rule, steps=steps)})
    (change,) = diff(book, other)
    assert "at absolute discretion" in change.sentence
    assert "at unqualified discretion" in change.sentence


def test_insurance_and_none() -> None:
    changes = by_kind(diff(lammer.rulebook("tiger-buffalo-noncommission@4"), lammer.rulebook(f"{GAME}@3")))
    assert changes["insurance added"] == {"Insurance": ("", "3.11")}
    assert changes["squeeze waiver"] == {"squeeze": ("", "3.14")}
    assert changes["bet changed"]["Tiger Tie"] == ("1.34, 4.1.10", "1.36, 4.1.10")


def test_moved_paragraphs_are_matched_by_meaning() -> None:
    places = {
        change.before: change.after
        for change in moved_paragraphs(lammer.rulebook(f"{GAME}@1"), lammer.rulebook(f"{GAME}@3"))
    }
    assert places["5.12"] == "5.16"
    assert places["5.13.1"] == "5.17.1"
    assert "3.9" not in places
