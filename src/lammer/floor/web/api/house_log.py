"""The log of the house over HTTP, open to all: C2SP tlog-tiles under /log."""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import Response, get
from litestar.params import FromPath

from lammer.floor.record.log.log_serving import served_checkpoint, served_keys, served_tile
from lammer.floor.record.verify.verify import trusted_keys
from lammer.floor.web.api.openapi_specs import answers, spec
from lammer.floor.web.context import Req, context_of

FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
FOR_A_MOMENT: Final = {"Cache-Control": "public, max-age=2"}


@get(
    "/log/checkpoint",
    summary="The last checkpoint of the log",
    tags=["log"],
    media_type="text/plain",
    responses=answers(spec(str, "lammer.invalid/3f\n7\n4xiW=\n", "A signed note.", "text/plain"), (404, 503)),
)
async def log_checkpoint(request: Req) -> Response[bytes]:
    """How far the log has come: its name, size and root; signed, and cosigned by witnesses."""
    note = await asyncio.to_thread(served_checkpoint, context_of(request).house.store)
    return Response(note, media_type="text/plain", headers=FOR_A_MOMENT)


@get(
    "/log/key",
    summary="The key of the log",
    tags=["log"],
    media_type="text/plain",
    responses=answers(
        spec(str, "lammer.invalid/3f+0a1b2c3d+AX9…\n", "A verifier key.", "text/plain"), (404, 503)
    ),
)
async def log_key(request: Req) -> Response[bytes]:
    """What witnesses and whoever checks a round are given; to be had from somebody else as well."""
    context = context_of(request)
    keys = await asyncio.to_thread(
        lambda: served_keys(context.house.store, trusted_keys(context.settings.folder))
    )
    return Response(keys, media_type="text/plain", headers=FOR_A_MOMENT)


@get(
    "/log/tile/{tile:path}",
    summary="A tile of the log",
    tags=["log"],
    media_type="application/octet-stream",
    responses=answers(
        spec(str, "", "Hashes, one after the other.", "application/octet-stream"), (400, 404, 503)
    ),
)
async def log_tile(request: Req, tile: FromPath[str]) -> Response[bytes]:
    """A tile of hashes (`0/000`, `0/001.p/44`) or of blinded entries (`entries/000`); it never changes."""
    read = await asyncio.to_thread(served_tile, context_of(request).house.store, str(tile).lstrip("/"))
    return Response(read, media_type="application/octet-stream", headers=FOR_EVER)
