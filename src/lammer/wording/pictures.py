"""The words on pictures in the reader's language."""

from __future__ import annotations

from functools import cache, partial

from lammer.draw.words import Words
from lammer.wording.catalogues import Language, say
from lammer.wording.titles import title_of


@cache
def picture_words(language: Language) -> Words:
    """What is handed to a drawing for a reader of that language.

    >>> from lammer import draw, parse_cards
    >>> "黑桃Q" in draw.card(parse_cards("QS")[0], words=picture_words("zh"))
    True
    """
    return Words(partial(say, language), partial(title_of, language))
