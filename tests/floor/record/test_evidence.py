"""The evidence of a round, checked offline by a program that shares no code with ours."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import insert

from lammer.floor.record.contract import Store
from lammer.floor.record.log.evidence import collect, shoe_ended, write
from lammer.floor.record.log.house_log import HouseLog
from lammer.floor.record.log.log_secrets import log_secrets
from lammer.floor.record.log.log_serving import served_checkpoint, served_tile
from lammer.floor.record.log.log_tables import latest_head, log_cosignatures
from lammer.floor.web.pages.site.site import static_path
from lammer.rulebook.refusal import Refused
from lammer.transparency.notes import LOG, WITNESS, Note, PublicKey, cosigned
from lammer.transparency.tiles import subtrees_from
from lammer.transparency.tree import root_hash
from support.awaited import GUARD
from support.houses import House, put
from support.open_house import ask, bet, house_on, in_loop, open_house, put_up

CHECKER: Final = Path(__file__).parents[3] / "src/lammer/floor/web/pages/static/verify_round.py"
LOG_KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
WITNESS_KEY = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32)
NAME = "example.com/house"
PUBLIC = PublicKey(NAME, LOG, LOG_KEY.public_key().public_bytes_raw())
SEEN_BY = PublicKey("witness.example/w1", WITNESS, WITNESS_KEY.public_key().public_bytes_raw())
OTHER = PublicKey(NAME, LOG, WITNESS_KEY.public_key().public_bytes_raw())


def check(file: Path, *more: str, log: PublicKey = PUBLIC) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(CHECKER), str(file), "--log", log.text, *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=GUARD, check=False)


def cosign(store: Store) -> None:
    """A witness saw the last checkpoint."""
    with store.reading() as connection:
        head = latest_head(connection)
    assert head is not None
    line = cosigned(head.note.text, SEEN_BY.name, WITNESS_KEY, 1_700_000_000)
    row = {"size": head.head.size, "witness": SEEN_BY.name, "line": line.line}
    statement = insert(log_cosignatures).values(row)
    store.write(lambda connection: connection.execute(statement).rowcount).result(GUARD)


async def play_a_shoe(where: str) -> None:
    async with house_on(where) as house:
        await put_up(house, shoe="virtual", decks=8)
        await bet(house, "p1")
        await ask(house, "dealer", "close_bets")
        for _ in range(6):
            with suppress(Refused):
                await ask(house, "dealer", "deal_card")
            with suppress(Refused):
                await ask(house, "dealer", "pass_window")
            with suppress(Refused):
                await ask(house, "dealer", "close_insurance")
        await ask(house, "dealer", "settle")
        await ask(house, "pit_supervisor", "end_shoe", reason="the lid is loose")


@pytest.fixture
def evidence(sqlite: House, tmp_path: Path) -> Path:
    """The evidence of a whole short shoe, cosigned."""
    in_loop(play_a_shoe)(sqlite.where)
    store = sqlite.open()
    store.append(put(store, "t2", *(b"{}" for _ in range(300)))).result(GUARD)
    log = HouseLog(store, LOG_KEY, log_secrets(tmp_path), name=NAME)
    with pytest.raises(Refused) as refused:
        collect(store, log_secrets(tmp_path), "t1", 1, [1], [])
    assert refused.value.code == "not_logged_yet"
    log.extend()
    cosign(store)
    last = store.head("t1").number
    ended = shoe_ended(store, "t1", 1)
    assert ended is not None
    trusted = [LOG_KEY.public_key().public_bytes_raw()]
    file = tmp_path / "evidence.json"
    wanted = range(2, last + 1)
    file.write_bytes(write(collect(store, log_secrets(tmp_path), "t1", 1, wanted, trusted, [SEEN_BY])))
    return file


def test_a_good_file_is_found_good_by_a_program_of_its_own(evidence: Path) -> None:
    told = check(evidence, "--witness", SEEN_BY.text)
    assert (told.returncode, told.stderr) == (0, "")
    assert "1 of 1 witnesses saw it" in told.stdout
    assert "the shoe that was revealed is the one it was bound to before" in told.stdout
    assert "the cards came in its order" in told.stdout
    assert "BAD" not in told.stdout
    assert "lammer" not in "".join(
        line for line in CHECKER.read_text().splitlines() if line.startswith(("import", "from"))
    )
    assert evidence.stat().st_size < 20 << 10
    assert json.loads(evidence.read_text())["keys"] == [PUBLIC.text, SEEN_BY.text]


def _body(told: Any, old: str, new: str) -> None:
    event = next(event for event in told["events"] if old in event["body"])
    event["body"] = event["body"].replace(old, new, 1)


def _note(told: Any, change: Callable[[str], str]) -> None:
    told["checkpoint"] = change(told["checkpoint"])


def _a_second_later(note: str) -> str:
    read = Note.read(note.encode())
    *others, last = read.signatures
    moved = (last.at + 1).to_bytes(8, "big") + last.signature[8:]
    return Note(read.text, (*others, replace(last, signature=moved))).written


LIES: Final[dict[str, tuple[Callable[[Any], object], str]]] = {
    "a changed stake": (lambda told: _body(told, '"stake":10000', '"stake":90000'), "events are in the log"),
    "a changed card": (lambda told: _body(told, '"card":"', '"card":"X'), "events are in the log"),
    "another table": (lambda told: told.update(table="t2"), "events are in the log"),
    "an event of another number": (lambda told: told["events"][3].update(number=99), "events are in the log"),
    "another key": (lambda told: told["events"][3].update(key="00" * 32), "events are in the log"),
    "another place": (lambda told: told["events"][3].update(index=0), "events are in the log"),
    "two events swapped": (lambda told: told["events"].reverse(), "its own number"),
    "a hash too few": (lambda told: told["hashes"].pop(), "no evidence"),
    "a hash too many": (lambda told: told["hashes"].append("A" * 43 + "="), "events are in the log"),
    "another hash": (lambda told: told["hashes"].__setitem__(0, "A" * 43 + "="), "in the log"),
    "no events": (lambda told: told["events"].clear(), "events are in the log"),
    "another size": (lambda told: _note(told, lambda note: note.replace("\n3", "\n4", 1)), "signed that log"),
    "no signature of a witness": (
        lambda told: _note(told, lambda note: "\n".join(note.split("\n")[:-2]) + "\n"),
        "0 of 1 witnesses",
    ),
    "a cosignature of another time": (
        lambda told: _note(told, _a_second_later),
        "0 of 1 witnesses",
    ),
}


def test_every_lie_is_found(evidence: Path) -> None:
    good = evidence.read_text()
    for name, (tell, expected) in LIES.items():
        told = json.loads(good)
        tell(told)
        assert told != json.loads(good), name
        evidence.write_text(json.dumps(told))
        said = check(evidence, "--witness", SEEN_BY.text)
        assert said.returncode == 1, name
        assert expected in "".join(line for line in said.stdout.splitlines() if line.startswith("BAD")), name


def test_keys_one_does_not_trust_prove_nothing(evidence: Path) -> None:
    assert "BAD  the house signed that log" in check(evidence, log=OTHER).stdout
    stranger = PublicKey("witness.example/w2", WITNESS, LOG_KEY.public_key().public_bytes_raw())
    told = check(evidence, "--witness", SEEN_BY.text, "--witness", stranger.text, "--quorum", "2")
    assert told.returncode == 1
    assert "BAD  1 of 2 witnesses saw it, 2 have to" in told.stdout


def test_the_log_is_served_as_tiles(evidence: Path, sqlite: House) -> None:
    store = sqlite.look()
    note = Note.read(served_checkpoint(store))
    assert list(note.by([PUBLIC, SEEN_BY])) == [PUBLIC, SEEN_BY]
    with store.reading() as connection:
        head = latest_head(connection)
    assert head is not None
    size = head.head.size
    served = subtrees_from(lambda tile: served_tile(store, tile.path), size)
    assert root_hash(size, served) == head.head.root
    assert served_tile(store, "entries/000")[:2] == b"\x00\x20"
    assert len(served_tile(store, "entries/000")) == 256 * 34
    nothing = ("0/000.p/256", "0/999", f"0/001.p/{size - 255}", "1/001", "../../x", "entries/1/000", "")
    for path in nothing:
        with pytest.raises(Refused) as refused:
            served_tile(store, path)
        assert refused.value.code == "not_in_log"


@in_loop
async def test_the_house_hands_out_the_program_and_the_key_of_its_log(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True, log_name=NAME) as house:
        player = await house.person("player")
        await asyncio.to_thread(house.made.checkpoints.stop)
        told = (await house.stranger().get("/log/key")).text.strip()
        checkpoint = await house.stranger().get("/log/checkpoint")
        assert list(Note.read(checkpoint.content).by([PublicKey.read(told)])) == [PublicKey.read(told)]
        handed = await player.get(static_path("verify_round.py"))
        assert (handed.content, handed.headers["content-type"]) == (
            CHECKER.read_bytes(),
            "text/x-python; charset=utf-8",
        )
