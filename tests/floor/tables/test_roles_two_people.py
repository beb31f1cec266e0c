"""Two people where it matters: one asks, another with the same authority agrees, and it happens once."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from floor.tables.test_roles import AUTHORITY, ROWS, at_moment, least
from lammer.floor.record.verify.verify_replies import check_replies
from lammer.floor.tables.approval_handler import SWEEP_SECONDS
from lammer.floor.tables.two_people import SecondPerson
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.table.journal import decode
from support.failing_store import FAULTS, Failing
from support.open_house import OpenHouse, Person, in_loop, open_house

pytestmark = pytest.mark.slow

TWO = [pytest.param(do, row, id=f"{do}, {row['moment']}") for do, row in ROWS if row.get("two")]
RULING: dict[str, Any] = AUTHORITY["rule_on_matter"]["fields"]


async def said(person: Person, table: str, number: str, word: str = "agree") -> tuple[int, str]:
    answer = await person.post(f"/api/tables/{table}/proposals/{number}/{word}")
    return answer.status_code, answer.json().get("code", "")


async def asked(house: OpenHouse, role: str = "table_game_shift_manager", key: str = "") -> str:
    answer = await (await house.person(role)).ask("t1", "rule_on_matter", key=key, **RULING)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["waiting"])


async def stands(house: OpenHouse, number: str) -> str:
    listed = (await (await house.person("auditor")).get("/api/tables/t1/proposals")).json()
    return str(next(each["stands"] for each in listed if each["id"] == number))


@pytest.mark.parametrize(("do", "row"), TWO)
@in_loop
async def test_the_second_needs_the_authority_too_and_is_somebody_else(
    tmp_path: Path, do: str, row: dict[str, Any]
) -> None:
    lowest = least(row)
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", row["moment"])
        live_table = house.house.tables.at("t1")
        first = await house.person(lowest)
        before = live_table.durable
        answer = await first.ask("t1", do, **row["fields"])
        assert answer.status_code == 202
        number = answer.json()["waiting"]
        assert live_table.durable == before, "nothing has happened yet"
        for role in ROLES[: ROLES.index(lowest)]:
            assert await said(await house.person(role), "t1", number) == (403, "not_your_role")
            assert await said(await house.person(role), "t1", number, "decline") == (403, "not_your_role")
        for role in ("auditor", "administrator"):
            assert await said(await house.person(role), "t1", number) == (403, "not_your_role")
        assert await said(house.stranger(), "t1", number) == (401, "not_signed_in")
        assert await said(first, "t1", number) == (403, "same_person")
        assert live_table.durable == before
        second = await house.another("second", lowest)
        assert await said(second, "t1", number) == (200, "")
        happened = [decode(each.body) for each in live_table.store.read("t1", before)]
        assert happened
        assert {entry.by for entry in happened} == {f"{first.name} and second"}, "both names are on record"
        assert await said(second, "t1", number) == (200, ""), "said twice it is the same answer"
        assert live_table.durable == before + len(happened), "and happens once"


@in_loop
async def test_declined_it_never_happens(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        before = house.house.tables.at("t1").durable
        number = await asked(house)
        second = await house.another("second", "table_game_shift_manager")
        assert await said(second, "t1", number, "decline") == (200, "")
        for person in (second, await house.another("third", "table_game_shift_manager")):
            assert await said(person, "t1", number) == (404, "unknown_proposal")
        withdrawn = await asked(house)
        assert await said(await house.person("table_game_shift_manager"), "t1", withdrawn, "decline") == (
            200,
            "",
        )
        assert await said(second, "t1", withdrawn) == (404, "unknown_proposal")
        assert house.house.tables.at("t1").durable == before
        assert await said(second, "t1", "no such number") == (404, "unknown_proposal")


@pytest.mark.parametrize("change", [{"active": False}, {"role": "dealer"}])
@in_loop
async def test_whoever_asked_must_still_have_the_right(tmp_path: Path, change: dict[str, Any]) -> None:
    """Two people with the authority are needed when it happens, not one who had it once."""
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        first = await house.another("first", "table_game_shift_manager")
        number = (await first.ask("t1", "rule_on_matter", **RULING)).json()["waiting"]
        before = house.house.tables.at("t1").durable
        administrator = await house.person("administrator")
        answer = await administrator.http.patch("/api/accounts/first", json=change)
        assert answer.status_code == 200, answer.text
        second = await house.person("table_game_shift_manager")
        assert await said(second, "t1", number) == (403, "not_your_role")
        assert house.house.tables.at("t1").durable == before
        assert await said(second, "t1", number, "decline") == (200, "")


@in_loop
async def test_what_waits_survives_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        kept, gone = await asked(house), await asked(house)
        second = await house.another("second", "table_game_shift_manager")
        assert await said(second, "t1", gone, "decline") == (200, "")
    async with open_house(tmp_path) as house:
        second = await house.another("third", "table_game_shift_manager")
        assert await stands(house, kept) == "waiting"
        assert await said(second, "t1", gone) == (404, "unknown_proposal")
        assert await said(second, "t1", kept) == (200, "")
        here = house.house.tables.view("t1").table.round
        assert here is not None
        assert here.phase == "void"


@in_loop
async def test_asked_twice_under_one_key_it_waits_once(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        first = await house.person("table_game_shift_manager")
        numbers = {await asked(house, key="k1") for _ in range(3)}
        assert len(numbers) == 1
        other = await first.ask("t1", "rule_on_matter", key="k1", reason="a cat", effect="void_round")
        assert (other.status_code, other.json()["code"]) == (409, "key_reused")
        other = await first.ask("t1", "interrupt", key="k1", reason="a cat")
        assert (other.status_code, other.json()["code"]) == (409, "key_reused")
    async with open_house(tmp_path) as house:
        assert {await asked(house, key="k1")} == numbers


@in_loop
async def test_what_the_table_refuses_waits_again(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "settled")
        first = await house.person("pit_supervisor")
        number = (await first.ask("t1", "reopen_settlement", reason="a card")).json()["waiting"]
        await (await house.person("dealer")).ask("t1", "open_bets")
        second = await house.another("second", "pit_supervisor")
        assert await said(second, "t1", number) == (422, "not_settled")
        assert await stands(house, number) == "waiting"
        assert await said(second, "t1", number, "decline") == (200, "")


@in_loop
async def test_nobody_declines_what_is_already_happening(tmp_path: Path) -> None:
    """Whatever comes between an agreement and its answer, it happens once or never; and is not both."""
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        number = await asked(house)
        live_table = house.house.tables.at("t1")
        second = await house.another("second", "table_game_shift_manager")
        third = await house.another("third", "table_game_shift_manager")
        answers = await asyncio.gather(
            said(second, "t1", number),
            said(third, "t1", number, "decline"),
            said(third, "t1", number),
            said(await house.person("table_game_shift_manager"), "t1", number, "decline"),
        )
        happened = live_table.view.table.round is not None and live_table.view.table.round.phase == "void"
        assert [status for status, _ in answers].count(200) == 1
        assert await stands(house, number) == ("agreed" if happened else "declined")


@in_loop
async def test_an_agreement_cut_off_is_finished_or_waits_again(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        live_table = house.house.tables.at("t1")
        second = await house.another("second", "table_game_shift_manager")
        third = await house.another("third", "table_game_shift_manager")
        number = await asked(house)
        failing = Failing(live_table.store)
        live_table.store = failing
        failing.faults = [FAULTS["gone"]]
        assert await said(second, "t1", number) == (503, "store_unavailable")
        assert await said(third, "t1", number, "decline") == (404, "unknown_proposal"), "it may have happened"
        reopened = await asyncio.to_thread(
            house.house.approvals.reopen_abandoned, house.house.clock.now(), -SWEEP_SECONDS
        )
        assert reopened == 1, "it did not: after a while it waits again"
        failing.silent = 1
        assert await said(third, "t1", number) == (503, "store_unavailable")
        again = await asyncio.to_thread(
            house.house.approvals.reopen_abandoned, house.house.clock.now(), -SWEEP_SECONDS
        )
        assert again == 0, "this time it did happen, although nobody was told"
        assert await said(third, "t1", number) == (200, "")
        assert live_table.view.table.round is not None
        assert live_table.view.table.round.phase == "void"


@in_loop
async def test_agreed_to_in_another_round_it_does_not_happen(tmp_path: Path) -> None:
    """A ruling to void the round was asked for in one round; the second person looks in at the next."""
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        number = await asked(house)
        second = await house.another("second", "table_game_shift_manager")
        other = await asked(house, key="of the same round")
        assert await said(second, "t1", other) == (200, "")
        assert (await (await house.person("dealer")).ask("t1", "open_bets")).status_code == 200
        live_table = house.house.tables.at("t1")
        before = live_table.durable
        assert await said(second, "t1", number) == (409, "table_moved_on")
        assert live_table.durable == before
        assert await stands(house, number) == "waiting"
        assert await said(second, "t1", number, "decline") == (200, "")


@in_loop
async def test_agreed_to_after_the_round_went_on_it_does_not_happen(tmp_path: Path) -> None:
    """Asked for while bets were placed, it is not agreed to once cards are on the table."""
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        number = await asked(house)
        assert (await (await house.person("dealer")).ask("t1", "close_bets")).status_code == 200
        second = await house.another("second", "table_game_shift_manager")
        assert await said(second, "t1", number) == (409, "table_moved_on")


@in_loop
async def test_an_agreement_that_is_only_slow_finds_it_declined(tmp_path: Path) -> None:
    """Given up for lost it waits again; declined then, it never happens, however late it comes."""
    async with open_house(tmp_path) as house:
        await at_moment(house, "t1", "bet")
        number = await asked(house)
        live_table, approvals = house.house.tables.at("t1"), house.house.approvals
        proposal = await asyncio.to_thread(approvals.find, "t1", number)
        now = house.house.clock.now()
        await asyncio.to_thread(approvals.claim, proposal, "second", now)
        assert (
            await asyncio.to_thread(approvals.reopen_abandoned, now + timedelta(minutes=5), SWEEP_SECONDS)
            == 1
        )
        third = await house.another("third", "table_game_shift_manager")
        assert await said(third, "t1", number, "decline") == (200, "")
        before = live_table.durable
        with pytest.raises(Refused, match="key_reused"):
            await house.house.commands.ask(
                "t1", proposal.asked, SecondPerson("second", "table_game_shift_manager")
            )
        assert live_table.durable == before
        assert await stands(house, number) == "declined"
        assert list(check_replies(live_table.store)) == []
