"""The paragraphs of two rulebooks beside each other: by what they say, whatever their numbers became.

A definition put in at the front moves every number after it; what says the same is still found beside itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final, Literal

from lammer.floor.web.pages.rules.rule_words import odds_beside
from lammer.rulebook.model import Paragraph, Rulebook

ALIKE: Final = 0.5
"""From how much likeness on two paragraphs of one number are one that was changed."""

Kind = Literal["same", "changed", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A paragraph of the one, of the other, or of both."""

    kind: Kind
    before: Paragraph | None = None
    after: Paragraph | None = None

    @property
    def moved(self) -> bool:
        """Whether it says the same under another number."""
        return self.kind == "same" and _number(self.before) != _number(self.after)


def align(left: Rulebook, right: Rulebook) -> list[Pair]:
    """Every paragraph of both, in the order of the documents; where the odds differ it was changed.

    >>> from lammer import rulebook
    >>> pairs = align(rulebook("tiger-buffalo-noncommission-insurance@1"),
    ...               rulebook("tiger-buffalo-noncommission-insurance@3"))
    >>> next((pair.before.number, pair.after.number) for pair in pairs if pair.moved)
    ('1.2', '1.3')
    """
    before, after = list(left.paragraphs.values()), list(right.paragraphs.values())
    pairs: list[Pair] = []
    matcher = SequenceMatcher(
        None,
        [paragraph.gist for paragraph in before],
        [paragraph.gist for paragraph in after],
        autojunk=False,
    )
    for kind, left_from, left_to, right_from, right_to in matcher.get_opcodes():
        if kind == "equal":
            pairs += [
                Pair("same", *both)
                for both in zip(before[left_from:left_to], after[right_from:right_to], strict=True)
            ]
        else:
            pairs += _pair_by_number(before[left_from:left_to], after[right_from:right_to])
    pays = [odds_beside(book, "en") for book in (left, right)]
    return [
        replace(pair, kind="changed")
        if pair.before and pair.after and pays[0].get(pair.before.number) != pays[1].get(pair.after.number)
        else pair
        for pair in _pair_moved(pairs)
    ]


def _pair_by_number(before: Sequence[Paragraph], after: Sequence[Paragraph]) -> Iterator[Pair]:
    """What stands between two things that agree: the same number with words alike is one that was changed."""
    rest = {paragraph.number: paragraph for paragraph in after}
    for paragraph in before:
        other = rest.get(paragraph.number)
        if other and SequenceMatcher(None, paragraph.gist, other.gist).ratio() >= ALIKE:
            yield Pair("changed", paragraph, rest.pop(paragraph.number))
        else:
            yield Pair("gone", paragraph)
    yield from (Pair("new", None, paragraph) for paragraph in rest.values())


def _pair_moved(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """What went from one place to quite another is the same all the same."""
    new = {pair.after.gist: pair.after for pair in pairs if pair.kind == "new" and pair.after}
    gone = {pair.before.gist: pair.before for pair in pairs if pair.kind == "gone" and pair.before}
    moved = {gist: (gone[gist], new[gist]) for gist in gone.keys() & new.keys()}
    for pair in pairs:
        paragraph = pair.before or pair.after
        moved_pair = moved.get(paragraph.gist) if paragraph and pair.kind in ("gone", "new") else None
        if moved_pair is None or paragraph not in moved_pair:
            yield pair
        elif paragraph is moved_pair[0]:
            yield Pair("same", *moved_pair)


def _number(paragraph: Paragraph | None) -> str:
    return paragraph.number if paragraph else ""
