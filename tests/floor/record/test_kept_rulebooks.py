"""Rulebooks a house keeps: in the record, its journal and its backups, of either database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from lammer.floor.record.copies import back_up, restore
from lammer.floor.record.row_journal import fold
from lammer.floor.record.rulebook_texts import keep_text, kept_texts
from lammer.floor.tables.kept_rulebooks import KeptRulebooks, kept_books, open_kept
from lammer.rulebook.refusal import Refused
from lammer.shelf import own_books
from support.houses import House
from support.servers import Server

MINE = """\
[rulebook]
game = "mine"

[[bet]]
name = "player"
wins = { hand = "player" }
pays = "1:1"
tie_returns = true

[[bet]]
name = "banker"
wins = { hand = "banker" }
pays = "1:1"
tie_returns = true
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request: pytest.FixtureRequest, tmp_path: Path, server: Server) -> Any:
    where = str(tmp_path / "other.sqlite") if request.param == "sqlite" else server.new_database()
    opened = House(request.param, where)
    yield opened
    opened.close()


def test_a_backup_carries_what_is_kept_and_the_journal_covers_it(
    house: House, other: House, tmp_path: Path
) -> None:
    store, folder = house.open(), tmp_path / "rulebooks"
    kept = KeptRulebooks(store, folder, {}, lambda: 7)
    book = kept.keep(MINE)
    assert kept.keep(MINE) is book
    with pytest.raises(Refused, match="rulebook_exists"):
        KeptRulebooks(store, folder, {}, lambda: 8).keep(MINE.replace("1:1", "2:1"))
    back_up(store, tmp_path / "copy.gz")
    copied = other.open()
    restore(copied, tmp_path / "copy.gz")
    assert kept_texts(copied) == {"mine@1": MINE}
    elsewhere = tmp_path / "elsewhere"
    opened = open_kept(copied, elsewhere, 9)
    assert {name: each.sha256 for name, each in opened.items()} == {"mine@1": book.sha256}
    assert kept_books(copied)["mine@1"].sha256 == book.sha256
    assert (elsewhere / "mine@1.toml").read_text("utf-8") == MINE
    with copied.reading() as connection:
        assert fold(connection).rows["kept_rulebooks"].keys() == {"mine@1"}


def test_files_of_before_are_taken_over_once_and_the_record_wins(house: House, tmp_path: Path) -> None:
    store, folder = house.open(), tmp_path / "rulebooks"
    folder.mkdir()
    (folder / "mine@1.toml").write_text(MINE, "utf-8")
    (sha256,) = (book.sha256 for book in own_books(folder))
    assert open_kept(store, folder, 1)["mine@1"].sha256 == sha256
    (folder / "mine@1.toml").write_text(MINE.replace("1:1", "2:1"), "utf-8")
    assert open_kept(store, folder, 2)["mine@1"].sha256 == sha256
    (folder / "mine@1.toml").unlink()
    assert open_kept(store, folder, 3)["mine@1"].sha256 == sha256
    assert keep_text(store, "mine@1", "another", "0" * 64, 4) == sha256


def test_a_record_from_before_keeps_none(house: House) -> None:
    store = house.open()
    store.write(lambda connection: connection.execute(text("DROP TABLE kept_rulebooks"))).result()
    assert kept_texts(store) == {}
