"""A refusal as a page: what is not allowed, why, and the next lawful step; denied attempts are written down.

Whoever is not signed in is sent to the door, and comes back afterwards. Whoever asks for JSON gets the
problem itself, so that a form sent by a script says it at the spot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote

import msgspec
from litestar import Controller, Response
from litestar.response import Redirect

from lammer.floor.access.sessions import Session
from lammer.floor.web.context import context_of, must_have_role, nobody
from lammer.floor.web.pages.site.site import Req, language_of, page, reader
from lammer.floor.web.problems import Problem, problem, refused as as_json
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import say
from lammer.wording.refusals import in_language


def answer_refusal(request: Req, refused: Refused) -> Response[Any]:
    """The refusal as whoever asks can read it."""
    translated = in_language(language_of(request), refused)
    if "application/json" in request.headers.get("accept", ""):
        return as_json(request, translated)
    problem_details = problem(translated)
    if problem_details.code == "not_signed_in" and request.method == "GET":
        back = quote(request.url.path)
        return Redirect(f"/sign-in?next={back}", status_code=303, headers={"Cache-Control": "no-store"})
    if problem_details.code == "second_factor_missing" and request.method == "GET":
        return Redirect("/second-factor", status_code=303, headers={"Cache-Control": "no-store"})
    context_of(request).note_refusal(request, refused)
    return page(request, "refused.html", status=problem_details.status, problem=problem_details)


class Pages(Controller):
    """What controllers of pages share: no program reads them, and a refusal is told to a person."""

    include_in_schema = False
    exception_handlers = {Refused: answer_refusal}  # noqa: RUF012 (the framework reads it)


Failed = Callable[[Req, Any], Response[Any]]


def to_a_person(failed: Failed) -> Failed:
    """What the framework answers with when it cannot go on, as a page where a person reads it."""

    def answer_as_page(request: Req, error: Any) -> Response[Any]:
        answer = failed(request, error)
        accept = request.headers.get("accept", "")
        if "text/html" not in accept or "json" in accept or request.url.path.startswith("/api/"):
            return answer
        problem_details = msgspec.json.decode(answer.content, type=Problem)
        language = language_of(request)
        detail = say(language, _PLAINLY.get(problem_details.code, "This cannot be done here."))
        problem_details = msgspec.structs.replace(problem_details, detail=detail, next="")
        try:
            response = page(request, "refused.html", status=problem_details.status, problem=problem_details)
        except Refused:
            # The page itself needs what cannot be reached just now.
            return answer
        response.headers.update(answer.headers)
        return response

    return answer_as_page


_PLAINLY: Final = {
    "no_such_path": "There is no such page.",
    "our_fault": "Something of ours went wrong.",
    "malformed_input": "This form cannot be read.",
}


def must_read(request: Req, *roles: str) -> Session:
    """Somebody who is signed in, of one of these roles if any are named.

    Unlike the API's own, it does not look for a token in a header: a form carries it, and `verified_fields`
    checks it.
    """
    session = reader(request)
    if session is None:
        raise nobody(request)
    return must_have_role(session, *roles) if roles else session
