"""Holds the house's log against the record: every entry, the tree over them, and every checkpoint of the log.

Entries are worked out anew from what is recorded and from the secret of the data folder; without the secret
only the tree and its checkpoints can be checked, and it is told how many entries could not be opened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import select

from lammer.floor.record.contract import Damaged, Record
from lammer.floor.record.log.house_log import CHECKPOINTS, JOURNAL, bodies
from lammer.floor.record.log.log_secrets import LogSecrets
from lammer.floor.record.log.log_tables import (
    Run,
    bundle,
    leaf_hashes,
    log_checkpoints,
    log_entries,
    log_runs,
    read_head,
    read_tile,
)
from lammer.rulebook.phrase import Phrase
from lammer.transparency.blinding import Blinder
from lammer.transparency.notes import LOG, Note, PublicKey, Unreadable
from lammer.transparency.tiles import HASH_BYTES, WIDTH, subtrees_from
from lammer.transparency.tree import Growing, root_hash, whole_hash
from lammer.transparency.tree_heads import TreeHead

PAGE: Final = 500
_BITS: Final = WIDTH.bit_length() - 1
BUNDLES_HELD: Final = 64


def in_the_log(entry: int, doubt: Phrase) -> Phrase:
    """What is wrong at an entry of the log."""
    return Phrase("the log, entry {entry}: {doubt}", entry=entry, doubt=doubt)


@dataclass(slots=True)
class LogCheck:
    """The log of a record, beside its tables. `blind` entries were blinded with secrets that are not here."""

    record: Record
    secrets: LogSecrets | None
    size: int = 0
    blind: int = 0
    wrong: list[Phrase] = field(default_factory=list)
    _runs: dict[str, list[Run]] = field(default_factory=dict)
    _bundles: dict[int, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Record, secrets: LogSecrets | None) -> LogCheck:
        """The log as its runs tell it: from the first entry, without a gap."""
        check = cls(record, secrets)
        following: dict[str, int] = {}
        with record.reading() as connection:
            for row in connection.execute(select(log_runs).order_by(log_runs.c.start)):
                run = Run(*row)
                if (run.start, run.first) != (check.size, following.get(run.source, 1)) or run.entries < 1:
                    check.wrong.append(
                        in_the_log(run.start, Phrase("it does not follow from what is before it"))
                    )
                check.size = run.start + run.entries
                following[run.source] = run.first + run.entries
                check._runs.setdefault(run.source, []).append(run)
                if secrets is None or run.secret_name not in secrets.known:
                    check.blind += run.entries
        return check

    def reader(self, source: str) -> LoggedSource:
        """Goes along with a source, event by event."""
        return LoggedSource(self, source, iter(self._runs.get(source, ())))

    def entry(self, index: int) -> bytes:
        """What the log has in this place."""
        number, place = divmod(index, WIDTH)
        entries = self._bundles.get(number)
        if entries is None:
            if len(self._bundles) >= BUNDLES_HELD:
                self._bundles.clear()
            with self.record.reading() as connection:
                entries = self._bundles[number] = bundle(connection, number)
        return entries[place * HASH_BYTES : (place + 1) * HASH_BYTES]

    def entries(self, index: int, count: int) -> bytes:
        """What the log has from this place on."""
        if index // WIDTH == (index + count - 1) // WIDTH:
            self.entry(index)
            place = index % WIDTH * HASH_BYTES
            return self._bundles[index // WIDTH][place : place + count * HASH_BYTES]
        return b"".join([self.entry(place) for place in range(index, index + count)])

    def check_others(self) -> None:
        """The journal and the checkpoints of the tables, which no table is."""
        for source in (JOURNAL, CHECKPOINTS):
            reader, after = self.reader(source), 0
            while True:
                with self.record.reading() as connection:
                    page = list(bodies(connection, source, after, PAGE))
                for number, body in page:
                    reader.see(number, (body,))
                if not page:
                    break
                after = page[-1][0]
            reader.end()
        with self.record.reading() as connection:
            known = set(self.record.tables()) | {JOURNAL, CHECKPOINTS}
        for source in sorted(self._runs.keys() - known):
            self.wrong.append(in_the_log(self._runs[source][0].start, Phrase("the record does not have it")))

    def check_tree(self, trusted: Collection[bytes], held: Collection[Note] = ()) -> None:
        """The tree over all entries, against every checkpoint of the log; and `held` ones from elsewhere."""
        growing = Growing()
        heads = self._heads(trusted, held)
        with self.record.reading() as connection:
            rows = connection.execute(
                select(log_entries).order_by(log_entries.c.number).execution_options(yield_per=PAGE)
            )
            for number, entries in rows:
                if growing.size >= self.size:
                    break
                hashes = leaf_hashes(entries)
                if number != growing.size // WIDTH or growing.size % WIDTH or len(hashes) % HASH_BYTES:
                    self.wrong.append(in_the_log(number * WIDTH, Phrase("the record does not have it")))
                    return
                leaves = [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
                begun = growing.size
                if (
                    len(leaves) == WIDTH
                    and begun + WIDTH <= self.size
                    and not (heads and min(heads) < begun + WIDTH)
                ):
                    growing.add_whole(_BITS, whole_hash(leaves))
                    if begun + WIDTH in heads:
                        self._compare(begun + WIDTH, heads.pop(begun + WIDTH), growing.root)
                    continue
                del leaves[self.size - begun :]  # The house may go on meanwhile.
                for size in sorted(size for size in heads if begun < size <= begun + len(leaves)):
                    growing.add(leaves[growing.size - begun : size - begun])
                    self._compare(size, heads.pop(size), growing.root)
                growing.add(leaves[growing.size - begun :])
            for size in sorted(heads):
                self._compare(size, heads[size], None)
            if growing.size != self.size:
                self.wrong.append(
                    in_the_log(min(growing.size, self.size), Phrase("the record does not have it"))
                )
            elif growing.size:
                subtree = subtrees_from(lambda tile: read_tile(connection, tile), growing.size)
                try:
                    there = root_hash(growing.size, subtree)
                except AssertionError:
                    there = b""
                if there != growing.root:
                    self.wrong.append(Phrase("the tiles of the log are not those of its entries"))

    def _heads(self, trusted: Collection[bytes], held: Collection[Note]) -> dict[int, set[bytes]]:
        """What every checkpoint says the root is, by size; each has to be signed by a trusted key."""
        heads: dict[int, set[bytes]] = {}
        query = select(log_checkpoints).where(log_checkpoints.c.size <= self.size)
        with self.record.reading() as connection:
            for size, note in connection.execute(query.order_by(log_checkpoints.c.size)):
                try:
                    read = read_head(note)
                except Damaged:
                    self.wrong.append(in_the_log(size, Phrase("its checkpoint cannot be read")))
                    continue
                head = read.head
                heads.setdefault(head.size, set()).add(head.root)
                if head.size != size:
                    self.wrong.append(in_the_log(size, Phrase("its checkpoint is of another size")))
                if trusted and not holds(read.note, [PublicKey(head.origin, LOG, key) for key in trusted]):
                    doubt = Phrase("its checkpoint is not signed by a trusted key")
                    self.wrong.append(in_the_log(size, doubt))
        for note in held:
            head = TreeHead.read(note.text)
            heads.setdefault(head.size, set()).add(head.root)
        return heads

    def _compare(self, size: int, roots: set[bytes], root: bytes | None) -> None:
        if roots != {root}:
            self.wrong.append(
                in_the_log(size, Phrase("a checkpoint states another log than the one in the record"))
            )


def holds(note: Note, keys: Collection[PublicKey]) -> bool:
    """Whether one of these keys signed the note, and no line of theirs is false."""
    try:
        return bool(note.by(keys))
    except Unreadable:
        return False


@dataclass(slots=True)
class LoggedSource:
    """One source on its way through: each event against its entry."""

    check: LogCheck
    source: str
    _runs: Iterator[Run]
    _run: Run | None = None
    _blinder: Blinder | None = None
    _first: int = 0
    _beyond: int = 0
    """The events of the run: from the first to before this one."""
    _seen: int = 0
    _over: bool = False

    def see(self, first: int, bodies: Sequence[bytes]) -> None:
        """Events as they are recorded: the bodies of those from `first` on, after all that came before."""
        done = 0
        while done < len(bodies):
            number = first + done
            if number >= self._beyond and not self._over:
                self._next_run(number, bodies[done])
            upto = len(bodies) if self._run is None else min(len(bodies), self._beyond - first)
            if self._run is not None and self._blinder is not None and number >= self._first:
                self._compare(self._run.start + number - self._first, number, bodies[done:upto])
            done = max(upto, done + 1)
        self._seen = first + len(bodies) - 1

    def _compare(self, index: int, first: int, bodies: Sequence[bytes]) -> None:
        """Events of one run against what the log has from that place on."""
        assert self._blinder is not None, "the run is one whose secret is here"
        expected = b"".join(self._blinder.commitments(first, bodies))
        if self.check.entries(index, len(bodies)) == expected:
            return
        for place in range(len(bodies)):
            entry = expected[place * HASH_BYTES : (place + 1) * HASH_BYTES]
            if self.check.entry(index + place) != entry:
                doubt = Phrase("it is of something else than the record has")
                self.check.wrong.append(in_the_log(index + place, doubt))

    def _next_run(self, number: int, body: bytes) -> None:
        """Go on to the run that an event lies in, or to the next beyond it."""
        while not self._over and number >= self._beyond:
            run = self._run = next(self._runs, None)
            self._over, self._blinder = run is None, None
            if run is None:
                return
            self._first, self._beyond = run.first, run.first + run.entries
            if self.check.secrets is not None:
                secret = self.check.secrets.known.get(run.secret_name)
                if secret is not None:
                    self._blinder = Blinder(secret, self.source)
                elif number == run.first:
                    self._must_be_blind(run, body)

    def _must_be_blind(self, run: Run, body: bytes) -> None:
        """A run that names a secret we do not have is not one of ours that somebody renamed."""
        assert self.check.secrets is not None, "there are secrets to try"
        for secret in self.check.secrets.known.values():
            if Blinder(secret, self.source).commitment(run.first, body) == self.check.entry(run.start):
                self.check.wrong.append(in_the_log(run.start, Phrase("it names another secret than its own")))

    def end(self) -> None:
        """After the last event: what the log has beyond it was taken out of the record."""
        gone = None if (rest := next(self._runs, None)) is None else rest.start
        if self._run is not None and self._seen < self._beyond - 1:
            gone = self._run.start + self._seen + 1 - self._first
        if gone is not None:
            self.check.wrong.append(in_the_log(gone, Phrase("the record does not have it")))
