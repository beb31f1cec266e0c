"""What a round came to, bet by bet, as its receipt says it: a sentence, the arithmetic, the paragraphs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from lammer.floor.web.pages.payouts import Line, Result
from lammer.floor.web.pages.why import Meaning, meanings
from lammer.rulebook.model import Rulebook
from lammer.wording.catalogues import Language, say

MARKS: Final = {"up": "▲", "down": "▼", "even": "●"}


@dataclass(frozen=True, slots=True)
class Reason:
    """A paragraph a line stands on, and what it says of it."""

    paragraph: str
    words: str


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One bet of a receipt; its kind is up, down or even."""

    kind: str
    mark: str
    sentence: str
    sum: str
    gain: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """A whole receipt, with what its lines come to."""

    lines: tuple[ReceiptLine, ...]
    gain: str
    book: str


def receipt(language: Language, book: Rulebook, result: Result | None) -> Receipt | None:
    """The receipt of a result; none without bets."""
    if result is None or not result.lines:
        return None
    cites = [cite for line in result.lines for cite in line.cites]
    known = meanings(book, cites, language)
    return Receipt(tuple(_line(language, line, known) for line in result.lines), result.gain, book.id)


def _line(language: Language, line: Line, known: dict[str, Meaning]) -> ReceiptLine:
    kind = "up" if line.net > 0 else "down" if line.net < 0 else "even"
    return ReceiptLine(
        kind,
        MARKS[kind],
        _sentence(language, line, kind),
        line.sum,
        line.gain,
        tuple(Reason(cite, _words(language, kind, *known.get(cite, ("", False)))) for cite in line.cites),
    )


def _sentence(language: Language, line: Line, kind: str) -> str:
    t = partial(say, language, stake=line.stake, bet=line.bet)
    if kind == "up":
        return t(
            "Your {stake} on {bet} won {profit} at {pays}.",
            profit=line.gain.replace("+", ""),
            pays=line.pays,
        )
    return t("Your {stake} on {bet} lost.") if kind == "down" else t("Your {stake} on {bet} came back.")


def _words(language: Language, kind: str, gist: str, wins: bool) -> str:
    """What a paragraph says; of a bet that lost, when it would have won."""
    t = partial(say, language)
    return t("It wins when: {what}", what=gist) if gist and wins and kind == "down" else gist
