"""A rulebook in another language: what its paragraphs, readings and irregularities say, in a file beside it.

`<id>.zh.toml` lies beside `<id>.toml` and is no part of its hash: a better word changes no rule. What it does
not say is said in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import replace

import msgspec

from lammer.rulebook.model import Rulebook, Translation
from lammer.rulebook.refusal import Refused


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """The file as it is written: texts by the number of a paragraph, or by the name of what they say."""

    gists: dict[str, str] = {}
    not_executable: dict[str, str] = {}
    irregularities: dict[str, str] = {}
    questions: dict[str, str] = {}
    reasons: dict[str, str] = {}
    choices: dict[str, str] = {}


def with_translation(book: Rulebook, language: str, text: str, file: str) -> Rulebook:
    """The same rulebook, in one more language; texts about nothing in it are refused.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> french = with_translation(book, "fr", '[gists]\\n"1.2" = "Trois cartes, sept"', "x.fr.toml")
    >>> french.translations["fr"].gists["1.2"], french.sha256 == book.sha256
    ('Trois cartes, sept', True)
    >>> with_translation(book, "fr", '[gists]\\n"99.1" = "?"', "x.fr.toml")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused malformed_input: x.fr.toml speaks of 99.1, which is not in ...
    """
    try:
        given = msgspec.convert(tomllib.loads(text), _File)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Refused("malformed_input", "{file} cannot be read: {why}.", file=file, why=str(error)) from None
    readings = book.readings.values()
    choices = {choice for reading in readings for choice in (reading.choice, *reading.alternatives)}
    known: Mapping[str, Collection[str]] = {
        "gists": book.paragraphs,
        "not_executable": book.paragraphs,
        "irregularities": book.irregularities,
        "questions": book.readings,
        "reasons": book.readings,
        "choices": choices,
    }
    for part, names in known.items():
        strange = sorted(set(getattr(given, part)).difference(names))
        if strange:
            raise Refused(
                "malformed_input",
                "{file} speaks of {name}, which is not in {rulebook}.",
                next_step="Take it out, or put it right.",
                file=file,
                name=strange[0],
                rulebook=book.id,
            )
    made = Translation(**msgspec.structs.asdict(given))
    return replace(book, translations={**book.translations, language: made})
