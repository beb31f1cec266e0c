"""What is opened, and what is refused with a sentence that says what to do."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pysqlite3
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from lammer.floor.record.contract import Append, StoreUnavailable
from lammer.floor.record.schema import VERSION_TABLE, full_metadata
from lammer.floor.record.store import upgrade
from lammer.floor.record.store.opening import open_record, open_store, place
from lammer.floor.record.store.sqlite import OLDEST
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD, until
from support.houses import House
from support.servers import Server


def refusal(code: str, *parts: str, where: str | Path, read: bool = False) -> None:
    with pytest.raises(Refused) as refused:
        (open_record if read else open_store)(where)
    assert refused.value.code == code
    assert refused.value.next_step
    for part in parts:
        assert part in str(refused.value)


def test_migrations_make_what_the_schema_says(house: House) -> None:
    store = house.open()
    with store.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, full_metadata()) == []


def test_opening_again_changes_nothing(house: House) -> None:
    house.open().append(Append("t1", 0, (b"1",))).result(GUARD)
    house.close()
    assert house.open().head("t1").number == 1


def test_migrations_are_one_line_without_branches() -> None:
    assert len(upgrade.history().get_heads()) == 1
    assert len(upgrade.history().get_bases()) == 1


def test_a_database_of_a_later_version_is_refused(house: House) -> None:
    store = house.open()
    store.write(lambda c: c.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))).result(GUARD)
    house.close()
    refusal("database_too_new", "9999", where=house.where)
    refusal("database_too_new", "9999", where=house.where, read=True)


def later_lammer(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """From here on the migrations are those that ship and one more, which does what the lines say."""
    shutil.copytree(upgrade.FOLDER, folder, dirs_exist_ok=True)
    head = upgrade.history().get_current_head()
    made = f"from alembic import op\nrevision = '9999'\ndown_revision = {head!r}\ndef upgrade():\n"
    (folder / "m9999_later.py").write_text(made + "".join(f"    {line}\n" for line in lines))
    monkeypatch.setattr(upgrade, "FOLDER", folder)


def test_a_database_of_an_earlier_version_is_brought_up_by_its_owner_alone(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open().append(Append("t1", 0, (b"1",))).result(GUARD)
    house.close()
    with monkeypatch.context() as later:
        later_lammer(tmp_path / "later", later, "op.execute('CREATE TABLE later (x INTEGER)')")
        refusal("database_out_of_date", "lammer serve", where=house.where, read=True)
        store = house.open()
        store.write(lambda c: c.execute(text("INSERT INTO later VALUES (1)"))).result(GUARD)
        assert house.look().head("t1").number == 1
        house.close()
    refusal("database_too_new", "9999", where=house.where)


def test_a_migration_that_fails_leaves_everything_as_it_was(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open().append(Append("t1", 0, (b"1",))).result(GUARD)
    house.close()
    with monkeypatch.context() as later:
        lines = ("op.execute('CREATE TABLE later (x INTEGER)')", "raise ZeroDivisionError")
        later_lammer(tmp_path / "later", later, *lines)
        with pytest.raises(ZeroDivisionError):
            house.open()
    store = house.open()
    assert store.head("t1").number == 1
    store.write(lambda c: c.execute(text("CREATE TABLE later (x INTEGER)"))).result(GUARD)


def test_somebody_elses_database_is_left_alone(house: House) -> None:
    store = house.open()
    store.write(lambda c: c.execute(text(f"DROP TABLE {VERSION_TABLE}"))).result(GUARD)
    house.close()
    refusal("database_not_ours", where=house.where)


def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pysqlite3.sqlite_version_info >= OLDEST
    monkeypatch.setattr(pysqlite3, "sqlite_version_info", (3, 51, 2))
    monkeypatch.setattr(pysqlite3, "sqlite_version", "3.51.2")
    refusal("sqlite_too_old", "3.51.2", "3.51.3", where=tmp_path / "house.sqlite")
    assert not list(tmp_path.iterdir())


def test_a_file_has_one_owner_at_a_time(sqlite: House) -> None:
    sqlite.open()
    refusal("database_in_use", "PostgreSQL", where=sqlite.where)
    code = f"from lammer.floor.record.store.opening import open_store; open_store({sqlite.where!r})"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "database_in_use" in other.stderr
    sqlite.close()
    sqlite.open()


def test_a_file_is_written_as_promised(sqlite: House) -> None:
    store = sqlite.open()

    def asked(connection: object) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "auto_vacuum")
        return [connection.execute(text(f"PRAGMA {name}")).scalar() for name in names]  # type: ignore[attr-defined]

    assert store.write(asked).result(GUARD) == ["wal", 2, 1, 0]
    for file in Path(sqlite.where).parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_a_folder_has_a_file_of_a_fixed_name(tmp_path: Path) -> None:
    assert place(tmp_path) == tmp_path / "house.sqlite"
    assert place(f"sqlite:///{tmp_path}/x.db") == tmp_path / "x.db"


@pytest.mark.parametrize("where", ["mysql://h/d", "sqlite://", "sqlite:///:memory:", "x://"])
def test_other_databases_are_not_known(where: str) -> None:
    refusal("unknown_database", where=where)


def test_reading_needs_something_to_read(tmp_path: Path) -> None:
    refusal("database_missing", where=tmp_path / "none.sqlite", read=True)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refusal("cannot_write", where=tmp_path / "file" / "house.sqlite")
    (tmp_path / "house.sqlite").mkdir()
    refusal("cannot_write", where=f"sqlite:///{tmp_path}/house.sqlite")


def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_bytes(b"not a database at all" * 1000)
    with pytest.raises(StoreUnavailable):
        open_store(tmp_path / "x.sqlite")
    (tmp_path / "x.sqlite").unlink()
    open_store(tmp_path / "x.sqlite").close()


def test_a_server_that_may_forget_is_refused(server: Server, postgres: House) -> None:
    def set_fsync(said: str) -> None:
        server.run(f"ALTER SYSTEM SET fsync = {said}")
        server.run("SELECT pg_reload_conf()")
        until(lambda: server.asked("SHOW fsync") == said, "the server does not take the setting up")

    set_fsync("off")
    try:
        refusal("server_not_durable", "fsync = on", where=postgres.where)
    finally:
        set_fsync("on")
    postgres.open()


def test_two_may_start_at_the_same_time(postgres: House) -> None:
    """Both bring the new database up to date; one of them does, the other waits and finds it done."""
    code = f"from lammer.floor.record.store.opening import open_store; open_store({postgres.where!r}).close()"
    both = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) for _ in range(3)]
    for one in both:
        assert one.communicate(timeout=GUARD)[1] == b""
        assert one.returncode == 0


@pytest.mark.parametrize("how", ["file", "folder", "chain", "name"])
def test_a_file_is_owned_whatever_leads_to_it(sqlite: House, tmp_path: Path, how: str) -> None:
    """Once a link beside it was a second lock, and two processes wrote to one file."""
    sqlite.open().append(Append("t1", 0, (b"1",))).result(GUARD)
    other = tmp_path / "elsewhere" / "other.sqlite"
    other.parent.mkdir()
    if how == "file":
        other.symlink_to(sqlite.where)
    elif how == "folder":
        other = tmp_path / "linked" / Path(sqlite.where).name
        other.parent.symlink_to(tmp_path)
    elif how == "chain":
        (tmp_path / "middle").symlink_to(sqlite.where)
        other.symlink_to(tmp_path / "middle")
    else:
        os.link(sqlite.where, other)
    refusal("database_in_use", where=str(other))
    if how != "name":
        record = open_record(other)
        assert record.head("t1").number == 1, "what lies in its log is seen through a link too"
        record.close()
        sqlite.close()
        store = open_store(other)
        assert not other.with_name(f"{other.name}.lock").exists() or how == "folder"
        store.close()
