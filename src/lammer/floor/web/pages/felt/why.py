"""What a paragraph behind a settlement says, in a few words: a line of money can be read without the text.

The gists are the rulebook's own, in the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterable

from lammer.rulebook.model import Rulebook
from lammer.wording.catalogues import Language
from lammer.wording.rules import gist_of

Meaning = tuple[str, bool]
"""What a paragraph says, and whether that is when a bet wins."""


def meanings(book: Rulebook, cites: Iterable[str], language: Language) -> dict[str, Meaning]:
    """What each of these paragraphs says in that language.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> meanings(book, ["3.16"], "en"), meanings(book, ["1.30"], "zh")
    ({'3.16': ('The higher total wins', False)}, {'1.30': ('庄以两张牌 6 点胜', True)})
    """
    return {
        number: (gist_of(language, book, number), "bet_wins" in book.paragraphs[number].behaviours)
        for number in cites
        if number in book.paragraphs
    }
