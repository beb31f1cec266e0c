"""Typed values in the reader's language: phrases and what stands in their places, each by its kind."""

from __future__ import annotations

from typing import Any

from lammer.game.money import Amount
from lammer.rulebook.phrase import Phrase, Series, Title
from lammer.rulebook.refusal import Term
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_money

TERM = "term"
"""The context of words that stand in the places of a refusal: `player` is a hand there and not a person."""


def in_words(language: Language, value: Any) -> Any:
    """A value as that language says it. What is no phrase, title, term or amount stands as it is.

    >>> from lammer import rulebook
    >>> from lammer.rulebook.wording import condition_words
    >>> in_words("zh", condition_words(rulebook("tiger-buffalo-noncommission@4").bets["big_tiger"].wins))
    '庄胜，6 点，3 张牌'
    """
    match value:
        case Phrase():
            places = {name: in_words(language, part) for name, part in value.values.items()}
            return say(language, value.message, **places)
        case Series():
            return say(language, value.separator).join(in_words(language, part) for part in value.parts)
        case Title():
            return value.titles.get(language) or str(value)
        case Amount():
            return write_money(language, value)
        case Term():
            return say(language, str(value), within=TERM)
    return value
