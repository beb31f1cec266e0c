"""What is refused before a request reaches a table, and every code an answer may carry."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lammer.academy.refusal_codes import CODES as OF_ACADEMY
from lammer.floor.access.refusal_codes import CODES as OF_ACCESS
from lammer.floor.record.refusal_codes import CODES as OF_RECORD
from lammer.floor.tables.refusal_codes import CODES as OF_TABLES
from lammer.game.refusal_codes import CODES as OF_GAME
from lammer.lab.refusal_codes import CODES as OF_LAB
from lammer.rulebook.refusal_codes import CODES as OF_RULEBOOK
from lammer.table.refusal_codes import CODES as OF_TABLE

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "not_signed_in": "This needs a person who is signed in, or a key.",
        "wrong_origin": "The request does not come from a page of this house.",
        "wrong_host": "The request is for a house of another name.",
        "address_in_use": "Somebody else listens there, or nobody may.",
        "too_many_streams": "So many live streams are open that a further one waits.",
        "second_factor_missing": "The house asks its staff for a second factor; none is set up.",
        "unknown_round": "The table has no such round.",
        "unknown_paragraph": "The document has no such paragraph.",
        "unknown_run": "The lab keeps no such run, or it came to nothing.",
        "work_under_way": "The house does one piece of long work at a time.",
        "rulebook_changed": "The rulebook is not the one the test was set under.",
        "unknown_player": "Nobody at the table and no account has that name; is the player new?",
        "insurance_comes_first": "Cards typed before Insurance came on offer wait until it was offered.",
        "too_much_to_try": "A rulebook on the workbench is too long, or takes too much to be worked out.",
        "too_much_asked": "More is asked of the workbench than it answers in a minute.",
        "back_bet_meant": "A bet on a box where somebody else sits is asked about once.",
    }
)

EVERY_CODE: Final[Mapping[str, str]] = MappingProxyType(
    {
        **OF_RULEBOOK,
        **OF_GAME,
        **OF_TABLE,
        **OF_ACADEMY,
        **OF_LAB,
        **OF_RECORD,
        **OF_ACCESS,
        **OF_TABLES,
        **CODES,
    }
)
"""Whatever an answer of the house may carry."""
