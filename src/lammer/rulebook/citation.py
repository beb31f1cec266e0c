"""Where a rule stands: the pair of a rulebook and a paragraph.

The same rule has different numbers in different documents, so a number alone cites nothing. Besides
numbered paragraphs a document has a title page (`title`), which is indexed like them and comes first,
and a table of contents (`contents`) and appendices (`appendix C`), which can be cited the same way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

TITLE: Final = "title"

_NUMBER = re.compile(r"[1-9][0-9]*(?:\.[1-9][0-9]*)*(?:\.[a-z])?")
_PLACE = re.compile(r"title|contents|appendix [A-Z]")


@dataclass(frozen=True, slots=True)
class Citation:
    """A paragraph of one rulebook.

    >>> print(Citation("tiger-buffalo-noncommission@4", "3.8"))
    tiger-buffalo-noncommission@4, 3.8
    """

    rulebook: str
    paragraph: str

    def __str__(self) -> str:
        return f"{self.rulebook}, {self.paragraph}"


def is_number(text: str) -> bool:
    """Whether this is written like a numbered paragraph.

    >>> is_number("4.2.1.a"), is_number("appendix C"), is_number("4.")
    (True, False, False)
    """
    return _NUMBER.fullmatch(text) is not None


def is_place(text: str) -> bool:
    """Whether this is a part of a document that has no number but can be cited.

    >>> is_place("appendix C"), is_place("3.8")
    (True, False)
    """
    return _PLACE.fullmatch(text) is not None


def order(paragraph: str) -> tuple[tuple[int, str], ...]:
    """A sort key that puts paragraphs in the order of the document.

    >>> sorted(["3.10", "3.9", "4.2.1.b", "4.2.1", "title", "4.2.1.a"], key=order)
    ['title', '3.9', '3.10', '4.2.1', '4.2.1.a', '4.2.1.b']
    """
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in paragraph.split("."))
