"""Chinese of the pages for whoever reads: board, audit, rules, lab."""

from __future__ import annotations

from typing import Final

CHINESE: Final[dict[str, str]] = {}
