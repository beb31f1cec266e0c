"""A witness cosigns a log that only grows, remembers it across a crash, and declines everything else."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx
import pytest
import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.transparency.notes import LOG, Note, PublicKey, Signature, cosigned, signed
from lammer.transparency.tiles import Tile, grown
from lammer.transparency.tree import consistency_path, leaf_hash, root_hash, subtrees_of
from lammer.transparency.tree_heads import AddCheckpoint, TreeHead
from lammer.witness.comparing import compare, heads_in
from lammer.witness.deciding import Declined
from lammer.witness.memory import Memory
from lammer.witness.serving import Witness
from support.awaited import GUARD
from support.open_house import in_loop

ORIGIN = "example.com/log"
LOG_KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)
PUBLIC = PublicKey(ORIGIN, LOG, LOG_KEY.public_key().public_bytes_raw())
NAME = "witness.example/w1"
LEAVES = [b"%d" % number for number in range(600)]
FORKED = [*LEAVES[:2], b"another", *LEAVES[3:]]


def note_of(
    size: int, leaves: list[bytes] = LEAVES, key: Ed25519PrivateKey = LOG_KEY, origin: str = ORIGIN
) -> Note:
    text = TreeHead(origin, size, root_hash(size, subtrees_of(leaves))).text
    return Note(text, (signed(text, origin, key),))


def asked(old: int, size: int, leaves: list[bytes] = LEAVES, **given: object) -> bytes:
    path = consistency_path(old, size, subtrees_of(leaves)) if 0 < old <= size else []
    return AddCheckpoint(old, tuple(path), note_of(size, leaves, **given)).body  # type: ignore[arg-type]


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    with Memory(tmp_path / "seen.log") as memory:
        yield Witness(NAME, OTHER_KEY, {ORIGIN: (PUBLIC,)}, memory, clock=lambda: 1_700_000_000.5)


def status(witness: Witness, body: bytes) -> int:
    try:
        asyncio.run(witness.add_checkpoint(body))
    except Declined as declined:
        return declined.status
    return 200


def test_a_log_that_only_grows_is_cosigned(witness: Witness) -> None:
    for old, size in ((0, 3), (3, 3), (3, 7), (7, 600)):
        line = asyncio.run(witness.add_checkpoint(asked(old, size)))
        signature = Signature.read(line.removesuffix("\n"))
        assert witness.public.checks(note_of(size).text, signature.signature)
        assert signature.at == 1_700_000_000
    assert heads_in(witness.seen())[ORIGIN] == TreeHead.read(note_of(600).text)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(b"", 400, id="no request"),
        pytest.param(asked(9, 7), 400, id="older than what it starts from"),
        pytest.param(asked(0, 7, origin="example.com/other"), 404, id="a log nobody knows"),
        pytest.param(asked(5, 7, key=OTHER_KEY), 403, id="signed by another"),
        pytest.param(asked(0, 7), 409, id="as if nothing had been seen"),
        pytest.param(asked(3, 7), 409, id="from an older size"),
        pytest.param(asked(5, 5, FORKED), 409, id="another log of the same size"),
        pytest.param(asked(5, 600, FORKED), 422, id="another log that is longer"),
        pytest.param(
            asked(5, 600).replace(b"old 5\n", b"old 5\n" + b"A" * 43 + b"=\n"), 422, id="a longer proof"
        ),
        pytest.param(asked(4, 5), 409, id="an older size again"),
    ],
)
def test_everything_else_is_declined_and_changes_nothing(
    witness: Witness, body: bytes, expected: int
) -> None:
    assert status(witness, asked(0, 5)) == 200
    before = dict(witness.memory.heads)
    assert status(witness, body) == expected
    assert witness.memory.heads == before
    assert status(witness, asked(5, 6)) == 200


def test_what_was_cosigned_is_remembered_by_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "seen.log"
    with Memory(file) as memory:
        first = Witness(NAME, OTHER_KEY, {ORIGIN: (PUBLIC,)}, memory)
        assert status(first, asked(0, 5)) == 200
        assert status(first, asked(5, 9)) == 200
        written = file.read_bytes()
    # A line cut off by a crash was never answered.
    file.write_bytes(written + b"example.com/log\t700\tAAAA")
    with Memory(file) as memory:
        again = Witness(NAME, OTHER_KEY, {ORIGIN: (PUBLIC,)}, memory)
        assert memory.heads[ORIGIN].size == 9
        assert status(again, asked(9, 600, FORKED)) == 422
        assert status(again, asked(9, 600)) == 200
    assert file.read_bytes().count(b"\n") == 2, "the file begins anew with the last line of each log"


def test_a_memory_that_was_changed_or_is_in_use_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "seen.log"
    with Memory(file), pytest.raises(SystemExit, match="used by another"):
        Memory(file)
    file.write_bytes(b"example.com/log\t07\tAAAA\t\n")
    with pytest.raises(SystemExit, match="changed"):
        Memory(file)


def test_of_two_forks_that_race_one_is_cosigned(witness: Witness) -> None:
    async def race() -> list[object]:
        bodies = [asked(0, 7), asked(0, 7, FORKED), asked(0, 9), asked(0, 9, FORKED)]
        return await asyncio.gather(*map(witness.add_checkpoint, bodies), return_exceptions=True)

    told = asyncio.run(race())
    assert [one.status if isinstance(one, Declined) else 200 for one in told] == [200, 409, 409, 409]


def test_a_cosignature_of_another_time_or_checkpoint_is_no_cosignature(witness: Witness) -> None:
    line = cosigned(note_of(5).text, NAME, OTHER_KEY, 1)
    assert witness.public.checks(note_of(5).text, line.signature)
    assert not witness.public.checks(note_of(6).text, line.signature)


def test_two_witnesses_find_out_that_they_were_told_two_stories() -> None:
    tiles = {tile.path: hashes for tile, hashes in grown(0, {}, [leaf_hash(leaf) for leaf in LEAVES]).items()}

    def read(path: str) -> bytes:
        tile = Tile.from_path(path.removeprefix("tile/"))
        assert tile is not None
        whole = next(
            hashes for known, hashes in tiles.items() if known.split(".")[0] == tile.path.split(".")[0]
        )
        return whole[: tile.width * 32]

    five, forked, all_ = (TreeHead.read(note_of(*which).text) for which in ((9,), (9, FORKED), (600,)))
    assert compare(five, five).agree
    assert compare(five, forked).agree is False
    assert compare(five, all_).agree is None
    assert compare(five, all_, read).agree
    assert compare(all_, forked, read).agree is False


@asynccontextmanager
async def served(witness: Witness) -> AsyncIterator[str]:
    """The witness over HTTP, as `lammer witness serve` runs it."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        config = uvicorn.Config(witness, log_level="warning", lifespan="off", access_log=False)
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve([listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await running


@in_loop
async def test_it_speaks_the_protocol_of_witnesses_over_http(witness: Witness) -> None:
    async with served(witness) as address, httpx.AsyncClient(base_url=address, timeout=GUARD) as client:
        first = await client.post("/add-checkpoint", content=asked(0, 5))
        assert (first.status_code, first.text[:2]) == (200, "— ")
        note = Note.read(note_of(5).written.encode() + first.content)
        assert list(note.by([witness.public, PUBLIC])) == [PUBLIC, witness.public]
        stale = await client.post("/add-checkpoint", content=asked(0, 7))
        assert (stale.status_code, stale.text, stale.headers["content-type"]) == (
            409,
            "5\n",
            "text/x.tlog.size",
        )
        assert (await client.get("/key")).text == f"{witness.public.text}\n"
        assert heads_in((await client.get("/seen")).text)[ORIGIN].size == 5
        assert (await client.get("/")).status_code == 404
        assert (await client.post("/add-checkpoint", content=b"x" * 70_000)).status_code == 413
