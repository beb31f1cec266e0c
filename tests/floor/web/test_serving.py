"""The house on a real socket: slow and rude clients, whose address is believed, what is logged, the end."""

from __future__ import annotations

import asyncio
import io
import logging
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from lammer.floor.logs import log_to_stderr
from lammer.floor.record.monotonic_clock import MonotonicClock
from lammer.floor.web import server as serving, slow_clients as patience
from lammer.floor.web.slow_clients import PatientProtocol
from support.awaited import GUARD, until
from support.guests import Clock
from support.in_a_thread import Served

HEAD = "POST /api/tables/t1/commands HTTP/1.1\r\nHost: house\r\n"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    house = Served(tmp_path)
    yield house
    house.close()


def connected(house: Served) -> socket.socket:
    url = httpx.URL(house.address)
    made = socket.create_connection((url.host, url.port or 0), timeout=GUARD)
    made.settimeout(GUARD)
    return made


@contextmanager
def signed_in(house: Served, role: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=house.address, timeout=GUARD) as client:
        answer = client.post("/api/session/link", json={"token": house.links[role]})
        client.headers["x-csrf-token"] = answer.json()["csrf"]
        yield client


def half_a_command(person: httpx.Client) -> bytes:
    cookie = person.cookies["lammer_session"]
    head = f"{HEAD}Content-Type: application/json\r\nCookie: lammer_session={cookie}\r\n"
    return f"{head}x-csrf-token: {person.headers['x-csrf-token']}\r\nContent-Length: 99\r\n\r\n{{".encode()


def answer(line: socket.socket) -> bytes:
    """Everything until the house hangs up."""
    told = b""
    while part := line.recv(65536):
        told += part
    return told


class Waiting:
    """The house's patience by a clock of the test's own: how much was heard, and when time is up."""

    def __init__(self, house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
        self.house, self.heard = house, 0
        self.lines: list[PatientProtocol] = []
        made, received = PatientProtocol.connection_made, PatientProtocol.data_received

        def connection_made(line: PatientProtocol, transport: asyncio.Transport) -> None:
            made(line, transport)
            self.lines.append(line)

        def data_received(line: PatientProtocol, data: bytes) -> None:
            received(line, data)
            self.heard += len(data)

        monkeypatch.setattr(patience, "ARRIVING_SECONDS", 3600.0)
        monkeypatch.setattr(PatientProtocol, "connection_made", connection_made)
        monkeypatch.setattr(PatientProtocol, "data_received", data_received)

    def time_is_up(self) -> None:
        """Whoever a clock still runs for is hung up on, as when it has run down."""

        def ring() -> None:
            for line in self.lines:
                if line.arriving is not None:
                    line.hang_up()

        self.house.do(ring)


def test_who_sends_half_a_request_is_hung_up_on(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Waiting(served, monkeypatch)
    with signed_in(served, "player") as player:
        for said in (b"", HEAD.encode(), half_a_command(player)):
            lines, heard = len(waiting.lines), waiting.heard
            with connected(served) as line:
                line.sendall(said)
                until(lambda: len(waiting.lines) > lines and waiting.heard >= heard + len(said))  # noqa: B023
                waiting.time_is_up()
                assert answer(line) == b"", said
        assert player.get("/api/session").status_code == 200, "and who asks properly is not"


def test_who_sends_nothing_is_hung_up_on_when_his_time_is_over(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "ARRIVING_SECONDS", 0.05)
    with connected(served) as line:
        assert answer(line) == b""


def test_a_connection_that_is_used_stays(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Waiting(served, monkeypatch)
    with connected(served) as line:
        for _ in range(3):
            line.sendall(b"GET /health HTTP/1.1\r\nHost: house\r\n\r\n")
            assert b"alive" in line.recv(65536)
            waiting.time_is_up()
    assert len(waiting.lines) == 1


def test_a_head_without_end_is_not_read(served: Served) -> None:
    with connected(served) as line:
        line.sendall(b"GET /health HTTP/1.1\r\n")
        told = b""
        try:
            for _ in range(100):
                line.sendall(b"x: " + b"a" * 4_000 + b"\r\n")
            told = answer(line)
        except OSError:
            return
        assert told.startswith(b"HTTP/1.1 431 ")


def test_half_a_command_is_none(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever goes before the end of their request has asked for nothing, and nothing of ours went wrong."""
    with signed_in(served, "player") as player, connected(served) as line:
        line.sendall(half_a_command(player)[:-1] + b'{"do": "take_seat", "box": 1}')
        line.close()
        assert player.get("/api/session").status_code == 200
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_the_house_closes_without_waiting_for_half_requests(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The grace is for those who are being answered; given to half a request, the house would not close here.
    monkeypatch.setattr(serving, "GRACE_SECONDS", int(2 * GUARD))
    house = Served(tmp_path)
    with signed_in(house, "player") as player, connected(house) as line, connected(house) as other:
        line.sendall(half_a_command(player))
        other.sendall(HEAD.encode())
        assert player.get("/health").status_code == 200
        house.close()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def tried(house: Served, count: int) -> list[int]:
    """Sign-ins that fail, each said to come from elsewhere."""
    return [
        httpx.post(
            f"{house.address}/api/session",
            json={"name": f"nobody-{number}", "password": "a wrong password"},
            headers={"X-Forwarded-For": f"203.0.113.{number}"},
            timeout=GUARD,
        ).status_code
        for number in range(count)
    ]


def test_nobody_says_himself_where_he_comes_from(served: Served) -> None:
    # Comparing passwords takes as long as it takes; the five seconds to wait are not over meanwhile.
    assert served.opened is not None
    served.opened.context.authenticator.throttle._now = MonotonicClock(Clock(), lambda: 0.0)
    assert tried(served, 22)[20:] == [429, 429]


def test_a_proxy_of_the_house_says_where_somebody_comes_from(tmp_path: Path) -> None:
    house = Served(tmp_path, proxies="127.0.0.1")
    try:
        assert set(tried(house, 22)) == {401}
    finally:
        house.close()


def test_no_log_names_anybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the log of requests nor the trace of a fault of ours: no name, no secret, no address."""
    told = io.StringIO()
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    # A house without a log of requests, opened before in this process, has switched it off.
    monkeypatch.setattr(logging.getLogger("uvicorn.access"), "handlers", [])
    monkeypatch.setattr(logging.getLogger("uvicorn.access"), "propagate", True)
    monkeypatch.setattr(sys, "stderr", told)
    log_to_stderr()
    person = {"name": "mei-lin-quirke", "title": "Mei-Lin Quirke", "role": "player"}
    house = Served(tmp_path, access_log=True)
    secrets = ["mei-lin", "Quirke", "127.0.0.1", "seven lucky tigers"]
    try:
        with signed_in(house, "administrator") as boss:
            made = boss.post("/api/accounts", json=person).json()
            secrets += [made["link"].partition("=")[2], boss.cookies["lammer_session"]]
            boss.post("/api/accounts/mei-lin-quirke/link")
            boss.patch("/api/accounts/mei-lin-quirke", json={"active": True})
            boss.post("/api/tables", json={"table": "t1"})
            key = boss.post("/api/keys", json={"table": "t1", "purpose": "display_board"}).json()["key"]
            secrets.append(key)
            assert httpx.get(f"{house.address}/api/tables/t1?key={key}", timeout=GUARD).status_code == 200
            wrong = {"name": "mei-lin-quirke", "password": "seven lucky tigers"}
            assert httpx.post(f"{house.address}/api/session", json=wrong, timeout=GUARD).status_code == 401

            def broken(*_: object) -> None:
                raise KeyError("player:mei-lin-quirke")

            assert house.opened is not None
            monkeypatch.setattr(house.opened.context.authenticator.accounts, "list", broken)
            assert boss.get("/api/accounts").status_code == 500
    finally:
        house.close()
    lines = [msgspec.json.decode(line) for line in told.getvalue().splitlines()]
    assert any("/api/accounts/…/link" in line["told"] for line in lines), "requests are logged"
    assert any("KeyError" in line.get("trace", [""])[-1] for line in lines), "so are faults, with their trace"
    for secret in secrets:
        assert secret not in told.getvalue(), secret
