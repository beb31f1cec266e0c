"""Every role and every command: allowed or refused as the rules say, over HTTP.

What is expected stands in `authority.toml`; where the document names who decides, the role is read from the
rulebook there and then. Refused attempts are all written down.
"""

from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from lammer.floor.tables.two_people import ALWAYS_TWO
from lammer.floor.views.viewing import STAFF
from lammer.rulebook.vocabulary import ROLES
from lammer.table.decoding import COMMANDS
from support.open_house import BOOK, OpenHouse, Person, books, in_loop, open_house

pytestmark = pytest.mark.slow

AUTHORITY: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("authority.toml").read_text())
MOMENTS: Final = AUTHORITY.pop("moments")
READS: Final = AUTHORITY.pop("reads")
DOCUMENTS: Final[dict[str, dict[str, str]]] = AUTHORITY.pop("documents")
OTHER: Final[list[dict[str, Any]]] = AUTHORITY.pop("other")
ROWS: Final = [(do, row) for do, row in AUTHORITY.items()] + [(row["do"], row) for row in OTHER]
"""Every command with its row, and again where another moment takes somebody else."""
STANDS_FOR: Final = {"house": "pit_supervisor", "rules": "dealer"}
CHIPS: Final = 10_000_000
"""Dollars in a purse: one player plays at every table of these tests."""
EVERYBODY: Final = (*ROLES, "auditor", "administrator", "nobody", "wrong key", "reader")


def least(row: dict[str, Any]) -> str:
    """The lowest role that may ask for this, from the rulebook where it names one."""
    if "step" not in row:
        return str(row.get("only") or row["least"])
    name, does = row["step"]
    (step,) = [step for step in books()[BOOK].irregularities[name].steps if step.does == does]
    return STANDS_FOR.get(step.by, step.by)


def expected(row: dict[str, Any], who: str) -> tuple[int, str]:
    """The status and the code for somebody who asks for this."""
    if who not in (*ROLES, "auditor", "administrator"):
        return 401, "not_signed_in"
    if who not in ROLES:
        return (200, "") if who == row.get("also") else (403, "not_your_role")
    if "code" in row:
        # Nobody may; a player is told first that this is not theirs to ask.
        return (403, "not_your_bet") if who == "player" and "player" not in row else (422, row["code"])
    if who != row.get("only", who) or ("only" not in row and ROLES.index(who) < ROLES.index(least(row))):
        return 403, "not_your_role"
    return (202 if row.get("two") else 200), ""


async def somebody(house: OpenHouse, who: str) -> Person:
    if who == "nobody":
        return house.stranger()
    if who == "wrong key":
        stranger = house.stranger()
        stranger.http.headers["authorization"] = "Bearer lammer_nobody_ever_made_this_one"
        return stranger
    if who == "reader":
        return await house.key("t0", "shoe_reader")
    return await house.person(who)


async def at_moment(house: OpenHouse, name: str, moment: str, **more: Any) -> None:
    """A new table brought to a moment, set up otherwise if `more` says so."""
    administrator = await house.person("administrator")
    assert (await administrator.post("/api/tables", table=name)).status_code == 201
    chain: list[dict[str, Any]] = []
    setup: dict[str, Any] = {}
    at: str | None = moment
    while at is not None:
        chain.insert(0, MOMENTS[at])
        setup = MOMENTS[at].get("setup", {}) | setup
        at = MOMENTS[at].get("from")
    for part in chain:
        steps = part.get("steps", []) + [
            ["dealer", "deal_card", {"card": card}] for card in part.get("cards", "").split()
        ]
        for by, do, fields in steps:
            given = fields
            if do == "set_table":
                # Whoever may play a rulebook that is not in force says why; at any other it says nothing.
                why = "an old document is tried on purpose"
                given = {"setup": fields["setup"] | setup | more, "reason": why}
            who = "table_game_shift_manager" if do == "set_table" else by
            answer = await (await house.person(who)).ask(name, do, **given)
            assert answer.status_code == 200, (moment, by, do, answer.text)


def test_every_command_is_in_the_matrix() -> None:
    assert set(AUTHORITY) == set(COMMANDS)
    assert {do for do, row in AUTHORITY.items() if row.get("two")} == {
        do for do, kind in COMMANDS.items() if kind in ALWAYS_TWO
    }
    settled = {row["do"] for row in OTHER if row.get("two")}
    assert settled >= {"correct_card", "void_round", "offer_missed_insurance"}, "where settled money moves"


@in_loop
async def test_every_role_may_ask_what_the_rules_give_it_and_nothing_else(tmp_path: Path) -> None:
    wrong: list[str] = []
    denied = 0
    async with open_house(tmp_path, chips=CHIPS) as house:
        await at_moment(house, "t0", "set")
        people = {who: await somebody(house, who) for who in EVERYBODY}
        for number, (do, row) in enumerate(ROWS):
            tables: list[str] = []
            for who, person in people.items():
                status, code = expected(row, who)
                if not tables or status in (200, 202):
                    tables.append(f"{do}-{number}-{who}".replace(" ", "-"))
                    await at_moment(house, tables[-1], row["moment"])
                before = house.house.tables.at(tables[-1]).durable
                answer = await person.ask(tables[-1], do, **row.get("fields", {}))
                after = house.house.tables.at(tables[-1]).durable
                got = answer.status_code, answer.json().get("code", "")
                happened = after > before
                denied += answer.status_code in (401, 403)
                if got != (status, code) or happened != (status == 200):
                    wrong.append(f"{who} {do}: expected {status} {code}, came {got}, {answer.text[:200]}")
                if status in (200, 202):
                    tables.clear()
        await asyncio.to_thread(house.made.context.authenticator.denials.flush)
        lines = house.made.context.authenticator.denials.read(0, 1000)
        assert not wrong, "\n".join(wrong)
        assert sum(line.times for line in lines) == denied, "every denied attempt is written down"
        for person in people.values():
            await person.http.aclose()


@in_loop
async def test_everyone_reads_what_is_his_to_read(tmp_path: Path) -> None:
    wrong: list[str] = []
    async with open_house(tmp_path, chips=CHIPS) as house:
        for name, moment in (("t0", "set"), ("t1", "settled"), ("t2", "set")):
            await at_moment(house, name, moment)
        boards = {name: await house.key(name, "display_board") for name in ("t1", "t2")}
        people = {
            who: await somebody(house, who)
            for who in (*ROLES, "auditor", "administrator", "nobody", "reader")
        }
        for path, readers in READS.items():
            allowed = {role for each in readers for role in (STAFF if each == "staff" else (each,))}
            for who, person in (
                people | {"board": boards["t1"], "another table's board": boards["t2"]}
            ).items():
                signed_in = who in (*ROLES, "auditor", "administrator")
                status = 200 if who in allowed else 403 if signed_in else 401
                answer = await person.get(path.replace("{t}", "t1"))
                if answer.status_code != status:
                    wrong.append(
                        f"{who} {path}: expected {status}, came {answer.status_code} {answer.text[:100]}"
                    )
        for device in (*boards.values(), *people.values()):
            await device.http.aclose()
    assert not wrong, "\n".join(wrong)


@in_loop
async def test_a_player_acts_for_nobody_else(tmp_path: Path) -> None:
    async with open_house(tmp_path, chips=CHIPS) as house:
        await at_moment(house, "t1", "bet")
        other = await house.another("eve", "player")
        asked: tuple[tuple[str, dict[str, Any]], ...] = (
            ("place_bet", {"player": "player", "box": 1, "bet": "tie", "stake": "100"}),
            ("withdraw_bet", {"player": "player", "box": 1, "bet": "player"}),
            ("leave_seat", {"player": "player"}),
            ("take_seat", {"player": "player", "box": 2}),
        )
        for do, fields in asked:
            answer = await other.ask("t1", do, **fields)
            assert (answer.status_code, answer.json()["code"]) == (403, "not_your_bet"), answer.text
        dealer = await house.person("dealer")
        fields = {"player": "player", "box": 1, "bet": "tie", "stake": "100"}
        assert (await dealer.ask("t1", "place_bet", **fields)).status_code == 200, (
            "staff may, at their request"
        )


@in_loop
async def test_a_request_from_elsewhere_changes_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path, chips=CHIPS) as house:
        await at_moment(house, "t1", "betting")
        player = await house.person("player")
        csrf = player.http.headers.pop("x-csrf-token")
        for given in ({}, {"x-csrf-token": "0" * 64}, {"x-csrf-token": "\xe9".encode("latin-1")}):
            player.http.headers.update(given)  # type: ignore[arg-type]
            answer = await player.ask("t1", "place_bet", box=1, bet="tie", stake="100")
            assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
        player.http.headers["x-csrf-token"] = csrf
        assert (await player.ask("t1", "place_bet", box=1, bet="tie", stake="100")).status_code == 200
