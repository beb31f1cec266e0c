"""How far a log had come, as C2SP tlog-checkpoint writes it: name, size and root, in a signed note.

And what a log sends to a witness with it (tlog-witness): from which size on, and the proof that it only grew.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lammer.transparency.notes import Note, Unreadable, decoded

MOST_HASHES: Final = 63
LARGEST_SIZE: Final = 1 << 63


@dataclass(frozen=True, slots=True)
class TreeHead:
    """The log of this name had so many entries, and this root.

    >>> head = TreeHead("example.com/log", 1, bytes(32))
    >>> head.text.splitlines()[:2], TreeHead.read(head.text) == head
    (['example.com/log', '1'], True)
    """

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"

    @classmethod
    def read(cls, text: str) -> TreeHead:
        """What the text of a note says; lines after the third are somebody else's."""
        lines = text.split("\n")
        if len(lines) < 4 or not lines[0] or not all(lines[3:-1]):
            raise Unreadable("a checkpoint has a name, a size and a root")
        root = decoded(lines[2])
        if len(root) != 32:
            raise Unreadable("a root has 32 bytes")
        return cls(lines[0], read_size(lines[1]), root)


def read_size(text: str) -> int:
    """A number as the specifications write it: digits, and no zeroes before them.

    >>> read_size("0"), read_size("17")
    (0, 17)
    """
    if not (text.isascii() and text.isdigit()) or (text != "0" and text.startswith("0")) or len(text) > 19:
        raise Unreadable("this is no size")
    size = int(text)
    if size >= LARGEST_SIZE:
        raise Unreadable("no log is that large")
    return size


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """What a witness is asked: the note, the size it is said to have seen last, and the proof between them.

    >>> from lammer.transparency.notes import Signature
    >>> note = Note(TreeHead("example.com/log", 2, bytes(32)).text, (Signature("w", bytes(4), bytes(64)),))
    >>> asked = AddCheckpoint(1, (bytes(32),), note)
    >>> AddCheckpoint.read(asked.body) == asked
    True
    """

    old: int
    path: tuple[bytes, ...]
    note: Note

    @property
    def body(self) -> bytes:
        hashes = "".join(f"{b64encode(step).decode()}\n" for step in self.path)
        return f"old {self.old}\n{hashes}\n{self.note.written}".encode()

    @classmethod
    def read(cls, body: bytes) -> AddCheckpoint:
        before, blank, note = body.partition(b"\n\n")
        try:
            lines = before.decode().split("\n")
        except UnicodeDecodeError:
            raise Unreadable("this is not UTF-8") from None
        if not blank or not lines[0].startswith("old "):
            raise Unreadable("it begins with the old size and the proof")
        if len(lines) - 1 > MOST_HASHES:
            raise Unreadable("no proof is that long")
        return cls(read_size(lines[0][4:]), read_hashes(lines[1:]), Note.read(note))


def read_hashes(lines: Sequence[str]) -> tuple[bytes, ...]:
    """One hash a line."""
    path = tuple(decoded(line) for line in lines)
    if any(len(step) != 32 for step in path):
        raise Unreadable("a hash has 32 bytes")
    return path
