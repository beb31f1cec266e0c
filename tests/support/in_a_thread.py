"""A house on a real socket, served by a thread of this process, for tools that wait for their answers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lammer.floor.main import RunningHouse, serve
from lammer.floor.settings import Settings
from support.awaited import GUARD
from support.open_house import books


class Served:
    """Open from the first line to `close`."""

    def __init__(self, folder: Path, **given: Any) -> None:
        self.settings = Settings(data=str(folder), port=0, **({"tables": 0} | given))
        self.address = ""
        self.opened: RunningHouse | None = None
        self.links: dict[str, str] = {}
        self._open = threading.Event()
        self._failed: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="a house", daemon=True)
        self._thread.start()
        assert self._open.wait(GUARD)
        self._must_be_well()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._failed = error
        finally:
            self._open.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        await serve(self.settings, books(), self._told, self._stop)

    def _told(self, address: str, opened: RunningHouse) -> None:
        self.address, self.opened = address, opened
        self.links = {role: token for _, role, token in opened.links}
        self._open.set()

    def do(self, work: Callable[[], object]) -> None:
        """Have something done by the house's own event loop, and wait for it."""

        async def done() -> None:
            work()

        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(done(), self._loop).result(GUARD)

    def close(self) -> None:
        if self._loop is not None and self._stop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(GUARD)
        assert not self._thread.is_alive()
        self._must_be_well()

    def _must_be_well(self) -> None:
        if self._failed is not None:
            raise self._failed
