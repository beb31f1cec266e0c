"""Charts that everybody can read, and a report that stands alone and can fail."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
import vl_convert

import lammer
import notebook
from lammer import Refused, Rulebook
from lammer.draw.svg import INK, WHITE
from lammer.lab import Analysis, Composition, edges
from lammer.lab.exact.removal import effects_of_removal, unbalanced
from lammer.lab.exact.side_by_side import by_decks
from lammer.lab.exact.ways import ways
from lammer.lab.output.page import table
from lammer.lab.output.plotting import GREY, TEAL, TURNS
from lammer.lab.output.sheet import Sheet
from lammer.lab.output.writing import put
from lammer.lab.reporting.charts import (
    OUTCOMES,
    decks_chart,
    edge_chart,
    exposure_chart,
    insurance_chart,
    outcomes_chart,
    percentile_chart,
    removal_chart,
    svg,
    volatility_chart,
    write,
)
from lammer.lab.reporting.checks import Check, checks
from lammer.lab.reporting.report import Report, report
from lammer.lab.reporting.report_rules import identity_of, title_of_book
from support.terminal import Terminal

ROOT = Path(__file__).parents[2]
OWN = ROOT / "docs" / "guides" / "da-hu-nine-bets.toml"
BOOK = lammer.rulebook("da-hu-ying-xiong-noncommission-insurance@2")
ANALYSIS = edges(BOOK)
WON = ((1000, 5, -900), (1000, 95, 1020), (100_000, 5, "6e4"))
PROFITS = [("tie", 0.012, 0.004)]
EXPOSED = Sheet("Counting", ("bet", "profit per 100 rounds", "standard error"), (("tie", "0.012", "0.004"),))


# Charts


def test_every_chart_says_in_words_what_it_shows() -> None:
    told = [
        (edge_chart(ANALYSIS), ("Small Tiger", "14.3325%", "Banker", "Either hand")),
        (volatility_chart(ANALYSIS), ("Big Tiger", "6.519")),
        (outcomes_chart(ANALYSIS), ("won 45.86%", "returned")),
        (insurance_chart(ANALYSIS), ("Player insured, after four cards", "5:2", "11.34")),
        (decks_chart(by_decks(BOOK, (4, 8))), ("Tiger Pair", "decks")),
        (removal_chart(effects_of_removal(BOOK), ANALYSIS), ("Tiger Tie", "card gone")),
        (percentile_chart(WON, unit="units"), ("1,000 rounds", "100,000 rounds", "-900", "60.0k")),
        (exposure_chart(PROFITS), ("tie", "0.0120 ± 0.0078")),
    ]
    for chart, words in told:
        drawn = svg(chart)
        assert drawn.startswith('<svg role="img" aria-label="')
        for word in words:
            assert f">{word}" in drawn, word


def _heights(drawn: str, word: str) -> set[float]:
    """How far down the texts that end in a word stand."""
    found: set[float] = set()

    def look(element: Element, down: float) -> None:
        for moved in re.findall(r"translate\([^,]+,([^)]+)\)", element.get("transform", "")):
            down += float(moved)
        if (element.text or "").endswith(word):
            found.add(round(down, 1))
        for child in element:
            look(child, down)

    look(fromstring(drawn), 0.0)
    return found


def test_headings_of_pictures_side_by_side_stand_level() -> None:
    """Wins whose axes would end between ticks, at a tick, and far above one."""
    rows = [
        (10**n, at, win * 10**n)
        for n, most in ((3, 8), (4, 33), (5, 19))
        for at, win in ((1, -7), (99, most))
    ]
    drawn = svg(percentile_chart(rows))
    assert len(_heights(drawn, " rounds")) == 1


def test_colours_are_told_by_shapes_too() -> None:
    assert len({shape for _, _, shape in TURNS.values()}) == len(TURNS)
    assert [TURNS[side][0] for side in ("banker", "player", "tie")] == ["Banker", "Player", "Tie"]
    shapes = [layer["encoding"].get("shape") for layer in edge_chart(ANALYSIS).to_dict()["layer"]]
    (shape,) = [each for each in shapes if each]
    assert dict(zip(shape["scale"]["domain"], shape["scale"]["range"], strict=True))["Banker"] == "square"


def _contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrasts_are_enough_to_read() -> None:
    for colour in (INK, GREY, TEAL, *(colour for _, colour, _ in TURNS.values())):
        assert _contrast(colour, WHITE) >= 4.5, colour
    for below in ("#fff6df", "#f0a030", "#5fb8a5"):
        assert _contrast(INK, below) >= 4.5, below
    assert _contrast(OUTCOMES["won"], OUTCOMES["lost"]) >= 3


def test_insurance_that_favours_the_player_is_drawn_apart() -> None:
    good = replace(ANALYSIS.insurance[0], edge=Fraction(-1, 20))
    odd = Analysis(BOOK.id, Composition.of_decks(8), 1, (), (*ANALYSIS.insurance[1:], good))
    assert ">-5.00<" in svg(insurance_chart(odd))


def test_a_chart_is_written_as_svg_or_png(tmp_path: Path) -> None:
    chart = edge_chart(ANALYSIS)
    assert write(chart, tmp_path / "edges.svg").read_bytes().startswith(b"<svg")
    assert write(chart, tmp_path / "edges.png").read_bytes().startswith(b"\x89PNG")
    assert write(chart, tmp_path / "edges.svg").exists(), "written over"
    with pytest.raises(Refused) as refused:
        write(chart, tmp_path / "edges.gif")
    assert refused.value.code == "unknown_format"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["edges.png", "edges.svg"]


def test_charts_without_the_extra_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(Refused) as refused:
        edge_chart(ANALYSIS)
    assert (refused.value.code, "lammer[lab]" in refused.value.next_step) == ("extra_missing", True)


def test_the_lab_opens_without_its_extra() -> None:
    code = (
        "import sys, lammer.cli, lammer.lab.reporting.report, lammer.lab.reporting.charts;"
        "print(sorted({'altair', 'vl_convert', 'numpy', 'pyarrow'} & sys.modules.keys()))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


# Files


def test_a_full_disk_is_a_refusal_and_a_device_stays_one(tmp_path: Path) -> None:
    full = tmp_path / "edges.svg"
    full.symlink_to("/dev/full")
    with pytest.raises(Refused) as refused:
        write(edge_chart(ANALYSIS), full)
    assert (refused.value.code, "No space left" in refused.value.sentence) == ("cannot_write", True)
    assert Path("/dev/full").is_char_device()


def test_what_stood_there_stays_until_the_new_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = put(tmp_path / "report.html", b"old")
    file.chmod(0o640)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", no_room)
        with pytest.raises(Refused):
            put(file, b"new")
    assert (file.read_bytes(), len(list(tmp_path.iterdir()))) == (b"old", 1)
    assert put(file, b"new").read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("place", ["missing/report.html", ".", "file/report.html"])
def test_places_that_take_no_file_are_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused) as refused:
        put(tmp_path / place, b"")
    assert (refused.value.code, bool(refused.value.next_step)) == ("cannot_write", True)


# Removal


def test_removal_is_the_difference_of_two_shoes() -> None:
    shoe = Composition.of_decks(6)
    effects = effects_of_removal(BOOK, decks=6)
    direct = edges(BOOK, shoe.without("6H")).bet("tiger").edge - edges(BOOK, shoe).bet("tiger").edge
    assert effects["tiger"]["6"] == direct
    assert unbalanced(effects, shoe) == []
    assert not any(effects["tiger_pair"].values()), "no single card tells of pairs"
    tie = dict(effects["tie"])
    tie["9"] += Fraction(1, 10**30)
    assert unbalanced({**effects, "tie": tie}, shoe) == ["tie"]


# The report


class Page(HTMLParser):
    """What a page is made of, and whether its elements close."""

    VOID = frozenset({"meta", "br", "hr"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.inside: list[Counter[str]] = []
        self.figures: list[Counter[str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        for seen in self.inside:
            seen[tag] += 1
        if tag == "figure":
            self.inside.append(Counter())
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag
        if tag == "figure":
            self.figures.append(self.inside.pop())

    def named(self, *names: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag in names]


@pytest.fixture(autouse=True, scope="module")
def pictures_drawn_once() -> Iterator[None]:
    """Reports on the same rulebook have the same pictures, and drawing them is most of a report's work."""
    draw = vl_convert.vegalite_to_svg
    drawn: dict[str, str] = {}

    def draw_once(spec: dict[str, Any], **given: Any) -> str:
        key = json.dumps([spec, given], sort_keys=True)
        if key not in drawn:
            drawn[key] = draw(spec, **given)
        return drawn[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vl_convert, "vegalite_to_svg", draw_once)
        yield


@pytest.fixture(scope="module")
def made() -> Report:
    books: Sequence[Rulebook] = [BOOK, lammer.rulebook(str(OWN))]
    return report(books, exposures={BOOK.id: [(EXPOSED, exposure_chart(PROFITS))]}, made_on="2026-01-02")


def test_a_report_fetches_nothing(made: Report) -> None:
    page = Page(made.html)
    assert not page.named("script", "link", "img", "iframe", "image", "object", "base")
    for tag, attributes in page.tags:
        for name, value in attributes.items():
            if name in ("href", "src", "xlink:href", "action", "data"):
                assert str(value).startswith("#"), (tag, value)
    assert set(re.findall(r'([\w:]+)="https?://', made.html)) <= {"xmlns", "xmlns:xlink"}
    assert len(re.findall(r"https?://", made.html)) == len(re.findall(r'xmlns(?::xlink)?="http', made.html))
    assert all(place.startswith("#") for place in re.findall(r"url\(['\"]?(.)", made.html))
    assert "@import" not in made.html
    assert "default-src 'none'" in made.html


def test_every_chart_of_a_report_has_a_table_and_a_caption(made: Report) -> None:
    figures = Page(made.html).figures
    assert len(figures) == 13, "six for each rulebook, and the exposure that was handed in"
    for figure in figures:
        assert (figure["svg"], figure["figcaption"]) == (1, 1)
        assert figure["table"] >= 1


def test_a_report_can_be_listened_to(made: Report) -> None:
    page = Page(made.html)
    assert page.named("html") == [{"lang": "en"}]
    assert all(attributes.get("scope") in ("col", "row") for attributes in page.named("th"))
    assert len(page.named("caption")) == len(page.named("table"))
    assert all(
        attributes.get("role") == "img" and attributes.get("aria-label") for attributes in page.named("svg")
    )
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    linked = {str(attributes["href"])[1:] for attributes in page.named("a")}
    assert linked <= set(ids)


def test_a_report_says_whose_rules_these_are_and_what_came_out(made: Report) -> None:
    for told in (
        BOOK.id,
        BOOK.sha256,
        BOOK.approved_by,
        "2023-11-07 08:00+08:00",
        "2026-01-02",
        "Lucky Eight",
    ):
        assert told in made.html
    assert "14.3325" in made.html
    assert "16.3210" in made.html, "an Insurance situation"
    assert "<td>Lucky Eight</td><td>new</td>" in made.html, "a difference"
    assert "Counting" in made.html, "what was handed in"
    assert "All 10 checks passed" in made.html
    signed = made.html.partition('id="signatures"')[2]
    assert signed.count(BOOK.sha256) == 2, "what is signed, and the footer"
    assert "in every round 100.00 dollars are on each of Player and Banker" in made.html
    assert str(ANALYSIS.bet("tie").edge) in made.html
    assert not made.failed


def test_words_of_a_rulebook_are_never_markup() -> None:
    text = OWN.read_text("utf-8").replace('"Da Hu Ying Xiong with', '"<script>alert(1)</script>')
    shown = table(identity_of(lammer.load(text, "mine.toml")))
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown


def _one_too_many(book: Rulebook, counts: Sequence[int], ways: Any = ways) -> list[int]:
    found: list[int] = ways(book, counts)
    found[7] += 1
    return found


def test_checks_find_a_wrong_count(monkeypatch: pytest.MonkeyPatch) -> None:
    effects = effects_of_removal(BOOK)
    assert _passed(checks(BOOK, {8: ANALYSIS}, effects, 8)) == [True] * 5
    monkeypatch.setattr("lammer.lab.reporting.checks.ways", _one_too_many)
    assert _passed(checks(BOOK, {8: ANALYSIS}, effects, 8)) == [False, True, True, True, True]
    wrong_edges = partial(edges, count=_one_too_many)
    monkeypatch.setattr("lammer.lab.reporting.checks.edges", wrong_edges)
    wrong = checks(BOOK, {8: wrong_edges(BOOK)}, effects_of_removal(BOOK, count=_one_too_many), 8)
    assert _passed(wrong) == [False, False, True, False, False]


def test_what_one_hand_loses_is_asked_where_a_winning_line_returns_the_stake() -> None:
    """Banker with seven of three cards pushes: what the Player's bet loses, Banker's wins or gets back."""
    book = lammer.rulebook(str(ROOT / "examples" / "ez-baccarat.toml"))
    analysis, effects = edges(book), effects_of_removal(book)
    asked = checks(book, {8: analysis}, effects, 8)[2]
    assert (asked.passed, asked.asked_here) == (True, True)
    assert "returns the stake" in asked.asked
    banker = analysis.bet("banker")
    moved = tuple(
        replace(each, combinations=each.combinations + {"won": -1, "lost": 1}.get(each.outcome, 0))
        for each in banker.outcomes
    )
    odd = replace(analysis, bets=(analysis.bets[0], replace(banker, outcomes=moved), *analysis.bets[2:]))
    assert not checks(book, {8: odd}, effects, 8)[2].passed
    alone = replace(book, bets={"player": book.bets["player"]})
    assert not checks(alone, {8: edges(alone)}, effects_of_removal(alone), 8)[2].asked_here


def test_a_private_rulebook_states_only_what_its_file_does() -> None:
    text = (ROOT / "examples" / "ez-baccarat.toml").read_text("utf-8")
    mine = lammer.load(re.sub(r"(?m)^title.*= .*\n", "", text, count=2), "mine.toml")
    rows = {str(what): which for what, which in identity_of(mine, "mine.toml", "00ff").rows}
    assert (rows["title"], rows["title in Chinese"], rows["in force from"]) == ("not stated",) * 3
    assert title_of_book(mine) == "EZ Baccarat, version 1"
    assert "1970" not in " ".join(map(str, rows.values()))
    assert "SHA-256 of the file" not in rows
    assert rows["SHA-256 of mine.toml itself, as sha256sum prints it"] == "00ff"
    assert ("SHA-256 of the file", BOOK.sha256) in identity_of(BOOK).rows


def test_checks_find_a_draw_won_by_both() -> None:
    player = ANALYSIS.bet("player")
    won, returned, lost = player.outcomes
    shifted = (replace(won, combinations=won.combinations + 1), returned)
    more = replace(player, outcomes=(*shifted, replace(lost, combinations=lost.combinations - 1)))
    odd = replace(ANALYSIS, bets=(more, *ANALYSIS.bets[1:]))
    assert _passed(checks(BOOK, {8: odd}, effects_of_removal(BOOK), 8)) == [True, True, False, True, True]


def _passed(asked: Sequence[Check]) -> list[bool]:
    return [check.passed for check in asked]


def test_a_report_that_fails_its_checks_says_so(
    lammer: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("lammer.lab.reporting.checks.ways", _one_too_many)
    file = tmp_path / "report.html"
    ran = lammer("report", BOOK.id, "-o", str(file))
    assert ran.code == 1
    assert "FAILED" in ran.err
    page = file.read_text("utf-8")
    assert "1 of 5 checks FAILED" in page
    assert '<tr class="failed">' in page


def test_report_on_a_rulebook_of_your_own(lammer: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    ran = lammer("report", str(OWN), "-o", str(file), "--decks", "6", "--json")
    assert ran.code == 0
    assert [check["passed"] for check in ran.json["checks"]] == [True] * 5
    assert "Lucky Eight" in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("snap@1",), "unknown_rulebook"),
        ((BOOK.id, "-o", "report.doc"), "unknown_format"),
        ((BOOK.id, "--decks", "11"), "impossible_shoe"),
        ((BOOK.id, "-o", "/dev/full"), "cannot_write"),
    ],
)
def test_reports_that_are_refused(lammer: Terminal, words: tuple[str, ...], code: str) -> None:
    ran = lammer("report", *words, "--json")
    assert (ran.code, ran.json["refused"]["code"]) == (1, code)


# The notebook


def test_the_notebook_shows_what_its_cells_give() -> None:
    written = json.loads(notebook.NOTEBOOK.read_text("utf-8"))
    assert notebook.NOTEBOOK.stat().st_size < 100_000
    stored = [cell["outputs"] for cell in written["cells"] if cell["cell_type"] == "code"]
    for old, new in zip(stored, notebook.run(written["cells"]), strict=True):
        assert _without_pictures(old) == _without_pictures(new), "run tools/notebook.py"


def _without_pictures(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Letters are measured with the fonts of the machine, so pictures may differ by a pixel."""
    kept = []
    for output in outputs:
        data = {kind: shown for kind, shown in output.get("data", {}).items() if kind != "image/svg+xml"}
        kept.append({**output, "data": data})
    return kept
