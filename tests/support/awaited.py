"""Waiting for something to become so, and never for time: how fast the machine is decides no test.

`GUARD` measures nothing: it ends a test that would otherwise hang, and no passing test comes near it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

GUARD: Final = 120.0
"""Seconds after which what has not come will not come."""
LOOK: Final = 0.005
"""Seconds between two looks."""


def until(holds: Callable[[], object], missing: str = "it does not come") -> None:
    """Wait for something to become so.

    >>> until(lambda: True)
    """
    end = time.monotonic() + GUARD
    while not holds():
        assert time.monotonic() < end, missing
        time.sleep(LOOK)


async def between_tries() -> None:
    """Whoever was turned away lets the others go first, and tries again."""
    await asyncio.sleep(LOOK)


async def until_so(holds: Callable[[], object], missing: str = "it does not come") -> None:
    """The same, while the event loop runs on."""
    end = time.monotonic() + GUARD
    while not holds():
        assert time.monotonic() < end, missing
        await asyncio.sleep(LOOK)
