"""Refusals in the reader's language: the message is looked up as any text is, its values by their kind."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, Final

from lammer.game.money import Amount
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips
from lammer.wording.phrases import in_words
from lammer.wording.titles import title_of


def in_language(language: Language, refused: Refused, book: Rulebook | None = None) -> Refused:
    """The same refusal as a speaker of that language reads it; code and paragraph as they were.

    With the rulebook of a table it is told to a player: bets by their titles, money as people there say it.

    >>> no = Refused("no_seated_player", "Nobody sits at box {box}.", next_step="Take the seat first.", box=3)
    >>> in_language("zh", no).sentence, in_language("zh", no).next_step
    ('3 号位没有人入座。', '请先入座。')
    """
    translated = copy(refused)
    translated.message = say(language, refused.message)
    translated.next_message = say(language, refused.next_message)
    translated.values = {
        name: _at_table(language, name, value, book) if book else in_words(language, value)
        for name, value in refused.values.items()
    }
    return translated


TO_YOU: Final[Mapping[str, str]] = {
    "{player} bets {stake} more Insurance than {because}.": (
        "You bet {stake}: that is more Insurance than you may still bet."
    ),
    "{player} has insured all of that bet.": "You have insured all of that bet.",
    "{player} has said so already.": "You have said so already.",
    "{player} was waited for in this window already.": "You were waited for in this window already.",
    "{player} has said no to that Insurance already.": "You have said no to that Insurance already.",
    "{player} let Insurance pass in this round.": "You let Insurance pass in this round.",
    "Until the next card they may still insure.": "Until the next card you may still insure.",
}
"""What staff are told about a player, and the same said to that player."""


def to_you(refused: Refused, player: str) -> Refused:
    """The same refusal said to the player it is about; any other as it was.

    >>> no = Refused("insurance_forgone", "{player} let Insurance pass in this round.", player="mei")
    >>> to_you(no, "mei").sentence, to_you(no, "ben").sentence
    ('You let Insurance pass in this round.', 'mei let Insurance pass in this round.')
    """
    if refused.values.get("player") != player:
        return refused
    addressed = copy(refused)
    addressed.message = TO_YOU.get(refused.message, refused.message)
    addressed.next_message = TO_YOU.get(refused.next_message, refused.next_message)
    return addressed


def _at_table(language: Language, name: str, value: Any, book: Rulebook) -> Any:
    if name == "bet" and value in book.bets:
        return title_of(language, book.bets[value])
    return write_chips(language, value) if isinstance(value, Amount) else in_words(language, value)
