"""Your second factor: an authenticator app, passkeys and recovery codes, set up and removed by their owner.

A secret and recovery codes are shown once, on the page that made them. Changing anything takes the password
again: a page left open must not be enough to take an account over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import segno
from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from lammer.floor.access.app_codes import app_address
from lammer.floor.access.factors import Factors, HeldFactors, WrongFactor
from lammer.floor.access.passkeys import passkey_refused, registration_options
from lammer.floor.access.sessions import Session
from lammer.floor.web.api.signing_in import house_of
from lammer.floor.web.context import BEFORE_FACTOR, address_of, context_of
from lammer.floor.web.pages.site.coming_in import Form, party_at
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, page, refused_page, verified_fields
from lammer.rulebook.refusal import Refused

Work = Callable[[Factors, Session], dict[str, Any]]
"""A change of somebody's factors; what it gives is shown once."""


class SecondFactor(Pages):
    """For whoever is signed in, also where the house lets them do nothing else yet."""

    path = "/second-factor"
    opt = {BEFORE_FACTOR: True}  # noqa: RUF012 (the framework reads it)

    @get()
    async def own(self, request: Req) -> Response[Any]:
        session = must_read(request)
        return page(request, "second_factor.html", **await _page_values(request, session))

    @post("/app")
    async def begin_app(self, request: Req, data: Form) -> Response[Any]:
        """A secret for an app, as a picture and as text; it counts once a code confirms it."""
        return await _confirm_and_change(
            request, data, lambda factors, session: {"secret": factors.begin_app(session.account.name)}
        )

    @post("/app/confirm")
    async def confirm_app(self, request: Req, data: Form) -> Response[Any]:
        """The first code of the app; the page that comes back shows recovery codes, this once."""
        code = str(data.get("code", ""))

        def work(factors: Factors, session: Session) -> dict[str, Any]:
            name = session.account.name
            try:
                return {"codes": factors.confirm_app(name, code, session.id)}
            except WrongFactor as refused:
                # A slip of the finger: the same picture again, so that nobody has to scan another.
                return {"secret": factors.waiting_app(name), "refused": refused}

        return await _make_change(request, data, work)

    @post("/passkey")
    async def begin_passkey(self, request: Req, data: Form) -> Response[Any]:
        """A challenge for a new passkey, which the browser answers on the page that comes back."""
        party, title = party_at(request), str(data.get("title", ""))[:40]

        def work(factors: Factors, session: Session) -> dict[str, Any]:
            if party is None:
                raise passkey_refused()
            account = session.account
            known = [passkey.credential for passkey in factors.of(account.name).passkeys]
            challenge = factors.begin_passkey(account.name, session.id)
            asked = registration_options(party, account.name, account.title, challenge, known)
            return {"asked": asked, "title": title}

        return await _confirm_and_change(request, data, work)

    @post("/passkey/add")
    async def add_passkey(self, request: Req, data: Form) -> Response[Any]:
        """What the browser said about a new passkey."""
        party, passkey, title = party_at(request), str(data.get("passkey", "")), str(data.get("title", ""))

        def work(factors: Factors, session: Session) -> dict[str, Any]:
            if party is None:
                raise passkey_refused()
            return {"codes": factors.add_passkey(session.account, session.id, party, passkey, title)}

        return await _make_change(request, data, work)

    @post("/codes")
    async def codes(self, request: Req, data: Form) -> Response[Any]:
        """Ten new recovery codes; those before are no good any more."""
        return await _confirm_and_change(
            request,
            data,
            lambda factors, session: {"codes": factors.new_recovery_codes(session.account.name)},
        )

    @post("/remove")
    async def remove(self, request: Req, data: Form) -> Response[Any]:
        """The app, or a passkey by its id."""
        which = str(data.get("which", ""))

        def work(factors: Factors, session: Session) -> dict[str, Any]:
            factors.remove(session.account.name, which, session.id)
            return {}

        return await _confirm_and_change(request, data, work)


async def _confirm_and_change(request: Req, data: dict[str, Any], work: Work) -> Response[Any]:
    """Do it once the password was shown again."""
    password, address = str(data.get("password", "")), address_of(request)

    def both(factors: Factors, session: Session) -> dict[str, Any]:
        context_of(request).authenticator.confirm(session, password, address)
        return work(factors, session)

    return await _make_change(request, data, both)


async def _make_change(request: Req, data: dict[str, Any], work: Work) -> Response[Any]:
    """Do it; the page again, with what is shown once or the refusal."""
    session, context = must_read(request), context_of(request)
    try:
        verified_fields(session, data)
        shown_once = await context.at_desk(lambda: work(context.authenticator.factors, session))
    except Refused as refused:
        return refused_page(request, refused, "second_factor.html", **await _page_values(request, session))
    if not any(shown_once.values()):
        return Redirect("/second-factor", status_code=303)
    wrong, page_values = shown_once.pop("refused", None), await _page_values(request, session)
    page_values |= _with_picture(request, session, shown_once)
    if wrong is not None:
        return refused_page(request, wrong, "second_factor.html", **page_values)
    return page(request, "second_factor.html", **page_values)


def _with_picture(request: Req, session: Session, shown_once: dict[str, Any]) -> dict[str, Any]:
    """The secret of an app as a picture too, drawn here: nobody else sees it."""
    if not shown_once.get("secret"):
        return shown_once
    address = app_address(shown_once["secret"], session.account.name, house_of(request))
    picture = segno.make(address, error="m").svg_inline(scale=4, border=2, svgclass="qr")
    return shown_once | {"address": address, "picture": Markup(picture)}  # noqa: S704 (our own drawing)


async def _page_values(request: Req, session: Session) -> dict[str, Any]:
    context, name = context_of(request), session.account.name

    def look() -> tuple[HeldFactors, bool]:
        return context.authenticator.factors.of(name), context.authenticator.accounts.has_password(name)

    held, password = await context.at_desk(look)
    return {
        "held": held,
        "password": password,
        "needed": context.must_set_up(session) and not held.any,
        "passkeys": party_at(request) is not None,
        "secret": "",
        "asked": "",
        "codes": [],
        "title": "",
    }
