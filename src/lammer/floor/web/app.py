"""The web application: routes, errors and the order in which the house starts and stops."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from lammer.floor.web.api import health
from lammer.floor.web.api.administration import Administration
from lammer.floor.web.api.audit import Audit
from lammer.floor.web.api.docs import docs, explain_problem
from lammer.floor.web.api.express import LARGEST_REQUEST_BYTES
from lammer.floor.web.api.house_log import log_checkpoint, log_key, log_tile
from lammer.floor.web.api.openapi_specs import SECURITY
from lammer.floor.web.api.peers import ask_for_peer
from lammer.floor.web.api.signing_in import SigningIn
from lammer.floor.web.api.stops import StopsOfGaming
from lammer.floor.web.api.tables import Tables
from lammer.floor.web.context import identify_caller
from lammer.floor.web.pages import PAGES
from lammer.floor.web.pages.site.refusing import to_a_person
from lammer.floor.web.problems import answer_fault, answer_http_error, refused
from lammer.rulebook.refusal import Refused

DESCRIPTION = (
    "Tables of approved baccarat games, served by the book. Every refusal names the paragraph it stands on "
    "and the next lawful step, as an RFC 9457 problem. A reply to a command means its events are on disk."
)


def must_be_json(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Requests to the API are JSON; a form or a picture is refused before anybody looks into it."""
    headers = connection.headers
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if has_body and connection.scope["path"].startswith("/api/"):
        content_types = headers.getall("content-type", [])
        if (
            len(content_types) != 1
            or content_types[0].partition(";")[0].strip().lower() != "application/json"
        ):
            raise HTTPException("Requests are JSON: send Content-Type: application/json.", status_code=415)


def application(*, pages: bool = True) -> Litestar:
    """The application; whoever serves it hands it the open house as `app.state.context`."""
    return Litestar(
        route_handlers=[
            Tables,
            Audit,
            SigningIn,
            Administration,
            StopsOfGaming,
            ask_for_peer,
            health.health,
            health.ready,
            health.metrics,
            log_checkpoint,
            log_key,
            log_tile,
            docs,
            explain_problem,
            *(PAGES if pages else ()),
        ],
        before_request=identify_caller,
        guards=[must_be_json],
        exception_handlers={
            Refused: refused,
            HTTPException: to_a_person(answer_http_error) if pages else answer_http_error,
            Exception: to_a_person(answer_fault) if pages else answer_fault,
        },
        openapi_config=OpenAPIConfig(
            title="Lammer",
            version=version("lammer"),
            description=DESCRIPTION,
            components=SECURITY,
            use_handler_docstrings=True,
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            path="/schema",
        ),
        request_max_body_size=LARGEST_REQUEST_BYTES,
        logging_config=None,
        pdb_on_exception=False,
        debug=False,
    )
