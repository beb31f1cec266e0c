"""People with a second factor, over HTTP, in a house whose door goes by a clock that is moved by hand."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

import httpx
import pyotp

from lammer.floor.access.app_codes import step_at
from lammer.floor.record.monotonic_clock import MonotonicClock
from support.guests import Clock
from support.open_house import OpenHouse, Person

PASSWORD = "seven quiet lanterns"
NAMED = "https://house"
"""The address of a house that can have passkeys."""


def by_hand(house: OpenHouse) -> Clock:
    """Codes, half sign-ins, challenges and waits go by this clock from now on."""
    clock, authenticator = Clock(), house.made.context.authenticator
    authenticator.factors._wall = clock
    for part in (authenticator.factors, authenticator.half_sign_ins, authenticator.throttle):
        part._now = MonotonicClock(clock, clock.ticks)
    return clock


@dataclass
class App:
    """Somebody's authenticator app, with their recovery codes on paper beside it."""

    secret: str
    clock: Clock
    recovery: list[str] = field(default_factory=list)

    def code(self, later: int = 0) -> str:
        return pyotp.TOTP(self.secret).generate_otp(step_at(self.clock()) + later)

    def next(self) -> str:
        """A code that was not used before: half a minute later."""
        self.clock.go(seconds=30)
        return self.code()


async def with_password(house: OpenHouse, role: str) -> Person:
    """Somebody who has chosen a password by their link."""
    person = house.stranger()
    came = await person.post("/api/session/link", token=house.links[role], password=PASSWORD)
    assert came.status_code == 200, came.text
    person.http.headers["x-csrf-token"] = came.json()["csrf"]
    person.name = person.role = role
    return person


async def with_app(person: Person, clock: Clock, password: str = PASSWORD) -> App:
    """Set an app up for somebody, by the API."""
    begun = await person.post("/api/session/second-factor", password=password)
    assert begun.status_code == 200, begun.text
    app = App(begun.json()["secret"], clock)
    confirmed = await person.post("/api/session/second-factor/confirm", code=app.code())
    assert confirmed.status_code == 200, confirmed.text
    app.recovery = confirmed.json()["recovery_codes"]
    return app


async def sign_in(house: OpenHouse, name: str, code: str = "", password: str = PASSWORD) -> httpx.Response:
    """By the API, from a new browser."""
    return await house.stranger().post("/api/session", name=name, password=password, code=code)


async def form(person: Person, path: str, **fields: str) -> httpx.Response:
    """A form of a page, with the token of its session."""
    return await person.http.post(path, data={"csrf": person.http.headers["x-csrf-token"], **fields})


async def half(house: OpenHouse, name: str, password: str = PASSWORD) -> Person:
    """Somebody who has shown the password on the page, and nothing else."""
    person = house.stranger()
    told = await person.http.post("/sign-in", data={"name": name, "password": password})
    assert (told.status_code, told.headers["location"]) == (303, "/sign-in/second"), told.text
    return person


async def show(person: Person, **fields: str) -> httpx.Response:
    """The second half, on the page."""
    return await person.http.post("/sign-in/second", data=fields)


def options(page: httpx.Response) -> str:
    """What the browser is asked on a page."""
    found = re.search(r'data-options="([^"]*)"', page.text)
    assert found, page.text
    return html.unescape(found[1])


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]
