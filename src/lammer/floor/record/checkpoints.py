"""Signed checkpoints: made from time to time, kept in the record and in a plain file, checked against both.

The file is one JSON line a checkpoint, synced after each; where cards lie face down, those that cover them
when their shoe has ended. A copy of it kept elsewhere proves what the record said up to then: whoever changes
or leaves out an event afterwards would need the key and every copy.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from threading import Event, Thread
from time import time_ns
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.floor.record import chain, row_journal
from lammer.floor.record.chain import SealedCheckpoint, checkpoint, from_line, seal, to_line
from lammer.floor.record.contract import Conflict, Record, Store, StoredEvent
from lammer.floor.record.findings import at_checkpoint, at_event, at_line
from lammer.floor.record.signing_key import sync_folder
from lammer.floor.record.told_heads import ToldHeads
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused

FILE: Final = "checkpoints.jsonl"
EVERY: Final = 5.0
SELDOM_SECONDS: Final = 60.0
"""Seconds between two checkpoints of a house with so many tables that one is large."""
BYTES_A_SECOND: Final = 500
"""What checkpoints may fill the disk with, on average: some 40 MB a day."""
NOT_TRUSTED: Final = Phrase("it is signed by a key that is not trusted")

_log = logging.getLogger("lammer.floor.record.checkpoints")


def now() -> int:
    """Microseconds since 1970, UTC."""
    return time_ns() // 1000


class Checkpoints:
    """Makes checkpoints of a store, and brings the file level with it each time, also after a crash."""

    def __init__(
        self,
        store: Store,
        key: Ed25519PrivateKey,
        file: Path,
        clock: Callable[[], int] = now,
        made: Callable[[], object] | None = None,
    ) -> None:
        """`made` is called after each try: the log of the house follows in this thread."""
        self._store = store
        self._made = made
        self._clock = clock
        self._key = key
        self._file = file
        self._told = ToldHeads(store)
        self._size = 0
        self._over = Event()
        self._thread: Thread | None = None

    def make(self, clock: Callable[[], int] | None = None) -> SealedCheckpoint | None:
        """A checkpoint of how everything stands; None where nothing moved since the last one."""
        line = self._store.latest_checkpoint()
        last = None if line is None else from_line(line).checkpoint
        heads = {table: (head.number, head.hash) for table, head in self._store.heads().items()}
        written = row_journal.head(self._store)
        if written.number:
            heads[row_journal.HEAD] = written.number, written.hash
        # A clock that was set back does not put a checkpoint before the one it follows.
        at = max((clock or self._clock)(), 0 if last is None else last.at)
        unsigned = checkpoint(1 if last is None else last.number + 1, at, heads, last)
        sealed = None
        if last is None or unsigned.heads != last.heads:
            sealed = seal(unsigned, self._key)
            try:
                line = to_line(sealed)
                self._size = len(line)
                self._store.append_checkpoint(unsigned.number, line)
            except Conflict:
                sealed = None  # Another process made one at the same moment; its own is as good.
        level(self._store, self._file, self._told)
        return sealed

    def start(self, every: float = EVERY) -> None:
        """Make one now and then one every so many seconds, in a thread of its own."""
        assert self._thread is None, "checkpoints are being made already"
        self._thread = Thread(target=self._run, args=(every,), name="lammer-checkpoints", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """A last one, so that what was written until the stop is covered too."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            self._try()

    def _run(self, every: float) -> None:
        self._try()
        while not self._over.wait(pace(every, self._size)):
            self._try()

    def _try(self) -> None:
        for work in (self.make, self._made):
            try:
                if work is not None:
                    work()
            except (Refused, OSError) as error:
                _log.error("no checkpoint could be made: %s", error)
            except Exception:
                _log.exception("no checkpoint could be made")


def pace(every: float, size: int) -> float:
    """Seconds until the next checkpoint: large ones are made less often, but at least once a minute.

    >>> pace(5.0, 700), pace(5.0, 10_000), pace(5.0, 1_000_000), pace(300.0, 700)
    (5.0, 20.0, 60.0, 300.0)
    """
    return max(every, min(SELDOM_SECONDS, size / BYTES_A_SECOND))


def must_agree(record: Record, file: Path) -> int:
    """The number of the file's last checkpoint; refused if the record does not have it, and all before.

    Then an older record was put back, or one of the two was changed.
    """
    last = last_line(file)
    if last is None:
        return 0
    try:
        number = from_line(last).checkpoint.number
        agree = record.checkpoints(number - 1, 1) == [last]
        complaint = f"Checkpoint {number} in {file} is not the one in the record"
    except Refused:
        number, agree, complaint = 0, False, f"The last line of {file} is no checkpoint"
    if not agree:
        raise Refused(
            "checkpoints_disagree",
            "{said}; the record is older than the file, or one of them was changed.",
            next_step="Keep both as they are and verify the record against the file. If a person has decided"
            " to go on with this record, start once with --record-is-right.",
            said=complaint,
        )
    return number


def set_aside(record: Record, file: Path) -> Path | None:
    """Go on with the record as it is: a file that does not agree is kept under another name."""
    try:
        must_agree(record, file)
    except Refused as refused:
        number = 1
        while (kept := file.with_name(f"{file.stem}.set-aside-{number}{file.suffix}")).exists():
            number += 1
        file.rename(kept)
        sync_folder(file.parent)
        _log.error("%s The file is kept as %s, because --record-is-right was given.", refused.sentence, kept)
        return kept
    return None


def level(record: Record, file: Path, told: ToldHeads | None = None) -> None:
    """Write to the file what the record has beyond it, as far as it gives no card away."""
    told = told or ToldHeads(record)
    after = must_agree(record, file)
    while lines := record.checkpoints(after):
        tellable = list(takewhile(lambda line: told.may_be_told(from_line(line)), lines))
        if tellable:
            _append(file, tellable)
        if len(tellable) < len(lines):
            return
        after += len(lines)


def walk(record: Record, table: str, after: int = 0, to: int | None = None) -> Iterator[StoredEvent]:
    """Every event of a table in order, a page at a time."""
    while page := record.read(table, after):
        for event in page:
            if to is not None and event.number > to:
                return
            yield event
        after = page[-1].number


def check_checkpoints(record: Record, lines: Iterable[bytes], trusted: Collection[bytes]) -> list[Phrase]:
    """Everything that does not hold of a checkpoint file: by itself, and against the record.

    `trusted` are the public keys (32 bytes each) that may have signed. The chains are not recomputed
    here; `verifying` does that.
    """
    wrong: list[Phrase] = []
    number, previous = 0, chain.BEFORE_ALL
    heads: dict[str, tuple[int, bytes]] = {}
    for line in lines:
        number += 1
        try:
            sealed = from_line(line)
        except Refused as error:
            wrong.append(at_checkpoint(number, Phrase(error.message, **error.values)))
            continue
        contents = sealed.checkpoint
        complaint = chain.problem(sealed)
        if complaint is None and sealed.key not in trusted:
            complaint = NOT_TRUSTED
        if complaint is None and contents.number != number:
            complaint = Phrase("it calls itself checkpoint {number}", number=contents.number)
        if complaint is None and contents.previous != previous:
            complaint = Phrase("it does not follow from the one before it")
        if complaint is None and record.checkpoints(number - 1, 1) != [line]:
            complaint = Phrase("the record has another one, or none")
        if complaint is not None:
            wrong.append(at_checkpoint(number, complaint))
        previous = contents.hash
        wrong += [at_checkpoint(number, doubt) for doubt in _against(record, sealed, heads)]
    return wrong


def _against(
    record: Record, sealed: SealedCheckpoint, heads: dict[str, tuple[int, bytes]]
) -> Iterator[Phrase]:
    """What a checkpoint says of each table, against the record and the checkpoints before."""
    named = {head.table for head in sealed.checkpoint.heads}
    for table in sorted(heads.keys() - named):
        yield Phrase("table {table} is gone", table=table.strip())
    for head in sealed.checkpoint.heads:
        before = heads.get(head.table)
        if before == (head.version, head.hash):
            continue
        if before is not None and head.version <= before[0]:
            yield Phrase(
                "table {table} went back from event {before} to {after}",
                table=head.table.strip(),
                before=before[0],
                after=head.version,
            )
        heads[head.table] = (head.version, head.hash)
        if head.table == row_journal.HEAD:
            if row_journal.hash_at(record, head.version) != head.hash:
                yield at_line(head.version, Phrase("the record has another one, or none"))
            continue
        there = record.read(head.table, head.version - 1, 1)
        if not there or there[0].number != head.version:
            yield at_event(head.table, head.version, Phrase("the record does not have it"))
        elif there[0].hash != head.hash:
            yield at_event(head.table, head.version, Phrase("the record has another one"))


def lines_of(file: Path) -> Iterator[bytes]:
    """The lines of a checkpoint file; one cut off at the end by a crash is left out."""
    with file.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                yield line.removesuffix(b"\n")


def last_line(file: Path) -> bytes | None:
    """The last whole line, without reading the file from its beginning."""
    try:
        with file.open("rb") as lines:
            end = lines.seek(0, os.SEEK_END)
            tail, size = b"", 1 << 16
            while end and tail.count(b"\n") < 2:
                step = min(size, end)
                end = lines.seek(end - step)
                tail = lines.read(step) + tail
    except FileNotFoundError:
        return None
    whole = tail[: tail.rfind(b"\n") + 1].splitlines()
    return whole[-1] if whole else None


def _append(file: Path, lines: Iterable[bytes]) -> None:
    new = not file.exists()
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        end = os.lseek(handle, 0, os.SEEK_END)
        while end and os.pread(handle, 1, end - 1) != b"\n":
            end -= 1
        os.ftruncate(handle, end)
        os.pwrite(handle, b"".join(line + b"\n" for line in lines), end)
        os.fsync(handle)
    finally:
        os.close(handle)
    if new:
        sync_folder(file.parent)
