"""Titles of games and bets: the rulebook has them in two languages, the files beside it in any other."""

from __future__ import annotations

from lammer.draw.words import Titled
from lammer.wording.catalogues import Language


def title_of(language: Language, titled: Titled) -> str:
    """What something is called in that language; in English where the rulebook gives nothing else.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> title_of("zh", book.bets["tie"]), title_of("en", book.bets["tie"])
    ('和', 'Tie')
    """
    return titled.titles.get(language) or titled.title
