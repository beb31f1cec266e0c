"""Signing in and out: by password, or by a one-time link; server-side sessions that can be revoked."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from lammer.floor.api.documented import BY_PERSON, BY_PERSON_CHANGING, answers
from lammer.floor.api.floor import COOKIE, Floor, Req, address_of, floor_of, found_session, session_of
from lammer.floor.sessions import Session

Password = Annotated[str, msgspec.Meta(max_length=1000, examples=["seven lucky tigers"])]
COMING_IN = (400, 401, 403, 413, 415, 422, 429, 503)


class Credentials(msgspec.Struct, frozen=True):
    """A name and a password."""

    name: Annotated[str, msgspec.Meta(max_length=100, examples=["mei"])]
    password: Password


class Token(msgspec.Struct, frozen=True):
    """The token of a one-time link, and the password to be used from now on."""

    token: Annotated[str, msgspec.Meta(max_length=200, examples=["kq3Zr…"])]
    password: Password = ""


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


SIGNED_IN = {"name": "mei", "title": "Mei Chen", "role": "player", "csrf": "9f86d0…"}


class SigningIn(Controller):
    """Sessions."""

    path = "/api/session"
    tags = ("session",)

    @post(
        summary="Sign in",
        status_code=HTTP_200_OK,
        responses=answers(SignedIn, SIGNED_IN, COMING_IN, told="The answer sets the session's cookie."),
    )
    async def sign_in(self, request: Req, data: JSONBody[Credentials]) -> Response[Any]:
        """By name and password. Too many failures make everyone wait."""
        floor, address = floor_of(request), address_of(request)
        come = await floor.at_door(lambda: floor.door.sign_in(data.name, data.password, address))
        await end_the_one_before(request)
        return let_in(floor, *come)

    @post(
        "/link",
        summary="Sign in by a one-time link",
        status_code=HTTP_200_OK,
        responses=answers(SignedIn, SIGNED_IN, COMING_IN, told="The answer sets the session's cookie."),
    )
    async def by_link(self, request: Req, data: JSONBody[Token]) -> Response[Any]:
        """Each link works once."""
        floor, address = floor_of(request), address_of(request)
        password = data.password or None
        come = await floor.by_link(lambda: floor.door.sign_in_by_link(data.token, address, password))
        await end_the_one_before(request)
        return let_in(floor, *come)

    @get(summary="Who am I", security=BY_PERSON, responses=answers(SignedIn, SIGNED_IN, (400, 401, 503)))
    async def whoami(self, request: Req) -> SignedIn:
        """The person of this session."""
        return signed_in(session_of(request))

    @delete(
        summary="Sign out",
        status_code=HTTP_200_OK,
        security=BY_PERSON_CHANGING,
        responses=answers(dict[str, bool], {"signed_out": True}, (400, 401, 403, 503)),
    )
    async def sign_out(self, request: Req) -> Response[Any]:
        """The session is over, and its streams with it."""
        floor, session = floor_of(request), session_of(request)
        await end_session(floor, session)
        response = Response({"signed_out": True})
        response.delete_cookie(COOKIE)
        return response

    @post(
        "/password",
        summary="Change your password",
        for_roles=(),
        status_code=HTTP_200_OK,
        security=BY_PERSON_CHANGING,
        responses=answers(SignedIn, SIGNED_IN, COMING_IN, told="The answer sets the new session's cookie."),
    )
    async def change_password(self, request: Req, data: JSONBody[NewPassword]) -> Response[Any]:
        """By the old one. Every session of yours ends, and this is a new one."""
        floor, session, address = floor_of(request), session_of(request), address_of(request)
        come = await floor.at_desk(lambda: floor.door.change_password(session, data.old, data.new, address))
        return let_in(floor, *come)


async def end_session(floor: Floor, session: Session) -> None:
    """The session is over, and its streams with it."""
    await floor.at_desk(lambda: floor.door.sessions.revoke(session.id))
    floor.house.live.end({session.id})


async def end_the_one_before(request: Req) -> None:
    """Whoever signs in anew leaves the session he came with; a copy of its cookie is no good then."""
    floor = floor_of(request)
    before = found_session(floor, request)
    if before is not None:
        await end_session(floor, before)


def signed_in(session: Session) -> SignedIn:
    """A session for its owner."""
    account = session.account
    return SignedIn(account.name, account.title, account.role, session.csrf)


def let_in(floor: Floor, token: str, session: Session) -> Response[Any]:
    """A new session, and the cookie that carries it."""
    floor.count("signed_in")
    return Response(signed_in(session), cookies=[cookie(floor, token)])


def cookie(floor: Floor, token: str) -> Cookie:
    """Not readable by scripts, sent by no other site."""
    return Cookie(
        COOKIE, value=token, httponly=True, samesite="strict", secure=floor.settings.secure_cookies, path="/"
    )
