"""The door as pages: sign in, one-time links, sign out, the language; and files that go with all pages."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final
from urllib.parse import quote

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.enums import RequestEncodingType
from litestar.exceptions import NotFoundException
from litestar.params import Body, FromPath
from litestar.response import Redirect

from lammer.floor.access.factors import HeldFactors
from lammer.floor.access.half_sign_ins import FactorNeeded, Half
from lammer.floor.access.passkeys import Party, party_of, signing_options
from lammer.floor.access.sessions import Session
from lammer.floor.web.api.signing_in import end_session, end_the_one_before, session_cookie
from lammer.floor.web.context import BEFORE_FACTOR, COOKIE, address_of, context_of
from lammer.floor.web.pages.site.refusing import Pages
from lammer.floor.web.pages.site.site import (
    Req,
    choose_language,
    home_of,
    page,
    reader,
    refused_page,
    static,
    static_version,
    verified_fields,
)
from lammer.floor.web.wire import address_for_links
from lammer.rulebook.refusal import Refused

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]

HALF: Final = "lammer_half"
HALF_PATH: Final = "/sign-in"
KINDS: Final = {
    ".py": "text/x-python",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


def inside(path: object) -> str:
    """A path of this house to go on to; anything else is the front door."""
    text = str(path or "")
    ours = text.startswith("/") and not text.startswith("//") and "\\" not in text and text.isprintable()
    return text if ours else "/"


class ComingIn(Pages):
    """The door."""

    opt = {BEFORE_FACTOR: True}  # noqa: RUF012 (the framework reads it)

    @get("/")
    async def front(self, request: Req) -> Redirect:
        session = reader(request)
        return Redirect(home_of(context_of(request), session) if session else "/sign-in", status_code=303)

    @get("/sign-in")
    async def sign_in(self, request: Req) -> Response[str]:
        to = inside(request.query_params.get("next"))
        return page(request, "sign_in.html", action="/sign-in", token="", next=to)

    @post("/sign-in")
    async def submit_sign_in(self, request: Req, data: Form) -> Response[Any]:
        context, to = context_of(request), inside(data.get("next"))
        name, password = str(data.get("name", "")), str(data.get("password", ""))
        try:
            address = address_of(request)
            token, session = await context.at_door(
                lambda: context.authenticator.sign_in(name, password, address)
            )
        except FactorNeeded as needed:
            return _ask_second_step(request, needed, to)
        except Refused as refused:
            return refused_page(request, refused, "sign_in.html", action="/sign-in", token="", next=to)
        return await _let_in(request, token, session, to)

    @get("/sign-in/second")
    async def second_step(self, request: Req) -> Response[Any]:
        """The second half of a sign-in; who has not begun one is sent to the first."""
        half = request.cookies.get(HALF, "")
        try:
            page_values = await _second_step_values(request, half)
        except Refused:
            return Redirect("/sign-in", status_code=303, headers={"Cache-Control": "no-store"})
        return page(request, "second_step.html", next=inside(request.query_params.get("next")), **page_values)

    @post("/sign-in/second")
    async def submit_second_step(self, request: Req, data: Form) -> Response[Any]:
        """A code, or what a passkey says; a half sign-in that is over begins anew."""
        context, to, half = context_of(request), inside(data.get("next")), request.cookies.get(HALF, "")
        code, passkey, address = str(data.get("code", "")), str(data.get("passkey", "")), address_of(request)
        party = party_at(request)
        try:
            token, session = await context.at_door(
                lambda: context.authenticator.go_on(half, address, code=code, passkey=passkey, party=party)
            )
        except Refused as refused:
            try:
                page_values = await _second_step_values(request, half)
            except Refused as over:
                return refused_page(request, over, "sign_in.html", action="/sign-in", token="", next=to)
            return refused_page(request, refused, "second_step.html", next=to, **page_values)
        response = await _let_in(request, token, session, to)
        response.delete_cookie(HALF, path=HALF_PATH)
        return response

    @get("/link")
    async def link(self, request: Req) -> Response[str]:
        """The link itself changes nothing: only the form on it redeems the token, so that no preview can."""
        token = str(request.query_params.get("token", ""))
        return page(request, "sign_in.html", action="/link", token=token, next="/")

    @post("/link")
    async def submit_link(self, request: Req, data: Form) -> Response[Any]:
        context, token = context_of(request), str(data.get("token", ""))
        # Whoever presses the button without a password gets none, whatever their browser has filled in.
        password = None if data.get("without") else str(data.get("password", "")) or None
        try:
            address = address_of(request)
            new_token, session = await context.by_link(
                lambda: context.authenticator.sign_in_by_link(token, address, password)
            )
        except FactorNeeded as needed:
            return _ask_second_step(request, needed, "/")
        except Refused as refused:
            return refused_page(request, refused, "sign_in.html", action="/link", token=token, next="/")
        return await _let_in(request, new_token, session, "/")

    @post("/sign-out")
    async def sign_out(self, request: Req, data: Form) -> Response[Any]:
        session = reader(request)
        if session is not None:
            verified_fields(session, data)
            await end_session(context_of(request), session)
        response = Redirect("/sign-in", status_code=303)
        if COOKIE in request.cookies:
            # A page of another site is sent no cookie of ours, and must not be able to take one away.
            response.delete_cookie(COOKIE)
        return response

    @post("/language")
    async def language(self, request: Req, data: Form) -> Redirect:
        """Anybody may choose; nothing else changes."""
        response = Redirect(inside(data.get("next")), status_code=303)
        response.set_cookie(choose_language(request, data.get("language")))
        return response

    @get("/static/{version:str}/{name:str}")
    async def file(self, version: FromPath[str], name: FromPath[str]) -> Response[bytes]:
        """A file by the version of all of them, so that a browser keeps it for as long as it is the same."""
        suffix = name[name.rfind(".") :]
        if "/" in name or ".." in name or suffix not in KINDS:
            raise NotFoundException("There is no such file.")
        try:
            content = await asyncio.to_thread(static, name)
        except FileNotFoundError:
            raise NotFoundException("There is no such file.") from None
        kept = "public, max-age=31536000, immutable" if version == static_version() else "no-store"
        headers = {"Cache-Control": kept, "X-Content-Type-Options": "nosniff"}
        return Response(content, media_type=KINDS[suffix], headers=headers)


def party_at(request: Req) -> Party | None:
    """The house as passkeys know it, by its own address and not by what a request claims."""
    return party_of(address_for_links(request.scope, context_of(request).settings))


async def _let_in(request: Req, token: str, session: Session, to: str) -> Redirect:
    """On to where they wanted to go, or where people of their role start, with a session of their own."""
    context = context_of(request)
    await end_the_one_before(request)
    destination = to if to != "/" else home_of(context, session)
    return Redirect(destination, status_code=303, cookies=[session_cookie(context, token)])


def _ask_second_step(request: Req, needed: FactorNeeded, to: str) -> Redirect:
    """On to the second half. What goes on with it is sent to the door alone."""
    secure = context_of(request).settings.secure_cookies
    cookie = Cookie(HALF, value=needed.half, httponly=True, samesite="strict", secure=secure, path=HALF_PATH)
    address = "/sign-in/second" if to == "/" else f"/sign-in/second?next={quote(to)}"
    return Redirect(address, status_code=303, cookies=[cookie], headers={"Cache-Control": "no-store"})


async def _second_step_values(request: Req, half: str) -> dict[str, Any]:
    """What the page of the second half shows: whose it is, and what a passkey is asked."""
    context = context_of(request)

    def look() -> tuple[Half, HeldFactors]:
        half_sign_in = context.authenticator.half_sign_ins.look(half)
        return half_sign_in, context.authenticator.factors.of(half_sign_in.account.name)

    half_sign_in, held = await context.by_link(look)
    party, known = party_at(request), [passkey.credential for passkey in held.passkeys]
    options = signing_options(party, half_sign_in.challenge, known) if party and known else ""
    return {"held": held, "asked": options}
