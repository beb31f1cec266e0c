"""One-time sign-in links, and the first start of a house."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from lammer.floor.access.accounts import ACCOUNT_ROLES, SignInFailed
from lammer.floor.access.links import MOST, Links, first_links
from lammer.floor.access.sessions import Sessions
from lammer.floor.record.contract import Store
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD
from support.guests import BETTER, GOOD, Clock, accounts, anna, everything
from support.houses import House


def opened(store: Store, clock: Clock) -> Links:
    return Links(store, clock, keeper=accounts(store, clock), ticks=clock.ticks)


def not_valid(links: Links, token: str) -> None:
    with pytest.raises(Refused) as refused:
        links.take(token)
    assert refused.value.code == "link_not_valid"
    assert not token or token not in str(refused.value)


def test_a_link_is_good_once(store: Store) -> None:
    account = anna(store)
    links = opened(store, Clock())
    token = links.make("Anna", by="root")
    assert links.look(token) == account
    assert links.take(token).account == account
    assert links.look(token) is None
    not_valid(links, token)
    assert accounts(store).changes()[-1].what == "link made"


def test_rubbish_is_no_link(store: Store) -> None:
    for token in ("", "x", "\x00", "虎", "\udcff", "a" * 5000):
        not_valid(opened(store, Clock()), token)


def test_a_link_gets_too_old(store: Store) -> None:
    anna(store)
    clock = Clock()
    links = opened(store, clock)
    token = links.make("anna", hours=2)
    clock.go(hours=1, minutes=59)
    assert links.look(token) is not None
    clock.go(minutes=1)
    assert links.look(token) is None
    not_valid(links, token)


def test_a_clock_set_back_brings_no_link_back(store: Store) -> None:
    anna(store)
    for tried in (True, False):
        clock = Clock()
        links = opened(store, clock)
        token = links.make("anna", hours=1)
        clock.go(hours=2)
        if tried:
            not_valid(links, token)
        clock.jump(hours=-2)
        not_valid(links, token)
        not_valid(opened(store, clock), token)


def test_a_link_from_the_future_is_not_believed(house: House) -> None:
    store = house.open()
    anna(store)
    clock = Clock()
    clock.jump(days=365)
    token = opened(store, clock).make("anna")
    clock.jump(days=-365)
    not_valid(opened(store, clock), token)


def test_a_link_lasts_a_week_at_most(store: Store) -> None:
    anna(store)
    for hours in (0, -1, 169, float("nan")):
        with pytest.raises(Refused) as refused:
            opened(store, Clock()).make("anna", hours)
        assert refused.value.code == "malformed_input"


def test_an_account_has_few_links_open(store: Store) -> None:
    anna(store)
    clock = Clock()
    links = opened(store, clock)
    tokens = []
    for _ in range(MOST + 2):
        clock.go(seconds=1)
        tokens.append(links.make("anna"))
    assert [links.look(token) is not None for token in tokens] == [False] * 2 + [True] * MOST


def test_of_many_who_redeem_one_link_at_once_one_comes_in(house: House) -> None:
    stores = [house.open()]
    if house.kind == "postgresql":
        stores.append(house.open())
    anna(stores[0])
    for _ in range(5):
        token = opened(stores[0], Clock()).make("anna")
        ready = Barrier(8)

        def redeem(number: int, token: str = token, ready: Barrier = ready) -> str:
            links = opened(stores[number % len(stores)], Clock())
            ready.wait(GUARD)
            try:
                return links.take(token).account.name
            except Refused as refused:
                return refused.code

        with ThreadPoolExecutor(8) as threads:
            assert sorted(threads.map(redeem, range(8))) == ["anna"] + ["link_not_valid"] * 7


def test_a_link_sets_a_new_password_and_ends_what_was(store: Store) -> None:
    account = anna(store)
    people, sessions = accounts(store), Sessions(store)
    people.follow(sessions.forget)
    links = Links(store, Clock(), keeper=people)
    token, _ = sessions.start(account, "")
    assert sessions.find(token) is not None
    link, other = links.make("anna"), links.make("anna")
    with pytest.raises(Refused) as refused:
        links.take(link, "short")
    assert refused.value.code == "weak_password"
    assert links.take(link, BETTER).account == account
    assert people.check("anna", BETTER) == account
    with pytest.raises(SignInFailed):
        people.check("anna", GOOD)
    assert sessions.find(token) is None
    not_valid(links, other)
    not_valid(links, link)


def test_the_first_start_makes_an_administrator_without_a_password(store: Store) -> None:
    clock = Clock()
    ((name, role, token),) = first_links(store, clock)
    assert (name, role) == ("administrator", "administrator")
    assert [(account.name, account.role) for account in accounts(store).list()] == [(name, role)]
    assert token not in everything(store)
    for guess in ("", "administrator", "admin", "password", "lammer"):
        with pytest.raises(SignInFailed):
            accounts(store).check(name, guess)
    assert opened(store, clock).take(token).account.name == name


def test_a_lost_first_link_locks_nobody_out(store: Store) -> None:
    clock = Clock()
    ((_, _, first),) = first_links(store, clock)
    ((_, _, second),) = first_links(store, clock)
    links = opened(store, clock)
    links.take(second, GOOD)
    not_valid(links, first)
    assert first_links(store, clock) == []
    assert first_links(store, clock, demo=True) == []
    assert len(accounts(store).list()) == 1


def test_a_demo_house_has_somebody_in_every_role(store: Store) -> None:
    clock = Clock()
    made = first_links(store, clock, demo=True)
    assert {(name, role) for name, role, _ in made} == {(role, role) for role in ACCOUNT_ROLES}
    links = opened(store, clock)
    for name, _, token in made:
        assert links.take(token).account.name == name
    assert accounts(store).get("pit_supervisor").title == "Pit Supervisor"


def test_a_house_with_accounts_of_its_own_gets_no_first_one(store: Store) -> None:
    people = accounts(store)
    people.create("root", "", "administrator", by="restored", password=GOOD)
    people.create("bo", "", "player", by="root")
    assert first_links(store, Clock(), demo=True) == []


def test_two_processes_that_start_at_once_make_one_administrator(postgres: House) -> None:
    stores = [postgres.open(), postgres.open()]
    ready = Barrier(2)

    def start(store: Store) -> list[tuple[str, str, str]]:
        ready.wait(GUARD)
        return first_links(store, Clock(), demo=True)

    with ThreadPoolExecutor(2) as threads:
        made = list(threads.map(start, stores))
    assert len(accounts(stores[0]).list()) == len(ACCOUNT_ROLES)
    links = opened(stores[0], Clock())
    for several in made:
        assert all(links.look(token) is not None for _, _, token in several)
