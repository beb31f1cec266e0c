"""Everything a request may need, held together: the house, its people, their sessions, what is denied.

And who is asking: a person by a session cookie, or a device by a key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from litestar import Request

from lammer.floor.api_keys import Purpose
from lammer.floor.door import Door
from lammer.floor.house import House
from lammer.floor.reading_in import Readers
from lammer.floor.sessions import Session
from lammer.floor.settings import Settings
from lammer.floor.viewing import Viewer
from lammer.rulebook.refusal import Refused

COOKIE: Final = "lammer_session"
CSRF: Final = "x-csrf-token"
SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))


@dataclass(slots=True)
class Floor:
    """The running house as its API sees it."""

    settings: Settings
    house: House
    door: Door
    readers: Readers
    counts: dict[str, int] = field(default_factory=dict)
    closing: bool = False

    def count(self, what: str) -> None:
        """One more of something, for the metrics."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def denied(self, request: Request[Any, Any, Any], error: Refused) -> None:
        """Write a denied attempt down, without holding the answer up."""
        self.count("denied")
        session = found_session(self, request)
        who = session.account if session is not None else None
        self.door.denials.note(
            f"{request.method} {request.url.path}"[:200],
            error.code,
            who=who.name if who else "",
            role=who.role if who else "",
            address=address_of(request),
            table=str(request.path_params.get("table", "")),
        )


def floor_of(request: Request[Any, Any, Any]) -> Floor:
    floor: Floor = request.app.state.floor
    return floor


def address_of(request: Request[Any, Any, Any]) -> str:
    """Where a request comes from, as the socket says; no header is believed."""
    client = request.scope.get("client")
    return client[0] if client else ""


def found_session(floor: Floor, request: Request[Any, Any, Any]) -> Session | None:
    token = request.cookies.get(COOKIE)
    return floor.door.sessions.find(token) if token else None


def session_of(request: Request[Any, Any, Any]) -> Session:
    """The session of a request, or `not_signed_in`; a request that changes something proves its origin."""
    floor = floor_of(request)
    session = found_session(floor, request)
    if session is None:
        raise Refused(
            "not_signed_in", "This needs a person who is signed in.", next_step="Sign in, or use your link."
        )
    if request.method not in SAFE and not session.allows(request.headers.get(CSRF)):
        raise Refused(
            "wrong_origin",
            "The request does not carry the token of its session.",
            next_step=f"Send the session's token in {CSRF}.",
        )
    return session


def must_be(request: Request[Any, Any, Any], *roles: str) -> Session:
    """The session of somebody with one of these roles."""
    session = session_of(request)
    if session.account.role not in roles:
        raise Refused(
            "not_your_role",
            f"{session.account.name} is {session.account.role.replace('_', ' ')}; this is for "
            f"{' or '.join(role.replace('_', ' ') for role in roles)}.",
            next_step="Ask one of them.",
        )
    return session


def device_of(request: Request[Any, Any, Any], table: str, purpose: Purpose) -> str:
    """The id of the key a device shows for this table and this purpose, or `not_signed_in`."""
    header = request.headers.get("authorization", "")
    given = header.removeprefix("Bearer ") if header.startswith("Bearer ") else ""
    given = given or request.query_params.get("key", "")
    found = floor_of(request).door.keys.find(given) if given else None
    if found is None or not found.serves(table, purpose):
        raise Refused(
            "not_signed_in",
            f"This needs a key of table {table[:40]} made for this purpose ({purpose.replace('_', ' ')}).",
            next_step="An administrator makes such keys.",
        )
    return found.id


def viewer_of(request: Request[Any, Any, Any], table: str) -> Viewer:
    """Who looks at a table: a person, or a display board with its key."""
    floor = floor_of(request)
    session = found_session(floor, request)
    if session is not None:
        return Viewer(session.account.name, session.account.role)
    return Viewer(device_of(request, table, "display_board"), "board")
