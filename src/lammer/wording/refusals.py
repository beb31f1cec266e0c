"""Refusals in the reader's language: the message is looked up as any text is, its values by their kind."""

from __future__ import annotations

from copy import copy

from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.phrases import in_words


def in_language(language: Language, refused: Refused) -> Refused:
    """The same refusal as a speaker of that language reads it; code and paragraph as they were.

    >>> no = Refused("no_seated_player", "Nobody sits at box {box}.", next_step="Take the seat first.", box=3)
    >>> in_language("zh", no).sentence, in_language("zh", no).next_step
    ('3 号位没有人入座。', '请先入座。')
    """
    translated = copy(refused)
    translated.message = say(language, refused.message)
    translated.next_message = say(language, refused.next_message)
    translated.values = {name: in_words(language, value) for name, value in refused.values.items()}
    return translated
