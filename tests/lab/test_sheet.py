"""Sheets: what results are shown in, and the files they go into."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from pyarrow import parquet

import lammer
from lammer import Refused
from lammer.lab import edges
from lammer.lab.exact.analysis import outcomes_sheet, volatility_sheet
from lammer.lab.exact.removal import effects_of_removal, removal_sheet
from lammer.lab.exact.side_by_side import by_decks, decks_of, decks_sheet, edges_compared, insuring_compared
from lammer.lab.output.sheet import Sheet

BOOK = lammer.rulebook("tiger-buffalo-noncommission-insurance@3")
PLAIN = lammer.rulebook("tiger-buffalo-noncommission@4")
ANALYSIS = edges(BOOK)
SHEETS = [
    *ANALYSIS.sheets(),
    outcomes_sheet(ANALYSIS),
    volatility_sheet(ANALYSIS),
    removal_sheet(effects_of_removal(BOOK)),
    decks_sheet(by_decks(BOOK, (6, 8))),
    edges_compared(ANALYSIS, edges(PLAIN)),
    insuring_compared(ANALYSIS, edges(PLAIN)),
]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_sheet_comes_back_from_csv_and_from_parquet(sheet: Sheet, tmp_path: Path) -> None:
    assert all(len(row) == len(sheet.columns) for row in sheet.rows)
    rows = list(csv.reader(io.StringIO(sheet.write(tmp_path / "sheet.csv").read_text("utf-8"))))
    assert [tuple(row) for row in rows] == [sheet.columns, *sheet.texts()]
    read = parquet.read_table(sheet.write(tmp_path / "sheet.parquet"))
    assert tuple(read.column_names) == sheet.columns
    assert tuple(zip(*(column.to_pylist() for column in read.columns), strict=True)) == sheet.rows


def test_counts_stay_whole_in_parquet(tmp_path: Path) -> None:
    read = parquet.read_table(outcomes_sheet(ANALYSIS).write(tmp_path / "outcomes.parquet"))
    assert sum(read["combinations"].to_pylist()[:3]) == 4_998_398_275_503_360


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        SHEETS[0].write(tmp_path / "sheet.xlsx")
    assert refused.value.code == "unknown_format"
    assert not list(tmp_path.iterdir())


def test_a_notebook_shows_the_sheets_of_an_analysis() -> None:
    shown = ANALYSIS._repr_html_()
    assert shown.count("<table>") == len(ANALYSIS.sheets()) == 3
    assert "4,998,398,275,503,360 ordered draws" in shown
    assert len(edges(PLAIN).sheets()) == 1


def test_text_in_a_sheet_is_never_markup() -> None:
    shown = Sheet("<b>", ("a & b",), (("<script>",), (None,)))._repr_html_()
    assert "&lt;script&gt;" in shown
    assert "a &amp; b" in shown
    assert "<script>" not in shown


def test_decks_are_a_way_to_say_the_shoe() -> None:
    assert edges(BOOK, decks=8) == ANALYSIS
    assert edges(BOOK, decks=6).shoe.size == 312
    assert list(decks_of(BOOK)) == [*range(4, 11)]
    with pytest.raises(Refused) as refused:
        edges(BOOK, decks=0)
    assert refused.value.code == "impossible_shoe"


def test_a_rulebook_without_insurance_has_nothing_to_compare() -> None:
    assert not insuring_compared(edges(PLAIN), edges(PLAIN)).rows
    assert insuring_compared(ANALYSIS, edges(PLAIN)).rows[0] == ("player", "3.6454", "-", "")
