"""The report: everything the lab knows of some rulebooks, on one page a laboratory can file.

It puts the exact results, their charts and tables, the differences between versions and the checks in order,
and says how each came about. The page is set by `page`, the figures come from the rooms that work them out; a
simulation of counting is handed in by whoever ran one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from lammer.lab.exact.analysis import (
    Analysis,
    always_sheet,
    bets_sheet,
    insurance_sheet,
    outcomes_sheet,
    volatility_sheet,
)
from lammer.lab.exact.removal import Effects, effects_of_removal, removal_sheet
from lammer.lab.exact.side_by_side import (
    by_decks,
    changes_sheet,
    decks_of,
    decks_sheet,
    edges_compared,
    insuring_compared,
)
from lammer.lab.output.page import NOTHING, Html, document, element, figure, table, text
from lammer.lab.output.plotting import svg
from lammer.lab.output.sheet import Sheet
from lammer.lab.output.writing import put
from lammer.lab.reporting import charts
from lammer.lab.reporting.checks import Check, checks
from lammer.lab.reporting.report_rules import bets_of, identity_of, layouts_of, with_bet_titles
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

if TYPE_CHECKING:
    from altair.typing import ChartType

Exposure = tuple[Sheet, "ChartType | None"]
"""What a simulation of counting found: a sheet, and its chart where there is one."""

Progress = Callable[[int, int, str], None]
"""Called with how many steps of how many are done, and what comes next."""

STEPS = ("edges", "decks", "volatility", "insurance", "exposure", "checks")


@dataclass(frozen=True, slots=True)
class Report:
    """A finished page and what its checks said."""

    html: str
    checks: tuple[Check, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.passed)

    def write(self, path: Path | str) -> Path:
        """Write the page whole, or not at all."""
        must_be_a_page(path)
        return put(path, self.html.encode())


def must_be_a_page(path: Path | str) -> None:
    """Refuse a file whose name says that it is no page, before anything is worked out for it.

    >>> must_be_a_page("report.pdf")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused unknown_format: A report is not written as '.pdf'. ...
    """
    suffix = Path(path).suffix
    if suffix not in ("", ".html", ".htm"):
        raise Refused(
            "unknown_format",
            "A report is not written as {suffix}.",
            next_step="Name the file .html; a browser prints it to paper or PDF.",
            suffix=repr(suffix),
        )


def report(
    books: Sequence[Rulebook],
    *,
    decks: int | None = None,
    exposures: Mapping[str, Sequence[Exposure]] | None = None,
    made_on: str = "",
    progress: Progress = lambda done, of, what: None,
) -> Report:
    """The report on these rulebooks, dealt from so many decks; `exposures` by the rulebook's id.

    Without a number of decks it is the usual one of the first rulebook.

    >>> from lammer import rulebook
    >>> page = report([rulebook("da-hu-ying-xiong-noncommission-insurance@2")])
    >>> len(page.failed), page.html.count("<figure>")
    (0, 6)
    """
    decks = books[0].cards.usual_decks if decks is None else decks
    writer = _ReportWriter(books, decks, exposures or {}, progress)
    sections = [writer.section(number, book) for number, book in enumerate(books, 1)]
    pairs = [
        (before, after)
        for before, after in pairwise(range(len(books)))
        if family(books[before]) == family(books[after])
    ]
    differences = [writer.difference(before, after) for before, after in pairs]
    results = tuple(writer.checks)
    title = books[0].title if len(books) == 1 else f"{len(books)} rulebooks"
    body = [
        text("h1", f"Mathematics of {title}"),
        _summary(decks, made_on, results),
        _contents(books, bool(pairs)),
        *sections,
        *([text("h2", "Differences", id="differences"), *differences] if pairs else ()),
        _method(bool(exposures), results),
    ]
    return Report(document(f"Mathematics of {title}", *body), results)


def family(book: Rulebook) -> str:
    """Versions of a game, and games whose names begin with the same two words, are worth comparing.

    >>> from lammer import rulebook
    >>> family(rulebook("tiger-buffalo-noncommission@4"))
    'tiger-buffalo'
    """
    return "-".join(book.game.split("-")[:2])


class _ReportWriter:
    """One report while it is written: what is worked out already, how many pictures there are."""

    def __init__(
        self,
        books: Sequence[Rulebook],
        decks: int,
        exposures: Mapping[str, Sequence[Exposure]],
        progress: Progress,
    ) -> None:
        self.books, self.decks, self.exposures, self.progress = books, decks, exposures, progress
        self.analyses: list[Analysis] = []
        self.checks: list[Check] = []
        self.pictures = self.steps = 0

    def step(self, what: str) -> None:
        self.progress(self.steps, len(self.books) * len(STEPS), what)
        self.steps += 1

    def figure(self, caption: str, chart: ChartType | None, *sheets: Sheet) -> Html:
        self.pictures += 1
        picture = svg(chart, caption, mark=f"c{self.pictures}-") if chart is not None else None
        return figure(caption, picture, *(table(sheet) for sheet in sheets))

    def section(self, number: int, book: Rulebook) -> Html:
        """Everything about one rulebook."""
        self.step(f"{book.id}: edges")
        analyses = by_decks(book, sorted({*decks_of(book), self.decks}))
        analysis = analyses[self.decks]
        self.analyses.append(analysis)
        effects = effects_of_removal(book, self.decks)
        parts = [
            text("h2", f"{book.title}, version {book.version}", id=f"book-{number}"),
            *self._rules(number, book),
            *self._edges(number, book, analysis),
            *self._decks(number, book, analyses),
            *self._volatility(number, book, analysis),
            *self._insurance(number, book, analysis),
            *self._exposure(number, book, analysis, effects),
        ]
        self.step(f"{book.id}: checks")
        self.checks += checks(book, analyses, effects, self.decks)
        return element("section", *parts, aria_labelledby=f"book-{number}")

    def _rules(self, number: int, book: Rulebook) -> Iterator[Html]:
        yield text("h3", "Identity", id=f"identity-{number}")
        yield table(identity_of(book))
        yield text("h3", "Bets and layouts", id=f"bets-{number}")
        yield table(bets_of(book))
        yield table(layouts_of(book))

    def _edges(self, number: int, book: Rulebook, analysis: Analysis) -> Iterator[Html]:
        yield text("h3", "Edges", id=f"edges-{number}")
        caption = f"What the House keeps of a stake on average, from {analysis.shoe.size} cards, exactly."
        yield self.figure(caption, charts.edge_chart(analysis), with_bet_titles(book, bets_sheet(analysis)))
        caption = "How often each bet is won, returned and lost."
        yield self.figure(
            caption, charts.outcomes_chart(analysis), with_bet_titles(book, outcomes_sheet(analysis))
        )

    def _decks(self, number: int, book: Rulebook, analyses: Mapping[int, Analysis]) -> Iterator[Html]:
        self.step(f"{book.id}: decks")
        yield text("h3", "Edges by number of decks", id=f"decks-{number}")
        caption = f"Each bet's edge from {min(analyses)} to {max(analyses)} full decks."
        yield self.figure(caption, charts.decks_chart(analyses), with_bet_titles(book, decks_sheet(analyses)))

    def _volatility(self, number: int, book: Rulebook, analysis: Analysis) -> Iterator[Html]:
        self.step(f"{book.id}: volatility")
        yield text("h3", "Volatility", id=f"volatility-{number}")
        caption = "How far one unit staked once spreads around its average."
        yield self.figure(
            caption, charts.volatility_chart(analysis), with_bet_titles(book, volatility_sheet(analysis))
        )

    def _insurance(self, number: int, book: Rulebook, analysis: Analysis) -> Iterator[Html]:
        self.step(f"{book.id}: insurance")
        yield text("h3", "Insurance", id=f"insurance-{number}")
        if not analysis.insurance:
            yield text("p", "This rulebook has no Insurance.")
            return
        caption = "Every situation in which Insurance is on offer: its odds and what a unit on it costs."
        sheets = insurance_sheet(analysis), always_sheet(analysis)
        yield self.figure(caption, charts.insurance_chart(analysis), *sheets)

    def _exposure(self, number: int, book: Rulebook, analysis: Analysis, effects: Effects) -> Iterator[Html]:
        self.step(f"{book.id}: exposure")
        yield text("h3", "Exposure to counting", id=f"exposure-{number}")
        for sheet, chart in self.exposures.get(book.id, ()):
            yield self.figure(sheet.name, chart, with_bet_titles(book, sheet))
        caption = (
            f"What one card gone from {self.decks} decks does to each edge, exactly; "
            "what is more than nothing is good for the House."
        )
        sheet = with_bet_titles(book, removal_sheet(effects))
        yield self.figure(caption, charts.removal_chart(effects, analysis), sheet)

    def difference(self, before: int, after: int) -> Html:
        """Two rulebooks that follow each other: what changed, and what it did."""
        old, new = self.books[before], self.books[after]
        compared = with_bet_titles(
            old, with_bet_titles(new, edges_compared(self.analyses[before], self.analyses[after]))
        )
        changes = changes_sheet(old, new)
        insuring = insuring_compared(self.analyses[before], self.analyses[after])
        return element(
            "section",
            text("h3", f"From {old.id} to {new.id}"),
            table(compared),
            table(insuring) if insuring.rows else NOTHING,
            table(changes) if changes.rows else text("p", "No change of meaning."),
        )


def _summary(decks: int, made_on: str, results: Sequence[Check]) -> Html:
    failed = sum(not check.passed for check in results)
    by = f"Worked out by Lammer {version('lammer')}{f' on {made_on}' if made_on else ''}, "
    rows = text("p", f"{by}for shoes of {decks} full decks unless it says otherwise.")
    if failed:
        verdict = f"{failed} of {len(results)} checks FAILED: do not rely on this report."
        return element("div", rows, text("p", verdict, class_="said failed", role="alert"))
    verdict = f"All {len(results)} checks passed: what was asked stands at the end."
    return element("div", rows, text("p", verdict, class_="said"))


_PARTS = (
    ("identity", "Identity"),
    ("bets", "Bets and layouts"),
    ("edges", "Edges"),
    ("decks", "Edges by number of decks"),
    ("volatility", "Volatility"),
    ("insurance", "Insurance"),
    ("exposure", "Exposure to counting"),
)


def _contents(books: Sequence[Rulebook], differences: bool) -> Html:
    entries = []
    for number, book in enumerate(books, 1):
        parts = [element("li", text("a", name, href=f"#{part}-{number}")) for part, name in _PARTS]
        name = f"{book.title}, version {book.version}"
        entries.append(element("li", text("a", name, href=f"#book-{number}"), element("ul", *parts)))
    if differences:
        entries.append(element("li", text("a", "Differences", href="#differences")))
    entries.append(element("li", text("a", "Method and checks", href="#method")))
    return element("nav", element("ul", *entries), aria_label="Contents")


_METHOD = (
    "Edges, frequencies and deviations are exact. The six cards of a round are exchangeable: the third cards "
    "are fixed first and the first four counted in closed form from what is left, in whole numbers. An edge "
    "is a fraction of such counts, rounded only where it is printed, half to even.",
    "Which cards are drawn is asked of the rulebook's own Table of Play; what a bet comes to, of the same "
    "judgement that settles rounds at a table.",
    "An edge is what the House keeps of a unit staked, stakes that are returned included. Insurance is "
    "valued in each situation on its own; always insuring adds every situation up, as often as it occurs.",
    "An effect of removal is the edge of the shoe with one card less, minus the edge of the full shoe.",
)


def _method(simulated: bool, results: Sequence[Check]) -> Html:
    paragraphs = [text("p", paragraph) for paragraph in _METHOD]
    if simulated:
        paragraphs.append(
            text("p", "Exposure to counting is simulated; its tables say how long and with what error.")
        )
    rows = tuple(
        (check.rulebook, check.asked, "passed" if check.passed else "FAILED", check.found)
        for check in results
    )
    sheet = Sheet(
        "Checks made while this report was written", ("rulebook", "asked", "answer", "looked at"), rows
    )
    failed = frozenset(number for number, check in enumerate(results) if not check.passed)
    heading = text("h2", "Method and checks", id="method")
    return element("section", heading, *paragraphs, table(sheet, failed=failed), aria_labelledby="method")
