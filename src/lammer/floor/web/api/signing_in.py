"""Signing in and out: by password, or by a one-time link; server-side sessions that can be revoked."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, delete
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from lammer.floor.access.app_codes import app_address
from lammer.floor.access.sessions import Session
from lammer.floor.web.api.openapi_specs import route_for_changing, route_for_looking, spec
from lammer.floor.web.context import (
    BEFORE_FACTOR,
    COOKIE,
    AppContext,
    Req,
    address_of,
    context_of,
    found_session,
    session_of,
)
from lammer.floor.web.origin import host_of
from lammer.floor.web.wire import address_for_links

Password = Annotated[str, msgspec.Meta(max_length=1000, examples=["seven lucky tigers"])]
Code = Annotated[str, msgspec.Meta(max_length=40, examples=["492039"])]
COMING_IN = (400, 401, 403, 413, 415, 422, 429, 503)


class Credentials(msgspec.Struct, frozen=True):
    """A name and a password, and a code of the second factor where there is one."""

    name: Annotated[str, msgspec.Meta(max_length=100, examples=["mei"])]
    password: Password
    code: Code = ""


class Token(msgspec.Struct, frozen=True):
    """The token of a one-time link, and the password to be used from now on."""

    token: Annotated[str, msgspec.Meta(max_length=200, examples=["kq3Zr…"])]
    password: Password = ""
    code: Code = ""


class NewPassword(msgspec.Struct, frozen=True):
    """A change of one's own password."""

    old: Password
    new: Password


class SignedIn(msgspec.Struct, frozen=True):
    """Who is signed in, and the token requests that change something have to carry."""

    name: str
    title: str
    role: str
    csrf: str


class Confirmed(msgspec.Struct, frozen=True):
    """Your password once more; nothing where you have come in by links alone."""

    password: Password = ""


class FirstCode(msgspec.Struct, frozen=True):
    """A code of the app."""

    code: Code


class YourFactor(msgspec.Struct, frozen=True):
    """What the house asks, and what you have."""

    house: str
    needed: bool
    app: bool
    passkeys: list[str]
    recovery_codes: int


class AppSecret(msgspec.Struct, frozen=True):
    """For an authenticator app: the secret, and the same as an address it can read."""

    secret: str
    address: str


class RecoveryCodes(msgspec.Struct, frozen=True):
    """Each lets you in once in place of your second factor; none where you had some already."""

    recovery_codes: list[str]


YOUR_FACTOR = {"house": "optional", "needed": False, "app": True, "passkeys": [], "recovery_codes": 10}
APP_SECRET = {"secret": "JBSWY3DPEHPK3PXP", "address": "otpauth://totp/Lammer:mei?secret=JBSWY3DPEHPK3PXP"}
RECOVERY = {"recovery_codes": ["k7mq-2tyx-w9ce-pfra"]}
CHANGING_FACTOR = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
SIGNED_IN = {"name": "mei", "title": "Mei Chen", "role": "player", "csrf": "9f86d0…"}


class SigningIn(Controller):
    """Sessions."""

    path = "/api/session"
    tags = ("session",)
    opt = {BEFORE_FACTOR: True}  # noqa: RUF012 (the framework reads it)

    @route_for_changing(
        None,
        "Sign in",
        spec(SignedIn, SIGNED_IN, "The answer sets the session's cookie."),
        COMING_IN,
        security=None,
    )
    async def sign_in(self, request: Req, data: JSONBody[Credentials]) -> Response[Any]:
        """By name and password. Too many failures make everyone wait.

        An account with a second factor needs a `code` too, of its app or a recovery code:
        `second_factor_needed` says so. Passkeys sign in on the page.
        """
        context, address = context_of(request), address_of(request)
        token_and_session = await context.at_door(
            lambda: context.authenticator.sign_in(data.name, data.password, address, data.code)
        )
        await end_the_one_before(request)
        return sign_in_response(context, *token_and_session)

    @route_for_changing(
        "/link",
        "Sign in by a one-time link",
        spec(SignedIn, SIGNED_IN, "The answer sets the session's cookie."),
        COMING_IN,
        security=None,
    )
    async def by_link(self, request: Req, data: JSONBody[Token]) -> Response[Any]:
        """Each link works once. It does not stand in for a second factor: that needs its `code` too."""
        context, address = context_of(request), address_of(request)
        password = data.password or None
        token_and_session = await context.by_link(
            lambda: context.authenticator.sign_in_by_link(data.token, address, password, data.code)
        )
        await end_the_one_before(request)
        return sign_in_response(context, *token_and_session)

    @route_for_looking(None, "Who am I", spec(SignedIn, SIGNED_IN), (400, 401, 503))
    async def whoami(self, request: Req) -> SignedIn:
        """The person of this session."""
        return describe_session(session_of(request))

    @route_for_changing(
        None, "Sign out", spec(dict[str, bool], {"signed_out": True}), (400, 401, 403, 503), method=delete
    )
    async def sign_out(self, request: Req) -> Response[Any]:
        """The session is over, and its streams with it."""
        context, session = context_of(request), session_of(request)
        await end_session(context, session)
        response = Response({"signed_out": True})
        response.delete_cookie(COOKIE)
        return response

    @route_for_looking("/second-factor", "Your second factor", spec(YourFactor, YOUR_FACTOR), (400, 401, 503))
    async def factor(self, request: Req) -> YourFactor:
        """What you have, and whether the house asks you for one before you may do anything else."""
        context, session = context_of(request), session_of(request)
        held = await context.at_desk(lambda: context.authenticator.factors.of(session.account.name))
        needed = context.must_set_up(session) and not held.any
        titles = [passkey.title for passkey in held.passkeys]
        return YourFactor(context.settings.second_factor, needed, held.app, titles, held.recovery_codes)

    @route_for_changing(
        "/second-factor",
        "Begin to set an authenticator app up",
        spec(AppSecret, APP_SECRET, "It counts once a code confirms it."),
        CHANGING_FACTOR,
        for_roles=(),
    )
    async def begin_factor(self, request: Req, data: JSONBody[Confirmed]) -> AppSecret:
        """By your password, if you have one. The secret is for your app; confirm it with its first code."""
        context, session, address = context_of(request), session_of(request), address_of(request)
        name = session.account.name

        def work() -> str:
            context.authenticator.confirm(session, data.password, address)
            return context.authenticator.factors.begin_app(name)

        secret = await context.at_desk(work)
        return AppSecret(secret, app_address(secret, name, house_of(request)))

    @route_for_changing(
        "/second-factor/confirm",
        "Confirm the app with its first code",
        spec(RecoveryCodes, RECOVERY, "It is asked for from now on."),
        CHANGING_FACTOR,
        for_roles=(),
    )
    async def confirm_factor(self, request: Req, data: JSONBody[FirstCode]) -> RecoveryCodes:
        """The answer holds ten recovery codes, shown only now. Every other session of yours ends."""
        context, session = context_of(request), session_of(request)
        factors = context.authenticator.factors
        recovery_codes = await context.at_desk(
            lambda: factors.confirm_app(session.account.name, data.code, session.id)
        )
        return RecoveryCodes(recovery_codes)

    @route_for_changing(
        "/second-factor/remove",
        "Remove your authenticator app",
        spec(dict[str, bool], {"removed": True}, "It is gone."),
        CHANGING_FACTOR,
        for_roles=(),
    )
    async def remove_factor(self, request: Req, data: JSONBody[Confirmed]) -> dict[str, bool]:
        """By your password, if you have one. Passkeys are removed on the page."""
        context, session, address = context_of(request), session_of(request), address_of(request)

        def work() -> None:
            context.authenticator.confirm(session, data.password, address)
            context.authenticator.factors.remove(session.account.name, "app", session.id)

        await context.at_desk(work)
        return {"removed": True}

    @route_for_changing(
        "/password",
        "Change your password",
        spec(SignedIn, SIGNED_IN, "The answer sets the new session's cookie."),
        COMING_IN,
        for_roles=(),
    )
    async def change_password(self, request: Req, data: JSONBody[NewPassword]) -> Response[Any]:
        """By the old one. Every session of yours ends, and this is a new one."""
        context, session, address = context_of(request), session_of(request), address_of(request)
        token_and_session = await context.at_desk(
            lambda: context.authenticator.change_password(session, data.old, data.new, address)
        )
        return sign_in_response(context, *token_and_session)


def house_of(request: Req) -> str:
    """What an app calls the house: its own name where it has one, so that two houses are told apart."""
    host = host_of(address_for_links(request.scope, context_of(request).settings))
    return f"Lammer ({host.replace(':', ' ')})" if host else "Lammer"


async def end_session(context: AppContext, session: Session) -> None:
    """The session is over, and its streams with it."""
    await context.at_desk(lambda: context.authenticator.sessions.revoke(session.id))
    context.house.live.end({session.id})


async def end_the_one_before(request: Req) -> None:
    """Whoever signs in anew leaves the session they came with; a copy of its cookie is no good then."""
    before = found_session(request)
    if before is not None:
        await end_session(context_of(request), before)


def describe_session(session: Session) -> SignedIn:
    """A session for its owner."""
    account = session.account
    return SignedIn(account.name, account.title, account.role, session.csrf)


def sign_in_response(context: AppContext, token: str, session: Session) -> Response[Any]:
    """A new session, and the cookie that carries it."""
    return Response(describe_session(session), cookies=[session_cookie(context, token)])


def session_cookie(context: AppContext, token: str) -> Cookie:
    """What carries a session just begun, counted here: not readable by scripts, sent by no other site."""
    context.counts["signed_in"] += 1
    return Cookie(
        COOKIE,
        value=token,
        httponly=True,
        samesite="strict",
        secure=context.settings.secure_cookies,
        path="/",
    )
