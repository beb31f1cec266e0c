"""A document on paper: a PDF of A4 pages with contents, outline, page numbers and tables that break well.

Latin letters are in a font that is put into the file. Chinese is in a font every reader of PDF knows by name
and has or substitutes, so that no font of megabytes is put into each file. This module needs ReportLab, from
the extra `lab`, and is imported only where a PDF is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from html import escape
from io import BytesIO
from typing import Any, Final

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    Image,
    PageBreak,
    PageTemplate,
    Paragraph as Lines,
    Spacer,
    Table as Grid,
)
from reportlab.platypus.tableofcontents import TableOfContents

from lammer.lab.output.filing import (
    Figure,
    Filing,
    Heading,
    Paragraph,
    Part,
    Say,
    Signatures,
    as_it_stands,
    said_sheet,
)
from lammer.lab.output.page import NUMBER, cell_text
from lammer.lab.output.sheet import Sheet

Draw = Callable[[Any], bytes]
"""A chart as the bytes of a PNG."""

PLAIN, BOLD, CHINESE = "Vera", "VeraBd", "STSong-Light"
SIZES: Final = (7.0, 6.2, 5.5, 4.8)
"""Of letters in tables, in points: the first in which a table fits."""
PAD: Final = 3.0
SIGNS: Final = str.maketrans({"✓": "•"})
"""What neither font has, and what stands for it."""
MARGIN: Final = 16 * mm
WIDTH: Final = A4[0] - 2 * MARGIN
INK, GREEN, RED, GREY, RULE = (HexColor(c) for c in ("#1c1c1c", "#0f5c3c", "#a30d25", "#555555", "#cccccc"))


def paper_of(filing: Filing, draw: Draw, footer: str, say: Say = as_it_stands, made_on: str = "") -> bytes:
    """The bytes of a PDF; `footer` stands at the foot of every page, `made_on` is the day it was made.

    >>> filing = Filing("Edges", (Heading(2, "Tie", "tie"), Paragraph("8 to 1")))
    >>> paper_of(filing, lambda chart: b"", "page")[:5]
    b'%PDF-'
    """
    stream = BytesIO()
    template = _Template(stream, say(filing.title), footer, made_on)
    template.multiBuild(list(_flow(filing, draw, say)), canvasmaker=template.numbered)
    return stream.getvalue()


class _Template(BaseDocTemplate):  # type: ignore[misc]
    """Pages with a foot; headings go into the outline and the contents as they are set."""

    def __init__(self, stream: BytesIO, title: str, footer: str, made_on: str) -> None:
        _fonts()
        super().__init__(
            stream, pagesize=A4, title=title, creator="Lammer", author="", lang="", invariant=1,
            leftMargin=MARGIN, rightMargin=MARGIN, topMargin=MARGIN, bottomMargin=MARGIN,
        )  # fmt: skip
        self.footer, self.made_on = footer, made_on
        frame = Frame(MARGIN, MARGIN, WIDTH, A4[1] - 2 * MARGIN, 0, 0, 0, 0)
        self.addPageTemplates([PageTemplate(frames=[frame])])

    def numbered(self, *given: Any, **named: Any) -> Canvas:
        return _Numbered(self.footer, self.made_on, *given, **named)

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (ReportLab calls it so)
        heading = getattr(flowable, "heading", None)
        if heading is not None:
            level, words, anchor = heading
            self.canv.bookmarkPage(anchor)
            self.canv.addOutlineEntry(words, anchor, level - 2, closed=level > 2)
            self.notify("TOCEntry", (level - 2, _marked(words), self.page, anchor))


class _Numbered(Canvas):  # type: ignore[misc]
    """A canvas that writes the foot of every page once it knows how many there are."""

    def __init__(self, footer: str, made_on: str, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if made_on:
            # Else a file that is the same each time would be dated 2000.
            self._doc._timeStamp.YMDhms = (*map(int, made_on.split("-")), 0, 0, 0)
        self.footer = footer
        self.pages: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 (ReportLab calls it so)
        self.pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        every = len(self.pages)
        for number, state in enumerate(self.pages, 1):
            self.__dict__.update(state)
            foot = Lines(_marked(f"{self.footer} · {number}/{every}"), _style(6.5, colour=GREY))
            foot.wrap(WIDTH, MARGIN)
            foot.drawOn(self, MARGIN, MARGIN / 2 - 3)
            super().showPage()
        super().save()


@lru_cache(maxsize=1)
def _fonts() -> frozenset[int]:
    """Register the fonts; the characters the Latin one has."""
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
    pdfmetrics.registerFontFamily(PLAIN, normal=PLAIN, bold=BOLD, italic=PLAIN, boldItalic=BOLD)
    return frozenset(pdfmetrics.getFont(PLAIN).face.charToGlyph)


def _style(
    size: float,
    *,
    bold: bool = False,
    colour: Any = INK,
    right: bool = False,
    chinese: bool = False,
    after: float = 0,
    leads: bool = False,
) -> ParagraphStyle:
    """How words are set; `leads` keeps them on the page of what follows."""
    return ParagraphStyle(
        "", fontName=BOLD if bold else PLAIN, fontSize=size, leading=size * 1.35, textColor=colour,
        alignment=TA_RIGHT if right else 0, spaceAfter=after,
        keepWithNext=leads, wordWrap="CJK" if chinese else None, splitLongWords=1,
    )  # fmt: skip


def _marked(words: str) -> str:
    """Words as markup, those the Latin font has not in the Chinese one.

    >>> _marked("Tie 和 & more")
    'Tie <font name="STSong-Light">和</font> &amp; more'
    """
    known = _fonts()
    pieces, run = [], ""
    for letter in words.translate(SIGNS):
        if ord(letter) in known:
            if run:
                pieces.append(f'<font name="{CHINESE}">{escape(run)}</font>')
                run = ""
            pieces.append(escape(letter, quote=False))
        else:
            run += letter
    if run:
        pieces.append(f'<font name="{CHINESE}">{escape(run)}</font>')
    return "".join(pieces)


def _is_chinese(words: str) -> bool:
    return any(ord(letter) > 0x2E7F for letter in words)


def _lines(words: str, size: float, **how: Any) -> Lines:
    return Lines(_marked(words), _style(size, chinese=_is_chinese(words), **how))


def _flow(filing: Filing, draw: Draw, say: Say) -> Iterator[Flowable]:
    yield _lines(say(filing.title), 18, bold=True)
    yield Spacer(0, 8)
    parts = iter(filing.parts)
    first: Part | None = None
    for part in parts:
        if isinstance(part, Heading):
            first = part
            break
        yield from _set(part, draw, say)
    contents = TableOfContents(dotsMinLevel=0, rightColumnWidth=12 * mm)
    contents.levelStyles = [
        ParagraphStyle("", fontName=BOLD, fontSize=9, leading=14),
        ParagraphStyle("", fontName=PLAIN, fontSize=8, leading=11, leftIndent=14),
    ]
    yield Spacer(0, 6)
    yield contents
    for part in ([first] if first else []) + list(parts):
        yield from _set(part, draw, say)


def _set(part: Part, draw: Draw, say: Say) -> Iterator[Flowable]:
    """One part as what stands on the paper."""
    if isinstance(part, Heading):
        yield PageBreak() if part.level == 2 else CondPageBreak(45 * mm)
        size, above = (14, 0) if part.level == 2 else (11, 10)
        yield Spacer(0, above)
        heading = _lines(say(part.words), size, bold=True, colour=GREEN, after=5, leads=True)
        heading.heading = (part.level, say(part.words), part.anchor)
        yield heading
    elif isinstance(part, Paragraph):
        colour = {None: INK, True: GREEN, False: RED}[part.passed]
        yield _lines(say(part.words), 8.5, colour=colour, bold=part.passed is not None, after=5)
    elif isinstance(part, Signatures):
        yield _signatures(part, say)
    else:
        if isinstance(part, Figure):
            yield _lines(say(part.caption), 8, colour=GREY, after=3, leads=part.chart is not None)
            if part.chart is not None:
                yield _picture(draw(part.chart))
        failed = frozenset[int]() if isinstance(part, Figure) else part.failed
        for sheet in part.sheets if isinstance(part, Figure) else (part.sheet,):
            yield CondPageBreak(25 * mm)
            yield Spacer(0, 4)
            yield _lines(say(sheet.name), 8, bold=True)
            yield _grid(said_sheet(sheet, say), failed)
            yield Spacer(0, 6)


def _picture(png: bytes) -> Image:
    """A picture at its size, or as large as a page has room for."""
    wide, high = ImageReader(BytesIO(png)).getSize()
    # Drawn twice as fine as a screen of 96 dots to the inch, and a third smaller than on one.
    scale = min(72 / 96 / 2 * 0.8, WIDTH / wide, 215 * mm / high)
    return Image(BytesIO(png), wide * scale, high * scale, hAlign="LEFT")


def _grid(sheet: Sheet, failed: frozenset[int]) -> Grid:
    rows = [tuple(cell_text(cell) for cell in row) for row in sheet.rows]
    columns = list(zip(sheet.columns, *rows, strict=True))
    numbers = [all(NUMBER.fullmatch(cell) for cell in column[1:]) for column in columns]
    size, widths = _widths(columns)
    grid = [
        [
            _lines(
                cell, size, right=numbers[place], bold=number - 1 in failed,
                colour=GREY if not number else RED if number - 1 in failed else INK,
            )
            for place, cell in enumerate(row)
        ]
        for number, row in enumerate((sheet.columns, *rows))
    ]  # fmt: skip
    style = [
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"), ("VALIGN", (0, 1), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 2 * PAD),
        ("TOPPADDING", (0, 0), (-1, -1), 1.2), ("BOTTOMPADDING", (0, 0), (-1, -1), 1.8),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, GREY), ("LINEBELOW", (0, 1), (-1, -1), 0.25, RULE),
    ]  # fmt: skip
    return Grid(grid, colWidths=widths, repeatRows=1, hAlign="LEFT", style=style)


def _widths(columns: Sequence[Sequence[str]]) -> tuple[float, list[float]]:
    """The size of letters in which a table fits, and how wide its columns are then.

    A column has room for its longest word; what is left over goes to the columns that would like more.
    """
    for size in SIZES:
        least = [max(_width(word, size) for cell in column for word in _words(cell)) for column in columns]
        wanted = [max(_width(cell, size) for cell in column) for column in columns]
        if sum(wanted) <= WIDTH:
            return size, wanted
        if sum(least) <= WIDTH:
            spare, wishes = WIDTH - sum(least), sum(wanted) - sum(least)
            return size, [a + (b - a) * spare / wishes for a, b in zip(least, wanted, strict=True)]
    return SIZES[-1], [WIDTH * width / sum(least) for width in least]


def _words(cell: str) -> list[str]:
    """What must not be broken; a Chinese text may be broken after a few characters."""
    return ([cell[:4]] if _is_chinese(cell) else cell.split()) or [""]


def _width(words: str, size: float) -> float:
    latin = "".join(letter for letter in words if ord(letter) in _fonts())
    # Half a point more than measured: a line that just fits must not be broken.
    measured: float = pdfmetrics.stringWidth(latin, PLAIN, size)
    return measured + size * (len(words) - len(latin)) + 2 * PAD + 0.5


def _signatures(part: Signatures, say: Say) -> Grid:
    head = [_lines(say(words), 8, colour=GREY) for words in ("", *part.blanks)]
    rows = [[_lines(say(person), 8), *("" for _ in part.blanks)] for person in part.people]
    widths = [WIDTH * 0.2] + [WIDTH * 0.8 / len(part.blanks)] * len(part.blanks)
    style = [("VALIGN", (0, 0), (-1, -1), "BOTTOM"), ("LINEBELOW", (1, 1), (-1, -1), 0.6, GREY)]
    heights = [None, *(15 * mm for _ in rows)]
    return Grid([head, *rows], colWidths=widths, rowHeights=heights, hAlign="LEFT", style=style)
