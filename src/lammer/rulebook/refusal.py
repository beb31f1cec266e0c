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


class Term(str):
    """A word that every language has its own for: a hand, a side, a role. Anything else stands as it is."""

    __slots__ = ()


class Refused(Exception):  # noqa: N818 (a refusal is an answer, not a fault)
    """Something the rules, or plain sense, do not allow; nothing was done.

    `message` and `next_message` are what is said, with named places in braces where there are values, and the
    keys under which `wording` finds them in other languages. `sentence` and `next_step` are the English.

    >>> print(Refused("not_a_card", "{card} is not a card.", next_step="Write 9H.", card="1X"))
    Refused not_a_card: 1X is not a card. Write 9H.
    """

    def __init__(
        self, code: str, message: str, citation: Citation | None = None, *, next_step: str = "", **values: Any
    ) -> None:
        super().__init__(code, message, citation, next_step)
        self.code = code
        self.message = message
        self.next_message = next_step
        self.citation = citation
        self.values: Mapping[str, Any] = values

    @property
    def sentence(self) -> str:
        """What is refused, in English."""
        return self.message.format(**self.values) if self.values else self.message

    @property
    def next_step(self) -> str:
        """What may be done instead, in English."""
        return self.next_message.format(**self.values) if self.values else self.next_message

    def __reduce__(self) -> tuple[Any, ...]:
        # Python would call `__init__` with everything by position, which it refuses; other processes need it.
        return type(self).__new__, (type(self), *self.args), self.__dict__

    def __str__(self) -> str:
        sentence = self.sentence
        if self.citation is not None:
            sentence = f"{sentence.removesuffix('.')} ({self.citation})."
        return f"Refused {self.code}: {sentence}{' ' if self.next_message else ''}{self.next_step}"
