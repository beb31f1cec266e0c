"""The player's page, measured as a player meets it: real Chromium and a real `lammer serve` on loopback.

    .venv/bin/python benchmarks/player_pages.py [BETS]

Four things: how long a press takes until its chip lies there as the house has it; how far the page moves by
itself over a whole round (cumulative layout shift, as Chromium counts it); what a page weighs when it is
loaded first and again; and how long, and how many presses, somebody new needs from the link they were given
to a first round settled and explained, at a table of the usual pace. The newcomer of this file presses at
once: reading takes a person longer, and the house is what is measured. How busy the machine is otherwise
shows in the first figure, so it is printed too.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from contextlib import ExitStack
from time import perf_counter
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from served import cpu_seconds, serving

BARS: Final = {"p95": 60.0, "shift": 0.02, "weight": 300.0, "newcomer": 60.0}
SCREENS: Final = ((1440, 900), (390, 844))
TABLE: Final = "tiger-buffalo-1"
PATIENCE: Final = 90_000

PRESS: Final = """async ([id, presses]) => {
  const now = document.getElementById("now");
  const times = [];
  for (let press = 0; press < presses; press += 1) {
    const stake = document.getElementById(id).dataset.stake;
    const begun = performance.now();
    const lies = new Promise((resolve) => {
      const seen = new MutationObserver(() => {
        if (document.getElementById(id).dataset.stake === stake) return;
        seen.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - begun));
      });
      seen.observe(now, { childList: true, subtree: true });
    });
    document.getElementById(id).click();
    times.push(await lies);
  }
  return times;
}"""
"""Press a bet again and again; each time until the frame in which the house's answer lies on the felt."""

WATCH: Final = """() => {
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""


def main() -> None:
    presses = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    chromium = shutil.which("chromium")
    if chromium is None:
        print("not measured: this needs Chromium (apt install chromium)")
        return
    with sync_playwright() as run:
        browser = run.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        usual = newcomer(browser)
        calm = at_leisure(browser, presses)
        browser.close()
    for line in (*usual, *calm):
        print(line)
    print(f"load of the machine in the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def newcomer(browser: Browser) -> list[str]:
    """From the link to a first round settled, and the shift of the page meanwhile, on two screens."""
    lines = []
    for width, height in SCREENS:
        with ExitStack() as closing:
            folder = closing.enter_context(tempfile.TemporaryDirectory())
            _, told = closing.enter_context(serving(folder))
            page = browser.new_page(viewport={"width": width, "height": height})
            closing.callback(page.close)
            page.set_default_timeout(PATIENCE)
            begun = perf_counter()
            presses = come_in(page, told)
            page.locator(f'button[id^="sit-{TABLE}-"]').first.click()
            page.wait_for_url(re.compile(rf"/tables/{TABLE}"))
            page.evaluate(WATCH)
            number = bet_in_time(page)
            presses += 2
            page.locator(".came-to .receipt").wait_for()
            page.wait_for_selector(f'.status[data-phase="settled"][data-round="{number}"]')
            took = perf_counter() - begun
            page.wait_for_selector(f'.status[data-round="{number + 1}"]')
            shift = float(page.evaluate("window.moved"))
        screen = f"{width}×{height}"
        lines.append(
            f"newcomer, {screen}: {took:.1f} s and {presses} presses from the link to a first round settled "
            f"({met(took, BARS['newcomer'])} {BARS['newcomer']:.0f} s)"
        )
        lines.append(
            f"layout shift, {screen}: {shift:.4f} from sitting down to the next round "
            f"({met(shift, BARS['shift'])} {BARS['shift']})"
        )
    return lines


def come_in(page: Page, told: dict[str, Any]) -> int:
    """Use a player's link up to the lobby; how many presses that took, the link itself counted."""
    page.goto(next(each["link"] for each in told["links"] if each["role"] == "player"))
    page.locator("main form button").first.click()
    page.wait_for_url(re.compile("/lobby"))
    return 2


def bet_in_time(page: Page) -> int:
    """Bet as soon as betting is open, with the chip that is chosen already; the round the chip lies in."""
    page.wait_for_selector('.status[data-phase="betting"]')
    page.locator("#bet-banker").click()
    page.wait_for_selector('#bet-banker:not([data-stake="0"])')
    return int(page.locator(".status").get_attribute("data-round") or 0)


def at_leisure(browser: Browser, presses: int) -> list[str]:
    """Bet to chip and weight, at a table with all the time in the world to bet."""
    with ExitStack() as closing:
        folder = closing.enter_context(tempfile.TemporaryDirectory())
        server, told = closing.enter_context(serving(folder, LAMMER_BETTING_SECONDS="600"))
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        closing.callback(page.close)
        page.set_default_timeout(PATIENCE)
        come_in(page, told)
        page.locator(f'button[id^="sit-{TABLE}-"]').first.click()
        page.wait_for_url(re.compile(rf"/tables/{TABLE}"))
        page.wait_for_selector('.status[data-phase="betting"]')
        page.locator('input[name="stake"]').first.check(force=True)
        page.evaluate(PRESS, ["bet-banker", 5])
        before = cpu_seconds(server.pid)
        times = sorted(page.evaluate(PRESS, ["bet-banker", presses]))
        spent = (cpu_seconds(server.pid) - before) / presses * 1000
        first, again = weights(page)
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    return [
        f"press to chip: p50 {p50:.0f} ms, p95 {p95:.0f} ms, longest {times[-1]:.0f} ms over {presses} bets "
        f"({met(p95, BARS['p95'])} {BARS['p95']:.0f} ms); the house's processor {spent:.1f} ms a bet",
        f"weight: first load {first / 1000:.1f} kB, loaded again {again / 1000:.1f} kB "
        f"({met(first / 1000, BARS['weight'])} {BARS['weight']:.0f} kB)",
    ]


def weights(page: Page) -> tuple[int, int]:
    """Bytes on the wire of the page of a table and all it asks for: from an empty cache, and again."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    found: list[int] = []
    for first in (True, False):
        if first:
            session.send("Network.clearBrowserCache")
        total: list[int] = []
        count = _counting(total)
        session.on("Network.loadingFinished", count)
        page.goto(page.url)
        # The stream has opened, and what it asks for again has come.
        page.wait_for_selector("#now[data-shown]")
        session.remove_listener("Network.loadingFinished", count)
        found.append(sum(total))
    session.detach()
    return found[0], found[1]


def _counting(total: list[int]) -> Any:
    return lambda event: total.append(int(event["encodedDataLength"]))


def met(value: float, bar: float) -> str:
    """Whether a figure keeps its bar."""
    return "under the bar of" if value < bar else "NOT under the bar of"


if __name__ == "__main__":
    main()
