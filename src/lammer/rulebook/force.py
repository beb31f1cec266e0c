"""Which rulebook is in force: by game and moment, and honestly where the texts do not tell.

A document says from when it holds, never until when. The next version we hold ends it; where a version
between the two is missing from the texts, the answer says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused


@dataclass(frozen=True, slots=True)
class InForce:
    """The rulebook that held at a moment, and what has to be said beside it."""

    rulebook: Rulebook
    caveat: str


def versions(books: Iterable[Rulebook], game: str) -> list[Rulebook]:
    """The versions of a game among these, oldest first."""
    return sorted((book for book in books if book.game == game), key=lambda book: book.version)


def superseded_by(books: Iterable[Rulebook], book: Rulebook) -> Rulebook | None:
    """The next later version we hold of the same game, if there is one.

    >>> from lammer import rulebook, shelf
    >>> superseded_by(shelf(), rulebook("tiger-buffalo-noncommission-insurance@1")).id
    'tiger-buffalo-noncommission-insurance@3'
    """
    later = [other for other in books if other.game == book.game and other.version > book.version]
    return min(later, key=lambda other: other.version, default=None)


def in_force(books: Iterable[Rulebook], game: str, moment: datetime) -> InForce:
    """What was in force for a game at a moment, or `texts_do_not_tell` before the first version held.

    >>> from lammer import shelf
    >>> noon = datetime.fromisoformat("2025-06-01T12:00+08:00")
    >>> found = in_force(shelf(), "tiger-buffalo-noncommission-insurance", noon)
    >>> found.rulebook.version, found.caveat
    (1, 'version 2 is not among the texts and may have been in force')
    """
    versions_held = versions(books, game)
    if not versions_held:
        games = sorted({book.game for book in books})
        raise Refused(
            "unknown_rulebook",
            "There is no game {game}.",
            next_step="Games: {games}." if games else "",
            game=repr(game),
            games=", ".join(games),
        )
    started = [book for book in versions_held if book.in_force_from <= moment]
    if not started:
        first = versions_held[0]
        raise Refused(
            "texts_do_not_tell",
            "The first version of {game} we hold is {first}, in force from {when};"
            " the texts do not tell what held before",
            first.identity,
            game=game,
            first=first.id,
            when=force_start(first),
        )
    book = started[-1]
    later = superseded_by(versions_held, book)
    missing = range(book.version + 1, later.version) if later else ()
    if not missing:
        return InForce(book, "")
    numbers = ", ".join(str(version) for version in missing)
    if len(missing) == 1:
        caveat = Phrase("version {number} is not among the texts and may have been in force", number=numbers)
    else:
        caveat = Phrase(
            "versions {numbers} are not among the texts and may have been in force", numbers=numbers
        )
    return InForce(book, caveat)


def standing(books: Iterable[Rulebook], book: Rulebook, moment: datetime) -> Phrase:
    """How one rulebook stands at a moment, in words.

    >>> from lammer import rulebook, shelf
    >>> noon = datetime.fromisoformat("2026-06-01T12:00+08:00")
    >>> standing(shelf(), rulebook("tiger-buffalo-noncommission-insurance@1"), noon)
    'superseded by tiger-buffalo-noncommission-insurance@3'
    """
    versions_held = versions(books, book.game)
    if book.in_force_from > moment:
        if book is versions_held[0]:
            return Phrase("not yet; the texts do not tell what held then")
        return Phrase("not yet")
    current = in_force(versions_held, book.game, moment)
    if current.rulebook is not book:
        later = superseded_by(versions_held, book)
        return Phrase("superseded by {rulebook}", rulebook=later.id) if later else Phrase("")
    return Phrase("in force, but {caveat}", caveat=current.caveat) if current.caveat else Phrase("in force")


def force_start(book: Rulebook) -> str:
    """From when a rulebook holds, with the offset of its time zone.

    >>> from lammer import rulebook
    >>> force_start(rulebook("tiger-buffalo-noncommission@4"))
    '2025-08-08 08:00+08:00'
    """
    return book.in_force_from.isoformat(sep=" ", timespec="minutes")
