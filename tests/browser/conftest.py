"""Real pages in real Chromium: one house and one browser for all tests of a worker.

`person("dealer")` is a page of somebody signed in; `person("player", "anna")` makes an account of that name.
Whatever a page complains about under its Content-Security-Policy, and every error of a script, fails the
test that opened it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.awaited import GUARD
from support.served import COOKIE, Served
from support.small_png import shrink
from support.windows import Window, Windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium")
HOW = "needs Chromium and playwright: apt install chromium, then make test"

NOT_NEEDED = (
    # Every window has pages of its own for its address bar, which nobody sees: most of what a window costs.
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    # A process kept ready for a page of another site, and there is no other site.
    "SpareRendererForSitePerProcess,"
    # What playwright turns off; the last list counts alone.
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,"
    "AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,"
    "AimEnabled,PreconnectToSearch,msForceBrowserSignIn"
)
"""Parts of Chromium."""

Person = Callable[..., "Page"]
WIDE = {"width": 1200, "height": 800}


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
        made = run.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", f"--disable-features={NOT_NEEDED}"]
        )
        yield made
        made.close()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture
def person(windows: Windows, house: Served) -> Iterator[Person]:
    """A page for somebody of that role, or for nobody in particular; options go to the browser's context.

    A test that changes more of the window than its size asks to have it `alone`.
    """
    opened: list[Window] = []
    elsewhere: set[str] = set()

    def come(
        role: str = "",
        name: str = "",
        *,
        at: Served | None = None,
        alone: bool = False,
        viewport: Mapping[str, int] = WIDE,
        **options: Any,
    ) -> Page:
        served = at or house
        elsewhere.update({served.address} - {house.address})
        window = windows.open(served.address, dict(viewport), alone, options)
        opened.append(window)
        if role:
            cookie = {"name": COOKIE, "value": served.token(role, name), "url": served.address}
            window.page.context.add_cookies([cookie])  # type: ignore[list-item]
        return window.page

    yield come
    complaints = [complaint for window in opened for complaint in windows.put_back(window)]
    for address in elsewhere:
        windows.close_those_of(address)
    assert not complaints, complaints


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
