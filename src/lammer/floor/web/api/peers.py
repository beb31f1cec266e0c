"""What another process of the house hands on, taken in."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, post
from litestar.status_codes import HTTP_200_OK

from lammer.floor.web.context import context_of
from lammer.floor.web.peers import SIGNATURE, refusal_for_peer
from lammer.floor.web.problems import answer
from lammer.rulebook.refusal import Refused


@post("/peers/ask", include_in_schema=False, status_code=HTTP_200_OK)
async def ask_for_peer(request: Request[Any, Any, Any]) -> Response[Any]:
    """What another process of the house hands on. Denials are written down where they were asked."""
    context = context_of(request)
    body = await request.body()
    if context.peers is None:
        raise Refused("not_signed_in", "This house has one process.")
    forwarded = context.peers.accept(body, request.headers.get(SIGNATURE, ""))
    try:
        if forwarded.scan is not None:
            reply = await context.gateway.read_card(
                forwarded.table, forwarded.key, forwarded.scan, source="peer"
            )
        else:
            assert forwarded.asked is not None, "a peer hands on a request or a card"
            reply = await context.gateway.ask(
                forwarded.table, forwarded.asked, forwarded.agreed, source="peer"
            )
    except Refused as refused:
        return answer(refusal_for_peer(refused))
    return Response(reply)
