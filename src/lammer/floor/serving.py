"""Serving the house over HTTP until somebody stops it; stopping finishes what was acknowledged."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import resource
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar

from lammer.floor.api.app import application
from lammer.floor.api.express import Express
from lammer.floor.opening import Opened, Vouched, opened
from lammer.floor.patience import leaving_room
from lammer.floor.settings import Settings
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

GRACE = 10
"""Seconds requests get to end when the house closes."""

MOST_FILES = 65_536
_ACCOUNT = re.compile("(/accounts/|/people/)[^/]+")

Told = Callable[[str, Opened], None]


class _Server(uvicorn.Server):
    """uvicorn, except that live streams end before it waits for connections to end, and for its signals.

    A signal it took would be raised again when it has ended, and would kill the house before that is closed.
    """

    def __init__(self, config: uvicorn.Config, house: Opened) -> None:
        super().__init__(config)
        self.house = house

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def leave(self) -> None:
        """Close in order; asked a second time, without waiting for anybody."""
        if self.should_exit:
            self.force_exit = True
            for _, task in self.house.dealers.values():
                task.cancel()
        self.should_exit = True

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


def log_to_stderr(level: int = logging.INFO) -> None:
    """Structured logs on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("lammer").setLevel(level)
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


async def serve(
    settings: Settings,
    books: Mapping[str, Rulebook],
    told: Told,
    stop: asyncio.Event | None = None,
    vouched: Vouched = Vouched(),  # noqa: B008 (it never changes)
) -> None:
    """Open the house and serve it until a signal comes, or `stop` is set.

    `told` hears the address and who may come in by which link.
    """
    # The writer's thread has to get its turn while the event loop is busy.
    sys.setswitchinterval(0.001)
    listener = listening(settings.host, settings.port)
    with closing(listener):
        await _served(settings, books, told, stop, vouched, listener)


async def _served(
    settings: Settings,
    books: Mapping[str, Rulebook],
    told: Told,
    stop: asyncio.Event | None,
    vouched: Vouched,
    listener: socket.socket,
) -> None:
    port = listener.getsockname()[1]
    if settings.peer.endswith(":0"):
        settings = msgspec.structs.replace(settings, peer=f"{settings.peer.removesuffix(':0')}:{port}")
    async with opened(settings, books, vouched) as house:
        app = application()
        give(app, house)
        files = _allow_many_streams()
        # Files are kept for whoever comes without a stream: commands, pages, /health, and the record itself.
        house.floor.places.most = max(10, min(house.floor.places.most, files - files // 4))
        proxies = [address.strip() for address in settings.proxies.split(",")]
        config = uvicorn.Config(
            Express(app, house.floor),
            loop="uvloop",
            http=leaving_room(settings.connections_per_address, proxies),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=settings.access_log,
            server_header=False,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=settings.proxies,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=settings.idle_connection_seconds,
        )
        config.load()
        _spare_the_collector()
        server = _Server(config, house)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        with _leaving(server, stop):
            told(f"http://{host}:{port}", house)
            await server.serve([listener])


def _spare_the_collector() -> None:
    """What is here now stays: Python's collector need not look through it again, which takes it 60 ms.

    What a request makes goes with its answer; looking for rings among it is seldom worth while.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _allow_many_streams() -> int:
    """Every stream is an open file, and many shells allow few: how many there may be now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


@contextmanager
def _leaving(server: _Server, stop: asyncio.Event | None) -> Iterator[None]:
    """Ctrl-C and a supervisor's signal close the house in order, also while it is closing."""
    loop = asyncio.get_running_loop()
    here = threading.current_thread() is threading.main_thread()
    signals = (signal.SIGINT, signal.SIGTERM) if here and stop is None else ()
    for each in signals:
        loop.add_signal_handler(each, server.leave)
    waiting = None if stop is None else asyncio.ensure_future(_leave_at(server, stop))
    try:
        yield
    finally:
        if waiting is not None:
            waiting.cancel()
        # The handlers stay: whoever is impatient must not kill what is being written down.


async def _leave_at(server: _Server, stop: asyncio.Event) -> None:
    await stop.wait()
    server.leave()


def give(app: Litestar, house: Opened) -> None:
    """Hand the open house to the application."""
    app.state.floor, app.state.peers = house.floor, house.peers
