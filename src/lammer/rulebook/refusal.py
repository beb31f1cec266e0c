"""Refusals: every "no" has a stable code, a sentence, a citation and the next lawful step.

Codes are declared in the `refusal_codes` of the room that gives them. A test reads every refusal and finds a
code that its room does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lammer.rulebook.citation import Citation


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
