"""What every operation may answer, for the OpenAPI schema: one example of each problem, said once.

A route is for looking or for changing something; what all routes of a kind share is said here.

The schema is tried out by the tests: whatever the house answers has to be described here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec
from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Components, Example, SecurityRequirement, SecurityScheme

from lammer.floor.web.context import COOKIE, CSRF
from lammer.floor.web.problems import MEDIA, Problem

BY_PERSON: Final[list[SecurityRequirement]] = [{"session": []}]
BY_PERSON_CHANGING: Final[list[SecurityRequirement]] = [{"session": [], "csrf": []}]
BY_PERSON_OR_BOARD: Final[list[SecurityRequirement]] = [{"session": []}, {"device": []}]
BY_READER: Final[list[SecurityRequirement]] = [{"device": []}]

SECURITY: Final = Components(
    security_schemes={
        "session": SecurityScheme(
            type="apiKey", name=COOKIE, security_scheme_in="cookie", description="The session of a person."
        ),
        "csrf": SecurityScheme(
            type="apiKey",
            name=CSRF,
            security_scheme_in="header",
            description="The session's token (`csrf` of GET /api/session), with whatever changes something.",
        ),
        "device": SecurityScheme(
            type="http", scheme="bearer", description="The key of a device at one table for one purpose."
        ),
    }
)

_EXAMPLES: Final[dict[int, tuple[str, dict[str, Any]]]] = {
    400: (
        "The request cannot be read.",
        {"code": "malformed_input", "detail": "place_bet has no colour."},
    ),
    401: (
        "Nobody is signed in, or the key is not for this.",
        {
            "code": "not_signed_in",
            "detail": "This needs a person who is signed in.",
            "next": "Sign in, or use your link.",
        },
    ),
    403: (
        "The rules give this to somebody else.",
        {
            "code": "not_your_role",
            "detail": "Dealer anna may not do this; it takes a Pit Supervisor or above.",
            "citation": {"rulebook": "tiger-buffalo-noncommission-insurance@3", "paragraph": "5.4"},
            "next": "Ask a Pit Supervisor.",
        },
    ),
    404: (
        "There is no such thing.",
        {
            "code": "unknown_table",
            "detail": "There is no table 't9' in this house.",
            "next": "The lobby lists the tables.",
        },
    ),
    409: (
        "It does not go together with what was there before.",
        {
            "code": "key_reused",
            "detail": "The idempotency key 'k1' belongs to another request.",
            "next": "Use a new key for a new request.",
        },
    ),
    413: (
        "The request is too large.",
        {"code": "too_large", "detail": "Request Entity Too Large"},
    ),
    415: (
        "The request is not JSON.",
        {"code": "not_json", "detail": "Requests are JSON: send Content-Type: application/json."},
    ),
    422: (
        "The rules say no; the answer names the paragraph.",
        {
            "code": "bets_are_closed",
            "detail": 'Bets are closed for round 812: "No more Bets" was called.',
            "citation": {"rulebook": "tiger-buffalo-noncommission@4", "paragraph": "3.8"},
            "next": "The next round opens after settlement.",
        },
    ),
    429: (
        "Too many sign-ins were tried; `Retry-After` says when the next may be.",
        {
            "code": "too_many_attempts",
            "detail": "Too many sign-ins were tried; the next one may be made in 5 seconds.",
            "next": "Wait, or ask an administrator for a sign-in link.",
        },
    ),
    503: (
        "Not now, and nothing is confirmed: send it again in a moment, with the same key.",
        {
            "code": "table_held_elsewhere",
            "detail": "Table t1 is between two processes.",
            "next": "Send the request again in a moment.",
        },
    ),
}
READING: Final = (400, 401, 404, 503)
"""Problems of whoever looks."""
CHANGING: Final = (400, 401, 403, 404, 409, 413, 415, 422, 503)
"""Problems of whoever changes something."""


def route_for_looking(
    path: str | None,
    summary: str,
    body: Any,
    example: Any,
    problems: tuple[int, ...] = READING,
    security: list[SecurityRequirement] = BY_PERSON,
) -> get:
    """Stands above what shows something; whoever asks may see it or not, and nothing changes by it."""
    return get(path, summary=summary, security=security, responses=answers(body, example, problems))


route_for_board: Final = partial(route_for_looking, security=BY_PERSON_OR_BOARD)
"""The same for what a display board shows too."""


def route_for_changing(
    path: str | None,
    summary: str,
    body: Any,
    example: Any,
    problems: tuple[int, ...] = CHANGING,
    *,
    status: int = 200,
    description: str = "As asked.",
    waiting: ResponseSpec | None = None,
    security: list[SecurityRequirement] | None = BY_PERSON_CHANGING,
    method: Callable[..., HTTPRouteHandler] = post,
    **who: Any,
) -> HTTPRouteHandler:
    """Stands above what changes something; `waiting` is the answer where a second person has to agree first.

    `who` says whom it is for, before what they ask is read: `for_roles` or `for_device`.
    """
    responses = answers(body, example, problems, status=status, description=description)
    if waiting is not None:
        responses[202] = waiting
    return method(path, summary=summary, status_code=status, security=security, responses=responses, **who)


def answers(
    body: Any,
    example: Any,
    problems: tuple[int, ...] = (),
    *,
    status: int = 200,
    description: str = "As asked.",
) -> dict[int, ResponseSpec]:
    """What an operation gives, with an example, and the problems it may have."""
    specs = {status: spec(body, example, description)}
    for problem_status in sorted(problems):
        problem_description, fields = _EXAMPLES[problem_status]
        sample = _problem(problem_status, fields)
        specs[problem_status] = ResponseSpec(
            Problem, False, problem_description, MEDIA, [Example(sample["code"], value=sample)]
        )
    return specs


def spec(body: Any, example: Any, description: str, media: str = "application/json") -> ResponseSpec:
    """One kind of answer."""
    return ResponseSpec(body, False, description, media, [Example("an answer", value=example)])


def _problem(status: int, fields: dict[str, Any]) -> dict[str, Any]:
    code = fields["code"]
    head = {"type": f"/problems/{code}", "title": code.replace("_", " ").capitalize(), "status": status}
    problem: dict[str, Any] = msgspec.to_builtins(msgspec.convert(head | fields, Problem))
    return problem
