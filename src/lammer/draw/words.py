"""The words on a picture, in whatever language they are handed in; a picture by itself speaks English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

JOINER: Final = "joiner"
"""The context of what stands between the parts of a list."""
GLYPH: Final = "glyph"
"""The context of a word for which there is room for one letter."""


class Titled(Protocol):
    """A rulebook or a bet."""

    @property
    def title(self) -> str: ...
    @property
    def titles(self) -> Mapping[str, str]: ...


class Say(Protocol):
    """Says an English text in some language; `within` tells one text from another of the same letters."""

    def __call__(self, text: str, *, within: str = "", **values: Any) -> str: ...


@dataclass(frozen=True, slots=True)
class Words:
    """What is said on a picture, and what rulebooks and bets are called there."""

    say: Say
    title: Callable[[Titled], str]


def _in_english(text: str, *, within: str = "", **values: Any) -> str:
    return text.format(**values) if values else text


def _english_title(titled: Titled) -> str:
    return titled.title


ENGLISH: Final = Words(_in_english, _english_title)
