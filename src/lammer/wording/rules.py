"""What a rulebook says in the reader's language: from the file beside it, else in English."""

from __future__ import annotations

from dataclasses import dataclass

from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Irregularity, Reading, Rulebook
from lammer.wording.catalogues import Language, say


def gist_of(language: Language, book: Rulebook, number: str) -> str:
    """What a paragraph says, in a few words; nothing where the document has no such paragraph.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> gist_of("en", book, "3.16"), gist_of("zh", book, "3.16"), gist_of("en", book, "99.1")
    ('The higher total wins', '点数大者胜', '')
    """
    paragraph = book.paragraphs.get(number)
    if paragraph is None:
        return ""
    found = book.translations.get(language)
    return found.gists.get(number, paragraph.gist) if found else paragraph.gist


def why_not_executable(language: Language, book: Rulebook, number: str) -> str:
    """Why nothing of ours answers for a paragraph; nothing where something does."""
    found, english = book.translations.get(language), book.paragraphs[number].not_executable
    return found.not_executable.get(number, english) if found else english


def irregularity_title(language: Language, book: Rulebook, rule: Irregularity) -> str:
    """What an irregularity is called."""
    found = book.translations.get(language)
    return (found and found.irregularities.get(rule.name)) or say(language, rule.title)


def choice_of(language: Language, book: Rulebook, choice: str) -> str:
    """What is chosen where a document can be read two ways."""
    found, english = book.translations.get(language), choice.replace("_", " ")
    return found.choices.get(choice, english) if found else english


@dataclass(frozen=True, slots=True)
class ReadingWords:
    """A reading as somebody reads it."""

    question: str
    choice: str
    alternatives: tuple[str, ...]
    because: str
    cites: tuple[Citation, ...]


def reading_words(language: Language, book: Rulebook, reading: Reading) -> ReadingWords:
    """How we read a place that is silent or can be read two ways, and what else a table may choose.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> reading_words("en", book, book.readings["pair"]).question
    'When do two cards form a pair?'
    """
    found = book.translations.get(language)
    return ReadingWords(
        found.questions.get(reading.name, reading.question) if found else reading.question,
        choice_of(language, book, reading.choice),
        tuple(choice_of(language, book, each) for each in reading.alternatives),
        found.reasons.get(reading.name, reading.because) if found else reading.because,
        reading.cites,
    )
