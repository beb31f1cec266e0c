"""What a rulebook refuses, and what any room may say; every other room lists its own in a file of this name.

A code is declared once, by the lowest room that gives it, in order of precedence: where several hold of an
input, the first is given. It is never renamed and never used for something else; new ones are added where
they belong in the order.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "malformed_input": "The input is not the JSON that was asked for.",
        "cannot_write": "The file could not be written.",
        "unknown_rulebook": "No rulebook of that name is on the shelf or in that file.",
        "defective_rulebook": "The rulebook has defects; they are listed all at once.",
        "unknown_reading": "The rulebook lists no such reading, or no such choice for it.",
        "unknown_layout": "The document has no appendix of that letter.",
        "unknown_bet": "The document knows no bet of that name.",
        "not_on_this_layout": "The document has the bet, this layout does not offer it.",
        "texts_do_not_tell": "No document we hold says what was in force then.",
        "unknown_play": "The rulebook names no such play for the hands that may draw.",
    }
)
