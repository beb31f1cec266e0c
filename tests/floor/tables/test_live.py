"""Live streams: in order, without gap or repeat, for readers who come, go, dawdle and are sent away."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from lammer.floor.main import RunningHouse, serve
from lammer.floor.settings import Settings
from lammer.floor.tables import streams as live_module
from lammer.floor.tables.streams import LiveStreams
from lammer.floor.views.viewing import Viewer, event_sent
from lammer.floor.web import context as context_module, server as serving
from lammer.floor.web.api import streaming
from support.awaited import GUARD, until_so
from support.open_house import (
    OpenHouse,
    ask,
    bet,
    books,
    house_on,
    in_loop,
    open_house,
    put_up,
)

DEALER = Viewer("dealer", "dealer")


def numbers(sent: bytes) -> list[int]:
    return [int(number) for number in re.findall(rb"^id: (\d+)$", sent, re.MULTILINE)]


async def next_part(stream: Any) -> bytes:
    part: bytes = await asyncio.wait_for(anext(stream), GUARD)
    return part


@in_loop
async def test_a_reader_misses_nothing_however_often_he_comes_back(tmp_path: Path) -> None:
    """One reads all the time, others leave after every part; all of them see each event once, in order."""
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        last = 0

        def has_all(got: list[int]) -> bool:
            return bool(last and got) and got[-1] >= last

        async def restless(got: list[int], patience: int) -> None:
            while not has_all(got):
                stream = house.live.stream(live_table.view, DEALER, got[-1] if got else 0)
                with suppress(StopAsyncIteration):
                    for _ in range(patience):
                        got += numbers(await next_part(stream))
                        if has_all(got):
                            break
                await stream.aclose()  # type: ignore[attr-defined]

        seen: list[list[int]] = [[], [], []]
        readers = [
            asyncio.ensure_future(restless(got, patience))
            for got, patience in zip(seen, (2, 3, 10_000), strict=True)
        ]
        for _ in range(40):
            await asyncio.gather(*(bet(house) for _ in range(10)))
        last = live_table.durable + 1
        await bet(house)  # Whoever waits for more hears this one, and leaves.
        await asyncio.gather(*readers)
        for got in seen:
            assert got == list(range(1, live_table.durable + 1))
        assert not house.live.readers


@in_loop
async def test_a_reader_too_slow_is_sent_away_and_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "BEHIND", 50)
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        slow, quick = (house.live.stream(live_table.view, DEALER, live_table.durable) for _ in range(2))
        for stream in (slow, quick):
            await next_part(stream)
        seen: list[int] = []
        for _ in range(12):
            # A part is waiting for the slow one all the time; they have not taken it.
            await asyncio.gather(*(bet(house) for _ in range(10)))
            seen += numbers(await next_part(quick))
        kept = [len(reader.waiting) for readers in house.live.readers.values() for reader in readers]
        assert max(kept) <= 50
        assert len([part async for part in slow]) <= 1, "their stream is over"
        assert seen == list(range(seen[0], seen[0] + 120)), "nobody else notices"
        await quick.aclose()  # type: ignore[attr-defined]
        assert not house.live.readers


@in_loop
async def test_silence_is_broken_now_and_then(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        house.live = LiveStreams(heartbeat=0.05)
        live_table = await put_up(house)
        stream = house.live.stream(live_table.view, DEALER, live_table.durable)
        assert await next_part(stream) == b"retry: 1000\n\n"
        for _ in range(3):
            assert await next_part(stream) == b": still here\n\n"
        await stream.aclose()  # type: ignore[attr-defined]


@in_loop
async def test_whoever_takes_nothing_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "STALLED_SECONDS", 0.05)
    closed = asyncio.Event()

    async def events() -> AsyncIterator[bytes]:
        try:
            while True:
                yield b"data: x\n\n"
        finally:
            closed.set()

    async def deaf(message: Any) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    async def silent() -> Any:
        await asyncio.Event().wait()

    response = streaming.LiveResponse(events())
    await asyncio.wait_for(response({}, silent, deaf), GUARD)  # type: ignore[arg-type]
    assert closed.is_set()


@in_loop
async def test_a_long_past_is_told_without_holding_up_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it at once would take a second; a page is read and written by a worker, not by the loop."""
    by_loop = 0
    loop = threading.current_thread()
    page, sent = live_module._past_page, event_sent

    def noted(work: Callable[..., Any], *given: Any) -> Any:
        nonlocal by_loop
        by_loop += threading.current_thread() is loop
        return work(*given)

    monkeypatch.setattr(live_module, "_past_page", partial(noted, page))
    monkeypatch.setattr(live_module, "event_sent", partial(noted, sent))
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        for _ in range(20):
            await asyncio.gather(*(bet(house, stake="10") for _ in range(100)))
        streams = [house.live.stream(live_table.view, DEALER, 0) for _ in range(8)]

        async def read(stream: Any) -> list[int]:
            got: list[int] = []
            while not got or got[-1] < live_table.durable:
                new = numbers(await next_part(stream))
                assert len(new) <= live_module.PAGE
                got += new
            await stream.aclose()
            return got

        found = await asyncio.gather(*map(read, streams))
        assert all(got == list(range(1, live_table.durable + 1)) for got in found)
        assert by_loop == 0
        await bet(house)


@asynccontextmanager
async def streaming_to(house: OpenHouse, person: Any) -> AsyncIterator[asyncio.Task[None]]:
    """Somebody reads a stream over HTTP; the task ends when their stream does."""

    async def read() -> None:
        answer = await person.get("/api/tables/t1/stream")
        assert answer.status_code == 200

    before = house.house.live.count()
    reading = asyncio.ensure_future(read())
    await until_so(lambda: house.house.live.count() > before or reading.done())
    yield reading
    await asyncio.wait_for(reading, GUARD)


@in_loop
async def test_a_stream_ends_with_the_session_or_key_it_is_read_by(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.table("t1")
        administrator = await house.person("administrator")
        mei, eve = await house.another("mei", "player"), await house.another("eve", "player")
        board = await house.key("t1", "display_board")
        async with streaming_to(house, mei):
            assert (await mei.http.delete("/api/session")).status_code == 200
        async with streaming_to(house, eve):
            changed = await administrator.http.patch("/api/accounts/eve", json={"active": False})
            assert changed.status_code == 200
        async with streaming_to(house, board):
            assert (await administrator.http.delete(f"/api/keys/{board.name}")).json() == {"revoked": True}
        assert (await board.get("/api/tables/t1/stream")).status_code == 401
        await board.http.aclose()


@in_loop
async def test_a_stream_ends_also_when_another_process_ended_its_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_module, "LOOK_AGAIN_SECONDS", 0.05)
    async with open_house(tmp_path) as house:
        await house.table("t1")
        mei = await house.another("mei", "player")
        dealer = await house.person("dealer")
        async with streaming_to(house, dealer) as stays:
            async with streaming_to(house, mei):
                sessions = house.made.context.authenticator.sessions
                for session in await asyncio.to_thread(sessions.list, "mei"):
                    await asyncio.to_thread(sessions.revoke, session.id)
            assert not stays.done()
            house.house.live.close()


@asynccontextmanager
async def served(folder: Path, **given: Any) -> AsyncIterator[tuple[str, RunningHouse, asyncio.Event]]:
    """A house on a real socket, in this process."""
    settings = Settings(data=str(folder), port=0, **({"tables": 0} | given))
    told: asyncio.Future[tuple[str, RunningHouse]] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    serving = asyncio.ensure_future(serve(settings, books(), lambda *heard: told.set_result(heard), stop))
    try:
        waiting: list[asyncio.Future[Any]] = [serving, told]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert told.done(), serving.exception()
        yield *told.result(), stop
    finally:
        stop.set()
        await serving


@in_loop
@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
async def test_streams_over_a_socket_resume_and_end_when_the_house_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody is cut off: a stream that did not end by itself would be waited for, and that is seen.
    monkeypatch.setattr(serving, "GRACE_SECONDS", int(2 * GUARD))
    async with served(tmp_path) as (address, opened, stop):
        house = opened.context.house
        await put_up(house)
        links = {role: token for _, role, token in opened.links}
        async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=GUARD) as http:
            assert (await http.post("/api/session/link", json={"token": links["dealer"]})).status_code == 200
            got: list[int] = []
            for _ in range(3):
                headers = {"Last-Event-ID": str(got[-1])} if got else {}
                async with http.stream("GET", "/api/tables/t1/stream?after=0", headers=headers) as answer:
                    assert answer.headers["content-type"].startswith("text/event-stream")
                    until = house.tables.at("t1").durable + 3
                    placing = asyncio.gather(*(bet(house) for _ in range(3)))
                    async for line in answer.aiter_lines():
                        if line.startswith("id: "):
                            got.append(int(line[4:]))
                            if got[-1] == until:
                                break
                    await placing
            assert got == list(range(1, len(got) + 1))
            for rubbish in ("²", "-1", "x", "9" * 39, ""):
                strange = [(b"last-event-id", rubbish.encode("latin-1", "replace"))]
                async with http.stream("GET", "/api/tables/t1/stream", headers=strange) as answer:
                    assert answer.status_code == 200
            await until_so(lambda: not house.live.count())
            async with http.stream("GET", "/api/tables/t1/stream") as answer, asyncio.timeout(GUARD):
                stop.set()
                ended = [line async for line in answer.aiter_lines()]
                assert ended == ["retry: 1000", ""], "it ends, and properly"
            with pytest.raises(httpx.HTTPError):
                await http.get("/health")


@in_loop
async def test_who_leaves_is_forgotten(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table = await put_up(house)
        for _ in range(50):
            stream = house.live.stream(live_table.view, DEALER, 0)
            await next_part(stream)
            await next_part(stream)
            await stream.aclose()  # type: ignore[attr-defined]
        await ask(house, "dealer", "close_bets")
        assert (house.live.count(), house.live.readers) == (0, {})
