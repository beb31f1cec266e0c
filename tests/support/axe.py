"""axe-core in a page: what it finds, in a line each. The script comes with `axe-playwright-python`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOVERED = "a, button, .button, summary, input, select, textarea, label, tr, [tabindex]"
"""What a pointer or a key can be on."""
STATES = ["hover", "focus", "focus-visible"]

READ_COLOURS_ONCE = """() => {
    const Color = axe.commons.color.Color, parse = Color.prototype.parseString, known = new Map();
    Color.prototype.parseString = function (text) {
        if (known.has(text)) [this.r, this.g, this.b, this.alpha] = known.get(text);
        else {
            parse.call(this, text);
            known.set(text, [this.r, this.g, this.b, this.alpha]);
        }
        return this;
    };
}"""
"""Axe takes apart the same few colours of a page thousands of times: half of all it does on a long page."""


@lru_cache(maxsize=1)
def _script() -> str:
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text()


def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """What axe finds wrong with a page as it stands, by these rules or by all: the rule, and where."""
    # Evaluated by the debugger and not by the page, so that the page's own policy stays as it is.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_script() + "\n;null")
        page.evaluate(READ_COLOURS_ONCE)
    asked: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        asked["runOnly"] = list(rules)
    found: dict[str, Any] = page.evaluate("asked => axe.run(document, asked)", asked)
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: "
        + "; ".join(
            node["html"][:120] + " " + " ".join(map(str, node["target"])) for node in each["nodes"][:3]
        )
        for each in found["violations"]
    ]


def hovered_contrast(page: Page) -> list[str]:
    """Text that is hard to read while a pointer or the focus is on it: everything is told it is, at once."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": HOVERED})["nodeIds"]
    for node in nodes:
        # What a live part of the page swapped meanwhile is gone.
        with suppress(Error):
            session.send("CSS.forcePseudoState", {"nodeId": node, "forcedPseudoClasses": STATES})
    try:
        return [f"hovered: {found}" for found in violations(page, ["color-contrast"])]
    finally:
        session.detach()
