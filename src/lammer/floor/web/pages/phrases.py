"""English sentences said over again in Chinese, each known by its shape; amounts and names are carried over.

The table and the rooms below the pages speak English alone. Each kind of reader has phrases of its own; what
those do not know is said as `refusals` says it to everybody.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

SIDES: Final = {"player": "闲", "banker": "庄", "Player": "闲", "Banker": "庄"}


def as_it_is(part: str) -> str:
    """A name or an amount stands as it stood."""
    return part


@dataclass(frozen=True, slots=True)
class Phrases:
    """Shapes with what is said in their place; `word` says what was found in a shape's own places."""

    shapes: tuple[tuple[re.Pattern[str], str], ...]
    word: Callable[[str], str] = as_it_is

    @classmethod
    def of(cls, *pairs: tuple[str, str], word: Callable[[str], str] = as_it_is) -> Phrases:
        return cls(tuple((re.compile(shape), told) for shape, told in pairs), word)

    def said(self, sentence: str) -> str:
        """A sentence in Chinese, or nothing where its shape is not known.

        >>> known = Phrases.of((r"Nobody sits at box (\\d+)\\.", "{0} 号位没有人入座。"))
        >>> known.said("Nobody sits at box 3."), known.said("The shoe fell down.")
        ('3 号位没有人入座。', '')
        """
        for shape, told in self.shapes:
            match = shape.fullmatch(sentence)
            if match is not None:
                return told.format(*map(self.word, match.groups()))
        return ""
