"""A table test as a casino sets it: so many items of each kind, so many minutes, a pass mark.

The trainer composes it; its seed decides the items, so that anybody can make the same test again. A
certificate says what was passed; the house signs its bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from lammer.academy.asking import ITEMS_VERSION, chosen_kinds, make_item
from lammer.academy.dice import Dice
from lammer.academy.grading import grade
from lammer.academy.items import Item
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused

MOST_ITEMS: Final = 200
MOST_MINUTES: Final = 240
_SPREAD: Final = 1_000_000
"""Seeds are drawn below this, so that the items of a test lie far from each other."""


@dataclass(frozen=True, slots=True)
class Composition:
    """How a test is set: items of each kind, minutes for all of them (0: no limit), per cent to pass."""

    items: Mapping[str, int]
    minutes: int
    pass_mark: int

    @property
    def count(self) -> int:
        return sum(self.items.values())


@dataclass(frozen=True, slots=True)
class Graded:
    """What a test came to."""

    right: int
    asked: int
    passed: bool
    missed: tuple[str, ...]
    """The paragraphs of what was answered wrong, or not at all."""


def must_be_test(book: Rulebook, composition: Composition) -> None:
    """Refuse a test that cannot be set under this rulebook."""
    chosen_kinds(book, tuple(composition.items))
    if not (
        0 < composition.count <= MOST_ITEMS
        and all(count > 0 for count in composition.items.values())
        and 0 <= composition.minutes <= MOST_MINUTES
        and 1 <= composition.pass_mark <= 100
    ):
        raise Refused(
            "no_such_test",
            "A test of {count} items in {minutes} minutes with a pass mark of {mark} per cent cannot be set.",
            next_step="Ask 1 to {most} items, allow up to {longest} minutes (0: no limit), "
            "and 1 to 100 per cent.",
            count=composition.count,
            minutes=composition.minutes,
            mark=composition.pass_mark,
            most=MOST_ITEMS,
            longest=MOST_MINUTES,
        )


def items_of_test(book: Rulebook, composition: Composition, seed: int) -> list[Item]:
    """The items of a test, kind after kind, by its seed.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> [item.kind for item in items_of_test(book, Composition({"totals": 1, "chips": 2}, 10, 90), seed=5)]
    ['totals', 'chips', 'chips']
    """
    return [make_item(book, kind, item_seed) for kind, item_seed in _seeds_of_test(book, composition, seed)]


def item_of_test(book: Rulebook, composition: Composition, seed: int, number: int) -> Item:
    """One item of a test, counted from 1; the others are not made.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> composition = Composition({"totals": 1, "chips": 2}, 10, 90)
    >>> item_of_test(book, composition, 5, 2) == items_of_test(book, composition, 5)[1]
    True
    """
    return make_item(book, *_seeds_of_test(book, composition, seed)[number - 1])


def _seeds_of_test(book: Rulebook, composition: Composition, seed: int) -> list[tuple[str, int]]:
    """The kind and the seed of each item."""
    dice = Dice("test", book.id, seed)
    return [(kind, dice.below(_SPREAD)) for kind, count in composition.items.items() for _ in range(count)]


def graded_by_marks(marks: Sequence[str], pass_mark: int) -> Graded:
    """A test whose every answer was marked when it was given: the paragraph it got wrong, or nothing.

    >>> graded_by_marks(["", "4.1", "", "4.1"], 50)
    Graded(right=2, asked=4, passed=True, missed=('4.1',))
    """
    right = sum(not mark for mark in marks)
    missed = tuple(dict.fromkeys(mark for mark in marks if mark))
    return Graded(right, len(marks), right * 100 >= pass_mark * len(marks), missed)


def grade_test(items: Sequence[Item], written: Sequence[str], pass_mark: int) -> Graded:
    """Grade a whole test; what is missing or cannot be read is wrong."""
    marks = [
        _is_right(item, answer) for item, answer in zip(items, (*written, *[""] * len(items)), strict=False)
    ]
    right = sum(marks)
    missed = tuple(dict.fromkeys(item.paragraph for item, mark in zip(items, marks, strict=True) if not mark))
    return Graded(right, len(items), right * 100 >= pass_mark * len(items), missed)


def _is_right(item: Item, written: str) -> bool:
    try:
        return grade(item, written)
    except Refused:
        return False


class Certificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """That somebody passed a test: what the house signs. Times are microseconds since 1970, UTC.

    Seed and answers are in it, so that anybody can make the items again and grade them.
    """

    what: str = "lammer table test"
    items_version: int = ITEMS_VERSION
    person: str
    rulebook: str
    rulebook_sha256: str
    composition: dict[str, int]
    minutes: int
    pass_mark: int
    seed: int
    answers: list[str]
    right: int
    asked: int
    set_by: str
    finished_at: int


def certificate_bytes(certificate: Certificate) -> bytes:
    """The bytes that are signed: JSON with its keys in order."""
    return msgspec.json.encode(certificate, order="sorted")


def check_score(book: Rulebook, certificate: Certificate) -> list[Phrase]:
    """What a certificate says that its own answers do not bear out, by this rulebook."""
    if certificate.items_version != ITEMS_VERSION:
        return [
            Phrase(
                "its items are of version {version}, and this Lammer makes version {own}",
                version=certificate.items_version,
                own=ITEMS_VERSION,
            )
        ]
    if book.sha256 != certificate.rulebook_sha256:
        return [
            Phrase(
                "it was taken under another {rulebook}: the SHA-256 differs", rulebook=certificate.rulebook
            )
        ]
    composition = Composition(certificate.composition, certificate.minutes, certificate.pass_mark)
    try:
        must_be_test(book, composition)
    except Refused as refused:
        return [Phrase(refused.message, **refused.values)]
    graded = grade_test(
        items_of_test(book, composition, certificate.seed), certificate.answers, certificate.pass_mark
    )
    wrong = []
    if (graded.right, graded.asked) != (certificate.right, certificate.asked):
        wrong.append(
            Phrase(
                "its answers come to {right} of {asked}, and it says {right_there} of {asked_there}",
                right=graded.right,
                asked=graded.asked,
                right_there=certificate.right,
                asked_there=certificate.asked,
            )
        )
    if not graded.passed:
        wrong.append(Phrase("its answers do not reach {mark} per cent", mark=certificate.pass_mark))
    return wrong
