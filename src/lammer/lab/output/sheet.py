"""A sheet: named columns and rows of one result, as HTML for a notebook, CSV, or Parquet.

Every result of the lab gives its sheets; the command line prints them, the report sets them beside charts.
It holds text and numbers already worked out and works out nothing.
"""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lammer.lab.output.writing import put
from lammer.rulebook.refusal import Refused

Cell = str | int | float | None


class Digits(str):
    """A number as it is to be read, to the place it was rounded to; a spreadsheet may go on with it.

    >>> Digits("14.3325"), isinstance("3.10", Digits)
    ('14.3325', False)
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows under named columns.

    >>> print(Sheet("Edges", ("bet", "edge %"), (("tie", "14.3596"),)).csv())
    bet,edge %
    tie,14.3596
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def texts(self) -> list[tuple[str, ...]]:
        """The rows as text; nothing is shown as nothing."""
        return [tuple("" if cell is None else str(cell) for cell in row) for row in self.rows]

    def csv(self) -> str:
        """Comma-separated, with a line of column names, without a last line break."""
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([self.columns, *self.texts()])
        return stream.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.texts()
        )
        caption = f"<caption>{html.escape(self.name)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def write(self, path: Path | str) -> Path:
        """Write a file named `.csv` or `.parquet`; the second needs the extra `parquet`."""
        path = Path(path)
        if path.suffix == ".csv":
            put(path, f"{self.csv()}\n".encode())
        elif path.suffix == ".parquet":
            self._write_parquet(path)
        else:
            raise Refused(
                "unknown_format",
                "A sheet is not written as {suffix}.",
                next_step="Name the file .csv or .parquet.",
                suffix=repr(path.suffix or path.name),
            )
        return path

    def _write_parquet(self, path: Path) -> None:
        try:
            import pyarrow  # noqa: PLC0415
            from pyarrow import parquet  # noqa: PLC0415
        except ImportError:
            raise Refused(
                "extra_missing",
                "Parquet needs pyarrow, which is not installed.",
                next_step="Install lammer[parquet], or write .csv.",
            ) from None
        columns: Sequence[Sequence[Cell]] = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        data = {name: list(column) for name, column in zip(self.columns, columns, strict=True)}
        stream = io.BytesIO()
        parquet.write_table(pyarrow.table(data), stream)
        put(path, stream.getvalue())
