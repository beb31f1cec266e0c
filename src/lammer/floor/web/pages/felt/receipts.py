"""What a round came to, bet by bet, as its receipt says it: a sentence, the arithmetic, the paragraphs."""

from __future__ import annotations

from dataclasses import dataclass

from lammer.floor.web.pages.felt.payouts import Line, Result
from lammer.floor.web.pages.felt.why import Meaning, meanings
from lammer.rulebook.model import Rulebook
from lammer.wording.catalogues import Language, say

Reasons = list[tuple[str, str]]
"""The paragraphs a line stands on, each with what it says of it."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A whole receipt: each line with its reasons, and what the lines come to."""

    lines: list[tuple[Line, Reasons]]
    gain: str
    book: str


def receipt(language: Language, book: Rulebook, result: Result | None) -> Receipt | None:
    """The receipt of a result; none without bets."""
    if result is None or not result.lines:
        return None
    cites = [cite for line in result.lines for cite in line.cites]
    known = meanings(book, cites, language)
    return Receipt([(line, _reasons(language, line, known)) for line in result.lines], result.gain, book.id)


def _reasons(language: Language, line: Line, known: dict[str, Meaning]) -> Reasons:
    """What each paragraph says; of a bet that lost, when it would have won."""
    reasons = []
    for cite in line.cites:
        gist, wins = known.get(cite, ("", False))
        if gist and wins and line.kind == "down":
            gist = say(language, "It wins when: {what}", what=gist)
        reasons.append((cite, gist))
    return reasons
