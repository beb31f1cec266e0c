"""Every kind of edit somebody with the database in their hands could make, and who notices it.

Each is made in a transaction that is undone again; `verify` looks from inside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyotp import TOTP
from sqlalchemy import Connection, Table, delete, func, insert, select, text, update
from sqlalchemy.exc import DatabaseError

from lammer.floor.access.app_codes import step_at
from lammer.floor.main import run_house
from lammer.floor.record.chain import link
from lammer.floor.record.checkpoints import FILE
from lammer.floor.record.contract import Store
from lammer.floor.record.forgetting import served
from lammer.floor.record.people import (
    account_changes,
    accounts,
    api_keys,
    attempts,
    authenticators,
    challenges,
    denials,
    half_sign_ins,
    passkeys,
    recovery_codes,
    salts,
    sessions,
    sign_in_links,
)
from lammer.floor.record.purses import purses
from lammer.floor.record.registry import house_secret, house_secrets, house_tables
from lammer.floor.record.row_journal import BEFORE_ALL, Body, append, columns_of, line_hash, row_hash
from lammer.floor.record.schema import CLIENT_OF_TWO, checkpoints, events, journal, proposals, replies
from lammer.floor.record.store.reading import SqlRecord
from lammer.floor.record.verify.verify import Verification, trusted_keys, verify
from lammer.floor.settings import Settings
from lammer.floor.tables.command_request import CommandRequest
from support.awaited import GUARD
from support.houses import House
from support.open_house import ask, bet, books, in_loop, put_up
from support.servers import Server

Work = Callable[[Connection], object]
BOOKS = ("events", "checkpoints", "journal", "account_changes", "denials")
"""What the database itself refuses to change or remove."""
A_DAY = 86_400_000_000
A_PASSKEY = {
    "id": "p", "account": "player", "title": "", "credential": bytes(8), "public_key": bytes(8),
    "counter": 7, "made_at": 0, "used_at": None,
}  # fmt: skip


class Inside(SqlRecord):
    """A record as it looks from inside a transaction that is not committed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        yield self._connection


class Undone(Exception):
    """Ends the transaction without a trace."""

    def __init__(self, made: Verification) -> None:
        self.made = made


@dataclass
class Recorded:
    """A house with people, keys, agreements, denials and some bets, closed and signed."""

    kind: str
    folder: Path
    store: Store

    def edited(self, work: Work, *, guarded: bool = False) -> Verification:
        """What `verify` says after an edit, which is taken back."""

        def inside(connection: Connection) -> None:
            for book in () if guarded else BOOKS:
                for name in _guards(self.kind, book):
                    connection.execute(text(f"DROP TRIGGER {name}"))
            work(connection)
            file, trusted = self.folder / FILE, trusted_keys(self.folder)
            raise Undone(verify(Inside(connection), books(), checkpoints=file, trusted=trusted, every=5.0))

        with pytest.raises(Undone) as found:
            self.store.write(inside).result(GUARD)
        return found.value.made


def _guards(kind: str, book: str) -> tuple[str, ...]:
    if kind == "postgresql":
        return (f"{book}_stay ON {book}",)
    return f"{book}_stay_changed", f"{book}_stay_removed"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    folder = tmp_path_factory.mktemp("edited")
    where = str(folder / "house.sqlite")
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("server")
        where = server.new_database()
    settings = Settings(data=str(folder), store=where, tables=0)

    async def live() -> None:
        async with run_house(settings, books()) as made:
            house, authenticator = made.context.house, made.context.authenticator
            await put_up(house)
            for number in range(3):
                await bet(house, key=f"k{number}")
            await bet(house, "p2", key="k0")
            await ask(house, "p1", "take_chips", player="p1", amount="100")
            both = {"amount": "100", "by": "pit_supervisor"}
            for key in ("first", "second"):
                asked = CommandRequest("pit_manager", "pit_manager", "set_table", both, key)
                await asyncio.to_thread(
                    house.approvals.propose, "t1", asked, asked.key_at("t1"), house.clock.now()
                )

            def come_and_go() -> None:
                waiting = house.approvals.of_table("t1", waiting_only=True)
                house.approvals.decline(waiting[0], "someone", house.clock.now())
                authenticator.accounts.disable("dealer", by="administrator")
                authenticator.sessions.start(authenticator.accounts.get("player"), "192.0.2.1")
                for purpose in ("shoe_reader", "display_board"):
                    number, _ = authenticator.keys.make("t1", purpose, "administrator")
                authenticator.keys.revoke(number, by="administrator")
                authenticator.denials.note("sign_in", "sign_in_failed", who="player", address="192.0.2.1")
                authenticator.denials.flush()
                authenticator.throttle.must_wait("player", "192.0.2.1")
                house_secret(house.store)
                _, session = authenticator.sessions.start(authenticator.accounts.get("player"), "192.0.2.1")
                secret, step = authenticator.factors.begin_app("player"), step_at(house.clock.now())
                authenticator.factors.confirm_app("player", TOTP(secret).generate_otp(step), session.id)
                authenticator.factors.begin_passkey("player", session.id)
                authenticator.half_sign_ins.start(authenticator.accounts.get("player"))
                house.store.write(lambda c: c.execute(insert(passkeys).values(A_PASSKEY)).rowcount).result()

            await asyncio.to_thread(come_and_go)

    in_loop(live)()
    house = House(request.param, where)
    yield Recorded(request.param, folder, house.open())
    house.close()


def test_as_it_is_it_holds(recorded: Recorded) -> None:
    made = recorded.edited(lambda _: None, guarded=True)
    assert made.holds, (made.wrong, made.tables)
    assert made.tail.events == 0


def to(table: Table, where: Any = None, **values: Any) -> Work:
    """Rows that say something else."""
    statement = update(table).values(**values)
    return lambda c: _some(c.execute(statement if where is None else statement.where(where)).rowcount)


def no(table: Table, where: Any = None) -> Work:
    """Rows that are gone."""
    statement = delete(table)
    return lambda c: _some(c.execute(statement if where is None else statement.where(where)).rowcount)


def one_more(table: Table, where: Any = None, **values: Any) -> Work:
    """A row like another, but for these values."""

    def work(connection: Connection) -> None:
        query = select(table) if where is None else select(table).where(where)
        row = dict(connection.execute(query.limit(1)).mappings().one())
        connection.execute(insert(table).values(row | values))

    return work


def _some(count: int) -> None:
    assert count, "there was something to edit"


def of(table: Table, **values: Any) -> Any:
    return next(table.c[name] == value for name, value in values.items())


def _last(connection: Connection) -> Any:
    return connection.execute(select(events).order_by(events.c.number.desc()).limit(1)).one()


def _forged(connection: Connection) -> None:
    """One more event at the end, chained as it has to be."""
    last = _last(connection)
    number = last.number + 1
    body = last.body.replace(b'"number":%d' % last.number, b'"number":%d' % number)
    row = {"table_id": "t1", "number": number, "body": body, "written_at": last.written_at}
    connection.execute(insert(events).values(row | {"hash": link(last.hash, "t1", number, body)}))


def _role_with_its_line(connection: Connection) -> None:
    """They write a line for their edit too, as the house would."""
    connection.execute(update(accounts).where(accounts.c.name == "player").values(role="administrator"))
    row = connection.execute(select(accounts).where(accounts.c.name == "player")).mappings().one()
    columns = columns_of(accounts)
    for line in connection.execute(select(journal).order_by(journal.c.number)).all():
        if b'"accounts","player"' in line.body:
            break
    body = b'{"rows":[["accounts","player","%b"]],"columns":{"accounts":%b}}' % (
        row_hash("accounts", row, columns).encode(),
        str(columns).replace("'", '"').encode(),
    )
    connection.execute(update(journal).where(journal.c.number == line.number).values(body=body))
    _journal_anew(connection)


def _journal_anew(connection: Connection) -> None:
    """Every hash of the journal computed again."""
    hash_ = None
    for line in connection.execute(select(journal).order_by(journal.c.number)).all():
        if hash_ is not None or line.number == 1:
            hash_ = line_hash(hash_ or BEFORE_ALL, line.number, line.kind, line.body)
            connection.execute(update(journal).where(journal.c.number == line.number).values(hash=hash_))


def _last_line(connection: Connection) -> None:
    number = connection.scalar(select(func.max(journal.c.number)))
    connection.execute(delete(journal).where(journal.c.number == number))


def _purse_with_its_line(connection: Connection) -> None:
    """A line for the money as the house would write it, after the last checkpoint; the tables know better."""
    connection.execute(update(purses).where(P1).values(balance=purses.c.balance + 1))
    append_line(connection, purses, "p1")


def append_line(connection: Connection, table: Table, key: str) -> None:
    """A line of the journal about a row, chained as it has to be."""
    (column,) = table.primary_key.columns
    row = connection.execute(select(table).where(column == key)).mappings().one()
    columns = columns_of(table)
    name = str(table.name)
    append(
        connection, "changed", Body(rows=[(name, key, row_hash(name, row, columns))], columns={name: columns})
    )


P1 = purses.c.player == "p1"
K0 = (replies.c.client == "p1") & (replies.c.key == "k0")
CHANGED, ADDED, GONE = "not as the house wrote it", "the house never wrote it", "it is gone"

EDITS: list[tuple[str, Work, str]] = [
    ("a player made administrator", to(accounts, of(accounts, name="player"), role="administrator"), CHANGED),
    ("another password", to(accounts, of(accounts, name="administrator"), password="x"), CHANGED),
    ("a disabled account let in", to(accounts, of(accounts, name="dealer"), disabled_at=None), CHANGED),
    ("somebody called otherwise", to(accounts, of(accounts, name="player"), title="X"), CHANGED),
    ("an account of their own", one_more(accounts, name="eve"), ADDED),
    ("an account removed", no(accounts, of(accounts, name="player")), GONE),
    ("who made an account", to(accounts, of(accounts, name="player"), made_by="eve"), CHANGED),
    ("a change of accounts told otherwise", to(account_changes, what="nothing"), CHANGED),
    ("a change of accounts removed", no(account_changes, of(account_changes, number=1)), GONE),
    ("a change of accounts made up", one_more(account_changes, number=999), ADDED),
    ("a link of their own", one_more(sign_in_links, digest=bytes(32)), ADDED),
    ("a link prolonged", to(sign_in_links, until=sign_in_links.c.until + A_DAY), CHANGED),
    ("a link for another account", to(sign_in_links, account="administrator"), CHANGED),
    ("a session of their own", one_more(sessions, digest=bytes(32), id="x"), ADDED),
    ("a session of another account", to(sessions, account="administrator"), CHANGED),
    ("an app of their own", one_more(authenticators, account="eve"), ADDED),
    ("another secret in an app", to(authenticators, secret="JBSWY3DPEHPK3PXP"), CHANGED),
    ("a code to be taken again", to(authenticators, step=0), CHANGED),
    ("an app that was never confirmed", to(authenticators, confirmed_at=None), CHANGED),
    ("an app removed", no(authenticators), GONE),
    ("a passkey of their own", one_more(passkeys, id="x", credential=bytes(9)), ADDED),
    ("another public key", to(passkeys, public_key=bytes(9)), CHANGED),
    ("the count of a cloned passkey", to(passkeys, counter=0), CHANGED),
    ("a passkey for another account", to(passkeys, account="administrator"), CHANGED),
    ("a passkey removed", no(passkeys), GONE),
    ("a recovery code of their own", one_more(recovery_codes, digest=bytes(32)), ADDED),
    ("a recovery code used up", to(recovery_codes, used_at=1), CHANGED),
    ("a half sign-in of another account", to(half_sign_ins, account="administrator"), CHANGED),
    ("more tries for a half sign-in", to(half_sign_ins, tries=-99), CHANGED),
    ("a half sign-in of their own", one_more(half_sign_ins, digest=bytes(32)), ADDED),
    ("a challenge they have the answer to", to(challenges, challenge=bytes(32)), CHANGED),
    ("a revoked key revived", to(api_keys, api_keys.c.revoked_at.is_not(None), revoked_at=None), CHANGED),
    ("a key for another table", to(api_keys, table_id="t2"), CHANGED),
    ("a key of their own", one_more(api_keys, id="x", digest=bytes(32)), ADDED),
    ("a denial removed", no(denials), GONE),
    ("a denial told otherwise", to(denials, who="nobody"), CHANGED),
    ("agreed to by nobody", to(proposals, of(proposals, stands="waiting"), stands="agreed"), CHANGED),
    ("something else asked for", to(proposals, fields="{}"), CHANGED),
    ("asked for by somebody else", to(proposals, by="eve"), CHANGED),
    ("an agreement made up", one_more(proposals, id="x"), ADDED),
    ("an agreement removed", no(proposals, of(proposals, stands="waiting")), GONE),
    (
        "a declined one's key set free",
        no(replies, of(replies, client=CLIENT_OF_TWO)),
        "its key is free again",
    ),
    ("a table off the list", no(house_tables), GONE),
    ("a table on the list", one_more(house_tables, table_id="t9"), ADDED),
    ("a table called otherwise", to(house_tables, title="X"), CHANGED),
    ("what processes know each other by", to(house_secrets, secret=bytes(32)), CHANGED),
    ("the salt of the marks", to(salts, salt=bytes(32)), CHANGED),
    ("time served", to(served, microseconds=served.c.microseconds + 8 * A_DAY), CHANGED),
    ("a purse with more in it", to(purses, P1, balance=purses.c.balance + 1), CHANGED),
    ("a purse with more in it, counted", to(purses, P1, balance=purses.c.balance + 1), "the purse of p1"),
    ("chips that nobody issued", to(purses, P1, issued=purses.c.issued + 1), CHANGED),
    ("chips that nobody issued, counted", to(purses, P1, issued=purses.c.issued + 1), "the purse of p1"),
    (
        "more in a purse, as if it was issued",
        to(purses, P1, balance=purses.c.balance + 1, issued=purses.c.issued + 1),
        CHANGED,
    ),
    ("a purse under another name", to(purses, P1, player="eve"), ADDED),
    ("a purse of their own", one_more(purses, player="eve"), ADDED),
    ("a purse removed", no(purses, P1), GONE),
    ("a purse removed, counted", no(purses, P1), "the purse of p1: it is not there"),
    ("more in a purse, with a line of its own", _purse_with_its_line, "the purse of p1"),
    ("an answer removed", no(replies, K0), "the answer that was given with it is gone"),
    ("an answer under another key", to(replies, K0, key="k9"), "is not the one that was given"),
    ("an answer to somebody else", to(replies, K0, client="p9"), "is not the one that was given"),
    ("an answer to another request", to(replies, K0, digest=bytes(32)), "is not the one that was given"),
    ("an answer of another event", to(replies, K0, last=replies.c.last - 1), "has another event"),
    ("an answer made up", one_more(replies, K0, key="k9"), "is not the one that was given"),
    (
        "what an answer was taken off an event",
        to(events, events.c.answer.is_not(None), answer=None),
        "follow",
    ),
    ("an event told otherwise", to(events, of(events, number=2), body=b"{}"), "follow"),
    ("an event removed", no(events, of(events, number=2)), "follow"),
    ("the last line of the journal removed", _last_line, "the record has another one, or none"),
    ("a line of the journal removed", no(journal, of(journal, number=1)), "the journal, line 1"),
    ("an edit with a line of its own", _role_with_its_line, "the record has another one"),
    ("the checkpoints removed", no(checkpoints), "the record has another one, or none"),
]


@pytest.mark.parametrize(("work", "told"), [each[1:] for each in EDITS], ids=[each[0] for each in EDITS])
def test_verify_notices(recorded: Recorded, work: Work, told: str) -> None:
    made = recorded.edited(work)
    assert not made.holds
    said = [*made.wrong, *(wrong for table in made.tables for wrong in table.wrong)]
    assert any(told in line for line in said), said


@pytest.mark.parametrize("book", BOOKS)
def test_the_database_refuses_to_change_its_books(recorded: Recorded, book: str) -> None:
    for statement in (f"DELETE FROM {book}", f"UPDATE {book} SET {_first(book)} = {_first(book)}"):
        with pytest.raises(DatabaseError, match="never"):
            recorded.store.write(lambda c, run=statement: c.execute(text(run)).rowcount).result(GUARD)  # type: ignore[misc]


def _first(book: str) -> str:
    return "line" if book == "checkpoints" else "hash" if book in ("events", "journal") else "at"


def test_guards_that_were_taken_off_are_missed(recorded: Recorded) -> None:
    made = recorded.edited(lambda _: None)
    for book in BOOKS:
        assert any(f"{book}_stay" in wrong for wrong in made.wrong)


def test_what_was_forged_after_the_last_checkpoint_is_told_as_a_tail(recorded: Recorded) -> None:
    """It is chained as it has to be; all there is to say is how much stands on nobody's signature."""
    made = recorded.edited(_forged, guarded=True)
    assert made.tail.events == 1


NOBODY: list[tuple[str, Work]] = [
    ("failed attempts", no(attempts)),
    ("when an event was written", to(events, written_at=0)),
    ("when a session was last seen", to(sessions, seen=sessions.c.seen + A_DAY)),
]


@pytest.mark.parametrize("work", [each[1] for each in NOBODY], ids=[each[0] for each in NOBODY])
def test_what_nobody_notices_is_named(recorded: Recorded, work: Work) -> None:
    """docs/concepts/durability.md names these; whoever makes one of them noticed takes it out of there."""
    made = recorded.edited(work)
    assert [wrong for wrong in made.wrong if "_stay" not in wrong] == []
    assert not any(table.wrong for table in made.tables)
