"""Real pages in real Chromium: one house and one browser for all tests of a worker.

`person("dealer")` is a page of somebody signed in; `person("player", "anna")` makes an account of that name.
Whatever a page complains about under its Content-Security-Policy, and every error of a script, fails the
test that opened it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.awaited import GUARD
from support.served import COOKIE, Served
from support.small_png import shrink

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium")
HOW = "needs Chromium and playwright: apt install chromium, then make test"

Person = Callable[..., "Page"]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("house")).start()
    yield served
    served.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(HOW)
    playwright = pytest.importorskip("playwright.sync_api", reason=HOW)
    playwright.expect.set_options(timeout=GUARD * 1000)
    with playwright.sync_playwright() as run:
        made = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def person(browser: Browser, house: Served) -> Iterator[Person]:
    """A page for somebody of that role, or for nobody in particular; options go to the browser's context."""
    contexts = []
    complaints: list[str] = []

    def come(role: str = "", name: str = "", *, at: Served | None = None, **options: Any) -> Page:
        served = at or house
        options = {"base_url": served.address, "viewport": {"width": 1200, "height": 800}} | options
        context = browser.new_context(**options)
        context.set_default_timeout(GUARD * 1000)
        contexts.append(context)
        if role:
            context.add_cookies([{"name": COOKIE, "value": served.token(role, name), "url": served.address}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if _forbidden(said.text) else None)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not complaints, complaints


def _forbidden(said: str) -> bool:
    return "Content Security Policy" in said or "Content-Security-Policy" in said


@pytest.fixture
def picture() -> Iterator[Callable[[Page, str], None]]:
    """Keep a screenshot for the documentation, when LAMMER_SCREENSHOTS=1 asks for them.

    They are made small when the test is over: the table does not wait for it.
    """
    folder = Path(__file__).parents[2] / "docs" / "images" / "pages"
    taken: list[Path] = []

    def take(page: Page, name: str) -> None:
        if os.environ.get("LAMMER_SCREENSHOTS") == "1":
            folder.mkdir(parents=True, exist_ok=True)
            taken.append(folder / f"{name}.png")
            page.screenshot(path=taken[-1])

    yield take
    for each in taken:
        shrink(each, colours=96)
