"""What a rulebook says in the reader's language: from the file beside it, else in English."""

from __future__ import annotations

from dataclasses import replace

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
    return "" if paragraph is None else book.translation(language).gists.get(number, paragraph.gist)


def place_name(language: Language, cited: str) -> str:
    """What is cited of a document: a paragraph is its number, a title page or an appendix is named.

    >>> place_name("zh", "4.1.2"), place_name("en", "appendix K"), place_name("zh", "appendix K")
    ('4.1.2', 'appendix K', '附录 K')
    """
    kind, _, letter = cited.partition(" ")
    if kind == "appendix":
        return say(language, "appendix {letter}", letter=letter)
    return {"title": say(language, "title page"), "contents": say(language, "contents")}.get(cited, cited)


def why_not_executable(language: Language, book: Rulebook, number: str) -> str:
    """Why nothing of ours answers for a paragraph; nothing where something does."""
    english = book.paragraphs[number].not_executable
    return book.translation(language).not_executable.get(number, english)


def irregularity_title(language: Language, book: Rulebook, rule: Irregularity) -> str:
    """What an irregularity is called."""
    return book.translation(language).irregularities.get(rule.name) or say(language, rule.title)


def choice_of(language: Language, book: Rulebook, choice: str) -> str:
    """What is chosen where a document can be read two ways."""
    return book.translation(language).choices.get(choice, choice.replace("_", " "))


def reading_words(language: Language, book: Rulebook, reading: Reading) -> Reading:
    """How we read a place that is silent or can be read two ways, and what else a table may choose.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> reading_words("en", book, book.readings["pair"]).question
    'When do two cards form a pair?'
    """
    translation = book.translation(language)
    return replace(
        reading,
        question=translation.questions.get(reading.name, reading.question),
        choice=choice_of(language, book, reading.choice),
        alternatives=tuple(choice_of(language, book, alternative) for alternative in reading.alternatives),
        because=translation.reasons.get(reading.name, reading.because),
    )
