"""The rulebooks of a house: those it was opened with, and those made on its workbench and kept.

A kept rulebook is written out whole into the record, so that a table can be replayed from it whatever becomes
of the file it was based on, or of what is usual in a later Lammer, and so that a backup carries it. One that
is kept is never changed: a changed one needs another version. The folder holds the same as files to read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock

from lammer.floor.record.contract import Record, Store
from lammer.floor.record.rulebook_texts import keep_text, kept_texts
from lammer.rulebook.load import load
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import own_books, with_known_words

_log = logging.getLogger("lammer.floor.tables.kept_rulebooks")


def kept_books(record: Record) -> dict[str, Rulebook]:
    """The rulebooks the record keeps, by id."""
    return {name: with_known_words(load(whole, name)) for name, whole in kept_texts(record).items()}


def open_kept(store: Store, folder: Path, now: int) -> dict[str, Rulebook]:
    """The rulebooks the house keeps. Files that lie in the folder alone are taken over into the record."""
    for book in own_books(folder):
        file = folder / f"{book.id}.toml"
        if not file.is_file():
            continue
        kept = keep_text(store, book.id, file.read_text("utf-8"), book.sha256, now)
        if kept != book.sha256:
            _log.warning("%s is not what the record keeps under that id; the record's is used", file)
    for name, whole in kept_texts(store).items():
        _write(folder, name, whole)
    return {book.id: book for book in own_books(folder)}


def _write(folder: Path, name: str, whole: str) -> None:
    """A kept rulebook as a file, unless it lies there."""
    file = folder / f"{name}.toml"
    if file.is_file() and file.read_text("utf-8") == whole:
        return
    folder.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(".new")
    beside.write_text(whole, "utf-8")
    beside.replace(file)


class KeptRulebooks:
    """What tables may be set to, by id; it only grows."""

    def __init__(
        self, store: Store, folder: Path, books: Mapping[str, Rulebook], now: Callable[[], int]
    ) -> None:
        self.store, self.folder, self.books, self._now = store, folder, dict(books), now
        self._lock = Lock()

    def keep(self, whole: str) -> Rulebook:
        """Keep a rulebook that stands on its own; in the record before any table can be set to it."""
        book = with_known_words(load(whole))
        with self._lock:
            known = self.books.get(book.id)
            kept = known.sha256 if known else keep_text(self.store, book.id, whole, book.sha256, self._now())
            if kept != book.sha256:
                raise Refused(
                    "rulebook_exists",
                    "The house has another rulebook {rulebook}.",
                    next_step="Give yours another name, or another version.",
                    rulebook=book.id,
                )
            if known is None:
                _write(self.folder, book.id, whole)
                self.books[book.id] = book
        return self.books[book.id]
