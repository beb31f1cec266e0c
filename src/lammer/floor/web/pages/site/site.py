"""What every page shares: how it is rendered, in which language, for whom, and what a browser may do with it.

Nothing comes from anywhere but this house: no inline script, no style attribute, no foreign font. Pages are
never kept by a cache; what a page may show is decided by `viewing`, not here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache, lru_cache, partial
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.response import Redirect

from lammer.floor.access.sessions import Session
from lammer.floor.views.gaming_day import zone_of
from lammer.floor.web.context import AppContext, context_of, found_session, limited_session
from lammer.floor.web.pages.site.clocks import A_YEAR_SECONDS, CLOCK, UTC_NAME, Clock, read_clock
from lammer.floor.web.pages.site.frame import (
    faces,
    form_value,
    is_paragraph,
    key_name,
    other_languages,
    role_name,
    role_title,
    sides,
    ways,
)
from lammer.floor.web.pages.site.stopped import stopped_at
from lammer.floor.web.problems import problem
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import ENGLISH, Language, catalogues, first_known, say, say_count
from lammer.wording.figures import write_chips, write_count, write_gain, write_money
from lammer.wording.phrases import in_words
from lammer.wording.refusals import in_language
from lammer.wording.rules import place_name

Req = Request[Any, Any, Any]
LANGUAGE: Final = "lammer_language"
PART: Final = "x-lammer"
"""The request header of a script that shows a part of a page in place."""

SECURITY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


_FIGURES: Final[dict[str, Callable[[Language, Any], str]]] = {
    "money": write_money,
    "chips": write_chips,
    "gain": write_gain,
    "number": write_count,
    "words": in_words,
}
"""Filters of the templates; each writes as the language of the page does."""


def _in_language(write: Callable[[Language, Any], str]) -> Callable[[Context, Any], str]:
    @pass_context
    def write_in_language(page_values: Context, value: Any) -> str:
        return write(page_values["language"], value)

    return write_in_language


@pass_context
def _place_name(page_values: Context, cited: str) -> str:
    """What is cited of a document; where a macro is read without its page, in English."""
    return place_name(page_values.get("language", ENGLISH), cited)


def _by_clock(*, seconds: bool) -> Callable[[Context, datetime], str]:
    @pass_context
    def write_by_clock(page_values: Context, at: datetime) -> str:
        clock: Clock = page_values["clock"]
        return clock.moment(at, seconds=seconds)

    return write_by_clock


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The templates of the package; what they print is escaped, what they do not know is an error."""
    environment = Environment(
        loader=PackageLoader("lammer.floor.web.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = static_path
    environment.filters |= {name: _in_language(write) for name, write in _FIGURES.items()}
    environment.filters |= {"to_minute": _by_clock(seconds=False), "to_second": _by_clock(seconds=True)}
    environment.filters |= {"faces": faces, "form_value": form_value, "key_name": key_name}
    environment.filters["place_name"] = _place_name
    environment.tests["paragraph"] = is_paragraph
    return environment


def language_of(request: Req) -> Language:
    """The language a reader chose, now or earlier, or the first of their browser's that we have."""
    chosen = request.state.get(LANGUAGE) or request.cookies.get(LANGUAGE, "")
    return chosen if chosen in catalogues() else first_known(request.headers.get("accept-language", ""))


def choose_language(request: Req, wanted: object) -> Cookie:
    """Answer in another language from now on, this request too; what a browser keeps of it."""
    chosen = wanted if isinstance(wanted, str) and wanted in catalogues() else ENGLISH
    request.state[LANGUAGE] = chosen
    return Cookie(LANGUAGE, value=chosen, max_age=A_YEAR_SECONDS, httponly=True, samesite="lax")


def clock_of(request: Req, house: ZoneInfo | None = None) -> Clock:
    """The clock a reader wants times by; `house` is that of the table a page is about, else of the first."""
    asked, kept = request.query_params.get("clock", ""), request.cookies.get(CLOCK, "")
    if house is None:
        tables = context_of(request).house.tables
        house = next((zone_of(tables.view(name)) for name in tables.listed), ZoneInfo(UTC_NAME))
    return read_clock(asked, kept, house, language_of(request))


def page(request: Req, template: str, *, status: int = 200, **page_values: Any) -> Response[str]:
    """A page for whoever asks, with everything the frame around it needs."""
    session = reader(request)
    language = language_of(request)
    t, me = partial(say, language), session.account if session else None
    path = page_values.get("path", request.url.path)
    frame_values = {
        "language": language,
        "language_tag": catalogues()[language].tag,
        "other_languages": other_languages(language),
        "t": t,
        "t_count": partial(say_count, language),
        "sides": sides(language),
        "role_name": partial(role_name, language),
        "role_title": partial(role_title, language),
        "me": me,
        "csrf": session.csrf if session else "",
        "path": path,
        "ways": ways(t, path, me.role if me else ""),
        "factors": context_of(request).authenticator.factors.count,
        "problem": None,
    }
    if "stop_notice" not in page_values:
        table = page_values.get("table", "")
        role = me.role if me else ""
        frame_values["stop_notice"] = stopped_at(
            context_of(request), table if isinstance(table, str) else "", role
        )
    if "clock" not in page_values:
        frame_values["clock"] = clock_of(request)
    all_values = frame_values | page_values
    html = templates().get_template(template).render(all_values)
    response = Response(html, status_code=status, media_type="text/html", headers=dict(SECURITY))
    # A clock that was just asked for is kept.
    if request.query_params.get("clock", "") == (chosen := all_values["clock"].chosen):
        response.set_cookie(CLOCK, chosen, max_age=A_YEAR_SECONDS, httponly=True, samesite="lax")
    return response


def refused_page(
    request: Req,
    refused: Refused | None,
    template: str,
    *,
    rulebook: Rulebook | None = None,
    **page_values: Any,
) -> Response[str]:
    """A page with the refusal on it, where there was one; `rulebook` is that of a player's table."""
    if refused is None:
        return page(request, template, **page_values)
    problem_details = problem(in_language(language_of(request), refused, rulebook))
    return page(request, template, status=problem_details.status, problem=problem_details, **page_values)


def wants_part(request: Req) -> bool:
    """Whether a script asks for a part of a page alone, or for the problem, and no page around it."""
    return PART in request.headers


def whole_number(text: str, digits: int) -> int | None:
    """A whole number as somebody wrote it, of at most so many digits; None for anything else.

    >>> whole_number("12", 3), whole_number("1234", 3), whole_number("½", 3), whole_number("", 3)
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def asked_number(request: Req, name: str, digits: int = 15) -> int | None:
    """A number of the query with at most so many digits; None where nothing of that name is one."""
    return whole_number(request.query_params.get(name, ""), digits)


def reader(request: Req) -> Session | None:
    """Who reads, if anybody is signed in."""
    return found_session(request)


def to_sign_in(request: Req) -> Redirect:
    """Whoever is not signed in is sent to the door, and back afterwards.

    Whoever has to set a second factor up first is sent there.
    """
    limited = limited_session(request) is not None
    to = "/second-factor" if limited else f"/sign-in?next={request.url.path}"
    return Redirect(to, status_code=303, headers={"Cache-Control": "no-store"})


def verified_fields(session: Session, form: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a form of ours; one from elsewhere is `wrong_origin`."""
    token = form.get("csrf", "")
    if not session.allows(token if isinstance(token, str) else ""):
        raise Refused(
            "wrong_origin",
            "This form does not come from a page of this house, or is too old.",
            next_step="Load the page again and repeat it.",
        )
    return {name: value for name, value in form.items() if name != "csrf"}


def static(name: str) -> bytes:
    """A file that goes with the pages."""
    return (_static() / name).read_bytes()


def _static() -> Traversable:
    return resources.files("lammer.floor.web.pages") / "static"


@cache
def static_version() -> str:
    """A name for the files as they are now; with any change it is another."""
    hashed = sha256()
    # Installing compiles the program that is handed out with the pages, into a folder beside it.
    files = [file for file in _static().iterdir() if file.is_file()]
    for file in sorted(files, key=lambda file: file.name):
        hashed.update(f"{file.name}\0".encode() + sha256(file.read_bytes()).digest())
    return hashed.hexdigest()[:16]


def static_path(name: str) -> str:
    """Where a browser finds a file. Scripts import each other by their names alone, within one version."""
    return f"/static/{static_version()}/{name}"


def home_of(context: AppContext, session: Session) -> str:
    """Where a person starts."""
    if context.must_set_up(session):
        return "/second-factor"
    return {"auditor": "/audit", "administrator": "/accounts"}.get(
        session.account.role, "/pit" if session.account.role.startswith(("pit", "table")) else "/lobby"
    )
