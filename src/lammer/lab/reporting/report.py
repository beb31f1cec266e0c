"""The report: everything the lab knows of some rulebooks, in one document a laboratory can file.

It puts the rules, the exact results, their charts and tables, the differences between versions and the checks
in order, and says how each came about. The figures come from the rooms that work them out; how the document
is set, as a page, on paper, as a workbook or for programs, is the output's. A simulation of counting is
handed in by whoever ran one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from lammer.build import build_hash, build_name
from lammer.game.money import show
from lammer.lab.exact.analysis import (
    Analysis,
    always_sheet,
    insurance_sheet,
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
from lammer.lab.exact.together import win_together
from lammer.lab.extras import needs
from lammer.lab.output.filing import (
    Figure,
    Filing,
    Heading,
    Paragraph,
    Part,
    Say,
    Signatures,
    Table,
    as_it_stands,
)
from lammer.lab.output.page import page_of
from lammer.lab.output.plotting import png, svg
from lammer.lab.output.sheet import Sheet
from lammer.lab.output.workbook import workbook_of
from lammer.lab.output.writing import put
from lammer.lab.reporting import charts, report_figures as figures
from lammer.lab.reporting.checks import Check, checks
from lammer.lab.reporting.report_figures import Terms
from lammer.lab.reporting.report_rules import (
    SHA_OF_ALL,
    SHA_OF_FILE,
    bets_of,
    cards_of,
    identity_of,
    insurance_limits_of,
    insurance_of,
    layouts_of,
    plays_sheet,
    readings_of,
    shoe_of,
    table_of_play_of,
    title_of_bet,
    title_of_book,
    with_bet_titles,
    with_hands,
)
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.refusal import Refused

if TYPE_CHECKING:
    from altair.typing import ChartType

    from lammer.draw.svg import Svg

Exposure = tuple[Sheet, "ChartType | None"]
"""What a simulation of counting found: a sheet, and its chart where there is one."""

Progress = Callable[[int, int, str], None]
"""Called with how many steps of how many are done, and what comes next."""

STEPS = ("edges", "decks", "volatility", "insurance", "liability", "exposure", "checks")
FORMATS = ("", ".html", ".htm", ".pdf", ".xlsx", ".json")
"""How the name of a report may end; without an ending it is a page."""


@dataclass(frozen=True)
class Report:
    """A finished report and what its checks said; `say` and `tag` are of the language it is written in."""

    filing: Filing
    checks: tuple[Check, ...]
    books: tuple[Rulebook, ...]
    analyses: tuple[Analysis, ...]
    made_on: str = ""
    say: Say = field(default=as_it_stands, compare=False)
    tag: str = "en"

    @property
    def footer(self) -> str:
        """What stands at the foot of every page: the report, its build, and each rulebook with its hash."""
        books = (f"{book.id} {book.sha256}" for book in self.books)
        return " · ".join(filter(None, (self.say(self.filing.title), build_name(), self.made_on, *books)))

    @property
    def failed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.passed)

    @cached_property
    def html(self) -> str:
        """One page that needs no other file."""
        return page_of(self.filing, self._svg, self.say, self.tag, self.footer)

    def pdf(self) -> bytes:
        """Pages of A4."""
        with needs("lab"):
            from lammer.lab.output.paper import paper_of  # noqa: PLC0415
        return paper_of(
            self.filing, lambda chart: png(chart, self._said), self.footer, self.say, self.made_on
        )

    def xlsx(self) -> bytes:
        """A worksheet for every heading."""
        return workbook_of(self.filing, self.say)

    def json(self) -> bytes:
        """For programs: the tables as they are printed, and every edge and variance as a fraction."""
        return self.filing.as_json(
            {
                "lammer": version("lammer"),
                "build": build_hash(),
                "made_on": self.made_on,
                "language": self.tag,
                "rulebooks": [
                    {
                        "id": book.id,
                        "sha256": book.sha256,
                        "combinations": analysis.combinations,
                        "bets": {
                            bet.bet: {"edge": str(bet.edge), "variance": str(bet.variance)}
                            for bet in analysis.bets
                        },
                    }
                    for book, analysis in zip(self.books, self.analyses, strict=True)
                ],
                "checks": [
                    {
                        "rulebook": each.rulebook,
                        "asked": each.asked,
                        "passed": each.passed,
                        "found": each.found,
                        "asked_here": each.asked_here,
                    }
                    for each in self.checks
                ],
            },
            self.say,
        )

    def write(self, path: Path | str) -> Path:
        """Write the report whole, or not at all, in the format its name asks for."""
        must_be_a_report(path)
        written = {".pdf": self.pdf, ".xlsx": self.xlsx, ".json": self.json}.get(Path(path).suffix)
        return put(path, written() if written else self.html.encode())

    def _svg(self, chart: ChartType, caption: str, mark: str) -> Svg:
        return svg(chart, caption, mark=mark, say=self._said)

    @cached_property
    def _said(self) -> Say:
        """Words of a chart: those the language knows, and the names of the bets."""
        titles = {bet.title: self.say(title_of_bet(bet)) for book in self.books for bet in book.bets.values()}
        return lambda words: titles.get(words) or self.say(words)


def must_be_a_report(path: Path | str) -> None:
    """Refuse a file whose name asks for a format there is none of, before anything is worked out for it.

    >>> must_be_a_report("report.doc")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused unknown_format: A report is not written as '.doc'. ...
    """
    suffix = Path(path).suffix
    if suffix not in FORMATS:
        raise Refused(
            "unknown_format",
            "A report is not written as {suffix}.",
            next_step="Name the file .html, .pdf, .xlsx or .json.",
            suffix=repr(suffix),
        )


def report(
    books: Sequence[Rulebook],
    *,
    decks: int | None = None,
    terms: Terms | None = None,
    exposures: Mapping[str, Sequence[Exposure]] | None = None,
    made_on: str = "",
    files: Sequence[tuple[str, str]] = (),
    say: Say = as_it_stands,
    tag: str = "en",
    progress: Progress = lambda done, of, what: None,
) -> Report:
    """The report on these rulebooks, dealt from so many decks, or from as many as is usual with each.

    `exposures` are by the rulebook's id; `files` are the name and the SHA-256 of the file of each rulebook,
    empty where it ships.

    Without a number of decks it is the usual one of the first rulebook.

    >>> from lammer import rulebook
    >>> page = report([rulebook("da-hu-ying-xiong-noncommission-insurance@2")])
    >>> len(page.failed), page.html.count("<figure>")
    (0, 6)
    """
    writer = _ReportWriter(books, decks, terms or Terms(), exposures or {}, progress, files)
    sections = [part for number, book in enumerate(books, 1) for part in writer.section(number, book)]
    pairs = [
        (before, after)
        for before, after in pairwise(range(len(books)))
        if family(books[before]) == family(books[after])
    ]
    differences: list[Part] = [Heading(2, Phrase("Differences"), "differences")] if pairs else []
    differences += [part for before, after in pairs for part in writer.difference(before, after)]
    results = tuple(writer.checks)
    about = title_of_book(books[0]) if len(books) == 1 else Phrase("{count} rulebooks", count=len(books))
    parts = (
        *_summary(sorted({writer.decks_of(book) for book in books}), made_on, results),
        *sections,
        *differences,
        *_method(bool(exposures), results),
        *_signatures(books),
    )
    filing = Filing(Phrase("Mathematics of {title}", title=about), parts)
    return Report(filing, results, tuple(books), tuple(writer.analyses), made_on, say, tag)


def family(book: Rulebook) -> str:
    """Versions of a game, and games whose names begin with the same two words, are worth comparing.

    >>> from lammer import rulebook
    >>> family(rulebook("tiger-buffalo-noncommission@4"))
    'tiger-buffalo'
    """
    return "-".join(book.game.split("-")[:2])


class _ReportWriter:
    """One report while it is written: what is worked out already, and how far it has come."""

    def __init__(
        self,
        books: Sequence[Rulebook],
        decks: int | None,
        terms: Terms,
        exposures: Mapping[str, Sequence[Exposure]],
        progress: Progress,
        files: Sequence[tuple[str, str]],
    ) -> None:
        self.books, self.decks, self.terms = books, decks, terms
        self.exposures, self.progress, self.files = exposures, progress, files
        self.analyses: list[Analysis] = []
        self.checks: list[Check] = []
        self.steps = 0

    def step(self, what: str) -> None:
        self.progress(self.steps, len(self.books) * len(STEPS), what)
        self.steps += 1

    def decks_of(self, book: Rulebook) -> int:
        """From how many decks a rulebook is dealt here."""
        return book.cards.usual_decks if self.decks is None else self.decks

    def section(self, number: int, book: Rulebook) -> list[Part]:
        """Everything about one rulebook."""
        self.step(f"{book.id}: edges")
        decks = self.decks_of(book)
        analyses = by_decks(book, sorted({*decks_of(book), decks}))
        analysis = analyses[decks]
        self.analyses.append(analysis)
        effects = effects_of_removal(book, decks)
        parts: list[Part] = [
            Heading(2, title_of_book(book), f"book-{number}"),
            *self._rules(number, book),
            *self._edges(number, book, analysis),
            *self._decks(number, book, analyses),
            *self._volatility(number, book, analysis),
            *self._insurance(number, book, analysis),
            *self._rounding(number, book, analysis),
            *self._liability(number, book, analysis),
            *self._exposure(number, book, analysis, effects),
        ]
        self.step(f"{book.id}: checks")
        self.checks += checks(book, analyses, effects, decks)
        return parts

    def _rules(self, number: int, book: Rulebook) -> Iterator[Part]:
        yield Heading(3, Phrase("Identity"), f"identity-{number}")
        yield Table(identity_of(book, *(self.files[number - 1] if self.files else ())))
        yield Heading(3, Phrase("Cards and Table of Play"), f"play-{number}")
        yield Table(shoe_of(book))
        yield Table(cards_of(book))
        yield Table(table_of_play_of(book))
        if (plays := plays_sheet(book)).rows:
            yield Table(plays)
        yield Heading(3, Phrase("Bets and layouts"), f"bets-{number}")
        yield Table(bets_of(book))
        yield Table(layouts_of(book))
        if book.insurance:
            yield Heading(3, Phrase("Rules of Insurance"), f"insurance-rules-{number}")
            yield Table(insurance_of(book))
            yield Table(insurance_limits_of(book))
        yield Heading(3, Phrase("Readings"), f"readings-{number}")
        yield Table(readings_of(book))

    def _edges(self, number: int, book: Rulebook, analysis: Analysis) -> Iterator[Part]:
        places = self.terms.places
        yield Heading(3, Phrase("Return and edge"), f"edges-{number}")
        caption = Phrase(
            "What the House keeps of a stake on average, from {cards} cards, exactly.",
            cards=analysis.shoe.size,
        )
        sheet = figures.returns_sheet(book, analysis, places)
        yield Figure(caption, charts.edge_chart(analysis), (sheet,))
        yield Table(figures.exact_edges_sheet(book, analysis))
        by_play = figures.edges_by_play_sheet(book, analysis.shoe, places)
        if by_play.rows:
            yield Table(by_play)
        caption = Phrase("How often each bet is won, returned and lost.")
        outcomes = figures.outcomes_of(book, analysis, places)
        yield Figure(caption, charts.outcomes_chart(analysis), (outcomes,))

    def _decks(self, number: int, book: Rulebook, analyses: Mapping[int, Analysis]) -> Iterator[Part]:
        self.step(f"{book.id}: decks")
        if len(analyses) < 2:
            return
        yield Heading(3, Phrase("Edges by number of decks"), f"decks-{number}")
        caption = Phrase(
            "Each bet's edge from {fewest} to {most} full decks.", fewest=min(analyses), most=max(analyses)
        )
        sheet = with_bet_titles(book, decks_sheet(analyses, self.terms.places))
        yield Figure(caption, charts.decks_chart(analyses), (sheet,))

    def _volatility(self, number: int, book: Rulebook, analysis: Analysis) -> Iterator[Part]:
        self.step(f"{book.id}: volatility")
        yield Heading(3, Phrase("Volatility"), f"volatility-{number}")
        caption = Phrase("How far one unit staked once spreads around its average.")
        sheet = with_bet_titles(book, volatility_sheet(analysis, self.terms.places))
        yield Figure(caption, charts.volatility_chart(analysis), (sheet,))
        yield Table(figures.bands_sheet(book, analysis))

    def _insurance(self, number: int, book: Rulebook, analysis: Analysis) -> Iterator[Part]:
        self.step(f"{book.id}: insurance")
        yield Heading(3, Phrase("Insurance"), f"insurance-{number}")
        if not analysis.insurance:
            yield Paragraph(Phrase("This rulebook has no Insurance."))
            return
        caption = Phrase(
            "Every situation in which Insurance is on offer: its odds and what a unit on it costs."
        )
        places = self.terms.places
        sheets = (
            with_hands(insurance_sheet(analysis, places)),
            with_hands(always_sheet(analysis, places)),
        )
        yield Figure(caption, charts.insurance_chart(analysis), sheets)

    def _rounding(self, number: int, book: Rulebook, analysis: Analysis) -> Iterator[Part]:
        yield Heading(3, Phrase("Rounding"), f"rounding-{number}")
        rounded = figures.rounding_sheet(book, analysis, self.terms)
        if rounded.rows:
            yield Table(rounded)
        if len(rounded.rows) < len(analysis.bets):
            every = Phrase("Every bet pays whole cents on every stake in whole cents.")
            rest = Phrase("Every other bet pays whole cents on every stake in whole cents.")
            yield Paragraph(rest if rounded.rows else every)
        if analysis.insurance:
            yield Table(figures.insurance_rounding_sheet(analysis))

    def _liability(self, number: int, book: Rulebook, analysis: Analysis) -> Iterator[Part]:
        self.step(f"{book.id}: liability")
        together = win_together(book, analysis.shoe)
        yield Heading(3, Phrase("Liability"), f"liability-{number}")
        if not self.terms.limits:
            usual = show(figures.USUAL_LIMIT)
            yield Paragraph(
                Phrase(
                    "No limits were given: every bet is taken to be limited to {limit} dollars.", limit=usual
                )
            )
        yield Table(figures.single_liability_sheet(book, analysis, self.terms))
        yield Paragraph(
            Phrase(
                "What one player in one box wins who has the limit on every bet that then wins, and on no"
                " other; counted over every ordered draw of six cards. Insurance comes on top of it."
            )
        )
        yield Table(figures.joint_liability_sheet(book, together, self.terms))
        if analysis.insurance:
            yield Table(figures.insurance_liability_sheet(book, self.terms))
            yield Paragraph(
                Phrase(
                    "Where Insurance is limited to a share of the table's maximum, the limit of the "
                    "Original Bet is taken as that maximum."
                )
            )
        yield Table(figures.partners_sheet(book, together))
        if (pairs := figures.pairs_sheet(book, together, self.terms.places)).rows:
            yield Table(pairs)
        yield Heading(3, Phrase("Hold"), f"hold-{number}")
        stakes = self.terms.mix(book)
        if not self.terms.stakes:
            yield Paragraph(
                Phrase(
                    "No mix was given: in every round {original} dollars are on each of Player and Banker "
                    "at once, and {side} on every other bet. The hold is that of this mix and of no other.",
                    original=show(figures.USUAL_STAKES["original"]),
                    side=show(figures.USUAL_STAKES["side"]),
                )
            )
        yield Table(figures.mix_sheet(book, analysis, stakes))
        yield Table(figures.hold_sheet(together.wins_of(stakes), sum(stakes.values()), self.terms.places))

    def _exposure(self, number: int, book: Rulebook, analysis: Analysis, effects: Effects) -> Iterator[Part]:
        self.step(f"{book.id}: exposure")
        yield Heading(3, Phrase("Exposure to counting"), f"exposure-{number}")
        for sheet, chart in self.exposures.get(book.id, ()):
            named = with_hands(with_bet_titles(book, sheet))
            # The caption says how the figures came about; the table beneath need not say it again.
            name = (
                sheet.name.values.get("table", sheet.name) if isinstance(sheet.name, Phrase) else sheet.name
            )
            yield Figure(sheet.name, chart, (Sheet(name, named.columns, named.rows),))
        caption = Phrase(
            "What one card gone from {decks} decks does to each edge, exactly; "
            "what is more than nothing is good for the House.",
            decks=self.decks_of(book),
        )
        sheet = with_bet_titles(book, removal_sheet(effects, self.terms.places + 1))
        yield Figure(caption, charts.removal_chart(effects, analysis), (sheet,))

    def difference(self, before: int, after: int) -> Iterator[Part]:
        """Two rulebooks that follow each other: what changed, and what it did."""
        old, new = self.books[before], self.books[after]
        places = self.terms.places
        compared = edges_compared(self.analyses[before], self.analyses[after], places)
        changes = changes_sheet(old, new)
        insuring = insuring_compared(self.analyses[before], self.analyses[after], places)
        words = Phrase("From {before} to {after}", before=old.id, after=new.id)
        yield Heading(3, words, f"from-{before + 1}-to-{after + 1}")
        yield Table(with_bet_titles(old, with_bet_titles(new, compared)))
        if insuring.rows:
            yield Table(with_hands(insuring))
        if changes.rows:
            yield Table(changes)
        else:
            yield Paragraph(Phrase("No change of meaning."))


def _summary(decks: Sequence[int], made_on: str, results: Sequence[Check]) -> Iterator[Part]:
    by = Phrase("Worked out by Lammer {version}", version=version("lammer"))
    if made_on:
        by = Phrase("{by} on {date}", by=by, date=made_on)
    yield Paragraph(
        Phrase(
            "{by}, for shoes of {decks} full decks unless it says otherwise.",
            by=by,
            decks=" / ".join(map(str, decks)),
        )
    )
    yield Paragraph(Phrase("Build {hash} (SHA-256 over every file of the program).", hash=build_hash()))
    failed = sum(not check.passed for check in results)
    if failed:
        words = Phrase(
            "{failed} of {count} checks FAILED: do not rely on this report.",
            failed=failed,
            count=len(results),
        )
        yield Paragraph(words, passed=False)
    else:
        asked = sum(check.asked_here for check in results)
        words = Phrase("All {count} checks passed: what was asked stands at the end.", count=asked)
        yield Paragraph(words, passed=True)


def _method(simulated: bool, results: Sequence[Check]) -> Iterator[Part]:
    yield Heading(2, Phrase("Method and checks"), "method")
    yield Paragraph(
        Phrase(
            "Edges, frequencies and deviations are exact. The six cards of a round are exchangeable: the "
            "third cards are fixed first and the first four counted in closed form from what is left, in "
            "whole numbers. An edge is a fraction of such counts, rounded only where it is printed, half "
            "to even."
        )
    )
    yield Paragraph(
        Phrase(
            "Which cards are drawn is asked of the rulebook's own Table of Play; what a bet comes to, of "
            "the same judgement that settles rounds at a table."
        )
    )
    yield Paragraph(
        Phrase(
            "An edge is what the House keeps of a unit staked, stakes that are returned included; the "
            "return is what is left of the unit. Insurance is valued in each situation on its own; always"
            " insuring adds every situation up, as often as it occurs."
        )
    )
    yield Paragraph(
        Phrase(
            "The volatility index is {score} deviations of one unit: within so many of their average "
            "{percent} of 100 results would lie, were they normal.",
            score=f"{float(figures.volatility_score()):.3f}",
            percent=figures.CONFIDENCE_PERCENT,
        )
    )
    yield Paragraph(
        Phrase(
            "Bands of return and percentiles of the House's win come from the distribution of the sum "
            "over so many rounds, worked out from the exact one of a single round; no bell curve is "
            "assumed. Rounds are taken to be independent and dealt from the full shoe."
        )
    )
    yield Paragraph(
        Phrase(
            "An effect of removal is the edge of the shoe with one card less, minus the edge of the full "
            "shoe."
        )
    )
    if simulated:
        yield Paragraph(
            Phrase("Exposure to counting is simulated; its tables say how long and with what error.")
        )
    rows = tuple(
        (
            check.rulebook,
            check.asked,
            Phrase("FAILED")
            if not check.passed
            else Phrase("passed" if check.asked_here else "not asked here"),
            check.found,
        )
        for check in results
    )
    sheet = Sheet(
        "Checks made while this report was written", ("rulebook", "asked", "answer", "looked at"), rows
    )
    yield Table(sheet, frozenset(number for number, check in enumerate(results) if not check.passed))


def _signatures(books: Sequence[Rulebook]) -> Iterator[Part]:
    yield Heading(2, Phrase("Signatures"), "signatures")
    yield Paragraph(
        Phrase(
            "What is signed is this report, worked out by build {hash}, of the rulebooks named here by their "
            "hashes and of no other. The hash is {which}.",
            hash=build_hash(),
            which=Series(
                dict.fromkeys(Phrase(SHA_OF_ALL if book.is_private else SHA_OF_FILE) for book in books), ", "
            ),
        )
    )
    yield Table(
        Sheet("What is signed", ("rulebook", "SHA-256"), tuple((book.id, book.sha256) for book in books))
    )
    people = (Phrase("Prepared by"), Phrase("Reviewed by"), Phrase("Released by"))
    blanks = (Phrase("name"), Phrase("position"), Phrase("date"), Phrase("signature"))
    yield Signatures(people, blanks)
