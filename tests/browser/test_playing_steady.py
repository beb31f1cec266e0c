"""A round on one screen, and nothing that moves under the hand: positions by moment, and the layout shift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Person
from support.browser_table import Dealt, bet, sit, wait_for
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENS = {
    "desk": (1440, 900),
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "desk at 200 %": (720, 450),
}
SEEN_WHILE_BETTING = (
    ".status .phase", ".clock", ".player-hand .laid", ".banker-hand .laid", "#bet-player", "#bet-banker",
    "#bet-tie", ".sides .area:last-child", ".chip", ".other input", "#amount", "#undo",
)  # fmt: skip
MOST_SHIFT = 0.02

WATCH = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const moved = entry.sources.map((source) => source.node?.outerHTML?.slice(0, 90) || "");
      window.shifts.push([entry.value, entry.hadRecentInput, moved]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""


# In one step: the page may be drawn anew between two.
PLACED = """(selector) => {
  const it = document.querySelector(selector);
  const { left, top, right, bottom } = it.getBoundingClientRect();
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return [left, top, right, bottom, !!at && (it.contains(at) || at.contains(it))];
}"""


def place(page: Page, selector: str) -> list[float]:
    """Left, top, right and bottom of something on the screen."""
    found: list[float] = page.evaluate(PLACED, selector)
    return found[:4]


def cut_off(page: Page, selectors: tuple[str, ...]) -> list[str]:
    """What of these is not on the screen as a whole, or lies under something else."""
    size: Any = page.viewport_size
    found = []
    for selector in selectors:
        left, top, right, bottom, reached = page.evaluate(PLACED, selector)
        inside = left >= -1 and top >= -1 and right <= size["width"] + 1 and bottom <= size["height"] + 1
        if not (inside and reached):
            found.append(f"{selector}: {left:.0f},{top:.0f} to {right:.0f},{bottom:.0f}, reached {reached}")
    return found


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("screen", SCREENS)
def test_a_round_stays_on_one_screen_and_nothing_moves(
    person: Person, house: Served, screen: str, language: str
) -> None:
    width, height = SCREENS[screen]
    name = f"steady-{list(SCREENS).index(screen)}-{language[:2]}"
    at = Dealt(house, name)
    page = person("player", name, viewport={"width": width, "height": height}, locale=language)
    sit(page, at.name)
    at.opens(page)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(WATCH)
    assert not cut_off(page, SEEN_WHILE_BETTING)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    banker, rack = place(page, "#bet-banker"), place(page, "#bets")
    for chip in ("player", "banker", "tie"):
        bet(page, chip, 100)
    page.evaluate("scrollTo(0, 0)")

    def stands(moment: str) -> None:
        assert place(page, "#bet-banker") == pytest.approx(banker, abs=1), moment
        assert place(page, "#bets") == pytest.approx(rack, abs=1), moment

    stands("with chips down")
    at.dealer("close_bets")
    wait_for(page, "dealing")
    stands("dealing")
    at.cards("2S 4D KH TC")
    wait_for(page, "insurance")
    stands("insurance")
    assert not cut_off(page, (".player-hand .laid", ".lammer .choices button:first-child"))
    at.cards("2D 9H")
    wait_for(page, "dealing")
    stands("six cards")
    at.settles(page)
    stands("settled")
    assert not cut_off(page, (".came-to h2",))
    at.opens(page)
    stands("the next round")
    assert not cut_off(page, SEEN_WHILE_BETTING)
    shifts = page.evaluate("window.shifts")
    unasked = sum(value for value, by_hand, _ in shifts if not by_hand)
    assert unasked < MOST_SHIFT, shifts
    print(f"{screen}, {language}: layout shift {unasked:.4f}")
