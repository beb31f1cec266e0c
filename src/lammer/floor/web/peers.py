"""Between processes of one house: a request for a table another process holds is handed on to that one.

Signed with a secret only the record knows, and good once and for seconds; an answer of the holder, refusal
included, is passed through.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from typing import Final

import httpx
import msgspec
from litestar.status_codes import HTTP_200_OK

from lammer.floor.record.contract import StoreUnavailable
from lammer.floor.tables.command_request import ForwardedRequest
from lammer.floor.tables.house import Unreached
from lammer.floor.web.problems import Problem
from lammer.floor.web.refusal_codes import EVERY_CODE
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused

SIGNATURE: Final = "x-lammer-signature"
TOO_OLD_SECONDS: Final = 30.0
"""Seconds after which a request of a peer is not believed any more."""
TIMEOUT: Final = httpx.Timeout(10.0, connect=2.0)
LIMITS: Final = httpx.Limits(max_connections=256, max_keepalive_connections=64, keepalive_expiry=20)


class Sent(msgspec.Struct, frozen=True):
    """What is handed on, and when."""

    sent: float
    handed: ForwardedRequest


class Peers:
    """Hands requests on to whoever holds the table, and takes those of others."""

    def __init__(self, secret: bytes, now: Callable[[], float] = time.time) -> None:
        self.secret, self.now = secret, now
        self.client = httpx.AsyncClient(timeout=TIMEOUT, limits=LIMITS, trust_env=False)
        self._seen: set[str] = set()
        self._seen_before: set[str] = set()
        self._turned = now()

    async def forward(self, owner: str, handed: ForwardedRequest) -> bytes:
        """Ask the holder and pass its answer through."""
        body = msgspec.json.encode(Sent(self.now(), handed))
        address = owner.partition("#")[0]
        if not address:
            raise Unreached(handed.table)
        try:
            got = await self.client.post(
                f"{address}/peers/ask", content=body, headers={SIGNATURE: self.signed(body)}
            )
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout):
            raise Unreached(handed.table) from None
        except httpx.HTTPError as error:
            # It may have been taken and written down before the line broke.
            raise StoreUnavailable(f"the process that holds the table: {type(error).__name__}") from None
        if got.status_code == HTTP_200_OK:
            return got.content
        raise _passed_on(got.content)

    def signed(self, body: bytes) -> str:
        return hmac.new(self.secret, body, hashlib.sha256).hexdigest()

    def opened(self, body: bytes, signature: str) -> ForwardedRequest:
        """A peer's request, if it is one and comes for the first time."""
        given = signature.encode("utf-8", "replace")
        if not hmac.compare_digest(self.signed(body).encode(), given):
            raise Refused("not_signed_in", "This is for the house's own processes.")
        made = msgspec.json.decode(body, type=Sent)
        now = self.now()
        if abs(now - self._turned) > 2 * TOO_OLD_SECONDS:
            self._seen, self._seen_before, self._turned = set(), self._seen, now
        if (
            abs(now - made.sent) > TOO_OLD_SECONDS
            or signature in self._seen
            or signature in self._seen_before
        ):
            raise Refused("not_signed_in", "A peer's request came too late, or twice.")
        self._seen.add(signature)
        return made.handed

    async def close(self) -> None:
        await self.client.aclose()


def _passed_on(content: bytes) -> Refused:
    try:
        told = msgspec.json.decode(content, type=Problem)
    except msgspec.MsgspecError:
        return StoreUnavailable("the process that holds the table answered with nonsense")
    cite = Citation(told.citation.rulebook, told.citation.paragraph) if told.citation else None
    code = told.code if told.code in EVERY_CODE else "store_unavailable"
    return Refused(code, told.detail, cite, next_step=told.next)
