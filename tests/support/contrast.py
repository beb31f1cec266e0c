"""How well a text can be read on its ground: the contrast WCAG asks for, worked out in the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Locator

ENOUGH: Final = 4.5
"""What text of an ordinary size needs (WCAG 2.2, 1.4.3)."""

_MEASURE: Final = """element => {
    const parse = colour => {
        const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
        return [r, g, b, a];
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a));
    const layers = [];
    for (let at = element; at; at = at.parentElement)
        layers.push(parse(getComputedStyle(at).backgroundColor));
    let ground = [255, 255, 255];
    for (const layer of layers.reverse()) ground = over(layer, ground);
    const ink = over(parse(getComputedStyle(element).color), ground);
    const light = colour => {
        const [r, g, b] = colour.map(part => part / 255)
            .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [one, other] = [light(ink), light(ground)].sort((a, b) => b - a);
    return (one + 0.05) / (other + 0.05);
}"""


def contrast(element: Locator) -> float:
    """The contrast of an element's text to what lies beneath it."""
    return float(element.evaluate(_MEASURE))


def hard_to_read(elements: Locator) -> list[str]:
    """Which of these cannot be read at rest, under a pointer or with the focus, each with its contrast."""
    found = []
    for place in range(elements.count()):
        element = elements.nth(place)
        if not element.is_visible():
            continue
        name = element.inner_text().strip() or str(element.get_attribute("id"))
        measured = {"at rest": contrast(element)}
        element.hover()
        measured["under a pointer"] = contrast(element)
        element.focus()
        measured["with the focus"] = contrast(element)
        found += [f"{name} {how}: {ratio:.1f}" for how, ratio in measured.items() if ratio < ENOUGH]
    return found
