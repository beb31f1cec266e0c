"""A document as a workbook: a first sheet that leads to the others, then a worksheet for every heading.

Numbers are numbers, so that a spreadsheet can go on with them; those too long for its fifteen digits stay
text, digit by digit. Nothing in a cell is ever taken for a formula. Needs XlsxWriter, from the extra `lab`.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from lammer.lab.extras import needs
from lammer.lab.output.filing import (
    Filing,
    Heading,
    Paragraph,
    Say,
    Signatures,
    Table,
    as_it_stands,
    said_sheet,
)
from lammer.lab.output.sheet import Cell, Digits, Sheet

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

_DIGITS: Final = 15
"""A spreadsheet keeps no more of a number."""
_NAME: Final = 31
"""Letters in the name of a worksheet."""
_NARROW, _WIDE = 9, 60


def workbook_of(filing: Filing, say: Say = as_it_stands) -> bytes:
    """The bytes of an .xlsx file.

    >>> filing = Filing("Edges", (Heading(3, "Tie", "tie"), Table(Sheet("Edges", ("bet",), (("tie",),)))))
    >>> workbook_of(filing)[:2]
    b'PK'
    """
    with needs("lab"):
        from xlsxwriter import Workbook as New  # noqa: PLC0415
    stream = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = New(stream, options)
    _Writer(book, say).write(filing)
    book.close()
    return stream.getvalue()


class _Writer:
    """A workbook while it is filled."""

    def __init__(self, book: Workbook, say: Say) -> None:
        self.book, self.say = book, say
        self.title = book.add_format({"bold": True, "font_size": 15})
        self.bold = book.add_format({"bold": True, "font_size": 12})
        self.head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"})
        self.cell = book.add_format({"valign": "top", "text_wrap": True})
        self.long = book.add_format({"valign": "top", "align": "right"})
        self.red = book.add_format({"bold": True, "font_color": "#A30D25", "text_wrap": True})
        self.link = book.add_format({"font_color": "#14508C", "underline": 1})
        self.numbers: dict[int, Any] = {}
        self.names: set[str] = set()
        self.widths: dict[tuple[str, int], int] = {}

    def write(self, filing: Filing) -> None:
        front = self._worksheet(self.say("Contents"))
        front.set_column(0, 0, 110)
        front.write_string(0, 0, self.say(filing.title), self.title)
        sheet: Worksheet = front
        row, front_row = 2, 2
        above = ""
        for part in filing.parts:
            if isinstance(part, Heading):
                words = self.say(part.words)
                if part.level == 2:
                    front_row += 1
                    front.write_string(front_row, 0, words, self.bold)
                    above, sheet = words, front
                    row = front_row = front_row + 1
                    continue
                sheet, row = self._worksheet(words), 0
                front.write_url(front_row, 0, f"internal:'{sheet.get_name()}'!A1", self.link, words)
                front_row += 1
                sheet.write_string(row, 0, words, self.title)
                sheet.write_string(row + 1, 0, above)
                row += 3
            elif isinstance(part, Paragraph):
                style = self.cell if sheet is front else None
                sheet.write_string(row, 0, self.say(part.words), self.red if part.passed is False else style)
                row += 1
            elif isinstance(part, Signatures):
                blanks = ["", *(self.say(blank) for blank in part.blanks)]
                for place, words in enumerate(blanks):
                    sheet.write_string(row + 1, place, words, self.head)
                for number, person in enumerate(part.people):
                    sheet.write_string(row + 2 + number, 0, self.say(person), self.cell)
                    sheet.set_row(row + 2 + number, 32)
                row += 3 + len(part.people)
            else:
                if sheet is front:
                    sheet, row = self._worksheet(above), 0
                    front.write_url(front_row, 0, f"internal:'{sheet.get_name()}'!A1", self.link, above)
                    front_row += 1
                failed = part.failed if isinstance(part, Table) else frozenset[int]()
                for each in (part.sheet,) if isinstance(part, Table) else part.sheets:
                    row = self._table(sheet, row, said_sheet(each, self.say), failed)
            if sheet is front:
                front_row = row

    def _worksheet(self, words: str) -> Worksheet:
        """A worksheet of that name, as far as a name may go, and of no name twice."""
        plain = re.sub(r"[\[\]:*?/\\']", " ", words).strip()[:_NAME] or "-"
        name, number = plain, 2
        while name.lower() in self.names:
            ending = f" {number}"
            name, number = f"{plain[: _NAME - len(ending)]}{ending}", number + 1
        self.names.add(name.lower())
        sheet = self.book.add_worksheet(name)
        sheet.hide_gridlines(2)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        return sheet

    def _table(self, sheet: Worksheet, row: int, table: Sheet, failed: frozenset[int]) -> int:
        """A table under its name; returns the row after it."""
        sheet.write_string(row, 0, table.name, self.bold)
        for place, column in enumerate(table.columns):
            sheet.write_string(row + 1, place, column, self.head)
        for number, cells in enumerate(table.rows):
            for place, cell in enumerate(cells):
                self._cell(sheet, row + 2 + number, place, cell, red=number in failed)
        for place, column in enumerate(table.columns):
            texts = [str(cells[place] if cells[place] is not None else "") for cells in table.rows]
            width = max([_NARROW, len(column) // 2, *(_letters(words) + 1 for words in texts)])
            # Tables below each other share their columns: the widest decides.
            widest = max(min(width, _WIDE), self.widths.get((sheet.get_name(), place), 0))
            self.widths[sheet.get_name(), place] = widest
            sheet.set_column(place, place, widest)
        return row + len(table.rows) + 4

    def _cell(self, sheet: Worksheet, row: int, place: int, cell: Cell, *, red: bool) -> None:
        if cell is None or cell == "":
            return
        written = str(cell)
        counted = isinstance(cell, int | float | Digits)
        if counted and sum(map(str.isdigit, written.lstrip("-0."))) <= _DIGITS:
            places = len(written.partition(".")[2]) if isinstance(cell, Digits) else 0
            sheet.write_number(row, place, float(written), self._number(places))
        else:
            style = self.long if counted else self.red if red else self.cell
            sheet.write_string(row, place, written, style)

    def _number(self, places: int) -> Any:
        """The format of numbers with so many places."""
        if places not in self.numbers:
            shown = "#,##0" if places < 1 else f"0.{'0' * places}"
            self.numbers[places] = self.book.add_format({"num_format": shown, "valign": "top"})
        return self.numbers[places]


def _letters(words: str) -> int:
    """How wide words are: a Chinese character is as wide as two letters."""
    return sum(1 + (ord(letter) > 0x2E7F) for letter in words)
