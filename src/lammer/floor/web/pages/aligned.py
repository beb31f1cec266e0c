"""The paragraphs of two rulebooks beside each other: by what they say, whatever their numbers became.

A definition put in at the front moves every number after it; what says the same is still found beside itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final, Literal

from lammer.floor.web.pages.rule_words import odds_beside
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


def aligned(a: Rulebook, b: Rulebook) -> list[Pair]:
    """Every paragraph of both, in the order of the documents; where the odds differ it was changed.

    >>> from lammer import rulebook
    >>> pairs = aligned(rulebook("tiger-buffalo-noncommission-insurance@1"),
    ...                 rulebook("tiger-buffalo-noncommission-insurance@3"))
    >>> next((p.before.number, p.after.number) for p in pairs if p.moved)
    ('1.2', '1.3')
    """
    before, after = list(a.paragraphs.values()), list(b.paragraphs.values())
    found: list[Pair] = []
    matcher = SequenceMatcher(None, [p.gist for p in before], [p.gist for p in after], autojunk=False)
    for kind, i, to_i, j, to_j in matcher.get_opcodes():
        if kind == "equal":
            found += [Pair("same", *both) for both in zip(before[i:to_i], after[j:to_j], strict=True)]
        else:
            found += _beside(before[i:to_i], after[j:to_j])
    pays = [odds_beside(book, "en") for book in (a, b)]
    return [
        replace(each, kind="changed")
        if each.before and each.after and pays[0].get(each.before.number) != pays[1].get(each.after.number)
        else each
        for each in _reunited(found)
    ]


def _beside(before: Sequence[Paragraph], after: Sequence[Paragraph]) -> Iterator[Pair]:
    """What stands between two things that agree: the same number with words alike is one that was changed."""
    rest = {each.number: each for each in after}
    for each in before:
        other = rest.get(each.number)
        if other and SequenceMatcher(None, each.gist, other.gist).ratio() >= ALIKE:
            yield Pair("changed", each, rest.pop(each.number))
        else:
            yield Pair("gone", each)
    yield from (Pair("new", None, each) for each in rest.values())


def _reunited(found: Sequence[Pair]) -> Iterator[Pair]:
    """What went from one place to quite another is the same all the same."""
    new = {each.after.gist: each.after for each in found if each.kind == "new" and each.after}
    gone = {each.before.gist: each.before for each in found if each.kind == "gone" and each.before}
    both = {gist: (gone[gist], new[gist]) for gist in gone.keys() & new.keys()}
    for each in found:
        here = each.before or each.after
        pair = both.get(here.gist) if here and each.kind in ("gone", "new") else None
        if pair is None or here not in pair:
            yield each
        elif here is pair[0]:
            yield Pair("same", *pair)


def _number(paragraph: Paragraph | None) -> str:
    return paragraph.number if paragraph else ""
