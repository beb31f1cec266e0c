"""What a rulebook somebody typed comes to: problems by line, figures, and those of another beside them.

Worked out in a process of its own (`workbench`), so everything handed in and out is plain: texts and numbers,
already in the reader's language. It reads rulebooks and counts; nothing in the text is ever executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path

from lammer.lab.exact.analysis import Analysis, BetEdge, deviation, percent
from lammer.lab.exact.doubts import doubts
from lammer.lab.exact.edges import edges
from lammer.lab.exact.targets import odds_for
from lammer.rulebook.diff import Change, diff
from lammer.rulebook.load import load, whole_text
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import parse_rate
from lammer.rulebook.problems import DefectiveRulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.wording import pays_words
from lammer.shelf import read, rulebook, shipped_ids, text_by_id
from lammer.wording.catalogues import Language, say
from lammer.wording.phrases import in_words
from lammer.wording.refusals import in_language
from lammer.wording.rules import reading_words
from lammer.wording.titles import title_of

FILE = "rulebook.toml"
MOST_PROBLEMS = 50
LEAST_ODDS, MOST_ODDS = Fraction(1, 20), 1000
"""Odds no house would print lie outside; an edge that asks for them is out of reach."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is tried: the text, what it is held against, and perhaps an edge to be reached.

    `folder` has the rulebooks of the house, for whoever may know them; empty for strangers.
    """

    text: str
    language: Language
    against: str = ""
    bet: str = ""
    line: str = ""
    edge: str = ""
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong, and in which line."""

    line: int
    where: str
    sentence: str


@dataclass(frozen=True, slots=True)
class BetFigures:
    """A bet's figures, and the same of the rulebook beside it; empty where that has no such bet."""

    name: str
    title: str
    pays: str
    edge: str
    deviation: str
    hit: str
    edge_was: str = ""
    deviation_was: str = ""
    hit_was: str = ""
    moved: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it. With faults there are no figures."""

    faults: tuple[Fault, ...] = ()
    id: str = ""
    title: str = ""
    sha256: str = ""
    decks: str = ""
    lacks: int = 0
    against: str = ""
    bets: tuple[BetFigures, ...] = ()
    gone: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    reached: str = ""
    whole: str = ""


def try_out(asked: Asked) -> Tried:
    """Read it and count it.

    >>> tried = try_out(Asked("[rulebook]\\ngame = 'mine'\\nluck = 7", "en"))
    >>> [(fault.line, fault.where) for fault in tried.faults][-1]
    (3, 'rulebook.luck')
    """
    find = partial(_find, folder=asked.folder)
    try:
        book = load(asked.text, FILE, find)
    except DefectiveRulebook as defective:
        faults = (
            Fault(problem.row, problem.where, _fault_words(asked.language, problem.expected, problem.found))
            for problem in defective.problems[:MOST_PROBLEMS]
        )
        return Tried(tuple(faults))
    except Refused as refused:
        refusal = in_language(asked.language, refused)
        return Tried((Fault(1, "rulebook.based_on", f"{refusal.sentence} {refusal.next_step}"),))
    analysis = edges(book)
    other = _other(asked.against or book.based_on, asked.folder)
    before = _document(other, book.cards.usual_decks) if other else None
    return Tried(
        id=book.id,
        title=title_of(asked.language, book),
        sha256=book.sha256,
        decks=str(book.cards.usual_decks),
        lacks=len(book.lacks),
        against=other.id if other else "",
        bets=tuple(_rows(book, analysis, before, asked.language)),
        gone=tuple(title_of(asked.language, bet) for bet in other.bets.values() if bet.name not in book.bets)
        if other
        else (),
        doubts=tuple(in_words(asked.language, doubt) for doubt in doubts(book, analysis)),
        changes=tuple(
            _change_words(asked.language, change, other, book)
            for change in (diff(other, book) if other else ())
            if change.kind != "identity"
        ),
        reached=_reached(book, analysis, asked),
        whole=whole_text(asked.text, FILE, find),
    )


def _change_words(
    language: Language, change: Change, before: Rulebook | None, after: Rulebook
) -> tuple[str, str]:
    """What a change is about and what changed, with the verb where something came or went."""
    subject, sentence = in_words(language, change.subject), in_words(language, change.sentence)
    about, _, verb = change.kind.rpartition(" ")
    done = say(language, "added") if verb == "added" else say(language, "removed")
    if about == "reading":
        book = before if verb == "removed" and before is not None else after
        words = reading_words(language, book, book.readings[change.subject])
        return words.question, sentence if verb == "changed" else f"{done}: {words.choice}"
    # Of a whole bet, layout or irregularity that came or went there is no more to say.
    return subject, done if verb in ("added", "removed") else sentence


def _fault_words(language: Language, expected: str, found: str) -> str:
    return say(language, "expected {expected}, found {found}", expected=expected, found=found)


def _find(name: str, folder: str) -> str:
    return text_by_id(name, Path(folder) if folder else None)


@lru_cache(maxsize=64)
def _other(name: str, folder: str) -> Rulebook | None:
    """The rulebook beside it; none where it is not there, which is no fault of the text."""
    if name in shipped_ids():
        return rulebook(name)
    file = Path(folder) / f"{name}.toml" if folder and name and "/" not in name else None
    return read(file) if file is not None and file.is_file() else None


@lru_cache(maxsize=64)
def _document(book: Rulebook, decks: int) -> Analysis:
    return edges(book, decks=decks)


def _rows(
    book: Rulebook, analysis: Analysis, before: Analysis | None, language: Language
) -> Iterator[BetFigures]:
    old = {edge.bet: edge for edge in before.bets} if before else {}
    for edge in analysis.bets:
        bet, was = book.bets[edge.bet], old.get(edge.bet)
        yield BetFigures(
            name=edge.bet,
            title=title_of(language, bet),
            pays=in_words(language, pays_words(bet)),
            edge=percent(edge.edge),
            deviation=deviation(edge.variance, 3),
            hit=percent(edge.share("won"), 3),
            edge_was=percent(was.edge) if was else "",
            deviation_was=deviation(was.variance, 3) if was else "",
            hit_was=percent(was.share("won"), 3) if was else "",
            moved=_moved(edge, was),
            lines=tuple(dict.fromkeys(str(outcome.pays) for outcome in edge.outcomes if outcome.pays)),
        )


def _moved(now: BetEdge, was: BetEdge | None) -> str:
    if was is None or now.edge == was.edge:
        return ""
    return ("▲ " if now.edge > was.edge else "▼ ") + percent(now.edge - was.edge).lstrip("-")


def _reached(book: Rulebook, analysis: Analysis, asked: Asked) -> str:
    """Which odds reach the edge that is asked for, in a sentence."""
    if not (asked.edge and asked.bet):
        return ""
    edge = asked.edge.strip().rstrip("%")
    try:
        wanted = Fraction(0) if not edge.strip("0.") else parse_rate(f"{edge}%")
        target = odds_for(analysis.bet(asked.bet), asked.line, wanted)
    except ValueError:
        return say(asked.language, "An edge is a percentage between 0 and 100, such as 5.")
    except Refused as refused:
        refusal = in_language(asked.language, refused)
        return f"{refusal.sentence} {refusal.next_step}"
    sides = [side for side in (target.below, target.above) if side]
    title = title_of(asked.language, book.bets[asked.bet])
    if not LEAST_ODDS <= target.odds <= MOST_ODDS:
        return say(
            asked.language,
            "{bet}: no sensible odds instead of {line} would leave {edge}%.",
            bet=title,
            line=asked.line,
            edge=percent(wanted, 2),
        )
    odds = Fraction(round(target.odds * 10_000), 10_000)
    written = f"{float(odds):.4f}".rstrip("0").rstrip(".")
    return say(
        asked.language,
        "{bet}: {odds}:1 instead of {line} would leave exactly {edge}%. Nearest whole odds: {nearest}."
        if odds == target.odds
        else "{bet}: about {odds}:1 instead of {line} would leave {edge}%. Nearest whole odds: {nearest}.",
        bet=title,
        odds=written,
        line=asked.line,
        edge=percent(wanted, 2),
        nearest=", ".join(f"{whole}:1 → {percent(left)}%" for whole, left in sides),
    )
