"""Titles of games and bets: the rulebook has them in two languages, the files beside it in any other."""

from __future__ import annotations

from typing import Final

from lammer.draw.words import Titled
from lammer.wording.catalogues import Language, say

IN_EVERY_GAME: Final = ("Player", "Banker", "Tie")
"""Titles whose words are known where a rulebook somebody wrote gives none in that language."""


def title_of(language: Language, titled: Titled) -> str:
    """What something is called in that language; in English where the rulebook gives nothing else.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> title_of("zh", book.bets["tie"]), title_of("en", book.bets["tie"])
    ('和', 'Tie')
    """
    own = titled.titles.get(language)
    return own or (say(language, titled.title) if titled.title in IN_EVERY_GAME else titled.title)
