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
    translation = book.translations.get(language)
    return translation.gists.get(number, paragraph.gist) if translation else paragraph.gist


def why_not_executable(language: Language, book: Rulebook, number: str) -> str:
    """Why nothing of ours answers for a paragraph; nothing where something does."""
    translation, english = book.translations.get(language), book.paragraphs[number].not_executable
    return translation.not_executable.get(number, english) if translation else english


def irregularity_title(language: Language, book: Rulebook, rule: Irregularity) -> str:
    """What an irregularity is called."""
    translation = book.translations.get(language)
    return (translation and translation.irregularities.get(rule.name)) or say(language, rule.title)


def choice_of(language: Language, book: Rulebook, choice: str) -> str:
    """What is chosen where a document can be read two ways."""
    translation, english = book.translations.get(language), choice.replace("_", " ")
    return translation.choices.get(choice, english) if translation else english


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
    translation = book.translations.get(language)
    return ReadingWords(
        translation.questions.get(reading.name, reading.question) if translation else reading.question,
        choice_of(language, book, reading.choice),
        tuple(choice_of(language, book, alternative) for alternative in reading.alternatives),
        translation.reasons.get(reading.name, reading.because) if translation else reading.because,
        reading.cites,
    )
