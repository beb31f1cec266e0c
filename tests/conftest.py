"""What every test may use."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from support.processor_time import VARIABLE, ProcessorTimes
from support.terminal import Terminal

# A busy machine is no fault of what is tested.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def lammer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capsys)


class FailuresAtOnce:
    """Writes a failure when it happens: a run that is stopped from outside never reaches its summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            terminal = self._config.get_terminal_writer()
            terminal.sep("-", f"{report.when} failed: {report.nodeid}", red=True)
            terminal.line(report.longreprtext)


def pytest_configure(config: pytest.Config) -> None:
    is_worker = hasattr(config, "workerinput")
    if not is_worker:
        config.pluginmanager.register(FailuresAtOnce(config), "failures-at-once")
    is_controller = not is_worker and config.getoption("numprocesses", None)
    if (times := os.environ.get(VARIABLE)) and not is_controller:
        config.pluginmanager.register(ProcessorTimes(Path(times).resolve()), "processor-times")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported and collected stays: looking through it again and again finds no garbage."""
    gc.collect()
    gc.freeze()
