"""`lammer accounts`: who keeps the machine lets people in and puts them out, also while the house runs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from lammer.floor.access.accounts import Accounts
from lammer.floor.access.at_the_machine import known_accounts, machine_user, revoke
from lammer.floor.access.authenticator import Authenticator
from lammer.floor.access.links import Links
from lammer.floor.record.store.opening import open_beside
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD, until
from support.guests import GOOD, HERE, Clock, anna, quick
from support.houses import House, intact, put
from support.in_a_thread import Served
from support.terminal import Terminal


def test_a_locked_out_administrator_comes_in_while_the_house_runs(tmp_path: Path, lammer: Terminal) -> None:
    served = Served(tmp_path)
    try:
        made = lammer("accounts", "link", "administrator", "--data", str(tmp_path), "--json").json
        token = made["link"].partition("token=")[2]
        with httpx.Client(base_url=served.address, timeout=GUARD) as client:
            came = client.post("/api/session/link", json={"token": token, "password": GOOD})
            assert came.json()["role"] == "administrator"
            again = client.post("/api/session/link", json={"token": token})
            assert again.json()["code"] == "link_not_valid", "once"
            changes = client.get("/api/accounts/changes").json()
            assert (machine_user(), "administrator", "link made") in {
                (each["by"], each["account"], each["what"]) for each in changes
            }, "and it is written down who let them in"
            listed = lammer("accounts", "list", "--data", str(tmp_path), "--json").json
            (line,) = [each for each in listed if each["name"] == "administrator"]
            assert (line["sessions"], line["password"], line["active"]) == (1, True, True)
            gone = lammer("accounts", "revoke", "administrator", "--data", str(tmp_path), "--json").json
            assert (gone["sessions"], gone["password"], gone["by"]) == (1, True, machine_user())
            # A running house believes a session for a second; how long is counted where the clock is ours.
            until(lambda: client.get("/api/session").status_code == 401, "they are still in")
            wrong = client.post("/api/session", json={"name": "administrator", "password": GOOD})
            assert wrong.json()["code"] == "sign_in_failed"
    finally:
        served.close()


def test_chips_are_issued_and_redeemed_and_it_is_written_down(tmp_path: Path, lammer: Terminal) -> None:
    where = ("--data", str(tmp_path))
    served = Served(tmp_path)
    try:
        more = lammer("accounts", "chips", "player", "250.50", "--reason", "won a raffle", *where)
        assert "250.50 issued to player; the purse holds 10250.50." in more.out
        less = lammer("accounts", "chips", "player", "-50.50", "--reason", "cashed in", "--json", *where)
        assert (less.json["issued"], less.json["purse"], less.json["by"]) == (
            "-50.50",
            "10200.00",
            machine_user(),
        )
        link = lammer("accounts", "link", "administrator", "--json", *where).json["link"]
        with httpx.Client(base_url=served.address, timeout=GUARD) as client:
            client.post("/api/session/link", json={"token": link.partition("token=")[2], "password": GOOD})
            told = {each["what"] for each in client.get("/api/accounts/changes").json()}
            assert {"250.50 of chips issued: won a raffle", "50.50 of chips redeemed: cashed in"} <= told
    finally:
        served.close()
    for amount, reason, code in (
        ("-10200.01", "too much", "not_enough_chips"),
        ("100", "", "reason_needed"),
        ("0", "nothing", "not_an_amount"),
        ("much", "nothing", "not_an_amount"),
    ):
        ran = lammer("accounts", "chips", "player", amount, "--reason", reason, *where)
        assert ran.code == 1
        assert code in ran.err
    assert lammer("verify", *where).code == 0


def test_what_people_read_on_the_terminal(tmp_path: Path, lammer: Terminal) -> None:
    where = ("--data", str(tmp_path))
    assert "database_missing" in lammer("accounts", "list", *where).err
    Served(tmp_path).close()
    told = lammer("accounts", "link", "dealer", "--address", "http://127.0.0.1:9/", *where).out
    assert "http://127.0.0.1:9/link?token=" in told
    assert f"Written down as made by {machine_user()}." in told
    assert "0 sessions, 2 links and no password revoked" in lammer("accounts", "revoke", "dealer", *where).out
    assert "table game shift manager" in lammer("accounts", "list", *where).out
    for words in (("link", "nobody"), ("revoke", "nobody")):
        ran = lammer("accounts", *words, *where)
        assert (ran.code, "no_such_account" in ran.err) == (1, True)
    assert lammer("accounts", "link", "dealer", "--hours", "0", *where).code == 1


def test_beside_a_store_that_is_owned_and_busy(house: House) -> None:
    """Neither loses anything to the other, on either database."""
    store = house.open()
    anna(store)
    beside = open_beside(house.where)
    try:
        tokens, written = [], []
        for number in range(30):
            written.append(store.append(put(store, "t1", b'{"n":%d}' % number, after=number)))
            tokens.append(Links(beside).make("anna", 1, by="machine:eve"))
            Accounts(store, passwords=quick()).disable("anna", by="boss")
            Accounts(store, passwords=quick()).enable("anna", by="boss")
        assert [each.result(GUARD).last for each in written] == list(range(1, 31))
        assert len(intact(store)["t1"]) == 30
        numbers = [change.number for change in Accounts(store, passwords=quick()).changes(0, 1000)]
        assert numbers == list(range(1, 1 + 30 * 3 + 1))
        good = Links(beside).make("anna", 1, by="machine:eve")
        assert Links(store).look(good) is not None
        assert Links(store).look(tokens[-1]) is None, "being disabled ended it"
    finally:
        beside.close()


def test_what_is_revoked_is_gone_at_the_door(house: House) -> None:
    store, clock = house.open(), Clock()
    anna(store)
    authenticator = Authenticator(store, clock, passwords=quick(), ticks=clock.ticks)
    beside = open_beside(house.where)
    try:
        link = authenticator.links.make("anna", by="boss")
        token, _ = authenticator.sign_in("anna", GOOD, HERE)
        assert [(each.name, each.sessions, each.password) for each in known_accounts(beside)] == [
            ("anna", 1, True)
        ]
        assert revoke(beside, "Anna", by="machine:eve", now=clock).links == 1
        clock.go(seconds=timedelta(seconds=2).total_seconds())
        assert authenticator.sessions.find(token) is None
        with pytest.raises(Refused, match="sign_in_failed"):
            authenticator.sign_in("anna", GOOD, HERE)
        with pytest.raises(Refused, match="link_not_valid"):
            authenticator.sign_in_by_link(link, HERE)
        authenticator.sign_in_by_link(Links(beside, clock).make("anna", 1, by="machine:eve"), HERE)
        assert [(change.by, change.what) for change in authenticator.accounts.changes()][-2:] == [
            ("machine:eve", "sessions, links and password revoked"),
            ("machine:eve", "link made"),
        ]
    finally:
        beside.close()
        authenticator.close()


def test_a_disabled_account_gets_no_link(house: House) -> None:
    store = house.open()
    anna(store)
    Accounts(store, passwords=quick()).disable("anna", by="boss")
    beside = open_beside(house.where)
    try:
        with pytest.raises(Refused, match="account_disabled"):
            Links(beside).make("anna", 1, by="machine:eve")
    finally:
        beside.close()
