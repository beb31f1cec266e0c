"""The dealer's console: one screen for a whole round, keyboard first.

The next lawful step stands out; every other step is there too and says why it may not be taken now. Bets may
be placed for players who ask, and one key leads to what to do when something is wrong.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from lammer.floor.access.sessions import Session
from lammer.floor.views.viewing import Viewer, table_seen
from lammer.floor.web.context import context_of
from lammer.floor.web.pages import dealer_view
from lammer.floor.web.pages.coming_in import Form
from lammer.floor.web.pages.commanding import answer_command, end_of_path, staff
from lammer.floor.web.pages.frame import Choice, choices
from lammer.floor.web.pages.notices import notice_text
from lammer.floor.web.pages.refusing import Pages
from lammer.floor.web.pages.site import Req, language_of, page, refused_page
from lammer.rulebook.refusal import Refused
from lammer.table.journal import EVENTS
from lammer.wording.catalogues import say
from lammer.wording.titles import title_of

EVERY_EVENT: Final = " ".join(EVENTS)
"""Every event a stream may send."""


STEPS_CHANGE: Final = " ".join(
    name for name in EVENTS if name not in ("BetPlaced", "BetIncreased", "BetReduced", "InsurancePlaced")
)
"""Events after which something else may be done; chips put down change the felt and no step."""
SQUEEZES: Final = {
    "card": "to squeeze the cards to come",
    "squeeze_banker_third_first": "to squeeze the Banker’s third card first",
    "expose_banker_third_first": "to have the Banker’s third card opened first",
}
"""What a player may ask of the House."""
FILLED: Final = ("player", "box", "bet", "hand", "stake")
"""What a link on the console may fill into its forms."""


def viewer_in(session: Session) -> Viewer:
    """Whoever is signed in, as somebody who looks at a table."""
    return Viewer(session.account.name, session.account.role)


class Dealing(Pages):
    """The dealer's pages of a table."""

    path = "/tables/{table:str}/deal"

    @get()
    async def console(self, request: Req, table: FromPath[str]) -> Response[str]:
        """The whole screen."""
        return await console(request, table, staff(request))

    @get(["/now", "/steps", "/felt"])
    async def region(self, request: Req, table: FromPath[str]) -> Response[str]:
        """What comes next; every step, and why not; cards, chips and what is paid.

        Each is swapped in whenever something happens, and says the number of the event it shows.
        """
        region = end_of_path(request)
        page_values = await console_values(
            request, table, staff(request), now=region != "felt", felt=region == "felt"
        )
        response = page(request, f"dealer_{region}.html", **page_values)
        response.headers["X-Version"] = str(page_values["number"])
        return response

    @post()
    async def ask(self, request: Req, table: FromPath[str], data: Form) -> Response[Any]:
        """A step, a bet for a player, a card: whatever the form says."""
        session = staff(request)
        return await answer_command(request, table, data, session, partial(console, request, table, session))


async def console(
    request: Req, table: str, session: Session, refused: Refused | None = None
) -> Response[str]:
    """The dealer's screen, with the refusal on it where there was one."""
    return refused_page(request, refused, "dealer.html", **await console_values(request, table, session))


async def console_values(
    request: Req, table: str, session: Session, *, now: bool = True, felt: bool = True
) -> dict[str, Any]:
    """What the dealer's screen shows, or the part of it that is asked for."""
    house = context_of(request).house
    view = await house.tables.seen(table)
    viewer, language = viewer_in(session), language_of(request)
    state = view.table
    filled = {name: request.query_params.get(name, "")[:60] for name in FILLED}
    page_values: dict[str, Any] = {
        "table": table,
        "listed": house.tables.listed[table],
        "events": EVERY_EVENT,
        "number": view.number,
        "address": f"/tables/{table}/deal",
        "notice": notice_text(state, language),
        "set_up": None,
    }
    if state.setup is None:
        return page_values
    seen = table_seen(state, viewer)
    page_values |= {
        "seen": seen,
        "set_up": seen["set_up"],
        "round": seen["round"],
        "steps_change": STEPS_CHANGE,
        "keys": dealer_view.KEYS,
        "key_fields": [
            (action, say(language, dealer_view.KEY_LABELS[action]), key)
            for action, key in dealer_view.KEYS.items()
        ],
        "box_name": state.setup.box_name,
        "squeezes": choices((name, say(language, words)) for name, words in SQUEEZES.items()),
        "filled": filled,
        "bets": choices(
            ((bet.name, title_of(language, bet)) for bet in state.book.offered(state.layout)), filled["bet"]
        ),
        "hand_choices": [
            Choice("player", say(language, "Player")),
            Choice("banker", say(language, "Banker"), filled["hand"] == "banker"),
        ],
    }
    if now:
        page_values |= dealer_view.now(view, seen, dealer_view.call_by(viewer, house.clock.now()), language)
    if felt:
        page_values |= dealer_view.felt(state, seen, language)
    return page_values
