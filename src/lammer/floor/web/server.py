"""Serving the house over HTTP until somebody stops it; stopping finishes what was acknowledged."""

from __future__ import annotations

import asyncio
import gc
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from litestar.types import ASGIApp

from lammer.floor.settings import Settings
from lammer.floor.web.slow_clients import limited_protocol
from lammer.rulebook.refusal import Refused

GRACE_SECONDS = 10
"""Seconds requests get to end when the house closes."""

MOST_FILES = 65_536


class HouseServer(uvicorn.Server):
    """uvicorn, except that live streams end before it waits for connections to end, and for its signals.

    A signal it took would be raised again when it has ended, and would kill the house before that is closed.
    """

    def __init__(
        self, config: uvicorn.Config, *, begin_to_close: Callable[[], None], hurry: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self.begin_to_close, self.hurry = begin_to_close, hurry

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def leave(self) -> None:
        """Close in order; asked a second time, without waiting for anybody."""
        if self.should_exit:
            self.force_exit = True
            self.hurry()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.begin_to_close()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """A socket on that address, or a sentence why not."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        raise Refused(
            "address_in_use",
            "{host}:{port} cannot be listened on: {why}.",
            next_step="Choose another with --port, or 0 for any free one.",
            host=host,
            port=port,
            why=error.strerror or error,
        ) from None
    return listener


def server_config(settings: Settings, app: ASGIApp) -> uvicorn.Config:
    """How the house is served."""
    proxies = [address.strip() for address in settings.proxies.split(",")]
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=limited_protocol(settings.connections_per_address, proxies),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=settings.access_log,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=settings.idle_connection_seconds,
    )
    config.load()
    return config


def spare_the_collector() -> None:
    """Objects that exist now stay: Python's collector need not look through them again, which takes it 60 ms.

    What a request allocates goes with its answer; looking for cycles in it is seldom worth the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def allow_many_streams() -> int:
    """Every stream is an open file, and many shells allow few: how many there may be now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


@contextmanager
def stopping_on_signals(server: HouseServer, stop: asyncio.Event | None) -> Iterator[None]:
    """Ctrl-C and a supervisor's signal close the house in order, also while it is closing."""
    loop = asyncio.get_running_loop()
    in_main_thread = threading.current_thread() is threading.main_thread()
    signals = (signal.SIGINT, signal.SIGTERM) if in_main_thread and stop is None else ()
    for signal_number in signals:
        loop.add_signal_handler(signal_number, server.leave)
    waiting = None if stop is None else asyncio.ensure_future(_leave_at(server, stop))
    try:
        yield
    finally:
        if waiting is not None:
            waiting.cancel()
        # The handlers stay: whoever is impatient must not kill what is being written down.


async def _leave_at(server: HouseServer, stop: asyncio.Event) -> None:
    await stop.wait()
    server.leave()
