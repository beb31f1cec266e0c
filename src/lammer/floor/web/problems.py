"""Refusals as RFC 9457 problems: a stable code, the sentence, the paragraph, and the next lawful step.

Every answer that is not a success has this one shape, whatever went wrong.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from lammer.rulebook.refusal import Refused

log = logging.getLogger("lammer.floor")

MEDIA: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = "1"
"""Seconds after which a request to a busy table may be sent again."""

_STATUS: Final = {
    "malformed_input": 400,
    "not_signed_in": 401,
    "sign_in_failed": 401,
    "link_not_valid": 401,
    "second_factor_needed": 401,
    "wrong_code": 401,
    "passkey_refused": 401,
    "half_sign_in_over": 401,
    "account_disabled": 403,
    "second_factor_missing": 403,
    "not_your_role": 403,
    "not_your_bet": 403,
    "not_your_hand": 403,
    "needs_players_leave": 403,
    "wrong_origin": 403,
    "same_person": 403,
    "unknown_table": 404,
    "unknown_proposal": 404,
    "unknown_round": 404,
    "not_in_log": 404,
    "not_logged_yet": 409,
    "shoe_not_over": 409,
    "evidence_closed": 409,
    "unknown_paragraph": 404,
    "unknown_run": 404,
    "no_such_account": 404,
    "unknown_test": 404,
    "unknown_stop": 404,
    "no_second_factor": 404,
    "key_reused": 409,
    "table_moved_on": 409,
    "table_exists": 409,
    "rulebook_changed": 409,
    "rulebook_exists": 409,
    "account_exists": 409,
    "second_factor_set": 409,
    "second_factor_off": 409,
    "last_administrator": 409,
    "wrong_host": 421,
    "too_many_attempts": 429,
    "too_many_streams": 429,
    "too_much_asked": 429,
    "store_unavailable": 503,
    "table_held_elsewhere": 503,
    "shutting_down": 503,
    "table_stopped": 503,
}
RULES_SAY_NO: Final = 422
"""A request that was understood, and that the rules do not allow just now."""
OF_THE_WIRE: Final = {
    "no_such_path": "Nothing is served under that path.",
    "no_such_method": "The path is there and takes other methods.",
    "too_large": "The request is larger than any the house takes.",
    "not_json": "Requests to the API are JSON.",
    "our_fault": "Something of ours went wrong; it is in the log.",
}
"""Codes of what never came as far as a rule; the rest are the refusals' own."""
NO_BODY: Final = "data: 'data'"
"""What the framework makes of a body that is not there."""


class Cited(msgspec.Struct, frozen=True):
    """A paragraph of a rulebook."""

    rulebook: Annotated[str, msgspec.Meta(examples=["tiger-buffalo-noncommission-insurance@3"])]
    paragraph: Annotated[str, msgspec.Meta(examples=["3.8"])]


class Problem(msgspec.Struct, frozen=True):
    """An RFC 9457 problem."""

    type: Annotated[str, msgspec.Meta(description="Where the kind of problem is explained.")]
    title: Annotated[str, msgspec.Meta(description="The kind of problem in words.")]
    status: Annotated[int, msgspec.Meta(description="The HTTP status again.")]
    detail: Annotated[str, msgspec.Meta(description="What happened, in a sentence a dealer understands.")]
    code: Annotated[str, msgspec.Meta(description="A stable name for it; the reference lists them all.")]
    citation: Annotated[Cited | None, msgspec.Meta(description="The paragraph it stands on.")] = None
    next: Annotated[str, msgspec.Meta(description="What may be done next.")] = ""


def status_of(refused: Refused) -> int:
    """The HTTP status of a refusal.

    >>> status_of(Refused("bets_are_closed", "…")), status_of(Refused("not_your_role", "…"))
    (422, 403)
    """
    return _STATUS.get(refused.code, RULES_SAY_NO)


def problem(refused: Refused) -> Problem:
    """A refusal as a problem."""
    cite = refused.citation
    return Problem(
        f"/problems/{refused.code}",
        refused.code.replace("_", " ").capitalize(),
        status_of(refused),
        refused.sentence,
        refused.code,
        Cited(cite.rulebook, cite.paragraph) if cite else None,
        refused.next_step,
    )


def answer(body: Problem) -> Response[Any]:
    """A problem as an HTTP answer."""
    headers = {"Retry-After": RETRY_AFTER_SECONDS} if body.status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return Response(msgspec.json.encode(body), status_code=body.status, media_type=MEDIA, headers=headers)


def refused(request: Request[Any, Any, Any], error: Refused) -> Response[Any]:
    """A refusal as an HTTP answer."""
    response = answer(request.app.state.context.note_refusal(request, error))
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
        response.headers["Retry-After"] = str(getattr(error, "seconds", 60))
    return response


def answer_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """What the framework refuses: no such path, no such method, a body of another shape."""
    status = error.status_code
    detail = str(error.detail)
    if isinstance(error, ValidationException) and error.extra:
        extras = error.extra if isinstance(error.extra, list) else [error.extra]
        detail = "; ".join(f"{extra.get('key', '')}: {extra.get('message', '')}" for extra in extras)
        if detail == NO_BODY:
            detail = "The request has no body: send JSON."
    code = {404: "no_such_path", 405: "no_such_method", 413: "too_large", 415: "not_json"}.get(
        status, "malformed_input"
    )
    request.app.state.context.refusals[code] += 1
    title = HTTPStatus(status).phrase
    response = answer(Problem(f"/problems/{code}", title, status, detail[:500], code))
    response.headers.update(error.headers or {})
    return response


def answer_fault(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """A fault of ours: logged in full, told in a sentence."""
    if isinstance(error, RecursionError):
        return answer(
            Problem(
                "/problems/malformed_input", "Bad Request", 400, "This is nested too deep.", "malformed_input"
            )
        )
    # Paths name people; the route they took does not.
    return answer(fault(f"{request.method} {request.scope.get('path_template') or 'a request'}", error))


def fault(action: str, error: Exception) -> Problem:
    """A fault of ours, written into the log and told in a sentence."""
    log.error("%s failed", action, exc_info=error)
    return Problem("/problems/our_fault", "Our fault", 500, "Something of ours went wrong.", "our_fault")
