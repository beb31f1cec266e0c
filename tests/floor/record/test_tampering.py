"""Whoever has the database and the folder in their hands, and changes something: what `verify` says of it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, delete, insert, select, text, update

from lammer.floor.record.chain import from_line, link, seal, to_line
from lammer.floor.record.checkpoints import FILE, Checkpoints, lines_of
from lammer.floor.record.schema import checkpoints, events, replies, snapshots
from lammer.floor.record.signing_key import PRIVATE, PUBLIC, house_key, public_pem
from lammer.floor.record.verify import verify as verifying
from lammer.floor.record.verify.verify import Verification, trusted_keys, verify
from lammer.floor.tables import live_table as live_table_module
from lammer.rulebook.refusal import Refused
from lammer.table.snapshot import freeze, thaw
from support.awaited import GUARD
from support.houses import House
from support.open_house import ask, bet, books, house_on, in_loop, put_up

EVERY = 5.0
"""Seconds between two checkpoints of the house that was changed."""


def later() -> datetime:
    """Whoever verifies comes some time afterwards."""
    return datetime.now(UTC) + timedelta(hours=1)


@dataclass
class KeptHouse:
    """A record with some rounds, signed twice, and what can be done to it."""

    house: House
    folder: Path

    def verify(self, *keys: Path) -> Verification:
        record = self.house.look()
        try:
            file, trusted = self.folder / FILE, trusted_keys(self.folder, keys)
            return verify(record, books(), checkpoints=file, trusted=trusted, every=EVERY, now=later)
        finally:
            self.house.close()

    def told(self, *keys: Path) -> str:
        """Everything that does not hold; something has to."""
        made = self.verify(*keys)
        assert not made.holds
        return "\n".join((*made.wrong, *made.tables[0].wrong))

    def change(self, *work: Callable[[Connection], object]) -> None:
        """With the guards taken off, and put back as they were."""
        store = self.house.open()
        with store.reading() as connection:
            again = [_made(connection, name) for name in _names(self.house.kind)]
        guards = {
            "sqlite": [f"DROP TRIGGER {name}_stay_{how}" for name in ("events", "checkpoints")
                       for how in ("changed", "removed")],
            "postgresql": [f"DROP TRIGGER {name}_stay ON {name}" for name in ("events", "checkpoints")],
        }  # fmt: skip
        for statement in guards[self.house.kind]:
            store.write(partial(_run, statement)).result(GUARD)
        for each in work:
            store.write(each).result(GUARD)
        for statement in again:
            store.write(partial(_run, statement)).result(GUARD)
        self.house.close()

    def number(self, kind: str) -> int:
        """The last event of a kind."""
        record = self.house.look()
        found = [each.number for each in record.read("t1") if f'"event":"{kind}"'.encode() in each.body]
        self.house.close()
        return found[-1]


def _names(kind: str) -> list[str]:
    ends = ("_stay",) if kind == "postgresql" else ("_stay_changed", "_stay_removed")
    return [f"{book}{end}" for book in ("events", "checkpoints") for end in ends]


def _made(connection: Connection, name: str) -> str:
    """What made a guard."""
    query = "SELECT sql FROM sqlite_schema WHERE name = :name"
    if connection.dialect.name == "postgresql":
        query = "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = :name"
    return str(connection.scalar(text(query), {"name": name}))


def _run(statement: str, connection: Connection) -> None:
    connection.execute(text(statement))


@pytest.fixture
def case(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptHouse:
    monkeypatch.setattr(live_table_module, "WORTH_FREEZING", 1)
    folder = tmp_path / "folder"
    key = house_key(folder)

    async def play() -> None:
        async with house_on(house.where) as open_now:
            await put_up(open_now, shoe="virtual")
            signing = Checkpoints(open_now.store, key, folder / FILE)
            for number, stake in enumerate(("100", "200", "300")):
                if number:
                    await ask(open_now, "dealer", "open_bets")
                for player in ("p1", "p2"):
                    await bet(open_now, player, stake, key=f"{player} {number}")
                await ask(open_now, "dealer", "close_bets", key=f"close {number}")
                if number == 1:
                    await ask(open_now, "dealer", "interrupt", reason="the lights went out")
                    await ask(open_now, "pit_supervisor", "resolve_interruption", key="resolved")
                    await asyncio.to_thread(signing.make)
                    continue
                while True:
                    try:
                        await ask(open_now, "dealer", "settle", key=f"settle {number}")
                        break
                    except Refused:
                        await ask(open_now, "dealer", "deal_card")
            await asyncio.to_thread(signing.make)

    in_loop(play)()
    return KeptHouse(house, folder)


def test_as_it_is_it_holds(case: KeptHouse) -> None:
    made = case.verify()
    assert made.holds, (made.wrong, made.tables)
    assert (made.checkpoints, made.tables[0].rounds) == (2, 3)
    record = case.house.look()
    assert record.latest_snapshot("t1") is not None, "a snapshot is held against it too"


def _with(number: int, old: bytes, new: bytes, connection: Connection) -> None:
    """An event that says something else; its hash stays."""
    body = connection.scalar(select(events.c.body).where(events.c.number == number))
    assert body is not None
    assert old in body
    connection.execute(update(events).where(events.c.number == number).values(body=body.replace(old, new)))


def _chained(connection: Connection, first: int = 1) -> None:
    """Every hash computed anew, of the events and of what stands beside them."""
    hash_ = connection.scalar(select(events.c.hash).where(events.c.number == first - 1))
    columns = (events.c.number, events.c.body, events.c.answer)
    for number, body, given in connection.execute(
        select(*columns).where(events.c.number >= first).order_by(events.c.number)
    ).all():
        hash_ = link(hash_ or b"", "t1", number, body, given)
        for table, column in (
            (events, events.c.number),
            (replies, replies.c.last),
            (snapshots, snapshots.c.number),
        ):
            connection.execute(update(table).where(column == number).values(hash=hash_))


def test_an_event_that_was_changed(case: KeptHouse) -> None:
    number = case.number("BetPlaced")
    case.change(partial(_with, number, b'"stake":30000', b'"stake":10000'))
    assert f"table t1, event {number}: it does not follow from what is before it" in case.told()


def test_an_event_that_was_taken_out(case: KeptHouse) -> None:
    number = case.number("BetPlaced")
    case.change(lambda c: c.execute(delete(events).where(events.c.number == number)))
    assert f"table t1, event {number}: it does not follow from what is before it" in case.told()


def test_two_events_that_changed_places(case: KeptHouse) -> None:
    number = case.number("BetPlaced")

    def swap(connection: Connection) -> None:
        for old, new in ((number, 10_000), (number - 1, number), (10_000, number - 1)):
            connection.execute(update(events).where(events.c.number == old).values(number=new))

    case.change(swap)
    assert f"table t1, event {number - 1}: it does not follow from what is before it" in case.told()


def test_a_history_cut_off_at_its_end(case: KeptHouse) -> None:
    number = case.number("RoundSettled")
    case.change(lambda c: c.execute(delete(events).where(events.c.number >= number)))
    told = case.told()
    assert f"checkpoint 2: table t1, event {number}: the record does not have it" in told
    assert "the answer 'settle 2' to dealer: the record has another event" in told


def test_cut_off_with_its_checkpoints_an_answer_still_tells(case: KeptHouse) -> None:
    number = case.number("RoundSettled")

    def cut(connection: Connection) -> None:
        connection.execute(delete(events).where(events.c.number >= number))
        connection.execute(delete(checkpoints).where(checkpoints.c.number > 1))
        connection.execute(delete(snapshots))

    case.change(cut)
    lines = list(lines_of(case.folder / FILE))
    (case.folder / FILE).write_bytes(lines[0] + b"\n")
    assert "the answer 'settle 2' to dealer: the record has another event" in case.told()


def test_a_bet_raised_afterwards_with_every_hash_computed_anew(case: KeptHouse) -> None:
    number = case.number("BetPlaced")
    case.change(partial(_with, number, b'"stake":30000', b'"stake":90000'), partial(_chained, first=number))
    told = case.told()
    assert "the settlement is not what cards and bets come to" in told
    assert f"tells of event {number} otherwise than the record" in told
    assert "checkpoint 2" in told
    assert "the snapshot is not what the events come to" in told


def test_more_given_back_than_was_staked_with_every_hash_computed_anew(case: KeptHouse) -> None:
    number = case.number("RoundVoided")
    case.change(partial(_with, number, b'"amount":20000', b'"amount":90000'), partial(_chained, first=number))
    told = case.told()
    assert f"event {number}: what is returned is not what was staked" in told
    assert f"event {number}: chips are left on the felt" in told


def test_words_that_change_no_money_are_found_by_the_checkpoint(case: KeptHouse) -> None:
    number = case.number("RoundInterrupted")
    change = partial(_with, number, b"the lights went out", b"the lights went on.")
    case.change(change, partial(_chained, first=number))
    assert set(case.told().splitlines()) == {
        f"checkpoint {each}: table t1, event {last}: the record has another one"
        for each, last in ((1, case.number("RoundVoided")), (2, case.number("RoundSettled")))
    }


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("reply", "tells of event"),
        ("version", "it tells of version"),
        ("last", "the record has another event"),
        ("rubbish", "it cannot be read"),
    ],
)
def test_an_answer_that_was_changed(case: KeptHouse, column: str, told: str) -> None:
    def change(connection: Connection) -> None:
        of = (replies.c.client == "p1") & (replies.c.key == "p1 0")
        kept = connection.execute(select(replies).where(of)).one()
        answer: dict[str, Any] = msgspec.json.decode(kept.reply)
        values: dict[str, Any] = {"last": {"last": kept.last + 1}, "rubbish": {"reply": b"x"}}.get(column, {})
        if column == "version":
            values = {"reply": msgspec.json.encode(answer | {"version": kept.last + 1})}
        elif column == "reply":
            answer["events"][0]["stake"] = 1
            values = {"reply": msgspec.json.encode(answer)}
        connection.execute(update(replies).where(of).values(**values))

    case.change(change)
    assert f"the answer 'p1 0' to p1: {told.removeprefix('it ')}" in case.told().replace(": it ", ": ")


def test_a_snapshot_that_gives_somebody_money(case: KeptHouse) -> None:
    """It would be believed at the next start."""

    def change(connection: Connection) -> None:
        body = connection.scalar(select(snapshots.c.body))
        assert body is not None
        table = thaw(books(), body)
        table.accounts["player:p1"] += 1_000_00
        table.accounts["bank"] = table.accounts.get("bank", 0) - 1_000_00
        connection.execute(update(snapshots).values(body=freeze(table)))

    case.change(change)
    assert "the snapshot is not what the events come to" in case.told()


def test_a_checkpoint_that_was_changed_in_the_record(case: KeptHouse) -> None:
    def change(connection: Connection) -> None:
        line = connection.scalar(select(checkpoints.c.line).where(checkpoints.c.number == 2))
        assert line is not None
        connection.execute(
            update(checkpoints).where(checkpoints.c.number == 2).values(line=line.replace(b"t1", b"t2"))
        )

    case.change(change)
    assert "checkpoint 2: the record has another one, or none" in case.told()


def test_a_file_of_checkpoints_that_is_gone_or_shortened(case: KeptHouse) -> None:
    file = case.folder / FILE
    first = next(lines_of(file))
    file.unlink()
    assert "are not there" in case.told()
    file.write_bytes(first + b"\n" + first[:40])
    made = case.verify()
    assert made.holds, "a copy may be older"
    assert made.checkpoints == 2, "what the record signed since is checked all the same"
    case.change(lambda c: c.execute(delete(events).where(events.c.number >= case_last(c))))
    assert "checkpoint 2" in case.told(), "also against what the file does not have"


def case_last(connection: Connection) -> int:
    return int(connection.scalar(text("SELECT max(number) FROM events")) or 0)


def test_everything_signed_anew_with_another_key(case: KeptHouse, tmp_path: Path) -> None:
    """They put their own key beside the record; whoever kept the right one elsewhere is not deceived."""
    kept = Path(shutil.copy(case.folder / PUBLIC, tmp_path / "kept.pem"))
    stranger = Ed25519PrivateKey.generate()

    def sign(connection: Connection) -> None:
        lines = list(connection.scalars(select(checkpoints.c.line).order_by(checkpoints.c.number)))
        connection.execute(delete(checkpoints))
        signed = [to_line(seal(from_line(line).checkpoint, stranger)) for line in lines]
        for number, line in enumerate(signed, 1):
            connection.execute(insert(checkpoints).values(number=number, line=line))
        (case.folder / FILE).write_bytes(b"".join(line + b"\n" for line in signed))

    case.change(sign)
    assert "signed by a key that is not trusted" in case.told()
    (case.folder / PUBLIC).write_bytes(public_pem(stranger.public_key()))
    assert case.verify().holds, "the key beside it says so"
    assert "signed by a key that is not trusted" in case.told(kept)


def test_no_key_is_not_no_objection(case: KeptHouse) -> None:
    (case.folder / PUBLIC).unlink()
    assert "there is no public key to check the checkpoints with" in case.told()
    with pytest.raises(Refused, match="malformed_input"):
        case.verify(case.folder / "nowhere.pem")
    with pytest.raises(Refused, match="malformed_input"):
        case.verify(case.folder / PRIVATE)


def test_all_checkpoints_removed_is_not_no_objection(case: KeptHouse) -> None:
    case.change(lambda c: c.execute(delete(checkpoints)))
    (case.folder / FILE).unlink()
    assert "there is no checkpoint, and events since" in case.told()


def test_a_record_that_was_never_signed_and_has_just_begun_holds(house: House, tmp_path: Path) -> None:
    async def play() -> None:
        async with house_on(house.where) as open_now:
            await put_up(open_now)

    in_loop(play)()
    record = house.look()
    soon = verify(record, books(), every=3600.0)
    assert soon.holds, soon
    assert soon.tail.events == record.head("t1").number
    assert not verify(record, books(), every=EVERY, now=later).holds


def test_the_last_checkpoints_removed_from_record_and_file(
    case: KeptHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is beyond the last could be anything; so how much that is, is said, and too much is not good."""
    monkeypatch.setattr(verifying, "SELDOM_SECONDS", 0.0)
    monkeypatch.setattr(verifying, "TOO_LONG", 0.0)
    assert case.verify().tail.events == 0
    assert case.verify().holds
    case.change(lambda c: c.execute(delete(checkpoints).where(checkpoints.c.number > 1)))
    lines = list(lines_of(case.folder / FILE))
    (case.folder / FILE).write_bytes(lines[0] + b"\n")
    made = case.verify()
    assert made.tail.events > 5
    assert f"the last checkpoint is {made.tail.seconds:,.0f} seconds older" in case.told()
