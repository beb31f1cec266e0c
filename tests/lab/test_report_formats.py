"""The report in its four formats and two languages, opened again and read by other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

import lammer
from lammer.cli.lab_report import in_language
from lammer.lab import edges
from lammer.lab.exact.analysis import percent
from lammer.lab.output.filing import Figure, Filing, Heading, Paragraph, Signatures, Table
from lammer.lab.output.sheet import Digits, Sheet
from lammer.lab.output.workbook import workbook_of
from lammer.lab.reporting.report import Report, report
from lammer.lab.reporting.report_figures import Terms
from lammer.rulebook.phrase import Phrase, Series, Title
from lammer.wording.catalogues import catalogues
from support.terminal import Terminal

BOOK = lammer.rulebook("da-hu-ying-xiong-noncommission-insurance@2")
ANALYSIS = edges(BOOK)
EZ = Path(__file__).parents[2] / "examples" / "ez-baccarat.toml"


@pytest.fixture(scope="module")
def made() -> Report:
    return report([BOOK], terms=Terms(places=8), made_on="2026-11-18")


@pytest.fixture(scope="module")
def in_chinese(made: Report) -> Report:
    filing, checks, books, analyses = made.filing, made.checks, made.books, made.analyses
    return Report(filing, checks, books, analyses, made.made_on, in_language("zh"), "zh-Hans")


def pages_of(pdf: bytes) -> list[str]:
    """What a program of others reads on each page of a PDF."""
    return [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]


def test_a_pdf_has_every_heading_every_edge_and_room_to_sign(made: Report) -> None:
    pdf = made.pdf()
    pages = pages_of(pdf)
    read = "\n".join(pages)
    words = " ".join(read.split())
    for part in made.filing.parts:
        if isinstance(part, Heading):
            assert " ".join(part.words.split()[:3]) in words, part.words
    for bet in ANALYSIS.bets:
        assert f"{float(bet.edge * 100):.8f}"[:9] in read, bet.bet
    for person in ("Prepared by", "Reviewed by", "Released by"):
        assert person in read
    for number, page in enumerate(pages, 1):
        assert f"{number}/{len(pages)}" in page, "every page says of how many it is"
    assert BOOK.sha256 in pages[-1], "on the page that is signed"
    assert b"D:20261118" in pdf
    assert pdf == made.pdf(), "the same report gives the same bytes"


def test_a_chinese_pdf_is_in_chinese(in_chinese: Report) -> None:
    read = "".join(pages_of(in_chinese.pdf()))
    for words in ("返还率与优势率", "赔付责任", "编制", "打虎英雄"):
        assert words in read.replace(" ", ""), words


def test_a_workbook_counts_with_the_exact_figures(made: Report) -> None:
    book = load_workbook(BytesIO(made.xlsx()))
    assert book.sheetnames[0] == "Contents"
    linked = [cell.hyperlink.location for row in book["Contents"].rows for cell in row if cell.hyperlink]
    assert {place.split("!")[0].strip("'") for place in linked} == set(book.sheetnames[1:])
    rows: dict[Any, Any] = {}
    for row in book["Return and edge"].rows:
        rows.setdefault(row[0].value, row)
    for bet in ANALYSIS.bets:
        edge = rows[bet.title][2]
        assert edge.value == pytest.approx(float(bet.edge * 100), abs=1e-8)
        assert edge.number_format == "0.00000000"
    assert not [cell for sheet in book for row in sheet.rows for cell in row if cell.data_type == "f"]
    # A count of sixteen digits would lose its last as a number.
    outcomes = [row for row in book["Return and edge"].rows if row[1].value == "won"]
    exact = {str(outcome.combinations) for bet in ANALYSIS.bets for outcome in bet.outcomes}
    assert {str(row[3].value) for row in outcomes} <= exact
    assert any(isinstance(row[3].value, str) for row in outcomes)


def test_paragraphs_and_words_that_look_like_formulas_stay_text() -> None:
    sheet = Sheet("=1+1", ("paragraph",), (("3.10",), ("=2+2",), (Digits("1.50"),), (7,)))
    book = load_workbook(BytesIO(workbook_of(Filing("F", (Heading(3, "a/b: [c]", "h"), Table(sheet))))))
    cells = [row[0] for row in book["a b   c"].rows if row[0].value is not None]
    values = [cell.value for cell in cells]
    assert values[-4:] == ["3.10", "=2+2", 1.5, 7]
    assert {cell.data_type for cell in cells} == {"s", "n"}


def test_json_has_the_fractions_and_every_table(made: Report) -> None:
    document = json.loads(made.json())
    (book,) = document["rulebooks"]
    assert (book["id"], book["sha256"]) == (BOOK.id, BOOK.sha256)
    for bet in ANALYSIS.bets:
        assert Fraction(book["bets"][bet.bet]["edge"]) == bet.edge
        assert Fraction(book["bets"][bet.bet]["variance"]) == bet.variance
    tables = [part["table"] for part in document["parts"] if "table" in part]
    assert tables == [str(sheet.name) for _, sheet in made.filing.sheets()]
    assert len(document["build"]) == 64


def test_places_are_as_many_as_asked(made: Report) -> None:
    sheets = {str(sheet.name): sheet for _, sheet in made.filing.sheets()}
    tie = next(row for row in sheets["Every bet in figures"].rows if row[0] == "Tie")
    assert tie[2] == percent(ANALYSIS.bet("tie").edge, 8)
    assert len(str(tie[2]).partition(".")[2]) == 8
    assert Fraction(str(tie[1])) + Fraction(str(tie[2])) == 100


def words_of(part: Any) -> Iterator[str]:
    """Every text of a part of the report that somebody reads."""
    if isinstance(part, Heading | Paragraph):
        yield part.words
    elif isinstance(part, Signatures):
        yield from (*part.people, *part.blanks)
    elif isinstance(part, Figure):
        yield part.caption
        for sheet in part.sheets:
            yield from words_of(sheet)
    elif isinstance(part, Table):
        yield from words_of(part.sheet)
    elif isinstance(part, Sheet):
        yield from (part.name, *part.columns)
        yield from (cell for row in part.rows for cell in row if isinstance(cell, Phrase | Series))


def messages_of(words: str) -> Iterator[str]:
    if isinstance(words, Phrase):
        yield words.message
        yield from (text for value in words.values.values() for text in messages_of(value))
    elif isinstance(words, Series):
        yield from (text for part in words.parts for text in messages_of(part))
    elif type(words) is str and not isinstance(words, Title):
        yield words


def test_every_text_of_the_report_has_its_translation(made: Report) -> None:
    known = catalogues()["zh"].texts
    texts = {text for part in made.filing.parts for words in words_of(part) for text in messages_of(words)}
    telling = {text for text in texts if any(letter.islower() for letter in text.replace("SHA", ""))}
    assert len(telling) > 120
    own = {BOOK.id, made.made_on, *(str(check.rulebook) for check in made.checks)}
    missing = {text for text in telling - own if text not in known}
    assert {text for text in missing if not _is_a_value(text)} == set()


def _is_a_value(text: str) -> bool:
    """A hash or a version, which is the same in every language."""
    return len(text) == 64 or text[0].isdigit()


def test_charts_speak_the_language_too(in_chinese: Report) -> None:
    drawn = in_chinese.html
    assert 'lang="zh-Hans"' in drawn
    for words in ("各投注的结果", "小老虎", "去掉的牌", "对方点数"):
        assert f">{words}<" in drawn, words
    assert ">Small Tiger<" not in drawn


def test_a_report_in_every_format_at_once(lammer: Terminal, tmp_path: Path) -> None:
    names = [str(tmp_path / f"report.{kind}") for kind in ("html", "pdf", "xlsx", "json")]
    options = [word for name in names for word in ("-o", name)]
    limits = ("--limits", "original=10000,side=500", "--mix", "banker=100", "--least", "25", "--digits", "6")
    ran = lammer("report", BOOK.id, *options, *limits, "--shoes", "0", "--json")
    assert ran.code == 0
    assert [each["file"] for each in ran.json["files"]] == names
    document = json.loads(Path(names[3]).read_text("utf-8"))
    tables = {part["table"]: part for part in document["parts"] if "table" in part}
    liability = tables["The most one bet can win, in dollars"]["rows"]
    assert [row[1] for row in liability[:3]] == ["10000.00", "10000.00", "500.00"]
    assert [row[0] for row in tables["The mix, in dollars a round"]["rows"]] == ["Banker", "together"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--limits", "dragon=5"), "unknown_bet"),
        (("--limits", "tie=lots"), "not_an_amount"),
        (("--mix", "dragon=5"), "unknown_bet"),
        ((str(EZ), "--mix", "small_tiger=5"), "unknown_bet"),
        (("--least", "0"), "not_an_amount"),
        (("--language", "tlh"), "malformed_input"),
        (("-o", "a.html", "-o", "a.odt"), "unknown_format"),
    ],
)
def test_what_a_report_refuses(lammer: Terminal, words: tuple[str, ...], code: str) -> None:
    ran = lammer("report", BOOK.id, *words, "--shoes", "0", "--json")
    assert (ran.code, ran.json["refused"]["code"]) == (1, code)
