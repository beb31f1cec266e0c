"""Phrases: what a rulebook's values are called, so that any language can say it.

A phrase is its English, and remembers the message with its places and what stands in them. `wording` looks
the message up in the reader's catalogue; whoever speaks English prints it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Phrase(str):
    """A message whose places in braces are filled; a value may be a phrase itself.

    >>> Phrase("{hands} wins on {totals}", hands=Phrase("Banker"), totals="6")
    'Banker wins on 6'
    """

    __slots__ = ("message", "values")
    message: str
    values: Mapping[str, Any]

    def __new__(cls, message: str, **values: Any) -> Phrase:
        phrase = super().__new__(cls, message.format(**values) if values else message)
        phrase.message, phrase.values = message, values
        return phrase


class Title(str):
    """What a document calls something, in English; `titles` has what it is called in other languages.

    >>> Title("Tie", {"zh": "he"}), Title("Tie", {"zh": "he"}).titles["zh"]
    ('Tie', 'he')
    """

    __slots__ = ("titles",)
    titles: Mapping[str, str]

    def __new__(cls, english: str, titles: Mapping[str, str]) -> Title:
        title = super().__new__(cls, english)
        title.titles = titles
        return title


class Series(str):
    """Phrases one after another; each language has a separator of its own for the English one.

    >>> Series([Phrase("on 6"), Phrase("on 7")], "; ")
    'on 6; on 7'
    """

    __slots__ = ("parts", "separator")
    parts: tuple[str, ...]
    separator: str

    def __new__(cls, parts: Iterable[str], separator: str) -> Series:
        kept = tuple(parts)
        series = super().__new__(cls, separator.join(kept))
        series.parts, series.separator = kept, separator
        return series
