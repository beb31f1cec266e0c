"""The witness over HTTP: `POST /add-checkpoint` for logs, `GET /seen` for whoever compares witnesses.

Requests that come while the disk is busy are decided on together and share its next sync.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import time
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.transparency.notes import WITNESS, Note, PublicKey, cosigned
from lammer.transparency.tree_heads import AddCheckpoint, TreeHead
from lammer.witness.deciding import SIZE_TYPE, Declined, must_follow, read_request
from lammer.witness.memory import Memory

LARGEST_BODY_BYTES: Final = 64 << 10
ADD: Final = "/add-checkpoint"
SEEN: Final = "/seen"
KEY: Final = "/key"
TEXT: Final = "text/plain; charset=utf-8"


@dataclass(slots=True)
class _Asked:
    request: AddCheckpoint
    head: TreeHead
    answered: asyncio.Future[str]


@dataclass(slots=True)
class Witness:
    """A name, a key, the logs it knows, and what it remembers of them. It is an ASGI application."""

    name: str
    key: Ed25519PrivateKey
    logs: Mapping[str, tuple[PublicKey, ...]]
    memory: Memory
    clock: Callable[[], float] = time
    _waiting: list[_Asked] = field(default_factory=list)
    _writing: asyncio.Task[None] | None = None
    # The last note of each log with our line beneath: the evidence, should the log tell somebody else another
    # story.
    _notes: dict[str, Note] = field(default_factory=dict)

    @property
    def public(self) -> PublicKey:
        return PublicKey(self.name, WITNESS, self.key.public_key().public_bytes_raw())

    async def add_checkpoint(self, body: bytes) -> str:
        """The cosignature of a checkpoint, when it is remembered on disk; `Declined` otherwise."""
        request, head = read_request(body, self.logs)
        asked = _Asked(request, head, asyncio.get_running_loop().create_future())
        self._waiting.append(asked)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await asked.answered

    async def _write(self) -> None:
        """Decide on all that wait, remember them together, and answer; as long as more come."""
        while self._waiting:
            group, self._waiting = self._waiting, []
            last = dict(self.memory.heads)
            good: list[_Asked] = []
            for asked in group:
                try:
                    must_follow(asked.request, asked.head, last.get(asked.head.origin))
                except Declined as declined:
                    _settle(asked.answered, declined)
                else:
                    last[asked.head.origin] = asked.head
                    good.append(asked)
            try:
                await asyncio.to_thread(self.memory.keep, [asked.head for asked in good])
            except OSError:
                for asked in good:
                    _settle(asked.answered, Declined(503, "it cannot be remembered just now"))
                continue
            for asked in good:
                line = cosigned(asked.request.note.text, self.name, self.key, int(self.clock()))
                note = asked.request.note
                self._notes[asked.head.origin] = Note(note.text, (*note.signatures, line))
                _settle(asked.answered, line.line)

    def seen(self) -> str:
        """Every log's last checkpoint as it is remembered, one after the other with an empty line between."""
        notes = [self._notes.get(origin) for origin in sorted(self.memory.heads)]
        heads = [self.memory.heads[origin].text for origin in sorted(self.memory.heads)]
        return "\n".join(
            head if note is None or note.text != head else note.written
            for head, note in zip(heads, notes, strict=True)
        )

    async def __call__(
        self,
        scope: Mapping[str, Any],
        receive: Callable[[], Awaitable[Mapping[str, Any]]],
        send: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        """Answer a request over HTTP."""
        if scope["type"] != "http":
            return
        kind, status = TEXT, 200
        method, path = scope["method"], scope["path"]
        if method == "POST" and path.endswith(ADD):
            body = await _body(receive)
            try:
                said = await self.add_checkpoint(body) if body is not None else "too long\n"
                status = 200 if body is not None else 413
            except Declined as declined:
                status, said = declined.status, declined.said
                kind = SIZE_TYPE if declined.size is not None else TEXT
        elif method == "GET" and path.endswith(SEEN):
            said = self.seen()
        elif method == "GET" and path.endswith(KEY):
            said = f"{self.public.text}\n"
        else:
            status, said = 404, "POST /add-checkpoint, GET /seen, GET /key\n"
        written = said.encode()
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(written)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": written})


async def _body(receive: Callable[[], Awaitable[Mapping[str, Any]]]) -> bytes | None:
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if len(body) > LARGEST_BODY_BYTES:
            return None
        if not message.get("more_body"):
            return body


def _settle(future: asyncio.Future[str], outcome: str | Declined) -> None:
    if future.done():
        return
    if isinstance(outcome, Declined):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
