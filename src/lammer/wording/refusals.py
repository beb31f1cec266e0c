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
    "{player} bets {staked} Insurance {moment}, more than {because}.": (
        "You bet {staked} on Insurance: that is more than you may."
    ),
    "{player} has insured that bet in this round already, and it may be insured once.": (
        "You have insured that bet in this round already, and it may be insured once."
    ),
    "{player} has no Original Bet on {hand} in box {box}.": (
        "You have no Original Bet on {hand} in box {box}."
    ),
    "{player} has not said that they will insure there.": "You have not said that you will insure there.",
    "{player} has insured all of that bet.": "You have insured all of that bet.",
    "{player} has said so already.": "You have said so already.",
    "{player} was waited for in this window already.": "You were waited for in this window already.",
    "{player} has said no to that Insurance already.": "You have said no to that Insurance already.",
    "{player} let Insurance pass in this round.": "You let Insurance pass in this round.",
    "Until the next card they may still insure.": "Until the next card you may still insure.",
    "{player}'s stake is {stake}.": "Your stake is {stake}.",
    "{player} has {has} at this table and {purse} in the purse, and stakes {stake}.": (
        "You have {has} at this table and {purse} in your purse: less than the {stake} you stake."
    ),
    "{player} has {purse} in the purse, not {amount}.": "You have {purse} in your purse, not {amount}.",
    "{player} has {has} at this table and takes {amount} away.": (
        "You have {has} at this table, not {amount}."
    ),
    "{player} has no {bet} bet in box {box}.": "You have no bet on {bet} in box {box}.",
    "{player} has {stake} there, not {amount}.": "You have {stake} there, not {amount}.",
    "{player} sits at box {box}.": "You sit at box {box}.",
    "{player} has no seat.": "You have no seat at this table.",
    "{player} is not being asked.": "You are not being asked.",
    "{player} has answered: {answer}.": "You have answered already.",
    "The {who} with the highest bet may ask, not {player}.": (
        "Another player has the highest bet and may ask."
    ),
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
