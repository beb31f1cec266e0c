"""A rulebook in another language: what its paragraphs, readings and irregularities say, in a file beside it.

`<id>.zh.toml` lies beside `<id>.toml` and is no part of its hash: a better word changes no rule. What it does
not say is said in English. `title` and `[bets]` name the game and its bets; the Chinese of those is in the
document itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

from lammer.rulebook.betting import Bet
from lammer.rulebook.model import Rulebook, Translation
from lammer.rulebook.refusal import Refused


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
        texts_by_part = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused("malformed_input", "{file} cannot be read: {why}.", file=file, why=str(error)) from None
    readings = book.readings.values()
    known: Mapping[str, Collection[str]] = {
        "gists": book.paragraphs,
        "not_executable": book.paragraphs,
        "irregularities": book.irregularities,
        "questions": book.readings,
        "reasons": book.readings,
        "title": ("title",),
        "bets": book.bets,
        "choices": {choice for reading in readings for choice in (reading.choice, *reading.alternatives)},
    }
    title, bets = texts_by_part.pop("title", ""), texts_by_part.pop("bets", {})
    for part, texts in {**texts_by_part, "title": {"title": title}, "bets": bets}.items():
        if part not in known or not _all_text(texts):
            why = f"{part} is none of {', '.join(known)}, or no table of texts"
            raise Refused("malformed_input", "{file} cannot be read: {why}.", file=file, why=why)
        strange = sorted(set(texts).difference(known[part]))
        if strange:
            raise Refused(
                "malformed_input",
                "{file} speaks of {name}, which is not in {rulebook}.",
                next_step="Take it out, or put it right.",
                file=file,
                name=strange[0],
                rulebook=book.id,
            )
    translation = Translation(**texts_by_part)
    return replace(
        book,
        bets=MappingProxyType({name: _with_title(bet, language, bets) for name, bet in book.bets.items()}),
        titles={**book.titles, language: title} if title else book.titles,
        translations={**book.translations, language: translation},
    )


def _with_title(bet: Bet, language: str, titles: Mapping[str, str]) -> Bet:
    return replace(bet, titles={**bet.titles, language: titles[bet.name]}) if bet.name in titles else bet


def _all_text(texts: object) -> bool:
    return isinstance(texts, dict) and all(isinstance(text, str) for text in texts.values())
