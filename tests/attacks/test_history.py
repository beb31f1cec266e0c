"""Whoever holds the database and the signing key writes history anew: who finds out, with nothing but what
they kept.

The attacker has all the house has. A reader has one old checkpoint of the log, or is a witness that remembers
one. What such a reader cannot find is in docs/concepts/trust.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.floor.record.contract import Store
from lammer.floor.record.log.house_log import HouseLog
from lammer.floor.record.log.log_secrets import log_secrets
from lammer.floor.record.log.log_serving import served_tile
from lammer.floor.record.log.log_tables import latest_head
from lammer.floor.record.log.witnesses import ListedWitness, Witnesses
from lammer.floor.record.store.opening import open_store
from lammer.transparency.notes import LOG, Note, PublicKey, Signature
from lammer.transparency.tree_heads import TreeHead
from lammer.witness.comparing import compare
from lammer.witness.memory import Memory
from lammer.witness.serving import Witness
from support.awaited import GUARD
from support.houses import put

KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(32))
WITNESS_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32)
NAME: Final = "example.com/house"
EVENTS: Final = [b'{"stake":%d}' % number for number in range(300)]


def house(folder: Path, name: str, events: Sequence[bytes], more: Sequence[bytes] = ()) -> Store:
    """A house with this history, logged in two steps; by whoever holds the key and the secret."""
    store = open_store(folder / f"{name}.sqlite")
    log = HouseLog(store, KEY, log_secrets(folder), name=NAME)
    for part in (events, more):
        if part:
            store.append(put(store, "t1", *part)).result(GUARD)
            log.extend()
    return store


@dataclass
class Watched:
    """A witness, asked as a house asks it, over its own HTTP application."""

    witness: Witness

    def show(self, store: Store) -> bool:
        """Whether it cosigns where this store stands."""
        listed = ListedWitness(self.witness.public, "http://witness")
        witnesses = Witnesses(store, [listed], 1, 60.0)

        async def answer(request: httpx.Request) -> httpx.Response:
            transport = httpx.ASGITransport(app=self.witness)
            async with httpx.AsyncClient(transport=transport) as client:
                told = await client.post(str(request.url), content=request.content)
                return httpx.Response(told.status_code, content=told.content, headers=told.headers)

        transport = httpx.MockTransport(lambda request: asyncio.run(answer(request)))
        with httpx.Client(transport=transport) as client:
            return witnesses.show(listed, client)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    public = PublicKey(NAME, LOG, KEY.public_key().public_bytes_raw())
    with Memory(tmp_path / "seen.log") as memory:
        yield Watched(Witness("witness.example/w1", WITNESS_KEY, {NAME: (public,)}, memory))


def head_of(store: Store) -> TreeHead:
    with store.reading() as connection:
        head = latest_head(connection)
    assert head is not None
    return head.head


def told_apart(kept: TreeHead, store: Store) -> bool:
    """Whether the holder of one old checkpoint sees, by the log's own tiles, that it is another log now."""

    def read(path: str) -> bytes:
        return served_tile(store, path.removeprefix("tile/"))

    now = head_of(store)
    return now.size < kept.size or not compare(kept, now, read).agree


MORE: Final = [b'{"later":%d}' % number for number in range(50)]
ATTACKS: Final[dict[str, Callable[[list[bytes]], list[bytes]]]] = {
    "change": lambda past: [*past[:10], b'{"stake":99999}', *past[11:]],
    "drop": lambda past: [*past[:10], *past[11:]],
    "reorder": lambda past: [*past[:10], past[11], past[10], *past[12:]],
    "insert": lambda past: [*past[:10], b'{"stake":1}', *past[10:]],
    "change the last": lambda past: [*past[:-1], b"{}"],
    "rewrite from genesis": lambda past: [b'{"stake":1}' for _ in past],
    "backdate": lambda past: [*past[:10], b'{"at":"2020-01-01"}', *past[10:-1]],
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_rewritten_past_is_found_by_one_checkpoint_and_by_a_witness(
    watched: Watched, tmp_path: Path, attack: str
) -> None:
    true = house(tmp_path, "true", EVENTS)
    assert watched.show(true)
    kept = head_of(true)
    forged = house(tmp_path, "forged", ATTACKS[attack](EVENTS), MORE)
    try:
        assert told_apart(kept, forged)
        assert not watched.show(forged)
        assert watched.witness.memory.heads[NAME] == kept, "it remembers the true one"
        # The true house goes on undisturbed.
        true.append(put(true, "t1", *MORE)).result(GUARD)
        HouseLog(true, KEY, log_secrets(tmp_path)).extend()
        assert not told_apart(kept, true)
        assert watched.show(true)
    finally:
        true.close()
        forged.close()


@pytest.mark.parametrize("kept_events", [100, 299])
def test_a_truncated_log_and_a_backup_put_back_are_found(
    watched: Watched, tmp_path: Path, kept_events: int
) -> None:
    true = house(tmp_path, "true", EVENTS)
    assert watched.show(true)
    kept = head_of(true)
    older = house(tmp_path, "older", EVENTS[:kept_events])
    try:
        assert told_apart(kept, older)
        assert not watched.show(older)
        # Even when it has grown beyond what was seen, with another story.
        older.append(put(older, "t1", *(b'{"other":%d}' % n for n in range(300)))).result(GUARD)
        HouseLog(older, KEY, log_secrets(tmp_path)).extend()
        assert head_of(older).size > kept.size
        assert told_apart(kept, older)
        assert not watched.show(older)
    finally:
        true.close()
        older.close()


def test_a_fork_for_one_reader_gets_no_cosignature_and_is_found_by_comparing(
    watched: Watched, tmp_path: Path
) -> None:
    true = house(tmp_path, "true", EVENTS, MORE)
    fork = house(tmp_path, "fork", EVENTS, [*MORE[:-1], b'{"later":"for one reader"}'])
    try:
        assert watched.show(true)
        assert not watched.show(fork)
        assert head_of(fork).size == head_of(true).size
        assert compare(head_of(true), head_of(fork)).agree is False
    finally:
        true.close()
        fork.close()


def test_an_old_cosignature_does_not_fit_another_checkpoint(watched: Watched, tmp_path: Path) -> None:
    true = house(tmp_path, "true", EVENTS)
    forged = house(tmp_path, "forged", EVENTS[1:], MORE)
    try:
        assert watched.show(true)
        with true.reading() as connection:
            line = connection.exec_driver_sql("SELECT line FROM log_cosignatures").scalar_one()
        old: Any = Signature.read(line)
        with forged.reading() as connection:
            head = latest_head(connection)
        assert head is not None
        replayed = Note(head.note.text, (*head.note.signatures, old))
        assert not watched.witness.public.checks(replayed.text, old.signature)
        later = (old.at + 60).to_bytes(8, "big") + old.signature[8:]
        assert not watched.witness.public.checks(head_of(true).text, later), "nor another time"
    finally:
        true.close()
        forged.close()
