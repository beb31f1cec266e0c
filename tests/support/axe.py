"""axe-core in a page: what it finds, in a line each. The script comes with `axe-playwright-python`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOVERED = "a, button, .button, summary, input, select, textarea, label, tr, [tabindex]"
"""What a pointer or a key can be on."""
HOVER_EVERYTHING = """hovered => {
    const states = /:(hover|focus-visible|focus)(?![\\w-])/g;
    const rewrite = rules => {
        for (const rule of rules) {
            if (rule.selectorText?.match(states))
                rule.selectorText = rule.selectorText.replace(states, `:is(${hovered})`);
            if (rule.cssRules) rewrite(rule.cssRules);
        }
    };
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) rewrite(sheet.cssRules);
}"""
"""In the page's own style sheets everything that can be hovered is. Such a list weighs as much as the state
it replaces: one class."""

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

PLAIN_PRIVATE_FIELDS = """
    class WeakMap {
        constructor() { this.key = Symbol(); }
        get(of) { return of[this.key]; }
        has(of) { return this.key in of; }
        set(of, value) { of[this.key] = value; return this; }
    }
    class WeakSet {
        constructor() { this.key = Symbol(); }
        has(of) { return this.key in of; }
        add(of) { of[this.key] = true; return this; }
    }
"""
"""Axe keeps every field of every colour in a WeakMap, which costs a third of what it does; kept beside the
object they cost nothing, and nobody keeps objects past the page here."""


@lru_cache(maxsize=1)
def _script() -> str:
    axe = (resources.files("axe_playwright_python") / "axe.min.js").read_text()
    return f"(() => {{ {PLAIN_PRIVATE_FIELDS} {axe}\n}})()"


def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """What axe finds wrong with a page as it stands, by these rules or by all: the rule, and where."""
    # Evaluated by the debugger and not by the page, so that the page's own policy stays as it is.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_script())
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
    """Text that is hard to read with a pointer or the focus on it; the page looks like that afterwards."""
    page.evaluate(HOVER_EVERYTHING, HOVERED)
    return [f"hovered: {found}" for found in violations(page, ["color-contrast"])]
