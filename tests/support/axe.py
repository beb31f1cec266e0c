"""axe-core in a page: what it finds, in a line each. The script comes with `axe-playwright-python`."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page


@lru_cache(maxsize=1)
def _script() -> str:
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text()


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page as it stands: the rule, and where."""
    # Evaluated by the debugger and not by the page, so that the page's own policy stays as it is.
    page.evaluate(_script() + "\n;null")
    found: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: "
        + "; ".join(
            node["html"][:120] + " " + " ".join(map(str, node["target"])) for node in each["nodes"][:3]
        )
        for each in found["violations"]
    ]
