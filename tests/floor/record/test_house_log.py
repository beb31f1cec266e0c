"""The one log of the house: everything in one order, blinded, signed; and held against the record."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, text

from lammer.floor.record.checkpoints import FILE, Checkpoints
from lammer.floor.record.contract import Append, Store
from lammer.floor.record.log.house_log import CHECKPOINTS, HouseLog
from lammer.floor.record.log.log_check import LogCheck
from lammer.floor.record.log.log_secrets import FILE as SECRET, LogSecrets, known_secrets, log_secrets
from lammer.floor.record.log.log_tables import SignedHead, bundle, log_runs, logged, read_tile, run_of
from lammer.floor.record.schema import events
from lammer.rulebook.refusal import Refused
from lammer.transparency.blinding import commitment, entry_key
from lammer.transparency.notes import LOG, PublicKey
from lammer.transparency.tiles import HASH_BYTES, subtrees_from
from lammer.transparency.tree import consistency_path, extends, leaf_hash, opened_root, opening
from support.awaited import GUARD
from support.houses import House, put

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


def write(store: Store, table: str, count: int) -> None:
    store.append(put(store, table, *(b"%s %d" % (table.encode(), n) for n in range(count)))).result(GUARD)


def run(sql: str, connection: Connection) -> None:
    connection.execute(text(sql))


def extend(store: Store, folder: Path, log: HouseLog | None = None) -> SignedHead:
    head = (log or HouseLog(store, KEY, log_secrets(folder), name="example.com/house")).extend()
    assert head is not None
    return head


def checked(store: Store, secrets: LogSecrets | None) -> LogCheck:
    """The log held against every table of the record."""
    check = LogCheck.of(store, secrets)
    for table in store.tables():
        source = check.reader(table)
        for event in store.as_it_lies().read(table, limit=100_000):
            source.see(event.number, (event.body,))
        source.end()
    check.check_others()
    check.check_tree([KEY.public_key().public_bytes_raw()])
    return check


def test_everything_is_logged_once_in_one_order_and_signed(store: Store, tmp_path: Path) -> None:
    assert HouseLog(store, KEY, log_secrets(tmp_path)).extend() is None
    log = HouseLog(store, KEY, log_secrets(tmp_path), name="example.com/house")
    heads = []
    for count in (1, 300, 5, 2_500):
        write(store, "t1", count)
        write(store, "t2", 2)
        heads.append(extend(store, tmp_path, log))
    assert [head.head.size for head in heads] == [3, 305, 312, 2_814]
    assert extend(store, tmp_path, log) == heads[-1], "nothing moved"
    key = PublicKey("example.com/house", LOG, KEY.public_key().public_bytes_raw())
    assert list(heads[-1].note.by([key])) == [key]
    with store.reading() as connection:
        assert logged(connection) == {"t1": 2_806, "t2": 8}
        subtree = subtrees_from(lambda tile: read_tile(connection, tile), 2_814)
        for older in heads[:-1]:
            path = consistency_path(older.head.size, 2_814, subtree)
            assert extends(older.head.size, older.head.root, 2_814, heads[-1].head.root, path)
        run = run_of(connection, "t1", 500)
        assert run is not None
        index = run.start + 500 - run.first
        body = store.read("t1", 499, 1)[0].body
        entry = commitment(entry_key(log_secrets(tmp_path).current, "t1", 500), "t1", 500, body)
        beside = opening([index], 2_814, subtree)
        assert opened_root({index: leaf_hash(entry)}, 2_814, beside) == heads[-1].head.root
    assert not checked(store, log_secrets(tmp_path)).wrong


def test_another_process_goes_on_where_the_log_stands(house: House, tmp_path: Path) -> None:
    one, other = house.open(), house.open() if house.kind == "postgresql" else None
    write(one, "t1", 10)
    first = HouseLog(one, KEY, log_secrets(tmp_path), name="example.com/house")
    assert extend(one, tmp_path, first).head.size == 10
    beside = other or one
    second = HouseLog(beside, KEY, log_secrets(tmp_path))
    write(beside, "t2", 10)
    assert extend(beside, tmp_path, second).head.size == 20
    # The first does not know of it yet: what it wants to write is refused, and it looks again.
    write(one, "t1", 7)
    assert extend(one, tmp_path, first).head.size == 20
    head = extend(one, tmp_path, first)
    assert (head.head.size, head.head.origin) == (27, "example.com/house")
    assert not checked(one, log_secrets(tmp_path)).wrong


def test_checkpoints_and_journal_are_logged_too(store: Store, tmp_path: Path) -> None:
    log = HouseLog(store, KEY, log_secrets(tmp_path))
    made = Checkpoints(store, KEY, tmp_path / FILE)
    write(store, "t1", 3)
    for _ in range(2):
        made.make()
        extend(store, tmp_path, log)
    with store.reading() as connection:
        assert logged(connection)[CHECKPOINTS] == 1
    assert not checked(store, log_secrets(tmp_path)).wrong


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE log_entries SET entries = {zero}", "entry 0: it is of something else"),
        ("UPDATE log_tiles SET hashes = {zero} WHERE level = 1", "the tiles of the log are not"),
        ("DELETE FROM log_entries WHERE number = 1", "entry 256: the record does not have it"),
        ("UPDATE events SET body = {zero} WHERE number = 5", "entry 4: it is of something"),
        ("DELETE FROM events WHERE table_id = 't2'", "the record does not have it"),
        (
            "DELETE FROM events WHERE table_id = 't2' AND number > 38",
            "entry 438: the record does not have it",
        ),
    ],
)
def test_what_somebody_changes_is_told(store: Store, tmp_path: Path, statement: str, told: str) -> None:
    write(store, "t1", 400)
    extend(store, tmp_path)
    write(store, "t2", 40)
    extend(store, tmp_path)
    secrets = log_secrets(tmp_path)
    assert not checked(store, secrets).wrong
    with store.reading() as connection:
        sqlite = connection.dialect.name == "sqlite"
    guards = (
        ["DROP TRIGGER events_stay_changed", "DROP TRIGGER events_stay_removed"]
        if sqlite
        else ["DROP TRIGGER events_stay ON events"]
    )
    zero = "zeroblob(8192)" if sqlite else r"decode(repeat('00', 8192), 'hex')"
    for sql in (*guards, statement.format(zero=zero)):
        store.write(partial(run, sql)).result(GUARD)
    wrong = "\n".join(checked(store, secrets).wrong)
    assert told in wrong


def test_without_the_secret_the_tree_is_checked_and_the_rest_is_said(store: Store, tmp_path: Path) -> None:
    write(store, "t1", 5)
    extend(store, tmp_path)
    check = checked(store, None)
    assert (check.size, check.blind, check.wrong) == (5, 5, [])


def test_a_new_secret_goes_before_the_old(store: Store, tmp_path: Path) -> None:
    write(store, "t1", 5)
    extend(store, tmp_path)
    file = tmp_path / SECRET
    file.write_text("11" * 32 + "\n" + file.read_text())
    write(store, "t1", 5)
    extend(store, tmp_path)
    secrets = known_secrets(tmp_path)
    assert secrets is not None
    check = checked(store, secrets)
    assert (check.blind, check.wrong) == (0, [])
    with store.reading() as connection:
        assert len(set(connection.scalars(log_runs.select().with_only_columns(log_runs.c.secret_name)))) == 2


def test_a_secret_others_can_read_is_not_used(tmp_path: Path) -> None:
    log_secrets(tmp_path)
    assert (tmp_path / SECRET).stat().st_mode & 0o777 == 0o600
    (tmp_path / SECRET).chmod(0o644)
    with pytest.raises(Refused) as refused:
        log_secrets(tmp_path)
    assert refused.value.code == "key_exposed"


def _dealt(card: str) -> bytes:
    return b'{"number":1,"event":"CardDealt","card":"%s","face_up":false}' % card.encode()


def test_nothing_in_the_log_says_which_of_all_cards_lies_face_down(store: Store, tmp_path: Path) -> None:
    """Two tables differ in a card nobody sees: with what is public no guess can be tried."""
    cards = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
    for table, card in (("t1", "AS"), ("t2", "KC")):
        store.append(Append(table, 0, (_dealt(card),))).result(GUARD)
    head = extend(store, tmp_path)
    with store.reading() as connection:
        entries = bundle(connection, 0)
        runs = connection.execute(log_runs.select().order_by(log_runs.c.start)).all()
        chained = [row.hash for row in connection.execute(events.select().order_by(events.c.table_id))]
    # The shape is the same, whatever the card: one entry each, in a run of one.
    assert [(run.source, run.first, run.entries) for run in runs] == [("t1", 1, 1), ("t2", 1, 1)]
    assert len(entries) == 2 * HASH_BYTES
    # Whoever has all of the database and the log, and lacks the secret, has no key to try cards with; nor has
    # who was told the key of another entry of that table.
    name = runs[0].secret_name.encode().ljust(32)
    public = [*chained, head.head.root, entries[:32], entries[32:], bytes(32), name]
    public.append(entry_key(log_secrets(tmp_path).current, "t1", 2))
    tried = [
        commitment(key, table, 1, _dealt(card))
        for table in ("t1", "t2")
        for card in cards
        for source in public
        for key in (source, entry_key(source, table, 1))
    ]
    assert not any(one in entries for one in tried)
    # The test can fail: with its own key the card is found.
    own = entry_key(log_secrets(tmp_path).current, "t1", 1)
    assert [card for card in cards if commitment(own, "t1", 1, _dealt(card)) in entries] == ["AS"]
