"""Is it alive, can it serve, and how is it doing: for whoever watches the machines, not the games."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.status_codes import HTTP_503_SERVICE_UNAVAILABLE
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from lammer.floor.api.documented import answers, spec
from lammer.floor.api.floor import Floor, floor_of
from lammer.rulebook.refusal import Refused

Req = Request[Any, Any, Any]


class Readiness(msgspec.Struct, frozen=True):
    """Whether the house can serve, and what stands in the way."""

    ready: bool
    record: bool
    closing: bool
    tables: int
    stopped: int


READY = {"ready": True, "record": True, "closing": False, "tables": 2, "stopped": 0}


@get(
    "/health",
    summary="Alive",
    tags=["health"],
    sync_to_thread=False,
    responses=answers(dict[str, str], {"status": "alive"}, (503,)),
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
    """The record can be read and the house is not closing. A table that stopped does not stop the house."""
    floor = floor_of(request)
    try:
        await asyncio.to_thread(floor.house.store.latest_checkpoint)
        readable = True
    except Refused:
        readable = False
    good = readable and not floor.closing
    tables = floor.house.hosted
    stopped = sum(hosted.broken is not None for hosted in tables.values())
    body = Readiness(good, readable, floor.closing, len(tables), stopped)
    return Response(body, status_code=200 if good else HTTP_503_SERVICE_UNAVAILABLE)


PROBLEM = {503: answers(str, "", (503,))[503]}


class _Figures(Collector):
    """The house's figures in Prometheus' shape; no names of people, no money."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor

    def collect(self) -> Any:
        """What is counted, and what stands now."""
        house = self.floor.house
        for what, count in sorted(self.floor.counts.items()):
            family = CounterMetricFamily(
                f"lammer_{what}", f"So many {what.replace('_', ' ')} since the start."
            )
            family.add_metric([], count)
            yield family
        yield GaugeMetricFamily("lammer_tables", "Tables of the house.", len(house.hosted))
        yield GaugeMetricFamily("lammer_tables_held", "Tables this process decides for.", len(house.held))
        yield GaugeMetricFamily("lammer_streams", "Live streams open.", house.live.count())
        waiting = sum(hosted.number - hosted.durable for hosted in house.hosted.values())
        yield GaugeMetricFamily("lammer_events_waiting", "Events decided and not yet on disk.", waiting)
        events = CounterMetricFamily("lammer_events", "Events on disk, of all tables.")
        events.add_metric([], sum(hosted.durable for hosted in house.hosted.values()))
        yield events
        stopped = sum(hosted.broken is not None for hosted in house.hosted.values())
        yield GaugeMetricFamily("lammer_tables_stopped", "Tables that cannot decide just now.", stopped)
        interrupted = sum(
            bool(hosted.table.round and hosted.table.round.interrupted) for hosted in house.hosted.values()
        )
        yield GaugeMetricFamily("lammer_interrupted", "Tables that wait for a person.", interrupted)


@get(
    "/metrics",
    summary="Figures for Prometheus",
    tags=["health"],
    media_type="text/plain",
    sync_to_thread=False,
    responses={200: spec(str, "lammer_tables 2.0", "Figures.", "text/plain")} | PROBLEM,
)
def metrics(request: Req) -> Response[bytes]:
    """Counters and gauges."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures(floor_of(request)))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
