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
from lammer.floor.web.problems import MEDIA, Cited, Problem

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


def spec(
    body: Any, example: Any, description: str = "As asked.", media: str = "application/json"
) -> ResponseSpec:
    """One kind of answer, with an example."""
    return ResponseSpec(body, False, description, media, [Example("an answer", value=example)])


def _problem(
    status: int,
    description: str,
    code: str,
    detail: str,
    next_step: str = "",
    citation: Cited | None = None,
) -> ResponseSpec:
    """One kind of problem, with an example."""
    title = code.replace("_", " ").capitalize()
    problem = Problem(f"/problems/{code}", title, status, detail, code, citation, next_step)
    example = Example(code, value=msgspec.to_builtins(problem))
    return ResponseSpec(Problem, False, description, MEDIA, [example])


_PROBLEMS: Final = {
    400: _problem(400, "The request cannot be read.", "malformed_input", "place_bet has no colour."),
    401: _problem(
        401,
        "Nobody is signed in, or the key is not for this.",
        "not_signed_in",
        "This needs a person who is signed in.",
        "Sign in, or use your link.",
    ),
    403: _problem(
        403,
        "The rules give this to somebody else.",
        "not_your_role",
        "Dealer anna may not do this; it takes a Pit Supervisor or above.",
        "Ask a Pit Supervisor.",
        Cited("tiger-buffalo-noncommission-insurance@3", "5.4"),
    ),
    404: _problem(
        404,
        "There is no such thing.",
        "unknown_table",
        "There is no table 't9' in this house.",
        "The lobby lists the tables.",
    ),
    409: _problem(
        409,
        "It does not go together with what was there before.",
        "key_reused",
        "The idempotency key 'k1' belongs to another request.",
        "Use a new key for a new request.",
    ),
    413: _problem(413, "The request is too large.", "too_large", "Request Entity Too Large"),
    415: _problem(
        415,
        "The request is not JSON.",
        "not_json",
        "Requests are JSON: send Content-Type: application/json.",
    ),
    422: _problem(
        422,
        "The rules say no; the answer names the paragraph.",
        "bets_are_closed",
        'Bets are closed for round 812: "No more Bets" was called.',
        "The next round opens after settlement.",
        Cited("tiger-buffalo-noncommission@4", "3.8"),
    ),
    429: _problem(
        429,
        "Too many sign-ins were tried; `Retry-After` says when the next may be.",
        "too_many_attempts",
        "Too many sign-ins were tried; the next one may be made in 5 seconds.",
        "Wait, or ask an administrator for a sign-in link.",
    ),
    503: _problem(
        503,
        "Not now, and nothing is confirmed: send it again in a moment, with the same key.",
        "table_held_elsewhere",
        "Table t1 is between two processes.",
        "Send the request again in a moment.",
    ),
}
READING: Final = (400, 401, 404, 503)
"""Problems of whoever looks."""
CHANGING: Final = (400, 401, 403, 404, 409, 413, 415, 422, 503)
"""Problems of whoever changes something."""


def route_for_looking(
    path: str | None,
    summary: str,
    answer: ResponseSpec,
    problems: tuple[int, ...] = READING,
    security: list[SecurityRequirement] = BY_PERSON,
) -> get:
    """Stands above what shows something; whoever asks may see it or not, and nothing changes by it."""
    return get(path, summary=summary, security=security, responses=answers(answer, problems))


route_for_board: Final = partial(route_for_looking, security=BY_PERSON_OR_BOARD)
"""The same for what a display board shows too."""


def route_for_changing(
    path: str | None,
    summary: str,
    answer: ResponseSpec,
    problems: tuple[int, ...] = CHANGING,
    *,
    status: int = 200,
    waiting: ResponseSpec | None = None,
    security: list[SecurityRequirement] | None = BY_PERSON_CHANGING,
    method: Callable[..., HTTPRouteHandler] = post,
    **who: Any,
) -> HTTPRouteHandler:
    """Stands above what changes something; `waiting` is the answer where a second person has to agree first.

    `who` says whom it is for, before what they ask is read: `for_roles` or `for_device`.
    """
    responses = answers(answer, problems, status)
    if waiting is not None:
        responses[202] = waiting
    return method(path, summary=summary, status_code=status, security=security, responses=responses, **who)


def answers(answer: ResponseSpec, problems: tuple[int, ...], status: int = 200) -> dict[int, ResponseSpec]:
    """What an operation gives, and the problems it may have."""
    return {status: answer} | {problem: _PROBLEMS[problem] for problem in sorted(problems)}
