"""What a round came to, and what a correction changed, in a few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lammer.wording.catalogues import Language, say
from lammer.wording.events import SIDES
from lammer.wording.figures import write_signed

STATES: Final = {
    "under way": "under way",
    "interrupted": "interrupted",
    "void": "void",
    "concluded": "concluded",
    "reopened": "reopened",
}
"""How a round stands that came to no result."""


def outcome_words(language: Language, state: str, winner: str, points: int | None) -> str:
    """What a round came to.

    >>> outcome_words("en", "settled", "banker", 8), outcome_words("zh", "settled", "tie", 6)
    ('Banker 8', '和 6 点')
    >>> outcome_words("en", "void", "", None)
    'void'
    """
    if state != "settled":
        return say(language, STATES[state])
    return say(language, "{side} {points}", side=say(language, SIDES[winner]), points=points)


def correction_words(language: Language, number: int, before: str, after: str) -> str:
    """That a round was corrected, and what became of its result.

    >>> correction_words("en", 12, "Player 7", "Banker 8")
    'Round 12 was corrected: Banker 8 instead of Player 7.'
    >>> correction_words("en", 12, "Banker 8", "Banker 8")
    'Round 12 was corrected; the result is still Banker 8.'
    """
    if before == after:
        return say(language, "Round {number} was corrected; the result is still {after}.", number=number,
                   after=after)  # fmt: skip
    return say(
        language,
        "Round {number} was corrected: {after} instead of {before}.",
        number=number,
        after=after,
        before=before,
    )


def gain_words(language: Language, cents: int) -> str:
    """What a correction gave its reader or took from them.

    >>> gain_words("en", 40_00), gain_words("en", -47_50)
    ('+40.00 for you.', '−47.50 for you.')
    >>> gain_words("en", 0)
    'Nothing changes for you.'
    """
    if not cents:
        return say(language, "Nothing changes for you.")
    return say(language, "{gain} for you.", gain=write_signed(language, cents))


def cited_words(paragraphs: Iterable[str]) -> str:
    """The paragraphs something stands on.

    >>> cited_words(("5.5.3", "5.5.4"))
    '§ 5.5.3, 5.5.4'
    """
    cited = ", ".join(paragraphs)
    return f"§ {cited}" if cited else ""
