"""Where the time of the processor goes: of every test with all it starts, a line in a file.

`PROCESSOR_TIMES=times.jsonl make test` writes it and `tools/processor_times.py times.jsonl` adds it
up by folder. The wall clock says little where several workers share a core; this does.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

VARIABLE = "PROCESSOR_TIMES"
MARK = "PROCESSOR_TIMES_OF"
"""Tells whose a process is that has gone to the background, as PostgreSQL does."""
TICKS = os.sysconf("SC_CLK_TCK")


class ProcessorTimes:
    """Writes what each test took of the processor: in this process, and in all it started."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._mine = os.getpid()
        os.environ[MARK] = str(self._mine)
        self._orphans: dict[int, bool] = {}
        self._seen: dict[int, tuple[int, int, int]] = {}
        self._lost = 0
        self._own_before, self._others_before = 0.0, self._others()
        self._wall_before = time.monotonic()

    def _write(self, name: str) -> None:
        own, others, wall = time.process_time(), self._others(), time.monotonic()
        row = {
            "test": name,
            "own": round(own - self._own_before, 4),
            "others": round(others - self._others_before, 2),
            "wall": round(wall - self._wall_before, 4),
        }
        with self._file.open("a") as file:
            file.write(json.dumps(row) + "\n")
        # Looking costs something itself, and is nobody's.
        self._own_before, self._others_before, self._wall_before = (
            time.process_time(),
            others,
            time.monotonic(),
        )

    def _others(self) -> float:
        """Seconds of every process that descends from this one, ended ones with their last figure."""
        found: dict[int, tuple[int, int, int]] = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    stat = Path("/proc", entry, "stat").read_text()
                except OSError:
                    continue
                fields = stat.rpartition(")")[2].split()
                found[int(entry)] = (
                    int(fields[1]),
                    sum(map(int, fields[11:13])),
                    sum(map(int, fields[13:15])),
                )
        kin = {pid: times for pid, times in found.items() if self._is_ours(pid, found)}
        for pid, (parent, used, reaped) in self._seen.items():
            if pid not in kin and (parent in kin or parent <= 1):
                # A parent that ignores the end of its children is not given their time.
                taken_over = kin[parent][2] - self._seen.get(parent, kin[parent])[2] if parent in kin else 0
                if taken_over < used + reaped:
                    self._lost += used + reaped
        self._seen = kin
        own_reaped = found[self._mine][2]
        return (sum(used + reaped for _, used, reaped in kin.values()) + own_reaped + self._lost) / TICKS

    def _is_ours(self, pid: int, found: dict[int, tuple[int, int, int]]) -> bool:
        at = pid
        while at in found and at > 1:
            parent = found[at][0]
            if parent == self._mine:
                return True
            if parent <= 1:
                return at != self._mine and self._is_orphan_of_ours(at)
            at = parent
        return False

    def _is_orphan_of_ours(self, pid: int) -> bool:
        if pid not in self._orphans:
            try:
                environment = Path("/proc", str(pid), "environ").read_bytes()
            except OSError:
                environment = b""
            self._orphans[pid] = f"{MARK}={self._mine}".encode() in environment.split(b"\0")
        return self._orphans[pid]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        try:
            return (yield)
        finally:
            self._write(item.nodeid)

    def pytest_collection_finish(self) -> None:
        self._write("(importing and collecting)")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        self._write("(ending)")
