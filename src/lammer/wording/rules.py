"""What a rulebook says in the reader's language: from the file beside it, else in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from lammer.rulebook.model import Irregularity, Reading, Rulebook
from lammer.wording.catalogues import Language, say

CHOICES: Final[Mapping[str, str]] = {
    "same_rank": "When their ranks are the same",
    "same_value": "When their points are the same",
    "round": "For the rest of the round",
    "window": "For that window alone",
    "as_it_really_was": "It goes by the situation as it really was",
    "as_taken": "It stays at the odds and the limit it was taken at",
    "banker_0_1_2": "When the Banker has 0, 1 or 2",
    "any_total": "At any total",
    "now_or_missed": "At those of the situation now; where it is not listed, at those that were missed",
    "now_only": "Only at those of the situation now",
    "missed_only": "Only at those that were missed",
    "bets_offered": "Every bet the layout offers",
    "bets_placed": "Only bets that were placed",
    "player_and_banker_only": "Only Player and Banker",
    "strict": "The system: it refuses what is outside",
    "advisory": "The dealer: the system records with a warning",
    "down_to_the_cent": "Winnings are rounded down to the cent",
    "even_stakes_only": "Only stakes that pay evenly are taken",
    "all_bets_of_the_round": "All bets of the round",
    "undecided_bets_only": "Only bets that are not decided yet",
    "always": "Yes, always",
    "order_unknown": "Only where the order cannot be told",
    "round_is_over": "The round is over: no options are given any more",
    "as_if_under_way": "All of it, as if the round were still under way",
    "proper_order": "As if the cards had been dealt in their proper order",
    "strike_where_it_lay": "The extra card is struck out where it lay",
    "void_round": "No, the whole round is void",
    "decided_side_bets_stand": "Yes, they keep their result",
    "largest_single_bet": "The largest single bet on Player or Banker",
    "largest_of_any_kind": "The largest bet of any kind",
}
"""What a table may choose, in English: a document names its choices, and a released one is never edited."""


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
    """What is chosen where a document can be read two ways.

    >>> from lammer import rulebook
    >>> choice_of("en", rulebook("tiger-buffalo-noncommission@4"), "advisory")
    'The dealer: the system records with a warning'
    """
    words = book.translation(language).choices.get(choice)
    return words or CHOICES.get(choice, choice.replace("_", " "))


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
