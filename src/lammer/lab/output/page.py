"""A page that stands alone: one HTML file with its style and pictures in it, and nothing to fetch.

The few elements a report is made of. Everything that is text goes through `words`, and the type `Html` lets
mypy say so. The page forbids the browser any connection, has headings, captions and scopes for those who
listen to it, and breaks decently on paper. It knows nothing of what it shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from html import escape
from itertools import count
from typing import Any, Final, NewType

from lammer.draw.svg import Svg
from lammer.lab.output.filing import (
    Figure,
    Filing,
    Heading,
    Paragraph,
    Part,
    Say,
    Table,
    as_it_stands,
    said_sheet,
)
from lammer.lab.output.sheet import Cell, Digits, Sheet

Html = NewType("Html", str)
Draw = Callable[[Any, str, str], Svg]
"""A chart as a picture: the chart, what it describes, and its mark."""

LONG: Final = 36
"""Letters at the head of a row from which on they are a sentence and no name."""

NUMBER: Final = re.compile(r"[-+−]?[\d,]+(\.\d+)?|-|")

STYLE: Final = """
:root { color: #1c1c1c; background: #fff; font: 16px/1.5 Helvetica, Arial, "PingFang SC", "Microsoft YaHei",
  "Noto Sans CJK SC", sans-serif; }
body { max-width: 62rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 3.5rem 0 .25rem; padding-top: 1rem;
  border-top: 3px solid #0f5c3c; }
h3 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
p { max-width: 46rem; margin: .5rem 0; }
a { color: #14508c; }
code { font: .92em/1.4 Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
nav ul { padding-left: 1.2rem; margin: .25rem 0; }
nav ul ul { columns: 2; font-size: .92rem; }
figure { margin: 1rem 0 2rem; }
figure > svg { display: block; max-width: 100%; height: auto; margin: 0 0 .75rem -10px; }
figcaption { color: #444; font-size: .95rem; margin-bottom: .5rem; max-width: 46rem; }
.wide { overflow-x: auto; margin: .5rem 0 1.5rem; }
.wide:focus { outline: 2px solid #14508c; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.35; }
caption { text-align: left; font-weight: bold; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .22rem 1rem .22rem 0;
  border-bottom: 1px solid #dcdcdc; }
th { font-weight: normal; }
thead th { color: #444; vertical-align: bottom; border-bottom: 2px solid #8a8a8a; }
th.n, td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tbody th { white-space: nowrap; }
tbody th.long { white-space: normal; min-width: 12rem; }
table.sign { width: 100%; margin: 1rem 0; }
table.sign td, table.sign th { height: 2.6rem; vertical-align: bottom; }
footer { color: #444; font-size: .8rem; margin-top: 2rem; overflow-wrap: anywhere; }
.said { padding: .6rem .9rem; border-left: 5px solid #14803c; background: #eef7f1; }
.said.failed { border-color: #c8102e; background: #fdeef0; }
.failed, .failed td { color: #a30d25; font-weight: bold; }
@media print {
  @page { size: A4; margin: 15mm 13mm; }
  :root { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  h2 { break-before: page; border-top: 0; margin-top: 0; }
  section:first-of-type > h2 { break-before: auto; margin-top: 1rem; }
  h1, h2, h3, caption, figcaption { break-after: avoid; break-inside: avoid; }
  figure > svg { break-inside: avoid; max-height: 235mm; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  .wide { overflow: visible; }
  table { font-size: 8pt; }
  a { color: inherit; text-decoration: none; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def words(content: object) -> Html:
    """Text from anywhere, safe in an element and in an attribute.

    >>> words('<b> & "more"')
    '&lt;b&gt; &amp; &quot;more&quot;'
    """
    return Html(escape(str(content)))


def element(tag: str, *children: Html, **attributes: str) -> Html:
    """An element; `class_` becomes `class`, and one underscore within a name a hyphen.

    >>> element("p", words("1 < 2"), class_="said")
    '<p class="said">1 &lt; 2</p>'
    """
    attribute_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{words(text)}"' for key, text in attributes.items()
    )
    return Html(f"<{tag}{attribute_text}>{''.join(children)}</{tag}>")


def text(tag: str, content: object, **attributes: str) -> Html:
    """An element with nothing but text in it.

    >>> text("h3", "Insurance", id="insurance")
    '<h3 id="insurance">Insurance</h3>'
    """
    return element(tag, words(content), **attributes)


def table(sheet: Sheet, *, failed: frozenset[int] = frozenset()) -> Html:
    """A sheet with caption and scopes; columns of numbers stand right, and these rows say they failed.

    >>> print(table(Sheet("Edges", ("bet", "edge %"), (("tie", "14.36"),))).partition("<tbody>")[2][:64])
    <tr><th scope="row">tie</th><td class="n">14.36</td></tr></tbody
    """
    rows = [tuple(cell_text(cell) for cell in row) for row in sheet.rows]
    numbers = [all(NUMBER.fullmatch(row[place]) for row in rows) for place in range(len(sheet.columns))]
    head = [
        text("th", column, scope="col", **_number_class(numbers[i])) for i, column in enumerate(sheet.columns)
    ]
    body = []
    for number, row in enumerate(rows):
        first = text("th", row[0], scope="row", **_first_class(row[0], number=numbers[0]))
        rest = [text("td", cell, **_number_class(numbers[i])) for i, cell in enumerate(row[1:], 1)]
        body.append(element("tr", first, *rest, **({"class_": "failed"} if number in failed else {})))
    whole = element(
        "table",
        text("caption", sheet.name),
        element("thead", element("tr", *head)),
        element("tbody", *body),
    )
    return element("div", whole, class_="wide", tabindex="0", role="region", aria_label=sheet.name)


def cell_text(cell: Cell) -> str:
    """As a page prints it: nothing as nothing, large numbers in groups.

    >>> cell_text(Digits("1500000.00")), cell_text(Digits("-12.5000")), cell_text("4998398275503360")
    ('1,500,000.00', '-12.5000', '4998398275503360')
    """
    if cell is None:
        return ""
    if isinstance(cell, Digits):
        return f"{Decimal(cell):,}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _first_class(words: str, *, number: bool) -> dict[str, str]:
    """A name at the head of a row is never broken; a sentence is."""
    return {"class_": "long"} if len(words) > LONG else _number_class(number)


def _number_class(number: bool) -> dict[str, str]:
    return {"class_": "n"} if number else {}


def figure(caption: str, picture: Svg | None, *tables: Html) -> Html:
    """A picture with the table of its figures, under one caption."""
    return element("figure", text("figcaption", caption), Html(picture or ""), *tables)


def page_of(filing: Filing, draw: Draw, say: Say = as_it_stands, tag: str = "en", footer: str = "") -> str:
    """A document as a page; `draw` makes the pictures, each with a mark of its own.

    >>> filing = Filing("Edges", (Heading(2, "Tie", "tie"), Paragraph("8 to 1")))
    >>> page_of(filing, lambda chart, caption, mark: Svg("")).partition("</nav>")[2].partition("</body>")[0]
    '<section aria-labelledby="tie"><h2 id="tie">Tie</h2><p>8 to 1</p></section>'
    """
    before, sections = list[Html](), list[tuple[Heading, list[Html]]]()
    pictures = count(1)
    for part in filing.parts:
        if isinstance(part, Heading) and part.level == 2:
            sections.append((part, []))
        into = sections[-1][1] if sections else before
        into.append(_set(part, draw, say, pictures))
    bodies = [element("section", *parts, aria_labelledby=heading.anchor) for heading, parts in sections]
    title = say(filing.title)
    foot = [text("footer", footer)] if footer else []
    return document(title, text("h1", title), *before, _contents(filing, say), *bodies, *foot, tag=tag)


def _set(part: Part, draw: Draw, say: Say, pictures: Iterator[int]) -> Html:
    """One part as HTML."""
    if isinstance(part, Heading):
        return text(f"h{part.level}", say(part.words), id=part.anchor)
    if isinstance(part, Paragraph):
        if part.passed is None:
            return text("p", say(part.words))
        marks = {"class_": "said"} if part.passed else {"class_": "said failed", "role": "alert"}
        return text("p", say(part.words), **marks)
    if isinstance(part, Table):
        return table(said_sheet(part.sheet, say), failed=part.failed)
    if isinstance(part, Figure):
        caption = say(part.caption)
        picture = draw(part.chart, caption, f"c{next(pictures)}-") if part.chart is not None else None
        return figure(caption, picture, *(table(said_sheet(sheet, say)) for sheet in part.sheets))
    head = element("tr", *(text("th", say(words), scope="col") for words in ("", *part.blanks)))
    rows = [
        element("tr", text("th", say(person), scope="row"), *(element("td") for _ in part.blanks))
        for person in part.people
    ]
    caption = text("caption", say("Who signs"))
    return element("table", caption, element("thead", head), element("tbody", *rows), class_="sign")


def _contents(filing: Filing, say: Say) -> Html:
    """Links to the headings: those of the second level, and under each those of the third."""
    entries: list[tuple[Html, list[Html]]] = []
    for part in filing.parts:
        if isinstance(part, Heading):
            link = text("a", say(part.words), href=f"#{part.anchor}")
            if part.level == 2:
                entries.append((link, []))
            elif part.level == 3:
                entries[-1][1].append(element("li", link))
    listed = [element("li", link, *([element("ul", *inner)] if inner else ())) for link, inner in entries]
    return element("nav", element("ul", *listed), aria_label=say("Contents"))


def document(title: str, *body: Html, tag: str = "en") -> str:
    """The whole file.

    >>> "default-src 'none'" in document("Edges", text("h1", "Edges"))
    True
    """
    # The policy leaves the browser nothing it may fetch, whatever a rulebook's texts may say.
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    )
    whole = f"<head>{head}{text('title', title)}<style>{STYLE}</style></head>{element('body', *body)}"
    return f'<!doctype html>\n<html lang="{words(tag)}">{whole}</html>\n'
