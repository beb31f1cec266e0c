"""Records written by earlier versions open, verify and go on, on both databases.

`older/` holds a house of commit 6892305, the last before the floor was divided into rooms: three tables with
twelve rounds each, two players with purses, their answers kept under keys. Nothing here is made anew: what an
earlier version wrote has to be read for ever.
"""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import Final

import msgspec
import pytest

from lammer.floor.main import Vouched, run_house
from lammer.floor.record.checkpoints import FILE
from lammer.floor.record.copies import restore
from lammer.floor.record.signing_key import public_key
from lammer.floor.record.store.opening import open_record, open_store
from lammer.floor.record.verify.verify import Verification, verify
from lammer.floor.settings import Settings
from lammer.floor.tables.command_request import CommandRequest
from support.open_house import books, in_loop
from support.servers import Server

OLDER: Final = Path(__file__).with_name("older")
VERSION: Final = "6892305"
EVENTS: Final = {"t1": 140, "t2": 139, "t3": 126}


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """The house as it was left, on either database; in PostgreSQL by way of its backup."""
    shutil.copy(OLDER / f"{VERSION}.checkpoints.jsonl", tmp_path / FILE)
    if request.param == "sqlite":
        file = tmp_path / "house.sqlite"
        file.write_bytes(gzip.decompress((OLDER / f"{VERSION}.sqlite.gz").read_bytes()))
        # Whoever only reads may not bring it up to date: the house does that when it opens the record.
        open_store(str(file)).close()
        return Settings(data=str(tmp_path), tables=0, chips=100_000)
    server: Server = request.getfixturevalue("server")
    where = server.new_database()
    store = open_store(where)
    restore(store, OLDER / f"{VERSION}.backup.gz")
    store.close()
    return Settings(data=str(tmp_path), store=where, tables=0, chips=100_000)


def verified(settings: Settings) -> Verification:
    """What `lammer verify` finds, by the key of those days and the house's own."""
    keys = [OLDER / f"{VERSION}.public.pem", *settings.folder.glob("*.public.pem")]
    record = open_record(settings.record)
    try:
        return verify(
            record,
            books(),
            checkpoints=settings.folder / FILE,
            trusted=[public_key(key.read_bytes()) for key in keys],
        )
    finally:
        record.close()


@in_loop
async def test_an_older_record_opens_verifies_and_goes_on(settings: Settings) -> None:
    before = verified(settings)
    assert before.holds, before
    assert {each.table: each.events for each in before.tables} == EVENTS
    async with run_house(settings, books(), Vouched(clock=True)) as house:
        ask = house.context.gateway.ask
        again = {"box": 1, "bet": "banker", "stake": "50"}
        known = await ask("t1", CommandRequest("anna", "player", "place_bet", again, "t1-11-anna"))
        assert msgspec.json.decode(known)["version"] < EVENTS["t1"], (
            "the answer of those days, and no new bet"
        )
        for name in EVENTS:
            await ask(name, CommandRequest("dealer", "dealer", "open_bets"))
            bet = {"box": 2, "bet": "player", "stake": "50"}
            await ask(name, CommandRequest("ben", "player", "place_bet", bet, f"{name}-new"))
    after = verified(settings)
    assert after.holds, after
    assert all(each.events > EVENTS[each.table] for each in after.tables)
