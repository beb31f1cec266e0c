"""Types commands and looks at how they end."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from lammer.cli import console, main


class Ran:
    """How a command ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Terminal:
    """Types commands."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        console.out.width = console.PIPED_WIDTH

    def __call__(self, *words: str, stdin: bytes | None = None) -> Ran:
        self.monkeypatch.setattr(sys, "argv", ["lammer", *words])
        if stdin is not None:
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        captured = self.capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(int(ended.value.code or 0), captured.out, captured.err)
