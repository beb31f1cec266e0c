"""The checkpoint file of two houses that differ in a card face down is the same, until the shoe has ended."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.floor.record.checkpoints import FILE, Checkpoints
from lammer.floor.record.contract import Store
from lammer.floor.record.store.opening import open_store
from support.awaited import GUARD
from support.houses import put

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
SHOE = b'{"number":1,"at":"x","by":"d","role":"dealer","event":"ShoePrepared","shoe":1}'
ENDED = b'{"number":9,"at":"x","by":"d","role":"dealer","event":"ShoeEnded","shoe":1}'
OPEN = b'{"number":2,"at":"x","by":"d","role":"dealer","event":"CardDealt","card":"4C","face_up":true}'
HIDDEN = {
    "a card face down": b'{"number":3,"event":"CardDealt","card":"%s","hand":"player","face_up":false}',
    "a card that is carried": b'{"number":3,"event":"CardsReconstructed","laid":[],"carried":["%s"]}',
    "cards drawn together": b'{"number":3,"event":"Noted","name":"simultaneous_cards","detail":"%s"}',
}


def written(store: Store, checkpoints: Checkpoints, file: Path, *bodies: bytes) -> bytes:
    """What the file says after these events."""
    store.append(put(store, "t1", *bodies)).result(GUARD)
    checkpoints.make()
    return file.read_bytes()


def file_over_a_shoe(store: Store, folder: Path, hidden: bytes) -> list[bytes]:
    """What the file says before the hidden card, with it, later, at the end of the shoe, in the next shoe."""
    folder.mkdir()
    file = folder / FILE

    def checkpoints() -> Checkpoints:
        return Checkpoints(store, KEY, file, clock=lambda: 1_000)

    made = checkpoints()
    told = [written(store, made, file, SHOE, OPEN), written(store, made, file, hidden, OPEN)]
    made = checkpoints()  # A process that starts anew finds out for itself.
    told += [written(store, made, file, each) for each in (OPEN, ENDED)]
    return [*told, written(store, made, file, SHOE, OPEN)]


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
def test_no_line_of_the_file_covers_a_hidden_card_before_its_shoe_has_ended(
    tmp_path: Path, hidden: bytes
) -> None:
    said = []
    for card in (b"AS", b"KD"):
        with closing(open_store(tmp_path / f"{card.decode()}.sqlite")) as store:
            said.append(file_over_a_shoe(store, tmp_path / card.decode(), hidden % card))
    one, other = said
    assert one[:3] == other[:3]
    assert one[3] != other[3], "the test can fail: with the card told, the hashes differ"


def test_the_file_catches_up_when_the_shoe_has_ended(store: Store, tmp_path: Path) -> None:
    hidden = HIDDEN["a card face down"] % b"AS"
    told = file_over_a_shoe(store, tmp_path / "house", hidden)
    assert [part.count(b"\n") for part in told] == [1, 1, 1, 4, 5]
    assert told[-1].splitlines() == store.checkpoints(0)
    in_the_open = file_over_a_shoe_of_open_cards(store, tmp_path / "house")
    assert in_the_open.splitlines() == store.checkpoints(0)


def file_over_a_shoe_of_open_cards(store: Store, folder: Path) -> bytes:
    made = Checkpoints(store, KEY, folder / FILE, clock=lambda: 1_000)
    for _ in range(3):
        told = written(store, made, folder / FILE, OPEN)
    return told
