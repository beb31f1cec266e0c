"""A load generator of our own: connections on loopback, each waiting for its answer, bounded in time.

It runs in a process of its own so that it does not share the server's core, and counts only answers that
say 200; anything else stops it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from time import perf_counter
from urllib.parse import urlsplit
from uuid import uuid4

import uvloop


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it: answers a second, and how long half and all but one in a hundred took."""

    rate: float
    p50: float
    p99: float
    answers: int


class _Caller(asyncio.Protocol):
    """One connection: the next request goes out when the answer to the last has come."""

    def __init__(self, head: bytes, body: bytes, until: float, done: asyncio.Future[None]) -> None:
        self.head, self.body, self.until, self.done = head, body, until, done
        self.times: list[float] = []
        self.buffer = b""
        self.name = uuid4().hex[:12]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._send()

    def _send(self) -> None:
        key = f"{self.name}-{len(self.times)}".encode()
        self.start = perf_counter()
        self.transport.write(  # type: ignore[attr-defined]
            self.head + b"idempotency-key: " + key + b"\r\n\r\n" + self.body
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        at = self.buffer.find(b"\r\n\r\n")
        if at < 0:
            return
        head = self.buffer[:at].lower()
        mark = head.find(b"content-length: ")
        length = int(head[mark + 16 : head.find(b"\r\n", mark) if b"\r\n" in head[mark:] else None])
        if len(self.buffer) < at + 4 + length:
            return
        if not head.startswith(b"http/1.1 200"):
            self.done.set_exception(RuntimeError(self.buffer[:600].decode(errors="replace")))
            self.transport.close()
            return
        self.buffer = b""
        self.times.append(perf_counter() - self.start)
        if perf_counter() >= self.until:
            self.done.set_result(None)
            self.transport.close()
            return
        self._send()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(error or ConnectionError("the server closed the connection"))


def _given(caller: _Caller) -> _Caller:
    return caller


async def _load(
    address: str, path: str, headers: dict[str, str], bodies: list[str], connections: int, seconds: float
) -> Load:
    loop = asyncio.get_running_loop()
    where = urlsplit(address)
    until = perf_counter() + seconds
    callers = []
    for n in range(connections):
        body = bodies[n % len(bodies)].encode()
        lines = [f"POST {path} HTTP/1.1", f"host: {where.netloc}", f"content-length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = ("\r\n".join(lines) + "\r\n").encode()
        caller = _Caller(head, body, until, loop.create_future())
        await loop.create_connection(partial(_given, caller), where.hostname or "127.0.0.1", where.port or 80)
        callers.append(caller)
    start = perf_counter()
    await asyncio.gather(*(caller.done for caller in callers))
    took = perf_counter() - start
    times = sorted(each for caller in callers for each in caller.times)
    return Load(len(times) / took, times[len(times) // 2], times[int(len(times) * 0.99)], len(times))


def _child(sends: Connection, *given: object) -> None:
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            sends.send(runner.run(_load(*given)))  # type: ignore[arg-type]
    except BaseException as error:
        sends.send(error)


def run_load(
    address: str, path: str, headers: dict[str, str], bodies: list[str], *, connections: int, seconds: float
) -> Load:
    """Load the server for so many seconds from another process."""
    context = multiprocessing.get_context("spawn")
    gets, sends = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(sends, address, path, headers, bodies, connections, seconds))
    child.start()
    try:
        made = gets.recv()
    finally:
        child.join(5)
    if isinstance(made, ConnectionRefusedError):
        raise made
    if isinstance(made, BaseException):
        raise RuntimeError("the load failed") from made
    assert isinstance(made, Load)
    return made
