"""The short way for commands: the same answer as `Tables.ask`, without the framework in between.

Bets come by the thousand, and of what a bet costs the framework takes more than the table does. So a command
is taken here as it comes off the wire; everything else, and everything unusual, goes the ordinary way.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import Request
from litestar.types import ASGIApp, Receive, Send

from lammer.floor.record.contract import LONGEST_NAME
from lammer.floor.web.api.run_command import run_command
from lammer.floor.web.context import API, COOKIE, CSRF, SESSION, AppContext
from lammer.floor.web.origin import OURS
from lammer.floor.web.problems import MEDIA, RETRY_AFTER_SECONDS, Problem, fault
from lammer.floor.web.wire import must_be_sound
from lammer.rulebook.refusal import Refused

BEFORE: Final = "/api/tables/"
AFTER: Final = "/commands"
JSON: Final = b"application/json"
LARGEST_REQUEST_BYTES: Final = 64 << 10
_PRIVATE: Final = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
_COOKIE_PREFIX: Final = f"{COOKIE}=".encode()
_CSRF: Final = CSRF.encode()
_SITE: Final = b"sec-fetch-site"
_OURS: Final = frozenset(site.encode() for site in OURS)
_ONCE: Final = frozenset(
    (b"content-type", b"content-length", b"cookie", _CSRF, b"idempotency-key", _SITE, b"origin", b"host")
)
"""Headers read here; sent twice, they are ambiguous and the framework decides."""


class Express:
    """Wraps the application: answers plain commands itself and passes every other request on."""

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self.app, self.context = app, context

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                must_be_sound(scope, self.context.settings)
            except Refused as error:
                await _send_problem(send, self._problem(scope, error))
                return
        command = _plain_command(scope) if scope["type"] == "http" and scope["method"] == "POST" else None
        if command is not None:
            token, table, headers = command
            session, csrf = None, headers.get(_CSRF, b"").decode("latin-1")
            with suppress(Refused):
                session = await self.context.session(token)
            if session is not None and not self.context.must_set_up(session) and session.allows(csrf):
                scope[SESSION] = session
                key = headers.get(b"idempotency-key", b"").decode("latin-1")
                await self._command(scope, receive, send, table, key)
                return
        private = scope["type"] == "http" and scope["path"].startswith(API)
        await self.app(scope, receive, _without_caching(send) if private else send)

    async def _command(self, scope: Any, receive: Receive, send: Send, table: str, key: str) -> None:
        try:
            body = await _body(receive)
            if body is None:
                return
            status, content = await run_command(self.context, scope[SESSION], table, body, key)
        except Refused as error:
            await _send_problem(send, self._problem(scope, error, table=table))
        except Exception as error:
            await _send_problem(send, fault(f"POST {BEFORE}{{table}}{AFTER}", error))
        else:
            await _send_answer(send, status, content, JSON)

    def _problem(self, scope: Any, error: Refused, **path: str) -> Problem:
        """A refusal as it is answered; who was denied what is written down."""
        scope["path_params"] = path
        return self.context.note_refusal(Request(scope), error)


async def _send_problem(send: Send, problem: Problem) -> None:
    more = [(b"retry-after", RETRY_AFTER_SECONDS.encode())] if problem.status == 503 else []
    await _send_answer(send, problem.status, msgspec.json.encode(problem), MEDIA.encode(), more)


async def _send_answer(
    send: Send, status: int, content: bytes, kind: bytes, more: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    head = [(b"content-type", kind), (b"content-length", str(len(content)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": content, "more_body": False})


def _without_caching(send: Send) -> Send:
    """Send answers so that no proxy or browser keeps a copy: they may show somebody's money."""

    async def send_uncached(message: Any) -> None:
        if message["type"] == "http.response.start":
            kept = [pair for pair in message.get("headers", ()) if pair[0].lower() != b"cache-control"]
            message["headers"] = [*kept, *_PRIVATE]
        await send(message)

    return send_uncached


def _plain_command(scope: Any) -> tuple[str, str, dict[bytes, bytes]] | None:
    """The session's token, the table and the headers of a command with nothing unusual about it."""
    path: str = scope["path"]
    if not (path.startswith(BEFORE) and path.endswith(AFTER)):
        return None
    table = path[len(BEFORE) : -len(AFTER)]
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in _ONCE:
            if name in headers:
                return None
            headers[name] = value
    cookie, length = headers.get(b"cookie", b""), headers.get(b"content-length", b"")
    alone = cookie.startswith(_COOKIE_PREFIX) and b";" not in cookie and b'"' not in cookie
    short = length.isdigit() and len(length) < 8 and int(length) <= LARGEST_REQUEST_BYTES
    # Our own pages say so; where it has to be worked out, the ordinary way does it.
    ours = headers[_SITE] in _OURS if _SITE in headers else b"origin" not in headers
    if (
        "/" in table
        or not ours
        or len(table) > LONGEST_NAME
        or not (alone and short)
        or headers.get(b"content-type") != JSON
    ):
        return None
    return cookie[len(_COOKIE_PREFIX) :].decode("latin-1"), table, headers


async def _body(receive: Receive) -> bytes | None:
    """All of it; None where whoever sent it was gone before its end."""
    message: Any = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body", False):
        message = await receive()
        body += message.get("body", b"")
    return body if message["type"] == "http.request" else None
