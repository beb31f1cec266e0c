"""What a story on the terminal is made of: lines, names of code as words, rows under each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len


@dataclass(frozen=True, slots=True)
class Sentence:
    """One line of a story: what happened, the paragraph it stands on, and how it looks."""

    text: str
    cite: str = ""
    style: str = ""


def words(name: str) -> str:
    """A name of code as words.

    >>> words("pit_supervisor"), words("RoundVoided")
    ('pit supervisor', 'Round voided')
    """
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name[1:])
    return (name[:1] + spaced).replace("_", " ")


def align_rows(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows of cells under each other; columns in `right` end together. A Chinese letter is two wide.

    >>> align_rows([["p1", "9.00"], ["p10", "10.00"]], right=[1])
    ['  p1    9.00', '  p10  10.00']
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(_cells(row, widths, right)).rstrip() for row in rows]


def _cells(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> list[str]:
    spaces = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
    return [
        space + cell if place in right else cell + space
        for place, (cell, space) in enumerate(zip(row, spaces, strict=True))
    ]
