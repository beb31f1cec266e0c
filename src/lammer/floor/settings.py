"""Every setting of the house, from the environment or the command line, with what it is for.

A setting is `LAMMER_` and its name in capitals. The reference lists them from here; a test keeps it current.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import time
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from lammer.rulebook.refusal import Refused

PREFIX: Final = "LAMMER_"
ChangedProgram = Literal["report", "stop"]
SecondFactorMode = Literal["off", "optional", "required"]


def _about(help_: str, least: float | None = None, most: float | None = None) -> msgspec.Meta:
    return msgspec.Meta(description=help_, ge=least, le=most)


class Shift(NamedTuple):
    """A shift of the house's day: its name, and the time of day it starts at."""

    name: str
    starts: time


def parse_shifts(written: str) -> tuple[Shift, ...]:
    """The shifts of a day in the order of their times; a day has at least one.

    >>> [(shift.name, f"{shift.starts:%H:%M}") for shift in parse_shifts("Late 18:00, Early 6:30")]
    [('Early', '06:30'), ('Late', '18:00')]
    >>> parse_shifts("Day 25:00")
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused malformed_input: A setting cannot be read: shifts are written ...
    """
    shifts = []
    for part in written.split(","):
        name, _, clock = part.strip().rpartition(" ")
        hour, _, minute = clock.partition(":")
        if not (name and hour.isdecimal() and minute.isdecimal() and int(hour) < 24 and int(minute) < 60):
            raise _unreadable('shifts are written like "Day 06:00, Swing 14:00, Night 22:00".')
        shifts.append(Shift(name.strip(), time(int(hour), int(minute))))
    if len({shift.name for shift in shifts}) < len(shifts) or len({shift.starts for shift in shifts}) < len(
        shifts
    ):
        raise _unreadable("two shifts have the same name or the same time.")
    return tuple(sorted(shifts, key=attrgetter("starts")))


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How the house is run.

    >>> Settings.read({"LAMMER_PORT": "8080"}).port
    8080
    """

    data: Annotated[str, _about("folder of the house: record, key, checkpoints")] = "house"
    store: Annotated[str, _about("where the record is kept if not in that folder: a file or a URL")] = ""
    sealing: Annotated[
        str,
        _about("where the keys lie that seal shoes in the record: a file, env:NAME, or command:… to ask"),
    ] = ""
    host: Annotated[str, _about("address to listen on")] = "127.0.0.1"
    port: Annotated[int, _about("port to listen on; 0 for any free one", 0, 65_535)] = 8500
    public: Annotated[
        str, _about("address people reach the house under, with its scheme; links are made with it")
    ] = ""
    hosts: Annotated[
        str, _about("further names, with commas, the house answers to where it has a public address")
    ] = ""
    peer: Annotated[str, _about("address other server processes reach this one under")] = ""
    rulebooks: Annotated[str, _about("folder with rulebooks of your own (TOML)")] = ""
    tables: Annotated[int, _about("auto-dealt tables made at the first start", 0, 10_000)] = 2
    demo: Annotated[bool, _about("at the first start, make an account for every role")] = True
    test_players: Annotated[
        int, _about("test players at each auto-dealt table; only in a house with `demo`", 0, 16)
    ] = 0
    chips: Annotated[
        int, _about("dollars in a new player's purse; 0 if chips are not counted", 0, 10**12)
    ] = 10_000
    two_to_close: Annotated[bool, _about("closing a table takes a second person")] = False
    shuffle_seconds: Annotated[
        int, _about("how long players may add to a shuffle that was begun", 0, 3_600)
    ] = 8
    beacon: Annotated[
        str,
        _about(
            "address of a drand chain, ending in its hash; its next round comes last in a shuffle, if set"
        ),
    ] = ""
    shifts: Annotated[
        str, _about("the shifts of a day: each by its name and the time it starts, with commas")
    ] = "Day 06:00, Swing 14:00, Night 22:00"
    betting_seconds: Annotated[
        float, _about("betting time at auto-dealt tables made at the first start", 0.01, 600)
    ] = 12.0
    pause_seconds: Annotated[
        float, _about("pause between cards at auto-dealt tables made at the first start", 0, 600)
    ] = 0.8
    window_seconds: Annotated[
        float, _about("time for Insurance at auto-dealt tables made at the first start", 0, 600)
    ] = 6.0
    between_seconds: Annotated[
        float, _about("pause between rounds at auto-dealt tables made at the first start", 0, 600)
    ] = 4.0
    idle_minutes: Annotated[int, _about("a session ends after so long without a request", 1, 10_000)] = 30
    session_hours: Annotated[int, _about("a session ends after so long whatever happens", 1, 1_000)] = 12
    second_factor: Annotated[
        SecondFactorMode, _about("second factors: off, optional, or required of everybody but players")
    ] = "optional"
    streams_per_session: Annotated[
        int, _about("live streams one session or key may have open", 1, 100_000)
    ] = 20
    streams_per_address: Annotated[
        int, _about("live streams the players at one address may have open", 1, 100_000)
    ] = 200
    streams: Annotated[
        int, _about("live streams of a process; the last tenth is for staff and devices", 10, 1_000_000)
    ] = 10_000
    connections_per_address: Annotated[
        int, _about("connections one address may hold, proxies aside; 0 for any number", 0, 1_000_000)
    ] = 2_000
    idle_connection_seconds: Annotated[
        int, _about("a connection nobody uses is closed after so long", 1, 3_600)
    ] = 75
    checkpoint_seconds: Annotated[float, _about("time between signed checkpoints", 0.01, 86_400)] = 5.0
    log_name: Annotated[
        str, _about("name of the house's log at its first start, an address without a scheme; else made up")
    ] = ""
    witnesses: Annotated[
        str, _about("witnesses of the log, with commas: key, a space, and the address of each")
    ] = ""
    witness_quorum: Annotated[int, _about("so many witnesses have to have seen the log lately", 0, 100)] = 0
    witness_late_seconds: Annotated[
        float, _about("a witness that saw nothing for so long is behind", 1, 86_400)
    ] = 180.0
    witness_stop: Annotated[
        str,
        _about(
            "where no round begins while too few witnesses have seen the log: nowhere if empty,"
            " true for every table, or names of tables with commas"
        ),
    ] = ""
    stamp_authority: Annotated[
        str, _about("address of an authority that stamps checkpoints of the log with its time (RFC 3161)")
    ] = ""
    stamp_seconds: Annotated[float, _about("time between two time stamps of a log that moved", 1, 10**6)] = (
        3_600.0
    )
    reply_hours: Annotated[int, _about("hours of serving an answer is kept for a repeat; 0: ever")] = 168
    lease_seconds: Annotated[
        float, _about("a silent process loses its tables after so long", 0.01, 3_600)
    ] = 6.0
    clock_behind_minutes: Annotated[
        int, _about("a start is refused so far before the record's latest time; 0: never", 0, 1_000_000)
    ] = 60
    clock_ahead_hours: Annotated[
        int, _about("a start is refused so long after the record's latest time; 0: never", 0, 1_000_000)
    ] = 24
    changed_program: Annotated[
        ChangedProgram,
        _about("where the program is not the one that was accepted: report it, or stop all gaming as well"),
    ] = "report"
    proxies: Annotated[
        str, _about("addresses of proxies, with commas, that are believed who asks (X-Forwarded-For)")
    ] = ""
    secure_cookies: Annotated[bool, _about("send cookies over HTTPS only")] = False
    access_log: Annotated[bool, _about("log every request")] = False

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **options: object) -> Settings:
        """The settings of an environment, with those given on the command line on top."""
        environment = os.environ if environment is None else environment
        fields = {field.name for field in msgspec.structs.fields(cls)}
        values: dict[str, object] = {}
        for name, value in environment.items():
            if name.startswith(PREFIX) and name.removeprefix(PREFIX).lower() in fields:
                values[name.removeprefix(PREFIX).lower()] = value
        values |= {name: value for name, value in options.items() if value is not None}
        try:
            settings = msgspec.convert(values, cls, strict=False)
        except msgspec.ValidationError as error:
            raise _unreadable(f"{error}.") from None
        if settings.public and not settings.public.startswith(("http://", "https://")):
            raise _unreadable("public begins with its scheme, http or https.")
        if settings.idle_minutes > 60 * settings.session_hours:
            raise _unreadable("idle_minutes is longer than session_hours.")
        parse_shifts(settings.shifts)
        return settings

    @classmethod
    def unknown(cls, environment: Mapping[str, str] | None = None) -> list[str]:
        """What looks like a setting and is none: a slip of the pen that changes nothing.

        >>> Settings.unknown({"LAMMER_SECURE_COOKIE": "true", "LAMMER_PORT": "8080"})
        ['LAMMER_SECURE_COOKIE']
        """
        known = {PREFIX + field.name.upper() for field in msgspec.structs.fields(cls)}
        variables = os.environ if environment is None else environment
        return sorted(name for name in variables if name.startswith(PREFIX) and name not in known)

    @property
    def folder(self) -> Path:
        return Path(self.data)

    @property
    def record(self) -> str | Path:
        return self.store or self.folder / "house.sqlite"


def _unreadable(why: str) -> Refused:
    return Refused(
        "malformed_input",
        "A setting cannot be read: {why}",
        next_step="The reference lists every setting.",
        why=why,
    )
