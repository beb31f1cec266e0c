"""What a rulebook is called on pages: by its title and version, where its file and our code have an id."""

from __future__ import annotations

from collections.abc import Mapping

from lammer.floor.web.pages.site.frame import Choice, choices
from lammer.rulebook.force import superseded_by
from lammer.rulebook.model import Rulebook
from lammer.wording.catalogues import ENGLISH, Language, say
from lammer.wording.figures import write_moment
from lammer.wording.titles import title_of


def book_name(language: Language, book: Rulebook) -> str:
    """A rulebook by its title and version.

    >>> from lammer import rulebook
    >>> book_name("en", rulebook("tiger-buffalo-noncommission@4"))
    'Tiger Buffalo (Non-Commission Baccarat), version 4'
    """
    return say(language, "{title}, version {version}", title=title_of(language, book), version=book.version)


def book_label(books: Mapping[str, Rulebook], book: Rulebook, language: Language) -> str:
    """The same, and of one that was superseded by which version."""
    later = superseded_by(books.values(), book)
    if later is None:
        return book_name(language, book)
    return say(
        language,
        "{title}, version {version}, superseded by version {later}",
        title=title_of(language, book),
        version=book.version,
        later=later.version,
    )


def book_choices(books: Mapping[str, Rulebook], chosen: str, language: Language = ENGLISH) -> list[Choice]:
    """The rulebooks to choose from.

    >>> from lammer import shelf
    >>> [choice.label for choice in book_choices({book.id: book for book in shelf()}, "")][2]
    'Tiger Buffalo (Non-Commission Baccarat with Insurance Plus), version 1, superseded by version 3'
    """
    return choices(((book.id, book_label(books, book, language)) for book in books.values()), chosen)


def in_force_from(language: Language, book: Rulebook) -> str:
    """From when a rulebook holds, by the clock it names.

    >>> from lammer import rulebook
    >>> in_force_from("en", rulebook("tiger-buffalo-noncommission@4"))
    '8 Aug 2025, 08:00 (UTC+08:00)'
    """
    at = book.in_force_from
    assert at.tzinfo is not None, "a rulebook says by which clock it holds"
    return f"{write_moment(language, at, at.tzinfo, seconds=False)} ({at.tzname()})"
