"""What every test may use."""

from __future__ import annotations

import pytest

from terminal import Terminal


@pytest.fixture
def lammer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capsys)
