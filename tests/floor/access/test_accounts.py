"""Who may come in, and as what."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest
from sqlalchemy import Connection, delete, select, update
from sqlalchemy.exc import DBAPIError

from lammer.floor.access.accounts import ACCOUNT_ROLES, Account, Accounts, SignInFailed
from lammer.floor.access.links import Links
from lammer.floor.access.passwords import Passwords, must_be_strong
from lammer.floor.access.sessions import Sessions
from lammer.floor.record.contract import Store
from lammer.floor.record.people import account_changes, accounts as rows
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from support.awaited import GUARD
from support.guests import BETTER, GOOD, HERE, Clock, accounts, anna, quick
from support.houses import House


def kept(store: Store, name: str = "anna") -> str | None:
    with store.reading() as connection:
        return connection.scalar(select(rows.c.password).where(rows.c.name == name))


def test_an_account_is_made_and_found(store: Store) -> None:
    people = accounts(store)
    made = people.create(" Anna.W ", "安娜", "pit_supervisor", by="root", password=GOOD)
    assert made == Account("anna.w", "安娜", "pit_supervisor", active=True)
    assert people.get("ANNA.W") == made
    assert people.create("bo", "", "player", by="root").title == "bo"
    assert [account.name for account in people.list()] == ["anna.w", "bo"]
    assert people.check("Anna.W", GOOD) == made


def test_the_roles_are_those_of_the_rulebook_and_two_more() -> None:
    assert (*ROLES, "auditor", "administrator") == ACCOUNT_ROLES


NO_ACCOUNTS = [
    ("", "", "player", "malformed_input"),
    ("a b", "", "player", "malformed_input"),
    ("anna\x00", "", "player", "malformed_input"),
    ("虎", "", "player", "malformed_input"),
    ("a" * 41, "", "player", "malformed_input"),
    ("-a", "", "player", "malformed_input"),
    ("bo", "B\x00", "player", "malformed_input"),
    ("bo", "B" * 81, "player", "malformed_input"),
    ("bo", "", "croupier", "unknown_role"),
    ("bo", "", "", "unknown_role"),
    ("ANNA", "", "player", "account_exists"),
]


def test_what_is_no_account_is_refused(store: Store) -> None:
    anna(store)
    for name, title, role, code in NO_ACCOUNTS:
        with pytest.raises(Refused) as refused:
            accounts(store).create(name, title, role, by="root")
        assert refused.value.code == code
    assert [account.name for account in accounts(store).list()] == ["anna"]


@pytest.mark.parametrize(
    "password",
    ["elevenchars", "password1234", "PASSWORD1234", "anna-anna-an", "annaannaanna1", "Anna1234567",
     "x" * 40, "abababababab", "l" * 1001 + "mnopq", "Summer2026!!", "Summ3r-w1nt3r", "December-2025",
     "P@ssw0rd-2026", "Qwertz-asdf-12", "Monday01012026", "Lammer-Casino-1", "Dealer-Anna-1", "1qaz2wsx3edc"],
)  # fmt: skip
def test_weak_passwords_are_refused(password: str) -> None:
    with pytest.raises(Refused) as refused:
        must_be_strong(password, "anna")
    assert refused.value.code == "weak_password"
    assert password not in str(refused.value)


def test_strong_passwords_are_taken(store: Store) -> None:
    people = accounts(store)
    strong = (GOOD, "anna likes nine of hearts", "七只幸运的老虎和八头水牛呀", "aB3$9" * 3)
    for number, password in enumerate(strong):
        people.create(f"p{number}", "", "player", by="root", password=password)
        assert people.check(f"p{number}", password).name == f"p{number}"


def test_the_same_letters_are_the_same_password_however_typed(store: Store) -> None:
    anna(store, password="café au lait noir")
    assert accounts(store).check("anna", "cafe\u0301 au lait noir").name == "anna"


def test_wrong_names_and_passwords_are_told_the_same(store: Store) -> None:
    anna(store)
    people = accounts(store)
    people.create("bo", "", "player", by="root")
    wrong = [("anna", BETTER), ("anna", ""), ("anna", GOOD + " "), ("anna", "\udcff" * 20)]
    nobodys = [("nobody", GOOD), ("", GOOD), ("anna\x00", GOOD), ("\udcff", "x" * 100_000)]
    for name, password in [*wrong, *nobodys, ("bo", ""), ("bo", GOOD)]:
        with pytest.raises(SignInFailed) as refused:
            people.check(name, password)
        assert str(refused.value) == str(SignInFailed(None))


def test_a_name_that_does_not_exist_takes_the_same_work(store: Store) -> None:
    class Counting(Passwords):
        work = 0

        def matches(self, kept: str | None, password: str) -> bool:
            self.work += 1
            return super().matches(kept, password)

    counting = Counting(rounds=2, kibibytes=16 * 1024)
    people = Accounts(store, Clock(), counting)
    people.create("anna", "", "dealer", by="root", password=GOOD)
    people.create("bo", "", "dealer", by="root")
    spent: dict[str, list[float]] = {name: [] for name in ("anna", "bo", "nobody", "\x00")}
    for _ in range(9):
        for name, times in spent.items():
            begun = time.thread_time()
            with pytest.raises(SignInFailed):
                people.check(name, BETTER)
            times.append(time.thread_time() - begun)
    assert counting.work == 36
    medians = [median(times) for times in spent.values()]
    assert max(medians) < 2 * min(medians)


def test_a_password_kept_with_less_strength_is_kept_anew(house: House) -> None:
    store = house.open()
    anna(store)
    before = kept(store)
    stronger = Accounts(store, Clock(), quick(rounds=2))
    assert stronger.check("anna", GOOD).name == "anna"
    store.write(lambda connection: None).result(GUARD)
    after = kept(store)
    assert before != after
    assert after is not None
    assert "t=2" in after
    assert stronger.check("anna", GOOD).name == "anna"
    store.write(lambda connection: None).result(GUARD)
    assert kept(store) == after


def test_a_wrong_password_keeps_nothing_anew(store: Store) -> None:
    anna(store)
    before = kept(store)
    with pytest.raises(SignInFailed):
        Accounts(store, Clock(), quick(rounds=2)).check("anna", BETTER)
    store.write(lambda connection: None).result(GUARD)
    assert kept(store) == before


def test_a_password_is_changed_by_the_old_one(store: Store) -> None:
    account = anna(store)
    people, sessions, links = accounts(store), Sessions(store), Links(store)
    people.follow(sessions.forget)
    token, _ = sessions.start(account, HERE)
    link = links.make("anna")
    assert sessions.find(token) is not None
    for old, new, code in ((BETTER, BETTER, "sign_in_failed"), (GOOD, "short", "weak_password")):
        with pytest.raises(Refused) as refused:
            people.set_password("anna", new, old=old)
        assert refused.value.code == code
    assert sessions.find(token) is not None
    people.set_password("anna", BETTER, old=GOOD)
    assert sessions.find(token) is None
    assert links.look(link) is None
    assert people.check("anna", BETTER) == account
    with pytest.raises(SignInFailed):
        people.check("anna", GOOD)


def test_without_a_password_the_old_one_is_never_right(store: Store) -> None:
    anna(store, password=None)
    for old in ("", GOOD):
        with pytest.raises(SignInFailed):
            accounts(store).set_password("anna", BETTER, old=old)
    assert kept(store) is None


def test_of_two_changes_by_the_same_old_password_one_is_made(house: House) -> None:
    store = house.open()
    anna(store)
    new = [f"{BETTER} {number}" for number in range(6)]

    def change(password: str) -> str | None:
        try:
            accounts(store).set_password("anna", password, old=GOOD)
        except SignInFailed:
            return None
        return password

    with ThreadPoolExecutor(6) as threads:
        done = [password for password in threads.map(change, new) if password is not None]
    assert len(done) == 1
    assert accounts(store).check("anna", done[0]).name == "anna"


def test_a_disabled_account_is_out_at_once_and_stays_out(store: Store) -> None:
    account = anna(store)
    people, sessions, links = accounts(store), Sessions(store), Links(store)
    people.follow(sessions.forget)
    token, _ = sessions.start(account, HERE)
    link = links.make("anna")
    assert sessions.find(token) is not None
    assert not people.disable("Anna", by="root").active
    assert sessions.find(token) is None
    with pytest.raises(Refused) as refused:
        people.check("anna", GOOD)
    assert refused.value.code == "account_disabled"
    with pytest.raises(SignInFailed):
        people.check("anna", BETTER)
    for attempt in (lambda: sessions.start(account, HERE), lambda: links.make("anna")):
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code == "account_disabled"
    with pytest.raises(Refused) as refused:
        links.take(link)
    assert refused.value.code == "link_not_valid"
    assert people.enable("anna", by="root").active
    assert sessions.find(token) is None
    assert links.look(link) is None
    assert people.check("anna", GOOD).active


def test_a_new_role_is_taken_up_by_signing_in_anew(store: Store) -> None:
    account = anna(store)
    people, sessions = accounts(store), Sessions(store)
    people.follow(sessions.forget)
    token, _ = sessions.start(account, HERE)
    assert people.change_role("anna", "dealer", by="root") == account
    assert sessions.find(token) is not None
    assert people.change_role("anna", "pit_manager", by="root").role == "pit_manager"
    assert sessions.find(token) is None
    _, session = sessions.start(account, HERE)
    assert session.account.role == "pit_manager"
    with pytest.raises(Refused):
        people.change_role("anna", "boss", by="root")


def test_accounts_that_do_not_exist_are_refused(store: Store) -> None:
    people = accounts(store)
    attempts: list[Callable[[], object]] = [
        lambda: people.get("anna"),
        lambda: people.disable("anna", by="root"),
        lambda: people.enable("anna", by="root"),
        lambda: people.change_role("anna", "player", by="root"),
        lambda: Links(store).make("anna"),
    ]
    for attempt in attempts:
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code == "no_such_account"


def test_a_house_keeps_an_administrator(store: Store) -> None:
    people = accounts(store)
    people.create("root", "", "administrator", by="test")
    with pytest.raises(Refused) as refused:
        people.disable("root", by="root")
    assert refused.value.code == "last_administrator"
    with pytest.raises(Refused) as refused:
        people.change_role("root", "auditor", by="root")
    assert refused.value.code == "last_administrator"
    assert people.change_role("root", "administrator", by="root").active
    people.create("second", "", "administrator", by="root")
    people.disable("root", by="second")
    with pytest.raises(Refused):
        people.disable("second", by="second")
    people.enable("root", by="second")
    assert people.change_role("second", "auditor", by="root").role == "auditor"


def test_two_administrators_who_disable_each_other_are_not_both_obeyed(postgres: House) -> None:
    stores = [postgres.open(), postgres.open()]
    people = [accounts(store) for store in stores]
    for turn in range(5):
        names = [f"root{turn}", f"boot{turn}"]
        for name in names:
            people[0].create(name, "", "administrator", by="test")
        for account in people[0].list():
            if account.name not in names and account.active:
                people[0].disable(account.name, by="test")

        def disable(keeper: Accounts, name: str) -> str:
            try:
                keeper.disable(name, by="test")
            except Refused as refused:
                return refused.code
            return ""

        with ThreadPoolExecutor(2) as threads:
            assert sorted(threads.map(disable, people, names)) == ["", "last_administrator"]


def test_what_is_done_to_accounts_is_written_down_for_good(store: Store) -> None:
    clock = Clock()
    people = accounts(store, clock)
    people.create("anna", "", "dealer", by="root", password=GOOD)
    people.change_role("anna", "pit_manager", by="root")
    people.set_password("anna", BETTER, old=GOOD)
    people.disable("anna", by="boss")
    people.disable("anna", by="boss")
    people.enable("anna", by="boss")
    changes = people.changes()
    assert [(change.by, change.what) for change in changes] == [
        ("root", "created as dealer"),
        ("root", "role dealer to pit_manager"),
        ("anna", "password changed"),
        ("boss", "disabled"),
        ("boss", "enabled"),
    ]
    assert {change.at for change in changes} == {clock.wall}
    assert people.changes(after=changes[3].number) == changes[4:]
    assert people.changes(limit=2) == changes[:2]

    def forge(connection: Connection) -> None:
        connection.execute(update(account_changes).values(made_by="nobody"))

    def erase(connection: Connection) -> None:
        connection.execute(delete(account_changes))

    for work in (forge, erase):
        with pytest.raises((DBAPIError, Refused)):
            store.write(work).result(GUARD)
    assert people.changes() == changes


def test_the_house_is_busy_rather_than_slow() -> None:
    """Comparing passwords takes turns; whoever would wait too long is told to come back."""
    passwords = Passwords(rounds=1, kibibytes=8, patience=0.05)
    with passwords._turn(), pytest.raises(Refused) as refused:
        passwords.matches(None, GOOD)
    assert refused.value.code == "too_many_attempts"
    assert not passwords.matches(None, GOOD)
