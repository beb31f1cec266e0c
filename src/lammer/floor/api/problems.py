"""Refusals as RFC 9457 problems: a stable code, the sentence, the paragraph, and the next lawful step.

Every answer that is not a success has this one shape, whatever went wrong.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from lammer.rulebook.refusal import Refused

log = logging.getLogger("lammer.floor")

MEDIA: Final = "application/problem+json"

_STATUS: Final = {
    "not_signed_in": 401,
    "sign_in_failed": 401,
    "link_not_valid": 401,
    "not_your_role": 403,
    "not_your_bet": 403,
    "wrong_origin": 403,
    "same_person": 403,
    "unknown_table": 404,
    "unknown_proposal": 404,
    "unknown_account": 404,
    "unknown_rulebook": 404,
    "unknown_round": 404,
    "malformed_input": 400,
    "too_many_attempts": 429,
    "store_unavailable": 503,
    "table_held_elsewhere": 503,
    "shutting_down": 503,
    "table_stopped": 503,
    "key_reused": 409,
    "table_moved_on": 409,
    "table_exists": 409,
}
RULES_SAY_NO: Final = 422
"""A request that was understood, and that the rules do not allow just now."""


class Problem(msgspec.Struct, frozen=True):
    """An RFC 9457 problem."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    citation: dict[str, str] | None = None
    next: str = ""


def status_of(code: str) -> int:
    """The HTTP status of a refusal.

    >>> status_of("bets_are_closed"), status_of("not_your_role")
    (422, 403)
    """
    return _STATUS.get(code, RULES_SAY_NO)


def problem(refused: Refused) -> Problem:
    """A refusal as a problem."""
    cite = refused.citation
    return Problem(
        f"/problems/{refused.code}",
        refused.code.replace("_", " ").capitalize(),
        status_of(refused.code),
        refused.sentence,
        refused.code,
        {"rulebook": cite.rulebook, "paragraph": cite.paragraph} if cite else None,
        refused.next_step,
    )


def answer(made: Problem) -> Response[bytes]:
    """A problem as an HTTP answer."""
    return Response(msgspec.json.encode(made), status_code=made.status, media_type=MEDIA)


def refused(request: Request[Any, Any, Any], error: Refused) -> Response[bytes]:
    """A refusal of ours; a denied one is written down for the auditors."""
    made = problem(error)
    if made.status in (401, 403):
        request.app.state.floor.denied(request, error)
    if made.status == 429:
        response = answer(made)
        response.headers["Retry-After"] = str(getattr(error, "seconds", 60))
        return response
    return answer(made)


def not_understood(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """What the framework refuses: no such path, no such method, a body of another shape."""
    status = error.status_code
    detail = str(error.detail)
    if isinstance(error, ValidationException) and error.extra:
        detail = f"{detail}: {error.extra}"
    code = {404: "no_such_path", 405: "no_such_method", 413: "too_large"}.get(status, "malformed_input")
    title = HTTPStatus(status).phrase
    return answer(Problem(f"/problems/{code}", title, status, detail[:500], code))


def broken(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """A fault of ours: logged in full, told in a sentence."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer(
        Problem("/problems/our_fault", "Our fault", 500, "Something of ours went wrong.", "our_fault")
    )
