"""Chinese of the pages for whoever deals and supervises."""

from __future__ import annotations

from typing import Final

CHINESE: Final[dict[str, str]] = {}
