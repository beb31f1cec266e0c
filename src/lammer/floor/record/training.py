"""Training in the record: what each person remembers of each paragraph, and the tests they were set.

What is remembered changes with every answer and says nothing about who may do what; the journal of the house
leaves it out. Tests and their certificates are in it. Times are microseconds since 1970, UTC, but for `due`,
which counts seconds. Every call blocks on the database, so an event loop asks from a worker thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Table, Text, insert, select, update

from lammer.academy.asking import ITEMS_VERSION
from lammer.academy.exams import Composition
from lammer.academy.repetition import Memory, Topic
from lammer.floor.record.contract import Store
from lammer.floor.record.schema import binaries, insert_into, metadata, numbers, texts
from lammer.rulebook.refusal import Refused

memories: Final = Table(
    "training_memories",
    metadata,
    *texts("account", "rulebook", "kind", "paragraph", key=True),
    *numbers("step", "due", "right_answers", "wrong_answers", "answered_at"),
)

tests: Final = Table(
    "training_tests",
    metadata,
    *texts("id", key=True),
    *texts("account", "rulebook", "rulebook_sha256", "items"),
    *numbers("minutes", "pass_mark", "seed"),
    *texts("set_by"),
    *numbers("set_at"),
    *numbers("started_at", "finished_at", optional=True),
    *texts("answers"),
    *numbers("correct", optional=True),
    *binaries("certificate", optional=True),
    Column("items_version", BigInteger, nullable=False, server_default="2"),
    Column("marks", Text, nullable=False, server_default="[]"),
)
"""`items` is how many of each kind, `answers` what was written so far, both as JSON.
`marks` has for each answer the paragraph it got wrong, or nothing where it was right: by the items of
`items_version`."""
_READ: Final = (
    *(column for column in tests.c if column.name != "certificate"),
    tests.c.certificate.is_not(None).label("passed"),
)
"""What is read of a test; its certificate is a file of its own."""
MOST_TESTS: Final = 500
MOST_MEMORIES: Final = 50_000
"""Rows that one page reads at most."""

TestState = Literal["passed", "not_passed", "under_way", "to_be_taken"]


@dataclass(frozen=True, slots=True)
class TableTest:
    """A test somebody was set, and how far it is; where it was `passed` there is a certificate.

    `marks` say of each answer which paragraph it got wrong, empty where it was right: an answer is marked
    when it is given, by the item that was asked. Tests taken before marks were kept have fewer.
    """

    id: str
    account: str
    rulebook: str
    rulebook_sha256: str
    composition: Composition
    seed: int
    set_by: str
    set_at: int
    started_at: int | None
    finished_at: int | None
    answers: tuple[str, ...]
    correct: int | None
    passed: bool
    items_version: int
    marks: tuple[str, ...]

    @property
    def is_marked(self) -> bool:
        """Whether every item was answered and each answer marked, so that nothing has to be made again."""
        return len(self.answers) == len(self.marks) == self.composition.count

    @property
    def state(self) -> TestState:
        """How far it is."""
        if self.finished_at is not None:
            return "passed" if self.passed else "not_passed"
        return "to_be_taken" if self.started_at is None else "under_way"

    def is_over(self, now: int) -> bool:
        """Whether no answer is taken any more at this moment: all are there, or the time is up."""
        if self.finished_at is not None or self.started_at is None:
            return self.finished_at is not None
        late = now > self.started_at + self.composition.minutes * 60_000_000
        return len(self.answers) >= self.composition.count or (self.composition.minutes > 0 and late)


@dataclass(frozen=True, slots=True)
class Remembered:
    """What somebody remembers of a paragraph of a rulebook, and when they last answered about it."""

    account: str
    rulebook: str
    memory: Memory
    answered_at: int


class Training:
    """The training of a house."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def memories(self, account: str, rulebook: str) -> dict[Topic, Memory]:
        """What somebody remembers of a rulebook."""
        mine = select(memories).where(memories.c.account == account, memories.c.rulebook == rulebook)
        with self._store.reading() as connection:
            return {memory.topic: memory for memory in map(_memory, connection.execute(mine))}

    def everybody(self, rulebook: str) -> list[Remembered]:
        """What everybody remembers of a rulebook, by person; of very much only what was answered latest."""
        every = (
            select(memories)
            .where(memories.c.rulebook == rulebook)
            .order_by(memories.c.answered_at.desc(), memories.c.account)
            .limit(MOST_MEMORIES)
        )
        with self._store.reading() as connection:
            found = [
                Remembered(row.account, row.rulebook, _memory(row), row.answered_at)
                for row in connection.execute(every)
            ]
        return sorted(found, key=lambda row: row.account)

    def answer(
        self, account: str, rulebook: str, topic: Topic, now: int, learn: Callable[[Memory], Memory]
    ) -> Memory:
        """Learn from an answer about a topic: what is remembered is read and written in one transaction."""
        kind, paragraph = topic
        key = {"account": account, "rulebook": rulebook, "kind": kind, "paragraph": paragraph}

        def work(connection: Connection) -> Memory:
            row = connection.execute(
                select(memories).where(*(memories.c[name] == value for name, value in key.items()))
            ).first()
            memory = learn(Memory(kind, paragraph) if row is None else _memory(row))
            values = {
                "step": memory.step,
                "due": memory.due,
                "right_answers": memory.right,
                "wrong_answers": memory.wrong,
                "answered_at": now,
            }
            written = insert_into(connection, memories).values(**key, **values)
            connection.execute(written.on_conflict_do_update(index_elements=list(key), set_=values))
            return memory

        return self._store.write(work).result()

    def set_test(
        self,
        test: str,
        account: str,
        book: tuple[str, str],
        composition: Composition,
        seed: int,
        by: str,
        now: int,
    ) -> None:
        """Set somebody a test under a rulebook, given by its id and SHA-256."""
        row = {
            "id": test,
            "account": account,
            "rulebook": book[0],
            "rulebook_sha256": book[1],
            "items": msgspec.json.encode(composition.items).decode(),
            "minutes": composition.minutes,
            "pass_mark": composition.pass_mark,
            "seed": seed,
            "set_by": by,
            "set_at": now,
            "answers": "[]",
            "items_version": ITEMS_VERSION,
        }
        self._store.write(lambda connection: connection.execute(insert(tests).values(row)).rowcount).result()

    def test(self, test: str) -> TableTest:
        """A test by its id, or `unknown_test`."""
        with self._store.reading() as connection:
            return _must_be_there(connection, test)

    def tests(self, account: str = "", rulebook: str = "", most: int = MOST_TESTS) -> list[TableTest]:
        """The latest tests, the last one first: of one person or everybody, under one rulebook or any."""
        asked = {tests.c.account: account, tests.c.rulebook: rulebook}
        wanted = [column == value for column, value in asked.items() if value]
        latest = select(*_READ).where(*wanted).order_by(tests.c.set_at.desc(), tests.c.id).limit(most)
        with self._store.reading() as connection:
            return [_test(row) for row in connection.execute(latest)]

    def certificate(self, test: str) -> bytes | None:
        """The file the house signed, where the test was passed."""
        with self._store.reading() as connection:
            file: bytes | None = connection.scalar(select(tests.c.certificate).where(tests.c.id == test))
            return file

    def start(self, test: str, now: int) -> None:
        """Begin a test, from which moment its time runs; one that was begun stays as it is.

        It asks the items of this moment, whichever there were when it was set.
        """
        begin = update(tests).where(tests.c.id == test, tests.c.started_at.is_(None))
        values = {"started_at": now, "items_version": ITEMS_VERSION}
        self._store.write(lambda connection: connection.execute(begin.values(values)).rowcount).result()

    def note_answer(self, test: str, number: int, written: str, now: int, mark: str = "") -> None:
        """Keep the answer to one item with its mark: the paragraph it got wrong, or nothing.

        Answers come in order and once, and none once the test is over.
        """

        def work(connection: Connection) -> None:
            found = _must_be_there(connection, test)
            if found.is_over(now) or found.started_at is None or number != len(found.answers) + 1:
                return
            answers = msgspec.json.encode([*found.answers, written]).decode()
            marks = msgspec.json.encode([*found.marks, mark]).decode()
            connection.execute(update(tests).where(tests.c.id == test).values(answers=answers, marks=marks))

        self._store.write(work).result()

    def finish(self, test: str, correct: int, certificate: bytes | None, now: int) -> None:
        """Close a test with what it came to; the first time counts."""
        close = update(tests).where(tests.c.id == test, tests.c.finished_at.is_(None))
        values = {"correct": correct, "certificate": certificate, "finished_at": now}
        self._store.write(lambda connection: connection.execute(close.values(values)).rowcount).result()


def _must_be_there(connection: Connection, test: str) -> TableTest:
    row = connection.execute(select(*_READ).where(tests.c.id == test)).first()
    if row is None:
        raise Refused("unknown_test", "There is no test {test}.", test=repr(test[:40]))
    return _test(row)


def _memory(row: Any) -> Memory:
    return Memory(row.kind, row.paragraph, row.step, row.due, row.right_answers, row.wrong_answers)


def _test(row: Any) -> TableTest:
    items = msgspec.json.decode(row.items, type=dict[str, int])
    answers: Sequence[str] = msgspec.json.decode(row.answers, type=list[str])
    return TableTest(
        row.id,
        row.account,
        row.rulebook,
        row.rulebook_sha256,
        Composition(items, row.minutes, row.pass_mark),
        row.seed,
        row.set_by,
        row.set_at,
        row.started_at,
        row.finished_at,
        tuple(answers),
        row.correct,
        bool(row.passed),
        row.items_version,
        tuple(msgspec.json.decode(row.marks, type=list[str])),
    )
