"""A clock that is wrong: a start needs a person then, and an open house does not believe it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from floor.houses import House
from floor.open_house import OpenHouse, bet, books, house_on, in_loop, put_up
from lammer.cli import app
from lammer.floor.api.app import application
from lammer.floor.api.express import Express
from lammer.floor.clock import Clock, Watched, latest_time
from lammer.floor.opening import Vouched, opened
from lammer.floor.serving import give
from lammer.floor.settings import Settings
from lammer.rulebook.refusal import Refused


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
        async with opened(settings, books(), clock=clock):
            return
    with pytest.raises(Refused) as told:
        async with opened(settings, books(), clock=clock):
            pass
    assert told.value.code == "clock_in_doubt"
    assert refused in told.value.sentence
    assert "--clock-is-right" in told.value.next_step
    record = house.look()
    latest = latest_time(record)
    assert latest is not None
    assert latest.strftime("%Y-%m-%d %H:%M:%S UTC") in told.value.sentence
    async with opened(settings, books(), Vouched(clock=True), clock):
        pass


@in_loop
async def test_a_limit_of_nothing_asks_nobody(sqlite: House, tmp_path: Path) -> None:
    await _played(sqlite)
    settings = Settings(data=str(tmp_path / "folder"), store=sqlite.where, tables=0, clock_ahead_hours=0)
    async with opened(settings, books(), clock=Hands(datetime.now(UTC) + timedelta(days=800)).clock):
        pass


def test_the_command_says_so(sqlite: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_loop(_played)(sqlite)
    monkeypatch.setattr("lammer.floor.opening.Clock", lambda: Hands(datetime.now(UTC) + timedelta(8)).clock)
    monkeypatch.setattr("lammer.floor.serving.log_to_stderr", lambda: None)
    given = ["serve", "--data", str(tmp_path), "--store", sqlite.where, "--port", "0", "--tables", "0"]
    ended = CliRunner().invoke(app, given)
    assert ended.exit_code
    assert "clock_in_doubt" in (ended.stderr + repr(ended.exception))


@pytest.mark.parametrize("off", [timedelta(days=8), timedelta(minutes=-2)], ids=str)
def test_a_clock_that_leaves_the_steady_one_is_not_believed(
    off: timedelta, caplog: pytest.LogCaptureFixture
) -> None:
    hands = Hands()
    watched = Watched(hands.clock)
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
    async with opened(Settings(data=str(tmp_path), tables=0), books(), clock=hands.clock) as made:
        pages = application(pages=True)
        give(pages, made)
        links = {role: token for _, role, token in made.links}
        house = OpenHouse(made, Express(pages, made.floor), links)
        hosted = await put_up(house.house)
        at = hosted.view.at
        stranger, pit = house.stranger(), await house.person("pit_manager")
        told = await stranger.get("/ready")
        assert (told.status_code, told.json()["clock"]) == (200, True)
        assert "clock jumped" not in (await pit.get("/pit")).text
        hands.wall += timedelta(days=8)
        hands.ticks += 1
        await bet(house.house)
        assert hosted.view.at is not None
        assert at is not None
        assert hosted.view.at - at < timedelta(minutes=1), "no event is written into next week"
        told = await stranger.get("/ready")
        assert (told.status_code, told.json()["clock"]) == (200, False), "it serves, and somebody should look"
        assert "clock jumped" in (await pit.get("/pit")).text
        assert "clock jumped" in (await pit.get("/pit/-now")).text
        assert (await pit.get("/pit")).status_code == 200, "and nobody was signed out by it"
        for person in (stranger, pit):
            await person.http.aclose()
