"""`lammer verify`, `backup`, `restore` and `export`, as they are typed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lammer.floor.record.checkpoints import FILE, lines_of
from lammer.floor.record.log.log_secrets import FILE as SECRET
from lammer.floor.record.signing_key import PUBLIC
from support.open_house import ask, bet, in_loop, open_house
from support.servers import Server
from support.terminal import Terminal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A house that was open until the first bet."""

    async def play() -> None:
        async with open_house(tmp_path / "house") as house:
            await house.table(shoe="virtual")
            for do in ("prepare_shoe", "open_bets"):
                await ask(house.house, "dealer", do)
            await ask(house.house, "p1", "take_seat", box=1)
            await bet(house.house, key="k1")

    in_loop(play)()
    return tmp_path / "house"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_copy_put_back_verifies_as_the_house_did(
    lammer: Terminal, folder: Path, tmp_path: Path, kind: str, server: Server
) -> None:
    old, new = ["--data", str(folder)], ["--data", str(tmp_path / "new")]
    if kind == "postgresql":
        new += ["--store", server.new_database()]
    copy = str(tmp_path / "copy.gz")
    before = lammer("verify", *old, "--json").json
    assert before["holds"]
    assert before["checkpoints"] > 0
    assert lammer("backup", copy, *old).code == 0
    assert "restored" in lammer("restore", copy, *new).out
    assert lammer("verify", *new, "--key", str(folder / PUBLIC), "--json").json["log"]["blind"] > 0
    shutil.copy(folder / SECRET, tmp_path / "new" / SECRET)
    assert list(lines_of(tmp_path / "new" / FILE)) == list(lines_of(folder / FILE))
    alone = lammer("verify", *new)
    assert alone.code
    assert "no public key" in alone.err
    assert lammer("verify", *new, "--key", str(folder / PUBLIC), "--json").json == before
    exported = [lammer("export", "--table", "t1", "--rounds", "1", *where).out for where in (old, new)]
    assert exported[0] == exported[1]
    assert '"event":"BetPlaced"' in exported[0]


def test_a_copy_older_than_the_file_of_checkpoints_says_so(
    lammer: Terminal, folder: Path, tmp_path: Path
) -> None:
    """What came after the copy is lost; the file beside the record knows of it."""
    assert lammer("backup", str(tmp_path / "copy.gz"), "--data", str(folder)).code == 0

    async def play() -> None:
        async with open_house(folder) as house:
            await ask(house.house, "pit_supervisor", "resolve_interruption", table="t1")

    in_loop(play)()
    for file in folder.glob("house.sqlite*"):
        file.unlink()
    ended = lammer("restore", str(tmp_path / "copy.gz"), "--data", str(folder))
    assert "restored" in ended.out
    assert "checkpoints_disagree" in ended.err
    told = lammer("verify", "--data", str(folder))
    assert told.code
    assert "the record does not have it" in told.err


@pytest.mark.parametrize("option", ["--key", "--checkpoints"])
def test_what_is_named_has_to_be_there(lammer: Terminal, folder: Path, tmp_path: Path, option: str) -> None:
    ended = lammer("verify", "--data", str(folder), option, str(tmp_path / "nowhere"))
    assert ended.code
    assert "nowhere" in ended.err


def test_a_copy_that_is_not_there_makes_no_record(lammer: Terminal, tmp_path: Path) -> None:
    ended = lammer("restore", str(tmp_path / "none.gz"), "--data", str(tmp_path / "house"))
    assert "backup_missing" in ended.err
    assert not (tmp_path / "house").exists()
