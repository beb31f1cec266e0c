"""For whoever watches the machines: figures that say how the house is doing, and whether it can serve."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from lammer.floor.record.contract import StoreUnavailable
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.web.api import health
from lammer.rulebook.refusal import Refused
from support.houses import House
from support.open_house import OpenHouse, ask, held_back, in_loop, open_house
from support.recording_vfs import recording


async def figures(house: OpenHouse) -> dict[str, float]:
    stranger = house.stranger()
    told = (await stranger.get("/metrics")).text
    await stranger.http.aclose()
    lines = [line for line in told.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


@in_loop
async def test_figures_move_with_what_happens(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.table("t1")
        dealer, player = await house.person("dealer"), await house.another("mei-chen", "player")
        before = await figures(house)
        assert (await dealer.ask("t1", "prepare_shoe")).status_code == 200
        assert (await player.ask("t1", "take_seat", box=1)).status_code == 200
        assert (await player.ask("t1", "open_bets")).status_code == 403
        assert (await player.ask("t1", "place_bet", box=1, bet="tie", stake="10")).status_code == 422
        assert (await player.get("/api/nowhere")).status_code == 404
        after = await figures(house)
        moved = {name: after[name] - before.get(name, 0) for name in after}
        assert moved["lammer_commands_total"] == 2
        assert moved["lammer_command_seconds_count"] == 2
        assert moved["lammer_command_seconds_sum"] > 0
        assert moved['lammer_command_seconds_bucket{le="+Inf"}'] == 2
        assert moved['lammer_refusals_total{code="not_your_role"}'] == 1
        assert moved['lammer_refusals_total{code="no_round"}'] == 1
        assert moved['lammer_refusals_total{code="no_such_path"}'] == 1
        assert moved["lammer_denied_total"] == 1
        assert moved["lammer_events_total"] == 2
        assert moved["lammer_appends_total"] == 2
        assert moved["lammer_commits_total"] >= 2
        assert moved["lammer_commit_seconds_total"] > 0
        assert (after["lammer_tables"], after["lammer_tables_held"], after["lammer_streams"]) == (1, 1, 0)
        assert (after["lammer_events_waiting"], after["lammer_door_waiting"]) == (0, 0)
        assert after["process_resident_memory_bytes"] > 0
        assert not [name for name in after if "mei" in name or "t1" in name], "no people, no tables"


@in_loop
async def test_every_way_a_command_comes_is_counted_and_closed_alike(tmp_path: Path) -> None:
    """By the API's short way and the ordinary one, by a form, by a second person, and by the house itself."""
    async with open_house(tmp_path, pages=True) as house:
        await house.table("t1")
        dealer, manager = await house.person("dealer"), await house.person("pit_manager")
        gateway = house.made.context.gateway

        async def by_house(do: str, **fields: Any) -> bytes:
            return await gateway.ask("t1", CommandRequest("house", "dealer", do, fields), source="house")

        async def by_form(do: str) -> int:
            form = {"do": do, "csrf": dealer.http.headers["x-csrf-token"]}
            sent = await dealer.http.post(
                "/tables/t1/deal", data=form, headers={"Accept": "application/json"}
            )
            return sent.status_code

        ordinary = {"content-type": "application/json; charset=utf-8"}
        before = await figures(house)
        assert (await dealer.ask("t1", "prepare_shoe")).status_code == 200
        await by_house("open_bets")
        assert await by_form("close_bets") == 200
        asked = {"do": "rule_on_matter", "reason": "a bird flew in", "effect": "void_round"}
        shift_manager = await house.person("table_game_shift_manager")
        waiting = await shift_manager.http.post("/api/tables/t1/commands", json=asked, headers=ordinary)
        assert waiting.status_code == 202, waiting.text
        another = await house.another("shift-2", "table_game_shift_manager")
        number = waiting.json()["waiting"]
        agreed = await another.http.post(f"/api/tables/t1/proposals/{number}/agree")
        assert agreed.status_code == 200, agreed.text
        with pytest.raises(Refused, match="no_round"):
            await by_house("settle")
        assert await by_form("settle") == 422
        moved = {name: value - before.get(name, 0) for name, value in (await figures(house)).items()}
        assert moved["lammer_commands_total"] == 5
        assert moved['lammer_refusals_total{code="no_round"}'] == 2
        gateway.closing = True
        assert (await dealer.ask("t1", "prepare_shoe")).json()["code"] == "shutting_down"
        assert await by_form("prepare_shoe") == 503
        late = await manager.http.post("/api/tables/t1/commands", json={"do": "open_bets"}, headers=ordinary)
        assert late.json()["code"] == "shutting_down"
        assert (await another.http.post(f"/api/tables/t1/proposals/{number}/agree")).status_code == 503
        await by_house("open_bets")
        gateway.closing = False


class Away:
    """A record that can be read and takes nothing."""

    def __init__(self, store: Any) -> None:
        self.store = store

    def write(self, work: Any) -> Future[Any]:
        failed: Future[Any] = Future()
        failed.set_exception(StoreUnavailable("the disk is full"))
        return failed

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


async def is_ready(house: OpenHouse) -> tuple[int, dict[str, Any]]:
    stranger = house.stranger()
    answer = await stranger.get("/ready")
    assert (await stranger.get("/health")).status_code == 200, "alive all the same"
    await stranger.http.aclose()
    return answer.status_code, answer.json()


@in_loop
async def test_ready_means_that_the_record_takes_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(tmp_path) as house:
        await house.table("t1")
        monkeypatch.setattr(health, "BELIEVED_SECONDS", 600.0)
        before = house.house.store.written().commits
        assert [(await is_ready(house))[0] for _ in range(20)] == [200] * 20
        assert house.house.store.written().commits < before + 10, "who asks often makes little work"
        monkeypatch.setattr(health, "BELIEVED_SECONDS", 0.0)
        store = house.house.store
        house.house.store = Away(store)
        status, told = await is_ready(house)
        assert (status, told["ready"], told["record"]) == (503, False, False)
        house.house.store = store
        assert (await is_ready(house))[0] == 200
        monkeypatch.setattr(health, "PATIENCE_SECONDS", 0.2)
        async with held_back(store):
            assert (await is_ready(house))[0] == 503, "a writer that does not move"
        monkeypatch.setattr(health, "PATIENCE_SECONDS", 20.0)
        assert (await is_ready(house))[0] == 200
        house.made.context.gateway.closing = True
        status, told = await is_ready(house)
        assert (status, told["record"], told["closing"]) == (503, True, True)
        house.made.context.gateway.closing = False


@in_loop
async def test_a_full_disk_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it said ready, and refused every bet: nothing was tried that had to reach the disk."""
    monkeypatch.setattr(health, "BELIEVED_SECONDS", 0.0)
    with recording(tmp_path) as recorder:
        async with open_house(tmp_path) as house:
            await house.table("t1")
            assert (await is_ready(house))[0] == 200
            assert (await is_ready(house))[0] == 200, "where nothing was written since, too"
            recorder.full = True
            assert (await is_ready(house))[0] == 503
            with pytest.raises(StoreUnavailable):
                await ask(house.house, "dealer", "prepare_shoe")
            assert (await is_ready(house))[0] == 503
            recorder.full = False
            assert (await is_ready(house))[0] == 200


@in_loop
async def test_a_server_that_takes_no_more_is_not_ready(
    postgres: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same over PostgreSQL, which says so of every change."""
    monkeypatch.setattr(health, "BELIEVED_SECONDS", 0.0)
    full = (
        "CREATE FUNCTION full_() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END$$",
        "CREATE TRIGGER full_ BEFORE INSERT OR UPDATE ON tried EXECUTE FUNCTION full_()",
    )
    async with open_house(tmp_path, store=postgres.where) as house:
        assert (await is_ready(house))[0] == 200
        for statement in full:
            await asyncio.wrap_future(house.house.store.write(partial(_run, statement)))
        assert (await is_ready(house))[0] == 503
        await asyncio.wrap_future(house.house.store.write(partial(_run, "DROP TRIGGER full_ ON tried")))
        assert (await is_ready(house))[0] == 200


def _run(statement: str, connection: Connection) -> None:
    connection.execute(text(statement))


@in_loop
async def test_a_problem_says_where_it_is_explained(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        player = await house.person("player")
        for path in ("/api/accounts", "/api/tables/t9", "/api/nowhere", "/api/tables/t9/rounds/-1"):
            problem = (await player.get(path)).json()
            page = await player.get(problem["type"])
            assert (page.status_code, page.headers["content-type"][:9]) == (200, "text/html"), problem
            assert problem["code"] in page.text
        assert (await player.get("/problems/made_up")).status_code == 404
        empty = (await player.http.post("/api/tables/t9/commands")).json()
        assert (empty["code"], empty["detail"]) == (
            "malformed_input",
            "The request has no body: send JSON.",
        )
        for path in ("/docs", "/api/docs"):
            assert "/api/tables/{table}/commands" in (await player.get(path)).text


@in_loop
async def test_nothing_of_the_api_is_kept_on_the_way(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.table("t1")
        player = await house.person("player")
        for path in ("/api/session", "/api/tables", "/api/tables/t1", "/api/accounts", "/api/nowhere"):
            answer = await player.get(path)
            assert answer.headers.get_list("cache-control") == ["no-store"], path
            assert answer.headers["x-content-type-options"] == "nosniff"


@in_loop
async def test_a_fault_of_ours_is_a_problem_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house(tmp_path) as house:
        await house.table("t1")
        player = await house.person("player")

        async def broken(*_: Any, **__: Any) -> bytes:
            raise KeyError("nobody thought of this")

        monkeypatch.setattr(house.house.commands, "ask", broken)
        for sent in ({"json": {"do": "take_seat", "box": 1}}, {"content": b'{"do":"take_seat","box":1}'}):
            headers = {"content-type": "application/json; charset=utf-8"} if "content" in sent else {}
            answer = await player.http.post("/api/tables/t1/commands", headers=headers, **sent)
            assert (answer.status_code, answer.json()["code"]) == (500, "our_fault")
            assert "nobody thought" not in answer.text
