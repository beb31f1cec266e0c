"""What the house logs: a line of JSON for each thing an operator should know, without names of people."""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import msgspec

from lammer.rulebook.refusal import Refused

_ACCOUNT = re.compile("(/accounts/|/people/)[^/]+")


class JsonLines(logging.Formatter):
    """A line of JSON for each thing worth knowing; names of tables and codes, no names of people."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname.lower(),
            "from": record.name,
            "told": record.getMessage(),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = list(_trace(record.exc_info[1]))
        return msgspec.json.encode(line).decode()


def _trace(error: BaseException) -> Iterator[str]:
    """What went wrong and where, first things first. What an error says of itself may name somebody."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _trace(before)
    for frame in traceback.extract_tb(error.__traceback__):
        yield f"{frame.filename}:{frame.lineno} {frame.name}"
    code = f" {error.code}" if isinstance(error, Refused) else ""
    yield f"{type(error).__name__}{code}"


def log_to_stderr() -> None:
    """Structured logs on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("lammer").setLevel(logging.INFO)
    access = logging.getLogger("uvicorn.access")
    access.setLevel(logging.INFO)
    access.addFilter(_without_person)


def _without_person(record: logging.LogRecord) -> bool:
    """A request without whose it was: no address, no account, and nothing after the question mark."""
    if isinstance(record.args, tuple) and len(record.args) == 5:
        _, method, path, version, status = record.args
        shown = _ACCOUNT.sub(r"\1…", str(path).partition("?")[0])
        record.args = ("", method, shown, version, status)
    return True
