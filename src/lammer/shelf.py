"""The shelf: where rulebook files are read from, the five that ship and your own.

The only module of the core that touches files. It hands out rulebooks by id, by game, or by the path of
a TOML file, and keeps those it has read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from lammer.rulebook.betting import Bet
from lammer.rulebook.load import load
from lammer.rulebook.model import Irregularity, Paragraph, Reading, Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.translation import with_translation

S = TypeVar("S", Paragraph, Irregularity, Reading)
USUAL_WORDS: Final = "tiger-buffalo-noncommission-insurance@3"
"""The document whose words what is usual is said in."""
KEPT: Final = "rulebooks"
"""The folder of a house that has the rulebooks made on its workbench."""
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*@[1-9][0-9]{0,2}")


@cache
def shipped_ids() -> tuple[str, ...]:
    """The ids of the documents that ship with Lammer.

    >>> len(shipped_ids())
    5
    """
    return tuple(
        sorted(
            entry.name.removesuffix(".toml")
            for entry in _documents().iterdir()
            if entry.name.endswith(".toml") and not language_in_name(entry.name)
        )
    )


def _documents() -> Traversable:
    return resources.files("lammer.rulebook") / "documents"


def language_in_name(name: str) -> str:
    """The language a file is in that says over again what a rulebook says; nothing of a rulebook itself.

    >>> language_in_name("snap@1.zh.toml"), language_in_name("snap@1.toml")
    ('zh', '')
    """
    match = re.fullmatch(r".+\.([a-z]{2})\.toml", name)
    return match[1] if match else ""


@cache
def _load_shipped(name: str) -> Rulebook:
    text = (_documents() / f"{name}.toml").read_bytes().decode()
    return _with_translations(load(text, f"{name}.toml"), name, _documents())


def _with_translations(book: Rulebook, name: str, folder: Traversable) -> Rulebook:
    """A rulebook with every `<name>.<language>.toml` beside it."""
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        language = language_in_name(file.name)
        if language and file.name == f"{name}.{language}.toml" and file.is_file():
            book = with_translation(book, language, _text_of(file), file.name)
    return book


def _text_of(file: Traversable) -> str:
    try:
        return file.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            "malformed_input", "{file} cannot be read: {why}.", file=file.name, why=str(error)
        ) from None


def read(path: Path) -> Rulebook:
    """A rulebook from a file of yours, through the same door as the shipped ones."""
    try:
        # Bytes, so that the SHA-256 is the file's own, whatever its line ends.
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(
            "unknown_rulebook",
            "{path} is not text in UTF-8.",
            next_step="Save the TOML file as UTF-8.",
            path=path,
        ) from None
    except (OSError, ValueError) as error:
        raise Refused(
            "unknown_rulebook",
            "{path} cannot be read: {why}.",
            next_step="Give the path of a rulebook in TOML.",
            path=repr(str(path)[:200]),
            why=getattr(error, "strerror", None) or error,
        ) from None
    book = load(text, str(path), lambda name: text_by_id(name, path.parent))
    return _with_translations(with_known_words(book), path.stem, path.parent)


def with_known_words(book: Rulebook) -> Rulebook:
    """A private rulebook with the translations of what it says word for word as the one it came from.

    What is usual is said as a shipped document says it, so its words are known too, bets' names among them.

    >>> text = "rulebook = { game = 'mine', based_on = 'tiger-buffalo-noncommission@4' }"
    >>> mine = load(text, find=text_by_id)
    >>> len(with_known_words(mine).translation("zh").gists) > 100
    True
    >>> bets = "{ name = 'player', wins = { hand = 'player' }, pays = '1:1' },"
    >>> bets += "{ name = 'banker', wins = { hand = 'banker' }, pays = '1:1' }"
    >>> with_known_words(load("rulebook.game = 'mine'" + chr(10) + f"bet = [{bets}]")).bets["player"].titles
    {'zh': '闲'}
    """
    base = _load_shipped(book.based_on if book.based_on in shipped_ids() else USUAL_WORDS)
    if not book.is_private:
        return book
    reasons = {reading.name: reading.because for reading in book.readings.values()}
    return replace(
        book,
        bets=MappingProxyType({name: _titled_alike(bet, base) for name, bet in book.bets.items()}),
        translations={
            language: replace(
                known,
                gists=_said_alike(known.gists, base.paragraphs, book.paragraphs, _paragraph),
                not_executable=_said_alike(
                    known.not_executable, base.paragraphs, book.paragraphs, _paragraph
                ),
                irregularities=_said_alike(
                    known.irregularities, base.irregularities, book.irregularities, _title
                ),
                questions=_said_alike(known.questions, base.readings, book.readings, _question),
                reasons={
                    **_said_alike(known.reasons, base.readings, book.readings, _reason),
                    **_usual_reasons(language, reasons),
                },
            )
            for language, known in base.translations.items()
        },
    )


def _titled_alike(bet: Bet, base: Rulebook) -> Bet:
    """The bet with the names the other rulebook knows it by, where its own file gives none."""
    known = base.bets.get(bet.name)
    if known is None or known.title != bet.title:
        return bet
    own = {language: title for language, title in bet.titles.items() if title != bet.title}
    titles = {**known.titles, **own}
    return replace(bet, titles=titles, title_zh=titles.get("zh", bet.title_zh))


def _said_alike(
    words: Mapping[str, str], base: Mapping[str, S], own: Mapping[str, S], english: Callable[[S], object]
) -> dict[str, str]:
    """The words for what both say in the same English."""
    alike = {name for name in own.keys() & base.keys() if english(own[name]) == english(base[name])}
    return {name: text for name, text in words.items() if name in alike}


def _paragraph(said: Paragraph) -> tuple[str, str]:
    return said.gist, said.not_executable


def _title(said: Irregularity) -> str:
    return said.title


def _question(said: Reading) -> str:
    return said.question


def _reason(said: Reading) -> str:
    return said.because


def _usual_reasons(language: str, reasons: Mapping[str, str]) -> dict[str, str]:
    """Why readings are as they are that `standard` put in, by their names."""
    known = _words_of_standard(language)
    return {name: known[because] for name, because in reasons.items() if because in known}


@cache
def _words_of_standard(language: str) -> Mapping[str, str]:
    file = resources.files("lammer.rulebook") / f"standard.{language}.toml"
    words: dict[str, str] = tomllib.loads(_text_of(file))["reasons"] if file.is_file() else {}
    return words


def text_by_id(name: str, folder: Path | None = None) -> str:
    """The text of a rulebook that another may be based on: one that ships, or a file of a folder of yours.

    >>> text_by_id("tiger-buffalo-noncommission@4").splitlines()[4]
    '[rulebook]'
    """
    if name in shipped_ids():
        return _text_of(_documents() / f"{name}.toml")
    if folder is not None and _ID.fullmatch(name) and (file := folder / f"{name}.toml").is_file():
        return _text_of(file)
    raise Refused(
        "unknown_rulebook",
        "There is no rulebook {name}.",
        next_step="On the shelf: {rulebooks}; or a file of that name beside the one that is based on it.",
        name=repr(name[:80]),
        rulebooks=", ".join(shipped_ids()),
    )


def rulebook(name: str) -> Rulebook:
    """The rulebook of that id, or in that TOML file.

    >>> rulebook("tiger-buffalo-noncommission@4").version
    4
    >>> rulebook("snap@1")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused unknown_rulebook: There is no rulebook 'snap@1'. ...
    """
    if name.endswith(".toml"):
        return read(Path(name))
    if name not in shipped_ids():
        raise Refused(
            "unknown_rulebook",
            "There is no rulebook {name}.",
            next_step="On the shelf: {rulebooks}; or give the path of a TOML file.",
            name=repr(name[:80]),
            rulebooks=", ".join(shipped_ids()),
        )
    return _load_shipped(name)


def shelf() -> tuple[Rulebook, ...]:
    """Every rulebook that ships, by game and version."""
    return tuple(_load_shipped(name) for name in shipped_ids())


def versions(game: str) -> tuple[Rulebook, ...]:
    """Every version of one game that ships.

    >>> [book.id for book in versions("tiger-buffalo-noncommission")]
    ['tiger-buffalo-noncommission@4']
    """
    return tuple(_load_shipped(name) for name in shipped_ids() if name.partition("@")[0] == game)


def books_by_id(*folders: str | Path) -> dict[str, Rulebook]:
    """Every rulebook that ships, and those in folders of yours, by their ids."""
    return {book.id: book for book in (*shelf(), *own_books(*folders))}


def own_books(*folders: str | Path) -> tuple[Rulebook, ...]:
    """The rulebooks in folders of yours."""
    files = [file for folder in folders if folder for file in sorted(Path(folder).glob("*.toml"))]
    return tuple(read(file) for file in files if not language_in_name(file.name))
