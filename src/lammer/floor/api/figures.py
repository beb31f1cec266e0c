"""The house's figures in Prometheus' shape: how fast, how much, what waits, what was refused.

For whoever watches the machines: no names of people or tables, no money.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from lammer.floor.api.floor import Floor

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""


class Durations:
    """How long something took, counted by size.

    >>> took = Durations()
    >>> took.add(0.003)
    >>> took.add(60)
    >>> took.counts[2], took.counts[-1], took.total
    (1, 1, 60.003)
    """

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Each bound, and how many took no longer."""
        bounds = [*(f"{bound:g}" for bound in BOUNDS), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self.counts)), strict=True))


class Figures(Collector):
    """What is counted since the start, and what stands now."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor

    def collect(self) -> Iterator[Metric]:
        yield from self._asked()
        yield from self._record()
        yield from self._tables()

    def _asked(self) -> Iterator[Metric]:
        floor = self.floor
        took = HistogramMetricFamily("lammer_command_seconds", "From a command to its events on disk.")
        took.add_metric([], floor.durations.buckets(), floor.durations.total)
        yield took
        yield _counted("lammer_commands", "Commands that were done.", sum(floor.durations.counts))
        refusals = CounterMetricFamily("lammer_refusals", "Requests refused, by code.", labels=["code"])
        for code, times in sorted(floor.refusals.items()):
            refusals.add_metric([code], times)
        yield refusals
        yield _counted("lammer_denied", "Attempts written down as denied.", floor.counts.get("denied", 0))
        yield _counted("lammer_signed_in", "Sessions begun here.", floor.counts.get("signed_in", 0))
        told = "Sign-ins and the like that wait their turn."
        yield GaugeMetricFamily("lammer_door_waiting", told, floor.waiting_at_door)
        yield GaugeMetricFamily("lammer_streams", "Live streams open.", floor.house.live.count())
        yield GaugeMetricFamily("lammer_closing", "1 while the house closes.", floor.closing)

    def _record(self) -> Iterator[Metric]:
        house, written = self.floor.house, self.floor.house.store.written()
        yield _counted("lammer_commits", "Transactions on disk.", written.commits)
        yield _counted("lammer_appends", "Requests written by them.", written.appends)
        yield _counted("lammer_commits_failed", "Transactions the record did not take.", written.failed)
        yield _counted("lammer_commit_seconds", "Seconds spent writing.", written.seconds)
        told = "Appends and other work that wait for the writer."
        yield GaugeMetricFamily("lammer_writer_waiting", told, written.waiting)
        waiting = sum(hosted.number - hosted.durable for hosted in house.hosted.values())
        yield GaugeMetricFamily("lammer_events_waiting", "Events decided and not yet on disk.", waiting)
        events = sum(hosted.durable for hosted in house.hosted.values())
        yield _counted("lammer_events", "Events on disk, of all tables.", events)

    def _tables(self) -> Iterator[Metric]:
        tables = self.floor.house.hosted.values()
        yield GaugeMetricFamily("lammer_tables", "Tables of the house.", len(tables))
        held = len(self.floor.house.held)
        yield GaugeMetricFamily("lammer_tables_held", "Tables this process decides for.", held)
        stopped = sum(hosted.broken is not None for hosted in tables)
        yield GaugeMetricFamily("lammer_tables_stopped", "Tables that cannot decide just now.", stopped)
        rounds = [hosted.view.table.round for hosted in tables]
        interrupted = sum(here is not None and here.interrupted for here in rounds)
        yield GaugeMetricFamily("lammer_interrupted", "Tables that wait for a person.", interrupted)


def _counted(name: str, told: str, count: float) -> Metric:
    made = CounterMetricFamily(name, told)
    made.add_metric([], count)
    return made
