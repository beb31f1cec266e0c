"""Signing in and out: by password, or by a one-time link; server-side sessions that can be revoked."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.status_codes import HTTP_200_OK

from lammer.floor.api.floor import COOKIE, Floor, address_of, floor_of, session_of
from lammer.floor.sessions import Session

Req = Request[Any, Any, Any]


class Credentials(msgspec.Struct, frozen=True):
    """A name and a password."""

    name: Annotated[str, msgspec.Meta(max_length=100, examples=["mei"])]
    password: Annotated[str, msgspec.Meta(max_length=1000, examples=["correct horse battery"])]


class Token(msgspec.Struct, frozen=True):
    """The token of a one-time link, and the password to be used from now on."""

    token: Annotated[str, msgspec.Meta(max_length=200, examples=["kq3…"])]
    password: Annotated[str, msgspec.Meta(max_length=1000)] = ""


class NewPassword(msgspec.Struct, frozen=True):
    """A change of one's own password."""

    old: Annotated[str, msgspec.Meta(max_length=1000)]
    new: Annotated[str, msgspec.Meta(max_length=1000)]


class SignedIn(msgspec.Struct, frozen=True):
    """Who is signed in, and the token requests that change something have to carry."""

    name: str
    title: str
    role: str
    csrf: str


class SigningIn(Controller):
    """Sessions."""

    path = "/api/session"
    tags = ("session",)

    @post(summary="Sign in", status_code=HTTP_200_OK)
    async def sign_in(self, request: Req, data: Credentials) -> Response[SignedIn]:
        """By name and password. Too many failures make everyone wait."""
        floor = floor_of(request)
        come = await asyncio.to_thread(floor.door.sign_in, data.name, data.password, address_of(request))
        return let_in(floor, *come)

    @post("/link", summary="Sign in by a one-time link", status_code=HTTP_200_OK)
    async def by_link(self, request: Req, data: Token) -> Response[SignedIn]:
        """Each link works once."""
        floor = floor_of(request)
        password = data.password or None
        come = await asyncio.to_thread(floor.door.sign_in_by_link, data.token, address_of(request), password)
        return let_in(floor, *come)

    @get(summary="Who am I")
    async def whoami(self, request: Req) -> SignedIn:
        """The person of this session."""
        return signed_in(session_of(request))

    @delete(summary="Sign out", status_code=HTTP_200_OK)
    async def sign_out(self, request: Req) -> Response[dict[str, bool]]:
        """The session is over, here and in every other window."""
        floor = floor_of(request)
        await asyncio.to_thread(floor.door.sessions.revoke, session_of(request).id)
        response = Response({"signed_out": True})
        response.delete_cookie(COOKIE)
        return response

    @post("/password", summary="Change your password", status_code=HTTP_200_OK)
    async def change_password(self, request: Req, data: NewPassword) -> Response[SignedIn]:
        """By the old one. Every session of yours ends, and this is a new one."""
        floor, session = floor_of(request), session_of(request)
        come = await asyncio.to_thread(
            floor.door.change_password, session, data.old, data.new, address_of(request)
        )
        return let_in(floor, *come)


def signed_in(session: Session) -> SignedIn:
    """A session for its owner."""
    account = session.account
    return SignedIn(account.name, account.title, account.role, session.csrf)


def let_in(floor: Floor, token: str, session: Session) -> Response[SignedIn]:
    """A new session, and the cookie that carries it."""
    floor.count("signed_in")
    return Response(signed_in(session), cookies=[cookie(floor, token)])


def cookie(floor: Floor, token: str) -> Cookie:
    """Not readable by scripts, sent by no other site."""
    return Cookie(
        COOKIE, value=token, httponly=True, samesite="strict", secure=floor.settings.secure_cookies, path="/"
    )
