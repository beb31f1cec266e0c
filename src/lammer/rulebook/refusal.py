"""Refusals: every "no" has a stable code, a sentence, a citation and the next lawful step.

A code is declared once, by the lowest room that gives it, in order of precedence: where several hold of an
input, the first is given. It is never renamed and never used for something else; new ones are added where
they belong in the order. A test reads every refusal and finds a code that its room does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from lammer.rulebook.citation import Citation

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
    }
)
"""Those of rulebooks, and what any room may say. Every other room lists its own in `refusal_codes`."""


class Refused(Exception):  # noqa: N818 (a refusal is an answer, not a fault)
    """Something the rules, or plain sense, do not allow; nothing was done.

    >>> print(Refused("not_a_card", "1X is not a card.", next_step="Write 9H for the nine of hearts."))
    Refused not_a_card: 1X is not a card. Write 9H for the nine of hearts.
    """

    def __init__(
        self, code: str, sentence: str, citation: Citation | None = None, *, next_step: str = ""
    ) -> None:
        super().__init__(code, sentence, citation, next_step)
        self.code = code
        self.sentence = sentence
        self.citation = citation
        self.next_step = next_step

    def __reduce__(self) -> tuple[Any, ...]:
        # Python would call `__init__` with everything by position, which it refuses; other processes need it.
        return type(self).__new__, (type(self), *self.args), self.__dict__

    def __str__(self) -> str:
        told = self.sentence
        if self.citation is not None:
            told = f"{told.removesuffix('.')} ({self.citation})."
        return f"Refused {self.code}: {told}{' ' if self.next_step else ''}{self.next_step}"
