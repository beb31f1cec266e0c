"""Browser windows that are handed on from test to test: to open one costs more than to load a page in it.

A window that was put back has no cookies, nothing stored and nobody listening. One that a test asked for
`alone`, because it stops the page's clock or talks to the debugger, is closed afterwards and so is one that
cannot be made like new.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from support.answered import stop_watching
from support.awaited import GUARD

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EVENTS: Final = ("dialog", "download", "popup", "request", "requestfailed", "requestfinished", "response")
"""What tests listen to; errors and what is written to the console are listened to here."""


@dataclass
class Window:
    """A page in a context of its own, and what it complained about."""

    page: Page
    address: str
    kind: str
    complaints: list[str] = field(default_factory=list)


class Windows:
    """All windows of a browser: those in use, and those that wait for the next test that wants their kind."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: defaultdict[str, list[Window]] = defaultdict(list)

    def open(self, address: str, viewport: dict[str, int], alone: bool, options: dict[str, Any]) -> Window:
        """A window without a past, with these options of a browser's context."""
        kind = "" if alone else repr((address, sorted(options.items())))
        if self._idle[kind]:
            window = self._idle[kind].pop()
            window.page.set_viewport_size(viewport)  # type: ignore[arg-type]
            return window
        context = self._browser.new_context(base_url=address, viewport=viewport, **options)  # type: ignore[arg-type]
        context.set_default_timeout(GUARD * 1000)
        page = context.new_page()
        window = Window(page, address, kind)
        page.on("pageerror", lambda error: window.complaints.append(str(error)))
        page.on(
            "console", lambda said: window.complaints.append(said.text) if _forbidden(said.text) else None
        )
        return window

    def put_back(self, window: Window) -> list[str]:
        """The test is over: what the window complained about; it waits for the next test, or is closed."""
        if self._is_like_new(window):
            self._idle[window.kind].append(window)
        else:
            window.page.context.close()
        complaints = window.complaints[:]
        window.complaints.clear()
        return complaints

    def close_those_of(self, address: str) -> None:
        """The house at this address is closing; nobody will ask for a window on it."""
        for waiting in self._idle.values():
            for window in [window for window in waiting if window.address == address]:
                window.page.context.close()
                waiting.remove(window)

    def _is_like_new(self, window: Window) -> bool:
        page = window.page
        if not window.kind or page.is_closed() or not page.url.startswith(window.address):
            return False
        stop_watching(page)
        page.unroute_all()
        # There is no other way to learn whether a test listens still.
        if any(page._impl_obj.listener_count(event) for event in EVENTS):
            return False
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.goto("about:blank")
        page.context.clear_cookies()
        return page.context.pages == [page]


def _forbidden(said: str) -> bool:
    return "Content Security Policy" in said or "Content-Security-Policy" in said
