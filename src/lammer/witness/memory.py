"""What a witness remembers: the last checkpoint it cosigned of every log, on disk before it answers.

One line a checkpoint, added at the end of a file and synced; many that come at once share a sync. When the
file is opened it is written anew with the last line of each log. A line cut off by a crash was never
answered.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO

from lammer.transparency.notes import Unreadable, decoded
from lammer.transparency.tree_heads import TreeHead


class Memory:
    """The last tree head of each log, by the name of the log."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = file.with_name(f"{file.name}.lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise SystemExit(
                f"{file} is used by another witness: two with one key would contradict each other"
            ) from None
        try:
            self._heads = dict(_read(file))
            self._out = self._begin()
        except BaseException:
            self._lock.close()
            raise

    @property
    def heads(self) -> Mapping[str, TreeHead]:
        return self._heads

    def keep(self, heads: Iterable[TreeHead]) -> None:
        """Remember these, on disk when it returns; later ones of a log come after earlier ones."""
        seen = list(heads)
        self._out.write("".join(_line(head) for head in seen).encode())
        self._out.flush()
        os.fsync(self._out.fileno())
        self._heads |= {head.origin: head for head in seen}

    def close(self) -> None:
        self._out.close()
        self._lock.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self) -> IO[bytes]:
        draft = self._file.with_name(f"{self._file.name}.new")
        with draft.open("wb") as out:
            out.write("".join(_line(head) for head in self._heads.values()).encode())
            out.flush()
            os.fsync(out.fileno())
        draft.replace(self._file)
        folder = os.open(self._file.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return self._file.open("ab")


def _line(head: TreeHead) -> str:
    return head.text.replace("\n", "\t") + "\n"


def _read(file: Path) -> Iterable[tuple[str, TreeHead]]:
    try:
        written = file.read_bytes()
    except FileNotFoundError:
        return
    lines = written.split(b"\n")[:-1]
    for line in lines:
        try:
            head = TreeHead.read(line.decode().replace("\t", "\n"))
            decoded(line.decode().split("\t")[2])
        except (Unreadable, UnicodeDecodeError, IndexError):
            raise SystemExit(f"{file} was changed: a line of it is no checkpoint") from None
        yield head.origin, head
