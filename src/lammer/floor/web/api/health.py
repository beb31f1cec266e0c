"""Is it alive, can it serve, and how is it doing: for whoever watches the machines, not the games."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

import msgspec
from litestar import Response, get
from litestar.status_codes import HTTP_503_SERVICE_UNAVAILABLE
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest

from lammer.floor.record.store.storing import try_to_write
from lammer.floor.web.api.openapi_specs import answers, spec
from lammer.floor.web.context import AppContext, Req, context_of
from lammer.floor.web.figures import HouseMetrics
from lammer.rulebook.refusal import Refused

PATIENCE_SECONDS = 5.0
"""Seconds the record may take to answer."""
BELIEVED_SECONDS = 1.0
"""Seconds for which an answer is given again."""


class Readiness(msgspec.Struct, frozen=True):
    """Whether the house can serve, and what stands in the way."""

    ready: bool
    record: bool
    clock: bool
    closing: bool
    tables: int
    stopped: int
    gaming: bool = True
    program: bool = True


READY = {
    "ready": True,
    "record": True,
    "clock": True,
    "closing": False,
    "tables": 2,
    "stopped": 0,
    "gaming": True,
    "program": True,
}


@get(
    "/health",
    summary="Alive",
    tags=["health"],
    sync_to_thread=False,
    responses=answers(spec(dict[str, str], {"status": "alive"}), (503,)),
)
def health() -> dict[str, str]:
    """The process answers."""
    return {"status": "alive"}


@get(
    "/ready",
    summary="Ready",
    tags=["health"],
    responses={
        200: spec(Readiness, READY, "It can serve."),
        503: spec(Readiness, READY | {"ready": False, "record": False}, "It cannot."),
    },
)
async def ready(request: Req) -> Response[Any]:
    """The record can be read and written, down to the disk, and the house is not closing.

    A stopped table does not stop it, nor a clock that jumped (`clock` is false then): the house goes on by
    its steady clock, and a person should set the machine's right and start the house again. `gaming` is false
    while all gaming is stopped, `program` while the program is not the one that was accepted.
    """
    context = context_of(request)
    async with context.checking:
        # Whoever asks at the same moment shares one look: thousands of strangers cost the record little.
        at, readable = context.checked
        if not 0 <= monotonic() - at < BELIEVED_SECONDS:
            readable = await _record_answers(context)
            context.checked = monotonic(), readable
    good = readable and not context.gateway.closing
    tables = context.house.tables.live_tables
    stopped = sum(live_table.broken is not None for live_table in tables.values())
    clock = context.house.clock.jumped() is None
    gaming, program = context.house.switch.of("") is None, not context.house.program.differences
    closing = context.gateway.closing
    body = Readiness(good, readable, clock, closing, len(tables), stopped, gaming, program)
    return Response(body, status_code=200 if good else HTTP_503_SERVICE_UNAVAILABLE)


async def _record_answers(context: AppContext) -> bool:
    store = context.house.store
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.to_thread(store.latest_checkpoint)
            done, before = store.written(), context.checked_at
            context.checked_at = done.appends, done.failed
            if done.appends > before[0] and done.failed == before[1]:
                return True  # Bets have reached the disk since somebody last looked.
            # It takes its turn behind every append, so a writer that hangs is noticed; it writes a row, so
            # that a full disk is noticed too.
            await asyncio.wrap_future(store.write(try_to_write))
    except (Refused, TimeoutError):
        return False
    return True


@get(
    "/metrics",
    summary="Figures for Prometheus",
    tags=["health"],
    media_type="text/plain",
    sync_to_thread=False,
    responses=answers(spec(str, "lammer_tables 2.0", "Figures.", "text/plain"), (503,)),
)
def metrics(request: Req) -> Response[bytes]:
    """Counters and gauges."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(HouseMetrics(context_of(request)))
    ProcessCollector(registry=registry)
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
