"""The web application: routes, errors and the order in which the house starts and stops."""

from __future__ import annotations

from importlib.metadata import version

from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from lammer.floor.api import health
from lammer.floor.api.administration import Administration
from lammer.floor.api.audit import Audit
from lammer.floor.api.docs import docs
from lammer.floor.api.peers import ask_for_peer
from lammer.floor.api.problems import broken, not_understood, refused
from lammer.floor.api.signing_in import SigningIn
from lammer.floor.api.tables import Tables
from lammer.floor.pages import PAGES
from lammer.rulebook.refusal import Refused

LARGEST_REQUEST = 64 << 10
DESCRIPTION = (
    "Tables of approved baccarat games, served by the book. Every refusal names the paragraph it stands on "
    "and the next lawful step, as an RFC 9457 problem. A reply to a command means its events are on disk."
)


def application() -> Litestar:
    """The application; whoever serves it hands it the open house as `app.state.floor`."""
    return Litestar(
        route_handlers=[
            Tables,
            Audit,
            SigningIn,
            Administration,
            ask_for_peer,
            health.health,
            health.ready,
            health.metrics,
            docs,
            *PAGES,
        ],
        exception_handlers={Refused: refused, HTTPException: not_understood, Exception: broken},
        openapi_config=OpenAPIConfig(
            title="Lammer",
            version=version("lammer"),
            description=DESCRIPTION,
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            path="/schema",
        ),
        request_max_body_size=LARGEST_REQUEST,
        logging_config=None,
        pdb_on_exception=False,
        debug=False,
    )
