"""The approved texts, read for facts: what stands in which paragraph, without a look at the rulebooks.

The texts lie beside the repository, not in it. `split` draws the boundaries of paragraphs here too; so
that tables survive its folding of white space, line ends and tabs are made visible before it runs.
Nothing here looks at a rulebook: it goes from the words of a paragraph to plain values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from lammer.rulebook.conditions import Condition, HandWins, Paired, Tied
from lammer.rulebook.paragraphs import split
from lammer.rulebook.vocabulary import SIDES

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "rules"

EVERY_TOTAL = frozenset(range(10))
ANY_WIN = (EVERY_TOTAL - {0}, frozenset({2, 3}), EVERY_TOTAL - {0})  # Totals, numbers of cards, margins.
NUMBER_WORDS = {"two": 2, "three": 3, "four": 4, "ten": 10}

_END_OF_LINE, _END_OF_CELL = "⏎", "⇥"
_TYPESETTING = re.compile(r"\*\*|</?[a-z]+>")
_ODDS = re.compile(r"([0-9.]+) to ([0-9.]+)")
_POINTS = re.compile(r"([0-9])(?:-([0-9]))?(\*?)")
_DIGITS = re.compile(r"[0-9](?:-[0-9])*")
_LETTERS = re.compile(r"Appendi(?:x|ces) ([A-Z](?:(?:, | and )[A-Z])*)\b")
_WIN = re.compile(
    r"(Banker|Player) Hand(?: or (Banker|Player) Hand)?(?:, comprising ([^,]+),| that)? "
    r"wins with a Point Total of (\d)(?: against \w+ Hand with a Point Total of (\d))?"
)


@dataclass(frozen=True, slots=True, repr=False)
class Source:
    """A text: as it is, and cut into paragraphs, folded (`paragraphs`) and by line and cell (`rows`).

    It has no repr, so that a failing test does not print the text.
    """

    raw: str
    paragraphs: dict[str, str]
    rows: dict[str, list[list[str]]]

    def whole(self, number: str) -> str:
        """A paragraph together with its sub-paragraphs."""
        return " ".join(t for n, t in self.paragraphs.items() if n == number or n.startswith(f"{number}."))

    def section(self, prefix: str) -> dict[str, str]:
        return {n: t for n, t in self.paragraphs.items() if n.startswith(prefix)}

    def holding(self, keywords: str) -> list[str]:
        """The numbers of the paragraphs in which a regular expression is found."""
        return [number for number, text in self.paragraphs.items() if re.search(keywords, text)]


@dataclass(frozen=True, slots=True)
class Appendix:
    """What a line about an appendix says: positions, if any, and whether boxes are in Chinese."""

    positions: tuple[int, int] | None
    chinese: bool


@dataclass(frozen=True, slots=True)
class PayRow:
    """A row of a pay table; None where it does not narrow the wins it is for. Odds as `50:1`."""

    paragraph: str
    label: str
    odds: str
    dealt: int | None
    totals: frozenset[int] | None = None
    cards: frozenset[int] | None = None
    by: frozenset[int] | None = None
    tier: str | None = None


@dataclass(frozen=True, slots=True)
class InsuranceRow:
    """A row of the insurance pay table."""

    hand: str
    window: str
    own: frozenset[int]
    other: frozenset[int]
    odds: str
    starred: bool


def read(path: Path, lost: dict[str, str]) -> Source:
    """Read a text; `lost` as in `split`."""
    raw = path.read_text("utf-8")
    text = _TYPESETTING.sub("", raw)
    visible = "\n".join(
        line.replace("\t", f"\t{_END_OF_CELL} ") + f" {_END_OF_LINE}" for line in text.splitlines()
    )
    rows = {
        number: [
            [" ".join(cell.split()) for cell in line.split(_END_OF_CELL)]
            for line in paragraph.split(_END_OF_LINE)
            if line.strip()
        ]
        for number, paragraph in split(visible, lost).items()
    }
    paragraphs = split(text, lost)
    refolded = {n: " ".join(" ".join(" ".join(row) for row in rows[n]).split()) for n in rows}
    assert refolded == paragraphs, "visible line ends moved the boundary of a paragraph"
    return Source(raw, paragraphs, rows)


def title_page(source: Source) -> str:
    return " ".join(_TYPESETTING.sub("", source.raw.partition("Table of Contents")[0]).split())


def in_force_from(source: Source) -> datetime:
    """The date and hour of the title page, in Singapore."""
    match = re.search(r"(\d{1,2} [A-Z][a-z]+ \d{4}), (\d\d):?(\d\d) h", title_page(source))
    assert match, "no date of coming into force on the title page"
    moment = datetime.strptime(f"{match[1]} {match[2]}{match[3]}", "%d %B %Y %H%M")
    return moment.replace(tzinfo=ZoneInfo("Asia/Singapore"))


def contents(source: Source) -> dict[str, Appendix]:
    """The appendices as the table of contents lists them."""
    return _appendices(source.raw.partition("Table of Contents")[2].partition("In these rules")[0])


def headings(source: Source) -> dict[str, Appendix]:
    """The appendices whose own headings are in the text."""
    return _appendices(source.raw.partition("(Appendix pictures left out")[2])


def _appendices(text: str) -> dict[str, Appendix]:
    found: dict[str, Appendix] = {}
    for letter, words in re.findall(r"App\s*endix ([A-Z])\b(.*?)(?=App\s*endix [A-Z]\b|\Z)", text, re.S):
        match = re.search(r"(\d+) to (\d+) playing", words)
        assert letter not in found, f"Appendix {letter} twice"
        found[letter] = Appendix((int(match[1]), int(match[2])) if match else None, "Chinese" in words)
    return found


def letters(paragraph: str) -> frozenset[str]:
    """The appendices a paragraph lists; none if it lists none."""
    return frozenset(x for listed in _LETTERS.findall(paragraph) for x in re.findall(r"\b[A-Z]\b", listed))


def listed_items(source: Source, number: str) -> list[str]:
    """The unnumbered list under a paragraph, in order."""
    lines = [row[0] for row in source.rows[number]]
    return [line.removeprefix("- ") for line in lines if re.match(r"- [^0-9]", line)]


def defined_terms(paragraph: str) -> list[str]:
    """What a definition defines; two terms can share one."""
    match = re.match(r"\W*(?:[\d.]+ )?(.+?) refers to", paragraph)
    return match[1].split(" or ") if match else []


def winning(title: str, definition: str) -> Condition:
    """How a bet wins, as its definition words it; what it does not name it does not narrow."""
    if "a pair" in definition:
        both = "both Hands" in definition
        return Paired(tuple(side for side in SIDES if both or title.lower().startswith(side)))
    if "same Point Total" in definition:
        return Tied(frozenset(map(int, re.findall(r"Point Total of (\d)", definition))) or EVERY_TOTAL)
    found = _WIN.findall(definition)
    ((hands, comprising),) = {(f"{one} {other}".lower(), cards) for one, other, cards, _, _ in found}
    cards = frozenset(NUMBER_WORDS[word] for word in re.findall(r"two|three", comprising))
    by = frozenset(int(own) - int(against) for *_, own, against in found if against)
    totals = frozenset(int(own) for *_, own, _ in found)
    return HandWins(
        tuple(side for side in SIDES if side in hands), totals, cards or ANY_WIN[1], by or ANY_WIN[2]
    )


def narrowed(wins: Condition) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """The totals, numbers of cards and margins a bet can win with at all."""
    if isinstance(wins, HandWins):
        return wins.totals, wins.cards, wins.by
    return wins.totals if isinstance(wins, Tied) else EVERY_TOTAL, ANY_WIN[1], EVERY_TOTAL


def _is_insurance_heading(cells: list[str]) -> bool:
    return cells[0].startswith("After ") and any("Insurance Bets" in cell for cell in cells)


def _odds(cells: list[str]) -> tuple[list[str], str] | None:
    """The cells before the odds, and the odds as `50:1`; None for a line without."""
    while cells and not cells[-1]:
        cells = cells[:-1]
    match = _ODDS.fullmatch(cells[-1]) if len(cells) > 1 else None
    return (cells[:-1], f"{match[1]}:{match[2]}") if match else None


def pay_rows(source: Source) -> list[PayRow]:
    """The rows of the pay tables of section 4.1 up to the insurance table, labels understood."""
    rows: list[PayRow] = []
    for number in source.section("4.1."):
        for cells in source.rows[number]:
            if _is_insurance_heading(cells):
                return _understood(_labelled(rows))
            if found := _odds(cells):
                before, odds = found
                match = re.fullmatch(r"(\d) cards", before[-1])
                rows.append(PayRow(number, before[0], odds, int(match[1]) if match else None))
    return _understood(_labelled(rows))


def _labelled(rows: list[PayRow]) -> list[PayRow]:
    """Give every row of a merged cell its label: it stands once in a run of rising numbers of cards."""
    runs: list[list[PayRow]] = []
    for row in rows:
        before = runs[-1][-1] if runs else None
        joins = before and before.paragraph == row.paragraph and before.dealt and row.dealt
        if before is None or not joins or (row.dealt or 0) <= (before.dealt or 0):
            runs.append([])
        runs[-1].append(row)
    labelled = []
    for run in runs:
        (label,) = {row.label for row in run} - {""}
        labelled += [replace(row, label=label) for row in run]
    return labelled


def _understood(rows: list[PayRow]) -> list[PayRow]:
    """Rows whose label is the title of a bet, what else the label said being in the other fields."""
    points = {
        (row.paragraph, m[1]): m[2] for row in rows if (m := re.match(r"(\w+) wins on (\d)", row.label))
    }
    found: list[PayRow] = []
    for row in rows:
        if m := re.match(r"(Single|Double|Twin) (Tiger Pair)\b", row.label):
            found.append(replace(row, label=m[2], tier=m[1].lower()))
        elif m := re.match(r"(Banker|Player) Hand wins over .* by (\d) point .* of (.+)$", row.label):
            totals = frozenset(map(int, re.findall(r"\d", m[3])))
            found.append(replace(row, label=f"{m[1]} Char Siu", by=frozenset({int(m[2])}), totals=totals))
        elif m := re.match(r"(\w+) when Banker wins with (two|three) cards totaling (\d)", row.label):
            cards, totals = frozenset({NUMBER_WORDS[m[2]]}), frozenset({int(m[3])})
            found.append(replace(row, label=m[1], cards=cards, totals=totals))
        elif m := re.match(r"(\w+) wins on (\d|other) points", row.label):
            named = frozenset({int(points[row.paragraph, m[1]])})
            totals = EVERY_TOTAL - {0} - named if m[2] == "other" else named
            found.append(replace(row, label=m[1], totals=totals))
        elif row.label == "Pair wins":
            found += [replace(row, label=f"{hand} Pair") for hand in ("Player", "Banker")]
        else:
            found.append(replace(row, label=row.label.removesuffix(" wins")))
    return found


def insurance_rows(source: Source) -> list[tuple[str, InsuranceRow]]:
    """The rows of the insurance pay table in section 4.1, each with the paragraph it lies in."""
    found: list[tuple[str, InsuranceRow]] = []
    hand = window = ""
    for number in source.section("4.1."):
        for cells in source.rows[number]:
            if _is_insurance_heading(cells):
                window = "four_cards" if "Four Cards" in cells[0] else "third_card"
                hand = "player" if any("Player Insurance" in cell for cell in cells) else "banker"
            elif window and (row := _odds(cells)):
                own, other = (_points(cell) for cell in row[0])
                found.append(
                    (number, InsuranceRow(hand, window, own[0], other[0], row[1], own[1] or other[1]))
                )
    return found


def _points(cell: str) -> tuple[frozenset[int], bool]:
    match = _POINTS.fullmatch(cell)
    assert match, f"{cell!r} are no points"
    return frozenset(range(int(match[1]), int(match[2] or match[1]) + 1)), bool(match[3])


def table_of_play(
    source: Source, number: str
) -> tuple[set[frozenset[int]], dict[int, bool], dict[tuple[int, int], bool]]:
    """The table's naturals, once for each hand; who draws: Player by total, Banker by total and card."""
    naturals: set[frozenset[int]] = set()
    player: dict[int, bool] = {}
    banker: dict[tuple[int, int], bool] = {}
    of_banker = False
    for first, *rest in source.rows[number]:
        of_banker = of_banker or first.startswith("When Banker")
        if not _DIGITS.fullmatch(first):
            continue
        totals, said = _digits(first), [cell for cell in rest if cell]
        if said[0].startswith("Natural"):
            naturals.add(totals)
        elif not of_banker:
            player |= {total: _draws(said[0]) for total in totals}
        elif len(said) == 1:
            banker |= {(total, third): _draws(said[0]) for total in totals for third in range(10)}
        else:
            draws, stands = (_digits(cell) for cell in said)
            assert not draws & stands, f"{first}: a card in both columns"
            banker |= {(total, third): third in draws for total in totals for third in draws | stands}
    return naturals, player, banker


def _digits(cell: str) -> frozenset[int]:
    assert _DIGITS.fullmatch(cell), f"{cell!r} is no list of points"
    return frozenset(map(int, cell.split("-")))


def _draws(cell: str) -> bool:
    (word,) = re.findall(r"\bdraws|\bstands", cell)
    return bool(word == "draws")


def with_tails(source: Source, section: str) -> dict[str, str]:
    """A section's paragraphs with the unnumbered tail of a list given to the paragraph above the list.

    By the boundaries of paragraphs such a tail belongs to the last item; it speaks for the whole.
    """
    found = source.section(section)
    numbers = list(found)
    for number, following in zip(numbers, [*numbers[1:], ""], strict=True):
        parent = number.rpartition(".")[0]
        first, *tail = (" ".join(row) for row in source.rows[number])
        if parent in found and tail and not following.startswith(f"{parent}."):
            found[number] = first
            found[parent] += " " + " ".join(tail)
    return found
