"""A clock that is wrong: a start needs a person then, and an open house does not believe it."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import pty
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lammer.cli import app
from lammer.floor import main
from lammer.floor.main import Vouched, run_house
from lammer.floor.record.clock import Clock, WatchedClock, latest_time
from lammer.floor.settings import Settings
from lammer.floor.web.api.express import Express
from lammer.floor.web.app import application
from lammer.rulebook.refusal import Refused
from support.houses import House
from support.open_house import OpenHouse, bet, books, house_on, in_loop, put_up
from support.own_thread import in_own_thread


@dataclass
class Hands:
    """Both clocks, moved by hand."""

    wall: datetime = field(default_factory=lambda: datetime.now(UTC))
    ticks: float = 50.0

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.ticks)

    def pass_(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.ticks += seconds


async def _played(house: House) -> None:
    async with house_on(house.where) as made:
        await put_up(made)
        await bet(made)


@pytest.mark.parametrize(
    ("off", "refused"),
    [
        (timedelta(days=8), "8 days after"),
        (timedelta(hours=25), "25 hours after"),
        (timedelta(hours=23), ""),
        (timedelta(minutes=-50), ""),
        (timedelta(minutes=-70), "69 minutes before"),
        (timedelta(days=-3), "before"),
    ],
    ids=str,
)
@in_loop
async def test_a_start_far_from_the_record_needs_a_person(
    house: House, tmp_path: Path, off: timedelta, refused: str
) -> None:
    await _played(house)
    settings = Settings(data=str(tmp_path / "folder"), store=house.where, tables=0)
    clock = Hands(datetime.now(UTC) + off).clock
    if not refused:
        async with run_house(settings, books(), clock=clock):
            return
    with pytest.raises(Refused) as told:
        async with run_house(settings, books(), clock=clock):
            pass
    assert told.value.code == "clock_in_doubt"
    assert refused in told.value.sentence
    assert "--clock-is-right" in told.value.next_step
    record = house.look()
    latest = latest_time(record)
    assert latest is not None
    assert latest.strftime("%Y-%m-%d %H:%M:%S UTC") in told.value.sentence
    async with run_house(settings, books(), Vouched(clock=True), clock):
        pass


@in_loop
async def test_a_limit_of_nothing_asks_nobody(sqlite: House, tmp_path: Path) -> None:
    await _played(sqlite)
    settings = Settings(data=str(tmp_path / "folder"), store=sqlite.where, tables=0, clock_ahead_hours=0)
    async with run_house(settings, books(), clock=Hands(datetime.now(UTC) + timedelta(days=800)).clock):
        pass


def test_the_command_says_so(sqlite: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_loop(_played)(sqlite)
    monkeypatch.setattr("lammer.floor.main.Clock", lambda: Hands(datetime.now(UTC) + timedelta(8)).clock)
    monkeypatch.setattr("lammer.floor.logs.log_to_stderr", lambda: None)
    given = ["serve", "--data", str(tmp_path), "--store", sqlite.where, "--port", "0", "--tables", "0"]
    ended = in_own_thread(lambda: CliRunner().invoke(app, given))
    assert ended.exit_code
    assert "clock_in_doubt" in (ended.stderr + repr(ended.exception))


class Desk:
    """A terminal somebody sits at, and the house they start days after it was closed."""

    def __init__(self, given: list[str]) -> None:
        self.given = given
        self.opened: list[bool] = []
        self.shown = ""

    def start(self, typed: str, away: str = "") -> None:
        """Start the house, which ends as soon as it is open; one stream may be `away` from the terminal."""
        screen, keyboard = pty.openpty()
        with (
            os.fdopen(screen, "r+b", buffering=0) as terminal,
            os.fdopen(keyboard, "r+b", buffering=0) as line,
            io.TextIOWrapper(io.BytesIO(typed.encode())) as file,
            open(line.fileno(), closefd=False) as stdin,
            open(line.fileno(), "w", closefd=False) as stderr,
            pytest.MonkeyPatch.context() as patch,
        ):
            terminal.write(typed.encode())
            patch.setattr("sys.stdin", file if away == "stdin" else stdin)
            patch.setattr("sys.stderr", io.StringIO() if away == "stderr" else stderr)
            try:
                in_own_thread(lambda: app(self.given, standalone_mode=False))
            finally:
                stderr.flush()
                line.write(b"\0")
                shown = b""
                while b"\0" not in shown:
                    shown += terminal.read(65536)
                self.shown = shown.decode()


@pytest.fixture
def desk(sqlite: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    in_loop(_played)(sqlite)
    desk = Desk(["serve", "--data", str(tmp_path), "--store", sqlite.where, "--port", "0", "--tables", "0"])
    serve = main.serve

    async def served(settings: Settings, books: Any, told: Any, *, vouched: Vouched) -> None:
        over = asyncio.Event()
        over.set()
        await serve(settings, books, lambda *_: desk.opened.append(vouched.clock), over, vouched)

    monkeypatch.setattr("lammer.floor.main.Clock", lambda: Hands(datetime.now(UTC) + timedelta(8)).clock)
    monkeypatch.setattr("lammer.floor.logs.log_to_stderr", lambda: None)
    monkeypatch.setattr("lammer.floor.main.serve", served)
    return desk


@pytest.mark.parametrize("typed", ["y\n", "YES\n"])
def test_whoever_sits_at_the_terminal_is_asked(desk: Desk, typed: str) -> None:
    desk.start(typed)
    assert "8 days after the latest time in the record" in desk.shown
    assert "Is this clock right? [y/N]" in desk.shown
    assert desk.opened == [True]


@pytest.mark.parametrize("typed", ["\n", "n\n", "yesterday\n", "\x04"], ids=["enter", "n", "else", "ctrl-d"])
def test_whoever_does_not_say_yes_starts_nothing(desk: Desk, typed: str) -> None:
    with pytest.raises(Refused) as refused:
        desk.start(typed)
    assert refused.value.code == "clock_in_doubt"
    assert "[y/N]" in desk.shown
    assert not desk.opened


@pytest.mark.parametrize("away", ["stdin", "stderr"])
def test_nobody_is_asked_without_a_terminal(desk: Desk, away: str) -> None:
    with pytest.raises(Refused) as refused:
        desk.start("y\n", away)
    assert refused.value.code == "clock_in_doubt"
    assert "[y/N]" not in desk.shown
    assert not desk.opened


@pytest.mark.parametrize("off", [timedelta(days=8), timedelta(minutes=-2)], ids=str)
def test_a_clock_that_leaves_the_steady_one_is_not_believed(
    off: timedelta, caplog: pytest.LogCaptureFixture
) -> None:
    hands = Hands()
    watched = WatchedClock(hands.clock)
    clock, start = watched.clock, hands.wall
    hands.wall += timedelta(seconds=59)
    assert clock.now() == start + timedelta(seconds=59), "a little is put right by the network every day"
    assert clock.jumped() is None
    hands.wall = start + off
    with caplog.at_level(logging.ERROR, "lammer.floor"):
        assert [clock.now() for _ in range(3)] == [start] * 3
    assert len(caplog.records) == 1, "said once"
    hands.pass_(10)
    assert clock.now() == start + timedelta(seconds=10)
    hands.wall = start + timedelta(seconds=10)
    assert clock.jumped() is not None, "until somebody has looked and started it again"


@in_loop
async def test_a_jump_is_told_where_people_look(tmp_path: Path) -> None:
    hands = Hands()
    async with run_house(Settings(data=str(tmp_path), tables=0), books(), clock=hands.clock) as made:
        pages = application(pages=True)
        pages.state.context = made.context
        links = {role: token for _, role, token in made.links}
        house = OpenHouse(made, Express(pages, made.context), links)
        live_table = await put_up(house.house)
        at = live_table.view.at
        stranger, pit = house.stranger(), await house.person("pit_manager")
        told = await stranger.get("/ready")
        assert (told.status_code, told.json()["clock"]) == (200, True)
        assert "clock jumped" not in (await pit.get("/pit")).text
        hands.wall += timedelta(days=8)
        hands.ticks += 1
        await bet(house.house)
        assert live_table.view.at is not None
        assert at is not None
        assert live_table.view.at - at < timedelta(minutes=1), "no event is written into next week"
        told = await stranger.get("/ready")
        assert (told.status_code, told.json()["clock"]) == (200, False), "it serves, and somebody should look"
        assert "clock jumped" in (await pit.get("/pit")).text
        assert "clock jumped" in (await pit.get("/pit/-now")).text
        assert (await pit.get("/pit")).status_code == 200, "and nobody was signed out by it"
        for person in (stranger, pit):
            await person.http.aclose()
