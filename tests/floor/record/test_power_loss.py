"""The power goes at any moment: what was acknowledged is there, chains hold, no transaction is half there.

The same test with `synchronous=NORMAL` finds acknowledged appends missing, so it can fail.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path

import pysqlite3
import pytest

from lammer.floor.record.chain import first_break
from lammer.floor.record.contract import Append, Appended, Store
from lammer.floor.record.store.sqlite import Pragmas, open_sqlite
from support.awaited import GUARD
from support.houses import held_back, intact, key, recall
from support.power_loss import Image, images
from support.recording_vfs import Op, recording

NAME = "house.sqlite"
TABLES = ("a", "b", "c")
BODIES = 3
Groups = dict[int, set[tuple[str, int]]]


def record_work(folder: Path, pragmas: Pragmas) -> tuple[list[Op], Groups]:
    """Two lives of a store, writing groups of appends; every acknowledgement is marked in the recording."""
    folder.mkdir()
    with recording(folder) as recorder:
        for life in range(2):
            store = open_sqlite(folder / NAME, pragmas=pragmas)
            heads = {table: store.head(table).number for table in TABLES}

            def hand_in(store: Store, table: str, heads: dict[str, int] = heads, life: int = life) -> None:
                after = heads[table]
                bodies = tuple(b"%d of %d " % (n, after) * 20 for n in range(BODIES))
                heads[table] += BODIES
                asked = Append(table, after, bodies, key(f"{life}-{table}-{after}"), b"reply" * 20)
                store.append(asked).add_done_callback(lambda done: recorder.note(done.result()))

            for group in range(25):
                with held_back(store):
                    for n in range(group % 5 + 1):
                        hand_in(store, TABLES[(group + n) % 3])
            store.close()
    recorded = open_sqlite(folder / NAME)
    groups: Groups = defaultdict(set)
    for table in TABLES:
        for event in recorded.read(table):
            groups[event.written_at].add((table, event.number))
    recorded.close()
    return recorder.ops, groups


def put_down(image: Image, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in image.files.items():
        if not name.endswith("-shm"):
            (folder / name).write_bytes(content)
    return folder / NAME


def wrong_with(image: Image, path: Path, groups: Groups) -> str | None:
    """What is bad about an image, if anything; read with nothing but SQLite and the chain."""
    if not path.exists():
        return "the file is gone" if image.marks else None
    connection = pysqlite3.connect(path)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        if connection.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
            return "the file is damaged"
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'events'").fetchone():
            return "the tables are gone" if image.marks else None
        events = connection.execute(
            "SELECT table_id, number, body, hash, answer FROM events ORDER BY table_id, number"
        ).fetchall()
        replies = connection.execute("SELECT table_id, first, last, reply FROM replies").fetchall()
    except pysqlite3.DatabaseError as error:
        return f"the file is damaged: {error}"
    finally:
        connection.close()
    there = {(table, number) for table, number, *_ in events}
    for table in TABLES:
        if first_break(table, (event[1:] for event in events if event[0] == table)) is not None:
            return "a chain is broken"
    if any(group & there and not group <= there for group in groups.values()):
        return "a transaction is half there"
    if {(table, number) for table, first, last, _ in replies for number in range(first, last + 1)} != there:
        return "replies and events do not agree"
    told: Appended
    for told in image.marks:
        if (told.table, told.last) not in there or (
            told.table,
            told.first,
            told.last,
            told.reply,
        ) not in replies:
            return "an acknowledged append is missing"
    return None


def found_wrong(folder: Path, pragmas: Pragmas, number: int) -> tuple[dict[str, int], int]:
    """How often each thing was wrong, and how many images lost something that was not yet acknowledged."""
    ops, groups = record_work(folder / "live", pragmas)
    wrong: dict[str, int] = defaultdict(int)
    lossy = 0
    for image in images(ops, number, seed=number):
        path = put_down(image, folder / "image")
        fault = wrong_with(image, path, groups)
        if fault is not None:
            wrong[fault] += 1
        elif image.at % 40 == 0:
            opens_and_goes_on(path, image)
        lossy += len(image.marks) < sum(op.kind == "mark" for op in ops)
    return dict(wrong), lossy


def opens_and_goes_on(path: Path, image: Image) -> None:
    """The store itself finds its way back, knows its keys, and writes on."""
    store = open_sqlite(path)
    before = intact(store)
    told: Appended
    for told in image.marks[-2:]:
        after = told.first - 1
        retried = [n for n in (0, 1) if recall(store, key(f"{n}-{told.table}-{after}")) is not None]
        assert retried
    store.append(Append("a", len(before.get("a", ())), (b"on",))).result(GUARD)
    assert intact(store)["a"] == [*before.get("a", ()), b"on"]
    store.close()


def test_no_image_of_a_thousand_is_bad(tmp_path: Path) -> None:
    wrong, lossy = found_wrong(tmp_path, Pragmas(checkpoint_pages=30), 1_200)
    assert wrong == {}
    assert lossy > 1_000, "the power went before the end"


@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
def test_the_test_can_fail(tmp_path: Path, synchronous: str) -> None:
    pragmas = Pragmas(synchronous=synchronous, checkpoint_pages=30)
    wrong, _ = found_wrong(tmp_path, pragmas, 150)
    assert wrong.get("an acknowledged append is missing", 0) > 0
    if synchronous == "NORMAL":
        assert wrong.keys() == {"an acknowledged append is missing"}, "it forgets, and does not lie"
