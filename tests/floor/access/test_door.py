"""Coming in, in the right order: wait, password, session; every "no" taken down, no secret kept."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from lammer.floor.access import accounts
from lammer.floor.access.authenticator import Authenticator
from lammer.floor.access.denials import LARGEST_PAGE
from lammer.floor.access.links import first_links
from lammer.floor.access.passwords import Passwords
from lammer.floor.access.throttle import TooManyAttempts
from lammer.floor.record.contract import Store, StoreUnavailable
from lammer.floor.record.copies import back_up, restore
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD
from support.guests import BETTER, ELSEWHERE, GOOD, HERE, Clock, everything, quick
from support.houses import House
from support.open_house import in_loop


class Counting(Passwords):
    def __init__(self) -> None:
        super().__init__(rounds=1, kibibytes=8)
        self.compared = 0

    def matches(self, kept: str | None, password: str) -> bool:
        self.compared += 1
        return super().matches(kept, password)


@contextmanager
def asked_of_a_database() -> Iterator[list[str]]:
    """Every statement anybody makes meanwhile, but for what is taken down of denials in its own time.

    The lines of the journal go with those: how many there are, the machine's speed decides.
    """
    asked: list[str] = []

    def note(*given: Any) -> None:
        if not any(aside in given[2] for aside in ("denials", "journal", "lammer_touched")):
            asked.append(given[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@contextmanager
def opened(
    store: Store, clock: Clock | None = None, passwords: Passwords | None = None
) -> Iterator[Authenticator]:
    clock = clock or Clock()
    authenticator = Authenticator(store, clock, passwords=passwords or quick(), ticks=clock.ticks)
    try:
        yield authenticator
    finally:
        authenticator.close()


def refused_with(authenticator: Authenticator, name: str, password: str, address: str = HERE) -> str:
    with pytest.raises(Refused) as refused:
        authenticator.sign_in(name, password, address)
    return refused.value.code


def test_from_the_first_start_to_signing_in_again(store: Store) -> None:
    with opened(store) as authenticator:
        ((name, _, link),) = first_links(store, Clock())
        token, session = authenticator.sign_in_by_link(link, HERE, GOOD)
        assert session.account.role == "administrator"
        assert authenticator.sessions.find(token) is not None
        again, _ = authenticator.sign_in(name, GOOD, HERE)
        assert again != token
        changed, session = authenticator.change_password(session, GOOD, BETTER, HERE)
        assert authenticator.sessions.find(token) is None
        assert authenticator.sessions.find(again) is None
        assert authenticator.sessions.find(changed) == session
        assert refused_with(authenticator, name, GOOD) == "sign_in_failed"
        with pytest.raises(Refused) as refused:
            authenticator.sign_in_by_link(link, HERE)
        assert refused.value.code == "link_not_valid"
        authenticator.denials.flush()
        assert [(line.what, line.code, line.who, line.role) for line in authenticator.denials.read()] == [
            ("sign_in", "sign_in_failed", "administrator", "administrator"),
            ("sign_in_by_link", "link_not_valid", "", ""),
        ]


def test_strangers_at_the_same_address_keep_nobody_out_who_came_in_there_by_his_link(store: Store) -> None:
    """Whoever has a password came in by a link before: a house behind one address stays open to them."""
    with opened(store) as authenticator:
        ((name, _, link),) = first_links(store, Clock())
        authenticator.sign_in_by_link(link, HERE, GOOD)
        for number in range(60):
            refused_with(authenticator, f"nobody-{number}", "a guess", HERE)
        assert refused_with(authenticator, "nobody", "a guess", HERE) == "too_many_attempts"
        authenticator.sign_in(name, GOOD, HERE)


def test_a_thousand_sign_ins_neither_slow_the_house_nor_keep_the_owner_out(store: Store) -> None:
    clock, passwords = Clock(), Counting()
    with opened(store, clock, passwords) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        authenticator.sign_in("anna", GOOD, HERE)
        passwords.compared = 0
        codes = [
            refused_with(authenticator, "anna", f"guess number {number}", ELSEWHERE) for number in range(5)
        ]
        assert codes == ["sign_in_failed"] * 5
        with asked_of_a_database() as asked:
            codes = [
                refused_with(authenticator, "anna", f"guess number {number}", ELSEWHERE)
                for number in range(5, 1000)
            ]
        assert codes == ["too_many_attempts"] * 995
        assert passwords.compared == 5
        spent = Counter(statement.split()[0] for statement in asked)
        assert spent["SELECT"] <= 3 * 995, "who has to wait costs a look or two"
        written = spent["INSERT"] + spent["UPDATE"] + spent["DELETE"]
        assert written <= 10, "and next to nothing is written for them"
        assert refused_with(authenticator, "anna", GOOD, ELSEWHERE) == "too_many_attempts"
        authenticator.sign_in("anna", GOOD, HERE)
        clock.go(minutes=15)
        authenticator.sign_in("anna", GOOD, ELSEWHERE)
        authenticator.denials.flush()
        lines = authenticator.denials.read(limit=LARGEST_PAGE)
        assert sum(line.times for line in lines if line.who == "anna") == 1001


def test_the_right_password_waits_like_any_other(store: Store) -> None:
    clock = Clock()
    with opened(store, clock) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        for _ in range(6):
            clock.go(seconds=6)
            assert refused_with(authenticator, "anna", BETTER) == "sign_in_failed"
        with pytest.raises(TooManyAttempts) as refused:
            authenticator.sign_in("anna", GOOD, HERE)
        assert refused.value.seconds == 10
        clock.go(seconds=10)
        assert authenticator.sign_in("anna", GOOD, HERE)


def test_a_link_lets_in_whoever_has_to_wait(store: Store) -> None:
    with opened(store) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        for _ in range(5):
            refused_with(authenticator, "anna", BETTER)
        assert refused_with(authenticator, "anna", GOOD) == "too_many_attempts"
        token, _ = authenticator.sign_in_by_link(authenticator.links.make("anna"), HERE)
        assert authenticator.sessions.find(token) is not None


def test_names_that_do_not_exist_wait_alike_and_are_not_written_down(store: Store) -> None:
    with opened(store) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        for name in ("anna", "typed my password here"):
            codes = [refused_with(authenticator, name, BETTER, f"{name}.example") for _ in range(7)]
            assert codes == ["sign_in_failed"] * 5 + ["too_many_attempts"] * 2
        authenticator.denials.flush()
        assert {line.who for line in authenticator.denials.read()} == {"anna", ""}
        assert not [value for value in everything(store) if "typed my" in str(value)]


def test_guessing_the_old_password_from_inside_waits_too(store: Store) -> None:
    with opened(store) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        _, session = authenticator.sign_in("anna", GOOD, HERE)
        for code in ["sign_in_failed"] * 5 + ["too_many_attempts"]:
            with pytest.raises(Refused) as refused:
                authenticator.change_password(session, "a wrong old one", BETTER, HERE)
            assert refused.value.code == code
        authenticator.denials.flush()
        assert {line.what for line in authenticator.denials.read()} == {"change_password"}


def test_what_is_nobodys_wrong_guess_is_not_counted(store: Store) -> None:
    class Busy(Counting):
        def matches(self, kept: str | None, password: str) -> bool:
            raise TooManyAttempts(5)

    class Gone(Counting):
        def matches(self, kept: str | None, password: str) -> bool:
            raise StoreUnavailable("the test took it")

    with opened(store) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        _, session = authenticator.sign_in("anna", GOOD, HERE)
        for _ in range(10):
            with pytest.raises(Refused) as refused:
                authenticator.change_password(session, GOOD, "short", HERE)
            assert refused.value.code == "weak_password"
    for passwords, code in ((Busy(), "too_many_attempts"), (Gone(), "store_unavailable")):
        with opened(store, passwords=passwords) as authenticator:
            for _ in range(10):
                assert refused_with(authenticator, "anna", GOOD) == code
    with opened(store) as authenticator:
        assert authenticator.sign_in("anna", GOOD, HERE)


def test_a_disabled_account_is_out_and_it_is_written_down(store: Store) -> None:
    with opened(store) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        token, _ = authenticator.sign_in("anna", GOOD, HERE)
        assert authenticator.sessions.find(token) is not None
        authenticator.accounts.disable("anna", by="test")
        assert authenticator.sessions.find(token) is None
        assert refused_with(authenticator, "anna", GOOD) == "account_disabled"
        assert refused_with(authenticator, "anna", BETTER) == "sign_in_failed"
        authenticator.denials.flush()
        assert [line.code for line in authenticator.denials.read() if line.who == "anna"] == [
            "account_disabled",
            "sign_in_failed",
        ]


def test_no_secret_is_kept_logged_or_shown(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    shown: list[str] = []
    with opened(store) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        token, session = authenticator.sign_in("anna", GOOD, HERE)
        for wrong in ("a wrong password", BETTER):
            with pytest.raises(Refused) as refused:
                authenticator.sign_in("anna", wrong, HERE)
            shown.append(f"{refused.value} {refused.value!r}")
        link, open_link = authenticator.links.make("anna"), authenticator.links.make("anna")
        _, key = authenticator.keys.make("t1", "shoe_reader", "anna")
        changed, _ = authenticator.change_password(session, GOOD, BETTER, HERE)
        with pytest.raises(Refused) as refused:
            authenticator.sign_in_by_link(link, HERE)
        shown.append(f"{refused.value} {refused.value!r}")
        still_open = authenticator.links.make("anna")
        shown += [
            repr(
                (
                    session,
                    authenticator.sessions.find(changed),
                    authenticator.sessions.list(),
                    authenticator.keys.find(key),
                )
            )
        ]
        shown += [repr(vars(part)) for part in vars(authenticator).values()]
        secrets = [
            GOOD,
            BETTER,
            "a wrong password",
            token,
            changed,
            session.csrf,
            link,
            open_link,
            still_open,
            key,
        ]
        authenticator.denials.flush()
        kept = [value if isinstance(value, bytes) else str(value).encode() for value in everything(store)]
        logged = [caplog.text, *shown]
    assert len(kept) > 50
    for secret in secrets:
        assert not [value for value in kept if secret.encode() in value]
        assert not [text for text in logged if secret in text]
    assert not [value for value in kept if HERE.encode() in value]


def test_a_backup_carries_people_and_no_way_in(house: House, tmp_path: Path) -> None:
    store = house.open()
    with opened(store) as authenticator:
        authenticator.accounts.create("anna", "", "dealer", by="test", password=GOOD)
        token, _ = authenticator.sign_in("anna", GOOD, HERE)
        link = authenticator.links.make("anna")
        _, key = authenticator.keys.make("t1", "shoe_reader", "anna")
        refused_with(authenticator, "anna", BETTER)
    back_up(store, tmp_path / "copy.gz")
    other = House("sqlite", str(tmp_path / "other.sqlite"))
    restored = other.open()
    restore(restored, tmp_path / "copy.gz")
    with opened(restored) as authenticator:
        assert authenticator.sessions.find(token) is None
        assert authenticator.links.look(link) is None
        assert authenticator.keys.find(key) is not None
        assert [line.code for line in authenticator.denials.read()] == ["sign_in_failed"]
        assert authenticator.sign_in("anna", GOOD, HERE)
        assert authenticator.accounts.changes()[0].what == "created as dealer"
    other.close()


@in_loop
async def test_an_event_loop_asks_from_a_worker_thread(house: House) -> None:
    """Futures resolve in the loop, as the server has it; nobody waits for themselves."""
    async with asyncio.timeout(GUARD):
        store = house.open(deliver=asyncio.get_running_loop().call_soon_threadsafe)
        authenticator = await asyncio.to_thread(Authenticator, store, passwords=quick())
        ((name, _, link),) = await asyncio.to_thread(first_links, store)
        token, _ = await asyncio.to_thread(authenticator.sign_in_by_link, link, HERE, GOOD)
        assert authenticator.sessions.find(token) is not None
        assert authenticator.sessions.fresh(token) is not None
        authenticator.denials.note("place_bet", "not_your_role", who=name, address=HERE)
        await asyncio.to_thread(authenticator.close)
        assert len(authenticator.denials.read()) == 1


def test_time_outs_are_settings(store: Store) -> None:
    authenticator = Authenticator(
        store, Clock(), idle=timedelta(minutes=1), absolute=timedelta(minutes=2), passwords=quick()
    )
    assert (authenticator.sessions._idle, authenticator.sessions._absolute) == (60_000_000, 120_000_000)
    authenticator.close()


def test_real_passwords_are_slow_and_strong(sqlite: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the strength the house runs with: OWASP asks for at least 46 MiB once, or 19 MiB twice."""
    monkeypatch.setattr(accounts, "Passwords", Passwords)
    passwords = accounts.Accounts(sqlite.open())._passwords
    kept = passwords.hash(GOOD)
    assert kept.startswith("$argon2id$v=19$m=65536,t=2,p=1$")
    assert passwords.matches(kept, GOOD)
    assert not passwords.matches(kept, BETTER)
    assert not passwords.stale(kept)
