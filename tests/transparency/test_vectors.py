"""Our trees, tiles, notes and cosignatures against what nobody here wrote.

`vectors.json` was made by golang.org/x/mod/sumdb (note and tlog, v0.7.0 as Debian ships it); how, says
`make_vectors.go` beside it. The cosignatures are those four public witnesses gave a public log, in
`cosigned.txt`; one more is the example of the C2SP specification of witnesses. `check_log.go` goes the other
way: programs of others check a log of ours (docs/decisions/0049-one-log-others-watch.md).
"""

from __future__ import annotations

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.transparency.notes import WITNESS, Note, PublicKey, Unreadable, cosigned, signed
from lammer.transparency.tiles import HASH_BYTES, Tile, grown, subtrees_from, width_of
from lammer.transparency.tree import (
    Subtree,
    consistency_path,
    extends,
    includes,
    inclusion_path,
    leaf_hash,
    opened_root,
    opening,
    root_hash,
)
from lammer.transparency.tree_heads import AddCheckpoint, TreeHead

VECTORS: Any = json.loads((Path(__file__).parent / "vectors.json").read_text())
LEAVES = [f"leaf {number}".encode() for number in range(700)]


def _hashes(path: list[str]) -> list[bytes]:
    return [b64decode(step) for step in path]


def _tiles(pieces: list[int]) -> dict[tuple[int, int], bytes]:
    """The tiles of the tree, grown by so many leaves at a time."""
    tiles: dict[tuple[int, int], bytes] = {}
    size = 0
    for piece in pieces:
        edge = {level: hashes for (level, _), hashes in sorted(tiles.items())}
        added = [leaf_hash(leaf) for leaf in LEAVES[size : size + piece]]
        tiles |= {(tile.level, tile.number): hashes for tile, hashes in grown(size, edge, added).items()}
        size += piece
    return tiles


@pytest.fixture(scope="module")
def tree() -> Subtree:
    tiles = _tiles([1, 2, 252, 1, 1, 255, 188])
    return subtrees_from(lambda tile: tiles[tile.level, tile.number], len(LEAVES))


def test_roots_are_those_of_go(tree: Subtree) -> None:
    for size, root in VECTORS["roots"].items():
        # For the empty tree this version of Go has no hash yet; RFC 6962 says which it is.
        expected = sha256().digest() if size == "0" else b64decode(root)
        assert root_hash(int(size), tree) == expected, size


def test_inclusion_is_as_go_proves_it(tree: Subtree) -> None:
    for vector in VECTORS["inclusion"]:
        index, size, path = vector["Index"], vector["Size"], _hashes(vector["Path"])
        root = root_hash(size, tree)
        assert inclusion_path(index, size, tree) == path, vector
        assert includes(root, size, index, leaf_hash(LEAVES[index]), path)
        assert not includes(root, size, index, leaf_hash(b"another"), path)
        assert not includes(root, size, index, leaf_hash(LEAVES[index]), [*path, bytes(32)])


def test_consistency_is_as_go_proves_it(tree: Subtree) -> None:
    for vector in VECTORS["consistency"]:
        old, size, path = vector["Old"], vector["Size"], _hashes(vector["Path"])
        before, after = root_hash(old, tree), root_hash(size, tree)
        assert consistency_path(old, size, tree) == path, vector
        assert extends(old, before, size, after, path)
        assert not extends(old, bytes(32), size, after, path)
        assert not extends(old, before, size, bytes(32), path)
        assert not extends(old, before, size, after, [*path, bytes(32)])
        assert not path or not extends(old, before, size, after, path[:-1])


def test_tiles_are_those_of_go() -> None:
    tiles = _tiles([700])
    theirs = {vector["Path"].removeprefix("tile/8/"): vector["SHA256"] for vector in VECTORS["tiles"]}
    ours = {
        Tile(level, number, len(hashes) // HASH_BYTES).path: hashes
        for (level, number), hashes in tiles.items()
    }
    # Go lists the partial tiles of smaller trees too.
    assert ours.keys() <= theirs.keys()
    assert {path for path in theirs if ".p/" not in path} <= ours.keys()
    for path, hashes in ours.items():
        assert sha256(hashes).digest() == b64decode(theirs[path]), path
        tile = Tile.from_path(path)
        assert tile is not None
        assert tile.width == width_of(tile.level, tile.number, 700)


def test_every_way_to_grow_gives_the_same_tiles() -> None:
    whole = _tiles([700])
    for pieces in ([1] * 700, [255, 1, 256, 188], [256, 256, 188], [699, 1]):
        assert _tiles(pieces) == whole


@pytest.mark.parametrize("indexes", [[0], [699], [3, 4, 5], [255, 256], [0, 699], list(range(700))])
def test_several_leaves_open_to_the_root_and_no_other_leaf_does(tree: Subtree, indexes: list[int]) -> None:
    beside = opening(indexes, 700, tree)
    leaves = {index: leaf_hash(LEAVES[index]) for index in indexes}
    assert opened_root(leaves, 700, beside) == root_hash(700, tree)
    assert opened_root(leaves | {indexes[0]: leaf_hash(b"x")}, 700, beside) != root_hash(700, tree)
    assert opened_root(leaves, 700, [*beside, bytes(32)]) is None
    if beside:
        assert opened_root(leaves, 700, beside[1:]) is None


def test_a_note_of_go_is_read_and_written_alike() -> None:
    key = PublicKey.read(VECTORS["key"])
    note = Note.read(VECTORS["note"].encode())
    assert note.written == VECTORS["note"]
    assert list(note.by([key])) == [key]
    assert TreeHead.read(note.text) == TreeHead("example.com/log", 700, b64decode(VECTORS["roots"]["700"]))
    other = Note(note.text.replace("700", "701"), note.signatures)
    with pytest.raises(Unreadable, match="PeterNeumann"):
        other.by([key])


PUBLIC_LOG = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
PUBLIC_WITNESSES = [
    "transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM",
    "witness1.smartit.nu/witness1+a48c820f+BPSFWg9G6KPiO7QPryYO5Xq4oYJJ+kAvLKLSimDhoxMO",
    "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
]


def test_cosignatures_of_four_public_witnesses_hold() -> None:
    """A checkpoint of a public log of certificates, as it was served, with what four witnesses wrote beneath.

    The keys are those their operators publish.
    """
    written = (Path(__file__).parent / "cosigned.txt").read_bytes()
    note = Note.read(written)
    assert note.written.encode() == written
    head = TreeHead.read(note.text)
    assert (head.origin, head.size) == (PublicKey.read(PUBLIC_LOG).name, 1_432_088_532)
    keys = [PublicKey.read(key) for key in (PUBLIC_LOG, *PUBLIC_WITNESSES)]
    held = note.by(keys)
    assert set(held) == set(keys)
    assert [held[key].at for key in keys if key.kind == WITNESS] == [1_779_573_024] * 4
    moved = Note(note.text.replace("1432088532", "1432088533"), note.signatures)
    for key in keys:
        assert key.text in (PUBLIC_LOG, *PUBLIC_WITNESSES)
        with pytest.raises(Unreadable, match="does not hold"):
            moved.by([key])


def test_the_cosignature_of_the_specification_has_its_parts() -> None:
    """The example of C2SP tlog-cosignature; its keys are not printed there, so only its form is compared."""
    written = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/"
        "Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2"
        "oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
    )
    note = Note.read(written.encode())
    assert note.written == written
    log, witness = note.signatures
    assert (len(log.signature), len(witness.signature)) == (64, 72)
    assert witness.at == 1679315147  # The second the specification names.


def test_a_cosignature_is_of_its_key_its_text_and_its_time() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = PublicKey("witness.example/w1", WITNESS, key.public_key().public_bytes_raw())
    text = TreeHead("example.com/log", 3, bytes(32)).text
    line = cosigned(text, public.name, key, 1_700_000_000)
    assert public.checks(text, line.signature)
    assert not public.checks(TreeHead("example.com/log", 4, bytes(32)).text, line.signature)
    later = (line.at + 1).to_bytes(8, "big") + line.signature[8:]
    assert not public.checks(text, later)
    assert PublicKey.read(public.text) == public


@pytest.mark.parametrize(
    "body",
    [
        b"", b"old 1\n", b"old 01\n\n", b"new 1\n\n", b"old 1\nAAAA\n\nx\n1\nAAAA\n\n", b"old -1\n\nx",
        b"old 1\n" + b"AAAA\n" * 64 + b"\n", b"\xff\n\n",
    ],
)  # fmt: skip
def test_what_is_no_request_to_a_witness_is_unreadable(body: bytes) -> None:
    with pytest.raises(Unreadable):
        AddCheckpoint.read(body)


@pytest.mark.parametrize(
    "text", ["", "x", "a\n1\n", "a\n01\n" + "A" * 43 + "=\n", "a\n1\nAA\n", "a\n1\n" + "A" * 43 + "=\n\n"]
)
def test_what_is_no_checkpoint_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        TreeHead.read(text)


@pytest.mark.parametrize("text", ["PeterNeumann", "a+00000000+AAAA", VECTORS["key"].replace("c7", "c8")])
def test_what_is_no_key_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        PublicKey.read(text)


def test_a_line_of_a_key_nobody_knows_is_passed_over() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    line = signed("a\n", "example.com/other", key)
    assert Note("a\n", (line,)).by([PublicKey.read(VECTORS["key"])]) == {}
