"""Between processes of one house: a request for a table another process holds is handed on to that one.

Signed with a secret only the record knows; an answer of the holder, refusal included, is passed through.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
from litestar import Request, Response, post
from litestar.status_codes import HTTP_200_OK

from lammer.floor.api.floor import floor_of
from lammer.floor.api.problems import Problem
from lammer.floor.asking import Asked
from lammer.floor.house import Agreed
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import CODES, Refused

SIGNATURE = "x-lammer-signature"
TOO_OLD = 30.0
"""Seconds after which a request of a peer is not believed any more."""
TIMEOUT = 10.0


class HandedOn(msgspec.Struct, frozen=True):
    """A request as one process hands it to another."""

    table: str
    sent: float
    asked: Asked
    agreed: Agreed | None = None


class Peers:
    """Hands requests on to whoever holds the table."""

    def __init__(self, secret: bytes, now: Callable[[], float] = time.time) -> None:
        self.secret, self.now = secret, now
        self.client = httpx.AsyncClient(timeout=TIMEOUT, trust_env=False)

    async def forward(self, owner: str, table: str, asked: Asked, agreed: Agreed | None) -> bytes:
        """Ask the holder and pass its answer through."""
        body = msgspec.json.encode(HandedOn(table, self.now(), asked, agreed))
        address = owner.partition("#")[0]
        try:
            answer = await self.client.post(
                f"{address}/peers/ask", content=body, headers={SIGNATURE: self.signed(body)}
            )
        except httpx.HTTPError:
            raise Refused(
                "table_held_elsewhere",
                f"The process that holds table {table} does not answer.",
                next_step="Send the request again; another process takes the table within seconds.",
            ) from None
        if answer.status_code == HTTP_200_OK:
            return answer.content
        raise _passed_on(answer.content)

    def signed(self, body: bytes) -> str:
        return hmac.new(self.secret, body, hashlib.sha256).hexdigest()

    def opened(self, body: bytes, signature: str) -> HandedOn:
        """A peer's request, if it is one."""
        if not hmac.compare_digest(self.signed(body), signature):
            raise Refused("not_signed_in", "This is for the house's own processes.")
        made = msgspec.json.decode(body, type=HandedOn)
        if abs(self.now() - made.sent) > TOO_OLD:
            raise Refused("not_signed_in", "A peer's request came too late to be believed.")
        return made


def _passed_on(content: bytes) -> Refused:
    try:
        problem = msgspec.json.decode(content, type=Problem)
    except msgspec.MsgspecError:
        return Refused("table_held_elsewhere", "The process that holds the table answered with nonsense.")
    code = problem.code if problem.code in CODES else "table_held_elsewhere"
    cite = Citation(**problem.citation) if problem.citation else None
    return Refused(code, problem.detail, cite, next_step=problem.next)


@post("/peers/ask", include_in_schema=False, status_code=HTTP_200_OK)
async def ask_for_peer(request: Request[Any, Any, Any]) -> Response[bytes]:
    """What another process of the house hands on."""
    peers: Peers | None = request.app.state.peers
    body = await request.body()
    if peers is None:
        raise Refused("not_signed_in", "This house has one process.")
    made = peers.opened(body, request.headers.get(SIGNATURE, ""))
    reply = await floor_of(request).house.ask(made.table, made.asked, made.agreed, hand_on=False)
    return Response(reply, media_type="application/json")
