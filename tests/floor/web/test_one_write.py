"""Head and body of an answer leave together, and nothing that was written is kept back for good."""

from __future__ import annotations

import asyncio
from typing import Any

from lammer.floor.web.one_write import HeadJoiningTransport
from support.open_house import in_loop

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"


class KeptWrites:
    """A transport that takes down what is written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.written.append(data)

    def close(self) -> None:
        self.closed = True

    def get_extra_info(self, name: str) -> str:
        return f"the {name} of it"


def joining() -> tuple[Any, KeptWrites]:
    line = KeptWrites()
    return HeadJoiningTransport(line, asyncio.get_running_loop()), line  # type: ignore[arg-type]


@in_loop
async def test_head_and_body_are_one_write() -> None:
    transport, line = joining()
    for _ in range(2):
        transport.write(HEAD)
        transport.write(b"{}")
    await asyncio.sleep(0)
    assert line.written == [HEAD + b"{}"] * 2


@in_loop
async def test_a_head_alone_leaves_when_the_loop_turns() -> None:
    """A live stream's head: its reader must hear that it is open before anything happens."""
    transport, line = joining()
    transport.write(HEAD)
    assert line.written == []
    await asyncio.sleep(0)
    assert line.written == [HEAD]
    transport.write(b"id: 1\n\n")
    assert line.written == [HEAD, b"id: 1\n\n"]


@in_loop
async def test_what_is_not_the_head_of_an_answer_waits_for_nothing() -> None:
    transport, line = joining()
    transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    transport.write(b"more")
    assert line.written == [b"HTTP/1.1 100 Continue\r\n\r\n", b"more"]


@in_loop
async def test_closing_lets_go_of_what_was_kept_back() -> None:
    transport, line = joining()
    transport.write(HEAD)
    transport.close()
    await asyncio.sleep(0)
    assert line.written == [HEAD]
    assert line.closed
    assert transport.get_extra_info("peername") == "the peername of it"
