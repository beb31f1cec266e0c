"""Catalogues of texts: one gettext file a language, read once. A further language is a further file.

A text without a translation is said in English. Tests find those, and places that are not carried over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from babel import Locale

Language = str
"""The name of a language: `en`, or that of its file."""

ENGLISH: Final = "en"
_WITHIN: Final = "\x04"
"""Stands between a context and its text, as gettext has it."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A language: what its speakers call it, how HTML names it, and its texts by the English ones."""

    name: str
    tag: str
    texts: Mapping[str, str]


def read_catalogue(file: Traversable) -> Catalogue:
    """Read one file."""
    from babel.messages.pofile import read_po  # noqa: PLC0415 (whoever speaks English need not wait for it)

    with file.open("rb") as stream:
        messages = read_po(stream, abort_invalid=True)
    locale = messages.locale
    assert locale is not None, f"{file.name} does not name its language"
    texts = {
        f"{message.context}{_WITHIN}{message.id}" if message.context else str(message.id): str(message.string)
        for message in messages
        if message.id and message.string
    }
    return Catalogue(_own_name(locale), str(locale).replace("_", "-"), MappingProxyType(texts))


def _own_name(locale: Locale) -> str:
    plain = type(locale)(locale.language)
    return (plain.get_display_name() or locale.language).capitalize()


def folder() -> Traversable:
    """Where the files lie."""
    return resources.files("lammer.wording") / "languages"


@cache
def catalogues() -> Mapping[Language, Catalogue]:
    """Every language there is, English first.

    >>> [(language, catalogue.name, catalogue.tag) for language, catalogue in catalogues().items()]
    [('en', 'English', 'en'), ('zh', '中文', 'zh-Hans')]
    """
    from babel import Locale  # noqa: PLC0415

    english = Catalogue(_own_name(Locale(ENGLISH)), ENGLISH, MappingProxyType({}))
    files = sorted(
        (file for file in folder().iterdir() if file.name.endswith(".po")), key=lambda file: file.name
    )
    return MappingProxyType(
        {ENGLISH: english} | {file.name.removesuffix(".po"): read_catalogue(file) for file in files}
    )


def say(language: Language, text: str, *, within: str = "", **values: Any) -> str:
    """A text in that language, its places filled; `within` tells one text from another of the same letters.

    >>> say("zh", "Banker"), say("en", "Round {number}", number=7), say("zh", "B", within="glyph")
    ('庄', 'Round 7', '庄')
    """
    translated = text
    if language != ENGLISH:
        translated = catalogues()[language].texts.get(f"{within}{_WITHIN}{text}" if within else text, text)
    return translated.format(**values) if values else translated


def first_known(accepted: str) -> Language:
    """The first language of a browser's list that there is.

    >>> first_known("fr-CH, zh-CN;q=0.9, en;q=0.8"), first_known("fr"), first_known("")
    ('zh', 'en', 'en')
    """
    wanted = (part.partition(";")[0].strip().partition("-")[0].lower() for part in accepted.split(","))
    return next((language for language in wanted if language in catalogues()), ENGLISH)
