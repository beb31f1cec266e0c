"""The rulebooks of a house: those it was opened with, and those made on its workbench and kept.

A kept rulebook is written out whole, so that a table can be replayed from its record whatever becomes of the
file it was based on, or of what is usual in a later Lammer. One that is kept is never changed: a changed one
needs another version.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from lammer.rulebook.load import load
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import with_known_words


class KeptRulebooks:
    """What tables may be set to, by id; it only grows."""

    def __init__(self, folder: Path, books: Mapping[str, Rulebook]) -> None:
        self.folder, self.books = folder, dict(books)
        self._lock = Lock()

    def keep(self, whole: str) -> Rulebook:
        """Keep a rulebook that stands on its own; on disk before any table can be set to it."""
        book = with_known_words(load(whole))
        with self._lock:
            known = self.books.get(book.id)
            if known is not None and known.sha256 != book.sha256:
                raise Refused(
                    "rulebook_exists",
                    "The house has another rulebook {rulebook}.",
                    next_step="Give yours another name, or another version.",
                    rulebook=book.id,
                )
            if known is None:
                self.folder.mkdir(parents=True, exist_ok=True)
                file = self.folder / f"{book.id}.toml"
                beside = file.with_suffix(".new")
                beside.write_text(whole, "utf-8")
                beside.replace(file)
                self.books[book.id] = book
        return self.books[book.id]
