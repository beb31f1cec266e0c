"""What a witness answers to a checkpoint: its cosignature, or why not. No network and no clock.

After C2SP tlog-witness: the log has to be known and to have signed; it has to start from what was seen last;
and it has to prove that it only grew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lammer.transparency.notes import Note, PublicKey, Unreadable
from lammer.transparency.tree import extends
from lammer.transparency.tree_heads import AddCheckpoint, TreeHead

SIZE_TYPE: Final = "text/x.tlog.size"


@dataclass(frozen=True, slots=True)
class Declined(Exception):  # noqa: N818 (it is an answer)
    """Why a checkpoint is not cosigned: the status of HTTP, and what is said."""

    status: int
    said: str
    size: int | None = None


def read_request(body: bytes, logs: Mapping[str, tuple[PublicKey, ...]]) -> tuple[AddCheckpoint, TreeHead]:
    """A request that is of a known log and signed by it."""
    try:
        asked = AddCheckpoint.read(body)
        head = TreeHead.read(asked.note.text)
    except Unreadable as error:
        raise Declined(400, str(error)) from None
    keys = logs.get(head.origin)
    if keys is None:
        raise Declined(404, "this log is not known here")
    if not _signed(asked.note, keys):
        raise Declined(403, "no key of this log has signed this")
    if asked.old > head.size:
        raise Declined(400, "the old size is larger than the new one")
    return asked, head


def must_follow(asked: AddCheckpoint, head: TreeHead, last: TreeHead | None) -> None:
    """The checkpoint goes on from the last one that was cosigned, and proves it."""
    size = 0 if last is None else last.size
    if asked.old != size:
        raise Declined(409, f"{size}\n", size)
    if last is not None and head.size == size and head.root != last.root:
        raise Declined(409, f"{size}\n", size)
    if last is None or size == 0:
        # A first checkpoint proves nothing; what it begins with, everything later is held against.
        if asked.path:
            raise Declined(422, "there is nothing to prove yet")
        return
    if not extends(size, last.root, head.size, head.root, asked.path):
        raise Declined(422, "it is not shown that the log only grew")


def _signed(note: Note, keys: tuple[PublicKey, ...]) -> bool:
    """Whether one of the log's keys holds; lines of others say nothing."""
    for key in keys:
        try:
            if note.by([key]):
                return True
        except Unreadable:
            continue
    return False
