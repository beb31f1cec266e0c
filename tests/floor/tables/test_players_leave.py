"""Staff bet and choose for a player with a login when the player has allowed it at that table."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, get_args

from lammer.floor.access.accounts import Accounts
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.tables.players_leave import NEEDS_LEAVE, NEEDS_NONE, PlayerLogins
from lammer.table import commands as c
from support.guests import Clock
from support.houses import House
from support.open_house import BOOK, OpenHouse, Person, in_loop, open_house

TABLE = "t1"
BET: dict[str, Any] = {"player": "mei", "box": 1, "bet": "player", "stake": "100"}


@asynccontextmanager
async def betting(house: House, folder: Path) -> AsyncIterator[OpenHouse]:
    """A house on that record with a table at which mei, who has a login, and a walk-in sit; bets are open."""
    async with open_house(folder, store=house.where) as at:
        await at.table(TABLE)
        dealer, mei = await at.person("dealer"), await at.another("mei", "player")
        assert (await dealer.ask(TABLE, "prepare_shoe")).is_success
        assert (await mei.ask(TABLE, "take_seat", box=1)).is_success
        assert (await dealer.ask(TABLE, "take_seat", player="walk-in", box=2)).is_success
        assert (await dealer.ask(TABLE, "open_bets")).is_success
        yield at


async def needs_leave(person: Person, do: str, **fields: Any) -> dict[str, Any]:
    answer = await person.ask(TABLE, do, **fields)
    assert (answer.status_code, answer.json()["code"]) == (403, "needs_players_leave"), answer.text
    told: dict[str, Any] = answer.json()
    return told


async def allow(person: Person, allowed: bool) -> None:
    answer = await person.ask(TABLE, "allow_staff_bets", allowed=allowed)
    assert answer.is_success, answer.text


def test_every_command_in_a_players_name_says_whether_it_needs_leave() -> None:
    named = {
        kind
        for kind in get_args(c.Command)
        if any((part.name, part.type) == ("player", "str") for part in dataclasses.fields(kind))
    }
    # These name a player, or the Player's cards, and are for the House to decide.
    rulings = {c.CorrectRound, c.RepositionInsurance, c.RuleOnMatter}
    assert NEEDS_LEAVE.keys() | NEEDS_NONE.keys() == named - rulings
    assert not NEEDS_LEAVE.keys() & NEEDS_NONE.keys()


@in_loop
async def test_staff_bet_for_a_player_with_a_login_when_they_allow_it(house: House, tmp_path: Path) -> None:
    async with betting(house, tmp_path / "folder") as at:
        dealer, mei = await at.person("dealer"), at.people["mei"]
        before = at.house.tables.at(TABLE).durable
        told = await needs_leave(dealer, "place_bet", **BET)
        assert told["detail"] == "mei has not allowed staff to bet for them at table t1."
        assert told["next"] == "They allow it on their table page, or place it themselves."
        assert told["citation"] == {"rulebook": BOOK, "paragraph": "5.22"}
        await needs_leave(await at.person("pit_manager"), "place_bet", **BET)
        assert at.house.tables.at(TABLE).durable == before, "nothing happened"

        await allow(mei, True)
        placed = (await dealer.ask(TABLE, "place_bet", **BET)).json()["events"]
        assert [each["event"] for each in placed] == ["ChipsBrought", "BetPlaced"]
        assert (placed[-1]["player"], placed[-1]["placed_by"]) == ("mei", "dealer")
        assert (await dealer.ask(TABLE, "withdraw_bet", player="mei", box=1, bet="player")).is_success
        assert (await dealer.ask(TABLE, "place_bet", **BET)).is_success

        await allow(mei, False)
        await needs_leave(dealer, "place_bet", **BET)
        await needs_leave(dealer, "withdraw_bet", player="mei", box=1, bet="player")
        own = BET | {"stake": "50"}
        assert (await mei.ask(TABLE, "place_bet", **own)).is_success, "they bet for themselves as ever"

        await asyncio.to_thread(at.made.context.authenticator.denials.flush)
        denied = at.made.context.authenticator.denials.read(limit=1000)
        lines = [line for line in denied if line.code == "needs_players_leave"]
        assert sum(line.times for line in lines) == 4
        assert {(line.who, line.table) for line in lines} == {("dealer", TABLE), ("pit_manager", TABLE)}


@in_loop
async def test_a_walk_in_is_bet_for_as_before(house: House, tmp_path: Path) -> None:
    async with betting(house, tmp_path / "folder") as at:
        dealer = await at.person("dealer")
        assert (await dealer.ask(TABLE, "place_bet", **(BET | {"player": "walk-in", "box": 2}))).is_success
        # An account that is no player's, and one that is disabled, sign in to no table page.
        assert (await dealer.ask(TABLE, "take_seat", player="auditor", box=3)).is_success
        assert (await dealer.ask(TABLE, "place_bet", **(BET | {"player": "auditor", "box": 3}))).is_success
        await needs_leave(dealer, "place_bet", **BET)
        await asyncio.to_thread(at.made.context.authenticator.accounts.disable, "mei", by="administrator")
        assert (await dealer.ask(TABLE, "place_bet", **BET)).is_success


@in_loop
async def test_who_gets_a_login_is_asked_from_then_on(house: House, tmp_path: Path) -> None:
    async with betting(house, tmp_path / "folder") as at:
        dealer = await at.person("dealer")
        walk_in = BET | {"player": "walk-in", "box": 2}
        assert (await dealer.ask(TABLE, "place_bet", **walk_in)).is_success
        person = await at.another("walk-in", "player")
        await needs_leave(dealer, "place_bet", **walk_in)
        await allow(person, True)
        assert (await dealer.ask(TABLE, "place_bet", **walk_in)).is_success


async def has_login(logins: PlayerLogins, asked: CommandRequest) -> bool:
    """As the house asks: looked up where it is not known."""
    known = logins.known(None, asked)
    return await logins.look_up(asked) if known is None else known


@in_loop
async def test_a_login_made_in_another_process_counts_a_second_later(house: House) -> None:
    store, clock = house.open(), Clock()
    logins, elsewhere = PlayerLogins(store, clock.ticks), Accounts(store)
    asked = {name: CommandRequest("dealer", "dealer", "place_bet", BET | {"player": name}) for name in "ab"}
    assert not await has_login(logins, asked["a"])
    await asyncio.to_thread(elsewhere.create, "a", "A", "player", by="administrator")
    await asyncio.to_thread(elsewhere.create, "b", "B", "player", by="administrator")
    clock.go(seconds=0.9)
    assert await has_login(logins, asked["b"]), "looked up for the first time"
    clock.go(seconds=0.2)
    assert await has_login(logins, asked["a"])
    await asyncio.to_thread(elsewhere.disable, "a", by="administrator")
    assert await has_login(logins, asked["a"]), "for a second more"
    logins.forget("a")
    assert not await has_login(logins, asked["a"]), "what was changed here counts at once"


@in_loop
async def test_everything_that_stakes_or_decides_needs_it(tmp_path: Path) -> None:
    async with betting(House("sqlite", str(tmp_path / "house.sqlite")), tmp_path / "folder") as at:
        dealer, mei = await at.person("dealer"), at.people["mei"]
        hand: dict[str, Any] = {"player": "mei", "box": 1, "hand": "player"}
        assert (await mei.ask(TABLE, "place_bet", **BET)).is_success
        assert (await dealer.ask(TABLE, "close_bets")).is_success
        await needs_leave(dealer, "request_squeeze", player="mei")
        for card in ("KS", "2D", "7S", "3D"):
            assert (await dealer.ask(TABLE, "deal_card", card=card)).is_success
        await needs_leave(dealer, "place_insurance", **hand, stake="20")
        await needs_leave(dealer, "announce_insurance", **hand)
        assert (await mei.ask(TABLE, "announce_insurance", **hand)).is_success
        assert (await dealer.ask(TABLE, "decline_insurance", **hand)).is_success, "or the table would wait"
        supervisor = await at.person("pit_supervisor")
        assert (await supervisor.ask(TABLE, "note_dealing_error", what="a card fell")).is_success
        await needs_leave(supervisor, "choose_option", player="mei", choice="return")
        await allow(mei, True)
        assert (await supervisor.ask(TABLE, "choose_option", player="mei", choice="return")).is_success


@in_loop
async def test_the_player_alone_allows_it_and_others_do_not_see_it(tmp_path: Path) -> None:
    async with betting(House("sqlite", str(tmp_path / "house.sqlite")), tmp_path / "folder") as at:
        dealer, mei = await at.person("dealer"), at.people["mei"]
        eve, auditor = await at.another("eve", "player"), await at.person("auditor")
        given: dict[str, Any] = {"player": "mei", "allowed": True}
        refused = await dealer.ask(TABLE, "allow_staff_bets", **given)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_your_role")
        refused = await eve.ask(TABLE, "allow_staff_bets", **given)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_your_bet")
        await allow(mei, True)
        number = at.house.tables.at(TABLE).durable
        await allow(mei, True)
        assert at.house.tables.at(TABLE).durable == number, "said twice it is said once"
        board = await at.key(TABLE, "display_board")
        for person, seen in ((mei, ["mei"]), (dealer, ["mei"]), (auditor, ["mei"]), (eve, []), (board, None)):
            table = (await person.get(f"/api/tables/{TABLE}")).json()
            assert table.get("staff_bets") == seen, person.name
            events = (await person.get(f"/api/tables/{TABLE}/events?limit=100")).json()["events"]
            assert any(each["event"] == "StaffBetsAllowed" for each in events) == bool(seen), person.name


@in_loop
async def test_the_pages_show_it(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as at:
        await at.table(TABLE)
        dealer, mei = await at.person("dealer"), await at.another("mei", "player")
        page = (await mei.get(f"/tables/{TABLE}")).text
        assert 'aria-checked="false"' in page
        assert "The dealer may place bets for me at this table" in page
        form = {"csrf": mei.http.headers["x-csrf-token"], "allowed": "yes"}
        assert (await mei.http.post(f"/tables/{TABLE}/staff-bets", data=form)).status_code == 303
        assert 'aria-checked="true"' in (await mei.get(f"/tables/{TABLE}")).text
        assert "Let staff bet for them: mei." in (await dealer.get(f"/tables/{TABLE}/deal")).text
        form["allowed"] = "no"
        assert (await mei.http.post(f"/tables/{TABLE}/staff-bets", data=form)).status_code == 303
        assert 'aria-checked="false"' in (await mei.get(f"/tables/{TABLE}")).text
        assert "Let staff bet for them" not in (await dealer.get(f"/tables/{TABLE}/deal")).text


@in_loop
async def test_another_process_knows_it_too(postgres: House, tmp_path: Path) -> None:
    """Accounts made through one process count in the one that decides, and so does the leave."""
    clock = Clock()
    async with betting(postgres, tmp_path / "one") as one:
        dealer = await one.person("dealer")
        one.house.commands.logins = PlayerLogins(one.house.store, clock.ticks)
        async with open_house(tmp_path / "two", store=postgres.where) as two:
            accounts = two.made.context.authenticator.accounts
            walk_in = BET | {"player": "walk-in", "box": 2}
            assert (await dealer.ask(TABLE, "place_bet", **walk_in)).is_success
            await asyncio.to_thread(accounts.create, "walk-in", "", "player", by="administrator")
            clock.go(seconds=1)
            await needs_leave(dealer, "place_bet", **walk_in)
            await asyncio.to_thread(accounts.disable, "walk-in", by="administrator")
            clock.go(seconds=1)
            assert (await dealer.ask(TABLE, "place_bet", **walk_in)).is_success
            await allow(one.people["mei"], True)
            await two.house.tables.live_tables[TABLE].catch_up()
            assert "mei" in (await two.house.tables.seen(TABLE)).table.staff_bets
    async with open_house(tmp_path / "three", store=postgres.where) as three:
        assert "mei" in (await three.house.tables.seen(TABLE)).table.staff_bets, "and it is in the record"
