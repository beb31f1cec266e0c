"""Somebody changes the program, a rulebook, or what the record says of them: each is found, and by whom.

The program is a copy of the whole package, and every byte of it is read. Whoever changes the record here
writes to the database file past the house.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pysqlite3
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import lammer
from lammer.build import COMPILED, file_hashes
from lammer.floor.main import Vouched, run_house
from lammer.floor.record import manifest as manifests
from lammer.floor.record.manifest import manifest_now, read_manifest, sign_manifest
from lammer.floor.record.programs import Program, check_programs, latest
from lammer.floor.record.row_journal import check_journal
from lammer.floor.record.signing_key import house_key
from lammer.floor.record.store.opening import open_record
from lammer.floor.settings import Settings
from lammer.floor.tables.stop_switch import HOUSE
from lammer.rulebook.load import whole_text
from lammer.rulebook.refusal import Refused
from lammer.shelf import books_by_id, text_by_id
from support.open_house import ask, books, in_loop, put_up

MINE = "rulebook = { game = 'mine', based_on = 'tiger-buffalo-noncommission@4' }\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package; the house looks at its files."""
    copy = tmp_path / "site" / "lammer"
    shutil.copytree(Path(lammer.__file__).parent, copy, ignore=shutil.ignore_patterns(COMPILED))
    monkeypatch.setattr(manifests, "program_files", partial(file_hashes, copy))
    return copy


def settings(tmp_path: Path, **more: Any) -> Settings:
    return Settings(data=str(tmp_path / "house"), tables=0, checkpoint_seconds=3600.0, **more)


def one_byte(file: Path) -> None:
    contents = bytearray(file.read_bytes())
    contents[len(contents) // 2] ^= 1
    file.write_bytes(contents)


async def found_at_a_start(opened: Settings, vouched: Vouched = Vouched()) -> list[str]:  # noqa: B008
    async with run_house(opened, books(), vouched) as house:
        return [difference.phrase for difference in house.context.house.program.differences]


@in_loop
async def test_a_changed_byte_is_found_before_a_table_opens(tmp_path: Path, installed: Path) -> None:
    opened = settings(tmp_path)
    assert await found_at_a_start(opened) == []
    assert await found_at_a_start(opened) == [], "nothing has changed"
    one_byte(installed / "game" / "settlement.py")
    seen: list[int] = []
    async with run_house(opened, books()) as running:
        house = running.context.house
        (difference,) = house.program.differences
        assert (difference.part, difference.name) == ("file", "game/settlement.py")
        seen.append(len(house.program.differences))
        await put_up(house)
        noted = latest(house.store)
        assert noted is not None
        assert (noted.stands, noted.by, noted.differences) == ("differs", HOUSE, (difference,))
        assert check_journal(house.store)[0] == []
        one_byte(installed / "game" / "settlement.py")
        assert await house.program.check() == (), "put right, and looked at when asked"
    assert await found_at_a_start(opened) == []


@in_loop
async def test_a_changed_program_stops_gaming_until_a_person_decides(tmp_path: Path, installed: Path) -> None:
    opened = settings(tmp_path, changed_program="stop")
    async with run_house(opened, books()) as running:
        await put_up(running.context.house)
    one_byte(installed / "table" / "play.py")
    async with run_house(opened, books()) as running:
        house = running.context.house
        with pytest.raises(Refused, match="gaming_stopped"):
            await ask(house, "dealer", "close_bets")
        stop = house.switch.of("t1")
        assert stop is not None
        assert stop.by == HOUSE
    assert await found_at_a_start(opened, Vouched(program=True)) == []
    async with run_house(opened, books()) as running:
        assert running.context.house.switch.of("t1") is None
    one_byte(installed / "table" / "play.py")
    async with run_house(opened, books()) as running:
        house = running.context.house
        again = house.switch.of("t1")
        assert again is not None, "back to what it was is a change too"
        await house.switch.end(again.number, by="ada", role="pit_manager")
    async with run_house(opened, books()) as running:
        assert running.context.house.switch.of("t1") is None, "who ended it has decided"
        assert len(running.context.house.program.differences) == 1, "and is told still"


@in_loop
async def test_an_added_and_a_missing_file_are_found(tmp_path: Path, installed: Path) -> None:
    opened = settings(tmp_path)
    await found_at_a_start(opened)
    (installed / "game" / "extra.py").write_text("BIAS = 1\n")
    (installed / "game" / "hidden.pyc").write_bytes(b"\0")
    (installed / "py.typed").unlink()
    assert await found_at_a_start(opened) == [
        "the file game/extra.py was added",
        "the file game/hidden.pyc was added",
        "the file py.typed is missing",
    ]


@in_loop
async def test_a_changed_rulebook_is_found(tmp_path: Path, installed: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    file = own / "mine@1.toml"
    file.write_text(MINE)
    opened = settings(tmp_path, rulebooks=str(own))
    await found_at_a_start(opened)
    file.write_text(
        file.read_text().replace("tiger-buffalo-noncommission@4", "tiger-buffalo-commission-insurance@3")
    )
    shipped = installed / "rulebook" / "documents" / "tiger-buffalo-noncommission@4.toml"
    one_byte(shipped)
    found = await found_at_a_start(opened)
    assert "the rulebook mine@1 was changed" in found
    assert "the file rulebook/documents/tiger-buffalo-noncommission@4.toml was changed" in found


@in_loop
async def test_a_rulebook_the_house_keeps_itself_is_no_difference(tmp_path: Path, installed: Path) -> None:
    opened = settings(tmp_path)
    async with run_house(opened, books()) as running:
        house = running.context.house
        whole = whole_text(MINE, find=text_by_id)
        book = await asyncio.to_thread(house.kept_rulebooks.keep, whole)
        await house.program.accept_rulebook(book, "ada")
    assert await found_at_a_start(opened) == []


def in_the_record(opened: Settings, statement: str, *values: object) -> None:
    """Write to the database past the house."""
    connection = pysqlite3.connect(str(opened.record))
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def last(opened: Settings) -> Program:
    """The program that was accepted last."""
    record = open_record(opened.record)
    try:
        program = latest(record, "accepted")
        assert program is not None
        return program
    finally:
        record.close()


def wrong(opened: Settings) -> list[str]:
    record = open_record(opened.record)
    try:
        return list(check_programs(record))
    finally:
        record.close()


@in_loop
async def test_a_manifest_signed_with_another_key_is_found(tmp_path: Path, installed: Path) -> None:
    opened = settings(tmp_path)
    await found_at_a_start(opened)
    one_byte(installed / "game" / "settlement.py")
    changed = manifest_now(books_by_id(), (opened.folder / "rulebooks",))
    forged = sign_manifest(changed, Ed25519PrivateKey.generate())
    in_the_record(opened, "UPDATE programs SET manifest = ?, sha256 = ?", forged, changed.sha256)
    assert await found_at_a_start(opened) == [
        "the manifest that was accepted is not signed by the house's key"
    ]
    number = last(opened).number
    assert f"programs {number}: it is not as the house wrote it" in wrong(opened), (
        "and by whoever verifies it"
    )


@in_loop
async def test_a_manifest_that_says_other_than_it_was_signed_for(tmp_path: Path, installed: Path) -> None:
    opened = settings(tmp_path)
    await found_at_a_start(opened)
    contents = last(opened).contents
    one_byte(installed / "game" / "settlement.py")
    changed = manifest_now(books_by_id(), (opened.folder / "rulebooks",))
    signed = msgspec.json.decode(contents)
    signed["manifest"] = msgspec.to_builtins(changed)
    in_the_record(
        opened, "UPDATE programs SET manifest = ?, sha256 = ?", msgspec.json.encode(signed), changed.sha256
    )
    assert await found_at_a_start(opened) == [
        "the manifest that was accepted is not signed by the house's key"
    ]


@in_loop
async def test_an_earlier_manifest_put_back_is_found(tmp_path: Path, installed: Path) -> None:
    """With the program of then, only whoever verifies the record can tell: the house's key did sign it."""
    opened = settings(tmp_path)
    await found_at_a_start(opened)
    before = (installed / "game" / "settlement.py").read_bytes()
    one_byte(installed / "game" / "settlement.py")
    assert await found_at_a_start(opened, Vouched(program=True)) == []
    assert wrong(opened) == []
    number = last(opened).number
    in_the_record(opened, "DELETE FROM programs WHERE number = ?", number)
    gone = f"programs {number}: it is gone"
    assert wrong(opened) == [gone]
    assert await found_at_a_start(opened) == ["the file game/settlement.py was changed"]
    (installed / "game" / "settlement.py").write_bytes(before)
    assert await found_at_a_start(opened) == [], "no start can know it; the journal does"
    assert wrong(opened) == [gone], "nothing the house writes later covers it up"


@in_loop
async def test_a_manifest_written_with_the_houses_own_key_is_found_by_the_journal(
    tmp_path: Path, installed: Path
) -> None:
    opened = settings(tmp_path)
    await found_at_a_start(opened)
    one_byte(installed / "game" / "settlement.py")
    changed = manifest_now(books_by_id(), (opened.folder / "rulebooks",))
    forged = sign_manifest(changed, house_key(opened.folder))
    in_the_record(opened, "UPDATE programs SET manifest = ?, sha256 = ?", forged, changed.sha256)
    assert await found_at_a_start(opened) == []
    assert wrong(opened) == [f"programs {last(opened).number}: it is not as the house wrote it"]


def test_a_laboratorys_manifest_checks_an_installation_without_a_house(tmp_path: Path) -> None:
    copy = tmp_path / "site" / "lammer"
    shutil.copytree(Path(lammer.__file__).parent, copy, ignore=shutil.ignore_patterns(COMPILED))

    def run(*given: str) -> subprocess.CompletedProcess[str]:
        start = "from lammer.cli import main; main()"
        there = {**os.environ, "PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, "-c", start, *given],
            check=False,
            env=there,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )

    made = run("program", "write", "-o", "tested.json", "--data", "laboratory")
    assert made.returncode == 0, made.stderr
    assert read_manifest((tmp_path / "tested.json").read_bytes()).files
    check = (
        "verify",
        "--program",
        "--manifest",
        "tested.json",
        "--key",
        "laboratory/checkpoint-key.public.pem",
    )
    held = run(*check)
    assert held.returncode == 0, held.stderr
    assert run(*check[:-2]).returncode == 1, "without the laboratory's key nobody is believed"
    one_byte(copy / "floor" / "web" / "pages" / "static" / "table.js")
    changed = run(*check, "--json")
    assert changed.returncode == 1
    told = msgspec.json.decode(changed.stdout)
    assert [each["name"] for each in told["differences"]] == ["floor/web/pages/static/table.js"]
    assert not told["holds"]
