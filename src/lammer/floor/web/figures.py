"""The house's figures in Prometheus' shape: how fast, how much, what waits, what was refused.

For whoever watches the machines: no names of people or tables, no money.
"""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import (
    CounterMetricFamily as Counter,
    GaugeMetricFamily as Gauge,
    HistogramMetricFamily as Histogram,
    Metric,
)
from prometheus_client.registry import Collector

from lammer.floor.web.context import AppContext


class HouseMetrics(Collector):
    """What is counted since the start, and what stands now."""

    def __init__(self, context: AppContext) -> None:
        self.context = context

    def collect(self) -> Iterator[Metric]:
        yield from self._requests()
        yield from self._record()
        yield from self._tables()

    def _requests(self) -> Iterator[Metric]:
        context = self.context
        durations = Histogram("lammer_command_seconds", "From a command to its events on disk.")
        durations.add_metric([], context.gateway.durations.buckets(), context.gateway.durations.total)
        yield durations
        yield Counter("lammer_commands", "Commands that were done.", sum(context.gateway.durations.counts))
        refusals = Counter("lammer_refusals", "Requests refused, by code.", labels=["code"])
        for code, times in sorted((context.refusals + context.gateway.refusals).items()):
            refusals.add_metric([code], times)
        yield refusals
        yield Counter("lammer_denied", "Attempts written down as denied.", context.counts["denied"])
        yield Counter("lammer_signed_in", "Sessions begun here.", context.counts["signed_in"])
        yield Gauge(
            "lammer_door_waiting", "Sign-ins and the like that wait their turn.", context.waiting_at_door
        )
        yield Gauge("lammer_streams", "Live streams open.", context.house.live.count())
        yield Gauge("lammer_closing", "1 while the house closes.", context.gateway.closing)

    def _record(self) -> Iterator[Metric]:
        house, written = self.context.house, self.context.house.store.written()
        yield Counter("lammer_commits", "Transactions on disk.", written.commits)
        yield Counter("lammer_appends", "Requests written by them.", written.appends)
        yield Counter("lammer_commits_failed", "Transactions the record did not take.", written.failed)
        yield Counter("lammer_commit_seconds", "Seconds spent writing.", written.seconds)
        yield Gauge(
            "lammer_writer_waiting", "Appends and other work that wait for the writer.", written.waiting
        )
        witnesses = self.context.witnesses
        if witnesses is not None:
            seen = witnesses.up_to_date()
            yield Gauge("lammer_witnesses_up_to_date", "Witnesses that have seen the log lately.", seen)
            yield Gauge("lammer_witnesses_behind", "1 while fewer have than have to.", witnesses.behind)
        waiting = sum(
            live_table.number - live_table.durable for live_table in house.tables.live_tables.values()
        )
        yield Gauge("lammer_events_waiting", "Events decided and not yet on disk.", waiting)
        events = sum(live_table.durable for live_table in house.tables.live_tables.values())
        yield Counter("lammer_events", "Events on disk, of all tables.", events)

    def _tables(self) -> Iterator[Metric]:
        tables = self.context.house.tables.live_tables.values()
        yield Gauge("lammer_tables", "Tables of the house.", len(tables))
        held = len(self.context.house.tables.held)
        yield Gauge("lammer_tables_held", "Tables this process decides for.", held)
        stopped = sum(live_table.broken is not None for live_table in tables)
        yield Gauge("lammer_tables_stopped", "Tables that cannot decide just now.", stopped)
        switch = self.context.house.switch
        gaming = sum(switch.of(live_table.id) is not None for live_table in tables)
        yield Gauge(
            "lammer_gaming_stopped", "Tables where gaming is stopped by a person or the house.", gaming
        )
        differences = len(self.context.house.program.differences)
        yield Gauge("lammer_program_differences", "In what the program is not as accepted.", differences)
        rounds = [live_table.view.table.round for live_table in tables]
        interrupted = sum(this_round is not None and this_round.interrupted for this_round in rounds)
        yield Gauge("lammer_interrupted", "Tables that wait for a person.", interrupted)
