"""A process that gives birth to houses: everything is imported once, and each house is a fork of it.

    stdin:  {"id": 1, "settings": {...}}            one line for each house to open
    stdout: {"id": 1, "pid": 4711}                  as it is born
            {"id": 1, "address": "http://…", "links": [...]}   as it is open

`processes.py` speaks to it. A house that is killed is gone at once; one that fails says so on stderr.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import traceback
from typing import Any

import uvloop

from lammer.floor.logs import log_to_stderr
from lammer.floor.main import RunningHouse, serve
from lammer.floor.settings import Settings
from lammer.shelf import shelf


def say(**told: Any) -> None:
    os.write(1, json.dumps(told).encode() + b"\n")


def live(order: dict[str, Any]) -> None:
    def told(address: str, house: RunningHouse) -> None:
        say(id=order["id"], address=address, links=house.links)

    books = {book.id: book for book in BOOKS}
    log_to_stderr()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(Settings(**order["settings"]), books, told))


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                live(order)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        say(id=order["id"], pid=child)


BOOKS = shelf()

if __name__ == "__main__":
    main()
