"""Catalogues of texts: one gettext file a language, read once. A further language is a further file.

A text without a translation is said in English. Tests find those, and places that are not carried over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import c2py
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
    """A language: what its speakers call it, how HTML names it, and its texts by the English ones.

    `locale` has its conventions. `plurals` has the forms of texts about a number of things, by the English
    for one of them; `form_of` says which of the forms a number takes.
    """

    name: str
    tag: str
    locale: Locale
    texts: Mapping[str, str]
    plurals: Mapping[str, tuple[str, ...]]
    form_of: Callable[[int], int]


def read_catalogue(file: Traversable) -> Catalogue:
    """Read one file."""
    from babel.messages.pofile import read_po  # noqa: PLC0415 (whoever speaks English need not wait for it)

    with file.open("rb") as stream:
        messages = read_po(stream, abort_invalid=True)
    locale = messages.locale
    assert locale is not None, f"{file.name} does not name its language"
    texts: dict[str, str] = {}
    plurals: dict[str, tuple[str, ...]] = {}
    for message in messages:
        if not message.id or not message.string:
            continue
        if isinstance(message.string, str):
            texts[f"{message.context}{_WITHIN}{message.id}" if message.context else str(message.id)] = (
                message.string
            )
        elif all(message.string):
            plurals[message.id[0]] = tuple(message.string)
    return Catalogue(
        _own_name(locale),
        str(locale).replace("_", "-"),
        locale,
        MappingProxyType(texts),
        MappingProxyType(plurals),
        c2py(messages.plural_expr),
    )


def _own_name(locale: Locale) -> str:
    plain = type(locale)(locale.language)
    return (plain.get_display_name() or locale.language).capitalize()


def folder() -> Traversable:
    """Where the files lie."""
    return resources.files("lammer.wording") / "languages"


@cache
def conventions_of(language: Language) -> Locale:
    """How a language writes numbers, dates and lists. For English no file is read.

    >>> str(conventions_of("en")), str(conventions_of("zh"))
    ('en_001', 'zh_Hans')
    """
    from babel import Locale  # noqa: PLC0415

    return Locale(ENGLISH, "001") if language == ENGLISH else catalogues()[language].locale


@cache
def catalogues() -> Mapping[Language, Catalogue]:
    """Every language there is, English first.

    >>> [(language, catalogue.name, catalogue.tag) for language, catalogue in catalogues().items()]
    [('en', 'English', 'en'), ('zh', '中文', 'zh-Hans')]
    """
    from babel import Locale  # noqa: PLC0415

    nothing: Mapping[str, Any] = MappingProxyType({})
    english = Catalogue(
        _own_name(Locale(ENGLISH)), ENGLISH, conventions_of(ENGLISH), nothing, nothing, _in_english
    )
    files = sorted((file for file in folder().iterdir() if file.name.endswith(".po")), key=lambda at: at.name)
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


def say_count(language: Language, one: str, many: str, count: int, **values: Any) -> str:
    """A text about a number of things, in the form that the number takes in that language.

    >>> cards = "{count} card of {hand}", "{count} cards of {hand}"
    >>> say_count("en", *cards, 1, hand="Player"), say_count("en", *cards, 3, hand="Player")
    ('1 card of Player', '3 cards of Player')
    """
    forms: Sequence[str] = (one, many)
    form = _in_english(count)
    if language != ENGLISH and (translated := catalogues()[language].plurals.get(one)):
        forms, form = translated, catalogues()[language].form_of(count)
    return forms[form].format(count=count, **values)


def _in_english(count: int) -> int:
    return 0 if count == 1 else 1


def first_known(accepted: str) -> Language:
    """The first language of a browser's list that there is.

    >>> first_known("fr-CH, zh-CN;q=0.9, en;q=0.8"), first_known("fr"), first_known("")
    ('zh', 'en', 'en')
    """
    wanted = (part.partition(";")[0].strip().partition("-")[0].lower() for part in accepted.split(","))
    return next((language for language in wanted if language in catalogues()), ENGLISH)
