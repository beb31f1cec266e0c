"""A document as its parts in order: headings, paragraphs, tables, pictures and places to sign.

What is in it is decided where it is made; `page`, `paper` and `workbook` each set the same parts in their own
way, in the reader's language. Words are phrases, so that whoever sets them can say them in any language.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lammer.lab.output.sheet import Cell, Digits, Sheet

if TYPE_CHECKING:
    from altair.typing import ChartType

Say = Callable[[str], str]
"""Words as the reader's language says them."""


def as_it_stands(words: str) -> str:
    """English."""
    return words


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a level from 2; what the contents point to."""

    level: int
    words: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `passed` makes a verdict of it."""

    words: str
    passed: bool | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A sheet, and which of its rows say that something failed."""

    sheet: Sheet
    failed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with the tables of its figures, under one caption."""

    caption: str
    chart: ChartType | None
    sheets: tuple[Sheet, ...]


@dataclass(frozen=True, slots=True)
class Signatures:
    """Who has to sign, each with room for a name, a position, a date and a signature."""

    people: tuple[str, ...]
    blanks: tuple[str, ...]


Part = Heading | Paragraph | Table | Figure | Signatures


@dataclass(frozen=True, slots=True)
class Filing:
    """A whole document: its title, what made it, and its parts."""

    title: str
    parts: tuple[Part, ...]

    def sheets(self) -> Iterator[tuple[str, Sheet]]:
        """Every table in its order, with the heading it stands under."""
        under = self.title
        for part in self.parts:
            if isinstance(part, Heading):
                under = part.words
            elif isinstance(part, Table):
                yield under, part.sheet
            elif isinstance(part, Figure):
                yield from ((under, sheet) for sheet in part.sheets)

    def as_json(self, facts: dict[str, object], say: Say = as_it_stands) -> bytes:
        """The document for programs: the facts about it, then its parts without the pictures.

        >>> filing = Filing("Edges", (Table(Sheet("Edges", ("bet",), (("tie",),))),))
        >>> json.loads(filing.as_json({"decks": 8}))["parts"]
        [{'table': 'Edges', 'columns': ['bet'], 'rows': [['tie']]}]
        """
        parts = [described for part in self.parts for described in _described(part, say)]
        whole = {"title": say(self.title), **facts, "parts": parts}
        return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()


def _described(part: Part, say: Say) -> Iterator[dict[str, object]]:
    if isinstance(part, Heading):
        yield {"heading": say(part.words), "level": part.level}
    elif isinstance(part, Paragraph):
        yield {"paragraph": say(part.words)}
    elif isinstance(part, Signatures):
        yield {"signatures": [say(person) for person in part.people]}
    else:
        sheets: Sequence[Sheet] = (part.sheet,) if isinstance(part, Table) else part.sheets
        for sheet in sheets:
            said = said_sheet(sheet, say)
            yield {"table": said.name, "columns": said.columns, "rows": said.rows}


def said_sheet(sheet: Sheet, say: Say) -> Sheet:
    """A sheet in the reader's language.

    >>> said_sheet(Sheet("Edges", ("bet",), (("tie", 8),)), str.upper).rows
    (('TIE', 8),)
    """

    def said(cell: Cell) -> Cell:
        return say(cell) if isinstance(cell, str) and not isinstance(cell, Digits) else cell

    rows = tuple(tuple(said(cell) for cell in row) for row in sheet.rows)
    return Sheet(say(sheet.name), tuple(say(column) for column in sheet.columns), rows)
