"""Serving the house over HTTP until somebody stops it; stopping finishes what was acknowledged."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar

from lammer.floor.api.app import application
from lammer.floor.opening import Opened, opened
from lammer.floor.settings import Settings
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

GRACE = 10
"""Seconds requests get to end when the house closes."""

Told = Callable[[str, Opened], None]


class _Server(uvicorn.Server):
    """uvicorn, except that live streams end before it waits for connections to end."""

    def __init__(self, config: uvicorn.Config, house: Opened) -> None:
        super().__init__(config)
        self.house = house

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.house.floor.closing = True
        self.house.floor.house.live.close()
        await super().shutdown(sockets)


class JsonLines(logging.Formatter):
    """A line of JSON for each thing worth knowing; names of tables and codes, no names of people."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname.lower(),
            "from": record.name,
            "told": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def log_to_stderr(level: int = logging.INFO) -> None:
    """Structured logs on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("lammer").setLevel(level)


def listening(host: str, port: int) -> socket.socket:
    """A socket on that address, or a sentence why not."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(2048)
    except OSError as error:
        raise Refused(
            "address_in_use",
            f"{host}:{port} cannot be listened on: {error.strerror or error}.",
            next_step="Choose another with --port, or 0 for any free one.",
        ) from None
    return made


async def serve(settings: Settings, books: Mapping[str, Rulebook], told: Told) -> None:
    """Open the house and serve it; `told` hears the address and who may come in by which link."""
    listener = listening(settings.host, settings.port)
    port = listener.getsockname()[1]
    if settings.peer.endswith(":0"):
        settings = msgspec.structs.replace(settings, peer=f"{settings.peer.removesuffix(':0')}:{port}")
    async with opened(settings, books) as house:
        app = application()
        give(app, house)
        config = uvicorn.Config(
            app,
            loop="uvloop",
            http="httptools",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=settings.access_log,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=75,
        )
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        told(f"http://{host}:{port}", house)
        await _Server(config, house).serve([listener])


def give(app: Litestar, house: Opened) -> None:
    """Hand the open house to the application."""
    app.state.floor, app.state.peers = house.floor, house.peers
