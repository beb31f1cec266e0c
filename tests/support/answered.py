"""Waiting until a page has everything it asks for; its live stream never ends and is not waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from support.awaited import until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, Response

A_TURN: Final = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
"""Whatever a press or an answer has set off in a page is under way when this is over."""


_WATCHERS: WeakKeyDictionary[Page, list[PageRequests]] = WeakKeyDictionary()


class PageRequests:
    """What a page has asked for and was not answered yet. To be made before the page is opened."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._open: set[Request] = set()
        page.on("request", self._begun)
        page.on("response", self._answered)
        page.on("requestfinished", self._over)
        page.on("requestfailed", self._over)
        _WATCHERS.setdefault(page, []).append(self)

    def stop(self) -> None:
        """Listen no longer."""
        for event, heard in (
            ("request", self._begun),
            ("response", self._answered),
            ("requestfinished", self._over),
            ("requestfailed", self._over),
        ):
            self._page.remove_listener(event, heard)

    def _begun(self, request: Request) -> None:
        self._open.add(request)

    def _answered(self, response: Response) -> None:
        # A stream is answered as soon as it begins; what the page asks for then is waited for.
        if "/stream" in response.url:
            self._open.discard(response.request)

    def _over(self, request: Request) -> None:
        self._open.discard(request)

    def all_answered(self) -> None:
        """Wait until nothing is under way, and nothing has been set off by the last answer."""
        until(self._quiet, "the page goes on asking")

    def _quiet(self) -> bool:
        for _ in range(3):
            self._page.evaluate(A_TURN)
            if self._open:
                return False
        return True


def stop_watching(page: Page) -> None:
    """Nobody waits for what this page asks for any more."""
    for watcher in _WATCHERS.pop(page, []):
        watcher.stop()
