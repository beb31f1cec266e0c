"""Checkpoints and the house's key: made, kept twice, and checked; what somebody changes is named."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, delete, text

from lammer.floor.main import Vouched, run_house
from lammer.floor.record.chain import checkpoint, from_line, link, seal, to_line
from lammer.floor.record.checkpoints import (
    FILE,
    Checkpoints,
    check_checkpoints,
    last_line,
    lines_of,
    must_agree,
    set_aside,
)
from lammer.floor.record.contract import Append, Store
from lammer.floor.record.schema import checkpoints
from lammer.floor.record.signing_key import PRIVATE, PUBLIC, house_key, public_key, public_pem
from lammer.floor.settings import Settings
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD, until
from support.chains import check_chain
from support.houses import House, intact
from support.open_house import books, in_loop, put_up


def test_the_key_is_made_once_and_is_the_owners_alone(tmp_path: Path) -> None:
    key = house_key(tmp_path / "data")
    file = tmp_path / "data" / PRIVATE
    assert file.stat().st_mode & 0o777 == 0o600
    assert house_key(tmp_path / "data").private_bytes_raw() == key.private_bytes_raw()
    kept = (tmp_path / "data" / PUBLIC).read_bytes()
    assert public_key(kept) == key.public_key().public_bytes_raw()
    assert kept == public_pem(key.public_key())
    assert sorted(path.name for path in file.parent.iterdir()) == sorted([PRIVATE, PUBLIC])


def test_those_who_start_at_once_get_one_key(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from lammer.floor.record.signing_key import house_key;"
        f"print(house_key(Path({str(tmp_path)!r})).private_bytes_raw().hex())"
    )
    all_ = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(4)]
    assert len({one.communicate(timeout=GUARD)[0] for one in all_}) == 1


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    house_key(tmp_path)
    (tmp_path / PRIVATE).chmod(0o640)
    with pytest.raises(Refused, match="key_exposed"):
        house_key(tmp_path)
    (tmp_path / PRIVATE).chmod(0o600)
    (tmp_path / PRIVATE).write_bytes(b"nonsense")
    with pytest.raises(Refused, match="malformed_input"):
        house_key(tmp_path)
    with pytest.raises(Refused, match="malformed_input"):
        public_key(b"nonsense")


class Kept:
    """A store with checkpoints made between its events."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.key = house_key(folder)
        self.file = folder / "checkpoints.jsonl"
        self.made = Checkpoints(store, self.key, self.file)
        self.trusted = {self.key.public_key().public_bytes_raw()}

    def play(self, *tables: str) -> None:
        for table in tables:
            self.store.append(Append(table, self.store.head(table).number, (b"x", b"y"))).result(GUARD)

    def wrong(self) -> list[Phrase]:
        return check_checkpoints(self.store, lines_of(self.file), self.trusted)


@pytest.fixture
def kept(store: Store, tmp_path: Path) -> Kept:
    made = Kept(store, tmp_path)
    for tables in (("t1",), ("t1", "t2"), ("t2",)):
        made.play(*tables)
        assert made.made.make() is not None
    return made


def test_checkpoints_are_in_the_record_and_in_the_file(kept: Kept) -> None:
    lines = list(lines_of(kept.file))
    assert lines == kept.store.checkpoints()
    assert [from_line(line).checkpoint.number for line in lines] == [1, 2, 3]
    assert last_line(kept.file) == lines[-1]
    heads = {head.table: head.version for head in from_line(lines[-1]).checkpoint.heads}
    assert heads == {"t1": 4, "t2": 4}
    assert kept.wrong() == []
    assert kept.made.make() is None, "nothing moved"
    assert len(kept.store.checkpoints()) == 3


def test_a_file_that_fell_behind_or_was_torn_is_brought_level(kept: Kept) -> None:
    lines = kept.file.read_bytes()
    for left in (0, 10, lines.index(b"\n") + 1, len(lines) - 1):
        kept.file.write_bytes(lines[:left])
        assert kept.made.make() is None
        assert kept.file.read_bytes() == lines
    kept.file.unlink()
    kept.made.make()
    assert kept.file.read_bytes() == lines


def test_a_file_from_another_history_is_not_written_to(kept: Kept) -> None:
    ahead = seal(
        checkpoint(4, 0, {"t1": (9, bytes(32))}, from_line(kept.store.checkpoints()[-1]).checkpoint), kept.key
    )
    for line in (to_line(ahead), kept.store.checkpoints()[0].replace(b'"at":', b'"at":1')):
        kept.file.write_bytes(line + b"\n")
        with pytest.raises(Refused, match="checkpoints_disagree"):
            kept.made.make()
        assert kept.file.read_bytes() == line + b"\n"


def test_they_are_made_from_time_to_time(store: Store, tmp_path: Path) -> None:
    kept = Kept(store, tmp_path)
    kept.play("t1")
    kept.made.start(every=0.05)
    until(lambda: store.latest_checkpoint() is not None)
    kept.play("t1")
    kept.made.stop()
    last = store.latest_checkpoint()
    assert last is not None
    assert from_line(last).checkpoint.heads[0].version == 4, "what came before the stop is covered"
    assert kept.wrong() == []


def test_a_clock_set_back_puts_no_checkpoint_before_another(store: Store, tmp_path: Path) -> None:
    kept = Kept(store, tmp_path)
    for now in (1_000, 400, -5, 2_000):
        kept.play("t1")
        assert kept.made.make(lambda now=now: now) is not None  # type: ignore[misc]
    assert [from_line(line).checkpoint.at for line in lines_of(kept.file)] == [1_000, 1_000, 1_000, 2_000]
    assert kept.wrong() == []


def test_one_that_fails_does_not_end_the_making(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept(store, tmp_path)
    kept.play("t1")
    tried: list[int] = []

    def fails_at_first(*given: Any) -> Any:
        tried.append(1)
        if len(tried) < 3:
            raise ZeroDivisionError("a bug")
        return seal(*given)

    monkeypatch.setattr("lammer.floor.record.checkpoints.seal", fails_at_first)
    kept.made.start(0.01)
    until(lambda: len(tried) >= 3, "it is not tried again")
    kept.made.stop()
    assert len(list(lines_of(kept.file))) == 1


def test_a_key_that_is_not_trusted(kept: Kept) -> None:
    stranger = Ed25519PrivateKey.generate()
    assert check_checkpoints(kept.store, lines_of(kept.file), {stranger.public_key().public_bytes_raw()})
    Checkpoints(kept.store, stranger, kept.file)
    kept.play("t1")
    Checkpoints(kept.store, stranger, kept.file).make()
    assert kept.wrong() == ["checkpoint 4: it is signed by a key that is not trusted"]


def test_a_file_that_was_changed_is_found_out(kept: Kept) -> None:
    one, two, three = lines_of(kept.file)

    def wrong(*lines: bytes) -> list[Phrase]:
        return check_checkpoints(kept.store, lines, kept.trusted)

    assert wrong(one, two, three) == []
    assert wrong(one, two) == [], "an older copy is as good as its last line"
    assert any("calls itself checkpoint 3" in told for told in wrong(one, three))
    assert any("signature" in told for told in wrong(one, two.replace(b'"at":', b'"at":1'), three))
    assert any("root" in told for told in wrong(one, two.replace(b'["t1",4', b'["t1",3'), three))
    assert any("not a checkpoint" in told for told in wrong(one, two[:40], three))


def tamper(house: House, *statements: str) -> None:
    """What somebody with the database in their hands could do, guards taken off first."""
    store = house.open()
    guards = {
        "sqlite": ["DROP TRIGGER events_stay_changed", "DROP TRIGGER events_stay_removed"],
        "postgresql": ["DROP TRIGGER events_stay ON events"],
    }

    def work(connection: object) -> None:
        for statement in (*guards[house.kind], *statements):
            connection.execute(text(statement))  # type: ignore[attr-defined]

    store.write(work).result(GUARD)
    house.close()


def test_an_event_that_was_changed_breaks_its_chain(house: House, tmp_path: Path) -> None:
    kept = Kept(house.open(), tmp_path)
    for _ in range(3):
        kept.play("t1")
    kept.made.make()
    house.close()
    body = "X'7A'" if house.kind == "sqlite" else "'\\x7a'::bytea"
    tamper(house, f"UPDATE events SET body = {body} WHERE number = 4")
    record = house.look()
    assert check_chain(record, "t1") == "table t1, event 4: it does not follow from what is before it"
    assert check_chain(record, "t1", after=4) is None, "from there on it holds"
    assert check_chain(record, "t1", after=3) is not None
    assert check_chain(record, "t1", after=7) == "table t1, event 7: the record does not have it"
    with pytest.raises(AssertionError):
        intact(record)


def test_events_left_out_at_the_end_are_missed(house: House, tmp_path: Path) -> None:
    """The chain alone cannot tell; the checkpoint kept elsewhere can."""
    kept = Kept(house.open(), tmp_path)
    kept.play("t1", "t2")
    kept.made.make()
    house.close()
    tamper(house, "DELETE FROM events WHERE table_id = 't1' AND number = 2")
    record = house.look()
    assert check_chain(record, "t1") is None
    wrong = check_checkpoints(record, lines_of(kept.file), kept.trusted)
    assert wrong == ["checkpoint 1: table t1, event 2: the record does not have it"]


def test_a_history_rewritten_whole_is_found_out(house: House, tmp_path: Path) -> None:
    """Whoever recomputes the chain makes it hold again, and still cannot make the checkpoint agree."""
    kept = Kept(house.open(), tmp_path)
    kept.play("t1")
    kept.made.make()
    first = kept.store.read("t1")[0]
    house.close()
    new = link(first.hash, "t1", 2, b"z").hex()
    body, hash_ = (
        ("X'7A'", f"X'{new}'") if house.kind == "sqlite" else ("'\\x7a'::bytea", f"'\\x{new}'::bytea")
    )
    tamper(house, f"UPDATE events SET body = {body}, hash = {hash_} WHERE number = 2")
    record = house.look()
    assert check_chain(record, "t1") is None
    wrong = check_checkpoints(record, lines_of(kept.file), kept.trusted)
    assert wrong == ["checkpoint 1: table t1, event 2: the record has another one"]


def test_a_record_older_than_its_file_is_not_agreed_with_until_a_person_says_so(kept: Kept) -> None:
    lines = kept.file.read_bytes()
    must_agree(kept.store, kept.file)
    assert set_aside(kept.store, kept.file) is None, "nothing to set aside"
    last = from_line(kept.store.checkpoints()[-1]).checkpoint
    newer = to_line(seal(checkpoint(last.number + 1, last.at + 1, {"t1": (99, bytes(32))}, last), kept.key))
    for added in (newer, b'{"number":'):
        kept.file.write_bytes(lines + added + b"\n")
        with pytest.raises(Refused) as told:
            must_agree(kept.store, kept.file)
        assert told.value.code == "checkpoints_disagree"
        assert "--record-is-right" in told.value.next_step
        aside = set_aside(kept.store, kept.file)
        assert aside is not None
        assert aside.read_bytes() == lines + added + b"\n", "what it knew is kept"
        kept.made.make()
        assert kept.file.read_bytes() == lines, "and it begins anew with what the record has"


@in_loop
async def test_a_house_with_an_older_record_does_not_open_by_itself(house: House, tmp_path: Path) -> None:
    """Once it was served, with a line in a log: what came after the older record was gone without a word."""
    settings = Settings(data=str(tmp_path / "folder"), store=house.where, tables=0)
    async with run_house(settings, books()) as made:
        await put_up(made.context.house)
    file = settings.folder / FILE
    newer = file.read_bytes()
    last = list(lines_of(file))[-1]

    def older(connection: Connection) -> None:
        stays = "checkpoints_stay_removed" if house.kind == "sqlite" else "checkpoints_stay ON checkpoints"
        connection.execute(text(f"DROP TRIGGER {stays}"))
        connection.execute(delete(checkpoints).where(checkpoints.c.line == last))

    await asyncio.wrap_future(house.open().write(older))
    house.close()
    with pytest.raises(Refused, match="checkpoints_disagree"):
        async with run_house(settings, books()):
            pass
    assert file.read_bytes() == newer
    async with run_house(settings, books(), Vouched(record=True)) as made:
        assert made.context.house.tables.at("t1").held
    assert [each.read_bytes() for each in settings.folder.glob("*set-aside*")] == [newer]
    async with run_house(settings, books()):
        pass
