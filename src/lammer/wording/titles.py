"""Titles that a rulebook itself gives in two languages."""

from __future__ import annotations

from lammer.draw.words import Titled
from lammer.wording.catalogues import Language


def title_of(language: Language, thing: Titled) -> str:
    """What something is called in that language; in English where the rulebook gives nothing else.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> title_of("zh", book.bets["tie"]), title_of("en", book.bets["tie"])
    ('和', 'Tie')
    """
    return thing.title_zh if language == "zh" and thing.title_zh else thing.title
