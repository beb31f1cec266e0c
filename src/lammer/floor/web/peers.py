"""Between processes of one house: a request for a table another process holds is handed on to that one.

Signed with a secret only the record knows, and good once and for seconds; an answer of the holder, refusal
included, is passed through.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

import httpx
import msgspec
from litestar.status_codes import HTTP_200_OK

from lammer.floor.record.contract import StoreUnavailable
from lammer.floor.tables.command_handler import Unreached
from lammer.floor.tables.command_request import ForwardedRequest
from lammer.floor.web.problems import Problem, problem
from lammer.floor.web.refusal_codes import EVERY_CODE
from lammer.game.money import Amount
from lammer.rulebook.citation import Citation
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused, Term

ValueKind = Literal["amount", "term", "text"]

SIGNATURE: Final = "x-lammer-signature"
TOO_OLD_SECONDS: Final = 30.0
"""Seconds after which a request of a peer is not believed any more."""
TIMEOUT: Final = httpx.Timeout(10.0, connect=2.0)
LIMITS: Final = httpx.Limits(max_connections=256, max_keepalive_connections=64, keepalive_expiry=20)


class SentRequest(msgspec.Struct, frozen=True):
    """What is handed on, and when."""

    sent: float
    handed: ForwardedRequest


class Peers:
    """Hands requests on to whoever holds the table, and takes those of others."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.client = httpx.AsyncClient(timeout=TIMEOUT, limits=LIMITS, trust_env=False)
        self._seen: set[str] = set()
        self._seen_before: set[str] = set()
        self._turned = time.time()

    async def forward(self, owner: str, forwarded: ForwardedRequest) -> bytes:
        """Ask the holder and pass its answer through."""
        body = msgspec.json.encode(SentRequest(time.time(), forwarded))
        address = owner.partition("#")[0]
        if not address:
            raise Unreached(forwarded.table)
        try:
            response = await self.client.post(
                f"{address}/peers/ask", content=body, headers={SIGNATURE: self.sign(body)}
            )
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout):
            raise Unreached(forwarded.table) from None
        except httpx.HTTPError as error:
            # It may have been taken and written down before the line broke.
            raise StoreUnavailable(f"the process that holds the table: {type(error).__name__}") from None
        if response.status_code == HTTP_200_OK:
            return response.content
        raise refusal_from_peer(response.content)

    def sign(self, body: bytes) -> str:
        return hmac.new(self.secret, body, hashlib.sha256).hexdigest()

    def accept(self, body: bytes, signature: str) -> ForwardedRequest:
        """A peer's request, if it is one and comes for the first time."""
        signature_bytes = signature.encode("utf-8", "replace")
        if not hmac.compare_digest(self.sign(body).encode(), signature_bytes):
            raise Refused("not_signed_in", "This is for the house's own processes.")
        request = msgspec.json.decode(body, type=SentRequest)
        now = time.time()
        if abs(now - self._turned) > 2 * TOO_OLD_SECONDS:
            self._seen, self._seen_before, self._turned = set(), self._seen, now
        if (
            abs(now - request.sent) > TOO_OLD_SECONDS
            or signature in self._seen
            or signature in self._seen_before
        ):
            raise Refused("not_signed_in", "A peer's request came too late, or twice.")
        self._seen.add(signature)
        return request.handed

    async def close(self) -> None:
        await self.client.aclose()


class PassedPhrase(msgspec.Struct, frozen=True):
    """A message on its way, with what stands in its places."""

    message: str
    values: dict[str, tuple[ValueKind, str] | PassedPhrase] = msgspec.field(default_factory=dict)


class PassedProblem(Problem, frozen=True):
    """A refusal on its way to the process it was asked of, which says it in its reader's language."""

    message: str = ""
    next_message: str = ""
    values: dict[str, tuple[ValueKind, str] | PassedPhrase] = msgspec.field(default_factory=dict)


def refusal_for_peer(refused: Refused) -> PassedProblem:
    """A refusal as it is handed back to another process."""
    fields = msgspec.structs.asdict(problem(refused))
    values = {name: _passed(value) for name, value in refused.values.items()}
    return PassedProblem(**fields, message=refused.message, next_message=refused.next_message, values=values)


def refusal_from_peer(content: bytes) -> Refused:
    """What another process refused.

    >>> no = Refused("above_maximum", "{stake} on {side} is too much.", stake=Amount(5), side=Term("player"))
    >>> again = refusal_from_peer(msgspec.json.encode(refusal_for_peer(no)))
    >>> again.sentence, again.values == no.values
    ('0.05 on player is too much.', True)

    A phrase stays one, so that whoever reads it gets it in their own language:

    >>> no = Refused("not_in_force", "It is {how}.", how=Phrase("superseded by {rulebook}", rulebook="a@3"))
    >>> refusal_from_peer(msgspec.json.encode(refusal_for_peer(no))).values["how"].message
    'superseded by {rulebook}'
    """
    try:
        answer = msgspec.json.decode(content, type=PassedProblem)
    except msgspec.MsgspecError:
        return StoreUnavailable("the process that holds the table answered with nonsense")
    cite = Citation(answer.citation.rulebook, answer.citation.paragraph) if answer.citation else None
    code = answer.code if answer.code in EVERY_CODE else "store_unavailable"
    if not answer.message:
        return Refused(code, answer.detail, cite, next_step=answer.next)
    values = {name: _read(value) for name, value in answer.values.items()}
    return Refused(code, answer.message, cite, next_step=answer.next_message, **values)


def _passed(value: object) -> tuple[ValueKind, str] | PassedPhrase:
    if isinstance(value, Phrase):
        return PassedPhrase(value.message, {name: _passed(part) for name, part in value.values.items()})
    if isinstance(value, Amount):
        return "amount", str(int(value))
    return "term" if isinstance(value, Term) else "text", str(value)


def _read(value: tuple[ValueKind, str] | PassedPhrase) -> Any:
    if isinstance(value, PassedPhrase):
        return Phrase(value.message, **{name: _read(part) for name, part in value.values.items()})
    kind, text = value
    return _KINDS[kind](text)


_KINDS: Final[Mapping[ValueKind, Callable[[str], Any]]] = MappingProxyType(
    {"amount": Amount, "term": Term, "text": str}
)
