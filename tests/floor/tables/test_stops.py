"""The switch that stops gaming: who may press it, what it holds back, what survives, and how it is ended."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lammer.floor.record.registry import Pace
from lammer.floor.record.row_journal import check_journal
from lammer.floor.record.stops import Stops
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.tables.house import House
from lammer.floor.tables.stop_switch import TAKEN_ALL_THE_SAME
from lammer.floor.views.viewing import Viewer
from lammer.rulebook.refusal import Refused
from lammer.table.decoding import COMMANDS
from support.awaited import until_so
from support.houses import House as Record
from support.open_house import (
    as_recorded,
    ask,
    bet,
    house_on,
    houses_sharing,
    in_loop,
    open_house,
    put_up,
    staked,
)


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "house.sqlite"


async def _refused(house: House, by: str, do: str, *, table: str = "t1", **fields: Any) -> str:
    with pytest.raises(Refused) as told:
        await ask(house, by, do, table=table, **fields)
    return told.value.code


@in_loop
async def test_what_lies_on_the_felt_stays_and_the_round_goes_on_where_it_was(store_path: Path) -> None:
    async with house_on(store_path) as house:
        live_table, other = await put_up(house), await put_up(house, "t2")
        first = await bet(house, "p1", key="k1")
        stop = await house.switch.stop("t1", "A card lies on the floor", by="anna", role="pit_supervisor")
        number = live_table.number
        assert await _refused(house, "p1", "place_bet", box=1, bet="tie", stake="10") == "gaming_stopped"
        assert await _refused(house, "dealer", "close_bets") == "gaming_stopped"
        assert await _refused(house, "pit_manager", "void_round", reason="x") == "gaming_stopped"
        assert await bet(house, "p1", key="k1") == first, "what was taken before is answered again"
        await ask(house, "dealer", "call_pit", reason="question")
        assert staked(live_table) == 100_00
        await bet(house, "p1", table="t2")
        assert staked(other) == 100_00, "another table goes on"
        await house.switch.end(stop.number, by="ada", role="pit_manager")
        assert live_table.number == number + 1
        await ask(house, "dealer", "close_bets")
        await ask(house, "dealer", "deal_card", card="9H")
        assert as_recorded(live_table)
        (told,) = Stops(house.store).latest()
        assert (told.by, told.reason, told.ended_by) == ("anna", "A card lies on the floor", "ada")
        assert check_journal(house.store)[0] == []


@in_loop
async def test_no_command_that_moves_the_game_or_money_is_taken(store_path: Path) -> None:
    async with house_on(store_path) as house:
        await put_up(house)
        await house.switch.stop("", "Fire alarm", by="ada", role="pit_manager")
        taken = set()
        for do in COMMANDS:
            try:
                await house.commands.ask("t1", CommandRequest("ada", "table_game_shift_manager", do, {}))
            except Refused as refused:
                if refused.code == "gaming_stopped":
                    continue
            taken.add(do)
        assert taken == TAKEN_ALL_THE_SAME


@in_loop
async def test_a_stop_survives_a_restart_and_is_made_once(store_path: Path) -> None:
    async with house_on(store_path) as house:
        await put_up(house)
        first = await house.switch.stop("", "Fire alarm", by="ada", role="pit_manager")
        again = await house.switch.stop("", "Once more", by="bo", role="administrator")
        assert again == first
    async with house_on(store_path) as house:
        assert await _refused(house, "p1", "place_bet", box=1, bet="tie", stake="10") == "gaming_stopped"
        ended = await house.switch.end(first.number, by="ada", role="pit_manager")
        assert await house.switch.end(first.number, by="bo", role="pit_manager") == ended
        await ask(house, "pit_supervisor", "resolve_interruption")
        await ask(house, "dealer", "open_bets")
        await bet(house)


KILLED = """
import asyncio, os, signal, sys
from lammer.floor.record.clock import Clock
from lammer.floor.record.store.opening import open_store
from lammer.floor.tables import stop_switch

async def main():
    store = open_store(sys.argv[1])
    switch = stop_switch.StopSwitch(store, Clock())
    begin = stop_switch.begin_stop
    def begin_and_die(*given, **named):
        begin(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)
    stop_switch.begin_stop = begin_and_die
    await switch.stop("", "Fire alarm", by="ada", role="pit_manager")

asyncio.run(main())
"""


@in_loop
async def test_a_stop_that_was_never_answered_for_stands(store_path: Path) -> None:
    ran = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", KILLED, str(store_path)], check=False, capture_output=True
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr.decode()
    async with house_on(store_path) as house:
        stop = house.switch.of("any")
        assert stop is not None
        assert stop.reason == "Fire alarm"


@in_loop
async def test_every_process_of_a_house_stops_and_goes_on(postgres: Record) -> None:
    async with houses_sharing(postgres, "one", "two") as houses:
        one, two = houses["one"], houses["two"]
        await put_up(one)
        await two.tables.find("t1")
        told: list[bool] = []
        two.switch.changed.append(lambda: told.append(two.switch.any))
        stop = await two.switch.stop("t1", "A card lies on the floor", by="anna", role="pit_supervisor")
        await until_so(lambda: one.switch.any)
        assert await _refused(one, "p1", "place_bet", box=1, bet="tie", stake="10") == "gaming_stopped"
        assert await _refused(two, "p1", "place_bet", box=1, bet="tie", stake="10") == "gaming_stopped"
        await one.switch.end(stop.number, by="ada", role="pit_manager")
        await until_so(lambda: not two.switch.any)
        await bet(two)
        assert (told[0], told[-1]) == (True, False)


@in_loop
async def test_the_virtual_dealer_waits(tmp_path: Path) -> None:
    async with open_house(tmp_path) as opened:
        live_table = await opened.table("v1", Pace(0.01, 0.01, 0.01, 0.01), shoe="virtual", cut=14)
        await until_so(lambda: live_table.view.table.rounds >= 1)
        manager = await opened.person("pit_manager")
        made = await manager.post("/api/stops", table="v1", reason="A light went out")
        assert made.status_code == 201, made.text
        await live_table.handed_in()
        number = live_table.durable
        dealer, _ = opened.made.dealers["v1"]
        waited: list[float] = []

        async def noting(over: asyncio.Event, seconds: float) -> None:
            waited.append(seconds)
            await asyncio.sleep(0)

        dealer.pause = noting
        await until_so(lambda: len([seconds for seconds in waited if seconds == dealer.waiting]) > 3)
        assert live_table.durable == number
        ended = await manager.post(f"/api/stops/{made.json()['number']}/end")
        assert ended.status_code == 200, ended.text
        await until_so(lambda: live_table.durable > number)


@in_loop
async def test_who_may_stop_and_end(tmp_path: Path) -> None:
    async with open_house(tmp_path) as opened:
        await opened.table("t1")
        supervisor, manager = await opened.person("pit_supervisor"), await opened.person("pit_manager")
        for role in ("player", "dealer", "auditor"):
            person = await opened.person(role)
            told = await person.post("/api/stops", table="t1", reason="x")
            assert (told.status_code, told.json()["code"]) == (403, "not_your_role"), role
        told = await supervisor.post("/api/stops", reason="x")
        assert told.json()["code"] == "not_your_role"
        assert (await manager.post("/api/stops", table="t1", reason=" ")).json()["code"] == "reason_needed"
        assert (await manager.post("/api/stops", table="t9", reason="x")).json()["code"] == "unknown_table"
        made = await supervisor.post("/api/stops", table="t1", reason="A card lies on the floor")
        assert made.status_code == 201
        number = made.json()["number"]
        assert (await supervisor.post(f"/api/stops/{number}/end")).json()["code"] == "not_your_role"
        player = await opened.person("player")
        assert (await player.get("/api/tables/t1")).json()["gaming_stopped"] is True
        assert (await player.get("/api/stops")).status_code == 403
        seen = await player.ask("t1", "take_seat", box=1)
        assert (seen.status_code, seen.json()["code"]) == (422, "gaming_stopped")
        assert seen.json()["next"] == "A Pit Manager or above ends the stop."
        assert (await manager.post(f"/api/stops/{number}/end")).status_code == 200
        assert (await manager.post("/api/stops/99/end")).json()["code"] == "unknown_stop"
        assert (await player.ask("t1", "take_seat", box=1)).is_success
        administrator = await opened.person("administrator")
        house = await administrator.post("/api/stops", reason="Fire alarm")
        assert house.status_code == 201
        assert (await opened.stranger().get("/ready")).json()["gaming"] is False
        assert (await administrator.post(f"/api/stops/{house.json()['number']}/end")).status_code == 403
        assert (await player.ask("t1", "leave_seat")).json()["code"] == "gaming_stopped"


@in_loop
async def test_streams_say_it_at_once(store_path: Path) -> None:
    async with house_on(store_path) as house:
        live_table = await put_up(house)
        stream = house.live.stream(live_table.view, Viewer("p1", "player"), live_table.durable)
        assert b"retry" in await anext(stream)
        stop = await house.switch.stop("t1", "x", by="anna", role="pit_supervisor")
        assert await anext(stream) == b'event: GamingStopped\ndata: {"stopped":true}\n\n'
        late = house.live.stream(live_table.view, Viewer("p2", "player"), live_table.durable)
        assert b"retry" in await anext(late)
        assert b"true" in await anext(late), "whoever comes later is told too"
        await house.switch.end(stop.number, by="ada", role="pit_manager")
        assert await anext(stream) == b'event: GamingStopped\ndata: {"stopped":false}\n\n'


@in_loop
async def test_pages_say_it_and_stop_without_a_script(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as opened:
        await opened.table("t1")
        supervisor, manager = await opened.person("pit_supervisor"), await opened.person("pit_manager")
        form = {"csrf": supervisor.http.headers["x-csrf-token"], "table": "t1", "next": "/pit/t1"}
        done = await supervisor.http.post("/stops", data={**form, "reason": "A card <b>fell</b>"})
        assert (done.status_code, done.headers["location"]) == (303, "/pit/t1")
        pit = (await supervisor.get("/pit/t1")).text
        assert "Gaming at this table is stopped." in pit
        assert "A card &lt;b&gt;fell&lt;/b&gt;" in pit
        assert "End the stop" not in pit, "a supervisor does not end it"
        player = await opened.person("player")
        seen = (await player.get("/tables/t1")).text
        assert "Gaming at this table is stopped." in seen
        assert "fell" not in seen, "why is for staff"
        chinese = (await player.get("/stops/-now?table=t1", headers={"accept-language": "zh"})).text
        assert "本台博彩已停止" in chinese
        assert "gaming is stopped" in (await manager.get("/pit")).text
        administrator = await opened.person("administrator")
        assert "Gaming is stopped at:" in (await administrator.get("/accounts")).text
        assert (await player.get("/stops")).status_code == 403
        listed = (await manager.get("/stops")).text
        assert "End the stop" in listed
        number = opened.house.switch.standing["t1"].number
        ending = {"csrf": manager.http.headers["x-csrf-token"], "next": "/pit/t1"}
        done = await manager.http.post(f"/stops/{number}/end", data=ending)
        assert done.status_code == 303
        assert "Gaming at this table is stopped." not in (await player.get("/tables/t1")).text
        refused = await supervisor.http.post("/stops", data={**form, "table": "", "reason": "x"})
        assert refused.status_code == 403
        assert "Stopping all gaming takes a Pit Manager" in refused.text
