"""What a disk may hold after the power went: everything synced, and any part of what was not.

From a recording of writes and syncs, images are made for moments chosen at random. Of every write that was
not yet synced, an image has all, nothing, or some of its 512-byte sectors; one that was dropped may have come
before one that was kept. A file that was never synced may be missing altogether.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from support.recording_vfs import Op

SECTOR = 512


@dataclass
class Disk:
    """A file's synced bytes, or None while it is not surely there; and what was done to it since."""

    synced: bytes | None = None
    since: list[Op] = field(default_factory=list)

    def after_power_loss(self, chance: Random) -> bytes | None:
        keeps = chance.choice((0.0, 0.2, 0.5, 0.8, 1.0))
        kept = None if self.synced is None else bytearray(self.synced)
        for op in self.since:
            if chance.random() >= keeps and not (keeps and op.kind == "write" and chance.random() < 0.5):
                continue
            torn = op.kind == "write" and keeps < 1 and chance.random() < 0.5
            kept = apply(kept, op, chance if torn else None)
        return None if kept is None else bytes(kept)

    def sync(self) -> None:
        content = None if self.synced is None else bytearray(self.synced)
        for op in self.since:
            content = apply(content, op, None)
        self.synced = None if content is None else bytes(content)
        self.since = []

    def sync_name(self) -> None:
        """The folder is synced: that the file was made or deleted stays, what was written to it may not."""
        for place, op in reversed(list(enumerate(self.since))):
            if op.kind == "delete":
                self.synced, self.since = None, self.since[place + 1 :]
                break
        if self.since and self.since[0].kind == "create":
            self.synced, self.since = b"", self.since[1:]


def apply(content: bytearray | None, op: Op, tearing: Random | None) -> bytearray | None:
    """A file after one more thing was done to it; torn where chance says so."""
    if op.kind == "delete":
        return None
    content = bytearray() if content is None else content
    if op.kind == "truncate":
        del content[op.offset :]
    elif op.kind == "write":
        for start, part in sectors(op):
            if tearing is None or tearing.random() < 0.5:
                content.extend(bytes(max(0, start + len(part) - len(content))))
                content[start : start + len(part)] = part
    return content


def sectors(op: Op) -> Iterator[tuple[int, bytes]]:
    """A write cut where the disk's sectors end."""
    at = 0
    while at < len(op.data):
        start = op.offset + at
        size = min(SECTOR - start % SECTOR, len(op.data) - at)
        yield start, op.data[at : at + size]
        at += size


def do(disks: dict[str, Disk], op: Op) -> None:
    """One more thing happens. The first sync of a new file syncs its folder too, as SQLite has it."""
    disk = disks.setdefault(op.name, Disk())
    if op.kind != "sync":
        disk.since.append(op)
        if not (op.kind == "delete" and op.offset):
            return
    elif not any(since.kind == "create" for since in disk.since):
        disk.sync()
        return
    disk.sync()
    for other in disks.values():
        other.sync_name()


@dataclass(frozen=True)
class Image:
    """The files as they may be found, and the marks made before the power went."""

    files: dict[str, bytes]
    marks: tuple[Any, ...]
    at: int


def images(ops: Sequence[Op], number: int, seed: int) -> Iterator[Image]:
    """So many images, spread evenly over everything that was recorded."""
    chance = Random(seed)
    moments = sorted(chance.choices(range(1, len(ops) + 1), k=number))
    disks: dict[str, Disk] = {}
    marks: list[Any] = []
    done = 0
    for moment in moments:
        for op in ops[done:moment]:
            if op.kind == "mark":
                marks.append(op.mark)
                continue
            do(disks, op)
        done = moment
        found = {name: disk.after_power_loss(chance) for name, disk in disks.items()}
        files = {name: content for name, content in found.items() if content is not None}
        yield Image(files, tuple(marks), moment)
